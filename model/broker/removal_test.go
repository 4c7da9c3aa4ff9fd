package broker_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// holds are the partitions of which b0's disk has files.
func (r *rig) holds() []id.Partition {
	var list []id.Partition
	for _, f := range r.disk.Partitions {
		list = append(list, f.ID)
	}
	return list
}

// TestTopicDeleted: the replicas go with their files, who waits is refused, what is parked is answered, and nothing of the
// topic is left to act on.
func TestTopicDeleted(t *testing.T) {
	r := running(t)
	r.message(client, &wire.ProduceRequest{Partition: tp, Acks: wire.AcksAll, Batch: plain(), Correlation: 7})
	r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: -1, FetchOffset: 0, Correlation: 1})
	r.message(b2, &wire.FetchRequest{Partition: tp1, Replica: id.None, LastFetchedEpoch: -1, MaxWait: id.Second, Correlation: 2})
	r.meta(want(record.WantStopped))
	r.sent = nil
	r.meta(&record.RemoveTopicRecord{Topic: tp.Topic})
	produced, _ := take[*wire.ProduceResponse](r)
	same(t, "produce", []any{produced.Code, produced.Correlation}, []any{wire.NotLeaderOrFollower, uint32(7)})
	fetched, _ := take[*wire.FetchResponse](r)
	same(t, "fetch", []any{fetched.Code, fetched.Correlation}, []any{wire.NotLeaderOrFollower, uint32(2)})
	same(t, "events", r.count(event.ReplicaRemoved), 2)
	same(t, "files", r.holds(), []id.Partition{stateTP})
	same(t, "produce", r.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()}).Code, wire.NotLeaderOrFollower)
	r.message(client, &wire.MetadataRequest{Partition: tp})
	known, _ := take[*wire.MetadataResponse](r)
	same(t, "metadata", []any{known.Code, known.Partitions}, []any{wire.UnknownTopicOrPartition, uint16(0)})
	r.fireAll()
	r.fireAll()
	same(t, "reads on", sends[*wire.ReadMirrorStatesRequest](r), false)
	f := rebooted(r)
	same(t, "a copy restarts without it", f.holds(), []id.Partition{stateTP})
}

// again are the records by which the topic t is deleted and made anew, with b0 as its only replica.
func again() []record.Metadata {
	return []record.Metadata{&record.RemoveTopicRecord{Topic: tp.Topic},
		&record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1},
		&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: b0},
		want(record.WantMirroring)}
}

// TestTopicMadeAnew: in one answer of the metadata log the topic goes and comes back under its id. The new one is empty, and
// its actual state is read in its own life.
func TestTopicMadeAnew(t *testing.T) {
	r := running(t)
	r.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()})
	r.meta(&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b0, LeaderEpoch: 4, PartitionEpoch: 9})
	r.meta(want(record.WantStopped))
	r.sent = nil
	r.meta(again()...)
	f := r.disk.Find(tp)
	same(t, "log", []any{f.End, len(f.Batches), len(f.Epochs)}, []any{int64(0), 0, 0})
	same(t, "removed", r.count(event.ReplicaRemoved), 2)
	q, _ := take[*wire.ReadMirrorStatesRequest](r)
	same(t, "read", []any{q.Partition, q.Life}, []any{tp, r.length - 3})
	same(t, "read besides", sends[*wire.ReadMirrorStatesRequest](r), false)
	r.meta(&record.RemoveTopicRecord{Topic: tp.Topic})
	r.meta(append(again()[1:], again()[0])...) // it comes and goes
	same(t, "files", r.holds(), []id.Partition{stateTP})
}

// TestStrayReplicas: the topic is deleted while b0 is down.
func TestStrayReplicas(t *testing.T) {
	deleted := append(basics(), &record.RemoveTopicRecord{Topic: tp.Topic})
	back := &record.BrokerRecord{Broker: b0, Incarnation: 2, Fenced: true}
	for name, row := range map[string]struct {
		missed []record.Metadata
		want   []id.Partition
	}{
		"deleted":                {append(deleted[:len(deleted):len(deleted)], back), []id.Partition{stateTP}},
		"made anew elsewhere":    {append(deleted[:len(deleted):len(deleted)], &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1}, &record.PartitionRecord{Partition: tp, Replicas: []id.Node{b1}, ISR: id.SetOf(b1), Leader: b1}, back), []id.Partition{stateTP}},
		"not deleted":            {append(basics(), back), []id.Partition{tp, tp1, stateTP}},
		"not come to it so far":  {basics(), []id.Partition{tp, tp1, stateTP}},
		"deleted, not come back": {deleted, []id.Partition{tp, tp1, stateTP}},
	} {
		t.Run(name, func(t *testing.T) {
			r := running(t)
			r.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()})
			f := rebooted(r)
			f.meta(row.missed...)
			same(t, "files", f.holds(), row.want)
			same(t, "removed", f.count(event.ReplicaRemoved), 3-len(row.want))
			if len(row.want) == 3 {
				same(t, "log", f.disk.Find(tp).End, int64(1))
			}
		})
	}
}

