package mirror_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// leads boots b0, whose coordinator holds s of tp, as the new leader, and plays until it is quiet.
func leads(t *testing.T, s record.MirrorState, desired record.Desired, sets ...string) *rig {
	t.Helper()
	r := newRig(t, sets...)
	r.stored = s
	r.want(desired)
	r.pump()
	return r
}

// failedFrom is a FAILED of run 2 that an earlier leader has left, with that many attempts.
func failedFrom(previous record.State, attempts int16, why record.Reason) record.MirrorState {
	s := stored(record.Failed)
	s.Previous, s.Attempts, s.Reason = previous, attempts, why
	return s
}

// spoiled is a batch at offset whose bytes are not those of its CRC.
func spoiled(offset int64, epoch int32) *record.Batch {
	b := *plain(offset, epoch, 1)[0]
	b.CRC++
	return &b
}

// corrupt fails the partition, which is MIRRORING: the source's next batch is corrupt.
func (r *rig) corrupt() {
	r.t.Helper()
	m := newestMirrorFetch(r)
	end := m.FetchOffset + 1
	r.answer(m, wire.FetchResponse{HighWatermark: end, LogEnd: end, Batches: []*record.Batch{spoiled(m.FetchOffset, r.srcEpoch)}})
	r.pump()
}

// failure is what is stored of it: state, reason and attempts.
func (r *rig) failure() []any { return []any{r.stored.State, r.stored.Reason, r.stored.Attempts} }

// TestFailedByPrevious is rule 1: a leader that finds FAILED stores it again, with its reason and attempts, and waits. When
// the timer fires the rules run with the previous state as the actual one; EPOCH_FENCING, ULE_RECOVERY and PAUSING count as
// MIRRORING, UNKNOWN as itself. As FAILED to PAUSING is no legal edge, a pause goes by MIRRORING.
func TestFailedByPrevious(t *testing.T) {
	const begun, paused = "PREPARING MIRRORING", " PAUSING PAUSED"
	for _, row := range []struct {
		desired  record.Desired
		previous record.State
		want     string
	}{
		{record.WantMirroring, record.Unknown, begun},
		{record.WantMirroring, record.Preparing, begun},
		{record.WantMirroring, record.EpochFencing, "MIRRORING"},
		{record.WantMirroring, record.UleRecovery, "MIRRORING"},
		{record.WantMirroring, record.Mirroring, "MIRRORING"},
		{record.WantMirroring, record.Pausing, "MIRRORING"},
		{record.WantMirroring, record.Paused, "MIRRORING"},
		{record.WantMirroring, record.Stopping, "STOPPING STOPPED " + begun},
		{record.WantPaused, record.Unknown, begun + paused},
		{record.WantPaused, record.Preparing, begun + paused},
		{record.WantPaused, record.EpochFencing, "MIRRORING" + paused},
		{record.WantPaused, record.UleRecovery, "MIRRORING" + paused},
		{record.WantPaused, record.Mirroring, "MIRRORING" + paused},
		{record.WantPaused, record.Pausing, "MIRRORING" + paused},
		{record.WantPaused, record.Stopping, "STOPPING STOPPED " + begun + paused},
	} {
		t.Run(fmt.Sprintf("%s/%s", row.desired, row.previous), func(t *testing.T) {
			r := leads(t, failedFrom(row.previous, 3, record.CorruptBatch), row.desired)
			same(t, "stored again", r.writes, []string{"FAILED"})
			same(t, "as", append(r.failure(), r.stored.Previous), []any{record.Failed, record.CorruptBatch, int16(3), row.previous})
			r.fire(mirror.TimerScan)
			r.pump()
			same(t, "a scan changes nothing", len(r.writes), 1)
			r.fire(mirror.TimerFailure)
			r.pump()
			same(t, "tried again", fmt.Sprint(r.writes[1:]), "["+row.want+"]")
		})
	}
}

// TestFailedAgainBeforeAlignment: a failure in PREPARING is not taken for the one in MIRRORING of an earlier run: what is
// tried again is the alignment.
func TestFailedAgainBeforeAlignment(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.corrupt()
	r.fire(mirror.TimerFailure)
	r.pump()
	r.stop()
	r.lookup.Code, r.writes = wire.InvalidClusterMirrorState, nil
	r.want(record.WantMirroring)
	r.pump()
	same(t, "failed", r.failure(), []any{record.Failed, record.ReverseActive, int16(1)})
	r.lookup = found(0, -1)
	r.fire(mirror.TimerFailure)
	r.pump()
	same(t, "writes", r.writes, []string{"PREPARING", "FAILED", "PREPARING", "MIRRORING"})
}

