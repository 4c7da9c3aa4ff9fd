package client

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func newAdmin(t testing.TB) *driver {
	return drive(t, NewAdmin(AdminSpec{Cluster: 1, Bootstrap: clusters[1].Bootstrap, Settings: &settings}))
}

// stopTopics has the admin stop topics 1, 2 and 3 of mirror 4.
func stopTopics(d *driver) *wire.MirrorTopicsRequest {
	template := &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: 4, Topics: []id.Topic{1, 2, 3}}
	d.command(&wire.AdminCommand{Request: template})
	if template.Correlation != 0 {
		d.t.Fatal("the command was written to")
	}
	d.history("called op1 topic 1 partition 0 mirror 4 action 1", "called op1 topic 2 partition 0 mirror 4 action 1",
		"called op1 topic 3 partition 0 mirror 4 action 1")
	return template
}

func TestAdminResultsPerTopic(t *testing.T) {
	d := newAdmin(t)
	template := stopTopics(d)
	r := request[*wire.MirrorTopicsRequest](d, 2)
	want := *template
	want.Client, want.Correlation, want.Number = id.None, r.Correlation, r.Correlation
	if diff := cmp.Diff(&want, r); diff != "" || r.Correlation == 0 {
		t.Fatalf("request (-want +got):\n%s", diff)
	}
	d.answer(2, &wire.MirrorTopicsResponse{Results: []wire.TopicResult{{Topic: 1}, {Topic: 2, Code: wire.NotController},
		{Topic: 3, Code: wire.UnknownTopicOrPartition}}, Correlation: r.Correlation})
	d.history("returned op1 topic 1 partition 0 mirror 4 NONE",
		"returned op1 topic 3 partition 0 mirror 4 UNKNOWN_TOPIC_OR_PARTITION")
	d.fire(retryTimer)
	r = request[*wire.MirrorTopicsRequest](d, 3)
	if diff := cmp.Diff([]id.Topic{2}, r.Topics); diff != "" {
		t.Fatalf("topics asked for again (-want +got):\n%s", diff)
	}
	if r.Number != want.Number || r.Correlation == want.Correlation {
		t.Errorf("the second attempt has number %d and correlation %d; both were %d before", r.Number, r.Correlation, want.Number)
	}
	d.answer(3, &wire.MirrorTopicsResponse{Results: []wire.TopicResult{{Topic: 2, Code: wire.InvalidClusterMirrorState}},
		Correlation: r.Correlation})
	d.history("returned op1 topic 2 partition 0 mirror 4 INVALID_CLUSTER_MIRROR_STATE")
	if len(d.timers) > 0 || waits(d.node) != nil {
		t.Errorf("after the last result: timers %v, waits %v", d.timers, waits(d.node))
	}
}

func TestAdminRetries(t *testing.T) {
	d := newAdmin(t)
	stopTopics(d)
	late := request[*wire.MirrorTopicsRequest](d, 2)
	if diff := cmp.Diff([]string{"MirrorTopicsRequest waits for the answer of node2"}, waits(d.node)); diff != "" {
		t.Error(diff)
	}
	d.fire(requestTimer)
	d.answer(2, &wire.MirrorTopicsResponse{Correlation: late.Correlation, Results: []wire.TopicResult{{Topic: 1}}})
	d.history()
	d.fire(retryTimer)
	r := request[*wire.MirrorTopicsRequest](d, 3)
	d.answer(3, &wire.MirrorTopicsResponse{Code: wire.NotController, Correlation: r.Correlation})
	if diff := cmp.Diff([]string{"MirrorTopicsRequest waits for its back-off after NOT_CONTROLLER"}, waits(d.node)); diff != "" {
		t.Error(diff)
	}
	if op := d.fire(retryTimer); op.After != 200*id.Millisecond {
		t.Errorf("second back-off is %v", op.After)
	}
	r = request[*wire.MirrorTopicsRequest](d, 2)
	d.answer(2, &wire.MirrorTopicsResponse{Code: wire.UnknownClusterMirror, Correlation: r.Correlation})
	d.history("returned op1 topic 1 partition 0 mirror 4 UNKNOWN_CLUSTER_MIRROR",
		"returned op1 topic 2 partition 0 mirror 4 UNKNOWN_CLUSTER_MIRROR",
		"returned op1 topic 3 partition 0 mirror 4 UNKNOWN_CLUSTER_MIRROR")
}

func TestAdminGivesUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		giveUp func(d *driver)
	}{
		{"after twice the request time-out", func(d *driver) {
			if op := d.fire(deliveryTimer); op.After != 60*id.Second {
				d.t.Errorf("gives up after %v", op.After)
			}
		}},
		{"at a report", func(d *driver) { d.command(&wire.ReportCommand{}) }},
	} {
		for _, inFlight := range []bool{true, false} {
			t.Run(c.name, func(t *testing.T) {
				d := newAdmin(t)
				d.command(&wire.AdminCommand{Request: &wire.ElectLeadersRequest{Partition: tp1, Target: id.None}})
				if !inFlight {
					d.fire(requestTimer)
				}
				c.giveUp(d)
				d.history("called op1 topic 1 partition 1 mirror 0 action 10",
					"returned op1 topic 1 partition 1 mirror 0 REQUEST_TIMED_OUT")
				if len(d.timers) > 0 {
					t.Errorf("timers %v are left", d.timers)
				}
			})
		}
	}
}

func TestAdminSeveralRequests(t *testing.T) {
	d := newAdmin(t)
	d.command(&wire.AdminCommand{Request: &wire.ElectLeadersRequest{Partition: tp, Unclean: true, Target: 3}})
	d.command(&wire.AdminCommand{Request: &wire.DescribeMirrorsRequest{Mirror: 2, Partition: tp}})
	e := request[*wire.ElectLeadersRequest](d, 2)
	s := request[*wire.DescribeMirrorsRequest](d, 3)
	if !e.Unclean || e.Target != 3 || e.Client != id.None {
		t.Errorf("request %+v", *e)
	}
	d.answer(3, &wire.DescribeMirrorsResponse{Partition: tp, Correlation: s.Correlation})
	d.answer(2, &wire.ElectLeadersResponse{Partition: tp, Code: wire.ElectionNotNeeded, Correlation: e.Correlation})
	d.history("called op1 topic 1 partition 0 mirror 0 action 10",
		"called op2 topic 1 partition 0 mirror 2 action 18",
		"described op2 1/0 under 2: none UNKNOWN  attempts 0 lag 0/0 position -1,-1",
		"returned op2 topic 1 partition 0 mirror 2 NONE", "returned op1 topic 1 partition 0 mirror 0 ELECTION_NOT_NEEDED")
}

func TestAdminClone(t *testing.T) {
	d := newAdmin(t)
	stopTopics(d)
	r := request[*wire.MirrorTopicsRequest](d, 2)
	before := d.state()
	e := &driver{t: t, node: d.node.Clone(nil)}
	answer := &wire.MirrorTopicsResponse{Results: []wire.TopicResult{{Topic: 1}, {Topic: 3}}, Correlation: r.Correlation}
	e.answer(2, answer)
	if !bytes.Equal(before, d.state()) || bytes.Equal(before, e.state()) {
		t.Fatal("a step of the clone must show in it and not in the original")
	}
	d.answer(2, answer)
	if !bytes.Equal(d.state(), e.state()) {
		t.Fatal("equal steps lead to other states")
	}
}

