package record

import "mirrorsim/model/id"

// State is the actual mirror state of a partition, as __mirror_state stores it.
type State uint8

// The partition states (section 3 of the design). Unknown means that no state is stored.
const (
	Unknown State = iota
	Preparing
	EpochFencing
	UleRecovery
	Mirroring
	Pausing
	Paused
	Stopping
	Stopped
	Failed
	States int = iota
)

var stateNames = [States]string{"UNKNOWN", "PREPARING", "EPOCH_FENCING", "ULE_RECOVERY", "MIRRORING", "PAUSING", "PAUSED",
	"STOPPING", "STOPPED", "FAILED"}

// String is the state's name in the design.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "?"
}

// ParseState is the state of that name.
func ParseState(s string) (State, bool) {
	for i, n := range stateNames {
		if n == s {
			return State(i), true
		}
	}
	return 0, false
}

// Desired is what the operator wants of a mirrored topic; the controller stores it (section 2 of the design).
type Desired uint8

// The desired states. In the seed revisions they are the suffixes of the topic config mirror.name.
const (
	WantNone Desired = iota // not mirrored: a plain topic
	WantMirroring
	WantPaused
	WantStopped
)

// String is the word that tables and stories use.
func (d Desired) String() string {
	return [...]string{"none", "mirroring", "paused", "stopped"}[d&3]
}

// ParseDesired is the desired state of that word.
func ParseDesired(word string) (Desired, bool) {
	for d := WantNone; d <= WantStopped; d++ {
		if d.String() == word {
			return d, true
		}
	}
	return 0, false
}

// MirrorStateKind is the record type in the key of a __mirror_state record.
type MirrorStateKind uint8

// The two record types and their numbers (section 8 of the design).
const (
	LastMirroredEpochs   MirrorStateKind = 1
	MirrorPartitionState MirrorStateKind = 2
)

// NotRetryable is the attempts of a FAILED that is not tried again by itself.
const NotRetryable = -1

// NoPosition is an epoch or offset that is not recorded: the answer -1 of a lookup.
const NoPosition = -1

// MirrorState is one record of __mirror_state: the key (kind, mirror, partition) and the value of its kind. A tombstone
// has no value and removes its own kind only.
type MirrorState struct {
	Kind      MirrorStateKind
	Mirror    id.Mirror
	Partition id.Partition
	Tombstone bool
	Run       int32 // raised when PREPARING is stored, kept otherwise
	// Life is the metadata-log offset of the later of the two records that created the mirror and the topic. It tells the
	// entry from that of an earlier mirror of the same name, or of an earlier topic of the same id.
	Life int64

	// The value of LastMirroredEpochs.
	Epoch  int32 // the last mirrored epoch; NoPosition if an empty log had nothing to record
	Offset int64 // NoPosition where the marker has no offset

	// The value of MirrorPartitionState.
	State, Previous State
	Reason          Reason // of FAILED, NoReason otherwise
	Attempts        int16  // failures in a row; -1: not retryable
	Recovery        int32  // the newest RecoverMirrorTopics of the topic that the writer had seen
	LeaderEpoch     int32  // of the writer
	StateEpoch      int32  // raised by every accepted write of a state
	Aligned         int64  // the lowest offset that an alignment of any run, or a divergence since, cut to; NoPosition before
	Agreed          bool   // the source has agreed to the log of this run, or alignment did not wait for that (D12), and the replicas have followed
}
