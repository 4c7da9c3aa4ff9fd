package broker_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"mirrorsim/model/broker"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// print is everything that a fingerprint sees of b0.
func (r *rig) print() []byte { return r.disk.AppendState(r.node.AppendState(nil)) }

// fork is a rig that goes on by itself.
func (r *rig) fork() *rig {
	c := *r
	c.disk = r.disk.Clone()
	c.node = r.node.Clone(c.disk)
	c.out = node.Effects{}
	c.sent, c.timers, c.events = slices.Clone(r.sent), slices.Clone(r.timers), slices.Clone(r.events)
	return &c
}

// rebooted is a new start of b0 from a copy of r's disk.
func rebooted(r *rig) *rig {
	c := boot(r.t, 1)
	d := r.disk.Clone()
	d.Incarnation++
	c.disk, c.events, c.length = d, nil, 0
	c.node = broker.Boot(&broker.Spec{Log: bLog, Config: r.config, Settings: r.setting, Names: &id.Names{}})(b0, d, &c.out)
	c.collect()
	return c
}

// acts is a history of b0 that touches each of its parts. It ends in MIRRORING with a position lookup and a state check
// under way, a producer that waits, and one that waits for a producer id.
func acts() []func(*rig) {
	read := func(r *rig, s record.State) {
		m, _ := take[*wire.ReadMirrorStatesRequest](r)
		r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: m.Partition, State: record.MirrorState{State: s}, Correlation: m.Correlation})
	}
	wrote := func(r *rig) {
		m, _ := take[*wire.WriteMirrorStatesRequest](r)
		r.message(b2, &wire.WriteMirrorStatesResponse{Mirror: mirrorM, Partition: m.Record.Partition, Stored: m.Record, Correlation: m.Correlation})
	}
	return []func(*rig){
		func(r *rig) { r.meta(basics()...) },
		func(r *rig) {
			b := record.NewData(3, 0, 0, []record.Record{{Key: 1, Value: 1}, {Key: 1, Value: 2}})
			r.message(client, &wire.ProduceRequest{Partition: tp, Acks: wire.AcksAll, Batch: b, Correlation: 1})
		},
		func(r *rig) {
			r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: -1, MaxWait: id.Second, Correlation: 1})
		},
		func(r *rig) {
			r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, FetchOffset: 2, MaxWait: id.Second, Correlation: 2})
		},
		func(r *rig) { r.message(client, &wire.InitProducerIdRequest{Correlation: 4}) },
		func(r *rig) { r.meta(want(record.WantMirroring)) },
		func(r *rig) { read(r, record.Mirroring) },
		func(r *rig) { read(r, record.Preparing) },
		wrote,
		wrote,
		func(r *rig) {
			m, to := take[*wire.MetadataRequest](r)
			r.message(to, &wire.MetadataResponse{Cluster: 3, Partition: m.Partition, Leader: 21, LeaderEpoch: 4, Correlation: m.Correlation})
		},
		func(r *rig) {
			var m *wire.FetchRequest
			for m == nil || !m.Mirror {
				m, _ = take[*wire.FetchRequest](r)
			}
			b := record.NewData(9, 1, 5, []record.Record{{Key: 2, Value: 1}}).At(2, 4)
			r.message(21, &wire.FetchResponse{Partition: m.Partition, FetchOffset: m.FetchOffset, HighWatermark: 5, LogEnd: 5,
				Batches: []*record.Batch{b}, Correlation: m.Correlation})
		},
		func(r *rig) { r.meta(state(b0, 1)) },
		func(r *rig) { r.fire(16) },
		func(r *rig) {
			rec := record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: id.Partition{Topic: other}, Life: lifeOther, State: record.Preparing}
			r.message(b1, &wire.WriteMirrorStatesRequest{Record: rec, Correlation: 9})
		},
		func(r *rig) {
			r.message(20, &wire.LastMirroredPositionRequest{Asker: 3, Mirror: mirrorM, Partition: tp, Correlation: 3})
		},
		func(r *rig) { r.message(admin, stopRequest()) },
		func(r *rig) { r.fireAll() },
	}
}

// TestEqualHistories: two brokers with equal inputs are equal after each of them, and every input changes what a
// fingerprint sees.
func TestEqualHistories(t *testing.T) {
	r, s := boot(t, 1, "revision", "add-remove"), boot(t, 1, "revision", "add-remove")
	for i, act := range acts() {
		before := r.print()
		act(r)
		act(s)
		if !bytes.Equal(r.print(), s.print()) {
			t.Fatalf("act %d: equal histories, different states", i)
		}
		if bytes.Equal(r.print(), before) {
			t.Errorf("act %d changes nothing that a fingerprint sees", i)
		}
		same(t, fmt.Sprintf("act %d: sent", i), r.pending(), s.pending())
		same(t, fmt.Sprintf("act %d: events", i), len(r.events), len(s.events))
	}
}

