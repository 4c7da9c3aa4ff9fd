package checkers

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// wholeCore is all brokers.
var wholeCore = id.SetOf(a0, a1, b0, b1)

// want has the controller of c want something of topic t in mirror m.
func (b *builder) want(c id.Cluster, d record.Desired) {
	b.on(event.IntentChanged, logOf(c), event.Event{Mirror: mirrorM, To: uint8(d)})
}

// besides is B/t-0 with lag 1, and a partition beside it that B does not mirror yet.
func besides() *builder {
	b := mirrored()
	b.want(clusterB, record.WantMirroring)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.on(event.MirrorFetched, b0, event.Event{Mirror: mirrorM, Peer: a0, Offset: 3, End: 4})
	for c := clusterA; c <= clusterB; c++ {
		n := brokers(c)[0]
		p := id.Partition{Topic: topicT, Index: 1}
		b.on(event.PartitionChanged, logOf(c), event.Event{Partition: p, Peer: n, Digest: uint64(id.SetOf(n)), Offset: int64(id.SetOf(n))})
		b.on(event.BecameLeader, n, event.Event{Partition: p})
	}
	return b
}

// awaitsCoordinator is besides where B/t-1 is MIRRORING and has not heard its source; leader leads __consumer_offsets-0 of B.
func awaitsCoordinator(leader id.Node) *builder {
	b := besides()
	b.on(event.StateCommitted, b0, event.Event{Partition: id.Partition{Topic: topicT, Index: 1}, Mirror: mirrorM, To: uint8(record.Mirroring)})
	offsets := id.Partition{Topic: topicOffsets}
	b.on(event.TopicCreated, logOf(clusterB), event.Event{Partition: offsets, Sequence: 1, To: 1, From: 16})
	b.on(event.PartitionChanged, logOf(clusterB), event.Event{Partition: offsets, Peer: leader, Digest: uint64(id.SetOf(b1)), Offset: int64(id.SetOf(b1))})
	return b
}

