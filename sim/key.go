package sim

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
)

// Key is a fingerprint that decides what becomes of a world with a quantum, whatever it is asked: two worlds of one Spec with
// equal keys have equal futures, but for the numbers of turns and events. To the fingerprint it adds the order of messages on each
// link, how long it is until each message arrives and each timer fires, whose messages come last because their sender was started
// again, and which requests and answers come too late, since who asked has asked anew: correlations are in no fingerprint.
func (w *World) Key() [2]uint64 {
	var timers lanes
	for i := range w.timers.slots {
		if t := &w.timers.slots[i]; t.armed {
			x := lanes{13, 14}
			x.word(timerWord(t.node, t.name))
			x.word(uint64(t.at - w.now))
			timers.add(x)
		}
	}
	h := w.print(w.messagesKey(), timers)
	for i := range w.nodes {
		h.word(id.Bit64(w.nodes[i].life > 0))
	}
	for i := range w.flows {
		if last := w.flows[i].last; last > w.now {
			h.word(event.Mix(uint64(i), uint64(last-w.now)))
		}
	}
	return h
}

// messagesKey is the messages, each with its time and with how many come before it on its link.
func (w *World) messagesKey() lanes {
	var sum lanes
	for i := range w.messages {
		m := &w.messages[i]
		if m.seq == 0 {
			continue
		}
		if !m.print.known {
			w.printMessage(m)
		}
		rank := 0
		for k := range w.messages {
			x := &w.messages[k]
			if x.seq != 0 && x.from == m.from && x.to == m.to && (x.at < m.at || x.at == m.at && x.seq < m.seq) {
				rank++
			}
		}
		h := m.print.sum
		h.word(uint64(rank))
		h.word(uint64(m.at - w.now))
		h.word(m.seq>>(placeShift+placeBits)<<1 | id.Bit64(w.outdated(m)))
		sum.add(h)
	}
	return sum
}

// ask notes a request that a node sends.
func (w *World) ask(n id.Node, b wire.Body) {
	if w.quantum == 0 || b.API().Answer() {
		return
	}
	x, ok := wire.AskedOf(b)
	if !ok {
		return
	}
	m := &w.nodes[n]
	if i := m.newest(x); i >= 0 {
		m.asked[i] = x
		return
	}
	m.asked = append(m.asked, x)
}

// newest is the place of the newest request of that kind about that partition, negative if there is none.
func (m *member) newest(x wire.Asked) int {
	return slices.IndexFunc(m.asked, func(y wire.Asked) bool { return y.API == x.API && y.Partition == x.Partition })
}

// outdated tells whether who asked has asked anew since, be it that m is a request or the answer to one.
func (w *World) outdated(m *message) bool {
	n := m.from
	if m.body.API().Answer() {
		n = m.to
	}
	if n == id.None || m.asked == (wire.Asked{}) {
		return false
	}
	i := w.nodes[n].newest(m.asked)
	return i < 0 || w.nodes[n].asked[i] != m.asked
}
