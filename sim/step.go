package sim

import (
	"math"
	"slices"

	"mirrorsim/model/assert"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
)

// maxResumes bounds how often one input may be resumed: more means that a node yields for ever.
const maxResumes = 1000

// Next lets the next thing happen, in calm order: earliest, then oldest. It answers false when nothing is left to happen
// or an assertion has ended the run.
func (w *World) Next() bool { return w.next(math.MaxInt64) }

// NextUntil is Next for what happens at t or before. When that is nothing, the clock moves to t and the answer is false:
// so the runner comes to the time of its next act.
func (w *World) NextUntil(t id.Duration) bool {
	if w.next(t) {
		return true
	}
	if !w.failed {
		w.now = max(w.now, t)
	}
	return false
}

func (w *World) next(limit id.Duration) bool {
	w.notBusy("Next")
	if w.quantum > 0 {
		return w.nextAsked(limit)
	}
	return w.pop(limit)
}

// pop lets the first thing of the queue happen that is due at limit or before.
func (w *World) pop(limit id.Duration) bool {
	for !w.failed && len(w.queue) > 0 && w.queue[0].at <= limit {
		e := w.queue.pop()
		if e.kind == Deliver && w.takeMessage(e) || e.kind == Fire && w.takeTimer(e) || e.kind == wake && w.takeHeld(e) {
			return true
		}
	}
	return false
}

// happen has n handle something that was due at that time.
func (w *World) happen(at id.Duration, n id.Node, in node.Input) {
	w.now = max(w.now, at)
	w.input(n, in)
}

// input has n handle one input and resumes it at every point that it yields at.
func (w *World) input(n id.Node, in node.Input) {
	was := w.busy // a restart at a point boots inside another node's step
	w.busy = true
	for i := 0; w.feed(n, in); i++ {
		if i == maxResumes {
			w.fail(n, "an input is resumed at most 1000 times")
			break
		}
		in = node.Input{Resume: true, From: id.None}
	}
	w.busy = was
}

// feed is one step of n. It tells whether n is to be resumed.
func (w *World) feed(n id.Node, in node.Input) bool {
	m := w.own(n)
	w.deliveries++
	if w.deliver != nil && in.Body != nil {
		w.deliver(w.now, in.From, n, in.Body)
	}
	out := &w.work().out
	out.Reset()
	if text, ok := step(m.node, in, out); !ok {
		w.fail(n, text)
		return false
	}
	return w.apply(n)
}

// step keeps an assertion from ending more than the run. Any other panic goes on with the stack that it came with.
func step(x node.Node, in node.Input, out *node.Effects) (text string, ok bool) {
	defer func() {
		if !ok {
			text = asserted(recover())
		}
	}()
	x.Step(in, out)
	return "", true
}

// asserted is the text of the assertion that panicked.
func asserted(reason any) string {
	f, ok := reason.(assert.Failure)
	if !ok {
		panic(reason)
	}
	return f.Text
}

// fail ends the run. What the step did before its assertion fired is not part of the history.
func (w *World) fail(n id.Node, text string) {
	w.failed, w.failure = true, text
	w.report(n, event.Event{Kind: event.Asserted, Peer: id.None})
}

// apply makes the effects of a step of n happen: events, timers, sends, then the point that it yielded at. It tells
// whether n is to be resumed.
func (w *World) apply(n id.Node) bool {
	out := &w.work().out
	for i := range out.Events {
		w.observe(n, &out.Events[i])
	}
	for i := range out.Timers {
		w.setTimer(n, &out.Timers[i])
	}
	for i := range out.Sends {
		w.send(n, out.Sends[i].To, out.Sends[i].Body)
	}
	return out.Yield != point.None && w.reach(n, out.Yield)
}

// own is n for a change: no fork shares it any more, and what was known of its fingerprint is forgotten.
func (w *World) own(n id.Node) *member {
	m := &w.nodes[n]
	if m.shared {
		m.shared = false
		m.asked = slices.Clone(m.asked)
		m.disk = m.disk.Clone()
		if m.node != nil {
			m.node = m.node.Clone(m.disk)
		}
	}
	m.print.known = false
	return m
}
