package sim

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

// steps is into how many parts a jitter, or the largest delay of a message, is cut when the world chooses.
const steps = 16

// timer is one named timer of one node. Names are few and come again, so slots stay.
type timer struct {
	name  node.Timer
	node  id.Node
	armed bool
	at    id.Duration // when it fires
	seq   uint64      // its age, for the calm order
	// The queue's entry of this slot; queuedSeq 0: none. It may be earlier than the timer, which was armed anew in the
	// meantime: then the entry is put back when its time comes. So a timer that each message postpones costs one entry.
	queuedAt  id.Duration
	queuedSeq uint64
}

// timers finds the slots by node and name.
type timers struct {
	slots  []timer
	index  []uint32 // open addressing; slot+1, 0 is free; the length is a power of two, at least twice the slots
	shared bool     // a fork has the same index
}

func newTimers() timers { return timers{index: make([]uint32, 32)} }

// slot is the slot of that timer, made when it is new.
func (t *timers) slot(n id.Node, name node.Timer) uint32 {
	i := t.place(n, name)
	if t.index[i] != 0 {
		return t.index[i] - 1
	}
	t.slots = append(t.slots, timer{name: name, node: n})
	if t.shared {
		t.index, t.shared = slices.Clone(t.index), false
	}
	t.index[i] = uint32(len(t.slots))
	if 2*len(t.slots) > len(t.index) {
		t.index = make([]uint32, 2*len(t.index))
		for s := range t.slots {
			t.index[t.place(t.slots[s].node, t.slots[s].name)] = uint32(s + 1)
		}
	}
	return uint32(len(t.slots) - 1)
}

// place is where the timer stands in the index, or the free place where it belongs.
func (t *timers) place(n id.Node, name node.Timer) uint32 {
	mask := uint32(len(t.index) - 1)
	i := uint32(timerWord(n, name) * 0x9e3779b97f4a7c15 >> 32)
	for ; ; i++ {
		s := t.index[i&mask]
		if s == 0 || t.slots[s-1].name == name && t.slots[s-1].node == n {
			return i & mask
		}
	}
}

// timerWord is node and name as one integer.
func timerWord(n id.Node, name node.Timer) uint64 {
	return uint64(name.Partition.Word())<<24 | uint64(name.Kind)<<16 | uint64(name.Peer)<<8 | uint64(n)
}

// setTimer does what a step asked for.
func (w *World) setTimer(n id.Node, op *node.TimerOp) {
	if op.Timer == (node.Timer{}) {
		panic("sim: the zero timer is none and cannot be armed or cancelled")
	}
	s := w.timers.slot(n, op.Timer)
	if op.After < 0 {
		w.timers.slots[s].armed = false
		return
	}
	after := op.After
	if op.Jitter > 0 {
		v := w.choices.Int(choice.TimerJitter, choice.Pair(uint8(n), op.Timer.Kind), steps+1, w.net.Jitter)
		after += op.Jitter * id.Duration(v) / steps
	}
	t := &w.timers.slots[s]
	w.seq++
	t.armed, t.at, t.seq = true, w.tick(w.now+after), w.timerSeq(t)
	if t.queuedSeq != 0 && t.queuedAt <= t.at {
		return
	}
	stale := t.queuedSeq != 0
	w.queueTimer(s)
	if stale {
		w.forget()
	}
}

func (w *World) queueTimer(slot uint32) {
	t := &w.timers.slots[slot]
	t.queuedAt, t.queuedSeq = t.at, t.seq
	w.queue.push(entry{t.at, t.seq, slot, Fire})
}

// takeTimer handles the queue's entry of a timer and tells whether the timer fired.
func (w *World) takeTimer(e entry) bool {
	t := &w.timers.slots[e.slot]
	if t.queuedSeq != e.seq || t.queuedAt != e.at {
		w.stale--
		return false
	}
	t.queuedSeq = 0
	if !t.armed {
		return false
	}
	if t.seq != e.seq || t.at != e.at {
		w.queueTimer(e.slot)
		return false
	}
	if w.nodes[t.node].hinders() {
		w.hold(t.node, held{Fire, e.slot, t.seq, e.at})
		return false
	}
	w.happen(e.at, t.node, t.fire())
	return true
}

// fire disarms the timer and is what its node handles.
func (t *timer) fire() node.Input {
	t.armed = false
	return node.Input{Timer: t.name, From: id.None}
}

// dropTimers disarms all timers of n.
func (w *World) dropTimers(n id.Node) {
	for i := range w.timers.slots {
		if w.timers.slots[i].node == n {
			w.timers.slots[i].armed = false
		}
	}
}

// forget counts an entry of the queue that has become stale, and sweeps them out when most of the queue is stale.
func (w *World) forget() {
	w.stale++
	if w.stale < 64 || 2*w.stale < len(w.queue) {
		return
	}
	w.queue.keep(func(e *entry) bool {
		switch e.kind {
		case Fire:
			return w.timers.slots[e.slot].queuedSeq == e.seq && w.timers.slots[e.slot].queuedAt == e.at
		case wake:
			return w.nodes[e.slot].wake == e.seq
		}
		return w.messages[e.slot].seq == e.seq
	})
	w.stale = 0
}
