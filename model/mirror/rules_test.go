package mirror_test

import (
	"fmt"
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestMirrors is the whole way in: UNKNOWN, PREPARING, MIRRORING, each stored before its action begins.
func TestMirrors(t *testing.T) {
	r := newRig(t)
	r.source = plain(0, 0, 3)
	r.want(record.WantMirroring)
	r.pump()
	same(t, "writes", r.writes, []string{"PREPARING", "MIRRORING"})
	same(t, "log", r.strip(), "0@0 1@0 2@0")
	same(t, "run", r.stored.Run, int32(1))
	state, lag := r.describe()
	same(t, "describe", []any{state, lag}, []any{record.Mirroring, "0"})
	same(t, "produce", r.produce(), wire.ReadOnlyTopic)
}

// stored is a state of run 2, state epoch 4, as an earlier leader has left it.
func stored(s record.State) record.MirrorState {
	if s == record.Unknown {
		return record.MirrorState{}
	}
	return record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: tp, State: s, Run: 2, StateEpoch: 4}
}

// TestRules: what a leader writes for the desired and the actual state (section 3 of the design, rules 2 and 4); "" where
// it writes nothing. D46 decides the stop of an UNKNOWN one. The run is raised where PREPARING is written.
func TestRules(t *testing.T) {
	const mirroring, stopped = record.WantMirroring, record.WantStopped
	for _, row := range []struct {
		desired record.Desired
		unknown string
		actual  record.State
		write   record.State // Unknown: none
		run     int32
	}{
		{mirroring, "illegal", record.Unknown, record.Preparing, 1},
		{mirroring, "illegal", record.Preparing, record.Preparing, 3},
		{mirroring, "illegal", record.Mirroring, record.Mirroring, 2},
		{mirroring, "illegal", record.Stopping, record.Stopping, 2},
		{mirroring, "illegal", record.Stopped, record.Preparing, 3},
		{stopped, "illegal", record.Unknown, record.Unknown, 0},
		{stopped, "stopping", record.Unknown, record.Stopping, 0},
		{stopped, "illegal", record.Preparing, record.Stopping, 2},
		{stopped, "illegal", record.Mirroring, record.Stopping, 2},
		{stopped, "illegal", record.Stopping, record.Stopping, 2},
		{stopped, "stopping", record.Stopped, record.Unknown, 2},
	} {
		t.Run(fmt.Sprintf("%s/%s/%s", row.desired, row.actual, row.unknown), func(t *testing.T) {
			r := newRig(t, "unknown-stop", row.unknown)
			r.stored = stored(row.actual)
			r.mute[wire.WriteMirrorStates] = true
			r.want(row.desired)
			none[*wire.WriteMirrorStatesRequest](r, "the state is not read yet")
			r.pump()
			if row.write == record.Unknown {
				none[*wire.WriteMirrorStatesRequest](r, "it stays")
				same(t, "entered", record.State(r.kinds(event.StateEntered)[0].To), row.actual)
				return
			}
			m, to := take[*wire.WriteMirrorStatesRequest](r)
			same(t, "coordinator", to, b2)
			same(t, "write", m.Record, record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: tp,
				State: row.write, Run: row.run, StateEpoch: stored(row.actual).StateEpoch})
			same(t, "entered before it is stored", len(r.kinds(event.StateEntered)), 0)
		})
	}
}

// TestNotDesired: a topic of no mirror is never asked for, and takes client writes.
func TestNotDesired(t *testing.T) {
	r := newRig(t)
	r.pump()
	none[*wire.ReadMirrorStatesRequest](r, "no desired state")
	same(t, "produce", r.produce(), wire.OK)
}

// TestFollowerDoesNothing: only the leader drives a partition.
func TestFollowerDoesNothing(t *testing.T) {
	r := unbooted(t)
	r.metadata[len(r.metadata)-1] = r.changed(led(b1, 0))
	r.boot()
	r.want(record.WantMirroring)
	r.pump()
	none[*wire.ReadMirrorStatesRequest](r, "a follower")
}