// Requests about topics have a result for each, and only those are asked for again that may come out otherwise.
func TestAdminTopicRequests(t *testing.T) {
	type results []wire.TopicResult
	for _, row := range []struct {
		request wire.Body
		answer  func(results, uint32) wire.Body
		topics  func(wire.Body) []id.Topic
	}{
		{&wire.DeleteTopicsRequest{Topics: []id.Topic{1, 2}},
			func(r results, n uint32) wire.Body { return &wire.DeleteTopicsResponse{Results: r, Correlation: n} },
			func(b wire.Body) []id.Topic { return b.(*wire.DeleteTopicsRequest).Topics }},
		{&wire.CreatePartitionsRequest{Topics: []id.Topic{1, 2}, Partitions: 5},
			func(r results, n uint32) wire.Body { return &wire.CreatePartitionsResponse{Results: r, Correlation: n} },
			func(b wire.Body) []id.Topic { return b.(*wire.CreatePartitionsRequest).Topics }},
		{&wire.MirrorTopicsRequest{Action: wire.RecoverMirrorTopics, Topics: []id.Topic{1, 2}},
			func(r results, n uint32) wire.Body { return &wire.MirrorTopicsResponse{Results: r, Correlation: n} },
			func(b wire.Body) []id.Topic { return b.(*wire.MirrorTopicsRequest).Topics }},
	} {
		t.Run(row.request.API().String(), func(t *testing.T) {
			d := newAdmin(t)
			d.command(&wire.AdminCommand{Request: row.request})
			action := actionOf(row.request)
			d.history(fmt.Sprint("called op1 topic 1 partition 0 mirror 0 action ", action), fmt.Sprint("called op1 topic 2 partition 0 mirror 0 action ", action))
			d.answer(2, row.answer(results{{Topic: 1, Code: wire.MirrorTopicNotStopped}, {Topic: 2, Code: wire.LeaderNotAvailable}}, sentTo(d, 2)))
			d.history("returned op1 topic 1 partition 0 mirror 0 MIRROR_TOPIC_NOT_STOPPED")
			d.fire(retryTimer)
			again := d.sent[0].Body
			if diff := cmp.Diff([]id.Topic{2}, row.topics(again)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(wire.Numbered(row.request, 0).Words(nil)[0], again.Words(nil)[0]); diff != "" {
				t.Error("another request: " + diff)
			}
			d.answer(3, row.answer(results{{Topic: 2}}, sentTo(d, 3)))
			d.history("returned op1 topic 2 partition 0 mirror 0 NONE")
			if len(d.timers) > 0 {
				t.Errorf("timers %v are left", d.timers)
			}
		})
	}
}

// sentTo takes the next message, which goes to a node, and answers its correlation.
func sentTo(d *driver, to id.Node) uint32 {
	d.t.Helper()
	if len(d.sent) == 0 || d.sent[0].To != to {
		d.t.Fatalf("sent is %v", d.sent)
	}
	b := d.sent[0].Body
	d.sent = d.sent[1:]
	switch b := b.(type) {
	case *wire.MirrorTopicsRequest:
		return b.Correlation
	case *wire.CreateMirrorRequest:
		return b.Correlation
	case *wire.DeleteMirrorRequest:
		return b.Correlation
	case *wire.DeleteTopicsRequest:
		return b.Correlation
	case *wire.CreatePartitionsRequest:
		return b.Correlation
	case *wire.DeleteRecordsRequest:
		return b.Correlation
	}
	d.t.Fatalf("sent %T", b)
	return 0
}

// Requests without topics have one result; one that may come out otherwise is asked for again, of the next broker.
func TestAdminSingleResults(t *testing.T) {
	patterns := &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: 4, Patterns: []string{"a.*"}}
	for _, row := range []struct {
		name    string
		request wire.Body
		answer  func(wire.Code, uint32) wire.Body
		retried wire.Code
		called  string
		what    string
	}{
		{"create a mirror", &wire.CreateMirrorRequest{Mirror: &record.MirrorRecord{Mirror: 4}},
			func(c wire.Code, n uint32) wire.Body { return &wire.CreateMirrorResponse{Code: c, Correlation: n} },
			wire.NotController, "called op1 topic 0 partition 0 mirror 4 action 14", "topic 0 partition 0 mirror 4"},
		{"delete a mirror", &wire.DeleteMirrorRequest{Mirror: 4},
			func(c wire.Code, n uint32) wire.Body { return &wire.DeleteMirrorResponse{Code: c, Correlation: n} },
			wire.RequestTimedOut, "called op1 topic 0 partition 0 mirror 4 action 16", "topic 0 partition 0 mirror 4"},
		{"delete records", &wire.DeleteRecordsRequest{Partition: tp1, Offset: 5},
			func(c wire.Code, n uint32) wire.Body { return &wire.DeleteRecordsResponse{Code: c, Correlation: n} },
			wire.NotLeaderOrFollower, "called op1 topic 1 partition 1 mirror 0 action 24", "topic 1 partition 1 mirror 0"},
		{"stop by patterns alone", patterns,
			func(c wire.Code, n uint32) wire.Body {
				return &wire.MirrorTopicsResponse{Code: c, Results: []wire.TopicResult{{Topic: 9}}, Correlation: n}
			},
			wire.NotController, "called op1 topic 0 partition 0 mirror 4 action 1", "topic 0 partition 0 mirror 4"},
	} {
		for _, end := range []wire.Code{wire.OK, wire.InvalidRequest} {
			t.Run(row.name+", "+end.String(), func(t *testing.T) {
				d := newAdmin(t)
				d.command(&wire.AdminCommand{Request: row.request})
				d.history(row.called)
				d.answer(2, row.answer(row.retried, sentTo(d, 2)))
				d.history()
				d.fire(retryTimer)
				d.answer(3, row.answer(end, sentTo(d, 3)))
				d.history("returned op1 " + row.what + " " + end.String())
				if len(d.timers) > 0 {
					t.Errorf("timers %v are left", d.timers)
				}
			})
		}
	}
}

