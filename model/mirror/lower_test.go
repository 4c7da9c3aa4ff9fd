package mirror_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

var groupTP = id.Partition{Topic: id.NewTopic(1, 3)}

// grouped has taken over a partition that is mirroring, with two partitions of __consumer_offsets that b1 and b2 lead. Their
// answers to what b0 asked when it began to mirror are not given before the test wants them.
func grouped(t *testing.T, sets ...string) *rig {
	t.Helper()
	return groupedFrom(t, stored(record.Mirroring), sets...)
}

// groupedFrom is grouped where that is stored.
func groupedFrom(t *testing.T, s record.MirrorState, sets ...string) *rig {
	t.Helper()
	r := unbooted(t, sets...)
	second := groupTP
	second.Index = 1
	r.metadata = append(r.metadata,
		&record.TopicRecord{Topic: groupTP.Topic, Name: "__consumer_offsets", Partitions: 2, MinISR: 1, Internal: record.ConsumerOffsetsTopic},
		&record.PartitionRecord{Partition: groupTP, Replicas: []id.Node{b1}, ISR: id.SetOf(b1), Leader: b1},
		&record.PartitionRecord{Partition: second, Replicas: []id.Node{b2}, ISR: id.SetOf(b2), Leader: b2})
	r.boot()
	r.source, r.stored = plain(0, 0, 2), s
	r.want(record.WantMirroring)
	r.pump()
	return r
}

func (r *rig) lowered(m *wire.LowerOffsetsRequest, from id.Node, code wire.Code) {
	r.t.Helper()
	r.message(from, &wire.LowerOffsetsResponse{Groups: m.Groups, Partition: m.Partition, Code: code, Correlation: m.Correlation})
}

// TestLowersBeforeFetching: a leader that took over fetches once every group coordinator has lowered what is above its
// log end, and asks those that could not again. Under offset-reclamp=no nobody is asked.
func TestLowersBeforeFetching(t *testing.T) {
	r := grouped(t, "offset-reclamp", "all")
	first, to := take[*wire.LowerOffsetsRequest](r)
	same(t, "asked", []any{to, *first}, []any{b1, wire.LowerOffsetsRequest{Groups: groupTP, Mirror: mirrorM, Partition: tp, Epoch: -1,
		All: true, Correlation: first.Correlation}})
	second, to := take[*wire.LowerOffsetsRequest](r)
	same(t, "the other", to, b2)
	r.lowered(first, b1, wire.OK)
	r.lowered(second, b2, wire.NotCoordinator)
	same(t, "waits", r.waits(), []string{fmt.Sprint("cluster1/topic1-0 in MIRRORING: __consumer_offsets-1, led by node ", b2, ", has not lowered the group offsets above the log end")})
	leaderless := &record.PartitionRecord{Partition: second.Groups, Replicas: []id.Node{b2}, ISR: id.SetOf(b2), Leader: id.None, LeaderEpoch: 1,
		PartitionEpoch: 1}
	r.meta(leaderless)
	same(t, "waits", r.waits(), []string{"cluster1/topic1-0 in MIRRORING: __consumer_offsets-1, without a leader, has not lowered the group offsets above the log end"})
	r.fire(mirror.TimerFetch)
	none[*wire.LowerOffsetsRequest](r, "nobody leads it")
	led := *leaderless
	led.Leader, led.LeaderEpoch, led.PartitionEpoch = b2, 2, 2
	r.meta(&led)
	r.fire(mirror.TimerFetch)
	again, to := take[*wire.LowerOffsetsRequest](r)
	same(t, "again", []any{to, *again}, []any{b2, *second})
	none[*wire.MetadataRequest](r, "not lowered yet")
	r.lowered(again, b2, wire.OK)
	r.pump()
	same(t, "log", r.strip(), "0@0 1@0")
	none[*wire.LowerOffsetsRequest](grouped(t), "offset-reclamp=no")
}

// TestFirstRunLowersNothing: a leader that begins the first run asks nobody where alignment has cut nothing, and where it has
// cut, or a run was before, it does.
func TestFirstRunLowersNothing(t *testing.T) {
	r := groupedFrom(t, record.MirrorState{}, "offset-reclamp", "all")
	none[*wire.LowerOffsetsRequest](r, "nothing was cut")
	same(t, "log", r.strip(), "0@0 1@0")
	r.answer(takeMirrorFetch(r), wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 1, LogEnd: 1, HighWatermark: 1})
	take[*wire.LowerOffsetsRequest](r)
	take[*wire.LowerOffsetsRequest](groupedFrom(t, stored(record.Preparing), "offset-reclamp", "all"))
	take[*wire.LowerOffsetsRequest](groupedFrom(t, stored(record.Stopped), "offset-reclamp", "all"))
}

