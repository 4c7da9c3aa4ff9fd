package sim

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
)

// Lookahead tells which of the enabled actions of a world may as well come right after the calm one, without doing them. The world
// must have a quantum. What a node does with an input depends on what it is and on the input alone; both have fingerprints, and
// what was found out for them once, in whatever world, is kept. It is for worlds of one Spec only, and for one goroutine at a time.
type Lookahead struct {
	known   map[question]*foot
	answers map[answered]*foot
	bench   bench
	print   scratch
	names   []node.Timer
	taken   uint // how often what is known was taken

	w     *World
	all   []Action // enabled, the calm one first
	able  bool
	calm  *foot
	place uint64 // the calm action's, see World.place
}

// Late is what becomes of an action that comes right after the calm one instead of before it.
type Late struct {
	OK       bool   // both orders lead to one state, and no checker sees a difference
	Alone    bool   // nothing that it sends is handled before the calm action
	SameDisk bool   // it changes no disk
	Points   bool   // it reaches a point
	Sends    id.Set // to whom messages are sent
}

// mostNodes is how many nodes an id.Set holds.
const mostNodes = 64

// NewLookahead knows nothing yet.
func NewLookahead() *Lookahead {
	return &Lookahead{known: map[question]*foot{}, answers: map[answered]*foot{}}
}

// At is about w from now on, whose enabled actions are all, the calm one first. What is answered holds until w changes. It answers
// false where nothing can be said: the calm action moves the clock, or something hinders nodes or links.
func (l *Lookahead) At(w *World, all []Action) bool {
	c := w.when(all[0])
	l.w, l.all = w, all
	if l.able = c.at == w.now && w.plain(); !l.able {
		return false
	}
	l.place = c.seq >> placeShift
	l.calm = l.try(func(b *bench) *foot { return b.take(all[0]) })
	l.able = !l.calm.failed
	return l.able
}

// plain tells whether whatever is sent now arrives now, and is handled when its turn comes.
func (w *World) plain() bool {
	if w.linksDown > 0 || len(w.catches) > 0 || len(w.armed) > 0 || w.net.Drop|w.net.Delay|w.net.Duplicate|w.net.Reorder > 0 || len(w.nodes) > mostNodes {
		return false
	}
	for i := range w.nodes {
		if h := &w.nodes[i].hindrance; h.hinders() || h.answers > 0 || h.suspended {
			return false
		}
	}
	for i := range w.messages {
		if m := &w.messages[i]; m.seq != 0 && m.at > w.now {
			return false
		}
	}
	for i := range w.flows {
		if w.links[i].latency+w.links[i].delay > 0 || w.flows[i].last > w.now {
			return false
		}
	}
	return true
}

// CalmSends are those to whom the calm action sends messages. Ask it and what follows only if At answered true.
func (l *Lookahead) CalmSends() id.Set { return l.calm.to() }

// CalmSilent tells whether no checker hears of the calm action.
func (l *Lookahead) CalmSilent() bool { return l.calm.silent }

// Kinds are the kinds of the events of the ith action but for points, some more than once; 0 is the calm one.
func (l *Lookahead) Kinds(i int) []event.Kind {
	return l.try(func(b *bench) *foot { return b.take(l.all[i]) }).kinds
}

// CalmPoints tells whether the calm action reaches a point.
func (l *Lookahead) CalmPoints() bool { return l.calm.points }

// CalmBefore tells whether the calm action comes before whatever a node sends that is started again.
func (l *Lookahead) CalmBefore() bool { return l.place < startedPlace }

// Late is about the ith action.
func (l *Lookahead) Late(i int) Late {
	e := l.all[i]
	if !l.able || !l.keepsClock(i) {
		return Late{}
	}
	if e.Node == l.all[0].Node {
		return l.lateHere(e)
	}
	return l.lateThere(func(b *bench) *foot { return b.take(e) })
}

// keepsClock tells whether the ith action leaves the clock alone behind the calm one as it does before it: a message does, and a
// timer that is not the first of all that is left then.
func (l *Lookahead) keepsClock(i int) bool {
	if l.all[i].Kind == Deliver || l.w.when(l.all[i]).at <= l.w.now || l.calm.to()&l.up() != 0 {
		return true
	}
	for _, b := range l.all[1:i] {
		if b.Kind == Deliver || b.Node != l.all[0].Node {
			return true
		}
	}
	return false
}

// Steady tells whether the ith action leaves the clock alone behind the calm one whichever node is down by then.
func (l *Lookahead) Steady(i int) bool {
	if l.all[i].Kind == Deliver || l.w.when(l.all[i]).at <= l.w.now {
		return true
	}
	var before id.Set
	for _, b := range l.all[1:i] {
		if b.Kind == Deliver || b.Node != l.all[0].Node {
			before = before.With(b.Node)
		}
	}
	return before.Len() > 1
}

// up are the nodes that are up.
func (l *Lookahead) up() (up id.Set) {
	for n := range l.w.nodes {
		if l.w.nodes[n].alive {
			up = up.With(id.Node(n))
		}
	}
	return up
}

