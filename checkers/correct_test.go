package checkers

import (
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// wantClean holds that no property is violated but those that are named, and that these are.
func wantClean(t *testing.T, s *Suite, but ...ID) {
	t.Helper()
	for _, v := range s.Verdicts() {
		if slices.ContainsFunc(but, func(p ID) bool { return p.String() == v.Property }) {
			if v.Status != Violated {
				t.Errorf("%s is %v, want violated", v.Property, v.Status)
			}
			continue
		}
		for _, x := range v.Violations {
			t.Errorf("%s is %v: %s", v.Property, v.Status, x.Sentence)
		}
	}
}

// What Kafka rightly does, and a careless checker would report.
type correctCase struct {
	name  string
	build func(b *builder)
}

var correctReplication = []correctCase{
	{"a deposed leader that does not know it appends and acknowledges acks=1", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.leader[clusterA], b.epoch[clusterA] = a1, 1
		b.register(clusterA, event.CleanElection, id.SetOf(a1))
		b.on(event.BecameLeader, a1, event.Event{LeaderEpoch: 1, Offset: 1, End: 1})
		b.addEpoch(a1, 1, 1)
		x := b.data(p2, 1, -1, -1)
		b.on(event.ProduceCalled, p2, event.Event{Op: 1 << 24, ProducerID: -1, Sequence: -1, End: 1,
			Digest: uint64(x.CRC), To: 1})
		b.append(a1, b.data(p1, 1, 7, 1), event.FromClient)
		b.append(a1, b.data(p1, 1, 7, 2), event.FromClient)
		b.on(event.ProduceSent, p2, event.Event{Op: 1 << 24, Peer: a0})
		x = x.At(1, 0)
		b.on(event.Appended, a0, event.Event{LeaderEpoch: 0, Offset: 1, End: 2, Batch: x})
		b.on(event.ProduceReturned, p2, event.Event{Op: 1 << 24, Peer: a0, Offset: 1})
		// It learns of the election, is cut and follows.
		b.on(event.BecameFollower, a0, event.Event{LeaderEpoch: 1, Peer: a1})
		b.on(event.Truncated, a0, event.Event{LeaderEpoch: 1, Offset: 1, End: 2})
		b.replicate(clusterA)
	}},
	{"a fetch that was sent before the log grew is answered late, and its duplicate by a deposed leader", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.on(event.FetchAnswered, a0, event.Event{Peer: a1, LeaderEpoch: 0, BatchEpoch: -1, Offset: 0})
		b.elect(clusterA, a1, event.CleanElection)
		b.append(a1, b.data(p1, 1, 7, 1), event.FromClient)
		b.on(event.FetchAnswered, a0, event.Event{Peer: a1, LeaderEpoch: 0, BatchEpoch: 0, Offset: 2})
		b.replicate(clusterA)
	}},
	{"an uncommitted tail is lost in an election, and its acks=all producer tries again", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		x := b.data(p1, 1, 7, 1)
		op := b.call(p1, clusterA, x, acksAll)
		b.append(a0, x, event.FromClient)
		b.append(a0, b.data(p2, 1, -1, -1), event.FromClient)
		b.elect(clusterA, a1, event.CleanElection)
		b.append(a1, b.data(p2, 1, -1, -1), event.FromClient)
		b.truncate(a0, 1, event.Diverged)
		x = b.append(a1, x, event.FromClient)
		b.replicate(clusterA)
		b.returned(p1, clusterA, op, x.Base, codeOK)
	}},
	{"an ISR member loses its tail with the power and catches up again", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 2, 7, 0))
		b.emit(event.Event{Kind: event.Crashed, Node: a1, Cause: uint8(event.PowerLoss)})
		b.logs[a1], b.hw[a1], b.epochs[a1] = nil, 0, nil
		b.emit(event.Event{Kind: event.Started, Node: a1})
		b.on(event.Recovered, a1, event.Event{})
		b.highWatermark(a0, 1)
		b.highWatermark(a0, 2)
		b.on(event.BecameFollower, a1, event.Event{LeaderEpoch: 0, Peer: a0})
		// A fetch from before the crash is answered once more.
		b.on(event.FetchAnswered, a0, event.Event{Peer: a1, LeaderEpoch: 0, BatchEpoch: 0, Offset: 2, End: 2})
		b.replicate(clusterA)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 2))
	}},
}

