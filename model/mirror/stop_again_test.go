package mirror_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestFirstResetBehindMirroredOne: the newest batch is a reset, which the source had from a stop of its own (case F8). D53 is
// about a stop that runs again: the first run appends its reset whatever the option.
func TestFirstResetBehindMirroredOne(t *testing.T) {
	for _, option := range []string{"again", "skip-if-last-batch-is-reset"} {
		r := mirroring(t, join(plain(0, 0, 2), []*record.Batch{record.NewReset().At(2, 1)}), "reset-rerun", option)
		same(t, option+": mirrored", r.strip(), "0@0 1@0 2@1:reset")
		r.stop()
		same(t, option+": stopped", r.strip(), "0@0 1@0 2@1:reset 3@2:reset")
	}
}

// TestRepeatAwaitsMarkers: b0 crashes when it has appended the ABORT marker and b1 does not have it yet. The stop runs again,
// finds no open transaction, and waits for the ISR to have that marker all the same: markers are appended with acks=all.
func TestRepeatAwaitsMarkers(t *testing.T) {
	r := mirroring(t, []*record.Batch{transactional(0, 0, 4, 1, 0)})
	r.follower = false
	r.stop()
	same(t, "appended", r.strip(), "0@0 1@1:abort")
	r.restart()
	same(t, "steps before b1 has the marker", r.steps(), []string{"fetchers", "record", "bump"})
	same(t, "log", r.strip(), "0@0 1@1:abort")
	r.follower = true
	r.pump()
	same(t, "steps", r.steps(), []string{"fetchers", "record", "bump", "transactions", "reset"})
	same(t, "log in the end", r.strip(), "0@0 1@1:abort 2@3:reset")
}

// TestLeftPoint: under act-first the stop is at its first point when the same answer of the metadata log tells that the
// coordinator has moved. The state is read again; the partition is at no point any more, and the step does not yield there.
func TestLeftPoint(t *testing.T) {
	r := actsFirst(t, plain(0, 0, 2))
	r.mute[wire.WriteMirrorStates] = false
	r.pump()
	r.mute[wire.ReadMirrorStates], r.points = true, nil
	r.meta(&record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorM, Desired: record.WantStopped}, coordinatorMoved())
	same(t, "points", len(r.points), 0)
	r.mute[wire.ReadMirrorStates] = false
	r.pump()
	same(t, "points of the stop", r.points[:2], []point.Point{point.FetcherRemoved, point.PositionRecorded})
	same(t, "state", r.stored.State, record.Stopped)
}

// TestOwnPosition is D22=latest-run-or-own: b0 asks its own cluster first, then the source, and goes by the greater answer. The
// history has both, each as it was given.
func TestOwnPosition(t *testing.T) {
	for _, row := range []struct {
		own, source wire.LastMirroredPositionResponse
		end         int64
	}{
		{found(3, -1), wire.LastMirroredPositionResponse{Epoch: -1, Offset: -1}, 4},
		{found(3, -1), found(1, -1), 4},
		{found(1, -1), found(3, -1), 4},
		{wire.LastMirroredPositionResponse{Epoch: -1, Offset: -1}, found(1, -1), 2},
		{wire.LastMirroredPositionResponse{Epoch: -1, Offset: -1}, wire.LastMirroredPositionResponse{Epoch: -1, Offset: -1}, 0},
	} {
		r := newRig(t, "lookup-over", "latest-run-or-own")
		r.holds(5, oldSource()...)
		r.mute[wire.LastMirroredPosition], r.mute[wire.Metadata] = true, true
		r.want(record.WantMirroring)
		r.pump()
		own, to := take[*wire.LastMirroredPositionRequest](r)
		same(t, "own", []any{to, own.Own, int(own.Asker)}, []any{b0, true, 0})
		answer := func(m *wire.LastMirroredPositionRequest, res wire.LastMirroredPositionResponse) {
			res.Partition, res.Correlation = tp, m.Correlation
			r.message(to, &res)
		}
		answer(own, row.own)
		asked, to := take[*wire.LastMirroredPositionRequest](r)
		same(t, "the source's", []any{to == b0, asked.Own}, []any{false, false})
		answer(asked, row.source)
		r.pump()
		same(t, "log end", r.end(), row.end)
		for kind, want := range map[event.Kind]wire.LastMirroredPositionResponse{event.PositionRecalled: row.own, event.LookupReturned: row.source} {
			e := r.kinds(kind)
			same(t, "event", []any{len(e), e[0].BatchEpoch, e[0].Cause == 1}, []any{1, want.Epoch, want.Found})
		}
	}
}
