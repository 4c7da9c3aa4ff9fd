package mirror_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestPersistThenAct: the action begins once the write is acknowledged, and no sooner.
func TestPersistThenAct(t *testing.T) {
	r := newRig(t)
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantMirroring)
	r.pump()
	none[*wire.LastMirroredPositionRequest](r, "PREPARING is not stored")
	m, _ := take[*wire.WriteMirrorStatesRequest](r)
	r.message(b2, r.write(m))
	r.pump() // the lookup, the cut, the followers; then MIRRORING is to be stored
	none[*wire.MetadataRequest](r, "MIRRORING is not stored")
	m, _ = take[*wire.WriteMirrorStatesRequest](r)
	same(t, "second write", m.Record.State, record.Mirroring)
	same(t, "state epoch that it has read", m.Record.StateEpoch, int32(1))
}

// TestWriteIsRetried: a coordinator that has moved, loads, or lags behind the writer's leader epoch is asked again after
// a back-off; a refusal that says that the writer's belief is old leads to a read.
func TestWriteIsRetried(t *testing.T) {
	for code, again := range map[wire.Code]bool{
		wire.NotCoordinator: true, wire.CoordinatorLoadInProgress: true, wire.UnknownLeaderEpoch: true, wire.NotEnoughReplicas: true,
		wire.FencedLeaderEpoch: false, wire.FencedStateEpoch: false, wire.InvalidClusterMirrorState: false,
	} {
		t.Run(code.String(), func(t *testing.T) {
			r := newRig(t)
			r.mute[wire.WriteMirrorStates] = true
			r.want(record.WantMirroring)
			r.pump()
			first, _ := take[*wire.WriteMirrorStatesRequest](r)
			r.message(b2, refused(first, code))
			r.pump()
			none[*wire.WriteMirrorStatesRequest](r, "before the back-off")
			r.mute[wire.ReadMirrorStates] = true
			r.fire(mirror.TimerRetry)
			r.pump()
			if !again {
				take[*wire.ReadMirrorStatesRequest](r)
				none[*wire.WriteMirrorStatesRequest](r, "it is to read first")
				return
			}
			none[*wire.ReadMirrorStatesRequest](r, "it knows the state")
			second, _ := take[*wire.WriteMirrorStatesRequest](r)
			same(t, "the same write", second.Record, first.Record)
			if second.Correlation == first.Correlation {
				t.Error("the second write has the correlation of the first")
			}
		})
	}
}

func refused(m *wire.WriteMirrorStatesRequest, code wire.Code) *wire.WriteMirrorStatesResponse {
	return &wire.WriteMirrorStatesResponse{Mirror: m.Record.Mirror, Partition: m.Record.Partition, Code: code, Stored: m.Record, Correlation: m.Correlation}
}

// TestBackoffDoubles: 100 ms doubling to 1 s, and 100 ms again after a success.
func TestBackoffDoubles(t *testing.T) {
	r := newRig(t)
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantMirroring)
	r.pump()
	refuse := func() id.Duration {
		m, _ := take[*wire.WriteMirrorStatesRequest](r)
		r.message(b2, refused(m, wire.NotCoordinator))
		return r.fire(mirror.TimerRetry).After
	}
	var got []id.Duration
	for range 6 {
		got = append(got, refuse())
	}
	m, _ := take[*wire.WriteMirrorStatesRequest](r)
	r.message(b2, r.write(m))
	r.pump()
	got = append(got, refuse())
	ms := func(n id.Duration) id.Duration { return n * id.Millisecond }
	same(t, "back-offs", got, []id.Duration{ms(100), ms(200), ms(400), ms(800), ms(1000), ms(1000), ms(100)})
}

// TestScanDoesNotStartTheRunTwice: the periodic scan comes while the write of PREPARING is in its back-off. The write goes
// on as it is: the run is raised once.
func TestScanDoesNotStartTheRunTwice(t *testing.T) {
	r := newRig(t)
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantMirroring)
	r.pump()
	m, _ := take[*wire.WriteMirrorStatesRequest](r)
	r.message(b2, refused(m, wire.NotCoordinator))
	r.fire(mirror.TimerScan)
	none[*wire.WriteMirrorStatesRequest](r, "the back-off is not over")
	r.fire(mirror.TimerRetry)
	m, _ = take[*wire.WriteMirrorStatesRequest](r)
	same(t, "run", m.Record.Run, int32(1))
}

