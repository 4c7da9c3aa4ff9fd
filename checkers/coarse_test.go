package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// What a partition is like on A after a small history, in words; who its brokers are makes no difference.
func TestCoarse(t *testing.T) {
	for _, c := range []struct {
		name    string
		history func(b *builder, n, other id.Node)
		want    string
	}{
		{"an empty log", func(b *builder, n, other id.Node) {}, "UNKNOWN: leader; follower"},
		{"a follower behind", func(b *builder, n, _ id.Node) { b.append(n, b.data(p1, 1, -1, -1), event.FromClient) },
			"UNKNOWN: leader, HW below LEO; follower, behind"},
		{"a follower ahead", func(b *builder, n, other id.Node) {
			b.append(n, b.data(p1, 1, -1, -1), event.FromClient)
			b.follow(n, other)
			b.truncate(n, 0, event.Diverged)
		}, "UNKNOWN: leader; follower, ahead, HW below LEO"},
		{"two logs", func(b *builder, n, other id.Node) {
			b.append(n, b.data(p1, 1, -1, -1), event.FromClient)
			b.append(other, b.data(p1, 1, -1, -1), event.FromClient)
		}, "UNKNOWN: leader, HW below LEO; follower, diverged, HW below LEO"},
		{"one history", func(b *builder, n, other id.Node) {
			b.append(n, b.data(p1, 1, -1, -1), event.FromClient)
			b.replicate(clusterA)
		}, "UNKNOWN: leader; follower"},
		{"a leader that was not told of its epoch", func(b *builder, n, _ id.Node) {
			b.epoch[clusterA]++
			b.register(clusterA, event.EpochBump, 0b11)
		}, "UNKNOWN: leader of an old epoch; follower of an old epoch"},
		{"out of the ISR", func(b *builder, n, _ id.Node) { b.register(clusterA, event.IsrChange, id.Set(0).With(n)) },
			"UNKNOWN: leader; follower, out of the ISR"},
		{"a crash", func(b *builder, _, other id.Node) { b.emit(event.Event{Kind: event.Crashed, Node: other}) },
			"UNKNOWN: without a role; leader"},
		{"a stop under way", func(b *builder, n, _ id.Node) {
			b.intent(clusterA, record.WantStopped)
			b.store(clusterA, record.Stopping)
			b.on(event.StopStepDone, n, event.Event{Mirror: mirrorM, To: 1, LeaderEpoch: b.epoch[clusterA], Offset: b.end(n)})
		}, "STOPPING after record: leader; follower"},
		{"a stop that begins anew", func(b *builder, n, _ id.Node) {
			b.intent(clusterA, record.WantStopped)
			b.store(clusterA, record.Stopping)
			b.on(event.StopStepDone, n, event.Event{Mirror: mirrorM, To: 1, LeaderEpoch: b.epoch[clusterA], Offset: b.end(n)})
			b.store(clusterA, record.Stopping)
		}, "STOPPING: leader; follower"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var states []Coarse
			for _, leader := range []id.Node{a0, a1} {
				b := &builder{}
				b.boot()
				b.elect(clusterA, leader, event.CleanElection)
				c.history(b, leader, b.other(leader))
				l := NewLedger(topology)
				for i := range b.events {
					l.Fold(&b.events[i])
				}
				x := l.Coarse(clusterA, t0)
				if x.String() != c.want {
					t.Errorf("led by %d it is %q, want %q", leader, x, c.want)
				}
				if clone := l.Clone().Coarse(clusterA, t0); clone != x {
					t.Errorf("a clone of the ledger has %q", clone)
				}
				states = append(states, x)
			}
			if states[0] != states[1] {
				t.Errorf("it is %q led by one, and %q led by the other", states[0], states[1])
			}
		})
	}
}

// What has no coarse state: internal topics, and what is not registered.
func TestCoarseOfNothing(t *testing.T) {
	b := &builder{}
	b.boot()
	l := NewLedger(topology)
	for i := range b.events {
		l.Fold(&b.events[i])
	}
	for _, p := range []id.Partition{{Topic: topicT, Index: 7}, {Topic: id.NewTopic(clusterA, 9)}} {
		if x := l.Coarse(clusterA, p); x != 0 || x.String() != "no state" {
			t.Errorf("%v is %v", p, x)
		}
	}
	if x := l.Coarse(9, t0); x != 0 {
		t.Errorf("on no cluster it is %v", x)
	}
}