// TestNewLeaderReadsFirst is case S2: the new leader holds 6 records, the state is MIRRORING and the coordinator answers
// late. Nothing is looked up or cut; the fetch goes on from the local log end.
func TestNewLeaderReadsFirst(t *testing.T) {
	r := unbooted(t)
	r.holds(6, plain(0, 0, 6)...)
	r.metadata[len(r.metadata)-1] = r.changed(led(b1, 0))
	r.metadata = append(r.metadata, &record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorM, Desired: record.WantMirroring})
	r.boot()
	r.stored, r.source = stored(record.Mirroring), plain(0, 0, 8)
	r.mute[wire.ReadMirrorStates], r.mute[wire.Fetch] = true, true
	r.register(led(b0, 1))
	r.pump()
	none[*wire.WriteMirrorStatesRequest](r, "the coordinator has not answered")
	none[*wire.MetadataRequest](r, "the coordinator has not answered")
	r.mute[wire.ReadMirrorStates] = false
	r.pump()
	same(t, "writes", r.writes, []string{"MIRRORING"})
	none[*wire.LastMirroredPositionRequest](r, "no alignment")
	same(t, "truncated", len(r.kinds(event.Truncated)), 0)
	m := takeMirrorFetch(r)
	same(t, "fetch", []any{m.FetchOffset, m.LastFetchedEpoch, m.Replica}, []any{int64(6), int32(0), id.None})
	same(t, "leader epoch of the write", r.stored.LeaderEpoch, int32(1))
}

// takeMirrorFetch takes the mirror fetch that was sent.
func takeMirrorFetch(r *rig) *wire.FetchRequest {
	r.t.Helper()
	for i, s := range r.sent {
		if m, ok := s.Body.(*wire.FetchRequest); ok && m.Mirror {
			r.sent = slices.Delete(r.sent, i, i+1)
			same(r.t, "the source's leader", s.To, a0)
			return m
		}
	}
	r.t.Fatalf("b0 sent no mirror fetch but %s", r.pending())
	return nil
}

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

// TestLostLeadership: fetcher, timers and cached state go, and what the new leader's time has stored is read when this
// broker leads again.
func TestLostLeadership(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	fetch := takeMirrorFetch(r)
	r.register(led(b1, 1))
	same(t, "fetch stopped", len(r.kinds(event.MirrorFetchStopped)), 1)
	for _, op := range r.timers {
		if op.Timer.Kind >= mirror.TimerRetry && op.Timer.Kind <= mirror.TimerGather && op.Timer.Kind != mirror.TimerScan {
			t.Errorf("timer %d is armed", op.Timer.Kind)
		}
	}
	r.source = plain(0, 0, 3)
	r.message(a0, r.serve(fetch))
	same(t, "log", r.strip(), "0@0 1@0")
	same(t, "produce", r.produce(), wire.NotLeaderOrFollower)
	r.register(led(b0, 2))
	r.pump()
	same(t, "writes", r.writes, []string{"MIRRORING"})
	same(t, "log", r.strip(), "0@0 1@0 2@0")
}

// TestLostWhileAsking: the time-out of a request goes with the leadership.
func TestLostWhileAsking(t *testing.T) {
	r := newRig(t)
	r.mute[wire.LastMirroredPosition] = true
	r.want(record.WantMirroring)
	r.pump()
	asks := func(op node.TimerOp) bool { return op.Timer.Kind == mirror.TimerRetry }
	same(t, "before", slices.ContainsFunc(r.timers, asks), true)
	r.register(led(b1, 1))
	same(t, "after", slices.ContainsFunc(r.timers, asks), false)
}

// TestLostWithinOneAnswer: leadership goes to b1 and comes back in one answer of the metadata log. b0 has lost it all the
// same, so it reads the state: b1 may have gone on.
func TestLostWithinOneAnswer(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.stored.State, r.stored.StateEpoch = record.Stopped, 9
	r.meta(r.changed(led(b1, 1)), r.changed(led(b0, 2)), &record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorM, Desired: record.WantStopped})
	r.pump()
	same(t, "writes", r.writes, []string(nil))
	state, _ := r.describe()
	same(t, "state", state, record.Stopped)
	same(t, "truncated or appended", r.strip(), "0@0 1@0")
}

// TestBumpRestartsFetcher: a bump by somebody else is a leader-side change of the partition. It is no new leadership:
// nothing is read.
func TestBumpRestartsFetcher(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	takeMirrorFetch(r)
	r.register(func(p *record.PartitionRecord) { p.LeaderEpoch, p.Cause = 4, uint8(event.EpochBump) })
	none[*wire.ReadMirrorStatesRequest](r, "the same leader")
	_, lag := r.describe()
	same(t, "lag", lag, "unknown") // not heard in the present leader epoch
	r.pump()
	takeMirrorFetch(r)
	started := r.kinds(event.MirrorFetchStarted)
	same(t, "started in leader epoch", started[len(started)-1].LeaderEpoch, int32(4))
}

