package coordinator

import (
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
)

// edges are the legal edges of section 3 of the design, as sets of states from which a state may be stored. A self-edge
// is always legal. STOPPING from UNKNOWN is D46's to say; PAUSING is what pause and resume need.
var edges = [record.States]uint16{
	record.Preparing:    set(record.Unknown, record.Stopped, record.Failed),
	record.EpochFencing: set(record.Mirroring),
	record.UleRecovery:  set(record.Mirroring),
	record.Mirroring:    set(record.Preparing, record.EpochFencing, record.UleRecovery, record.Paused, record.Failed),
	record.Pausing:      set(record.Mirroring),
	record.Paused:       set(record.Pausing),
	record.Stopping: set(record.Preparing, record.EpochFencing, record.UleRecovery, record.Mirroring, record.Pausing,
		record.Paused, record.Failed),
	record.Stopped: set(record.Stopping),
	record.Failed: set(record.Unknown, record.Preparing, record.EpochFencing, record.UleRecovery, record.Mirroring,
		record.Pausing, record.Paused, record.Stopping),
}

func set(states ...record.State) uint16 {
	var s uint16
	for _, x := range states {
		s |= 1 << x
	}
	return s
}

// Legal tells whether the state to may be stored over the state from.
func Legal(from, to record.State, c *protocol.Config) bool {
	if from == to && to != record.Unknown {
		return true
	}
	if from == record.Unknown && to == record.Stopping {
		return c.StopsUnknown()
	}
	return edges[to]&(1<<from) != 0
}