// TestRetries is the default of FAILED: 1 s doubling to 300 s with 20 % jitter, 100 times and 27,811 s in all. After that
// nothing brings it on but RecoverMirrorTopics, which counts anew.
func TestRetries(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	var delays []id.Duration
	total := id.Duration(0)
	for {
		r.corrupt()
		op, ok := r.armed(mirror.TimerFailure)
		if !ok {
			break
		}
		delays, total = append(delays, op.After/id.Second), total+op.After
		same(t, "jitter", op.Jitter, op.After/5)
		same(t, "failed", append(r.failure(), r.stored.Previous), []any{record.Failed, record.CorruptBatch, int16(len(delays)), record.Mirroring})
		r.fire(mirror.TimerFailure)
		r.pump()
		same(t, "tried again", []any{r.stored.State, r.stored.Attempts}, []any{record.Mirroring, int16(len(delays))})
	}
	same(t, "first delays", delays[:12], []id.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300})
	same(t, "times and seconds", []any{len(delays), total}, []any{100, 27_811 * id.Second})
	same(t, "exhausted", r.failure(), []any{record.Failed, record.CorruptBatch, int16(101)})
	r.fire(mirror.TimerScan)
	r.pump()
	same(t, "after a scan", r.stored.State, record.Failed)
	r.askRecovery()
	r.pump()
	same(t, "recovered", []any{r.stored.State, r.stored.Attempts}, []any{record.Mirroring, int16(0)})
	r.corrupt()
	op, _ := r.armed(mirror.TimerFailure)
	same(t, "the first delay again", op.After, id.Second)
}

// TestRetriesByNewLeader: the back-off goes on where the earlier leader was, exhausted or not.
func TestRetriesByNewLeader(t *testing.T) {
	for attempts, want := range map[int16]id.Duration{1: 1, 4: 8, 9: 256, 10: 300, 100: 300, 101: 0} {
		r := leads(t, failedFrom(record.Mirroring, attempts, record.SourceUnreachable), record.WantMirroring)
		op, armed := r.armed(mirror.TimerFailure)
		same(t, fmt.Sprint("after ", attempts), []any{armed, op.After}, []any{want > 0, want * id.Second})
	}
}

// TestNotRetryable: attempts -1, no timer, and no leader tries it again by itself.
func TestNotRetryable(t *testing.T) {
	r := leads(t, failedFrom(record.Mirroring, record.NotRetryable, record.SourceReplaced), record.WantMirroring)
	same(t, "stored again", r.failure(), []any{record.Failed, record.SourceReplaced, int16(record.NotRetryable)})
	_, armed := r.armed(mirror.TimerFailure)
	same(t, "timer", armed, false)
	r.fire(mirror.TimerScan)
	r.pump()
	same(t, "after a scan", r.writes, []string{"FAILED"})
}

// TestOldRetryTimer: the timer of an earlier failure does not try again what is not retryable.
func TestOldRetryTimer(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2), "source-deleted", "fail")
	r.corrupt()
	r.mute[wire.Metadata] = true
	r.askRecovery() // at once; the timer is armed still
	r.pump()
	for range 2 {
		m, to := take[*wire.MetadataRequest](r)
		r.message(to, &wire.MetadataResponse{Partition: tp, Code: wire.UnknownTopicOrPartition, Correlation: m.Correlation})
		if _, waits := r.armed(mirror.TimerFetch); waits {
			r.fire(mirror.TimerFetch)
		}
	}
	r.pump()
	same(t, "failed", r.failure(), []any{record.Failed, record.SourceDeleted, int16(record.NotRetryable)})
	_, armed := r.armed(mirror.TimerFailure)
	same(t, "timer", armed, false)
}

// TestAttemptsReset: the attempts are counted anew from PREPARING, STOPPED and PAUSED on, and from the first good fetch; not
// from anything else.
func TestAttemptsReset(t *testing.T) {
	for _, row := range []struct {
		previous record.State
		desired  record.Desired
		want     string
	}{
		{record.Preparing, record.WantMirroring, "FAILED:5 PREPARING:0 MIRRORING:0"},
		{record.Mirroring, record.WantMirroring, "FAILED:5 MIRRORING:5 MIRRORING:0"},
		{record.Mirroring, record.WantPaused, "FAILED:5 MIRRORING:5 PAUSING:5 PAUSED:0"},
		{record.Mirroring, record.WantStopped, "STOPPING:5 STOPPED:0"},
	} {
		t.Run(fmt.Sprintf("%s/%s", row.previous, row.desired), func(t *testing.T) {
			r := leads(t, failedFrom(row.previous, 5, record.CorruptBatch), row.desired)
			r.source = plain(0, 0, 2)
			if row.desired != record.WantStopped {
				r.fire(mirror.TimerFailure)
			}
			r.pump()
			same(t, "writes", attempts(r), row.want)
		})
	}
}

