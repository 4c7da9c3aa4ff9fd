package client

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
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
	want.Client, want.Correlation = id.None, r.Correlation
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
