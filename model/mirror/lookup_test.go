package mirror_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// row is what the coordinator holds of tp under one mirror.
type row struct {
	epoch  int32
	offset int64
	run    int32
}

// asked is b0 with mirrors m and n, whose source was A, and a third one whose source was another cluster. The lookup is by
// A under the name given; what the coordinators hold is sent back.
func asked(t *testing.T, name id.Mirror, rows map[id.Mirror]row, sets ...string) *rig {
	t.Helper()
	r := newRig(t, sets...)
	r.meta(&record.MirrorRecord{Mirror: mirrorN, Name: "n", Source: clusterA, Bootstrap: []id.Node{a0}},
		&record.MirrorRecord{Mirror: 3, Name: "o", Source: 2, Bootstrap: []id.Node{a0}})
	r.sent = nil
	r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: name, Partition: tp, Correlation: 77})
	for range r.reads() {
		m, to := take[*wire.ReadMirrorStatesRequest](r)
		same(t, "coordinator", to, b2)
		none[*wire.LastMirroredPositionResponse](r, "one coordinator has not answered")
		if m.Mirror == 3 {
			t.Error("a mirror whose source was another cluster is read")
		}
		res := &wire.ReadMirrorStatesResponse{Mirror: m.Mirror, Partition: tp, Correlation: m.Correlation}
		if x, ok := rows[m.Mirror]; ok {
			res.HasPosition = true
			res.Position = record.MirrorState{Kind: record.LastMirroredEpochs, Mirror: m.Mirror, Partition: tp, Epoch: x.epoch, Offset: x.offset, Run: x.run}
		}
		r.message(b2, res)
	}
	return r
}

func (r *rig) reads() int {
	n := 0
	for _, s := range r.sent {
		if _, ok := s.Body.(*wire.ReadMirrorStatesRequest); ok {
			n++
		}
	}
	return n
}

// TestLookupOver is D22.
func TestLookupOver(t *testing.T) {
	mn := func(m, n row) map[id.Mirror]row { return map[id.Mirror]row{mirrorM: m, mirrorN: n} }
	for _, c := range []struct {
		name, over string
		asker      id.Mirror
		rows       map[id.Mirror]row
		found      bool
		want       row
	}{
		{"its own", "same-name", mirrorM, mn(row{4, 10, 1}, row{6, 12, 2}), true, row{epoch: 4, offset: 10}},
		{"of no mirror here", "same-name", 9, mn(row{4, 10, 1}, row{6, 12, 2}), false, row{epoch: -1, offset: -1}},
		{"no row under its name", "same-name", mirrorN, map[id.Mirror]row{mirrorM: {4, 10, 1}}, false, row{epoch: -1, offset: -1}},
		{"of no mirror here", "max", 9, mn(row{4, 10, 1}, row{6, 12, 2}), true, row{epoch: 6, offset: 12}},
		{"the greater epoch", "max", mirrorM, mn(row{6, 10, 1}, row{4, 12, 2}), true, row{epoch: 6, offset: 10}},
		{"equal epochs", "max", mirrorM, mn(row{4, 10, 1}, row{4, 12, 2}), true, row{epoch: 4, offset: 12}},
		{"one row", "max", mirrorM, map[id.Mirror]row{mirrorN: {0, -1, 1}}, true, row{epoch: 0, offset: -1}},
		{"no row", "max", mirrorM, nil, false, row{epoch: -1, offset: -1}},
		{"the later run", "latest-run", mirrorM, mn(row{6, 10, 1}, row{4, 12, 2}), true, row{epoch: 4, offset: 12}},
		{"the earlier mirror is later", "latest-run", mirrorM, mn(row{4, 12, 2}, row{6, 10, 1}), true, row{epoch: 4, offset: 12}},
		{"equal runs", "latest-run", mirrorM, mn(row{4, 12, 2}, row{6, 10, 2}), true, row{epoch: 6, offset: 10}},
		{"no row", "latest-run", mirrorM, nil, false, row{epoch: -1, offset: -1}},
	} {
		t.Run(c.over+"/"+c.name, func(t *testing.T) {
			r := asked(t, c.asker, c.rows, "lookup-over", c.over)
			res, to := take[*wire.LastMirroredPositionResponse](r)
			same(t, "to", to, a1)
			same(t, "answer", *res, wire.LastMirroredPositionResponse{Cluster: clusterB, Partition: tp, Found: c.found, Epoch: c.want.epoch,
				Offset: c.want.offset, Correlation: 77})
		})
	}
}

