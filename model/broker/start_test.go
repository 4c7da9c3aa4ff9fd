package broker_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// The broker's own timers, by the kinds that doc comments give them: from 48 on.
const (
	heartbeatTimer  = 48
	metadataTimer   = 49
	checkpointTimer = 50
	idsTimer        = 51
)

// leads tells whether b0 takes a write to tp.
func (r *rig) leads() bool {
	r.t.Helper()
	return r.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()}).Code == wire.OK
}

func plain() *record.Batch {
	return record.NewData(record.NoProducer, -1, record.NoSequence, []record.Record{{Key: 1, Value: 1}})
}

func (r *rig) produce(req wire.ProduceRequest) *wire.ProduceResponse {
	r.t.Helper()
	r.number++
	req.Correlation = r.number
	r.message(client, &req)
	res, to := take[*wire.ProduceResponse](r)
	same(r.t, "produce answered", []any{to, res.Partition, res.Correlation}, []any{client, req.Partition, req.Correlation})
	return res
}

// TestStartsWhenRegistered: the second incarnation of b0 replays metadata in which the first one leads. It leads nothing
// for that, but registers; once its own registration shows, and its leadership has been taken back, it asks to be
// unfenced, and begins with what the image says then (KIP-631).
func TestStartsWhenRegistered(t *testing.T) {
	r := boot(t, 2)
	r.meta(basics()...)
	same(t, "leads by the first incarnation's metadata", r.leads(), false)
	m, to := take[*wire.BrokerHeartbeatRequest](r)
	same(t, "registers", []any{to, m.Incarnation, m.MetadataOffset}, []any{c0, uint32(2), int64(0)})
	r.sent = nil
	r.meta(&record.BrokerRecord{Broker: b0, Incarnation: 2, Fenced: true},
		&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b1), Leader: b1, LeaderEpoch: 1, PartitionEpoch: 1},
		&record.PartitionRecord{Partition: tp1, Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: id.None, LeaderEpoch: 1, PartitionEpoch: 1})
	m, _ = take[*wire.BrokerHeartbeatRequest](r)
	same(t, "asks to be unfenced", []any{m.Incarnation, m.MetadataOffset}, []any{uint32(2), r.length})
	same(t, "never led", r.count(event.BecameLeader), 0)
	f, to := take[*wire.FetchRequest](r)
	same(t, "follows", []any{f.Partition, to, f.CurrentLeaderEpoch}, []any{tp, b1, int32(1)})
	r.meta(&record.BrokerRecord{Broker: b0, Incarnation: 2},
		&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b0, LeaderEpoch: 2, PartitionEpoch: 2})
	same(t, "leads", r.leads(), true)
}

// TestNothingBeforeStart: whatever comes before the registration shows is refused, and answered.
func TestNothingBeforeStart(t *testing.T) {
	r := boot(t, 1)
	same(t, "produce", r.leads(), false)
	r.message(client, &wire.FetchRequest{Partition: tp, Replica: id.None, CurrentLeaderEpoch: -1})
	res, _ := take[*wire.FetchResponse](r)
	same(t, "fetch", res.Code, wire.NotLeaderOrFollower)
	r.message(client, &wire.ReadMirrorStatesRequest{Mirror: mirrorM, Partition: tp})
	read, _ := take[*wire.ReadMirrorStatesResponse](r)
	same(t, "read", read.Code, wire.NotCoordinator)
}

// TestRestartKeepsTheLog: what the disk holds is recovered at boot, before anything is led.
func TestRestartKeepsTheLog(t *testing.T) {
	r := running(t)
	same(t, "leads", r.leads(), true)
	again := rebooted(r)
	same(t, "recovered", again.count(event.Recovered), 3) // t-0, t-1 and __mirror_state-0
	same(t, "leads nothing", again.leads(), false)
	records := append(basics(), &record.BrokerRecord{Broker: b0, Incarnation: 2},
		&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0), Leader: b0, LeaderEpoch: 2, PartitionEpoch: 2})
	again.meta(records...)
	res := again.produce(wire.ProduceRequest{Partition: tp, Acks: 1, Batch: plain()})
	same(t, "goes on behind what it had", res.Base, int64(1))
}

// TestNewController: a higher controller epoch is a new controller, which gets a heartbeat at once, even with an answer
// that is not waited for; a lower one is an old answer.
func TestNewController(t *testing.T) {
	r := running(t)
	r.message(bLog, &wire.MetadataFetchResponse{Base: 99, Controller: c1, ControllerEpoch: 3, Correlation: r.fetches + 50})
	_, to := take[*wire.BrokerHeartbeatRequest](r)
	same(t, "heartbeat", to, c1)
	r.message(bLog, &wire.MetadataFetchResponse{Base: r.length, Controller: c0, ControllerEpoch: 2, Correlation: r.fetches})
	r.fire(heartbeatTimer)
	_, to = take[*wire.BrokerHeartbeatRequest](r)
	same(t, "heartbeat", to, c1)
}

