package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// So many events of an attempt may a partition have in one virtual second, and no more; what records cost is not counted.
func TestNoHotLoop(t *testing.T) {
	answer := func(cause uint8) event.Event {
		return event.Event{Kind: event.FetchAnswered, Node: a0, Peer: a1, Cause: cause}
	}
	stored := func(by record.CommitOrigin) event.Event {
		return event.Event{Kind: event.OffsetStored, Node: b0, Peer: r1, Mirror: mirrorM, Cause: uint8(by)}
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
		{"joins of a group", event.Event{Kind: event.GroupJoined, Node: r1, From: uint8(clusterA)}, hotLoopBound + 1, id.Millisecond, Violated},
		{"generations of a group", event.Event{Kind: event.GroupStored, Node: a0, Peer: r1}, hotLoopBound + 1, id.Millisecond, Violated},
		{"passes of a mirror", event.Event{Kind: event.MirrorSynced, Node: b0, Mirror: mirrorM}, hotLoopBound + 1, id.Millisecond, Violated},
		{"commits of a mirror", stored(record.CommitMirror), hotLoopBound + 1, id.Millisecond, Violated},
		{"offsets that are lowered", stored(record.CommitLower), hotLoopBound + 1, id.Millisecond, Violated},
		{"commits of a member", stored(record.CommitMember), hotLoopBound + 1, id.Millisecond, Violated},
		{"commits of an admin", stored(record.CommitAdmin), hotLoopBound + 1, id.Millisecond, NotExercised},
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

// What a client does counts on the cluster on which it does so, and not at its home; groups and mirrors count by themselves.
func TestHotLoopIsToldWhereItIs(t *testing.T) {
	for _, c := range []struct {
		event, other event.Event // of each half of a second's events
		words        string      // "" where it is no loop
	}{
		{event.Event{Kind: event.ConsumerMoved, Node: r1, From: uint8(clusterA)}, event.Event{Kind: event.Truncated, Node: a0},
			"A/t-0 has more than 200 events in its second 100, the last of them consumer-moved of r1"},
		{event.Event{Kind: event.ConsumerMoved, Node: r1, From: uint8(clusterA)}, event.Event{Kind: event.Truncated, Node: b0}, ""},
		{event.Event{Kind: event.GroupStored, Node: a0, Peer: r1}, event.Event{Kind: event.GroupJoined, Node: r1, From: uint8(clusterA)},
			"group r1 on A has more than 200 events in its second 100, the last of them group-stored of a0"},
		{event.Event{Kind: event.GroupStored, Node: a0, Peer: r1}, event.Event{Kind: event.GroupJoined, Node: r1, From: uint8(clusterB)}, ""},
		{event.Event{Kind: event.GroupStored, Node: a0, Peer: r1}, event.Event{Kind: event.GroupStored, Node: a0, Peer: p1}, ""},
		{event.Event{Kind: event.MirrorSynced, Node: b0, Mirror: mirrorM}, event.Event{Kind: event.MirrorSynced, Node: b1, Mirror: mirrorM},
			"the work of mirror m on B has more than 200 events in its second 100, the last of them mirror-synced of b0"},
	} {
		b := booted()
		for range hotLoopBound/2 + 1 {
			b.on(c.event.Kind, c.event.Node, c.event).At = 100 * id.Second
			b.on(c.other.Kind, c.other.Node, c.other).At = 100 * id.Second
		}
		v := verdictOf(t, judge(t, b.events), NoHotLoop.String())
		switch {
		case c.words == "" && v.Count > 0:
			t.Errorf("%v and %v: %v", c.event.Kind, c.other.Kind, v.Violations)
		case c.words != "" && (v.Count != 1 || v.Violations[0].Sentence != c.words):
			t.Errorf("%v and %v: %v, want %q", c.event.Kind, c.other.Kind, v.Violations, c.words)
		}
	}
}
