package mirror_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/mirror"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// actsFirst is a rig of D17=act-first whose coordinator answers nothing; it has been asked to mirror what the source holds.
func actsFirst(t *testing.T, source []*record.Batch, sets ...string) *rig {
	t.Helper()
	r := newRig(t, append([]string{"persist-order", "act-first"}, sets...)...)
	r.source, r.mute[wire.WriteMirrorStates] = source, true
	r.want(record.WantMirroring)
	r.pump()
	return r
}

// nextWrite takes the write under way, and checks that there is no other and what it says.
func nextWrite(r *rig, want record.State) *wire.WriteMirrorStatesRequest {
	r.t.Helper()
	m, to := take[*wire.WriteMirrorStatesRequest](r)
	same(r.t, "to", to, b2)
	same(r.t, "write", []any{m.Record.Kind, m.Record.State}, []any{record.MirrorPartitionState, want})
	none[*wire.WriteMirrorStatesRequest](r, "one at a time")
	return m
}

// TestActFirst is D17=act-first: each action begins at once; the states are stored behind, one after the other, with the
// state epoch that the coordinator has answered.
func TestActFirst(t *testing.T) {
	r := actsFirst(t, plain(0, 0, 2))
	same(t, "MIRRORING before anything is stored", []any{r.strip(), r.stored.State}, []any{"0@0 1@0", record.Unknown})
	m := nextWrite(r, record.Preparing)
	same(t, "state epoch and run", []any{m.Record.StateEpoch, m.Record.Run, m.Record.Agreed}, []any{int32(0), int32(1), false})
	r.want(record.WantPaused)
	r.source = plain(0, 0, 3)
	r.pump()
	entered := r.kinds(event.StateEntered)
	same(t, "paused before anything is stored", []any{r.strip(), record.State(entered[len(entered)-1].To), r.stored.State},
		[]any{"0@0 1@0", record.Paused, record.Unknown})
	r.message(b2, r.write(m))
	for i, want := range []record.State{record.Mirroring, record.Pausing, record.Paused} {
		m = nextWrite(r, want)
		same(t, "state epoch", m.Record.StateEpoch, int32(i+1))
		r.message(b2, r.write(m))
	}
	none[*wire.WriteMirrorStatesRequest](r, "all is stored")
	_, armed := r.armed(mirror.TimerBehind)
	same(t, "timer", armed, false)
	same(t, "writes", r.writes, []string{"PREPARING", "MIRRORING", "PAUSING", "PAUSED"})
}

// TestPersistFirstDoesNot: under persist-first the same steps wait.
func TestPersistFirstDoesNot(t *testing.T) {
	r := actsFirst(t, plain(0, 0, 2), "persist-order", "persist-first")
	nextWrite(r, record.Preparing)
	same(t, "nothing is done", []any{r.strip(), len(r.kinds(event.StateEntered))}, []any{"", 0})
}

// TestActFirstStop: the topic is writable before STOPPED is stored; the position does not wait for the states.
func TestActFirstStop(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2), "persist-order", "act-first")
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantStopped)
	r.pump()
	states, positions := 0, 0
	for _, s := range r.sent {
		if m, ok := s.Body.(*wire.WriteMirrorStatesRequest); ok && m.Record.Kind == record.LastMirroredEpochs {
			r.message(b2, r.write(m))
			positions++
		} else if ok {
			states++
		}
	}
	r.pump()
	same(t, "writes under way", []int{states, positions}, []int{1, 1})
	same(t, "stopped", []any{r.stored.State, r.strip(), r.produce()}, []any{record.Mirroring, "0@0 1@0 2@1:reset", wire.OK})
	r.mute[wire.WriteMirrorStates] = false
	r.sent = dropPositions(r)
	r.pump()
	same(t, "in the end", r.writes, []string{"position 0,-1", "STOPPING", "STOPPED"})
}

