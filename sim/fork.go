package sim

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

// Fork is a second world that goes on from here, answered by c (nil: the same chooser, which both then share). The two
// share nodes, disks and the monitor; each clones what it touches when it touches it, so neither sees what the other
// does. What waits for a point or a message goes with it.
func (w *World) Fork(c choice.Chooser) *World {
	w.notBusy("Fork")
	for i := range w.nodes {
		w.nodes[i].shared = true
	}
	if x, ok := w.monitor.(Shared); ok {
		x.Share()
	}
	w.linksShared, w.monitorShared, w.timers.shared = true, true, true
	f := new(World)
	*f = *w
	f.queue = roomy(w.queue)
	f.messages = roomy(w.messages)
	f.timers.slots = slices.Clone(w.timers.slots)
	f.nodes = slices.Clone(w.nodes)
	for i := range f.nodes {
		f.nodes[i].backlog = slices.Clone(w.nodes[i].backlog)
	}
	f.flows = slices.Clone(w.flows)
	f.armed, f.catches = slices.Clone(w.armed), slices.Clone(w.catches)
	f.choices = w.choices.Fork(c)
	f.space, f.deliver = nil, nil
	return f
}

// roomy is a copy with room for what the next steps add.
func roomy[S ~[]T, T any](s S) S { return append(make(S, 0, len(s)+8), s...) }

// Workspace is memory that a world needs while something happens or a fingerprint is taken, and not in between: what a step asks
// for, an event, and the bytes of a node. A fork has none until it needs one.
type Workspace struct {
	out     node.Effects
	event   event.Event // what the world itself reports
	scratch scratch
}

// Work has the world do its work in s until it is given another one; nil takes it away. Worlds that wait need none, so that many
// forks may share one, as long as only one of them is used at a time.
func (w *World) Work(s *Workspace) {
	w.notBusy("Work")
	w.space = s
}

func (w *World) work() *Workspace {
	if w.space == nil {
		w.space = new(Workspace)
	}
	return w.space
}
