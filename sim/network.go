package sim

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// Network says how often a message meets a fault: odds of 65536. The zero value is a calm network: nothing is lost,
// late, twice or out of order. The choices are asked with any odds, so a recording means the same in every network.
type Network struct {
	Drop      uint16 // lost
	Delay     uint16 // late, and all that follows on its link with it
	Duplicate uint16 // comes a second time, later
	Reorder   uint16 // late, and what follows on its link overtakes it
	Jitter    uint16 // of timers: a timer fires later than it could, within its jitter
	// MaxDelay is the longest time by which a message can be late, in 16 equal steps. 0 is DefaultMaxDelay.
	MaxDelay id.Duration
}

// DefaultMaxDelay is the longest delay where a network names none.
const DefaultMaxDelay = 100 * id.Millisecond

// SetNetwork changes the odds from here on.
func (w *World) SetNetwork(n Network) { w.net = n }

// link is one direction between two nodes.
type link struct {
	latency id.Duration // without a fault
	delay   id.Duration // on top of it
	cuts    uint16      // how many cuts last
	down    bool
}

// flow is how far the messages on one link are.
type flow struct {
	last id.Duration // when the last one arrives: a later one does not overtake it
	sent uint32
}

// message is one on its way, or a free slot.
type message struct {
	body     wire.Body // nil: the slot is free
	at       id.Duration
	seq      uint64 // of its entry in the queue; 0: the slot is free
	from, to id.Node
	held     bool  // it has arrived, and its receiver has not handled it yet
	next     int32 // the next free slot
	print    part
	asked    wire.Asked // with a quantum; the zero value if it has none
}

// Inject has the runner send a command to n, from id.None. It arrives now, after what has been sent before. It is lost if
// n is down.
func (w *World) Inject(n id.Node, b wire.Body) {
	if w.nodes[n].alive {
		w.put(id.None, n, b, w.now)
	}
}

// Link sets the link from one node to another, that direction only. A message is lost if its link is down when it is
// sent or when it would arrive. delay, from 0, is added to the latency of what is sent from now on.
func (w *World) Link(from, to id.Node, up bool, delay id.Duration) {
	w.ownLinks()
	l := w.link(from, to)
	if l.down {
		w.linksDown--
	}
	if l.down, l.delay = !up, delay; up {
		l.cuts = 0
	} else if l.cuts == 0 {
		l.cuts = 1
	}
	state := uint8(1)
	if l.down {
		w.linksDown++
		state = 0
	}
	w.prints.links.known = false
	w.report(from, event.Event{Kind: event.LinkSet, Peer: to, To: state, Offset: int64(delay)})
}

// Cut cuts the link from one node to another, that direction only, or ends one cut of it: it works again when no cut lasts. What
// delays it stays.
func (w *World) Cut(from, to id.Node, on bool) {
	l := *w.link(from, to)
	switch {
	case on && l.cuts > 0, !on && l.cuts > 1:
		w.ownLinks()
		if c := &w.link(from, to).cuts; on {
			*c++
		} else {
			*c--
		}
		w.prints.links.known = false
	case on || l.cuts == 1:
		w.Link(from, to, !on, l.delay)
	}
}

// Delay has messages from one node to another take so much longer from now on, from 0. A link that is cut stays cut.
func (w *World) Delay(from, to id.Node, by id.Duration) {
	l := *w.link(from, to)
	if l.delay == by {
		return
	}
	w.Link(from, to, !l.down, by)
	w.link(from, to).cuts = l.cuts
}

func (w *World) ownLinks() {
	if w.linksShared {
		w.links, w.linksShared = append([]link(nil), w.links...), false
	}
}

// LinkState is how the link from one node to another is set.
func (w *World) LinkState(from, to id.Node) (up bool, delay id.Duration) {
	l := w.link(from, to)
	return !l.down, l.delay
}

func (w *World) link(from, to id.Node) *link { return &w.links[int(from)*len(w.nodes)+int(to)] }

