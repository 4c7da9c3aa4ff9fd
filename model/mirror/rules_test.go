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
	const mirroring, paused, stopped = record.WantMirroring, record.WantPaused, record.WantStopped
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
		{mirroring, "illegal", record.EpochFencing, record.EpochFencing, 2},
		{mirroring, "illegal", record.UleRecovery, record.UleRecovery, 2},
		{mirroring, "illegal", record.Pausing, record.Pausing, 2},
		{mirroring, "illegal", record.Paused, record.Mirroring, 2},
		{mirroring, "illegal", record.Failed, record.Failed, 2},
		{paused, "illegal", record.Unknown, record.Preparing, 1},
		{paused, "illegal", record.Preparing, record.Preparing, 3},
		{paused, "illegal", record.EpochFencing, record.EpochFencing, 2},
		{paused, "illegal", record.UleRecovery, record.UleRecovery, 2},
		{paused, "illegal", record.Mirroring, record.Pausing, 2},
		{paused, "illegal", record.Pausing, record.Pausing, 2},
		{paused, "illegal", record.Paused, record.Paused, 2},
		{paused, "illegal", record.Stopping, record.Stopping, 2},
		{paused, "illegal", record.Stopped, record.Preparing, 3},
		{paused, "illegal", record.Failed, record.Failed, 2},
		{stopped, "illegal", record.Unknown, record.Unknown, 0},
		{stopped, "stopping", record.Unknown, record.Stopping, 0},
		{stopped, "illegal", record.Preparing, record.Stopping, 2},
		{stopped, "illegal", record.EpochFencing, record.Stopping, 2},
		{stopped, "illegal", record.UleRecovery, record.Stopping, 2},
		{stopped, "illegal", record.Mirroring, record.Stopping, 2},
		{stopped, "illegal", record.Pausing, record.Stopping, 2},
		{stopped, "illegal", record.Paused, record.Stopping, 2},
		{stopped, "illegal", record.Failed, record.Stopping, 2},
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
			aligned := stored(row.actual).Aligned
			if row.actual == record.Unknown {
				aligned = record.NoPosition
			}
			same(t, "write", m.Record, record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: tp,
				Life: life, State: row.write, Run: row.run, StateEpoch: stored(row.actual).StateEpoch, Aligned: aligned})
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
	same(t, "writes", r.writes, []string{"STOPPED"}) // asserted again
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
