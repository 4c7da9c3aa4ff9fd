package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// statesP is the partition of __mirror_state of both clusters in these tests.
var statesP = id.Partition{Topic: id.NewTopic(clusterB, 2)}

// loseStates has cluster c's __mirror_state go beyond the budget of faults.
func (b *builder) loseStates(c id.Cluster) { b.loseInternal(c, 1) }

// loseInternal has the internal topic of that kind, as the event names it, go beyond the budget on cluster c.
func (b *builder) loseInternal(c id.Cluster, kind uint8) {
	b.on(event.TopicCreated, logOf(c), event.Event{Partition: statesP, Sequence: 1, To: 1, From: kind})
	b.on(event.PartitionChanged, logOf(c), event.Event{Partition: statesP, Peer: brokers(c)[0], LeaderEpoch: 1,
		Digest: uint64(id.SetOf(brokers(c)[0])), Cause: uint8(event.UncleanElection)})
}

// run drives a history and answers the verdict on property.
func (b *builder) verdict(t *testing.T, with Topology, property ID) Verdict {
	t.Helper()
	s, err := NewSuite(with)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.events {
		s.Observe(&b.events[i])
	}
	s.Finish()
	return verdictOf(t, s, property.String())
}

// stateCase is a history, the status that a property has in it, and the reason where nothing is promised.
type stateCase struct {
	name  string
	want  Status
	why   string
	build func(b *builder) // what happens after boot
}

func runStates(t *testing.T, property ID, cases []stateCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := &builder{}
			b.boot()
			c.build(b)
			if v := b.verdict(t, topology, property); v.Status != c.want || v.Why != c.why {
				t.Errorf("%s is %v because %q, want %v because %q: %v", property, v.Status, v.Why, c.want, c.why, v.Violations)
			}
		})
	}
}

// three is three records on A and B's mirror of them, MIRRORING.
func three(b *builder) {
	for i := range 3 {
		b.produce(p1, clusterA, b.data(p1, 1, 7, int32(i)))
	}
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
}

// foreign has B append, as its source's, what its source never had.
func foreign(b *builder) {
	b.append(b0, b.data(p1, 1, -1, -1), event.FromMirror)
	b.replicate(clusterB)
}

// unseen has B's leader and follower append the source's last record, and keeps the high watermark where it is.
func unseen(b *builder) {
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.append(b0, b.logs[a0][3], event.FromMirror)
	b.follow(b0, b1)
}

func TestMirrorPrefixDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"another record", MirrorPrefix, []string{"B/t-0@b0 holds 1@0 (record 99/99) below its high watermark 3",
			"no such batch has stood at offset 1 of A/t-0"},
			func(*testing.T) []event.Event { return rewritten(1, otherRecord, b0, b1) }},
		{"another epoch", MirrorPrefix, []string{"B/t-0@b0 holds 2@1", "no such batch has stood at offset 2"},
			func(*testing.T) []event.Event {
				return rewritten(2, func(b *record.Batch) { b.LeaderEpoch = 1 }, b0, b1)
			}},
		{"something is missing", MirrorPrefix,
			[]string{"B/t-0@b0 has nothing at offsets 3 to 3, below its high watermark 5, but in A/t-0 something stood there"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
				b.produce(p1, clusterA, b.data(p1, 1, 7, 4))
				b.append(b0, b.logs[a0][4], event.FromMirror)
				b.replicate(clusterB)
				return b.events
			}},
		{"the first is missing", MirrorPrefix, []string{"B/t-0@b0 has nothing at offsets 0 to 0, below its high watermark 2"},
			func(*testing.T) []event.Event {
				b := &builder{}
				b.boot()
				b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
				b.produce(p1, clusterA, b.data(p1, 1, 7, 1))
				b.start(clusterB, false, 0, event.AlignedToLME)
				b.fetch(clusterB, false)
				b.append(b0, b.logs[a0][1], event.FromMirror)
				b.replicate(clusterB)
				return b.events
			}},
		{"it was never below the source's high watermark", MirrorPrefix, []string{"B/t-0@b0 holds 3@0", "below its high watermark 4"},
			func(*testing.T) []event.Event {
				b := mirrored()
				x := b.append(a0, b.data(p1, 1, 7, 3), event.FromClient)
				b.append(b0, x, event.FromMirror)
				b.replicate(clusterB)
				return b.events
			}},
		{"it was never below it, and the source has cut it since", MirrorPrefix, []string{"B/t-0@b0 holds 3@0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.append(b0, b.append(a0, b.data(p1, 1, 7, 3), event.FromClient), event.FromMirror)
				b.follow(b0, b1)
				b.truncate(a0, 3, event.Diverged)
				b.highWatermark(b0, 4)
				return b.events
			}},
		{"in PAUSED", MirrorPrefix, []string{"B/t-0@b0 holds 3@0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.append(b0, b.data(p1, 1, -1, -1), event.FromMirror)
				b.store(clusterB, record.Pausing)
				b.store(clusterB, record.Paused)
				b.replicate(clusterB)
				return b.events
			}},
		{"in the second run, from its log start on", MirrorPrefix, []string{"A/t-0@a0 holds 3@0", "offset 3 of B/t-0"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
				b.start(clusterA, true, 4, event.AlignedToLME)
				b.fetch(clusterA, false)
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

var mirrorPrefixCases = []stateCase{
	{"no mirror", NotExercised, "", func(b *builder) { b.produce(p1, clusterA, b.data(p1, 1, 7, 0)) }},
	{"aligned by nobody", NotExercised, "", func(b *builder) {
		b.start(clusterB, false, 0, event.AlignedToLME)
		foreign(b)
	}},
	{"the source has lost it since", Holds, "", func(b *builder) {
		three(b)
		unseen(b)
		b.truncate(a1, 3, event.Diverged)
		b.elect(clusterA, a1, event.UncleanElection)
		b.truncate(a0, 3, event.Diverged)
		b.highWatermark(b0, 4)
	}},
	{"the source has trimmed it since", Holds, "", func(b *builder) {
		three(b)
		unseen(b)
		for _, n := range brokers(clusterA) {
			b.on(event.StartMoved, n, event.Event{Offset: 4})
		}
		b.highWatermark(b0, 4)
	}},
	{"the source's topic was deleted since", Holds, "", func(b *builder) {
		three(b)
		unseen(b)
		b.on(event.TopicRemoved, aLog, event.Event{Partition: id.Partition{Topic: topicT}})
		for _, n := range brokers(clusterA) {
			b.on(event.ReplicaRemoved, n, event.Event{})
		}
		b.highWatermark(b0, 4)
	}},
	{"while a divergence is being cut", Holds, "", func(b *builder) {
		three(b)
		b.fetch(clusterB, true)
		foreign(b)
	}},
	{"when the divergence is cut", Violated, "", func(b *builder) {
		three(b)
		b.fetch(clusterB, true)
		foreign(b)
		b.fetch(clusterB, false)
	}},
	{"what an unclean election brought, before the source has answered", Holds, "", func(b *builder) {
		three(b)
		b.append(b1, b.data(p1, 1, -1, -1).At(3, 0), event.FromLeader)
		b.elect(clusterB, b1, event.UncleanElection)
		b.highWatermark(b1, 4)
	}},
	{"a leader that has not followed the cut of the one before it", Holds, "", func(b *builder) {
		diverging(b)
		b.fetch(clusterA, false)
		b.elect(clusterA, a1, event.CleanElection)
		b.highWatermark(a1, 3)
		b.highWatermark(a1, 4)
		b.fetch(clusterA, true)
		b.truncate(a1, 3, event.Diverged)
		b.fetch(clusterA, false)
	}},
	{"a leader that has not followed, and the source sees no divergence", Violated, "", func(b *builder) {
		diverging(b)
		b.fetch(clusterA, false)
		b.elect(clusterA, a1, event.CleanElection)
		b.highWatermark(a1, 4)
		b.fetch(clusterA, false)
	}},
	{"a leader that has followed the cut of the one before it", Violated, "", func(b *builder) {
		diverging(b)
		b.truncate(a1, 3, event.Diverged)
		b.fetch(clusterA, false)
		b.elect(clusterA, a1, event.CleanElection)
		b.append(a1, b.data(p1, 1, -1, -1), event.FromMirror)
		b.highWatermark(a1, 4)
	}},
	{"after the stop has begun", Holds, "", func(b *builder) {
		three(b)
		b.store(clusterB, record.Stopping)
		foreign(b)
	}},
	{"another leader goes on", Holds, "", func(b *builder) {
		three(b)
		b.elect(clusterB, b1, event.CleanElection)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.catchUp(clusterB)
	}},
}

func TestMirrorPrefixStatus(t *testing.T) { runStates(t, MirrorPrefix, mirrorPrefixCases) }

// What D8 and D9 change of a mirrored batch is not compared.
func TestMirrorPrefixUnderRewriting(t *testing.T) {
	rewriting := topology
	rewriting.RewritesEpochs, rewriting.RewritesProducers = true, true
	for _, c := range []struct {
		name string
		with func(*record.Batch)
		want Status
	}{
		{"epoch and producer", func(b *record.Batch) { b.LeaderEpoch, b.ProducerID = 5, -9 }, Holds},
		{"records", otherRecord, Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &builder{events: rewritten(1, c.with, b0, b1)}
			if v := b.verdict(t, rewriting, MirrorPrefix); v.Status != c.want {
				t.Errorf("mirror-prefix is %v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}

// What is remembered of a source is forgotten when it is below every log start.
func TestPastIsForgotten(t *testing.T) {
	b := mirrored()
	start := func(nodes ...id.Node) int {
		for _, n := range nodes {
			b.on(event.StartMoved, n, event.Event{Offset: 2})
		}
		return len(fold(b).part(t0).in[clusterA].past)
	}
	if n := start(a0, a1); n != 2 {
		t.Errorf("%d batches are remembered when the source has trimmed 2, want 2", n)
	}
	if n := start(b0, b1); n != 0 {
		t.Errorf("%d batches are remembered when every log has trimmed them", n)
	}
}