// attempts are the states written, each with its attempts.
func attempts(r *rig) string {
	words := ""
	for i, s := range r.records {
		if i > 0 {
			words += " "
		}
		words += fmt.Sprintf("%s:%d", s.State, s.Attempts)
	}
	return words
}

// TestAttemptsResetLater: the first good fetch comes while MIRRORING is being stored with the attempts before, as the
// coordinator has moved. In the end none are stored.
func TestAttemptsResetLater(t *testing.T) {
	r := leads(t, failedFrom(record.Mirroring, 5, record.CorruptBatch), record.WantMirroring)
	r.fire(mirror.TimerFailure)
	r.pump()
	r.mute[wire.WriteMirrorStates] = true
	r.meta(coordinatorMoved())
	r.pump()
	r.source = plain(0, 0, 1)
	r.pump()
	same(t, "fetched", r.strip(), "0@0")
	r.mute[wire.WriteMirrorStates] = false
	r.pump()
	r.source = plain(0, 0, 2)
	r.pump()
	same(t, "writes", attempts(r), "FAILED:5 MIRRORING:5 MIRRORING:5 MIRRORING:0")
}

// TestStaysWell: a good fetch without a failure before stores nothing.
func TestStaysWell(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.source = plain(0, 0, 3)
	r.pump()
	same(t, "log and writes", []any{r.strip(), r.writes}, []any{"0@0 1@0 2@0", []string(nil)})
}

// TestRecover: RecoverMirrorTopics brings FAILED on at once, retryable or not, back to the state that it failed from.
func TestRecover(t *testing.T) {
	for _, row := range []struct {
		attempts int16
		reason   record.Reason
		previous record.State
		want     string
	}{
		{5, record.CorruptBatch, record.Mirroring, "FAILED:5 MIRRORING:0"},
		{101, record.CorruptBatch, record.Mirroring, "FAILED:101 MIRRORING:0"},
		{-1, record.SourceReplaced, record.Mirroring, "FAILED:-1 MIRRORING:0"},
		{-1, record.SourceDiverged, record.UleRecovery, "FAILED:-1 MIRRORING:0"},
		{-1, record.PositionMissing, record.Preparing, "FAILED:-1 PREPARING:0 MIRRORING:0"},
	} {
		r := leads(t, failedFrom(row.previous, row.attempts, row.reason), record.WantMirroring)
		r.askRecovery()
		r.pump()
		same(t, row.reason.String(), attempts(r), row.want)
		same(t, "recovery", r.stored.Recovery, int32(1))
	}
}

// TestRecoverSeenLater: the request came before this leader did; it is done once, by whoever leads, and no later failure
// is brought on by it.
func TestRecoverSeenLater(t *testing.T) {
	r := newRig(t)
	r.stored, r.recovery = failedFrom(record.Mirroring, -1, record.SourceReplaced), 3
	r.stored.Recovery = 2
	r.want(record.WantMirroring)
	r.pump()
	same(t, "writes", attempts(r), "MIRRORING:0")
	r.corrupt()
	same(t, "failed", append(r.failure(), r.stored.Recovery), []any{record.Failed, record.CorruptBatch, int16(1), int32(3)})
	r.fire(mirror.TimerScan)
	r.register(led(b1, 1))
	r.register(led(b0, 2))
	r.pump()
	same(t, "not repeated", attempts(r), "MIRRORING:0 FAILED:1 FAILED:1")
}

// TestFirstFailureAfterRecovery: the topic was recovered before, for another partition's sake. A partition that fails for
// the first time is not brought on by that.
func TestFirstFailureAfterRecovery(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.askRecovery()
	r.corrupt()
	same(t, "failed", append(r.failure(), r.stored.Recovery), []any{record.Failed, record.CorruptBatch, int16(1), int32(1)})
}

// TestRecoverDuringRetry: the request comes while the last retry is under way, which fails too. It counts: the attempts
// begin anew.
func TestRecoverDuringRetry(t *testing.T) {
	r := leads(t, failedFrom(record.Mirroring, 100, record.CorruptBatch), record.WantMirroring)
	r.fire(mirror.TimerFailure)
	r.pump()
	r.askRecovery()
	r.corrupt()
	same(t, "failed", r.failure(), []any{record.Failed, record.CorruptBatch, int16(1)})
}

// TestStopWhileFailed: a stop does not wait for the retry, which is forgotten.
func TestStopWhileFailed(t *testing.T) {
	for n, want := range map[int16]string{1: "FAILED:1 STOPPING:1 STOPPED:0", -1: "FAILED:-1 STOPPING:0 STOPPED:0"} {
		why := map[int16]record.Reason{1: record.SourceUnreachable, -1: record.SourceReplaced}[n]
		r := leads(t, failedFrom(record.Mirroring, n, why), record.WantMirroring)
		r.stop()
		same(t, "writes", attempts(r), want)
		same(t, "produce", r.produce(), wire.OK)
		if _, armed := r.armed(mirror.TimerFailure); armed {
			r.fire(mirror.TimerFailure)
			r.pump()
		}
		same(t, "writes", len(r.writes), 3)
	}
}