// TestStrayOfTheSameID: the topic was deleted and created again under its id while b0 was down, with b0 among its replicas. The
// old log is of another topic.
func TestStrayOfTheSameID(t *testing.T) {
	r := running(t)
	r.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()})
	f := rebooted(r)
	f.meta(append(basics(), &record.RemoveTopicRecord{Topic: tp.Topic}, &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1},
		&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b1},
		&record.BrokerRecord{Broker: b0, Incarnation: 2, Fenced: true})...)
	same(t, "files", f.holds(), []id.Partition{tp, stateTP})
	same(t, "removed", f.count(event.ReplicaRemoved), 2)
	same(t, "log", f.disk.Find(tp).End, int64(0))
	q, _ := take[*wire.FetchRequest](f)
	same(t, "fetch", []any{q.FetchOffset, q.LastFetchedEpoch}, []any{int64(0), int32(-1)})
}

// TestFollowerOfAnEarlierTopic: b1 has not heard that the topic was deleted and created again under its id, and fetches for the old
// log: it is refused, and counts for nothing. When it has heard it is answered.
func TestFollowerOfAnEarlierTopic(t *testing.T) {
	r := running(t)
	r.meta(&record.RemoveTopicRecord{Topic: tp.Topic}, &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1})
	r.meta(&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b0})
	r.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()})
	for i, row := range []struct {
		created int64
		code    wire.Code
	}{{r.length - 9, wire.UnknownTopicOrPartition}, {r.length - 2, wire.OK}} {
		r.sent = nil
		marks := r.count(event.HighWatermark)
		r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: 0, FetchOffset: 1, CreatedAt: row.created, Correlation: uint32(i + 1)})
		if row.code == wire.OK {
			same(t, "high watermarks", r.count(event.HighWatermark)-marks, 1)
			continue
		}
		res, _ := take[*wire.FetchResponse](r)
		same(t, "answer", res.Code, row.code)
		same(t, "high watermarks", r.count(event.HighWatermark)-marks, 0)
	}
}

// TestMirrorDeleted: the topic is plain, client writes are accepted, and a start in one answer with the deletion begins with
// nothing known.
func TestMirrorDeleted(t *testing.T) {
	r := running(t)
	r.meta(want(record.WantStopped))
	first, _ := take[*wire.ReadMirrorStatesRequest](r)
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, State: record.MirrorState{State: record.Stopped, Run: 3}, Correlation: first.Correlation})
	f := r.fork()
	r.meta(want(record.WantNone), &record.RemoveMirrorRecord{Mirror: mirrorM})
	same(t, "produce", r.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()}).Code, wire.OK)
	f.sent = nil
	f.meta(want(record.WantNone), &record.RemoveMirrorRecord{Mirror: mirrorM}, &record.MirrorRecord{Mirror: mirrorM, Name: "m", Source: 3},
		want(record.WantMirroring))
	same(t, "produce", f.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()}).Code, wire.ReadOnlyTopic)
	q, _ := take[*wire.ReadMirrorStatesRequest](f)
	same(t, "read", []any{q.Partition, q.Life}, []any{tp, f.length - 2})
	same(t, "written", sends[*wire.WriteMirrorStatesRequest](f), false)
}

// TestCoordinatorOfDeletedMirror: b0 coordinates, and appends tombstones when its image loses the mirror.
func TestCoordinatorOfDeletedMirror(t *testing.T) {
	r := running(t)
	r.meta(state(b0, 1))
	r.fire(16)
	rec := record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: id.Partition{Topic: other}, Life: lifeOther, State: record.Preparing}
	r.message(b1, &wire.WriteMirrorStatesRequest{Record: rec, Correlation: 1})
	r.meta(&record.RemoveMirrorRecord{Mirror: mirrorM})
	same(t, "tombstones", []any{r.count(event.EntryRemoved), r.disk.Find(stateTP).End}, []any{1, int64(2)})
	r.message(b1, &wire.ReadMirrorStatesRequest{Mirror: mirrorM, Partition: rec.Partition, Life: lifeOther})
	res, _ := take[*wire.ReadMirrorStatesResponse](r)
	same(t, "read", res.Code, wire.NotCoordinator)
}

// TestPartitionsCreated: b0 makes the replica of a new partition and leads it; of a stopped topic it reads the state.
func TestPartitionsCreated(t *testing.T) {
	r := running(t)
	tp2 := id.Partition{Topic: tp.Topic, Index: 2}
	r.meta(&record.TopicPartitionsRecord{Topic: tp.Topic, Partitions: 3},
		&record.PartitionRecord{Partition: tp2, Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: b0})
	same(t, "produce", r.produce(wire.ProduceRequest{Partition: tp2, Acks: 1, Batch: plain()}).Code, wire.OK)
	r.message(client, &wire.MetadataRequest{Partition: tp2})
	res, _ := take[*wire.MetadataResponse](r)
	same(t, "partitions", res.Partitions, uint16(3))
}
