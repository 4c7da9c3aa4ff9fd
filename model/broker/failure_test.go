package broker_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestFailedReplica: a replica whose log directory has failed is offline until the broker starts again, whatever the
// metadata say of it meanwhile; the controller hears of it, and its partition alone is answered KAFKA_STORAGE_ERROR.
func TestFailedReplica(t *testing.T) {
	r := running(t)
	r.message(client, &wire.ProduceRequest{Partition: tp, Acks: wire.AcksAll, Batch: plain(), Correlation: 7})
	r.disk.Broken = []id.Partition{tp}
	r.message(client, &wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: plain(), Correlation: 8})
	waiting, _ := take[*wire.ProduceResponse](r)
	same(t, "who waited", []any{waiting.Code, waiting.Correlation}, []any{wire.NotLeaderOrFollower, uint32(7)})
	other, _ := take[*wire.ProduceResponse](r)
	same(t, "the other partition", []any{other.Code, other.Correlation}, []any{wire.OK, uint32(8)})
	heartbeat, to := take[*wire.BrokerHeartbeatRequest](r)
	same(t, "heartbeat", []any{to, heartbeat.Offline}, []any{c0, []id.Partition{tp}})
	for epoch := range int32(2) {
		same(t, "produce", r.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()}).Code, wire.KafkaStorageError)
		r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: -1})
		fetched, _ := take[*wire.FetchResponse](r)
		same(t, "fetch", fetched.Code, wire.KafkaStorageError)
		r.message(client, &wire.ListOffsetsRequest{Partition: tp})
		listed, _ := take[*wire.ListOffsetsResponse](r)
		same(t, "list offsets", listed.Code, wire.KafkaStorageError)
		r.meta(&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b0,
			LeaderEpoch: epoch + 1, PartitionEpoch: epoch + 1})
	}
	same(t, "it failed once", r.count(event.ReplicaFailed), 1)
	same(t, "the log", r.disk.Find(tp).End, int64(1))
}

// TestFullDisk: nothing is appended, and what was appended is served.
func TestFullDisk(t *testing.T) {
	r := running(t)
	same(t, "before", r.produce(wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: plain()}).Code, wire.OK)
	r.disk.Full = true
	same(t, "produce", r.produce(wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: plain()}).Code, wire.KafkaStorageError)
	same(t, "the log", r.disk.Find(tp1).End, int64(1))
	r.message(client, &wire.FetchRequest{Partition: tp1, Replica: id.None, CurrentLeaderEpoch: -1, LastFetchedEpoch: -1})
	fetched, _ := take[*wire.FetchResponse](r)
	same(t, "fetch", []any{fetched.Code, len(fetched.Batches)}, []any{wire.OK, 1})
	r.disk.Full = false
	same(t, "behind it", r.produce(wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: plain()}).Code, wire.OK)
}
