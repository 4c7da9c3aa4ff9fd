package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// So many events of an attempt may a partition have in one virtual second, and no more; what records cost is not counted.
func TestNoHotLoop(t *testing.T) {
	answer := func(cause uint8) event.Event {
		return event.Event{Kind: event.FetchAnswered, Node: a0, Peer: a1, Cause: cause}
	}
	for _, c := range []struct {
		name  string
		event event.Event
		n     int
		apart id.Duration
		want  Status
	}{
		{"as many as may be", answer(1), hotLoopBound, id.Millisecond, Holds},
		{"one more", answer(1), hotLoopBound + 1, id.Millisecond, Violated},
		{"that many in two seconds", answer(1), 2 * hotLoopBound, 5 * id.Millisecond, Holds},
		{"answers that give something", answer(0), 3 * hotLoopBound, id.Millisecond, NotExercised},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := booted()
			first, at := len(b.events), 100*id.Second
			for i := range c.n {
				e := b.on(c.event.Kind, c.event.Node, c.event)
				e.At = at + id.Duration(i)*c.apart
			}
			before := verdictOf(t, judge(t, b.events[:first]), NoHotLoop.String())
			v := verdictOf(t, judge(t, b.events), NoHotLoop.String())
			if v.Occasions == before.Occasions {
				v.Status = NotExercised
			}
			if v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}

// A loop is told once a second, with the partition and the broker.
func TestHotLoopIsTold(t *testing.T) {
	b := booted()
	for range 3 * hotLoopBound {
		b.on(event.Truncated, a1, event.Event{Cause: uint8(event.Diverged)}).At = 100 * id.Second
	}
	v := verdictOf(t, judge(t, b.events), NoHotLoop.String())
	if v.Count != 1 || v.Violations[0].Sentence != "A/t-0 has more than 200 events in its second 100, the last of them truncated of a1" {
		t.Errorf("%d violations: %v", v.Count, v.Violations)
	}
}