var correctMirroring = []correctCase{
	{"a second divergence after the source has changed", func(b *builder) {
		b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
		b.replicate(clusterA)
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.fetch(clusterB, true)
		b.cut(clusterA, 0, event.Diverged)
		b.fetch(clusterB, true)
	}},
	{"a new coordinator commits anew what was committed", func(b *builder) {
		b.start(clusterB, false, 0, event.AlignedToLME)
		var first event.Event
		for _, e := range b.events {
			if e.Kind == event.StateCommitted {
				first = e
				break
			}
		}
		b.stopMirror(clusterB)
		b.on(event.StateCommitted, b1, first)
		b.read(b0)
	}},
	{"what an earlier era held is judged by the loss report", func(b *builder) {
		*b = *f1()
		b.stopMirror(clusterA)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.elect(clusterA, a0, event.EpochBump)
	}},
	{"an answer to a consumer arrives when the log that gave it has been cut", func(b *builder) {
		b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
		b.replicate(clusterA)
		b.consume(r1, clusterA, 0)
		read := b.events[len(b.events)-1]
		b.events = b.events[:len(b.events)-1]
		b.intent(clusterA, record.WantMirroring)
		b.store(clusterA, record.Preparing)
		b.cut(clusterA, 0, event.AlignedToLME)
		b.on(read.Kind, read.Node, read)
	}},
	{"the source was cut and has grown again since its last answer", func(b *builder) {
		for range 3 {
			b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
		}
		b.replicate(clusterA)
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.cut(clusterA, 2, event.Diverged) // A is a mirror itself, of a third cluster
		b.append(a0, b.data(p1, 1, -1, -1), event.FromMirror)
		b.replicate(clusterA)
	}},
	{"retention has removed records from the authority's log", func(b *builder) {
		for i := range 3 {
			b.produce(p1, clusterA, b.data(p1, 1, 7, int32(i)))
		}
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.stopMirror(clusterB)
		for _, n := range brokers(clusterB) {
			b.on(event.StartMoved, n, event.Event{Offset: 2})
		}
	}},
	{"a stopped mirror is started again in the same direction, and what was not mirrored at the stop comes", func(b *builder) {
		for i := range 3 {
			b.produce(p1, clusterA, b.data(p1, 1, 7, int32(i)))
		}
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.append(b0, b.logs[a0][0], event.FromMirror)
		b.replicate(clusterB)
		b.stopMirror(clusterB)
		b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
		b.start(clusterB, true, 1, event.AlignedToLME)
		b.catchUp(clusterB)
	}},
	{"a batch is mirrored but not acknowledged, and its retry after the reset stands twice", func(b *builder) {
		for i := range 2 {
			b.produce(p1, clusterA, b.data(p1, 1, 9, int32(38+i)))
		}
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.stopMirror(clusterB)
		for i := range 2 {
			again := b.logs[a0][i].At(0, -1)
			b.produce(p1, clusterB, again)
		}
		b.produce(p1, clusterB, b.data(p1, 1, 9, 40))
	}},
	{"recovery rebuilds the leader-epoch cache, and mirrored batches go on below an epoch without a batch", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.elect(clusterA, a0, event.EpochBump)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 1))
		b.on(event.Crashed, a1, event.Event{})
		b.on(event.Recovered, a1, event.Event{End: 2,
			Digest: event.MixBatch(event.MixBatch(0, b.logs[a1][0]), b.logs[a1][1])})
		b.hw[a1] = 0
		b.highWatermark(a1, 2)
		b.on(event.EpochAdded, a1, event.Event{BatchEpoch: 0, Offset: 0})
		b.on(event.EpochAdded, a1, event.Event{BatchEpoch: 1, Offset: 1})
		b.epoch[clusterB] = 8
		b.elect(clusterB, b0, event.EpochBump)
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.report(event.ReportEnd, a0, a1, b0, b1)
	}},
	{"the leader of an aligned cluster dies before its follower has followed the cut", func(b *builder) {
		for i := range 3 {
			b.produce(p1, clusterA, b.data(p1, 1, 7, int32(i)))
		}
		b.intent(clusterA, record.WantMirroring)
		b.store(clusterA, record.Preparing)
		b.truncate(a0, 1, event.AlignedToLME)
		b.elect(clusterA, a1, event.CleanElection)
		b.read(a1)
	}},
	{"a leader of the era before the stop appends when the stop has begun", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.elect(clusterB, b1, event.CleanElection)
		b.read(b1)
		b.intent(clusterB, record.WantStopped)
		b.store(clusterB, record.Stopping)
		// b0 was cut off before the start and has seen nothing of it.
		b.on(event.IntentSeen, b0, event.Event{Partition: id.Partition{Topic: topicT}})
		x := b.data(p2, 1, -1, -1).At(1, 0)
		b.on(event.Appended, b0, event.Event{LeaderEpoch: 0, Offset: 1, End: 2, Batch: x})
	}},
	{"a position is written again as it was", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.position(clusterB, 0)
		b.stopMirror(clusterB)
		x := event.Event{Mirror: mirrorM, Peer: b0, Offset: 1, LeaderEpoch: 1, Sequence: b.run[clusterB]}
		b.on(event.PositionStored, b1, x)
		b.on(event.PositionCommitted, b1, x)
	}},
}

func TestCorrectBehaviourIsNotReported(t *testing.T) {
	for _, c := range append(correctReplication, correctMirroring...) {
		t.Run(c.name, func(t *testing.T) {
			b := &builder{}
			b.boot()
			c.build(b)
			s, err := NewSuite(topology)
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.events {
				s.Observe(&b.events[i])
			}
			s.Finish()
			wantClean(t, s)
		})
	}
}

func TestBeyondTheBudgetNothingIsPromised(t *testing.T) {
	for _, c := range []struct {
		name, why string
		build     func(b *builder)
	}{
		{"unclean election", "unclean election of a1 lost 2@0 of A/t-0", func(b *builder) {
			b.truncate(a1, 2, event.Diverged)
			b.elect(clusterA, a1, event.UncleanElection)
		}},
		{"power loss on the whole ISR", "a power loss hit every ISR member at once lost 2@0 of A/t-0", func(b *builder) {
			for _, n := range []id.Node{a0, a1} {
				b.emit(event.Event{Kind: event.Crashed, Node: n, Cause: uint8(event.PowerLoss)})
				b.truncate(n, 2, event.Diverged)
				b.events[len(b.events)-1].Kind = event.PointReached
			}
			b.on(event.Recovered, a1, event.Event{End: 2,
				Digest: event.MixBatch(event.MixBatch(0, b.logs[a1][0]), b.logs[a1][1])})
			b.elect(clusterA, a1, event.CleanElection)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.build(b)
			s := judge(t, b.events)
			for _, p := range []ID{Durability, LinearizableLog} {
				if v := verdictOf(t, s, p.String()); v.Status != NotPromised || v.Why != c.why {
					t.Errorf("%s is %v because %q, want not promised because %q", p, v.Status, v.Why, c.why)
				}
			}
		})
	}
}
