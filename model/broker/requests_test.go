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
		tp:                    {Partition: tp, Leader: b0, Partitions: 2, Brokers: live},
		tp1:                   {Partition: tp1, Code: wire.LeaderNotAvailable, Leader: id.None, LeaderEpoch: 1, Partitions: 2, Brokers: live},
		{Topic: other}:        {Partition: id.Partition{Topic: other}, Leader: b1, Partitions: 1, Brokers: live},
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

// TestDescribe: the desired state by this broker's image, the actual one where it leads.
func TestDescribe(t *testing.T) {
	r := running(t)
	describe := func(x id.Mirror, p id.Partition) wire.DescribeMirrorsResponse {
		t.Helper()
		r.message(admin, &wire.DescribeMirrorsRequest{Mirror: x, Partition: p})
		res, to := take[*wire.DescribeMirrorsResponse](r)
		same(t, "to", to, admin)
		return *res
	}
	same(t, "no topic", describe(mirrorM, id.Partition{Topic: 77}).Code, wire.UnknownTopicOrPartition)
	same(t, "in no mirror", describe(mirrorM, tp).Code, wire.TopicNotInClusterMirror)
	r.meta(want(record.WantMirroring), &record.MirrorTopicRecord{Topic: other, Mirror: mirrorM, Desired: record.WantMirroring})
	same(t, "in another mirror", describe(7, tp).Code, wire.TopicNotInClusterMirror)
	same(t, "led elsewhere", describe(mirrorM, id.Partition{Topic: other}).Code, wire.NotLeaderOrFollower)
	same(t, "not read yet", describe(mirrorM, tp), wire.DescribeMirrorsResponse{Partition: tp, Desired: record.WantMirroring})
	m, _ := take[*wire.ReadMirrorStatesRequest](r)
	same(t, "read", m.Partition, tp)
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, State: record.MirrorState{State: record.Mirroring}, Correlation: m.Correlation})
	same(t, "read", describe(mirrorM, tp), wire.DescribeMirrorsResponse{Partition: tp, Desired: record.WantMirroring, State: record.MirrorState{State: record.Mirroring}})
}

// TestForward: requests of the admin go to the active controller with the admin's name, and its answers back without.
func TestForward(t *testing.T) {
	r := running(t)
	start := &wire.MirrorTopicsRequest{Action: wire.StartMirrorTopics, Mirror: mirrorM, Topics: []id.Topic{tp.Topic}, Client: id.None, Correlation: 5}
	r.message(admin, start)
	m, to := take[*wire.MirrorTopicsRequest](r)
	same(t, "start", []any{to, m.Client, m.Correlation, m.Topics, m.Actual}, []any{c0, admin, uint32(5), start.Topics, []wire.ActualState(nil)})
	r.message(c0, &wire.MirrorTopicsResponse{Results: []wire.TopicResult{{Topic: tp.Topic, Code: wire.TopicAlreadyInClusterMirror}}, Client: admin, Correlation: 5})
	res, to := take[*wire.MirrorTopicsResponse](r)
	same(t, "answer", []any{to, *res}, []any{admin, wire.MirrorTopicsResponse{Client: id.None, Correlation: 5,
		Results: []wire.TopicResult{{Topic: tp.Topic, Code: wire.TopicAlreadyInClusterMirror}}}})
	r.message(admin, &wire.ElectLeadersRequest{Partition: tp, Unclean: true, Target: b1, Client: id.None, Correlation: 6})
	e, to := take[*wire.ElectLeadersRequest](r)
	same(t, "elect", []any{to, *e}, []any{c0, wire.ElectLeadersRequest{Partition: tp, Unclean: true, Target: b1, Client: admin, Correlation: 6}})
	r.message(c0, &wire.ElectLeadersResponse{Partition: tp, Leader: b1, LeaderEpoch: 1, Client: admin, Correlation: 6})
	a, to := take[*wire.ElectLeadersResponse](r)
	same(t, "answer", []any{to, *a}, []any{admin, wire.ElectLeadersResponse{Partition: tp, Leader: b1, LeaderEpoch: 1, Client: id.None, Correlation: 6}})
}

// TestForwardNowhere: no controller is known.
func TestForwardNowhere(t *testing.T) {
	r := boot(t, 1)
	r.message(admin, &wire.MirrorTopicsRequest{Action: wire.StartMirrorTopics, Mirror: mirrorM, Client: id.None, Correlation: 5})
	res, to := take[*wire.MirrorTopicsResponse](r)
	same(t, "answer", []any{to, *res}, []any{admin, wire.MirrorTopicsResponse{Code: wire.NotController, Client: id.None, Correlation: 5}})
	r.message(admin, &wire.ElectLeadersRequest{Partition: tp, Target: id.None, Client: id.None, Correlation: 6})
	a, _ := take[*wire.ElectLeadersResponse](r)
	same(t, "answer", *a, wire.ElectLeadersResponse{Partition: tp, Code: wire.NotController, Leader: id.None, Client: id.None, Correlation: 6})
}