// lateThere is Late for what another node does than the one whose turn it is: what begin does last. It follows what is handled
// between that and the calm action, which is what was sent, where that comes first, and what follows from it.
func (l *Lookahead) lateThere(begin func(*bench) *foot) Late {
	var late Late
	l.try(func(b *bench) *foot {
		f := begin(b)
		late = Late{Alone: true, SameDisk: true}
		for n := 0; f != nil; n++ {
			if f.failed || !f.silent || f.atOnce && l.place >= timersPlace || n == mostFollowed {
				late = Late{}
				return f
			}
			late.SameDisk, late.Points, late.Sends = late.SameDisk && f.sameDisk, late.Points || f.points, late.Sends|f.to()
			x, ok := b.next(l.place)
			if !ok {
				late.OK = true
				return f
			}
			if late.Alone = false; x.to == l.all[0].Node || l.overtakes(x) {
				late = Late{}
				return f
			}
			f = b.handle(&x)
		}
		return nil
	})
	return late
}

// mostFollowed bounds what is followed between two actions.
const mostFollowed = 32

// overtakes tells whether something that the calm action sends comes before x.
func (l *Lookahead) overtakes(x onWay) bool {
	for i := range l.calm.sends {
		if to := l.calm.sends[i].to; l.w.nodes[to].alive && l.w.place(l.all[0].Node, to) < x.place {
			return true
		}
	}
	return false
}

// lateHere is Late for what the node does whose turn it is. It does both in either order, and both must come out equal.
func (l *Lookahead) lateHere(e Action) Late {
	var late Late
	l.try(func(b *bench) *foot {
		late = Late{}
		first := b.take(e)
		if first == nil || first.failed || !first.silent || len(first.sends) > 0 || first.atOnce || l.touches(e) ||
			shares(first.timers, l.calm.timers) {
			return first
		}
		then := b.take(l.all[0])
		if then == nil || then.effects != l.calm.effects {
			return then
		}
		b.clear()
		b.take(l.all[0])
		last := b.take(e)
		if last != nil && last.effects == first.effects && last.next == then.next {
			late = Late{OK: true, Alone: true, SameDisk: first.sameDisk && last.sameDisk, Points: first.points}
		}
		return last
	})
	return late
}

// touches tells whether the calm action arms or cancels the timer that e is.
func (l *Lookahead) touches(e Action) bool {
	return e.Kind == Fire && shares(l.calm.timers, []node.Timer{l.w.timers.slots[e.Slot].name})
}

func shares(a, b []node.Timer) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// Follow tells whether all that depends on the ith action is Late too and, where a node is down, Alone and sends it nothing: each
// timer of its node and each message to it, and each that it sends. It is asked of an action that is Late and Alone.
func (l *Lookahead) Follow(i int, down id.Set) bool {
	e := l.all[i]
	if e.Node == l.all[0].Node || !l.more(e, id.None) {
		return false
	}
	after := func(begin func(*bench) *foot) bool {
		late := l.lateThere(func(b *bench) *foot {
			if b.take(e) == nil {
				return nil
			}
			return begin(b)
		})
		return late.OK && (down == 0 || late.Alone && late.Sends&down == 0)
	}
	alone := func(begin func(*bench) *foot) bool {
		return after(func(b *bench) *foot {
			b.sent = b.sent[:0]
			return begin(b)
		})
	}
	f := l.try(func(b *bench) *foot { return b.take(e) })
	for _, t := range l.timersOf(e.Node, f.timers) {
		if !alone(func(b *bench) *foot { return b.fire(e.Node, t) }) {
			return false
		}
	}
	for s := range l.w.messages {
		m := &l.w.messages[s]
		if a := (Action{Deliver, m.to, uint32(s)}); m.seq != 0 && m.to == e.Node && a != e && !alone(func(b *bench) *foot { return b.take(a) }) {
			return false
		}
	}
	for s := range l.sentOn(f) {
		if !after(func(b *bench) *foot {
			x := b.sent[s]
			if x.to == l.all[0].Node {
				return &foot{failed: true}
			}
			b.sent = b.sent[:0]
			return b.handle(&x)
		}) {
			return false
		}
	}
	return true
}

// sentOn is how many of the messages of f are sent to nodes that are up.
func (l *Lookahead) sentOn(f *foot) (n int) {
	for i := range f.sends {
		n += int(id.Bit(l.w.nodes[f.sends[i].to].alive))
	}
	return n
}

// timersOf are the timers of a node that are armed, and some more.
func (l *Lookahead) timersOf(n id.Node, more []node.Timer) []node.Timer {
	l.names = append(l.names[:0], more...)
	for i := range l.w.timers.slots {
		if t := &l.w.timers.slots[i]; t.node == n && t.armed {
			l.names = append(l.names, t.name)
		}
	}
	return l.names
}

// more tells whether a message is on its way behind the calm action, other than e and to another node than but.
func (l *Lookahead) more(e Action, but id.Node) bool {
	for i := range l.calm.sends {
		if to := l.calm.sends[i].to; to != but && l.w.nodes[to].alive {
			return true
		}
	}
	for _, b := range l.all[1:] {
		if b.Kind == Deliver && b != e && b.Node != but {
			return true
		}
	}
	return false
}

// More tells whether a message is on its way behind the calm action to another node than but: time does not go on then, even if
// that one is down. id.None is no node.
func (l *Lookahead) More(but id.Node) bool { return l.more(l.all[0], but) }
