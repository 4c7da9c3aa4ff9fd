package broker_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestProduce: who may write where, and who is answered.
func TestProduce(t *testing.T) {
	r := running(t)
	code := func(p id.Partition) wire.Code {
		t.Helper()
		return r.produce(wire.ProduceRequest{Partition: p, Acks: 1, Batch: plain()}).Code
	}
	same(t, "leader", code(tp), wire.OK)
	same(t, "not hosted", code(id.Partition{Topic: other}), wire.NotLeaderOrFollower)
	r.meta(want(record.WantMirroring))
	same(t, "mirrored", code(tp), wire.ReadOnlyTopic)
	end := r.disk.Find(tp).End
	r.sent = nil
	r.message(client, &wire.ProduceRequest{Partition: tp, Acks: 0, Batch: plain()})
	r.message(client, &wire.ProduceRequest{Partition: id.Partition{Topic: other}, Acks: 0, Batch: plain()})
	same(t, "acks=0 is never answered", sends[*wire.ProduceResponse](r), false)
	same(t, "nor appended", r.disk.Find(tp).End, end)
}

// TestProduceAcksAll is answered when the follower has it, with the base offset.
func TestProduceAcksAll(t *testing.T) {
	r := running(t)
	r.message(client, &wire.ProduceRequest{Partition: tp, Acks: wire.AcksAll, Batch: plain(), Correlation: 7})
	same(t, "at once", sends[*wire.ProduceResponse](r), false)
	r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: 0, FetchOffset: 1, Correlation: 1})
	res, _ := take[*wire.ProduceResponse](r)
	same(t, "answer", *res, wire.ProduceResponse{Partition: tp, Base: 0, Correlation: 7})
}

// TestProduceLosesLeadership: who waits is refused when the leadership goes.
func TestProduceLosesLeadership(t *testing.T) {
	r := running(t)
	r.message(client, &wire.ProduceRequest{Partition: tp, Acks: wire.AcksAll, Batch: plain(), Correlation: 7})
	r.meta(&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b1), Leader: b1, LeaderEpoch: 1, PartitionEpoch: 1})
	res, _ := take[*wire.ProduceResponse](r)
	same(t, "answer", []any{res.Code, res.Correlation}, []any{wire.NotLeaderOrFollower, uint32(7)})
}

// TestMetadata: what b0's image holds of a partition.
func TestMetadata(t *testing.T) {
	r := running(t)
	r.meta(&record.PartitionRecord{Partition: tp1, Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: id.None, LeaderEpoch: 1, PartitionEpoch: 1},
		&record.BrokerRecord{Broker: b2, Incarnation: 1, Fenced: true})
	live := id.SetOf(b0, b1)
	for p, want := range map[id.Partition]wire.MetadataResponse{
		tp:                    {Partition: tp, Leader: b0, Name: "t", Partitions: 2, Brokers: live},
		tp1:                   {Partition: tp1, Code: wire.LeaderNotAvailable, Leader: id.None, LeaderEpoch: 1, Name: "t", Partitions: 2, Brokers: live},
		{Topic: other}:        {Partition: id.Partition{Topic: other}, Leader: b1, Name: "other", Partitions: 1, Brokers: live},
		{Topic: 77, Index: 1}: {Partition: id.Partition{Topic: 77, Index: 1}, Code: wire.UnknownTopicOrPartition, Leader: id.None, LeaderEpoch: -1, Brokers: live},
	} {
		r.message(client, &wire.MetadataRequest{Partition: p})
		res, _ := take[*wire.MetadataResponse](r)
		same(t, "answer", *res, want)
	}
}

// TestListOffsetsElsewhere is refused.
func TestListOffsetsElsewhere(t *testing.T) {
	r := running(t)
	r.message(client, &wire.ListOffsetsRequest{Partition: id.Partition{Topic: other}, Correlation: 4})
	res, _ := take[*wire.ListOffsetsResponse](r)
	same(t, "answer", *res, wire.ListOffsetsResponse{Partition: id.Partition{Topic: other}, Code: wire.NotLeaderOrFollower, Offset: -1, LeaderEpoch: -1, Correlation: 4})
}