// stopRequest is a stop of t, and of a topic that is in no mirror.
func stopRequest() *wire.MirrorTopicsRequest {
	return &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: mirrorM, Topics: []id.Topic{tp.Topic, other}, Client: id.None, Correlation: 5}
}

// TestStateCheck is D48: where the check of a stop reads actual states, every partition of the topics in the mirror is
// read before the request is forwarded. Nothing is read where D18 accepts every state, or D48 says desired.
func TestStateCheck(t *testing.T) {
	for _, row := range []struct {
		check, from string
		reads       bool
	}{
		{"actual", "mirroring", true}, {"actual", "mirroring-or-paused", true}, {"actual", "any", false},
		{"desired", "mirroring", false}, {"desired", "any", false},
	} {
		t.Run(row.check+"/"+row.from, func(t *testing.T) {
			r := running(t, "state-check", row.check, "stop-from", row.from)
			r.meta(want(record.WantMirroring))
			r.sent = nil // the mirror manager's own reads
			r.message(admin, stopRequest())
			if !row.reads {
				m, _ := take[*wire.MirrorTopicsRequest](r)
				same(t, "forwarded", []any{m.Client, m.Actual}, []any{admin, []wire.ActualState(nil)})
				return
			}
			states := []record.State{record.Mirroring, record.Preparing}
			for i, p := range []id.Partition{tp, tp1} {
				same(t, "forwarded too early", sends[*wire.MirrorTopicsRequest](r), false)
				q, to := take[*wire.ReadMirrorStatesRequest](r)
				same(t, "read", []any{to, q.Partition}, []any{b2, p})
				r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: p, State: record.MirrorState{State: states[i]}, Correlation: q.Correlation})
			}
			m, to := take[*wire.MirrorTopicsRequest](r)
			same(t, "forwarded", []any{to, m.Client, m.Actual}, []any{c0, admin, []wire.ActualState{{Partition: tp, State: record.Mirroring}, {Partition: tp1, State: record.Preparing}}})
		})
	}
}

// TestStateCheckRetries: a coordinator that loads is asked again, one that never answers ends in REQUEST_TIMED_OUT; other
// reads that were answered are kept.
func TestStateCheckRetries(t *testing.T) {
	r := running(t, "revision", "add-remove")
	r.meta(want(record.WantMirroring))
	r.sent = nil
	r.message(admin, stopRequest())
	first, _ := take[*wire.ReadMirrorStatesRequest](r)
	second, _ := take[*wire.ReadMirrorStatesRequest](r)
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, State: record.MirrorState{State: record.Mirroring}, Correlation: first.Correlation})
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp1, Code: wire.CoordinatorLoadInProgress, Correlation: second.Correlation})
	op := r.fire(mirror.TimerGather)
	same(t, "back-off", op.After, r.setting.RetryBackoff)
	again, _ := take[*wire.ReadMirrorStatesRequest](r)
	same(t, "asked again", []any{again.Partition, sends[*wire.ReadMirrorStatesRequest](r)}, []any{tp1, false})
	tries := 1
	for ; !sends[*wire.MirrorTopicsResponse](r); tries++ {
		if tries == 40 {
			t.Fatal("it asks for ever")
		}
		r.fire(mirror.TimerGather)
	}
	res, to := take[*wire.MirrorTopicsResponse](r)
	same(t, "answer", []any{to, res.Code, res.Correlation}, []any{admin, wire.RequestTimedOut, uint32(5)})
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp1, State: record.MirrorState{State: record.Mirroring}, Correlation: again.Correlation})
	same(t, "forwarded after all", sends[*wire.MirrorTopicsRequest](r), false)
}

// TestStateCheckOfNothing: a stop of topics of which none is in the mirror has nothing to read; the controller refuses it.
func TestStateCheckOfNothing(t *testing.T) {
	r := running(t, "revision", "add-remove")
	r.message(admin, stopRequest())
	m, _ := take[*wire.MirrorTopicsRequest](r)
	same(t, "forwarded", []any{m.Client, len(m.Actual)}, []any{admin, 0})
}

// TestCoordinates: b0 becomes the leader of __mirror_state-0, loads by its timer, and takes a write of a leader epoch that
// its metadata show. One that they do not show yet is not stale: UNKNOWN_LEADER_EPOCH.
func TestCoordinates(t *testing.T) {
	r := running(t, "coordinator-fence", "leader-epoch-equal")
	write := func(epoch int32) wire.WriteMirrorStatesResponse {
		t.Helper()
		r.number++
		rec := record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: id.Partition{Topic: other}, State: record.Preparing, LeaderEpoch: epoch}
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
	rec := record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: id.Partition{Topic: other}, State: record.Preparing}
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