// TestActFirstLostAnswer: without an answer the write is repeated, and a late answer to the first is not taken for one to
// the second.
func TestActFirstLostAnswer(t *testing.T) {
	r := actsFirst(t, nil)
	first := nextWrite(r, record.Preparing)
	same(t, "time-out", r.fire(mirror.TimerBehind).After, r.setting.FetchTimeout)
	second := nextWrite(r, record.Preparing)
	r.message(b2, &wire.WriteMirrorStatesResponse{Mirror: mirrorM, Partition: tp, Stored: first.Record, Correlation: first.Correlation})
	none[*wire.WriteMirrorStatesRequest](r, "a late answer")
	r.message(b2, r.write(second))
	nextWrite(r, record.Mirroring)
}

// TestActFirstRetried: a coordinator that has moved or loads is asked again after a back-off, with the same state; the
// action goes on.
func TestActFirstRetried(t *testing.T) {
	for _, code := range []wire.Code{wire.NotCoordinator, wire.CoordinatorLoadInProgress, wire.UnknownLeaderEpoch, wire.NotEnoughReplicas} {
		r := actsFirst(t, plain(0, 0, 2))
		m := nextWrite(r, record.Preparing)
		r.message(b2, refused(m, code))
		none[*wire.WriteMirrorStatesRequest](r, "before the back-off")
		r.source = plain(0, 0, 3)
		r.pump()
		same(t, code.String()+": it fetches on", r.strip(), "0@0 1@0 2@0")
		r.message(b2, r.write(m)) // late, and of no account
		none[*wire.WriteMirrorStatesRequest](r, "before the back-off")
		same(t, "back-off", r.fire(mirror.TimerBehind).After, r.setting.RetryBackoff)
		nextWrite(r, record.Preparing)
	}
}

// TestActFirstRefused: a write that is refused as old makes the leader forget what it has acted on, and read what is
// stored; that goes on.
func TestActFirstRefused(t *testing.T) {
	for _, code := range []wire.Code{wire.FencedLeaderEpoch, wire.FencedStateEpoch, wire.InvalidClusterMirrorState} {
		r := actsFirst(t, plain(0, 0, 2))
		m := nextWrite(r, record.Preparing)
		r.message(b2, refused(m, code))
		r.stored, r.mute[wire.WriteMirrorStates] = stored(record.Paused), false
		_, armed := r.armed(mirror.TimerBehind)
		same(t, "timer", armed, false)
		r.fire(mirror.TimerRetry)
		r.pump()
		same(t, code.String(), []any{r.writes, r.stored.Run, r.stored.StateEpoch}, []any{[]string{"MIRRORING"}, int32(2), int32(5)})
	}
}

// TestActFirstCoordinatorMoves: with the coordinator go the writes that are not stored: what it holds counts, and PREPARING
// begins anew.
func TestActFirstCoordinatorMoves(t *testing.T) {
	r := actsFirst(t, plain(0, 0, 2))
	m := nextWrite(r, record.Preparing)
	r.mute[wire.ReadMirrorStates] = true
	r.meta(coordinatorMoved())
	_, armed := r.armed(mirror.TimerBehind)
	same(t, "timer", armed, false)
	r.message(b2, &wire.WriteMirrorStatesResponse{Mirror: mirrorM, Partition: tp, Stored: m.Record, Correlation: m.Correlation})
	none[*wire.WriteMirrorStatesRequest](r, "nothing is behind")
	r.mute[wire.ReadMirrorStates], r.mute[wire.WriteMirrorStates] = false, false
	r.pump()
	same(t, "writes", r.writes, []string{"PREPARING", "MIRRORING"})
}

