package protocol

// FetchBound is D10: how far the mirror fetcher reads.
type FetchBound uint8

// The options of D10.
const (
	BoundHW  FetchBound = iota // up to the source's high watermark
	BoundLSO                   // up to the source's last stable offset
)

func (FetchBound) decision() Decision {
	return decide("D10", "fetch-bound", "how far the mirror fetcher reads",
		"seed 000, Add, 8 (\"consumer Fetch requests\"); section 10 of the design",
		option("hw", "up to the source's high watermark"),
		option("lso", "up to the source's last stable offset"))
}

// FetchesCommittedOnly is D10 (fetch-bound; seed 000, Add, 8; section 10 of the design): true when the mirror fetcher
// reads as a read_committed consumer, up to the last stable offset (lso), false for the high watermark (hw).
func (c *Config) FetchesCommittedOnly() bool { return c.FetchBound == BoundLSO }

// Divergence is D11: what the destination leader does when the source's history differs while MIRRORING.
type Divergence uint8

// The options of D11.
const (
	DivergenceTruncates Divergence = iota // truncate as a follower does, and fetch again
	DivergenceIgnored                     // fetch again at the same offset
	DivergenceFails                       // FAILED, or ULE_RECOVERY with unclean support
	DivergenceRecovers                    // truncate, or ULE_RECOVERY with unclean support; what may be missing below is copied again
)

func (Divergence) decision() Decision {
	return decide("D11", "divergence", "the source's history differs while MIRRORING",
		"seed 000, Add, 8 (\"any offset level divergence\"); seed 004 is silent; sections 6 and 10 of the design",
		option("truncate", "the destination leader truncates as a follower does, and fetches again"),
		option("ignore", "it fetches again at the same offset"),
		option("fail-or-recover", "FAILED, or ULE_RECOVERY with mirror.support.unclean.leader.election"),
		option("truncate-or-recover", "truncate, or ULE_RECOVERY with mirror.support.unclean.leader.election, and so too where the log is "+
			"empty and begins above the source's; a log that was cleaned beyond a cut is cut to where its cleaner has removed something "+
			"first, and a cut that ends in a gap goes back to the newest batch: not in the design"))
}

// OnDivergence is D11 (divergence; seed 000, Add, 8; sections 6 and 10 of the design): what the destination leader does
// when a fetch in MIRRORING is answered with a divergence.
func (c *Config) OnDivergence() Divergence { return c.Divergence }

// FetchAbove is D33: what a leader answers to a last fetched epoch above all entries of its leader-epoch cache.
type FetchAbove uint8

// The options of D33.
const (
	AboveOutOfRange FetchAbove = iota // OFFSET_OUT_OF_RANGE
	AboveNewest                       // its newest epoch and its LEO, as a divergence
)

func (FetchAbove) decision() Decision {
	return decide("D33", "fetch-above", "a leader's answer to a last fetched epoch above all of its entries",
		"both seeds are silent; section 4 of the design",
		option("out-of-range", "OFFSET_OUT_OF_RANGE"),
		option("newest", "its newest epoch and its LEO, as a divergence"))
}

// AnswersNewestAbove is D33 (fetch-above; section 4 of the design): true when a fetch with an epoch above all entries
// of the leader is answered with the leader's newest epoch and LEO as a divergence (newest), false when it is answered
// with OFFSET_OUT_OF_RANGE (out-of-range).
func (c *Config) AnswersNewestAbove() bool { return c.FetchAbove == AboveNewest }

// ISRJoin is D34: what a follower of a mirrored partition needs to join the ISR, beside an LEO at or above HW.
type ISRJoin uint8

// The options of D34.
const (
	JoinByEpochStart ISRJoin = iota // an LEO at or above the leader's at its election, or the cut since
	JoinByLastEpoch                 // an LEO that the leader's cache gives to its newest epoch
)

func (ISRJoin) decision() Decision {
	return decide("D34", "isr-join", "the second condition to join the ISR of a mirrored, not stopped partition",
		"both seeds are silent; section 4 of the design",
		option("epoch-start", "LEO at or above the leader's at its election, lowered to the cut when it truncates"),
		option("last-epoch", "the leader's cache gives its newest epoch for the follower's LEO"))
}

// JoinsByLastEpoch is D34 (isr-join; section 4 of the design): true when a follower of a mirrored, not stopped
// partition joins the ISR once the leader's cache gives the leader's newest epoch for its LEO (last-epoch), false when
// its LEO has to be at or above the leader's at its election, lowered to the cut when the leader truncates
// (epoch-start).
func (c *Config) JoinsByLastEpoch() bool { return c.ISRJoin == JoinByLastEpoch }