// pendings are histories with a core, and what is pending there.
var pendings = []struct {
	name string
	make func() *builder
	core id.Set
	want []string
}{
	{"all done", mirrored, wholeCore, nil},
	{"stopped", stopped, wholeCore, nil},
	{"a replica is out of the ISR", func() *builder {
		b := mirrored()
		b.register(clusterB, event.IsrChange, id.SetOf(b0))
		return b
	}, wholeCore, []string{"isr-heals: B/t-0 has not b1 in its ISR, which is b0"}},
	{"that replica is not in the core", func() *builder {
		b := mirrored()
		b.register(clusterB, event.IsrChange, id.SetOf(b0))
		return b
	}, wholeCore.Without(b1), nil},
	{"nobody leads", func() *builder {
		b := mirrored()
		b.leader[clusterA] = id.None
		b.register(clusterA, event.NoLeader, id.SetOf(a1))
		return b
	}, wholeCore, []string{"isr-heals: A/t-0 has no leader, its ISR is a1"}},
	{"records that are not mirrored", func() *builder {
		b := mirrored()
		b.want(clusterB, record.WantMirroring)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.on(event.MirrorFetched, b0, event.Event{Peer: a0, Offset: 3, End: 4})
		return b
	}, wholeCore, []string{"lag-drains: B/t-0 has lag 1"}},
	{"a new leader that has not heard its source", func() *builder {
		b := mirrored()
		b.elect(clusterB, b1, event.CleanElection)
		return b
	}, wholeCore, []string{"lag-drains: B/t-0 has not heard its source in leader epoch 1"}},
	{"nothing is asked of the lag of a topic that its source has deleted", func() *builder {
		b := mirrored()
		b.elect(clusterB, b1, event.CleanElection)
		b.on(event.TopicRemoved, aLog, event.Event{Partition: id.Partition{Topic: topicT}})
		return b
	}, wholeCore, nil},
	{"nothing is asked of the lag when the source is lost", func() *builder {
		b := mirrored()
		b.elect(clusterB, b1, event.CleanElection)
		return b
	}, id.SetOf(b0, b1), nil},
	{"a stop that has not begun", func() *builder {
		b := mirrored()
		b.want(clusterB, record.WantStopped)
		return b
	}, wholeCore, []string{"reaches-desired: B/t-0 is MIRRORING, wanted is STOPPED",
		"becomes-writable: B/t-0 is to be stopped and is not writable: b0 leads in epoch 0 and takes no writes"}},
	{"the same when the source is lost", func() *builder {
		b := mirrored()
		b.want(clusterB, record.WantStopped)
		return b
	}, id.SetOf(b0, b1), []string{"reaches-desired: B/t-0 is MIRRORING, wanted is STOPPED",
		"becomes-writable: B/t-0 is to be stopped and is not writable: b0 leads in epoch 0 and takes no writes"}},
	{"a stopped topic with a new leader", func() *builder {
		b := stopped()
		b.elect(clusterB, b1, event.CleanElection)
		return b
	}, wholeCore, []string{"becomes-writable: B/t-0 is to be stopped and is not writable: b1 leads in epoch 2 and takes no writes"}},
	{"beside a corrupt batch", func() *builder {
		b := besides()
		b.emit(event.Event{Kind: event.Corrupted, Node: a0, Partition: id.Partition{Topic: topicT, Index: 1}, To: 1})
		return b
	}, wholeCore, []string{"lag-drains: B/t-0 has lag 1",
		"fault-isolation: B/t-0 has lag 1, while B/t-1 has a corrupt batch at its source",
		"reaches-desired: B/t-1 is UNKNOWN, wanted is MIRRORING", "lag-drains: B/t-1 has not heard its source in leader epoch 0"}},
	{"beside one that is whole again", func() *builder {
		b := besides()
		for _, to := range []uint8{1, 0} {
			b.emit(event.Event{Kind: event.Corrupted, Node: a0, Partition: id.Partition{Topic: topicT, Index: 1}, To: to})
		}
		return b
	}, wholeCore, []string{"lag-drains: B/t-0 has lag 1", "reaches-desired: B/t-1 is UNKNOWN, wanted is MIRRORING",
		"lag-drains: B/t-1 has not heard its source in leader epoch 0"}},
	{"beside one that waits for a group coordinator", func() *builder { return awaitsCoordinator(id.None) }, wholeCore,
		[]string{"lag-drains: B/t-0 has lag 1",
			"fault-isolation: B/t-0 has lag 1, while B/t-1 waits for the leader of B/__consumer_offsets-0, to lower the offsets above its end",
			"lag-drains: B/t-1 has not heard its source in leader epoch 0", "isr-heals: B/__consumer_offsets-0 has no leader, its ISR is b1"}},
	{"beside one that waits for a live one", func() *builder { return awaitsCoordinator(b1) }, wholeCore,
		[]string{"lag-drains: B/t-0 has lag 1", "lag-drains: B/t-1 has not heard its source in leader epoch 0"}},
	{"a lost cluster is asked nothing", func() *builder {
		b := mirrored()
		b.want(clusterB, record.WantStopped)
		b.register(clusterB, event.NoLeader, id.SetOf(b1))
		return b
	}, id.SetOf(a0, a1), nil},
}

