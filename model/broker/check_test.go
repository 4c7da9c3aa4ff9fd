package broker_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

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

// TestWhatIsRead: whose validation reads actual states, of every partition of the topics that are in the mirror.
func TestWhatIsRead(t *testing.T) {
	topics := func(a wire.MirrorAction) *wire.MirrorTopicsRequest {
		return &wire.MirrorTopicsRequest{Action: a, Mirror: mirrorM, Topics: []id.Topic{tp.Topic, other, 77}, Client: id.None, Correlation: 5}
	}
	deleted := topics(wire.StopMirrorTopics)
	deleted.Deleted = true
	for _, row := range []struct {
		name            string
		request         wire.Body
		actual, desired bool // with state-check=actual, =desired
	}{
		{"stop", topics(wire.StopMirrorTopics), true, false},
		{"stop of a topic that the source has deleted", deleted, false, false},
		{"pause", topics(wire.PauseMirrorTopics), true, false},
		{"resume", topics(wire.ResumeMirrorTopics), false, false},
		{"recover", topics(wire.RecoverMirrorTopics), true, true},
		{"delete the mirror", &wire.DeleteMirrorRequest{Mirror: mirrorM, Client: id.None, Correlation: 5}, true, true},
		{"delete another mirror", &wire.DeleteMirrorRequest{Mirror: 2, Client: id.None, Correlation: 5}, false, false},
	} {
		for option, reads := range map[string]bool{"actual": row.actual, "desired": row.desired} {
			t.Run(row.name+"/"+option, func(t *testing.T) {
				r := running(t, "state-check", option, "stop-from", "mirroring")
				r.meta(want(record.WantMirroring), &record.MirrorTopicRecord{Topic: other, Mirror: 2, Desired: record.WantStopped})
				r.meta(&record.MirrorTopicRecord{Topic: other, Mirror: mirrorM, Desired: record.WantNone})
				r.sent = nil // the mirror manager's own reads
				r.message(admin, row.request)
				var actual []wire.ActualState
				for i, p := range []id.Partition{tp, tp1} {
					if !reads {
						break
					}
					q, _ := take[*wire.ReadMirrorStatesRequest](r)
					same(t, "read", []any{q.Mirror, q.Partition}, []any{mirrorM, p})
					s := []record.State{record.Failed, record.Stopped}[i]
					r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: p, State: record.MirrorState{State: s}, Correlation: q.Correlation})
					actual = append(actual, wire.ActualState{Partition: p, State: s})
				}
				same(t, "forwarded", r.pending(), row.request.API().String()+" to 6")
				switch m := r.sent[0].Body.(type) {
				case *wire.MirrorTopicsRequest:
					same(t, "actual", []any{m.Client, m.Actual}, []any{admin, actual})
				case *wire.DeleteMirrorRequest:
					same(t, "actual", []any{m.Client, m.Actual}, []any{admin, actual})
				}
			})
		}
	}
}

// startRequest is a start of t and of a topic that b0's cluster lacks.
func startRequest() *wire.MirrorTopicsRequest {
	return &wire.MirrorTopicsRequest{Action: wire.StartMirrorTopics, Mirror: mirrorM, Topics: []id.Topic{tp.Topic, 77}, Client: id.None, Correlation: 5}
}

// sourced is b0 with a mirror whose source has two brokers, 20 and 21.
func sourced(t *testing.T) *rig {
	t.Helper()
	r := running(t)
	r.meta(&record.MirrorRecord{Mirror: mirrorM, Name: "m", Source: 3, Bootstrap: []id.Node{20, 21}})
	return r
}

// tell is an answer of a broker of cluster c to the oldest question about a topic.
func tell(r *rig, c id.Cluster, name string, partitions uint16) (asked id.Topic, of id.Node) {
	r.t.Helper()
	m, to := take[*wire.MetadataRequest](r)
	res := &wire.MetadataResponse{Partition: m.Partition, Cluster: c, Name: name, Partitions: partitions, Leader: id.None, Correlation: m.Correlation}
	if partitions == 0 {
		res.Code = wire.UnknownTopicOrPartition
	}
	r.message(to, res)
	return m.Partition.Topic, to
}

