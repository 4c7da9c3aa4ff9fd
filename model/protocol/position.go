package protocol

// Marker is D1: what a stop leaves in __mirror_state for a later failback.
type Marker uint8

// The options of D1.
const (
	MarkerNone           Marker = iota // nothing is recorded, and alignment truncates nothing
	MarkerOffset                       // the log end; alignment truncates to it
	MarkerEpoch                        // the last mirrored epoch; alignment truncates beyond it
	MarkerEpochAndOffset               // both; alignment truncates to the smaller
)

func (Marker) decision() Decision {
	return decide("D1", "marker", "what is recorded as the last mirrored position, and by what alignment truncates",
		"seed 000, Add, 7 and Remove, 4.4; seed 004, Stop, 5.2; section 6 of the design",
		option("none", "nothing is recorded, and alignment truncates nothing"),
		option("offset", "the log end; alignment truncates to it"),
		option("epoch", "the last mirrored epoch; alignment truncates at the first local epoch beyond it"),
		option("epoch-and-offset", "both; alignment truncates to the smaller of the two"))
}

// MarkerParts is D1 (marker; seed 000, Add, 7 and Remove, 4.4; seed 004, Stop, 5.2; section 6 of the design): whether
// the last mirrored position has an epoch, and whether it has an offset. Neither: nothing is recorded, alignment cuts
// nothing.
func (c *Config) MarkerParts() (epoch, offset bool) {
	m := c.Marker
	return m == MarkerEpoch || m == MarkerEpochAndOffset, m == MarkerOffset || m == MarkerEpochAndOffset
}

// EpochSource is D2: which epoch a stop records as the last mirrored epoch.
type EpochSource uint8

// The options of D2.
const (
	EpochFromMirrored EpochSource = iota // of the newest batch that came from the source
	EpochFromLog                         // of the newest batch, own markers included
	EpochFromCache                       // of the newest entry of the leader-epoch cache
	EpochFromLeader                      // the partition's leader epoch
)

func (EpochSource) decision() Decision {
	return decide("D2", "epoch-source", "which epoch is recorded as the last mirrored epoch",
		"seed 000, Remove, 4.4; seed 004, Stop, 5.2 (\"the current leader epoch\"); section 6 of the design",
		option("mirrored", "the epoch of the newest batch that came from the source: neither a reset nor an ABORT marker"),
		option("log", "the epoch of the newest batch, own markers included"),
		option("cache", "the newest entry of the leader-epoch cache"),
		option("leader", "the partition's leader epoch, as seed 004 words it"))
}

// RecordedEpoch is D2 (epoch-source; seed 000, Remove, 4.4; seed 004, Stop, 5.2; section 6 of the design): which epoch a
// stop records. mirrored is of the newest batch that a stop does not append, log of the newest batch, cache of the newest
// leader-epoch entry, leader the partition's leader epoch. Each is -1 where there is none.
func (c *Config) RecordedEpoch(mirrored, log, cache, leader int32) int32 {
	switch c.EpochSource {
	case EpochFromMirrored:
		return mirrored
	case EpochFromLog:
		return log
	case EpochFromCache:
		return cache
	}
	return leader
}

// MarkerRerun is D5: what happens to the position when the stop's steps run again.
type MarkerRerun uint8

// The options of D5.
const (
	RerunOverwrites   MarkerRerun = iota // the position is recorded anew
	RerunKeepsFirst                      // the one that this stop has recorded first stays
	RerunKeepsLongest                    // it stays unless a later leader has mirrored further
)

func (MarkerRerun) decision() Decision {
	return decide("D5", "marker-rerun",
		"the recorded position when STOPPING runs again after a crash or a leader change",
		"both seeds are silent; section 7 of the design",
		option("overwrite", "it is recorded anew"),
		option("keep-first", "what this stop has recorded first stays"),
		option("keep-longest", "it stays, unless the log of a later leader has mirrored batches behind the recorded offset (D1), as that of "+
			"one that was deposed before the stop, did not hear of it and mirrored on: then it is recorded anew; not in the design"))
}

// KeepsFirstPosition is D5 (marker-rerun; section 7 of the design): keeps is true when a stop whose steps run again keeps the
// position that it has recorded first (keep-first, keep-longest), false when it records anew (overwrite). grows is true when it
// records anew all the same where the leader's log has mirrored batches behind the recorded offset (keep-longest).
func (c *Config) KeepsFirstPosition() (keeps, grows bool) {
	return c.MarkerRerun != RerunOverwrites, c.MarkerRerun == RerunKeepsLongest
}

// MarkerWrite is D6: whether the stop waits for a remote coordinator to store the position.
type MarkerWrite uint8

// The options of D6.
const (
	MarkerAwaited MarkerWrite = iota // the next step waits for the answer
	MarkerForgot                     // the next step follows at once, an error is not seen
)

func (MarkerWrite) decision() Decision {
	return decide("D6", "marker-write", "whether the stop waits until a remote coordinator has stored the position",
		"seed 004, Stop, 5 (\"execute sequentially\") and 5.2; sections 7 and 8 of the design",
		option("await", "the next step waits for the coordinator's answer"),
		option("fire-and-forget", "the next step follows at once, and an error goes unseen"))
}

// AwaitsPosition is D6 (marker-write; seed 004, Stop, 5.2; section 7 of the design): true when the stop goes on only
// after a remote coordinator has stored the position (await), false when it goes on at once (fire-and-forget).
func (c *Config) AwaitsPosition() bool { return c.MarkerWrite == MarkerAwaited }

// PositionEnd is D40: which end of the log is the recorded offset.
type PositionEnd uint8

// The options of D40.
const (
	PositionAtLEO PositionEnd = iota // the log end offset, whether replicated or not
	PositionAtHW                     // the high watermark, once it has reached the log end offset
)

func (PositionEnd) decision() Decision {
	return decide("D40", "position-end", "which end of the log is recorded as the offset, where marker has one",
		"section 7 of the design",
		option("leo", "the log end offset at once"),
		option("hw", "the high watermark; the stop first waits until it equals the log end offset"))
}

// PositionAwaitsHW is D40 (position-end; section 7 of the design): true when the stop waits until the high watermark
// equals the log end offset before it records an offset (hw), false when it records the log end offset at once (leo).
func (c *Config) PositionAwaitsHW() bool { return c.PositionEnd == PositionAtHW }