// send has the network carry a message.
func (w *World) send(from, to id.Node, b wire.Body) {
	w.ask(from, b)
	if from == to {
		w.put(from, to, b, w.now+w.answerDelay(from, b))
		return
	}
	i := int(from)*len(w.nodes) + int(to)
	f, l := &w.flows[i], &w.links[i]
	k := choice.Key{Subject: choice.Pair(uint8(from), uint8(to)), Nth: f.sent}
	f.sent++
	if l.down || !w.nodes[to].alive {
		return
	}
	lost, caughtLate, twice := w.catch(from, to, b)
	if k.Label = choice.NetDrop; lost || w.choices.Ask(k, 2, w.net.Drop) != 0 {
		return
	}
	at := w.now + l.latency + l.delay + w.answerDelay(from, b) + caughtLate + w.late(k, choice.NetDelay, w.net.Delay)
	at = max(at, f.last)
	if late := w.late(k, choice.NetReorder, w.net.Reorder); late > 0 {
		at += late
	} else {
		f.last = at
	}
	w.put(from, to, b, at)
	if late := w.late(k, choice.NetDuplicate, w.net.Duplicate); late > 0 {
		w.put(from, to, b, at+late)
	}
	if twice > 0 {
		w.put(from, to, b, at+twice)
	}
}

// late asks by how much a message is late.
func (w *World) late(k choice.Key, l choice.Label, odds uint16) id.Duration {
	k.Label = l
	v := w.choices.Ask(k, steps+1, odds)
	if v == 0 {
		return 0
	}
	longest := w.net.MaxDelay
	if longest == 0 {
		longest = DefaultMaxDelay
	}
	return longest * id.Duration(v) / steps
}

// put has a message arrive at that time.
func (w *World) put(from, to id.Node, b wire.Body, at id.Duration) {
	slot := w.free
	if slot < 0 {
		w.messages = append(w.messages, message{})
		slot = int32(len(w.messages) - 1)
	} else {
		w.free = w.messages[slot].next
	}
	w.seq++
	m := &w.messages[slot]
	m.body, m.at, m.seq, m.from, m.to, m.held, m.print.known = b, at, w.messageSeq(from, to), from, to, false, false
	if m.asked = (wire.Asked{}); w.quantum > 0 {
		m.asked, _ = wire.AskedOf(b)
	}
	w.queue.push(entry{at, m.seq, uint32(slot), Deliver})
}

// lose drops a message, and counts its entry of the queue as stale if it has one.
func (w *World) lose(slot uint32) {
	queued := !w.messages[slot].held
	w.drop(slot)
	if queued {
		w.forget()
	}
}

// drop frees the slot of a message.
func (w *World) drop(slot uint32) {
	m := &w.messages[slot]
	m.body, m.seq, m.next = nil, 0, w.free
	w.free = int32(slot)
}

// takeMessage handles the queue's entry of a message and tells whether the message arrived.
func (w *World) takeMessage(e entry) bool {
	if w.messages[e.slot].seq != e.seq {
		w.stale--
		return false
	}
	m := &w.messages[e.slot]
	to, in, cut := m.to, m.arrive(), w.cut(m)
	if !cut && w.nodes[to].hinders() {
		m.held = true
		w.hold(to, held{Deliver, e.slot, e.seq, e.at})
		return false
	}
	w.drop(e.slot)
	if cut {
		return false
	}
	w.happen(e.at, to, in)
	return true
}

// arrive is what the receiver handles.
func (m *message) arrive() node.Input { return node.Input{Body: m.body, From: m.from} }

// cut tells whether the message's link is down. A node has no link to itself, and what has arrived is not lost any more.
func (w *World) cut(m *message) bool {
	return w.linksDown > 0 && !m.held && m.from != id.None && m.from != m.to && w.link(m.from, m.to).down
}

// dropMessages loses all messages to n: its connections are gone. What it has sent is still on its way.
func (w *World) dropMessages(n id.Node) {
	for i := range w.messages {
		if m := &w.messages[i]; m.seq != 0 && m.to == n {
			w.lose(uint32(i))
		}
	}
	for from := range w.nodes {
		w.flows[from*len(w.nodes)+int(n)].last = 0
	}
}