// TestAnotherMirror: a topic that another mirror takes begins with nothing known.
func TestAnotherMirror(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.meta(&record.MirrorRecord{Mirror: mirrorN, Name: "n", Source: clusterA, Bootstrap: []id.Node{a1}},
		&record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorN, Desired: record.WantMirroring})
	m, _ := take[*wire.ReadMirrorStatesRequest](r)
	same(t, "read of", m.Mirror, mirrorN)
	same(t, "fetch stopped", len(r.kinds(event.MirrorFetchStopped)), 1)
}

// TestNoLongerMirrored is rule 0: no desired state, so everything is dropped and nothing is stored.
func TestNoLongerMirrored(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.sent = nil
	r.want(record.WantNone)
	r.pump()
	same(t, "sent", r.pending(), "")
	same(t, "writes", r.writes, []string(nil))
	same(t, "fetch stopped", len(r.kinds(event.MirrorFetchStopped)), 1)
	same(t, "produce", r.produce(), wire.OK)
}

// TestWritable is D26 and case S12: a leader that has not read the state yet, of a topic that was stopped.
func TestWritable(t *testing.T) {
	for option, before := range map[string]wire.Code{"read-only": wire.ReadOnlyTopic, "writable": wire.OK} {
		t.Run(option, func(t *testing.T) {
			r := unbooted(t, "unknown-state", option)
			r.metadata = append(r.metadata, &record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorM, Desired: record.WantStopped})
			r.stored = stored(record.Stopped)
			r.boot()
			same(t, "not read yet", r.produce(), before)
			r.pump()
			same(t, "read", r.produce(), wire.OK)
			same(t, "writes", r.writes, []string(nil))
		})
	}
}

// TestWritableInNoOtherState: what is known and not STOPPED is read-only, whatever D26 says.
func TestWritableInNoOtherState(t *testing.T) {
	for _, s := range []record.State{record.Unknown, record.Preparing, record.Mirroring, record.Stopping} {
		r := newRig(t, "unknown-state", "writable")
		r.mute[wire.WriteMirrorStates] = true
		r.stored = stored(s)
		r.want(record.WantStopped)
		r.pump()
		same(t, s.String(), r.produce(), wire.ReadOnlyTopic)
	}
}

// TestReadOnlyAtOnce: a stopped topic is started again. From the moment that this broker sees it client writes are
// refused, before PREPARING is stored; the next run begins.
func TestReadOnlyAtOnce(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.want(record.WantStopped)
	r.pump()
	same(t, "stopped", r.produce(), wire.OK)
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantMirroring)
	same(t, "started", r.produce(), wire.ReadOnlyTopic)
	m, _ := take[*wire.WriteMirrorStatesRequest](r)
	same(t, "write", []any{m.Record.State, m.Record.Run}, []any{record.Preparing, int32(2)})
}

// TestStopWinsOverAlignment is case S6: the stop is asked while PREPARING waits for the source, for its replicas, or for
// a back-off to end.
func TestStopWinsOverAlignment(t *testing.T) {
	for _, stuck := range []string{"lookup", "replicas", "back-off"} {
		t.Run(stuck, func(t *testing.T) {
			r := newRig(t)
			switch stuck {
			case "lookup":
				r.mute[wire.LastMirroredPosition] = true
			case "replicas":
				r.follower = false
			case "back-off":
				r.lookup.Code = wire.CoordinatorLoadInProgress
			}
			r.want(record.WantMirroring)
			r.pump()
			same(t, "before", r.writes, []string{"PREPARING"})
			r.want(record.WantStopped)
			r.follower = true
			r.pump()
			same(t, "writes", r.writes, []string{"PREPARING", "STOPPING", "STOPPED"})
			same(t, "produce", r.produce(), wire.OK)
		})
	}
}

// TestStartDuringStop: a start that comes while the stop is under way lets it end, and then begins the next run.
func TestStartDuringStop(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.mute[wire.BumpLeaderEpoch] = true
	r.want(record.WantStopped)
	r.pump()
	r.want(record.WantMirroring)
	r.mute[wire.BumpLeaderEpoch], r.mute[wire.LastMirroredPosition] = false, true
	r.pump()
	same(t, "writes", r.writes, []string{"STOPPING", "position 0,-1", "STOPPED", "PREPARING"})
	same(t, "never writable", len(r.kinds(event.WritableChanged)), 0)
}