// TestLookupWhileLoading: one of the coordinators is loading. The asker is told at once, and decides by D13.
func TestLookupWhileLoading(t *testing.T) {
	r := newRig(t, "lookup-over", "max")
	r.meta(&record.MirrorRecord{Mirror: mirrorN, Name: "n", Source: clusterA})
	r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorM, Partition: tp, Correlation: 77})
	first, _ := take[*wire.ReadMirrorStatesRequest](r)
	second, _ := take[*wire.ReadMirrorStatesRequest](r)
	position := record.MirrorState{Kind: record.LastMirroredEpochs, Epoch: 4}
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: first.Mirror, Partition: tp, HasPosition: true, Position: position, Correlation: first.Correlation})
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: second.Mirror, Partition: tp, Code: wire.CoordinatorLoadInProgress, Correlation: second.Correlation})
	res, _ := take[*wire.LastMirroredPositionResponse](r)
	same(t, "answer", *res, wire.LastMirroredPositionResponse{Cluster: clusterB, Partition: tp, Code: wire.CoordinatorLoadInProgress, Epoch: -1, Offset: -1, Correlation: 77})
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: second.Mirror, Partition: tp, Correlation: second.Correlation})
	none[*wire.LastMirroredPositionResponse](r, "it was answered already")
}

// TestLookupTimesOut: a coordinator that does not answer.
func TestLookupTimesOut(t *testing.T) {
	r := newRig(t)
	r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorM, Partition: tp, Correlation: 77})
	r.fire(mirror.TimerGather)
	res, _ := take[*wire.LastMirroredPositionResponse](r)
	same(t, "answer", []any{res.Code, res.Found}, []any{wire.RequestTimedOut, false})
}

// TestTwoLookups at a time are kept apart.
func TestTwoLookups(t *testing.T) {
	r := newRig(t)
	for n := range uint32(2) {
		r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorM, Partition: tp, Correlation: 70 + n})
	}
	take[*wire.ReadMirrorStatesRequest](r)
	second, _ := take[*wire.ReadMirrorStatesRequest](r)
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, Correlation: second.Correlation})
	res, _ := take[*wire.LastMirroredPositionResponse](r)
	same(t, "answered", res.Correlation, uint32(71))
	r.fire(mirror.TimerGather)
	res, _ = take[*wire.LastMirroredPositionResponse](r)
	same(t, "timed out", []any{res.Correlation, res.Code}, []any{uint32(70), wire.RequestTimedOut})
}

// TestLookupOfNoTopic: a cluster that lacks the topic has no position of it, not even -1.
func TestLookupOfNoTopic(t *testing.T) {
	r := newRig(t)
	r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorM, Partition: id.Partition{Topic: 99}, Correlation: 77})
	res, to := take[*wire.LastMirroredPositionResponse](r)
	same(t, "answer", []any{to, *res}, []any{a1, wire.LastMirroredPositionResponse{Cluster: clusterB, Partition: id.Partition{Topic: 99},
		Code: wire.UnknownTopicOrPartition, Epoch: -1, Offset: -1, Correlation: 77}})
	r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorM, Partition: id.Partition{Topic: tp.Topic, Index: 9}})
	res, _ = take[*wire.LastMirroredPositionResponse](r)
	same(t, "a topic of fewer partitions", []any{res.Code, res.Lacks, res.Found}, []any{wire.LeaderNotAvailable, true, false})
}

// Two brokers of a third cluster, from which B mirrors tp under the mirror o.
const (
	c0, c1  id.Node = 20, 21
	mirrorO         = id.Mirror(3)
)

// chained is b0 of a cluster that mirrors tp from a third cluster, in state s of desired d, and that A asks with a trace.
func chained(t *testing.T, d record.Desired, s record.State, trace uint8, sets ...string) *rig {
	t.Helper()
	r := newRig(t, append([]string{"reverse-check", "checked"}, sets...)...)
	r.meta(&record.MirrorRecord{Mirror: mirrorO, Name: "o", Source: 2, Bootstrap: []id.Node{c0, c1}},
		&record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorO, Desired: d})
	r.sent = nil // the manager's own read
	r.trace(trace, s)
	return r
}

// trace has A ask, and the coordinator answer s under o, and a position under m.
func (r *rig) trace(trace uint8, s record.State) {
	r.t.Helper()
	r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorM, Partition: tp, Trace: trace, Correlation: 77})
	for range r.reads() {
		m, _ := take[*wire.ReadMirrorStatesRequest](r)
		res := &wire.ReadMirrorStatesResponse{Mirror: m.Mirror, Partition: tp, Correlation: m.Correlation}
		if m.Mirror == mirrorO {
			res.State.State = s
		} else if trace > 0 {
			r.t.Error("a question about a chain reads a position")
		}
		res.HasPosition, res.Position = true, record.MirrorState{Epoch: 4 + int32(m.Mirror), Offset: 9}
		r.message(b2, res)
	}
}

