package protocol

// OffsetClamp is D19: the upper bound of a synchronised group offset. Nothing asks for it yet.
type OffsetClamp uint8

// The options of D19.
const (
	ClampNone OffsetClamp = iota // none
	ClampLEO                     // the destination's log end offset
	ClampHW                      // the destination's high watermark
)

func (OffsetClamp) decision() Decision {
	return decide("D19", "offset-clamp", "the upper bound of a synchronised group offset; nothing asks for it yet",
		"seed 000, Add, 11 names the sync only; section 9 of the design",
		option("none", "none"),
		option("leo", "the destination's log end offset"),
		option("hw", "the destination's high watermark"))
}

// OffsetReclamp is D31: group offsets that a truncation leaves above the log end. Nothing asks for it yet.
type OffsetReclamp uint8

// The options of D31.
const (
	ReclampNone   OffsetReclamp = iota // they stay
	ReclampSynced                      // the synchronised ones are lowered
	ReclampAll                         // those that clients committed here too
)

func (OffsetReclamp) decision() Decision {
	return decide("D31", "offset-reclamp", "group offsets above a cut; nothing asks for it yet",
		"both seeds are silent; section 9 of the design",
		option("no", "they stay"),
		option("synced", "synchronised ones are lowered to the cut"),
		option("all", "all are lowered to the cut, those that clients committed here too"))
}

// OffsetAfterStop is D32: the sync of group offsets after the stop. Nothing asks for it yet.
type OffsetAfterStop uint8

// The options of D32.
const (
	SyncStops     OffsetAfterStop = iota // it ends with the stop
	SyncContinues                        // it goes on
)

func (OffsetAfterStop) decision() Decision {
	return decide("D32", "offset-after-stop", "the sync of group offsets after the stop; nothing asks for it yet",
		"both seeds are silent; section 9 of the design",
		option("stops", "it ends with the stop"),
		option("continues", "it goes on"))
}

// OffsetFloor is D44: the lower bound of a synchronised group offset. Nothing asks for it yet.
type OffsetFloor uint8

// The options of D44.
const (
	FloorNone     OffsetFloor = iota // none
	FloorLogStart                    // the destination's log start offset
)

func (OffsetFloor) decision() Decision {
	return decide("D44", "offset-floor", "the lower bound of a synchronised group offset; nothing asks for it yet",
		"both seeds are silent; section 9 of the design",
		option("none", "none"),
		option("log-start", "the destination's log start offset"))
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