// TestCoordinates: b0 becomes the leader of __mirror_state-0, loads by its timer, and takes a write of a leader epoch that
// its metadata show. One that they do not show yet is not stale: UNKNOWN_LEADER_EPOCH.
func TestCoordinates(t *testing.T) {
	r := running(t, "coordinator-fence", "leader-epoch-equal")
	write := func(epoch int32) wire.WriteMirrorStatesResponse {
		t.Helper()
		r.number++
		rec := record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: id.Partition{Topic: other}, Life: lifeOther, State: record.Preparing, LeaderEpoch: epoch}
		r.message(b1, &wire.WriteMirrorStatesRequest{Record: rec, Correlation: r.number})
		res, to := take[*wire.WriteMirrorStatesResponse](r)
		same(t, "to", []any{to, res.Correlation}, []any{b1, r.number})
		return *res
	}
	same(t, "a follower", write(0).Code, wire.NotCoordinator)
	r.meta(state(b0, 1))
	same(t, "elected", write(0).Code, wire.CoordinatorLoadInProgress)
	r.fire(16)
	same(t, "loaded", r.count(event.CoordinatorLoaded), 1)
	same(t, "ahead", write(1).Code, wire.UnknownLeaderEpoch)
	res := write(0)
	same(t, "stored", []any{res.Code, res.Stored.State, res.Stored.StateEpoch}, []any{wire.OK, record.Preparing, int32(1)})
	r.meta(&record.PartitionRecord{Partition: id.Partition{Topic: other}, Replicas: []id.Node{b1}, ISR: id.SetOf(b1), Leader: b1, LeaderEpoch: 1, PartitionEpoch: 1})
	same(t, "behind", write(0).Code, wire.FencedLeaderEpoch)
	same(t, "shown", write(1).Code, wire.OK)
	r.meta(state(b2, 2))
	same(t, "deposed", write(1).Code, wire.NotCoordinator)
}

// TestCoordinatorCommits: with b2 in the ISR a write is answered when b2 has fetched it.
func TestCoordinatorCommits(t *testing.T) {
	r := running(t)
	p := state(b0, 1)
	p.ISR = id.SetOf(b0, b2)
	r.meta(p)
	r.fire(16)
	rec := record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: id.Partition{Topic: other}, Life: lifeOther, State: record.Preparing}
	r.message(b1, &wire.WriteMirrorStatesRequest{Record: rec, Correlation: 1})
	same(t, "at once", sends[*wire.WriteMirrorStatesResponse](r), false)
	r.message(b2, &wire.FetchRequest{Partition: stateTP, Replica: b2, CurrentLeaderEpoch: 1, LastFetchedEpoch: 1, FetchOffset: 1, Correlation: 1})
	res, to := take[*wire.WriteMirrorStatesResponse](r)
	same(t, "answer", []any{to, res.Code}, []any{b1, wire.OK})
}

// TestOwnCoordinator: a leader that is its own coordinator writes by messages to itself, and all steps of the way in work.
func TestOwnCoordinator(t *testing.T) {
	r := running(t)
	r.meta(state(b0, 1), want(record.WantMirroring))
	r.fire(16)
	for range 20 {
		for i := 0; i < len(r.sent); i++ {
			s := r.sent[i]
			if s.To == b0 {
				r.sent = append(r.sent[:i:i], r.sent[i+1:]...)
				r.message(b0, s.Body)
				i--
			}
		}
		if r.count(event.StateEntered) > 0 {
			break
		}
		r.fire(mirror.TimerRetry) // the coordinator was loading
	}
	same(t, "stored", r.count(event.StateStored) > 0, true)
	take[*wire.LastMirroredPositionRequest](r)
}

// TestReport: every replica reports.
func TestReport(t *testing.T) {
	r := running(t)
	r.message(id.None, &wire.ReportCommand{})
	same(t, "reports", r.count(event.ReplicaReported), 3)
}

// TestWaits names the partition, its state and what it waits for.
func TestWaits(t *testing.T) {
	r := running(t)
	r.meta(want(record.WantMirroring))
	var words []string
	r.node.Waits(func(s string) bool { words = append(words, s); return true })
	same(t, "waits", words, []string{
		"B/t-0 in UNKNOWN: the coordinator has not answered the read of its state",
		"B/t-1 in UNKNOWN: the coordinator has not answered the read of its state",
	})
}