// TestLowersAfterDivergence: what the source does not have is cut, and nothing is fetched before the offsets are lowered.
func TestLowersAfterDivergence(t *testing.T) {
	r := grouped(t, "offset-reclamp", "synced")
	for _, b := range []id.Node{b1, b2} {
		m, _ := take[*wire.LowerOffsetsRequest](r)
		same(t, "synchronised ones only", m.All, false)
		r.lowered(m, b, wire.OK)
	}
	r.pump()
	r.answer(takeMirrorFetch(r), wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 1, LogEnd: 1, HighWatermark: 1})
	same(t, "log", r.strip(), "0@0")
	m, _ := take[*wire.LowerOffsetsRequest](r)
	same(t, "to the cut", []any{m.Offset, m.Epoch}, []any{int64(1), int32(0)})
	none[*wire.FetchRequest](r, "not lowered yet")
}

// TestBoundOffset: the leader bounds a source's offset by its log. One that has read another history, or that is fenced by D32,
// does not answer for it.
func TestBoundOffset(t *testing.T) {
	ask := func(r *rig, offset int64, epoch int32) wire.BoundOffsetResponse {
		r.message(b1, &wire.BoundOffsetRequest{Mirror: mirrorM, Partition: tp, Offset: offset, Epoch: epoch})
		res, _ := take[*wire.BoundOffsetResponse](r)
		return *res
	}
	answer := func(code wire.Code, offset int64, epoch int32) wire.BoundOffsetResponse {
		return wire.BoundOffsetResponse{Partition: tp, Code: code, Offset: offset, Epoch: epoch}
	}
	source := join(plain(0, 0, 2), plain(2, 3, 2))
	r := mirroring(t, source, "offset-clamp", "hw-and-epoch", "offset-after-stop", "fenced")
	for _, c := range []struct {
		what         string
		offset       int64
		epoch        int32
		wantedCode   wire.Code
		wantedOffset int64
		wantedEpoch  int32
	}{
		{"within the log", 3, 3, wire.OK, 3, 3},
		{"beyond it", 9, -1, wire.OK, 4, 3},
		{"without an epoch", 3, -1, wire.OK, 3, -1},
		{"of an epoch that ends below", 3, 0, wire.OK, 2, 0},
		{"of an epoch that the log does not know", 3, 5, wire.UnknownLeaderEpoch, -1, -1},
		{"of one that begins above", 2, 3, wire.UnknownLeaderEpoch, -1, -1},
		{"at the log start", 0, 0, wire.OK, 0, 0},
	} {
		same(t, c.what, ask(r, c.offset, c.epoch), answer(c.wantedCode, c.wantedOffset, c.wantedEpoch))
	}
	unread := newRig(t, "offset-after-stop", "fenced")
	unread.want(record.WantMirroring)
	same(t, "a leader that has not read the state", ask(unread, 0, 0), answer(wire.TopicNotInClusterMirror, -1, -1))
	r.want(record.WantPaused)
	r.pump()
	same(t, "paused", ask(r, 3, 3), answer(wire.TopicNotInClusterMirror, -1, -1))
	r = mirroring(t, source, "offset-after-stop", "continues")
	r.want(record.WantStopped)
	r.pump()
	same(t, "stopped, and D32=continues", ask(r, 3, 3), answer(wire.OK, 3, 3))
	same(t, "none bounds it", ask(r, 9, 3), answer(wire.OK, 9, 3))
	empty := mirroring(t, nil, "offset-clamp", "leo", "offset-floor", "log-start")
	same(t, "lowered to the start of an empty log", ask(empty, 3, 0), answer(wire.UnknownLeaderEpoch, -1, -1))
	empty.answer(takeMirrorFetch(empty), wire.FetchResponse{Code: wire.OffsetOutOfRange, HighWatermark: 10, LogEnd: 10, LogStart: 5})
	same(t, "raised to the log start", ask(empty, 3, 0), answer(wire.OK, 5, -1))
	same(t, "at the log start", ask(empty, 5, 0), answer(wire.OK, 5, 0))
	same(t, "lowered to it", ask(empty, 7, 0), answer(wire.UnknownLeaderEpoch, -1, -1))
	r.register(led(b1, 9))
	same(t, "not the leader", ask(r, 3, 3), answer(wire.NotLeaderOrFollower, -1, -1))
}