func TestPending(t *testing.T) {
	for _, c := range pendings {
		t.Run(c.name, func(t *testing.T) {
			l := judge(t, c.make().events).Ledger()
			var got []string
			for _, p := range l.Pending(c.core) {
				got = append(got, fmt.Sprintf("%v: %s/%s %s", p.Property, l.topology.Names.Cluster(p.Cluster),
					l.topology.Names.Partition(p.Partition), p.Why))
				if p.Facts[0] == "" || p.Facts[1] == "" {
					t.Errorf("%v names the facts %q", p.Property, p.Facts)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestJudgeLive(t *testing.T) {
	b := mirrored()
	b.want(clusterB, record.WantStopped)
	s, err := NewSuite(topology)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.events {
		s.Observe(&b.events[i])
	}
	for _, v := range s.Verdicts() {
		if v.Property == "isr-heals" {
			t.Error("a run without a second phase has a verdict on isr-heals")
		}
	}
	s.JudgeLive(wholeCore, 90*id.Second, []string{"b0 says: B/t-0 in MIRRORING: the controller's answer", "b1 says: B/t-00: nothing"})
	s.Finish()
	want := map[string]string{
		"reaches-desired": "B/t-0 is MIRRORING, wanted is STOPPED, 90s after the last fault; " +
			"b0 says: B/t-0 in MIRRORING: the controller's answer",
		"becomes-writable": "B/t-0 is to be stopped and is not writable: b0 leads in epoch 0 and takes no writes, 90s after the " +
			"last fault; b0 says: B/t-0 in MIRRORING: the controller's answer",
	}
	occasions := map[string]uint64{}
	got := map[string]string{}
	for _, v := range s.Clone().Verdicts() {
		for _, p := range Properties() {
			if p.ID == v.Property && p.Liveness {
				occasions[p.ID] = v.Occasions
				for _, x := range v.Violations {
					got[p.ID] += x.Sentence
				}
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if d := cmp.Diff(map[string]uint64{"reaches-desired": 1, "becomes-writable": 1, "isr-heals": 2, "lag-drains": 0,
		"consumer-progress": 0, "fault-isolation": 0}, occasions); d != "" {
		t.Errorf("occasions (-want +got)\n%s", d)
	}
}

func TestSpared(t *testing.T) {
	crash := func(n id.Node, cause event.CrashCause) func(*builder) {
		return func(b *builder) { b.emit(event.Event{Kind: event.Crashed, Node: n, Cause: uint8(cause)}) }
	}
	table := []struct {
		name string
		then func(*builder)
		node id.Node
		want bool
	}{
		{"both in the ISR", func(*builder) {}, b0, true},
		{"the other one is down", crash(b1, event.ProcessCrash), b0, false},
		{"the other side is down", crash(a1, event.ProcessCrash), b0, true},
		{"the other one has lost its tail", func(b *builder) {
			crash(b1, event.PowerLoss)(b)
			b.emit(event.Event{Kind: event.Started, Node: b1})
		}, b0, false},
		{"alone in the ISR", func(b *builder) { b.register(clusterB, event.IsrChange, id.SetOf(b0)) }, b0, false},
		{"not in the ISR", func(b *builder) { b.register(clusterB, event.IsrChange, id.SetOf(b0)) }, b1, true},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.then(b)
			if got := judge(t, b.events).Ledger().Spared(c.node); got != c.want {
				t.Errorf("spared: %v, want %v", got, c.want)
			}
		})
	}
}

// A partition that is FAILED for good has a way out where a stop is accepted of it; one that is tried again has one anyhow.
func TestFailedWithoutAWayOut(t *testing.T) {
	for _, c := range []struct {
		name             string
		refuses, forGood bool
		stuck            bool
	}{
		{"for good, and a stop is refused", true, true, true},
		{"for good, and a stop is accepted", false, true, false},
		{"tried again, and a stop is refused", true, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			b.want(clusterB, record.WantMirroring)
			attempts := int16(3)
			if c.forGood {
				attempts = record.NotRetryable
			}
			for _, k := range []event.Kind{event.StateStored, event.StateCommitted} {
				b.on(k, b1, event.Event{Mirror: mirrorM, From: uint8(record.Mirroring), To: uint8(record.Failed),
					Cause: uint8(record.SourceDeleted), Digest: uint64(uint16(attempts)), Offset: int64(b.run[clusterB]), LeaderEpoch: b.epoch[clusterB]})
			}
			l := fold(b)
			l.topology.RefusesFailed = c.refuses
			var got []string
			for _, p := range l.Pending(wholeCore) {
				got = append(got, p.Property.String()+": "+p.Why)
			}
			var want []string
			if c.stuck {
				want = []string{"reaches-desired: is FAILED for good, as the source has deleted the topic, and has no sure way out: a stop is refused there"}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