// TestClone: at each point of the history a fork is made. The original goes on, which the fork does not see; then the
// fork goes on, which the original does not see; both end alike.
func TestClone(t *testing.T) {
	for i := range acts() {
		r := boot(t, 1, "revision", "add-remove")
		for _, act := range acts()[:i] {
			act(r)
		}
		before := r.print()
		f := r.fork()
		same(t, fmt.Sprintf("fork before act %d", i), f.print(), before)
		for _, act := range acts()[i:] {
			act(r)
		}
		if !bytes.Equal(f.print(), before) {
			t.Errorf("fork before act %d: the fork saw what the original did", i)
		}
		after := r.print()
		for _, act := range acts()[i:] {
			act(f)
		}
		if !bytes.Equal(r.print(), after) {
			t.Errorf("fork before act %d: the original saw what the fork did", i)
		}
		if !bytes.Equal(f.print(), after) {
			t.Errorf("fork before act %d: the fork ended in another state", i)
		}
	}
}

// TestForkDiverges: original and fork go on differently from the same state, on the same log.
func TestForkDiverges(t *testing.T) {
	r := running(t)
	r.produce(wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: plain()})
	f := r.fork()
	one := record.NewData(record.NoProducer, -1, record.NoSequence, []record.Record{{Key: 5, Value: 1}})
	two := record.NewData(record.NoProducer, -1, record.NoSequence, []record.Record{{Key: 6, Value: 2}})
	r.produce(wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: one})
	f.produce(wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: two})
	values := func(x *rig) (list []uint64) {
		for _, b := range x.disk.Find(tp1).Batches {
			list = append(list, b.Records[0].Key)
		}
		return list
	}
	same(t, "original", values(r), []uint64{1, 5})
	same(t, "fork", values(f), []uint64{1, 6})
}

// TestForkKeepsItsLists: what a fork answers from its own lists stays in the original's.
func TestForkKeepsItsLists(t *testing.T) {
	r := running(t)
	r.message(client, &wire.InitProducerIdRequest{Correlation: 1})
	r.message(admin, &wire.InitProducerIdRequest{Correlation: 2})
	r.message(20, &wire.LastMirroredPositionRequest{Asker: 3, Mirror: mirrorM, Partition: tp, Correlation: 3})
	before := r.print()
	f := r.fork()
	ids, _ := take[*wire.AllocateProducerIdsRequest](f)
	read, _ := take[*wire.ReadMirrorStatesRequest](f)
	f.message(c0, &wire.AllocateProducerIdsResponse{Start: 5, Count: 1, Correlation: ids.Correlation})
	f.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, Correlation: read.Correlation})
	same(t, "the original", r.print(), before)
	r.message(c0, &wire.AllocateProducerIdsResponse{Start: 5, Count: 2, Correlation: ids.Correlation})
	_, first := take[*wire.InitProducerIdResponse](r)
	_, second := take[*wire.InitProducerIdResponse](r)
	same(t, "served by the original", []id.Node{first, second}, []id.Node{client, admin})
}

// TestForkOfGather: two reads are under way; the fork gets the answer to one.
func TestForkOfGather(t *testing.T) {
	r := running(t, "lookup-over", "max")
	r.meta(&record.MirrorRecord{Mirror: 2, Name: "n", Source: 3})
	r.message(20, &wire.LastMirroredPositionRequest{Asker: 3, Mirror: mirrorM, Partition: tp, Correlation: 3})
	before := r.print()
	f := r.fork()
	m, _ := take[*wire.ReadMirrorStatesRequest](f)
	f.message(b2, &wire.ReadMirrorStatesResponse{Mirror: m.Mirror, Partition: tp, Correlation: m.Correlation})
	same(t, "the original", r.print(), before)
}

// TestGatherState: two lookups that wait differ in what was asked, or in what one coordinator has answered, so their
// states differ.
func TestGatherState(t *testing.T) {
	begin := func(mirror id.Mirror, position *record.MirrorState) []byte {
		r := running(t, "lookup-over", "max")
		r.meta(&record.MirrorRecord{Mirror: 2, Name: "n", Source: 3}, &record.MirrorRecord{Mirror: 4, Name: "o", Source: 9})
		r.message(20, &wire.LastMirroredPositionRequest{Asker: 3, Mirror: mirror, Partition: tp, Correlation: 3})
		if position != nil {
			m, _ := take[*wire.ReadMirrorStatesRequest](r)
			r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: m.Mirror, Partition: tp, HasPosition: true, Position: *position, Correlation: m.Correlation})
		}
		return r.print()
	}
	states := [][]byte{begin(mirrorM, nil), begin(2, nil), begin(mirrorM, &record.MirrorState{Epoch: 1}), begin(mirrorM, &record.MirrorState{Epoch: 2})}
	for i := range states {
		for k := range i {
			if bytes.Equal(states[i], states[k]) {
				t.Errorf("states %d and %d are equal", k, i)
			}
		}
	}
	if !bytes.Equal(begin(mirrorM, nil), states[0]) {
		t.Error("equal histories, different states")
	}
}

// Brokers that have replayed other records are in other states, though as many.
func TestStateHasTheImage(t *testing.T) {
	states := map[string]bool{}
	for _, next := range []int64{1000, 2000} {
		r := boot(t, 1)
		r.meta(append(basics(), &record.ProducerIdsRecord{Next: next})...)
		states[string(r.node.AppendState(nil))] = true
	}
	if len(states) != 2 {
		t.Errorf("%d states", len(states))
	}
}
