package checkers

import (
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

func TestSideDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"a mirror says that it takes client writes", OneWritableSide,
			[]string{"B/t-0 is a mirror of A, where a0 takes client writes; but B/t-0@b0 takes them too, in leader epoch 0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.on(event.WritableChanged, b0, event.Event{Mirror: mirrorM, To: 1})
				return b.events
			}},
		{"a new leader that knows no state takes a client's batch", OneWritableSide,
			[]string{"but B/t-0@b1 takes them too, in leader epoch 1"}, func(*testing.T) []event.Event {
				b := mirrored()
				b.elect(clusterB, b1, event.CleanElection)
				b.append(b1, b.data(p2, 1, -1, -1), event.FromClient)
				return b.events
			}},
		{"the old source stays writable when it is fenced", OneWritableSide,
			[]string{"A/t-0 is a mirror of B, where b0 takes client writes; but A/t-0@a0 takes them too"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.start(clusterA, true, 3, event.Diverged)
				b.on(event.WritableChanged, a0, event.Event{Mirror: mirrorM, To: 1})
				return b.events
			}},
		{"the source takes a batch only afterwards", OneWritableSide, []string{"but B/t-0@b0 takes them too"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.leader[clusterA] = id.None
				b.register(clusterA, event.NoLeader, id.SetOf(a0))
				b.on(event.WritableChanged, b0, event.Event{Mirror: mirrorM, To: 1})
				b.elect(clusterA, a0, event.CleanElection)
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

func TestSidesAreNotReported(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  Status
		build func(b *builder)
	}{
		{"after a stop both sides are writable", Holds, func(b *builder) { b.stopMirror(clusterB) }},
		{"a deposed leader does not know it", Holds, func(b *builder) {
			x := b.data(p2, 1, -1, -1)
			b.elect(clusterB, b1, event.CleanElection)
			b.on(event.WritableChanged, b0, event.Event{Mirror: mirrorM, To: 1})
			b.append(b0, x, event.FromClient)
		}},
		{"the other side has no leader", Holds, func(b *builder) {
			b.leader[clusterA] = id.None
			b.register(clusterA, event.NoLeader, id.SetOf(a0))
			b.on(event.WritableChanged, b0, event.Event{Mirror: mirrorM, To: 1})
			b.on(event.WritableChanged, b0, event.Event{Mirror: mirrorM})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.build(b)
			if v := verdictOf(t, judge(t, b.events), OneWritableSide.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
	b := &builder{}
	b.boot()
	b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
	if v := verdictOf(t, judge(t, b.events), OneWritableSide.String()); v.Status != NotExercised {
		t.Errorf("without a mirror: %v", v.Status)
	}
}

// Both sides are writable from the stop until the old source is fenced.
func TestBothWritable(t *testing.T) {
	b := mirrored()
	if d := fold(b).LossReport(t0).BothWritable; d != 0 {
		t.Errorf("both sides writable for %v before the stop", d)
	}
	b.stopMirror(clusterB)
	from := b.events[find(t, b.events, 0, kindOn(event.WritableChanged, b0))].At
	b.later(5*id.Second, func() { b.produce(p1, clusterA, b.data(p1, 1, 7, 3)) })
	if d, want := fold(b).LossReport(t0).BothWritable, b.events[len(b.events)-1].At-from; d != want {
		t.Errorf("both sides writable for %v, want %v", d, want)
	}
	b.later(9*id.Second, func() { b.intent(clusterA, record.WantMirroring) })
	until := b.events[find(t, b.events, 0, func(e *event.Event) bool {
		return e.Kind == event.IntentSeen && e.Node == a0 && record.Desired(e.To) == record.WantMirroring
	})].At
	r := fold(b).LossReport(t0)
	if r.BothWritable != until-from {
		t.Errorf("both sides writable for %v, want %v", r.BothWritable, until-from)
	}
	if want := "  both sides were writable for " + spellAge(until-from) + "\n"; !strings.Contains(string(r.AppendText(nil, topology.Names)), want) {
		t.Errorf("no line %q in\n%s", want, r.AppendText(nil, topology.Names))
	}
}

func TestLoopsAreReported(t *testing.T) {
	// Case F7 with reverse-check=unchecked: A is made a mirror of B while B mirrors A, is cut to nothing, and copies its own.
	loop := func(*testing.T) []event.Event {
		b := mirrored()
		b.start(clusterA, false, 0, event.AlignedToLME)
		b.catchUp(clusterA)
		return b.events
	}
	d := defect{"both mirrors run", NoLoop, []string{"A/t-0@a0 appended 0@0 (record 7/1) from its mirror of B, which has it from " +
		"there: A→B→A"}, loop}
	t.Run(d.name, d.run)
	for _, c := range []struct {
		name  string
		want  Status
		build func(b *builder)
	}{
		{"a failback copies what is A's own", Holds, func(b *builder) {
			b.stopMirror(clusterB)
			b.start(clusterA, false, 0, event.AlignedToLME)
			b.catchUp(clusterA)
		}},
		{"the opposite mirror's PREPARING is merely stored", Holds, func(b *builder) {
			b.stopMirror(clusterB)
			b.storeOnly(clusterB, record.Preparing)
			b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
			b.start(clusterA, true, 3, event.AlignedToLME)
			b.catchUp(clusterA)
		}},
		{"no mirror leads back", NotExercised, func(b *builder) { b.mirrorOne() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.build(b)
			if v := verdictOf(t, judge(t, b.events), NoLoop.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
	// B's own record goes to A while the opposite mirror begins: it did not come from A.
	b := &builder{}
	b.boot()
	b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
	b.start(clusterB, false, 1, event.AlignedToLME)
	b.start(clusterA, false, 0, event.AlignedToLME)
	b.catchUp(clusterA)
	if v := verdictOf(t, judge(t, b.events), NoLoop.String()); v.Status != Holds {
		t.Errorf("a record of B's own: %v %v", v.Status, v.Violations)
	}
}

func TestTopicIdentityDefectsAreReported(t *testing.T) {
	other := id.Partition{Topic: id.NewTopic(clusterA, 2)}
	strayed := func(n id.Node, origin event.Origin) func(*testing.T) []event.Event {
		return func(*testing.T) []event.Event {
			b := mirrored()
			x := b.data(p1, 1, 7, 0)
			b.on(event.ProduceCalled, p1, event.Event{Partition: other, Op: 1, ProducerID: 7, Digest: uint64(x.CRC), End: 1, To: acksAll})
			x = x.At(3, 0)
			for _, m := range []id.Node{a0, b0} { // which lead both partitions
				b.on(event.Appended, m, event.Event{Partition: other, End: 4, Batch: x})
			}
			b.append(n, x, origin)
			return b.events
		}
	}
	for _, d := range []defect{
		{"a client's batch", TopicIdentity, []string{"A/t-0@a0 appended 3@0 (record 7/4), which is of A/", "a topic of another id"},
			strayed(a0, event.FromClient)},
		{"a mirrored batch", TopicIdentity, []string{"B/t-0@b0 appended 3@0 (record 7/4), which is of A/"},
			strayed(b0, event.FromMirror)},
		{"a replicated batch", TopicIdentity, []string{"B/t-0@b1 appended 3@0 (record 7/4), which is of B/"},
			strayed(b1, event.FromLeader)},
	} {
		t.Run(d.name, d.run)
	}
	b := mirrored()
	b.append(b0, b.data(p1, 1, 7, 3).At(3, 0), event.FromMirror)
	if v := verdictOf(t, judge(t, b.events), TopicIdentity.String()); v.Status != Holds {
		t.Errorf("a batch that its source has lost since: %v %v", v.Status, v.Violations)
	}
	events := mirrored().events
	for i := range events {
		if events[i].Kind == event.TopicCreated && events[i].From == 1 {
			events[i] = event.Event{Index: events[i].Index, Kind: event.PointReached}
		}
	}
	if v := verdictOf(t, judge(t, events), TopicIdentity.String()); v.Status != NotExercised {
		t.Errorf("with one topic: %v", v.Status)
	}
}

func TestClientEpochDefectsAreReported(t *testing.T) {
	// B's own leader epoch stays 0 while the records come from epoch 1.
	ahead := func() *builder {
		b := &builder{}
		b.boot()
		b.elect(clusterA, a1, event.CleanElection)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		return b
	}
	for _, d := range []defect{
		{"by reading", ClientEpoch, []string{"r1 took epoch 1 for its position 1 in B/t-0, where the leader epoch is 0"},
			func(*testing.T) []event.Event {
				b := ahead()
				b.consume(r1, clusterB, 0)
				return b.events
			}},
		{"by locating an end", ClientEpoch, []string{"r1 took epoch 1 for its position 1 in B/t-0, where the leader epoch is 0"},
			func(*testing.T) []event.Event {
				b := ahead()
				b.on(event.ConsumerMoved, r1, event.Event{From: uint8(clusterB), Offset: 1, LeaderEpoch: 1})
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
	for _, c := range []struct {
		name string
		want Status
		then func(b *builder)
	}{
		{"B's leader epoch is as high", Holds, func(b *builder) {
			b.elect(clusterB, b0, event.EpochBump)
			b.consume(r1, clusterB, 0)
		}},
		{"A is no mirror", NotExercised, func(b *builder) { b.consume(r1, clusterA, 0) }},
		{"no record below the position", NotExercised, func(b *builder) {
			b.on(event.ConsumerMoved, r1, event.Event{From: uint8(clusterB), LeaderEpoch: -1})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := ahead()
			c.then(b)
			if v := verdictOf(t, judge(t, b.events), ClientEpoch.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}