// TestChain: where the asked cluster mirrors the topic itself it asks its own source whether that has it from the asker.
// Only a clear answer is taken for none.
func TestChain(t *testing.T) {
	for _, row := range []struct {
		name   string
		answer wire.Code
		want   wire.Code
		found  bool
	}{
		{"no loop", wire.OK, wire.OK, true},
		{"a loop", wire.InvalidClusterMirrorState, wire.InvalidClusterMirrorState, false},
		{"it has no such topic", wire.UnknownTopicOrPartition, wire.OK, true},
		{"a coordinator there is loading", wire.CoordinatorLoadInProgress, wire.RequestTimedOut, false},
		{"its own source is silent", wire.RequestTimedOut, wire.RequestTimedOut, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := chained(t, record.WantMirroring, record.Mirroring, 0)
			none[*wire.LastMirroredPositionResponse](r, "the chain has not been asked")
			q, _ := take[*wire.LastMirroredPositionRequest](r)
			same(t, "question", *q, wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorO, Partition: tp, Trace: wire.MaxTrace, Correlation: q.Correlation})
			r.message(c0, &wire.LastMirroredPositionResponse{Cluster: 2, Partition: tp, Code: row.answer, Epoch: -1, Offset: -1, Correlation: q.Correlation})
			res, to := take[*wire.LastMirroredPositionResponse](r)
			same(t, "answer", []any{to, res.Code, res.Found, res.Correlation}, []any{a1, row.want, row.found, uint32(77)})
			if row.found {
				same(t, "of the asker's mirror, not of the chain's", res.Epoch, int32(5))
			}
		})
	}
}

// TestChainTimesOut: the answer comes before the asker gives up, and the next question goes to another broker.
func TestChainTimesOut(t *testing.T) {
	r := chained(t, record.WantMirroring, record.Preparing, 0)
	_, first := take[*wire.LastMirroredPositionRequest](r)
	op := r.fire(mirror.TimerGather)
	if op.After >= r.setting.FetchTimeout || op.After < r.setting.FetchTimeout/2 {
		t.Errorf("it waits for %v", op.After)
	}
	res, _ := take[*wire.LastMirroredPositionResponse](r)
	same(t, "answer", res.Code, wire.RequestTimedOut)
	r.trace(0, record.Preparing)
	_, second := take[*wire.LastMirroredPositionRequest](r)
	same(t, "asked", []bool{first != second, first == c0 || first == c1, second == c0 || second == c1}, []bool{true, true, true})
	r.trace(5, record.Preparing)
	if later := r.timers[len(r.timers)-1].After; later >= op.After {
		t.Errorf("further up the chain it waits for %v, as long as who asked", later)
	}
}

// TestChainIsAsked: when the next cluster of the chain is asked, and what is answered when it is not.
func TestChainIsAsked(t *testing.T) {
	const loop = wire.InvalidClusterMirrorState
	for _, row := range []struct {
		name    string
		check   string
		desired record.Desired
		state   record.State
		trace   uint8
		asks    uint8 // the trace of the next question; 0: none
		code    wire.Code
		found   bool
	}{
		{"mirroring", "checked", record.WantMirroring, record.Mirroring, 0, wire.MaxTrace, 0, false},
		{"not begun", "checked", record.WantMirroring, record.Unknown, 0, wire.MaxTrace, 0, false},
		{"paused", "checked", record.WantPaused, record.Paused, 0, wire.MaxTrace, 0, false},
		{"stopping", "checked", record.WantStopped, record.Stopping, 0, wire.MaxTrace, 0, false},
		{"stopped", "checked", record.WantStopped, record.Stopped, 0, 0, wire.OK, true},
		{"not looked at", "unchecked", record.WantMirroring, record.Mirroring, 0, 0, wire.OK, true},
		{"no mirror", "checked", record.WantNone, record.Unknown, 0, 0, wire.OK, true},
		{"further up", "checked", record.WantMirroring, record.Mirroring, 5, 4, 0, false},
		{"further up, stopped", "checked", record.WantStopped, record.Stopped, 5, 0, wire.OK, false},
		{"further up, no mirror", "checked", record.WantNone, record.Unknown, 5, 0, wire.OK, false},
		{"the last that may be asked", "checked", record.WantMirroring, record.Mirroring, 1, 0, loop, false},
		{"the last that may be asked, stopped", "checked", record.WantStopped, record.Stopped, 1, 0, wire.OK, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := chained(t, row.desired, row.state, row.trace, "reverse-check", row.check)
			if row.asks > 0 {
				q, _ := take[*wire.LastMirroredPositionRequest](r)
				same(t, "question", []any{q.Asker, q.Trace}, []any{clusterA, row.asks})
				none[*wire.LastMirroredPositionResponse](r, "the chain has not been asked")
				return
			}
			none[*wire.LastMirroredPositionRequest](r, "the chain ends here")
			res, _ := take[*wire.LastMirroredPositionResponse](r)
			same(t, "answer", []any{res.Code, res.Found}, []any{row.code, row.found})
		})
	}
}

