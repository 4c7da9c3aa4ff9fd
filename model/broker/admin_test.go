package broker_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// forwardedRequests are the requests that any broker forwards to the active controller, with an answer to each.
func forwardedRequests() map[wire.Body]wire.Body {
	results := []wire.TopicResult{{Topic: tp.Topic, Code: wire.TopicAlreadyInClusterMirror}}
	return map[wire.Body]wire.Body{
		&wire.MirrorTopicsRequest{Action: wire.ResumeMirrorTopics, Mirror: mirrorM, Topics: []id.Topic{tp.Topic}, Client: id.None, Correlation: 5}: &wire.MirrorTopicsResponse{Results: results, Client: admin, Correlation: 5},
		&wire.CreateMirrorRequest{Mirror: &record.MirrorRecord{Mirror: 3, Name: "o"}, Client: id.None, Correlation: 5}:                             &wire.CreateMirrorResponse{Client: admin, Correlation: 5},
		&wire.DeleteMirrorRequest{Mirror: mirrorM, Client: id.None, Correlation: 5}:                                                                &wire.DeleteMirrorResponse{Code: wire.UnknownClusterMirror, Client: admin, Correlation: 5},
		&wire.DeleteTopicsRequest{Topics: []id.Topic{other}, Client: id.None, Correlation: 5}:                                                      &wire.DeleteTopicsResponse{Results: results, Client: admin, Correlation: 5},
		&wire.CreatePartitionsRequest{Topics: []id.Topic{other}, Partitions: 4, Client: id.None, Correlation: 5}:                                   &wire.CreatePartitionsResponse{Results: results, Client: admin, Correlation: 5},
		&wire.IncrementalAlterConfigsRequest{Changes: []wire.TopicConfig{{Topic: other, Key: "k"}}, Client: id.None, Correlation: 5}:               &wire.IncrementalAlterConfigsResponse{Results: results, Client: admin, Correlation: 5},
		&wire.CreateTopicsRequest{Topics: []wire.NewTopic{{Record: &record.TopicRecord{Topic: 77, Name: "new"}}}, Client: id.None, Correlation: 5}: &wire.CreateTopicsResponse{Results: results, Client: admin, Correlation: 5},
		&wire.CreateAclsRequest{Acls: []record.Acl{{Name: "t", Principal: "p"}}, Client: id.None, Correlation: 5}:                                  &wire.CreateAclsResponse{Code: wire.InvalidRequest, Client: admin, Correlation: 5},
		&wire.DeleteAclsRequest{Acls: []record.Acl{{Name: "t", Principal: "p"}}, Client: id.None, Correlation: 5}:                                  &wire.DeleteAclsResponse{Client: admin, Correlation: 5},
		&wire.ElectLeadersRequest{Partition: tp, Unclean: true, Target: b1, Client: id.None, Correlation: 5}:                                       &wire.ElectLeadersResponse{Partition: tp, Leader: b1, LeaderEpoch: 1, Client: admin, Correlation: 5},
	}
}

// TestForward: requests go to the active controller with the admin's name, and its answers back without. Without a
// controller the answer is NOT_CONTROLLER, in the form of the request's own.
func TestForward(t *testing.T) {
	for request, answer := range forwardedRequests() {
		t.Run(request.API().String(), func(t *testing.T) {
			r := running(t)
			r.message(admin, request)
			same(t, "sent", r.sent[len(r.sent)-1].To, c0)
			same(t, "request", r.sent[len(r.sent)-1].Body, wire.ForClient(request, admin))
			r.message(c0, answer)
			same(t, "answered to", r.sent[len(r.sent)-1].To, admin)
			same(t, "answer", r.sent[len(r.sent)-1].Body, wire.ForClient(answer, id.None))
			r = boot(t, 1)
			r.message(admin, request)
			same(t, "answered to", r.sent[len(r.sent)-1].To, admin)
			same(t, "refusal", r.sent[len(r.sent)-1].Body, wire.Refuse(request, wire.NotController))
		})
	}
}