// TestActFirstLosesLeadership: what is not stored goes with the leadership; a late answer is of no account.
func TestActFirstLosesLeadership(t *testing.T) {
	r := actsFirst(t, plain(0, 0, 2))
	m := nextWrite(r, record.Preparing)
	r.register(led(b1, 1))
	_, armed := r.armed(mirror.TimerBehind)
	same(t, "timer", armed, false)
	r.message(b2, r.write(m))
	r.pump()
	none[*wire.WriteMirrorStatesRequest](r, "it does not lead")
	r.mute[wire.WriteMirrorStates] = false
	r.lookup = found(0, -1)
	r.register(led(b0, 2))
	r.pump()
	same(t, "leads again", r.writes, []string{"PREPARING", "PREPARING", "MIRRORING"})
	same(t, "run", r.stored.Run, int32(2))
}

// TestActFirstLeaderEpoch: a write is sent with the leader epoch of its sending, not of its action.
func TestActFirstLeaderEpoch(t *testing.T) {
	r := actsFirst(t, nil)
	m := nextWrite(r, record.Preparing)
	r.bumped(4)
	r.message(b2, r.write(m))
	same(t, "leader epochs", []int32{m.Record.LeaderEpoch, nextWrite(r, record.Mirroring).Record.LeaderEpoch}, []int32{0, 4})
}

// TestActFirstFails: FAILED waits for its retry at once, and remembers what it failed from.
func TestActFirstFails(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2), "persist-order", "act-first")
	r.mute[wire.WriteMirrorStates] = true
	r.corrupt()
	m := nextWrite(r, record.Failed)
	same(t, "write", []any{m.Record.Reason, m.Record.Attempts}, []any{record.CorruptBatch, int16(1)})
	r.source = plain(0, 0, 3)
	r.fire(mirror.TimerFailure)
	r.pump()
	same(t, "tried again before it is stored", r.strip(), "0@0 1@0 2@0")
	r.message(b2, r.write(m))
	r.mute[wire.WriteMirrorStates] = false
	r.pump()
	same(t, "writes", attempts(r), "FAILED:1 MIRRORING:1 MIRRORING:0")
}

// TestActFirstEndsWaits: what the state before waited for ends with it: the lookup that fails is not asked again, and no
// duplicate of its answer is taken for another.
func TestActFirstEndsWaits(t *testing.T) {
	r := newRig(t, "persist-order", "act-first")
	r.mute[wire.LastMirroredPosition], r.mute[wire.WriteMirrorStates] = true, true
	r.want(record.WantMirroring)
	r.pump()
	m, to := take[*wire.LastMirroredPositionRequest](r)
	for range 2 {
		r.message(to, &wire.LastMirroredPositionResponse{Partition: tp, Code: wire.InvalidClusterMirrorState, Epoch: -1, Offset: -1, Correlation: m.Correlation})
	}
	_, armed := r.armed(mirror.TimerRetry)
	op, _ := r.armed(mirror.TimerFailure)
	same(t, "time-out and retry", []any{armed, op.After}, []any{false, r.setting.FailureRetry})
}

// TestActFirstEarlyStopped: STOPPED is acted on before the reset (D27), and none is written twice.
func TestActFirstEarlyStopped(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2), "persist-order", "act-first", "stopped-when", "before-reset")
	r.mute[wire.BumpLeaderEpoch] = true
	r.stop()
	r.follower, r.mute[wire.BumpLeaderEpoch] = false, false
	r.pump()
	same(t, "the reset is not acknowledged", []any{r.strip(), r.stored.State, r.produce()},
		[]any{"0@0 1@0 2@1:reset", record.Stopped, wire.ReadOnlyTopic})
	r.follower = true
	r.pump()
	same(t, "acknowledged", []any{r.writes, r.produce()}, []any{[]string{"STOPPING", "position 0,-1", "STOPPED"}, wire.OK})
}

// dropPositions is what b0 sent, without writes of a position.
func dropPositions(r *rig) (kept []node.Send) {
	for _, s := range r.sent {
		if m, ok := s.Body.(*wire.WriteMirrorStatesRequest); !ok || m.Record.Kind != record.LastMirroredEpochs {
			kept = append(kept, s)
		}
	}
	return kept
}