// TestChainLeadsBack: further up the chain the topic is mirrored from the asker, or is going to be: started again, its first state is
// not stored yet.
func TestChainLeadsBack(t *testing.T) {
	for _, row := range []struct {
		desired record.Desired
		state   record.State
		want    wire.Code
	}{
		{record.WantMirroring, record.Mirroring, wire.InvalidClusterMirrorState},
		{record.WantMirroring, record.Stopped, wire.InvalidClusterMirrorState},
		{record.WantStopped, record.Stopping, wire.InvalidClusterMirrorState},
		{record.WantStopped, record.Stopped, wire.OK},
	} {
		r := newRig(t, "reverse-check", "checked")
		r.want(row.desired)
		r.sent = nil
		r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorN, Partition: tp, Trace: 7, Correlation: 77})
		same(t, "reads", r.reads(), 1)
		m, _ := take[*wire.ReadMirrorStatesRequest](r)
		r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, State: record.MirrorState{State: row.state}, Correlation: m.Correlation})
		res, _ := take[*wire.LastMirroredPositionResponse](r)
		same(t, "answer", res.Code, row.want)
	}
}

// TestReverseIsStored: this broker has not heard that the topic is in a mirror from the asker, but the coordinator has a state of it.
func TestReverseIsStored(t *testing.T) {
	for _, row := range []struct {
		check string
		state record.State
		own   bool
		want  wire.Code
	}{
		{"checked", record.Preparing, false, wire.InvalidClusterMirrorState},
		{"checked", record.Failed, false, wire.InvalidClusterMirrorState},
		{"checked", record.Stopped, false, wire.OK},
		{"checked", record.Unknown, false, wire.OK},
		{"checked", record.Preparing, true, wire.OK},
		{"unchecked", record.Preparing, false, wire.OK},
	} {
		r := newRig(t, "reverse-check", row.check, "lookup-over", "max")
		r.want(record.WantNone)
		r.sent = nil
		r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorM, Partition: tp, Own: row.own, Correlation: 77})
		same(t, "reads", r.reads(), 1)
		m, _ := take[*wire.ReadMirrorStatesRequest](r)
		r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, State: record.MirrorState{State: row.state}, Correlation: m.Correlation})
		res, _ := take[*wire.LastMirroredPositionResponse](r)
		same(t, "answer", res.Code, row.want)
	}
}

// TestReverseDoesNotCount: the reverse mirror is read for D20; under same-name its position is not the asker's.
func TestReverseDoesNotCount(t *testing.T) {
	r := newRig(t, "reverse-check", "checked", "lookup-over", "same-name")
	r.want(record.WantStopped)
	r.sent = nil
	r.message(a1, &wire.LastMirroredPositionRequest{Asker: clusterA, Mirror: mirrorN, Partition: tp, Correlation: 77})
	m, _ := take[*wire.ReadMirrorStatesRequest](r)
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, State: record.MirrorState{State: record.Stopped},
		HasPosition: true, Position: record.MirrorState{Epoch: 4}, Correlation: m.Correlation})
	res, _ := take[*wire.LastMirroredPositionResponse](r)
	same(t, "answer", []any{res.Code, res.Found}, []any{wire.OK, false})
}

// TestFewerPartitionsAtTheSource: a source that has the topic and lacks the partition has not deleted it (D24).
func TestFewerPartitionsAtTheSource(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2), "source-deleted", "stop")
	r.refreshes()
	for range 4 {
		r.told(func(m *wire.MetadataResponse) {
			unknownTopic(m)
			m.Partitions = 1
		})
		r.fire(mirror.TimerFetch)
	}
	none[*wire.MirrorTopicsRequest](r, "the topic is there")
	same(t, "state", r.stored.State, record.Mirroring)
}