// forwarded is the start as the controller gets it.
func forwarded(t *testing.T, r *rig, want []wire.SourceTopic) {
	t.Helper()
	m, to := take[*wire.MirrorTopicsRequest](r)
	same(t, "forwarded", []any{to, m.Client, m.Correlation, m.Topics}, []any{c0, admin, uint32(5), []id.Topic{tp.Topic, 77}})
	same(t, "sources", m.Sources, want)
	same(t, "sent besides", r.pending(), "")
}

// TestStartAsksTheSource for name and number of partitions of each topic, whatever D37 says, and forwards what it was told.
func TestStartAsksTheSource(t *testing.T) {
	t.Run("told", func(t *testing.T) {
		r := sourced(t)
		r.message(admin, startRequest())
		same(t, "asked", r.pending(), "MetadataRequest to 20, MetadataRequest to 20")
		topic, of := tell(r, 3, "t", 2)
		same(t, "asked", []any{topic, of}, []any{tp.Topic, id.Node(20)})
		same(t, "too early", sends[*wire.MirrorTopicsRequest](r), false)
		tell(r, 3, "u", 4)
		forwarded(t, r, []wire.SourceTopic{{Topic: tp.Topic, Name: "t", Partitions: 2}, {Topic: 77, Name: "u", Partitions: 4}})
	})
	t.Run("the first broker does not know it yet", func(t *testing.T) {
		r := sourced(t)
		r.message(admin, startRequest())
		tell(r, 3, "t", 2)
		tell(r, 3, "", 0)
		same(t, "too early", sends[*wire.MirrorTopicsRequest](r), false)
		_, of := tell(r, 3, "u", 4)
		same(t, "asked", of, id.Node(21))
		forwarded(t, r, []wire.SourceTopic{{Topic: tp.Topic, Name: "t", Partitions: 2}, {Topic: 77, Name: "u", Partitions: 4}})
	})
	t.Run("no broker knows it", func(t *testing.T) {
		r := sourced(t)
		r.message(admin, startRequest())
		tell(r, 3, "t", 2)
		tell(r, 3, "", 0)
		tell(r, 3, "", 0)
		forwarded(t, r, []wire.SourceTopic{{Topic: tp.Topic, Name: "t", Partitions: 2}, {Topic: 77}})
	})
	t.Run("the first broker is silent", func(t *testing.T) {
		r := sourced(t)
		r.message(admin, startRequest())
		tell(r, 3, "t", 2)
		late, _ := take[*wire.MetadataRequest](r)
		same(t, "time-out", r.fire(mirror.TimerGather).After, r.setting.FetchTimeout)
		r.message(20, &wire.MetadataResponse{Cluster: 3, Name: "late", Partitions: 9, Correlation: late.Correlation})
		same(t, "too early", sends[*wire.MirrorTopicsRequest](r), false)
		_, of := tell(r, 3, "u", 4)
		same(t, "asked", of, id.Node(21))
		forwarded(t, r, []wire.SourceTopic{{Topic: tp.Topic, Name: "t", Partitions: 2}, {Topic: 77, Name: "u", Partitions: 4}})
	})
}

// TestStartWithoutTheSource: what no broker of the source told is left out.
func TestStartWithoutTheSource(t *testing.T) {
	t.Run("the source is silent", func(t *testing.T) {
		r := sourced(t)
		r.message(admin, startRequest())
		r.fire(mirror.TimerGather)
		same(t, "too early", sends[*wire.MirrorTopicsRequest](r), false)
		r.sent = nil
		r.fire(mirror.TimerGather)
		forwarded(t, r, nil)
	})
	t.Run("another cluster answers there", func(t *testing.T) {
		r := sourced(t)
		r.message(admin, startRequest())
		for range 4 {
			tell(r, 4, "x", 9)
		}
		forwarded(t, r, nil)
	})
	t.Run("the mirror does not exist", func(t *testing.T) {
		r := running(t)
		req := startRequest()
		req.Mirror = 9
		r.message(admin, req)
		forwarded(t, r, nil)
	})
}
