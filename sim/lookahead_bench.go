package sim

import (
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

// question is a node's fingerprint and an input's.
type question struct{ node, input lanes }

// foot is what a node does with an input: what the others feel of it, and what the node is then.
type foot struct {
	next     lanes
	effects  lanes // of events, sends, timers and points, in order
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
	link     uint64
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

// next takes out the first of the messages that were sent, if it comes before the calm action.
func (b *bench) next(timer bool, link uint64) (x onWay, ok bool) {
	first := -1
	for i := range b.sent {
		if (timer || b.sent[i].link < link) && (first < 0 || b.sent[i].link < b.sent[first].link) {
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
	q := question{at.print, input}
	f := b.l.known[q]
	if f != nil && !b.real {
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
	if len(b.l.known) == mostKnown {
		clear(b.l.known)
	}
	f, bodies := b.findOut(at, in)
	b.l.known[q] = f
	at.print = f.next
	for i := range f.sends {
		b.send(n, f.sends[i].to, f.sends[i].sum, bodies[i])
	}
	return f
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
		b.sent = append(b.sent, onWay{from, to, linkOf(from, to), sum, body})
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
	for i := range out.Events {
		f.effects.word(out.Events[i].Mix(0))
		f.kinds = append(f.kinds, out.Events[i].Kind)
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