// TestLostAnswers: a read and a write whose answers are lost are asked again after the time-out, and a late answer to the
// first is not taken for one to the second.
func TestLostAnswers(t *testing.T) {
	r := newRig(t)
	r.mute[wire.ReadMirrorStates], r.mute[wire.WriteMirrorStates] = true, true
	r.want(record.WantMirroring)
	old, _ := take[*wire.ReadMirrorStatesRequest](r)
	r.fire(mirror.TimerRetry)
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, State: stored(record.Stopped), Correlation: old.Correlation})
	none[*wire.WriteMirrorStatesRequest](r, "a late answer")
	m, _ := take[*wire.ReadMirrorStatesRequest](r)
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, Correlation: m.Correlation})
	first, _ := take[*wire.WriteMirrorStatesRequest](r)
	r.fire(mirror.TimerRetry)
	second, _ := take[*wire.WriteMirrorStatesRequest](r)
	same(t, "the same write", second.Record, first.Record)
	r.message(b2, r.write(first))
	r.pump()
	same(t, "entered by a late answer", len(r.kinds(event.StateEntered)), 0)
	r.message(b2, r.write(second))
	same(t, "entered", len(r.kinds(event.StateEntered)), 1)
}

// TestCoordinatorMoved: a partition whose coordinator has moved reads its state again, whatever it waits for, and the
// rules run. STOPPED stays, and stays writable (case S7); MIRRORING is asserted anew, without alignment.
func TestCoordinatorMoved(t *testing.T) {
	moved := coordinatorMoved()
	for _, muted := range []wire.API{wire.ReadMirrorStates, wire.WriteMirrorStates} {
		r := newRig(t)
		r.mute[muted] = true
		r.want(record.WantMirroring)
		r.pump()
		r.sent = nil
		r.meta(moved)
		_, to := take[*wire.ReadMirrorStatesRequest](r)
		same(t, "asked for the read", to, b1)
	}
	for _, c := range []struct {
		desired record.Desired
		writes  int
	}{{record.WantMirroring, 1}, {record.WantStopped, 0}} {
		r := mirroring(t, plain(0, 0, 2))
		r.want(c.desired)
		r.pump()
		state, before, cuts := r.stored.State, len(r.writes), len(r.kinds(event.Truncated))
		r.meta(moved)
		r.pump()
		same(t, "state", r.stored.State, state)
		same(t, "writes in "+state.String(), len(r.writes)-before, c.writes)
		same(t, "cuts in "+state.String(), len(r.kinds(event.Truncated)), cuts)
		if c.desired == record.WantStopped {
			for _, e := range r.kinds(event.WritableChanged) {
				same(t, "writable", e.To, uint8(1))
			}
		}
	}
}

// coordinatorMoved elects b1 as the coordinator.
func coordinatorMoved() *record.PartitionRecord {
	return &record.PartitionRecord{Partition: stateTP, Replicas: []id.Node{b2, b1}, ISR: id.SetOf(b2, b1), Leader: b1, LeaderEpoch: 1, PartitionEpoch: 1}
}

// TestCoordinatorMovedDuringStop: the stop waits for its bump when the coordinator moves; it runs again from its first
// step, once the new coordinator has loaded. A scan before that starts nothing.
func TestCoordinatorMovedDuringStop(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.mute[wire.BumpLeaderEpoch], r.mute[wire.WriteMirrorStates] = true, false
	r.stop()
	r.mute[wire.ReadMirrorStates] = true
	r.sent = nil
	r.meta(coordinatorMoved())
	m, _ := take[*wire.ReadMirrorStatesRequest](r)
	r.fire(mirror.TimerScan)
	none[*wire.WriteMirrorStatesRequest](r, "the coordinator has not answered")
	r.message(b1, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, Code: wire.CoordinatorLoadInProgress, Correlation: m.Correlation})
	r.fire(mirror.TimerScan)
	none[*wire.WriteMirrorStatesRequest](r, "the coordinator is loading")
	r.mute[wire.ReadMirrorStates], r.mute[wire.BumpLeaderEpoch] = false, false
	r.fire(mirror.TimerRetry)
	r.pump()
	same(t, "steps", r.steps(), []string{"fetchers", "record", "fetchers", "record", "bump", "transactions", "reset"})
	same(t, "state", r.stored.State, record.Stopped)
}

