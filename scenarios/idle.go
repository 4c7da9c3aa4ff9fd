package scenarios

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// idle knows the passes over mirrors that are no news to whoever tells a run: those that made no request after one that
// made none. They come every mirror.metadata.refresh.interval.ms, and fill a story of some minutes.
type idle struct {
	cluster []id.Cluster      // by node
	busy    map[mirrorOn]bool // the last pass made requests
}

// mirrorOn is a mirror on its destination cluster.
type mirrorOn struct {
	cluster id.Cluster
	mirror  id.Mirror
}

func newIdle(r *run) *idle { return &idle{r.wiring.cluster, map[mirrorOn]bool{}} }

// pass tells whether an event is such a pass. It is asked for each event once, in order.
func (i *idle) pass(e *event.Event) bool {
	if e.Kind != event.MirrorSynced {
		return false
	}
	on := mirrorOn{i.cluster[e.Node], e.Mirror}
	before := i.busy[on]
	i.busy[on] = e.Sequence > 0
	return !before && e.Sequence == 0
}
