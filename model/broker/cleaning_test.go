package broker_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestRetention: the leader deletes whole old batches, on a topic that is its own to write; what it follows, what is internal
// and what is mirrored it leaves alone.
func TestRetention(t *testing.T) {
	r := running(t)
	for range 5 {
		r.message(client, &wire.ProduceRequest{Partition: tp, Acks: 0, Batch: plain()})
	}
	r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: 0, FetchOffset: 3, Correlation: 1})
	retain := func(p id.Partition, before int64) int64 {
		r.message(id.None, &wire.RetentionCommand{Partition: p, Before: before})
		return r.disk.Find(p).Start
	}
	for _, row := range []struct{ before, want int64 }{{1, 1}, {1, 1}, {2, 2}} {
		same(t, "start", retain(tp, row.before), row.want)
	}
	same(t, "events", r.count(event.StartMoved), 2)
	for _, desired := range []record.Desired{record.WantMirroring, record.WantPaused, record.WantStopped} {
		r.meta(want(desired))
		same(t, "start of a topic that is "+desired.String(), retain(tp, 9), int64(2))
	}
	r.meta(want(record.WantNone))
	same(t, "up to the high watermark", retain(tp, 9), int64(3))
	r.message(id.None, &wire.RetentionCommand{Partition: id.Partition{Topic: 77}, Before: 1})
	same(t, "events", r.count(event.StartMoved), 3)
}

// TestCompaction: every broker cleans its replica, whether it leads or follows, and what is mirrored as well.
func TestCompaction(t *testing.T) {
	r := running(t)
	for range 4 {
		r.message(client, &wire.ProduceRequest{Partition: tp, Acks: 0, Batch: plain()})
	}
	r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: 0, FetchOffset: 4, Correlation: 1})
	compact := func(keep ...int64) int {
		r.message(id.None, &wire.CompactCommand{Partition: tp, Keep: keep})
		return len(r.disk.Find(tp).Batches)
	}
	same(t, "batches left by the leader", compact(0, 1), 3)
	r.meta(want(record.WantMirroring))
	same(t, "batches left of a mirrored topic", compact(0), 2)
	r.meta(&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b1, LeaderEpoch: 1, PartitionEpoch: 1})
	same(t, "batches left by a follower", compact(7), 1)
	same(t, "events", r.count(event.Compacted), 3)
	r.message(id.None, &wire.CompactCommand{Partition: id.Partition{Topic: 77}})
	same(t, "events", r.count(event.Compacted), 3)
}