// TestAnswerForNobody: an answer to a request of the broker's own goes nowhere (D24).
func TestAnswerForNobody(t *testing.T) {
	r := running(t)
	for _, client := range []id.Node{b0, id.None} {
		r.message(c0, &wire.MirrorTopicsResponse{Client: client, Correlation: 5})
	}
	same(t, "sent", r.pending(), "")
}

// TestDescribe: the partition's leader answers the desired state by its image, and the rest by the coordinator.
func TestDescribe(t *testing.T) {
	r := running(t)
	describe := func(x id.Mirror, p id.Partition) wire.Code {
		t.Helper()
		r.message(admin, &wire.DescribeMirrorsRequest{Mirror: x, Partition: p, Client: id.None})
		res, to := take[*wire.DescribeMirrorsResponse](r)
		same(t, "to", []any{to, res.Client}, []any{admin, id.None})
		return res.Code
	}
	same(t, "no mirror", describe(7, tp), wire.UnknownClusterMirror)
	same(t, "no topic", describe(mirrorM, id.Partition{Topic: 77}), wire.UnknownTopicOrPartition)
	same(t, "no partition", describe(mirrorM, id.Partition{Topic: tp.Topic, Index: 7}), wire.UnknownTopicOrPartition)
	same(t, "in no mirror", describe(mirrorM, tp), wire.TopicNotInClusterMirror)
	r.meta(want(record.WantPaused), &record.MirrorRecord{Mirror: 2, Name: "n", Source: 3})
	same(t, "in another mirror", describe(2, tp), wire.TopicNotInClusterMirror)
	for _, answer := range []wire.ReadMirrorStatesResponse{
		{},
		{State: record.MirrorState{State: record.Failed, Reason: record.CorruptBatch, Attempts: 4}},
		{State: record.MirrorState{State: record.Stopped}, HasPosition: true, Position: record.MirrorState{Epoch: 3, Offset: 9}},
		{Code: wire.CoordinatorLoadInProgress},
	} {
		r.sent = nil
		r.message(admin, &wire.DescribeMirrorsRequest{Mirror: mirrorM, Partition: tp, Client: id.None, Correlation: 7})
		same(t, "too early", sends[*wire.DescribeMirrorsResponse](r), false)
		q, to := take[*wire.ReadMirrorStatesRequest](r)
		same(t, "read", []any{to, q.Mirror, q.Partition, q.Life}, []any{b2, mirrorM, tp, int64(6)})
		answer.Mirror, answer.Partition, answer.Correlation = mirrorM, tp, q.Correlation
		r.message(b2, &answer)
		want := wire.DescribeMirrorsResponse{Partition: tp, Code: answer.Code, Client: id.None, Correlation: 7}
		if answer.Code == wire.OK {
			want.Desired, want.State, want.HasPosition, want.Position = record.WantPaused, answer.State, answer.HasPosition, answer.Position
		}
		res, _ := take[*wire.DescribeMirrorsResponse](r)
		same(t, "described", *res, want)
	}
	r.message(admin, &wire.DescribeMirrorsRequest{Mirror: mirrorM, Partition: tp, Client: id.None})
	r.fire(mirror.TimerGather)
	res, _ := take[*wire.DescribeMirrorsResponse](r)
	same(t, "the coordinator is silent", res.Code, wire.RequestTimedOut)
}

