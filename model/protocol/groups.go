package protocol

import "math"

// OffsetClamp is D19: the upper bound of a synchronised group offset.
type OffsetClamp uint8

// The options of D19.
const (
	ClampNone  OffsetClamp = iota // none
	ClampLEO                      // the destination's log end offset
	ClampHW                       // the destination's high watermark
	ClampEpoch                    // that, and the end of the offset's epoch in the destination's log
)

func (OffsetClamp) decision() Decision {
	return decide("D19", "offset-clamp", "the upper bound of a synchronised group offset",
		"seed 000, Add, 11 names the sync only; section 9 of the design",
		option("none", "none"),
		option("leo", "the destination's log end offset"),
		option("hw", "the destination's high watermark"),
		option("hw-and-epoch", "the destination's high watermark, and where the epoch of the offset ends in its log; an offset of "+
			"which the destination's log does not know the epoch, or has it elsewhere, is not written; ours"))
}

// OffsetAtMost is D19 (offset-clamp; section 9 of the design): a source group's offset as it may be committed over a log with
// that end and high watermark, 0 or more. epochEnd is where the source's epoch of the record before the offset ends in that
// log: NoEpochEnd where the source has no epoch or the log agrees, below 0 where the log does not know the epoch. A negative
// answer: it may not be committed.
func (c *Config) OffsetAtMost(offset, logEnd, highWatermark, epochEnd int64) int64 {
	switch c.OffsetClamp {
	case ClampLEO:
		return min(offset, logEnd)
	case ClampHW:
		return min(offset, highWatermark)
	case ClampEpoch:
		return min(offset, highWatermark, epochEnd)
	}
	return offset
}

// NoEpochEnd is an epoch that bounds nothing.
const NoEpochEnd int64 = math.MaxInt64

// OffsetReclamp is D31: group offsets that a truncation leaves above the log end.
type OffsetReclamp uint8

// The options of D31.
const (
	ReclampNone   OffsetReclamp = iota // they stay
	ReclampSynced                      // the synchronised ones are lowered
	ReclampAll                         // those that clients committed here too
)

func (OffsetReclamp) decision() Decision {
	return decide("D31", "offset-reclamp", "group offsets above a cut",
		"both seeds are silent; section 9 of the design",
		option("no", "they stay"),
		option("synced", "synchronised ones are lowered to the cut"),
		option("all", "all are lowered to the cut, those that clients committed here too"))
}

// LowersOffsets is D31 (offset-reclamp; section 9 of the design): whether the group offsets above a cut of the log are lowered
// to it, before anything is appended there: the synchronised ones, and all others too.
func (c *Config) LowersOffsets() (synced, all bool) {
	return c.OffsetReclamp != ReclampNone, c.OffsetReclamp == ReclampAll
}

// OffsetAfterStop is D32: the sync of group offsets after the stop.
type OffsetAfterStop uint8

// The options of D32.
const (
	SyncStops     OffsetAfterStop = iota // it ends with the stop
	SyncContinues                        // it goes on
	SyncFenced                           // it ends with the stop, and nothing that was under way replaces a later commit
)

func (OffsetAfterStop) decision() Decision {
	return decide("D32", "offset-after-stop", "the sync of group offsets after the stop",
		"both seeds are silent; section 9 of the design",
		option("stops", "it ends with the stop"),
		option("continues", "it goes on"),
		option("fenced", "it ends with the stop: the partition's leader answers for its log while it is MIRRORING only, and a commit "+
			"replaces none but the one that was read before the leader was asked; ours"))
}

// OffsetsAfterStop is D32 (offset-after-stop; section 9 of the design): whether group offsets are synchronised for a topic that
// is stopped (continues), and otherwise whether what is under way at the stop may still be written (stops), or not (fenced).
func (c *Config) OffsetsAfterStop() OffsetAfterStop { return c.OffsetAfterStop }

// OffsetFloor is D44: the lower bound of a synchronised group offset.
type OffsetFloor uint8

// The options of D44.
const (
	FloorNone     OffsetFloor = iota // none
	FloorLogStart                    // the destination's log start offset
)

func (OffsetFloor) decision() Decision {
	return decide("D44", "offset-floor", "the lower bound of a synchronised group offset",
		"both seeds are silent; section 9 of the design",
		option("none", "none"),
		option("log-start", "the destination's log start offset"))
}

// OffsetAtLeast is D44 (offset-floor; section 9 of the design): the same over a log that starts there.
func (c *Config) OffsetAtLeast(offset, logStart int64) int64 {
	if c.OffsetFloor == FloorLogStart {
		return max(offset, logStart)
	}
	return offset
}

// LagSign is D43: the lag that is shown for a destination ahead of its source.
type LagSign uint8

// The options of D43.
const (
	LagFloored LagSign = iota // 0
	LagSigned                 // "source behind"
)

func (LagSign) decision() Decision {
	return decide("D43", "lag-sign", "the lag of a destination that is ahead of its source",
		"both seeds are silent; section 2 of the design",
		option("floored", "shows 0"),
		option("signed", "shows \"source behind\""))
}

// LagShown is D43 (lag-sign; section 2 of the design): the lag that DescribeMirrors shows for one of lag records, which is
// negative where the destination is ahead: 0 then (floored), or as it is (signed).
func (c *Config) LagShown(lag int64) int64 {
	if c.LagSign == LagFloored {
		return max(lag, 0)
	}
	return lag
}