// TestCoordinatorMovedBeforeReset: STOPPED is stored before the reset (D27), and the reset is not acknowledged when the
// coordinator moves. The topic is not writable before it is.
func TestCoordinatorMovedBeforeReset(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2), "stopped-when", "before-reset")
	r.mute[wire.BumpLeaderEpoch] = true
	r.stop()
	r.follower, r.mute[wire.BumpLeaderEpoch] = false, false
	r.pump()
	r.meta(coordinatorMoved())
	r.pump()
	same(t, "before", []any{r.stored.State, r.produce()}, []any{record.Stopped, wire.ReadOnlyTopic})
	r.follower = true
	r.pump()
	same(t, "after", []any{r.strip(), r.produce()}, []any{"0@0 1@0 2@1:reset", wire.OK})
}

// TestCoordinatorForgot: the partition is STOPPED and writable when the coordinator moves, and the new one holds less. It
// is read-only once that is known, before anything is stored.
func TestCoordinatorForgot(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.stop()
	r.mute[wire.WriteMirrorStates] = true
	r.meta(coordinatorMoved())
	same(t, "not read yet", r.produce(), wire.OK)
	r.stored.State = record.Stopping
	r.pump()
	same(t, "read", r.produce(), wire.ReadOnlyTopic)
}

// TestCoordinatorStays: an ISR change of __mirror_state, or the move of another partition of it, is no move.
func TestCoordinatorStays(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.sent = nil
	r.meta(&record.PartitionRecord{Partition: stateTP, Replicas: []id.Node{b2, b1}, ISR: id.SetOf(b2, b1), Leader: b2, PartitionEpoch: 1})
	elsewhere := id.Partition{Topic: stateTP.Topic, Index: 1}
	for epoch := range int32(2) {
		r.meta(&record.PartitionRecord{Partition: elsewhere, Replicas: []id.Node{b1}, ISR: id.SetOf(b1), Leader: b1, LeaderEpoch: epoch, PartitionEpoch: epoch})
	}
	same(t, "sent", r.pending(), "")
}

// TestCoordinatorKnowsBetter: a coordinator that has moved holds STOPPED where this leader was MIRRORING: the fetcher goes.
func TestCoordinatorKnowsBetter(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	fetch := takeMirrorFetch(r)
	r.meta(coordinatorMoved())
	r.want(record.WantStopped)
	r.stored.State = record.Stopped
	r.pump()
	r.source = plain(0, 0, 3)
	r.message(a0, r.serve(fetch))
	same(t, "log and writes", []any{r.strip(), r.writes}, []any{"0@0 1@0", []string(nil)})
	same(t, "fetcher", len(r.kinds(event.MirrorFetchStopped)), 1)
}

// TestRefusedLeaderStopsFetching: the write of STOPPING is fenced, so another leader may have gone on. Until the state is
// read again nothing is fetched, and what is under way is not appended.
func TestRefusedLeaderStopsFetching(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	fetch := takeMirrorFetch(r)
	r.mute[wire.WriteMirrorStates], r.mute[wire.ReadMirrorStates] = true, true
	r.want(record.WantStopped)
	m, _ := take[*wire.WriteMirrorStatesRequest](r)
	r.message(b2, refused(m, wire.FencedStateEpoch))
	r.fire(mirror.TimerRetry)
	r.source = plain(0, 0, 3)
	r.message(a0, r.serve(fetch))
	same(t, "log", r.strip(), "0@0 1@0")
	r.mute[wire.ReadMirrorStates] = false
	r.stored.State = record.Stopped
	r.pump()
	none[*wire.FetchRequest](r, "STOPPED")
	same(t, "produce", r.produce(), wire.OK)
}