// TestFailedLosesLeadership: the retry timer goes with it.
func TestFailedLosesLeadership(t *testing.T) {
	r := leads(t, failedFrom(record.Mirroring, 1, record.SourceUnreachable), record.WantMirroring)
	r.register(led(b1, 1))
	_, armed := r.armed(mirror.TimerFailure)
	same(t, "timer", armed, false)
}

// TestFailureOnItsWay: while FAILED is being stored a stop is asked. It follows at once; a write of FAILED that is in its
// back-off is not sent any more.
func TestFailureOnItsWay(t *testing.T) {
	for _, backOff := range []bool{false, true} {
		r := mirroring(t, plain(0, 0, 2))
		r.mute[wire.WriteMirrorStates] = true
		r.corrupt()
		want := []string{"FAILED", "STOPPING", "position 0,-1", "STOPPED"}
		if backOff {
			m, _ := take[*wire.WriteMirrorStatesRequest](r)
			r.message(b2, refused(m, wire.NotCoordinator))
			want = want[1:]
		}
		r.mute[wire.WriteMirrorStates] = false
		r.want(record.WantStopped)
		r.pump()
		same(t, fmt.Sprint(backOff), r.writes, want)
	}
}

// TestFailureWhileLeaving: STOPPING is being stored, or that is to be tried again, when the source's batch proves corrupt.
// It is of no account any more.
func TestFailureWhileLeaving(t *testing.T) {
	for _, backOff := range []bool{false, true} {
		r := mirroring(t, plain(0, 0, 2))
		fetch := takeMirrorFetch(r)
		r.mute[wire.WriteMirrorStates] = true
		r.want(record.WantStopped)
		if backOff {
			m, _ := take[*wire.WriteMirrorStatesRequest](r)
			r.message(b2, refused(m, wire.NotCoordinator))
		}
		r.answer(fetch, wire.FetchResponse{HighWatermark: 3, LogEnd: 3, Batches: []*record.Batch{spoiled(2, 0)}})
		if backOff {
			r.fire(mirror.TimerRetry)
		}
		r.mute[wire.WriteMirrorStates] = false
		r.pump()
		same(t, fmt.Sprint(backOff), r.writes, []string{"STOPPING", "position 0,-1", "STOPPED"})
	}
}

// TestOthersGoOn is case C9: the partition whose batch at 4 is corrupt is FAILED with log end 4; the broker's other one
// keeps MIRRORING.
func TestOthersGoOn(t *testing.T) {
	r := unbooted(t)
	p1 := id.Partition{Topic: id.NewTopic(0, 2)}
	r.metadata = append(r.metadata, &record.TopicRecord{Topic: p1.Topic, Name: "fine", Partitions: 1, MinISR: 1},
		&record.PartitionRecord{Partition: p1, Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: b0})
	r.boot()
	r.source = plain(0, 0, 3)
	r.want(record.WantMirroring)
	r.meta(&record.MirrorTopicRecord{Topic: p1.Topic, Mirror: mirrorM, Desired: record.WantMirroring})
	r.pump()
	m := mirrorFetchOf(r, tp)
	r.answer(m, wire.FetchResponse{HighWatermark: 6, LogEnd: 6, Batches: join(plain(3, 0, 1), []*record.Batch{spoiled(4, 0)}, plain(5, 0, 1))})
	r.pump()
	same(t, "the failed one", append(r.failure(), r.end()), []any{record.Failed, record.CorruptBatch, int16(1), int64(4)})
	r.source = plain(0, 0, 6)
	r.pump()
	same(t, "the other", []any{r.others[p1].State, r.disk.Find(p1).End}, []any{record.Mirroring, int64(6)})
	same(t, "it fetches on", mirrorFetchOf(r, p1).FetchOffset, int64(6))
	same(t, "log end of the failed one", r.end(), int64(4))
}

// mirrorFetchOf takes the newest mirror fetch of p.
func mirrorFetchOf(r *rig, p id.Partition) *wire.FetchRequest {
	r.t.Helper()
	for i := len(r.sent) - 1; i >= 0; i-- {
		if m, ok := r.sent[i].Body.(*wire.FetchRequest); ok && m.Mirror && m.Partition == p {
			r.sent = append(r.sent[:i:i], r.sent[i+1:]...)
			return m
		}
	}
	r.t.Fatalf("no mirror fetch of %v but %s", p, r.pending())
	return nil
}