// Once a topic has its result the controller has taken the patterns: they are not sent again.
func TestAdminSendsPatternsOnce(t *testing.T) {
	d := newAdmin(t)
	d.command(&wire.AdminCommand{Request: &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Topics: []id.Topic{1, 2}, Patterns: []string{"a"}}})
	r := request[*wire.MirrorTopicsRequest](d, 2)
	d.answer(2, &wire.MirrorTopicsResponse{Code: wire.NotController, Correlation: r.Correlation})
	d.fire(retryTimer)
	r = request[*wire.MirrorTopicsRequest](d, 3)
	if len(r.Patterns) != 1 {
		t.Error("the patterns are missing after NOT_CONTROLLER")
	}
	d.answer(3, &wire.MirrorTopicsResponse{Results: []wire.TopicResult{{Topic: 1}, {Topic: 2, Code: wire.RequestTimedOut}}, Correlation: r.Correlation})
	d.fire(retryTimer)
	if r = request[*wire.MirrorTopicsRequest](d, 2); len(r.Patterns) != 0 {
		t.Error("the patterns are sent again")
	}
}

// A description goes into the history before its result; one that failed is asked for again.
func TestAdminDescribes(t *testing.T) {
	d := newAdmin(t)
	d.command(&wire.AdminCommand{Request: &wire.DescribeMirrorsRequest{Mirror: 2, Partition: tp1}})
	d.history("called op1 topic 1 partition 1 mirror 2 action 18")
	r := request[*wire.DescribeMirrorsRequest](d, 2)
	d.answer(2, &wire.DescribeMirrorsResponse{Partition: tp1, Code: wire.NotLeaderOrFollower, Correlation: r.Correlation})
	d.history()
	d.fire(retryTimer)
	r = request[*wire.DescribeMirrorsRequest](d, 3)
	d.answer(3, &wire.DescribeMirrorsResponse{Partition: tp1, Desired: record.WantPaused,
		State:       record.MirrorState{State: record.Failed, Reason: record.CorruptBatch, Attempts: 3},
		HasPosition: true, Position: record.MirrorState{Epoch: 4, Offset: 7}, Lag: -2, LagKnown: true, Correlation: r.Correlation})
	d.history("described op1 1/1 under 2: paused FAILED a batch of the source is corrupt attempts 3 lag -2/1 position 4,7",
		"returned op1 topic 1 partition 1 mirror 2 NONE")
}

// InitProducerId of a transactional id, which an admin fences: it is asked of one broker after the other until the coordinator has
// taken it, and again while that aborts what was open.
func TestAdminFencesAProducer(t *testing.T) {
	d := newAdmin(t)
	d.command(&wire.AdminCommand{Request: &wire.InitProducerIdRequest{Client: 7, Transactional: true, ProducerID: -1, ProducerEpoch: -1}})
	d.history("called op1 topic 0 partition 0 mirror 0 action 8")
	for i, code := range []wire.Code{wire.NotCoordinator, wire.ConcurrentTransactions, wire.OK} {
		to := id.Node(2 + i%2)
		r := request[*wire.InitProducerIdRequest](d, to)
		want := wire.InitProducerIdRequest{Client: 7, Transactional: true, ProducerID: -1, ProducerEpoch: -1, Correlation: uint32(i + 1)}
		if diff := cmp.Diff(want, *r); diff != "" {
			t.Fatalf("request (-want +got):\n%s", diff)
		}
		d.answer(to, &wire.InitProducerIdResponse{Code: code, ProducerID: 5, ProducerEpoch: 3, Correlation: r.Correlation})
		if code != wire.OK {
			d.history()
			d.fire(retryTimer)
		}
	}
	d.history("returned op1 topic 0 partition 0 mirror 0 NONE")
	if len(d.timers) > 0 || waits(d.node) != nil {
		t.Errorf("after the result: timers %v, waits %v", d.timers, waits(d.node))
	}
}