// TestDescribeElsewhere: a broker that does not lead the partition passes the request on, once, and the answer back; where
// nobody leads it reads the coordinator itself, and lag is unknown.
func TestDescribeElsewhere(t *testing.T) {
	r := running(t)
	p := id.Partition{Topic: other}
	r.meta(&record.MirrorTopicRecord{Topic: other, Mirror: mirrorM, Desired: record.WantMirroring})
	r.message(admin, &wire.DescribeMirrorsRequest{Mirror: mirrorM, Partition: p, Client: id.None, Correlation: 7})
	req, to := take[*wire.DescribeMirrorsRequest](r)
	same(t, "passed on", []any{to, *req}, []any{b1, wire.DescribeMirrorsRequest{Mirror: mirrorM, Partition: p, Client: admin, Correlation: 7}})
	r.message(b1, &wire.DescribeMirrorsResponse{Partition: p, Lag: 4, LagKnown: true, Client: admin, Correlation: 7})
	res, to := take[*wire.DescribeMirrorsResponse](r)
	same(t, "answer", []any{to, *res}, []any{admin, wire.DescribeMirrorsResponse{Partition: p, Lag: 4, LagKnown: true, Client: id.None, Correlation: 7}})
	r.message(b2, &wire.DescribeMirrorsRequest{Mirror: mirrorM, Partition: p, Client: admin, Correlation: 8})
	res, to = take[*wire.DescribeMirrorsResponse](r)
	same(t, "passed to the wrong one", []any{to, res.Code, res.Client}, []any{b2, wire.NotLeaderOrFollower, admin})
	r.meta(&record.PartitionRecord{Partition: p, Replicas: []id.Node{b1}, ISR: id.SetOf(b1), Leader: id.None, LeaderEpoch: 1, PartitionEpoch: 1})
	for _, client := range []id.Node{id.None, admin} {
		r.message(admin, &wire.DescribeMirrorsRequest{Mirror: mirrorM, Partition: p, Client: client, Correlation: 9})
		q, _ := take[*wire.ReadMirrorStatesRequest](r)
		r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: p, State: record.MirrorState{State: record.Mirroring}, Correlation: q.Correlation})
		res, _ = take[*wire.DescribeMirrorsResponse](r)
		same(t, "without a leader", *res, wire.DescribeMirrorsResponse{Partition: p, Desired: record.WantMirroring,
			State: record.MirrorState{State: record.Mirroring}, Client: client, Correlation: 9})
	}
}

// TestLagSign is D43: what shows of a destination that is ahead of its source.
func TestLagSign(t *testing.T) {
	for option, shown := range map[string]int64{"floored": 0, "signed": -2} {
		t.Run(option, func(t *testing.T) {
			r := running(t, "lag-sign", option)
			for range 3 {
				same(t, "produce", r.produce(wire.ProduceRequest{Partition: tp1, Acks: 1, Batch: plain()}).Code, wire.OK)
			}
			r.meta(want(record.WantMirroring))
			state := record.MirrorState{State: record.Mirroring}
			for range 2 { // of t-0 and t-1
				q, _ := take[*wire.ReadMirrorStatesRequest](r)
				r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: q.Partition, State: state, Correlation: q.Correlation})
			}
			for range 2 {
				w, _ := take[*wire.WriteMirrorStatesRequest](r)
				r.message(b2, &wire.WriteMirrorStatesResponse{Mirror: mirrorM, Partition: w.Record.Partition, Stored: w.Record, Correlation: w.Correlation})
			}
			take[*wire.MetadataRequest](r) // of t-0
			m, to := take[*wire.MetadataRequest](r)
			r.message(to, &wire.MetadataResponse{Cluster: 3, Partition: m.Partition, Leader: 21, LeaderEpoch: 4, Correlation: m.Correlation})
			var f *wire.FetchRequest
			for f == nil || !f.Mirror {
				f, _ = take[*wire.FetchRequest](r)
			}
			r.message(21, &wire.FetchResponse{Partition: tp1, FetchOffset: f.FetchOffset, HighWatermark: 1, LogEnd: 3, Correlation: f.Correlation})
			r.sent = nil
			r.message(admin, &wire.DescribeMirrorsRequest{Mirror: mirrorM, Partition: tp1, Client: id.None})
			q, _ := take[*wire.ReadMirrorStatesRequest](r)
			r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp1, State: state, Correlation: q.Correlation})
			res, _ := take[*wire.DescribeMirrorsResponse](r)
			same(t, "lag", []any{res.Lag, res.LagKnown}, []any{shown, true})
		})
	}
}

