package sim

import (
	"cmp"
	"slices"

	"mirrorsim/model/id"
)

// Kind is what an Action does.
type Kind uint8

// The kinds of actions.
const (
	Deliver Kind = iota // a message arrives
	Fire                // a timer fires
	wake                // of the queue only: a node handles what has waited at it
)

// Action is one thing that could happen next. It is the same thing in a fork.
type Action struct {
	Kind Kind
	Node id.Node // to whom it happens
	Slot uint32
}

// Enabled appends every thing that could happen next if times meant nothing, in calm order: first what Next would do, if no
// node is slow. Messages on a link that is down are not among them, nor is what a paused node would handle, nor, in a world with
// a quantum, a message that has another one before it on its link.
func (w *World) Enabled(dst []Action) []Action {
	if w.failed {
		return dst
	}
	begin := len(dst)
	for i := range w.messages {
		if m := &w.messages[i]; m.seq != 0 && !w.cut(m) && !w.nodes[m.to].paused {
			dst = append(dst, Action{Deliver, m.to, uint32(i)})
		}
	}
	for i := range w.timers.slots {
		if t := &w.timers.slots[i]; t.armed && !w.nodes[t.node].paused {
			dst = append(dst, Action{Fire, t.node, uint32(i)})
		}
	}
	if w.lead > 0 {
		dst = dst[:begin+len(w.dueEnough(dst[begin:]))]
	}
	slices.SortFunc(dst[begin:], func(a, b Action) int {
		x, y := w.when(a), w.when(b)
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.seq, y.seq))
	})
	if w.quantum > 0 {
		dst = dst[:begin+len(w.firstOnLinks(dst[begin:]))]
	}
	return dst
}

// when is the action's place in the calm order.
func (w *World) when(a Action) entry {
	if a.Kind == Fire {
		t := &w.timers.slots[a.Slot]
		return entry{at: t.at, seq: t.seq}
	}
	m := &w.messages[a.Slot]
	return entry{at: m.at, seq: m.seq}
}

// Take lets an enabled action happen, whatever its time. The clock moves on to its time and never back; in a world with a quantum
// it does not move for a timer that is not the first of all. Taking the first enabled action is Next. An action that is not
// enabled is a mistake of the caller and panics.
func (w *World) Take(a Action) {
	w.notBusy("Take")
	if !w.enabled(a) {
		panic("sim: Take of what is not enabled")
	}
	w.take(a)
}

func (w *World) take(a Action) {
	e := w.when(a)
	if w.quantum > 0 {
		w.turns++
		if a.Kind == Fire && w.earlier(&e) {
			e.at = w.now
		}
	}
	w.expire(&e)
	if a.Kind == Fire {
		w.happen(e.at, a.Node, w.timers.slots[a.Slot].fire())
		return
	}
	in := w.messages[a.Slot].arrive()
	w.lose(a.Slot)
	w.happen(e.at, a.Node, in)
}

// earlier tells whether something that is enabled comes before e in calm order.
func (w *World) earlier(e *entry) bool {
	for i := range w.messages {
		m := &w.messages[i]
		if x := (entry{at: m.at, seq: m.seq}); m.seq != 0 && x.before(e) && !w.cut(m) && !w.nodes[m.to].paused {
			return true
		}
	}
	for i := range w.timers.slots {
		t := &w.timers.slots[i]
		if x := (entry{at: t.at, seq: t.seq}); t.armed && x.before(e) && !w.nodes[t.node].paused {
			return true
		}
	}
	return false
}

func (w *World) enabled(a Action) bool {
	if w.failed || int(a.Node) < len(w.nodes) && w.nodes[a.Node].paused {
		return false
	}
	if a.Kind == Fire {
		return int(a.Slot) < len(w.timers.slots) && w.timers.slots[a.Slot].armed && w.timers.slots[a.Slot].node == a.Node
	}
	if int(a.Slot) >= len(w.messages) {
		return false
	}
	m := &w.messages[a.Slot]
	return m.seq != 0 && m.to == a.Node && !w.cut(m)
}

// expire loses what would have arrived before e on a link that is down.
func (w *World) expire(e *entry) {
	if w.linksDown == 0 {
		return
	}
	for i := range w.messages {
		m := &w.messages[i]
		if m.seq != 0 && w.cut(m) && (m.at < e.at || m.at == e.at && m.seq < e.seq) {
			w.lose(uint32(i))
		}
	}
}
