package sim

import (
	"cmp"
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/sim/choice"
)

// With a quantum a world is made to be explored. Orders that commute meet again in one state only if nothing remembers which of
// them it was: so timers fire at ticks, messages are handled between two of them, and what is due at one time has an order that
// the state decides and not its past: messages before timers, messages by link and on one link by age, timers by name and node.
// What a node sends that has been started again comes last, behind the timers: when it was started, among what happens at one
// time, then shows only in what is there for it to find.
// A link is a connection: nothing overtakes on it. A timer that fires early does not move the clock: it is the clock of its node
// that runs ahead.
//
// Each thing that happens is a turn, counted from 0, and what a schedule may say is asked of the choices by turn: which of the
// enabled actions happens (choice.Order), what befalls a node right before (choice.NodeFault), and whether a node crashes at a
// point that it reaches in it (choice.PointFault, for which the turns count from 1: what boots before the first has points too).

// Answers to choice.NodeFault; choice.PointFault has the last two, less 1.
const (
	nodeStarts  = 1 + iota // a node that is down is started
	nodeCrashes            // for good, unless it is started later
	nodeBounces            // it crashes and is started at once
	nodeFaults             // how many answers there are
)

// tick is the first time at which a timer may fire that is due at a time.
func (w *World) tick(at id.Duration) id.Duration {
	if w.quantum == 0 {
		return at
	}
	return (at + w.quantum - 1) / w.quantum * w.quantum
}

// timerSeq is the place of a timer among what is due at one time: behind all messages, by name and node.
func (w *World) timerSeq(t *timer) uint64 {
	if w.quantum == 0 {
		return w.seq
	}
	return timersPlace<<placeShift | timerWord(t.node, t.name)
}

// messageSeq is the place of the newest message among what is due at one time: commands first, then by link, then by age.
func (w *World) messageSeq(from, to id.Node) uint64 {
	if w.quantum == 0 {
		return w.seq
	}
	return w.place(from, to)<<placeShift | w.seq
}

// The upper bits of a place. Timers lie between the messages of nodes that have never crashed and those of the others.
const (
	placeShift   = 40
	placeBits    = 22
	timersPlace  = 2 << placeBits
	startedPlace = 3 << placeBits
)

// place is where the messages of a link come among what is due at one time.
func (w *World) place(from, to id.Node) uint64 {
	link := uint64(from+1)<<8 | uint64(to) // id.None is the last node: its commands come first
	if from != id.None && w.nodes[from].life > 0 {
		link |= startedPlace
	}
	return link
}

// Ready tells whether something can happen at limit or before.
func (w *World) Ready(limit id.Duration) bool {
	if w.failed {
		return false
	}
	for i := range w.messages {
		if m := &w.messages[i]; m.seq != 0 && m.at <= limit && !w.cut(m) && !w.nodes[m.to].paused {
			return true
		}
	}
	for i := range w.timers.slots {
		if t := &w.timers.slots[i]; t.armed && t.at <= limit && !w.nodes[t.node].paused {
			return true
		}
	}
	return false
}

// nextAsked is next in a world with a quantum. What has come too late to a link that is cut is lost there as elsewhere.
func (w *World) nextAsked(limit id.Duration) bool {
	if w.Ready(limit) {
		w.befallAll()
	}
	if !w.Ready(limit) {
		return w.pop(limit)
	}
	heads := w.heads()
	if len(heads) == 1 {
		return w.Calm(limit)
	}
	v := w.choices.Ask(choice.Key{Label: choice.Order, Nth: w.turns}, uint32(len(heads)), 0)
	if v == 0 {
		return w.Calm(limit)
	}
	e := heads[v]
	w.take(Action{e.kind, w.whose(&e), e.slot})
	return true
}

// Calm is Next, for what happens at limit or before, without a question about it.
func (w *World) Calm(limit id.Duration) bool {
	w.turns++
	if w.pop(limit) {
		return true
	}
	w.turns--
	return false
}

// OnTheWay is how many messages are on their way, or most if they are more.
func (w *World) OnTheWay(most int) (n int) {
	for i := range w.messages {
		if n += int(id.Bit(w.messages[i].seq != 0)); n == most {
			break
		}
	}
	return n
}

// Turns is how many things have happened in a world with a quantum: the number of the next one, from 0.
func (w *World) Turns() uint32 { return w.turns }

// Reached is how often a point was reached.
func (w *World) Reached() uint32 { return w.reached }