// TestReplayOnce: an answer to an earlier fetch, or one that does not continue the image, is not applied; when the answer
// is lost the timer fetches again. The rig checks the offset of every fetch.
func TestReplayOnce(t *testing.T) {
	r := running(t)
	created := &record.TopicRecord{Topic: 99, Name: "x", Partitions: 1}
	r.message(bLog, &wire.MetadataFetchResponse{Base: r.length, Records: []record.Metadata{created}, Controller: c0, ControllerEpoch: 1, Correlation: r.fetches - 1})
	r.message(bLog, &wire.MetadataFetchResponse{Base: r.length - 1, Records: []record.Metadata{created}, Controller: c0, ControllerEpoch: 1, Correlation: r.fetches})
	before := r.fetches
	r.fire(metadataTimer)
	if r.fetches == before {
		t.Error("it does not fetch again")
	}
	r.meta(created)
}

// TestOneAnswerIsWhole: two records of one answer concern tp; nothing is decided by the first alone. b0 is deposed by the
// later one, so the start of the mirror is not b0's.
func TestOneAnswerIsWhole(t *testing.T) {
	r := running(t)
	r.meta(want(record.WantMirroring), &record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b1), Leader: b1,
		LeaderEpoch: 1, PartitionEpoch: 1})
	var read []id.Partition
	for sends[*wire.ReadMirrorStatesRequest](r) {
		m, _ := take[*wire.ReadMirrorStatesRequest](r)
		read = append(read, m.Partition)
	}
	if len(read) == 0 || read[len(read)-1] != tp1 {
		t.Errorf("read %v", read)
	}
	r.fireAll()
	for sends[*wire.ReadMirrorStatesRequest](r) {
		if m, _ := take[*wire.ReadMirrorStatesRequest](r); m.Partition == tp {
			t.Error("it reads the state of a partition that it does not lead")
		}
	}
}

// TestCheckpoint: high watermark and log start go to the disk every replica.high.watermark.checkpoint.interval.ms.
func TestCheckpoint(t *testing.T) {
	r := running(t)
	r.produce(wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: plain()})
	same(t, "before", r.disk.Find(tp1).HighWatermark, int64(0))
	op := r.fire(checkpointTimer)
	same(t, "interval", op.After, r.setting.Checkpoint)
	same(t, "after", r.disk.Find(tp1).HighWatermark, int64(1))
	r.fire(checkpointTimer)
}

// TestProducerIds: a block of the controller's is given out one by one; when it is used up the next is asked for, and who
// came meanwhile waits. A lost answer, or NOT_CONTROLLER, is asked for again; a late one is not used.
func TestProducerIds(t *testing.T) {
	r := running(t)
	ask := func(n uint32) { r.message(client, &wire.InitProducerIdRequest{Correlation: n}) }
	given := func(n uint32, producer int64) {
		t.Helper()
		res, to := take[*wire.InitProducerIdResponse](r)
		same(t, "given", []any{to, *res}, []any{client, wire.InitProducerIdResponse{ProducerID: producer, Correlation: n}})
	}
	allocate := func() *wire.AllocateProducerIdsRequest {
		t.Helper()
		m, to := take[*wire.AllocateProducerIdsRequest](r)
		same(t, "controller", to, c0)
		return m
	}
	ask(1)
	ask(2)
	first := allocate()
	same(t, "one request at a time", sends[*wire.AllocateProducerIdsRequest](r), false)
	r.message(c0, &wire.AllocateProducerIdsResponse{Code: wire.NotController, Correlation: first.Correlation})
	same(t, "not before the timer", sends[*wire.AllocateProducerIdsRequest](r), false)
	r.fire(idsTimer)
	second := allocate()
	r.message(c0, &wire.AllocateProducerIdsResponse{Start: 900, Count: 5, Correlation: first.Correlation})
	same(t, "a late answer", sends[*wire.InitProducerIdResponse](r), false)
	r.message(c0, &wire.AllocateProducerIdsResponse{Start: 100, Count: 3, Correlation: second.Correlation})
	given(1, 100)
	given(2, 101)
	ask(3)
	given(3, 102)
	ask(4)
	r.message(c0, &wire.AllocateProducerIdsResponse{Start: 100, Count: 3, Correlation: second.Correlation})
	same(t, "the same answer twice", sends[*wire.InitProducerIdResponse](r), false)
	r.message(c0, &wire.AllocateProducerIdsResponse{Start: 200, Count: 3, Correlation: allocate().Correlation})
	given(4, 200)
}
