package protocol

// CoordinatorFence is D16: what the mirror coordinator checks of a writer.
type CoordinatorFence uint8

// The options of D16.
const (
	FenceNone                CoordinatorFence = iota // nothing
	FenceLeaderEpochEqual                            // its leader epoch is the one that the coordinator knows
	FenceLeaderEpoch                                 // its leader epoch is not below the highest seen
	FenceLeaderAndStateEpoch                         // that, and it has read the stored state
)

func (CoordinatorFence) decision() Decision {
	return decide("D16", "coordinator-fence", "what the coordinator checks of a writer",
		"both seeds are silent; section 8 of the design",
		option("none", "nothing"),
		option("leader-epoch-equal", "that its leader epoch equals the one that the coordinator knows"),
		option("leader-epoch", "that its leader epoch is not below the highest seen"),
		option("leader-and-state-epoch", "as leader-epoch, and that its state epoch is the stored one"))
}

// WriteFenced is D16 (coordinator-fence; section 8 of the design): whether a write is refused with
// FENCED_LEADER_EPOCH, and whether with FENCED_STATE_EPOCH. writerLeader is the writer's leader epoch for the data
// partition, highestLeader the highest that a stored record carries (-1: none), and knownLeader the one in the
// coordinator's own metadata. writerState is the state epoch that the writer has read last and storedState the one that
// is stored.
//
// none refuses nothing; leader-epoch-equal a leader epoch other than the known; leader-epoch one below the highest;
// leader-and-state-epoch that, and a state epoch other than the stored one.
func (c *Config) WriteFenced(writerLeader, highestLeader, knownLeader, writerState, storedState int32) (
	byLeaderEpoch, byStateEpoch bool) {
	switch c.CoordinatorFence {
	case FenceLeaderEpochEqual:
		return writerLeader != knownLeader, false
	case FenceLeaderEpoch:
		return writerLeader < highestLeader, false
	case FenceLeaderAndStateEpoch:
		return writerLeader < highestLeader, writerState != storedState
	}
	return false, false
}

// PositionFence is D39: whether a write of the last mirrored position is fenced.
type PositionFence uint8

// The options of D39.
const (
	PositionFencedAsState PositionFence = iota // as D16 says for a state
	PositionNotFenced                          // never
)

func (PositionFence) decision() Decision {
	return decide("D39", "position-fence", "whether a write of the last mirrored position is fenced",
		"both seeds are silent; section 8 of the design",
		option("as-state", "as coordinator-fence says for a state"),
		option("none", "never"))
}

// FencesPosition is D39 (position-fence; section 8 of the design): true when a write of the position is checked as a
// write of a state is (as-state), false when it is accepted from whoever sends it (none).
func (c *Config) FencesPosition() bool { return c.PositionFence == PositionFencedAsState }

// CoordinatorAck is D29: when the coordinator answers a write.
type CoordinatorAck uint8

// The options of D29.
const (
	AckAfterCommit  CoordinatorAck = iota // when its high watermark has passed the record
	AckBeforeCommit                       // when it has appended the record
)

func (CoordinatorAck) decision() Decision {
	return decide("D29", "coordinator-ack", "when the coordinator answers a write",
		"seed 000, Add, 10 and seed 004, Pause, 6 (\"persisted\"); section 8 of the design",
		option("after-commit", "when the high watermark of __mirror_state has passed it"),
		option("before-commit", "when it is appended"))
}

// AcksAfterCommit is D29 (coordinator-ack; seed 000, Add, 10; section 8 of the design): true when a write is answered
// once the high watermark has passed it (after-commit), false when it is answered at its append (before-commit).
func (c *Config) AcksAfterCommit() bool { return c.CoordinatorAck == AckAfterCommit }

// IllegalEdge is D38: the coordinator's answer to the write of an illegal edge.
type IllegalEdge uint8

// The options of D38.
const (
	EdgeError   IllegalEdge = iota // INVALID_CLUSTER_MIRROR_STATE
	EdgeIgnored                    // success, and nothing is written
)

func (IllegalEdge) decision() Decision {
	return decide("D38", "illegal-edge", "the coordinator's answer to a write of an illegal edge",
		"both seeds are silent; section 3 of the design",
		option("error", "INVALID_CLUSTER_MIRROR_STATE"),
		option("ignore", "success, with no record written"))
}

// IllegalEdgeIsError is D38 (illegal-edge; section 3 of the design): true when the write of an illegal edge is answered
// with INVALID_CLUSTER_MIRROR_STATE (error), false when it is answered as a success without a record (ignore).
func (c *Config) IllegalEdgeIsError() bool { return c.IllegalEdge == EdgeError }

// LoadingAnswer is D42: what the coordinator answers to a read while it loads.
type LoadingAnswer uint8

// The options of D42.
const (
	LoadingError      LoadingAnswer = iota // COORDINATOR_LOAD_IN_PROGRESS
	LoadingFromMemory                      // what it has read so far
)

func (LoadingAnswer) decision() Decision {
	return decide("D42", "loading-answer", "the coordinator's answer to a read while it loads",
		"both seeds are silent; section 8 of the design",
		option("error", "COORDINATOR_LOAD_IN_PROGRESS"),
		option("from-memory", "what it has read so far"))
}

// ReadsWhileLoading is D42 (loading-answer; section 8 of the design): true when a coordinator that loads answers a read
// from what it has so far (from-memory), false when it answers COORDINATOR_LOAD_IN_PROGRESS (error).
func (c *Config) ReadsWhileLoading() bool { return c.LoadingAnswer == LoadingFromMemory }

// CoordinatorRead is D54: which of its records the coordinator answers a read from.
type CoordinatorRead uint8

// The options of D54.
const (
	ReadCommitted CoordinatorRead = iota // those below the high watermark
	ReadLocal                            // all that it has appended
)

func (CoordinatorRead) decision() Decision {
	return decide("D54", "coordinator-read", "a coordinator's answer to a read",
		"both seeds are silent; section 8 of the design",
		option("committed", "what is below the high watermark of __mirror_state"),
		option("local", "what it has appended, committed or not"))
}

// ReadsCommitted is D54 (coordinator-read; section 8 of the design): true when a read is answered from what is below
// the high watermark (committed), false when the coordinator's own uncommitted records count too (local).
func (c *Config) ReadsCommitted() bool { return c.CoordinatorRead == ReadCommitted }
