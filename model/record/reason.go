package record

// Reason is why a mirrored partition cannot go on: the error text that FAILED stores (section 3 of the design).
type Reason uint8

// The reasons. What ends them is said by WayOut.
const (
	NoReason          Reason = iota
	SourceUnreachable        // no broker of the source answers
	CorruptBatch             // a fetched batch does not have its CRC
	StaleSource              // a fetched batch is above the source leader epoch of the fetch (section 5 of the design)
	StorageError             // this broker cannot append
	SourceDeleted            // the source lacks the topic (D24)
	SourceReplaced           // the brokers of the source are of another cluster
	RemoteStorage            // tiered storage is switched on for the topic here
	SourceDiverged           // the source's history differs while MIRRORING (D11)
	ReverseActive            // the source mirrors the topic from here, or a chain of mirrors leads back here (D20)
	PositionMissing          // the source has no last mirrored position (D49)
	PartitionMissing         // the source's topic has fewer partitions than the one here
	Reasons           int    = iota
)

var reasonTexts = [Reasons]string{"", "no broker of the source answers", "a batch of the source is corrupt",
	"the source's metadata are stale", "this broker's storage fails", "the source has deleted the topic",
	"the source is another cluster", "tiered storage is on for the topic",
	"the source's history differs from what was mirrored", "the reverse mirror is active",
	"the source has no last mirrored position", "the source has no such partition"}

// reasonTokens are the reasons as scenario files write them.
var reasonTokens = [Reasons]string{"none", "source-unreachable", "corrupt-batch", "stale-source", "storage-error",
	"source-deleted", "source-replaced", "remote-storage", "source-diverged", "reverse-active", "position-missing",
	"partition-missing"}

// Token is the reason in one word; "none" for none.
func (r Reason) Token() string {
	if int(r) < Reasons {
		return reasonTokens[r]
	}
	return "?"
}

// ParseReason is the reason of that token.
func ParseReason(token string) (Reason, bool) {
	for i, t := range reasonTokens {
		if t == token {
			return Reason(i), true
		}
	}
	return 0, false
}

// String is the error text that FAILED stores; empty for none.
func (r Reason) String() string {
	if int(r) < Reasons {
		return reasonTexts[r]
	}
	return "?"
}

// WayOut says what brings a partition on that FAILED for the reason and is not tried again by itself.
func (r Reason) WayOut() string {
	switch r {
	case PositionMissing:
		return "a mirror that has the records here as its own is started the other way; or it is stopped, its records are deleted, and it is started again"
	case ReverseActive:
		return "the other mirror is stopped, then RecoverMirrorTopics"
	case SourceDeleted, SourceReplaced:
		return "it is stopped, which makes the topic writable here"
	case RemoteStorage:
		return "tiered storage is switched off, then RecoverMirrorTopics"
	case SourceDiverged:
		return "it is stopped and started again, which aligns it anew"
	}
	return "RecoverMirrorTopics, once the cause is gone"
}

// Retryable tells whether FAILED is tried again by itself: what may pass without anybody's doing (section 3 of the
// design, and D11 and D49 of section 12).
func (r Reason) Retryable() bool {
	switch r {
	case SourceDeleted, SourceReplaced, RemoteStorage, SourceDiverged, PositionMissing:
		return false
	}
	return true
}
