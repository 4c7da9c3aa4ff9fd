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
	if x, ok := w.monitor.(interface{ Share() }); ok && !w.monitorShared {
		x.Share()
	}
	w.linksShared, w.monitorShared = true, true
	f := new(World)
	*f = *w
	f.queue = roomy(w.queue)
	f.messages = roomy(w.messages)
	f.timers = timers{slices.Clone(w.timers.slots), slices.Clone(w.timers.index)}
	f.nodes = slices.Clone(w.nodes)
	for i := range f.nodes {
		f.nodes[i].backlog = slices.Clone(w.nodes[i].backlog)
	}
	f.flows = slices.Clone(w.flows)
	f.armed, f.catches = slices.Clone(w.armed), slices.Clone(w.catches)
	f.choices = w.choices.Fork(c)
	f.out, f.event, f.scratch, f.deliver = node.Effects{}, event.Event{}, scratch{}, nil
	return f
}

// roomy is a copy with room for what the next steps add.
func roomy[S ~[]T, T any](s S) S { return append(make(S, 0, len(s)+8), s...) }
