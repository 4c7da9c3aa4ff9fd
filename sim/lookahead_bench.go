package sim

import (
	"fmt"
	"slices"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
)

// mostKnown bounds what is kept: half a kilobyte each.
const mostKnown = 1 << 19

// question is a node's fingerprint and an input's. Of an answer that is not enough: whether a node still waits for it, or has asked
// anew since, is in no fingerprint.
type question struct{ node, input lanes }

// answered is what a node does with an answer. The node itself keeps it, until it changes.
type answered struct {
	body wire.Body
	foot *foot
}

// foot is what a node does with an input: what the others feel of it, and what the node is then.
type foot struct {
	next     lanes
	effects  lanes // of events, sends, timers and points, in order, correlations apart
	sends    []sending
	timers   []node.Timer // armed or cancelled
	kinds    []event.Kind // of events
	silent   bool         // the monitor hears of nothing but points
	points   bool
	atOnce   bool // a timer is armed that is due at once
	sameDisk bool
	failed   bool
}

// sending is a message that a node sends.
type sending struct {
	to  id.Node
	sum lanes
}

func (f *foot) to() (all id.Set) {
	for i := range f.sends {
		all = all.With(f.sends[i].to)
	}
	return all
}

// bench is where nodes do things that the world does not see. It holds those that have changed there. Where what a node does is
// known its fingerprint alone goes on; if something that is not known comes then, that is missed, and all is done again for real.
type bench struct {
	l      *Lookahead
	real   bool
	missed bool
	over   []benched
	sent   []onWay // in the order in which they were sent
}

// benched is a node on the bench; node and disk are nil if only its fingerprint went on.
type benched struct {
	n     id.Node
	print lanes
	node  node.Node
	disk  *disk.Disk
}

// onWay is a message that was sent on the bench; body is nil if only its fingerprint is there.
type onWay struct {
	from, to id.Node
	place    uint64
	sum      lanes
	body     wire.Body
}

// try does something on an empty bench, and once more for real if that was not to be known.
func (l *Lookahead) try(do func(*bench) *foot) *foot {
	b := &l.bench
	b.l, b.real, b.missed = l, false, false
	b.clear()
	f := do(b)
	if b.missed {
		b.real, b.missed = true, false
		b.clear()
		f = do(b)
	}
	clear(b.over[:cap(b.over)])
	return f
}

// clear puts every node back as it is in the world.
func (b *bench) clear() { b.over, b.sent = b.over[:0], b.sent[:0] }

// take has a node handle an enabled action.
func (b *bench) take(a Action) *foot {
	w := b.l.w
	if a.Kind == Fire {
		return b.fire(a.Node, w.timers.slots[a.Slot].name)
	}
	m := &w.messages[a.Slot]
	if !m.print.known {
		w.printMessage(m)
	}
	return b.do(m.to, m.print.sum, node.Input{Body: m.body, From: m.from})
}

func (b *bench) fire(n id.Node, t node.Timer) *foot {
	return b.do(n, lanes{timerWord(n, t), 1}, node.Input{Timer: t, From: id.None})
}

// handle has a node handle a message that was sent on the bench.
func (b *bench) handle(x *onWay) *foot {
	return b.do(x.to, x.sum, node.Input{Body: x.body, From: x.from})
}

// next takes out the first of the messages that were sent, if it comes before what has that place.
func (b *bench) next(place uint64) (x onWay, ok bool) {
	first := -1
	for i := range b.sent {
		if b.sent[i].place < place && (first < 0 || b.sent[i].place < b.sent[first].place) {
			first = i
		}
	}
	if first < 0 {
		return x, false
	}
	x = b.sent[first]
	b.sent = slices.Delete(b.sent, first, first+1)
	return x, true
}

// do has a node handle an input. It answers nil if that is missed.
func (b *bench) do(n id.Node, input lanes, in node.Input) *foot {
	if b.missed {
		return nil
	}
	at := b.at(n)
	f := b.recall(at, input, in)
	if f != nil && !b.real {
		b.doubt(at, in, f)
		*at = benched{n: n, print: f.next}
		for i := range f.sends {
			b.send(n, f.sends[i].to, f.sends[i].sum, nil)
		}
		return f
	}
	if at.node == nil || input[1] != 1 && in.Body == nil {
		b.missed = true
		return nil
	}
	was := *at
	f, bodies := b.findOut(at, in)
	b.keep(&was, input, in, f)
	at.print = f.next
	for i := range f.sends {
		b.send(n, f.sends[i].to, f.sends[i].sum, bodies[i])
	}
	return f
}