// heads is what Enabled finds, by another way: from the queue. A replay goes by it, so that what Enabled forgets shows in a run.
func (w *World) heads() []entry {
	var all []entry
	for _, e := range w.queue {
		live := e.kind == Deliver && w.messages[e.slot].seq == e.seq && !w.cut(&w.messages[e.slot])
		if e.kind == Fire {
			t := &w.timers.slots[e.slot]
			live = t.armed && t.queuedSeq == e.seq && t.queuedAt == e.at
			e.at = t.at
		}
		if live && !w.nodes[w.whose(&e)].paused {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq)) })
	seen := map[[2]id.Node]bool{}
	return slices.DeleteFunc(slices.Compact(all), func(e entry) bool {
		if e.kind == Fire {
			return w.lead > 0 && e.at > w.latest(all[0].at)
		}
		m := &w.messages[e.slot]
		behind := seen[[2]id.Node{m.from, m.to}]
		seen[[2]id.Node{m.from, m.to}] = true
		return behind
	})
}

func (w *World) whose(e *entry) id.Node {
	switch e.kind {
	case Fire:
		return w.timers.slots[e.slot].node
	case wake:
		return id.Node(e.slot)
	}
	return w.messages[e.slot].to
}

// latest is until when a timer has to be due to fire before what is next in calm order, which is due at that time.
func (w *World) latest(next id.Duration) id.Duration { return max(next, w.now) + w.lead }

// dueEnough drops from a list every timer that is due too late to fire before what is the first of it in calm order.
func (w *World) dueEnough(all []Action) []Action {
	if len(all) == 0 {
		return all
	}
	first := w.when(all[0]).at
	for _, a := range all[1:] {
		first = min(first, w.when(a).at)
	}
	latest := w.latest(first)
	return slices.DeleteFunc(all, func(a Action) bool { return a.Kind == Fire && w.when(a).at > latest })
}

// firstOnLinks drops from a list in calm order every message that is not the first on its link.
func (w *World) firstOnLinks(all []Action) []Action {
	kept := all[:0]
	for _, a := range all {
		if a.Kind == Fire || !w.follows(kept, a) {
			kept = append(kept, a)
		}
	}
	return kept
}

// follows tells whether a message has another one of its link before it.
func (w *World) follows(before []Action, a Action) bool {
	m := &w.messages[a.Slot]
	for _, b := range before {
		if b.Kind == Fire { // where links are slow a message may come behind it
			continue
		}
		if x := &w.messages[b.Slot]; x.from == m.from && x.to == m.to {
			return true
		}
	}
	return false
}

// Depart is Take of the ith action that Enabled answers, a, in a world with a quantum. The departure is noted among the
// deviations: who replays them comes to the same world.
func (w *World) Depart(i int, a Action) {
	if i > 0 {
		w.choices.Note(choice.Deviation{Key: choice.Key{Label: choice.Order, Nth: w.turns}, Value: uint32(i)})
	}
	w.Take(a)
}

// befallAll asks once a turn what befalls each node.
func (w *World) befallAll() {
	if w.askedOf == w.turns+1 {
		return
	}
	w.askedOf = w.turns + 1
	for n := range w.nodes {
		k := choice.Key{Label: choice.NodeFault, Subject: uint32(n), Nth: w.turns}
		w.befall(id.Node(n), w.choices.Ask(k, nodeFaults, 0))
	}
}

func (w *World) befall(n id.Node, v uint32) {
	if v >= nodeCrashes {
		w.Crash(n, nil)
	}
	if v == nodeStarts || v == nodeBounces {
		w.Restart(n)
	}
}

// befallAt asks whether a node crashes at a point that it has reached.
func (w *World) befallAt(n id.Node, p point.Point) {
	k := choice.Key{Label: choice.PointFault, Subject: choice.Pair(uint8(n), uint8(p)), Nth: w.turns}
	if v := w.choices.Ask(k, nodeFaults-nodeStarts, 0); v > 0 {
		w.befall(n, v+nodeStarts)
	}
}

// CrashNow takes a node down right before the next turn of a world with a quantum, for good or to start it again at once, and
// notes that among the deviations. Of several nodes that something befalls in one turn the order is that of their numbers.
func (w *World) CrashNow(n id.Node, bounce bool) {
	v := uint32(nodeCrashes)
	if bounce {
		v = nodeBounces
	}
	w.note(n, v)
}

// StartNow is CrashNow for the start of a node that is down.
func (w *World) StartNow(n id.Node) { w.note(n, nodeStarts) }

func (w *World) note(n id.Node, v uint32) {
	w.choices.Note(choice.Deviation{Key: choice.Key{Label: choice.NodeFault, Subject: uint32(n), Nth: w.turns}, Value: v})
	w.befall(n, v)
}
