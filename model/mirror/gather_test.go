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
