package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// passes are those of mirror-wide work over the topics of a mirror that heard from the source all they asked for.
type passes struct {
	cluster id.Cluster
	mirror  id.Mirror
	done    int
	asked   int32                   // requests of the last one to the controller
	recent  [syncPasses]id.Duration // when the last ones were done, oldest first; below 0 where there were not so many
}

// foldSynced takes in that a pass on cluster c is done.
func (l *Ledger) foldSynced(e *event.Event, c id.Cluster) {
	i, found := l.findPasses(c, e.Mirror)
	if !found {
		l.passes = slices.Insert(l.passes, i, passes{cluster: c, mirror: e.Mirror, recent: [syncPasses]id.Duration{-1, -1, -1, -1}})
	}
	x := &l.passes[i]
	x.done++
	x.asked = e.Sequence
	copy(x.recent[:], x.recent[1:])
	x.recent[syncPasses-1] = e.At
}

func (l *Ledger) findPasses(c id.Cluster, m id.Mirror) (int, bool) {
	return slices.BinarySearchFunc(l.passes, passes{cluster: c, mirror: m}, func(x, y passes) int {
		return (int(x.cluster)-int(y.cluster))<<8 + int(x.mirror) - int(y.mirror)
	})
}

// Passes is how many passes over the topics of a mirror on cluster c are done, and how many requests to the controller the
// last one had.
func (l *Ledger) Passes(c id.Cluster, m id.Mirror) (done, asked int) {
	if i, found := l.findPasses(c, m); found {
		return l.passes[i].done, int(l.passes[i].asked)
	}
	return 0, 0
}
