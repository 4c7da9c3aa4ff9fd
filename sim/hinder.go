package sim

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// hindrance is what keeps a node that is up from its work. What comes to it meanwhile waits, and is handled in the order
// in which it came.
type hindrance struct {
	paused    bool        // it handles nothing
	suspended bool        // it was paused at a point: it is resumed first of all
	slow      id.Duration // by which every input is handled later
	answers   id.Duration // by which every answer leaves later
	backlog   []held      // what has come and is not handled yet, oldest first
	wake      uint64      // seq of the queue's entry for the first of them; 0: there is none
}

// held is a message or a timer that waits at its node. It is stale when its slot is not waiting for this seq any more.
type held struct {
	kind Kind
	slot uint32
	seq  uint64
	came id.Duration
}

// hinders tells whether what comes now is to wait.
func (h *hindrance) hinders() bool { return h.paused || h.slow > 0 || len(h.backlog) > 0 }

func (h *hindrance) print(l *lanes) {
	l.word(uint64(h.slow)<<2 | id.Bit64(h.suspended)<<1 | id.Bit64(h.paused))
	l.word(uint64(h.answers))
}

// Pause has n handle nothing from now on, as in a stop-the-world pause of its process, or go on: then what has come
// meanwhile, messages and timers, is handled at once, in the order in which it came. One that is paused at a point stays
// there meanwhile. A node that is down stays as it is.
func (w *World) Pause(n id.Node, on bool) {
	m := &w.nodes[n]
	if m.paused == on || !m.alive {
		return
	}
	m.paused = on
	w.hindered(n, event.Paused, on, 0)
	if m.suspended && !on {
		m.suspended = false
		w.input(n, node.Input{Resume: true, From: id.None})
	}
	w.await(n)
}

// Slow has n handle every input, message or timer, so much later from now on, from 0. What waits already goes by the new
// time.
func (w *World) Slow(n id.Node, by id.Duration) {
	if m := &w.nodes[n]; m.slow != by {
		m.slow = by
		w.hindered(n, event.SlowInputs, by > 0, by)
		w.await(n)
	}
}

// SlowAnswers has every answer that n sends from now on leave so much later, from 0: its disk is slow to take what the
// answers are about. What follows on the same link does not overtake them.
func (w *World) SlowAnswers(n id.Node, by id.Duration) {
	if m := &w.nodes[n]; m.answers != by {
		m.answers = by
		w.hindered(n, event.SlowAnswers, by > 0, by)
	}
}

func (w *World) hindered(n id.Node, what event.Hindrance, begins bool, by id.Duration) {
	w.report(n, event.Event{Kind: event.NodeSet, Peer: id.None, Cause: uint8(what), To: id.Bit(begins), Offset: int64(by)})
}

// FillDisk has the disk of n take no batch from now on, or take them again.
func (w *World) FillDisk(n id.Node, full bool) {
	if w.nodes[n].disk.Full != full {
		w.own(n).disk.Full = full
		w.hindered(n, event.DiskFull, full, 0)
	}
}

// BreakDisk has n be able neither to read nor to write the log of p, of any partition if p is the zero one, until
// MendDisk.
func (w *World) BreakDisk(n id.Node, p id.Partition) {
	if !w.nodes[n].disk.Breaks(p) {
		d := w.own(n).disk
		d.Broken = append(d.Broken[:len(d.Broken):len(d.Broken)], p)
		w.report(n, event.Event{Kind: event.NodeSet, Peer: id.None, Cause: uint8(event.DiskBroken), To: 1, Partition: p})
	}
}

// MendDisk makes the disk of n well again. Where logs were broken the node starts again, as a broker must to take a log
// directory back.
func (w *World) MendDisk(n id.Node) {
	w.FillDisk(n, false)
	if len(w.nodes[n].disk.Broken) == 0 {
		return
	}
	w.own(n).disk.Broken = nil
	w.hindered(n, event.DiskBroken, false, 0)
	if w.nodes[n].alive {
		w.Crash(n, nil)
		w.Restart(n)
	}
}

// answerDelay is by how much later a message of n leaves.
func (w *World) answerDelay(n id.Node, b wire.Body) id.Duration {
	if by := w.nodes[n].answers; by > 0 && b.API().Answer() {
		return by
	}
	return 0
}

// hold has what has come to n wait there.
func (w *World) hold(n id.Node, x held) {
	m := &w.nodes[n]
	m.backlog = append(m.backlog, x)
	if len(m.backlog) == 1 {
		w.await(n)
	}
}

// await queues the moment when n handles the first of its backlog, in place of the one that is queued; none while it is
// paused.
func (w *World) await(n id.Node) {
	h := &w.nodes[n].hindrance
	if h.wake != 0 {
		h.wake = 0
		w.forget()
	}
	if h.paused || len(h.backlog) == 0 {
		return
	}
	w.seq++
	h.wake = w.seq
	w.queue.push(entry{max(w.now, h.backlog[0].came+h.slow), w.seq, uint32(n), wake})
}

// takeHeld handles the queue's entry of a backlog and tells whether something happened: the first of it may be stale.
func (w *World) takeHeld(e entry) bool {
	n := id.Node(e.slot)
	h := &w.nodes[n].hindrance
	if h.wake != e.seq {
		w.stale--
		return false
	}
	h.wake = 0
	w.now = max(w.now, e.at)
	x := h.backlog[0]
	h.backlog = h.backlog[1:]
	in, ok := w.release(x)
	w.await(n)
	if ok {
		w.happen(e.at, n, in)
	}
	return ok
}

// release is the input that has waited; false if it was dropped, cancelled or armed anew meanwhile.
func (w *World) release(x held) (in node.Input, ok bool) {
	if x.kind == Fire {
		t := &w.timers.slots[x.slot]
		if !t.armed || t.seq != x.seq || t.at != x.came {
			return in, false
		}
		return t.fire(), true
	}
	m := &w.messages[x.slot]
	if m.seq != x.seq {
		return in, false
	}
	in = m.arrive()
	w.drop(x.slot)
	return in, true
}