// TestDeleteRecords moves the log start of a partition that b0 leads, never above the high watermark.
func TestDeleteRecords(t *testing.T) {
	deleteRecords := func(r *rig, p id.Partition, offset int64) wire.DeleteRecordsResponse {
		t.Helper()
		r.message(admin, &wire.DeleteRecordsRequest{Partition: p, Offset: offset, Correlation: 7})
		res, to := take[*wire.DeleteRecordsResponse](r)
		same(t, "to", []any{to, res.Partition, res.Correlation}, []any{admin, p, uint32(7)})
		return *res
	}
	r := running(t)
	for range 5 {
		r.message(client, &wire.ProduceRequest{Partition: tp, Acks: 0, Batch: plain()})
	}
	r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: 0, FetchOffset: 3, Correlation: 1})
	start := func(p id.Partition) int64 { return r.disk.Find(p).Start }
	for _, row := range []struct{ offset, want int64 }{{1, 1}, {0, 1}, {4, 3}, {-1, 3}} {
		res := deleteRecords(r, tp, row.offset)
		same(t, fmt.Sprint("up to ", row.offset), []any{res.Code, res.LogStart, start(tp)}, []any{wire.OK, row.want, row.want})
	}
	same(t, "events", r.count(event.StartMoved), 2)
	r.sent = nil
	r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: 0, FetchOffset: 3, Correlation: 2})
	fetched, _ := take[*wire.FetchResponse](r)
	same(t, "followers hear of it", fetched.LogStart, int64(3))
	for name, row := range map[string]struct {
		partition id.Partition
		code      wire.Code
	}{"led elsewhere": {id.Partition{Topic: other}, wire.NotLeaderOrFollower}, "no topic": {id.Partition{Topic: 77}, wire.NotLeaderOrFollower},
		"followed": {stateTP, wire.NotLeaderOrFollower}} {
		res := deleteRecords(r, row.partition, 0)
		same(t, name, []any{res.Code, res.LogStart}, []any{row.code, int64(-1)})
	}
	r.meta(state(b0, 1))
	same(t, "internal", deleteRecords(r, stateTP, 0).Code, wire.InvalidRequest)
	r.meta(want(record.WantMirroring))
	same(t, "mirrored", deleteRecords(r, tp, 4).Code, wire.MirrorTopicNotStopped)
	r.meta(want(record.WantStopped))
	same(t, "not known to be STOPPED", deleteRecords(r, tp, 4).Code, wire.MirrorTopicNotStopped)
	same(t, "start", start(tp), int64(3))
	r.meta(want(record.WantNone))
	same(t, "in no mirror any more", deleteRecords(r, tp, 5).LogStart, int64(3))
}

// TestFollowerFollowsTheStart: b0 follows the leader's log start, up to its own high watermark.
func TestFollowerFollowsTheStart(t *testing.T) {
	r := running(t)
	r.meta(&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b1, LeaderEpoch: 1, PartitionEpoch: 1})
	f, _ := take[*wire.FetchRequest](r)
	r.message(b1, &wire.FetchResponse{Partition: tp, HighWatermark: 2, LogStart: 1, LogEnd: 3, LeaderEpoch: 1, Correlation: f.Correlation,
		Batches: []*record.Batch{plain().At(0, 1), plain().At(1, 1), plain().At(2, 1)}})
	same(t, "start", r.disk.Find(tp).Start, int64(1))
	f, _ = take[*wire.FetchRequest](r)
	r.message(b1, &wire.FetchResponse{Partition: tp, FetchOffset: 3, HighWatermark: 2, LogStart: 3, LogEnd: 3, LeaderEpoch: 1, Correlation: f.Correlation})
	same(t, "start", r.disk.Find(tp).Start, int64(2))
}