// doubtEvery is how many times what is known is taken as it is, until it is found out once more.
const doubtEvery = 256

// doubt panics if a node would do something else than what is known: then its fingerprint, or the input's, does not say enough, and
// what was left out for it may not be left out.
func (b *bench) doubt(at *benched, in node.Input, known *foot) {
	if b.l.taken++; b.l.taken%doubtEvery != 0 || at.node == nil || in.Body == nil && in.Timer == (node.Timer{}) {
		return
	}
	again := *at
	if f, _ := b.findOut(&again, in); f.effects != known.effects || f.next != known.next || f.failed != known.failed {
		panic(fmt.Sprintf("sim: node %d does not do what another one did that had its fingerprint, with %+v", at.n, in))
	}
}

// recall is what is known, nil if it is not.
func (b *bench) recall(at *benched, input lanes, in node.Input) *foot {
	if !answers(in) {
		return b.l.known[question{at.print, input}]
	}
	if m := &b.l.w.nodes[at.n]; m.node == at.node {
		for i := range m.foretold {
			if m.foretold[i].body == in.Body {
				return m.foretold[i].foot
			}
		}
	}
	return nil
}

// answers tells whether an input is known to be an answer; one of which only the fingerprint is there is not.
func answers(in node.Input) bool { return in.Body != nil && in.Body.API().Answer() }

// keep keeps what was found out. A node that has handled something on the bench is nobody else's: what it does with an answer is not
// kept.
func (b *bench) keep(at *benched, input lanes, in node.Input, f *foot) {
	if !answers(in) {
		if len(b.l.known) == mostKnown {
			clear(b.l.known)
		}
		b.l.known[question{at.print, input}] = f
		return
	}
	if m := &b.l.w.nodes[at.n]; m.node == at.node { // forks share the list
		m.foretold = append(slices.Clip(m.foretold), answered{in.Body, f})
	}
}

// at is a node as it is on the bench.
func (b *bench) at(n id.Node) *benched {
	for i := range b.over {
		if b.over[i].n == n {
			return &b.over[i]
		}
	}
	m := &b.l.w.nodes[n]
	b.over = append(b.over, benched{n, b.l.w.memberPrint(int(n)), m.node, m.disk})
	return &b.over[len(b.over)-1]
}

func (b *bench) send(from, to id.Node, sum lanes, body wire.Body) {
	if b.l.w.nodes[to].alive {
		b.sent = append(b.sent, onWay{from, to, b.l.w.place(from, to), sum, body})
	}
}

// findOut has a copy of a node handle an input, with all that it is resumed for.
func (b *bench) findOut(at *benched, in node.Input) (*foot, []wire.Body) {
	p := &b.l.print
	before := p.ofDisk(at.disk)
	at.disk = at.disk.Clone()
	at.node = at.node.Clone(at.disk)
	f := &foot{silent: true}
	var bodies []wire.Body
	for range maxResumes {
		var out node.Effects
		_, ok := step(at.node, in, &out)
		bodies = f.take(p, at.n, &out, bodies)
		if f.failed = !ok; f.failed || out.Yield == point.None {
			break
		}
		f.points = true
		f.effects.word(uint64(out.Yield))
		in = node.Input{Resume: true, From: id.None}
	}
	f.next, f.sameDisk = p.ofNode(at.node, at.disk), p.ofDisk(at.disk) == before
	return f, bodies
}

// take adds what one step does.
func (f *foot) take(p *scratch, n id.Node, out *node.Effects, bodies []wire.Body) []wire.Body {
	f.silent = f.silent && len(out.Events) == 0
	for _, e := range out.Events {
		e.Op = 0 // a correlation or the number of an operation, which are in no fingerprint either
		if e.Kind == event.ProduceSent {
			e.Sequence = 0 // how many attempts there were before: no checker asks for it
		}
		f.effects.word(e.Mix(0))
		f.kinds = append(f.kinds, e.Kind)
	}
	for _, t := range out.Timers {
		f.timers = append(f.timers, t.Timer)
		f.atOnce = f.atOnce || t.After == 0
		f.effects.word(timerWord(n, t.Timer))
		f.effects.word(uint64(t.After))
	}
	for _, s := range out.Sends {
		sum := p.ofMessage(n, s.To, s.Body)
		f.sends = append(f.sends, sending{s.To, sum})
		f.effects.lanes(sum)
		bodies = append(bodies, s.Body)
	}
	return bodies
}
