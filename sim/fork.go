package sim

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

// Fork is a second world that goes on from here, answered by c (nil: the same chooser, which both then share). The two
// share nodes, disks and the monitor; each clones what it touches when it touches it, so neither sees what the other
// does. The armed points go with it.
func (w *World) Fork(c choice.Chooser) *World {
	w.notBusy("Fork")
	for i := range w.nodes {
		w.nodes[i].shared = true
	}
	w.linksShared, w.monitorShared = true, true
	f := new(World)
	*f = *w
	f.queue = roomy(w.queue)
	f.messages = roomy(w.messages)
	f.timers = timers{slices.Clone(w.timers.slots), slices.Clone(w.timers.index)}
	f.nodes = slices.Clone(w.nodes)
	f.flows = slices.Clone(w.flows)
	f.armed = slices.Clone(w.armed)
	f.choices = w.choices.Fork(c)
	f.out, f.event, f.scratch, f.deliver = node.Effects{}, event.Event{}, scratch{}, nil
	return f
}

// roomy is a copy with room for what the next steps add.
func roomy[S ~[]T, T any](s S) S { return append(make(S, 0, len(s)+8), s...) }
