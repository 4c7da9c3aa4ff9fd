package mirror_test

import (
	"fmt"
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// bumpRequest takes the bump request of a stop that waits for the controller.
func bumpRequest(r *rig) *wire.BumpLeaderEpochRequest {
	r.t.Helper()
	m, to := take[*wire.BumpLeaderEpochRequest](r)
	same(r.t, "controller", to, bC0)
	return m
}

// stopping is a rig whose stop has reached the bump. source is mirrored before, in leader epoch 0.
func stopping(t *testing.T, source []*record.Batch, sets ...string) *rig {
	t.Helper()
	r := mirroring(t, source, sets...)
	r.mute[wire.BumpLeaderEpoch] = true
	r.stop()
	return r
}

// TestStopBump is D7: the minimum asked for, from the leader epoch, the newest batch's epoch and the recorded one. The
// position stored first is kept, so that it can be above both.
func TestStopBump(t *testing.T) {
	for _, row := range []struct {
		option                  string
		leader, batch, recorded int32
		want                    int32 // 0: no bump
	}{
		{"plus-one", 0, 4, 9, 1}, {"plus-one", 6, 4, 9, 7},
		{"above-log", 0, 4, 9, 5}, {"above-log", 6, 4, 9, 7}, {"above-log", 4, 4, 9, 5},
		{"above-position", 0, 4, 9, 10}, {"above-position", 6, 4, 2, 7}, {"above-position", 0, 4, 2, 5},
		{"if-not-above", 0, 4, 9, 5}, {"if-not-above", 4, 4, 9, 5}, {"if-not-above", 6, 4, 9, 0},
	} {
		t.Run(fmt.Sprintf("%s/%d,%d,%d", row.option, row.leader, row.batch, row.recorded), func(t *testing.T) {
			r := mirroring(t, plain(0, row.batch, 2), "stop-bump", row.option, "marker-rerun", "keep-first")
			if row.leader > 0 {
				r.register(func(p *record.PartitionRecord) { p.LeaderEpoch, p.Cause = row.leader, uint8(event.EpochBump) })
				r.pump()
			}
			r.position = &record.MirrorState{Kind: record.LastMirroredEpochs, Epoch: row.recorded, Offset: -1, Run: 1}
			r.mute[wire.BumpLeaderEpoch] = true
			r.stop()
			if row.want == 0 {
				none[*wire.BumpLeaderEpochRequest](r, "no bump is needed")
				same(t, "state", r.stored.State, record.Stopped)
				return
			}
			m := bumpRequest(r)
			same(t, "request", []any{m.Minimum, m.Partition}, []any{row.want, tp})
		})
	}
}

// TestBumpKnowsOnlyThisStop: bump comes before record. The position 7 that the lookup of this run answered is the
// source's, and one that an earlier run has recorded is not this stop's: neither counts for above-position.
func TestBumpKnowsOnlyThisStop(t *testing.T) {
	order := []string{"stop-order", "fetchers,bump,transactions,record,reset", "stop-bump", "above-position"}
	r := newRig(t, order...)
	r.lookup = found(7, -1)
	r.mute[wire.BumpLeaderEpoch] = true
	r.want(record.WantMirroring)
	r.pump()
	r.stop()
	same(t, "after a lookup", bumpRequest(r).Minimum, int32(1))

	for run, want := range map[int32]int32{1: 1, 2: 9} {
		r = newRig(t, order...)
		r.mute[wire.BumpLeaderEpoch] = true
		r.stored = stored(record.Stopping) // of run 2
		r.position = &record.MirrorState{Kind: record.LastMirroredEpochs, Epoch: 8, Offset: -1, Run: run}
		r.stop()
		same(t, fmt.Sprintf("position of run %d", run), bumpRequest(r).Minimum, want)
	}
}

// TestBumpDone is D28 and D45: what ends the wait for a bump to 1.
func TestBumpDone(t *testing.T) {
	response := func(r *rig, m *wire.BumpLeaderEpochRequest) {
		r.message(bC0, &wire.BumpLeaderEpochResponse{Partition: tp, LeaderEpoch: 1, Correlation: m.Correlation})
	}
	shown := func(epoch int32) func(*rig, *wire.BumpLeaderEpochRequest) {
		return func(r *rig, _ *wire.BumpLeaderEpochRequest) {
			r.register(func(p *record.PartitionRecord) { p.LeaderEpoch, p.Cause = epoch, uint8(event.EpochBump) })
		}
	}
	for _, row := range []struct {
		name, done, compare string
		act                 func(*rig, *wire.BumpLeaderEpochRequest)
		want                bool
	}{
		{"answer", "metadata", "at-least", response, false},
		{"answer", "response", "at-least", response, true},
		{"1 shows", "metadata", "at-least", shown(1), true},
		{"1 shows", "metadata", "above", shown(1), false},
		{"2 shows", "metadata", "above", shown(2), true},
		{"2 shows", "metadata", "at-least", shown(2), true},
	} {
		t.Run(row.name+"/"+row.done+"/"+row.compare, func(t *testing.T) {
			r := stopping(t, plain(0, 0, 2), "bump-done", row.done, "bump-compare", row.compare)
			row.act(r, bumpRequest(r))
			done := r.steps()
			same(t, "done", done[len(done)-1] != "record", row.want)
		})
	}
}

// TestBumpByOldController is case S10: NOT_CONTROLLER is retried; STOPPED comes after the bump shows here.
func TestBumpByOldController(t *testing.T) {
	r := stopping(t, plain(0, 0, 2))
	m := bumpRequest(r)
	r.message(bC0, &wire.BumpLeaderEpochResponse{Partition: tp, Code: wire.NotController, Correlation: m.Correlation})
	none[*wire.BumpLeaderEpochRequest](r, "before the back-off")
	r.fire(mirror.TimerRetry)
	again := bumpRequest(r)
	same(t, "minimum", again.Minimum, m.Minimum)
	r.message(bC0, &wire.BumpLeaderEpochResponse{Partition: tp, LeaderEpoch: 1, Correlation: again.Correlation})
	r.pump()
	same(t, "not shown yet", []any{r.strip(), r.stored.State}, []any{"0@0 1@0", record.Stopping})
	r.register(led(b0, 1))
	r.pump()
	same(t, "shown", []any{r.strip(), r.stored.State}, []any{"0@0 1@0 2@1:reset", record.Stopped})
}

// TestBumpShowsDuringBackoff: the controller that resigned had appended the bump before it answered NOT_CONTROLLER. It
// shows while b0 waits to ask again; then there is nothing to ask for.
func TestBumpShowsDuringBackoff(t *testing.T) {
	for _, done := range []string{"metadata", "response"} {
		r := stopping(t, plain(0, 0, 2), "bump-done", done)
		m := bumpRequest(r)
		r.message(bC0, &wire.BumpLeaderEpochResponse{Partition: tp, Code: wire.NotController, Correlation: m.Correlation})
		r.register(func(p *record.PartitionRecord) { p.LeaderEpoch, p.Cause = 1, uint8(event.EpochBump) })
		r.fire(mirror.TimerRetry)
		r.pump()
		none[*wire.BumpLeaderEpochRequest](r, done)
		same(t, done, []any{r.strip(), r.stored.State}, []any{"0@0 1@0 2@1:reset", record.Stopped})
	}
}

// TestBumpLost: no answer and no metadata; the request is repeated.
func TestBumpLost(t *testing.T) {
	r := stopping(t, plain(0, 0, 2))
	m := bumpRequest(r)
	r.fire(mirror.TimerRetry)
	again := bumpRequest(r)
	same(t, "minimum", again.Minimum, m.Minimum)
}

// minISR2 makes min.insync.replicas 2.
func minISR2(t *testing.T, source []*record.Batch, sets ...string) *rig {
	t.Helper()
	r := unbooted(t, sets...)
	r.metadata[len(r.metadata)-2] = &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 2}
	r.boot()
	r.source = source
	r.want(record.WantMirroring)
	r.pump()
	r.events, r.writes = nil, nil
	return r
}

// TestAbortRefused is D23: the ISR is too small for the ABORT marker. It is retried until it is big enough, or left out;
// the reset is retried in any case.
func TestAbortRefused(t *testing.T) {
	for option, want := range map[string]string{
		"retry":  "0@0 1@1:abort 2@1:reset",
		"ignore": "0@0 1@1:reset",
	} {
		t.Run(option, func(t *testing.T) {
			r := minISR2(t, []*record.Batch{transactional(0, 0, 4, 0, 0)}, "abort-failure", option)
			r.register(inSync(b0))
			r.stop()
			same(t, "refused", r.strip(), "0@0")
			ignored := r.steps()[len(r.steps())-1] == "transactions"
			same(t, "goes on", ignored, option == "ignore")
			r.fire(mirror.TimerRetry)
			r.pump()
			same(t, "refused again", []any{r.strip(), r.stored.State}, []any{"0@0", record.Stopping})
			r.register(inSync(b0, b1))
			r.fire(mirror.TimerRetry)
			r.pump()
			same(t, "in the end", []any{r.strip(), r.stored.State}, []any{want, record.Stopped})
		})
	}
}

// TestAbortTimesOut is case T7: the ABORT marker is appended, and b1 does not take it for request.timeout.ms. With retry
// the stop waits on, and the marker stands once; with ignore it goes on to the reset.
func TestAbortTimesOut(t *testing.T) {
	for option, waiting := range map[string]string{"retry": "0@0 1@1:abort", "ignore": "0@0 1@1:abort 2@1:reset"} {
		t.Run(option, func(t *testing.T) {
			r := stopping(t, []*record.Batch{transactional(0, 0, 4, 0, 0)}, "abort-failure", option)
			r.follower, r.mute[wire.BumpLeaderEpoch] = false, false
			r.pump()
			same(t, "appended", r.strip(), "0@0 1@1:abort")
			op := r.fire(mirror.TimerRetry)
			same(t, "time-out", op.After, r.setting.RequestTimeout)
			same(t, "timed out", r.strip(), waiting)
			r.fire(mirror.TimerRetry)
			same(t, "timed out again", []any{r.strip(), r.stored.State}, []any{waiting, record.Stopping})
			r.follower = true
			r.pump()
			same(t, "in the end", []any{r.strip(), r.stored.State, r.lastStable()},
				[]any{"0@0 1@1:abort 2@1:reset", record.Stopped, int64(3)})
		})
	}
}

// TestLateFetcher: an order of D3 leaves the fetcher running while the reset is not acknowledged. The source knows nothing
// of the reset's epoch; the reset is not cut off for that. Nor does a batch that is appended meanwhile keep the stop from
// seeing that the reset is acknowledged.
func TestLateFetcher(t *testing.T) {
	for name, answer := range map[string]wire.FetchResponse{
		"out of range": {Code: wire.OffsetOutOfRange, LogEnd: 2},
		"diverging":    {Diverging: true, DivergingEpoch: 0, DivergingOffset: 2},
		"a batch":      {HighWatermark: 4, LogEnd: 4, Batches: plain(3, 0, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			r := stopping(t, plain(0, 0, 2), "stop-order", "record,bump,transactions,reset,fetchers")
			r.follower, r.mute[wire.BumpLeaderEpoch], r.mute[wire.Fetch] = false, false, true
			r.pump()
			same(t, "appended", r.strip(), "0@0 1@0 2@1:reset")
			r.fire(mirror.TimerFetch) // the fetch at 2 is given up
			r.pump()
			r.answer(newestMirrorFetch(r), answer)
			r.follower = true
			r.pump()
			log := "0@0 1@0 2@1:reset"
			if name == "a batch" {
				log += " 3@0"
			}
			same(t, "in the end", []any{r.strip(), r.stored.State}, []any{log, record.Stopped})
		})
	}
}

// newestMirrorFetch takes all mirror fetches that were sent, and answers the last.
func newestMirrorFetch(r *rig) *wire.FetchRequest {
	r.t.Helper()
	m := takeMirrorFetch(r)
	for {
		found := false
		for _, s := range r.sent {
			f, ok := s.Body.(*wire.FetchRequest)
			found = found || ok && f.Mirror
		}
		if !found {
			return m
		}
		m = takeMirrorFetch(r)
	}
}

// restart boots b0 again from its disk and lets it lead the next leader epoch.
func (r *rig) restart() {
	r.t.Helper()
	r.sent, r.timers, r.points, r.events, r.crashAt = nil, nil, nil, nil, point.None
	r.cut, r.followed = 0, [2]int64{-1, -1}
	r.disk.Incarnation++
	r.metadata = append(r.metadata, &record.BrokerRecord{Broker: b0, Incarnation: r.disk.Incarnation},
		r.changed(func(p *record.PartitionRecord) {
			p.LeaderEpoch++
			p.Cause = uint8(event.CleanElection)
		}))
	r.boot()
	r.pump()
}

// TestStopRunsAgain: b0 crashes at each point of the stop and leads again. All steps run in order from the first; the
// partition ends STOPPED. The position and the reset are written again or not, by D5 and D53.
func TestStopRunsAgain(t *testing.T) {
	all := []string{"fetchers", "record", "bump", "transactions", "reset"}
	for _, row := range []struct {
		at             point.Point
		rerun, reset   string
		log, positions string
	}{
		{point.StateStored, "overwrite", "again", "0@0 1@0 2@2:reset", "[1,2]"},
		{point.FetcherRemoved, "overwrite", "again", "0@0 1@0 2@2:reset", "[1,2]"},
		{point.PositionRecorded, "overwrite", "again", "0@0 1@0 2@2:reset", "[0,2 1,2]"},
		{point.PositionRecorded, "keep-first", "again", "0@0 1@0 2@2:reset", "[0,2 0,2]"},
		{point.EpochBumped, "overwrite", "again", "0@0 1@0 2@3:reset", "[0,2 2,2]"},
		{point.TransactionsDone, "keep-first", "again", "0@0 1@0 2@3:reset", "[0,2 0,2]"},
		{point.ProducersReset, "overwrite", "again", "0@0 1@0 2@1:reset 3@3:reset", "[0,2 2,3]"},
		{point.ProducersReset, "keep-first", "again", "0@0 1@0 2@1:reset 3@3:reset", "[0,2 0,2]"},
		{point.ProducersReset, "keep-longest", "again", "0@0 1@0 2@1:reset 3@3:reset", "[0,2 0,2]"},
		{point.ProducersReset, "keep-first", "skip-if-last-batch-is-reset", "0@0 1@0 2@1:reset", "[0,2 0,2]"},
	} {
		t.Run(fmt.Sprintf("%s/%s/%s", row.at, row.rerun, row.reset), func(t *testing.T) {
			r := mirroring(t, plain(0, 0, 2), "marker", "epoch-and-offset", "marker-rerun", row.rerun, "reset-rerun", row.reset)
			r.crashAt = row.at
			r.stop()
			if r.node != nil {
				t.Fatal("the point was not reached")
			}
			r.restart()
			same(t, "steps", r.steps(), all)
			same(t, "log", r.strip(), row.log)
			var positions []string
			for _, w := range r.writes {
				var epoch, offset int
				if n, _ := fmt.Sscanf(w, "position %d,%d", &epoch, &offset); n == 2 {
					positions = append(positions, fmt.Sprintf("%d,%d", epoch, offset))
				}
			}
			same(t, "positions", fmt.Sprint(positions), row.positions)
			same(t, "last write", r.writes[len(r.writes)-1], "STOPPED")
			same(t, "produce", r.produce(), wire.OK)
		})
	}
}

// TestStopCrossesLeaders: b1 leads for a while in the middle of the stop; b0 runs all of it again when it leads anew.
func TestStopCrossesLeaders(t *testing.T) {
	r := stopping(t, plain(0, 0, 2))
	r.sent = nil
	r.register(led(b1, 1))
	r.pump()
	none[*wire.BumpLeaderEpochRequest](r, "it does not lead")
	r.mute[wire.BumpLeaderEpoch] = false
	r.register(led(b0, 2))
	r.pump()
	same(t, "steps", r.steps(), []string{"fetchers", "record", "fetchers", "record", "bump", "transactions", "reset"})
	same(t, "state", r.stored.State, record.Stopped)
}

// TestCrashAfterStopped: what STOPPED has stored stays stored; nothing of the stop runs again (case S7).
func TestCrashAfterStopped(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.stop()
	log, writes := r.strip(), slices.Clone(r.writes)
	r.restart()
	same(t, "after the restart", []any{r.strip(), r.writes, len(r.steps()), r.produce()}, []any{log, append(writes, "STOPPED"), 0, wire.OK})
}

// TestAnswerFromBeforeCrash: a broker that has restarted does not number its requests as it did before, or a late answer
// would be taken for another request's.
func TestAnswerFromBeforeCrash(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantStopped)
	r.pump()
	before, _ := take[*wire.WriteMirrorStatesRequest](r)
	r.mute[wire.ReadMirrorStates] = true
	r.restart()
	read, _ := take[*wire.ReadMirrorStatesRequest](r)
	if read.Correlation <= before.Correlation {
		t.Errorf("request %d follows %d", read.Correlation, before.Correlation)
	}
}

// TestTenPartitions is case T9: ten partitions are stopped in one request, and there are exactly ten resets.
func TestTenPartitions(t *testing.T) {
	r := unbooted(t)
	topic := id.NewTopic(0, 2)
	r.metadata = append(r.metadata, &record.TopicRecord{Topic: topic, Name: "ten", Partitions: 10, MinISR: 1})
	for i := range uint16(10) {
		r.metadata = append(r.metadata, &record.PartitionRecord{Partition: id.Partition{Topic: topic, Index: i},
			Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: b0})
	}
	r.boot()
	r.source = plain(0, 0, 2)
	for _, d := range []record.Desired{record.WantMirroring, record.WantStopped} {
		r.meta(&record.MirrorTopicRecord{Topic: topic, Mirror: mirrorM, Desired: d})
		r.pump()
	}
	resets := map[id.Partition]int{}
	for _, e := range r.kinds(event.ProducersReset) {
		resets[e.Partition]++
	}
	same(t, "partitions", []any{len(resets), len(r.kinds(event.ProducersReset))}, []any{10, 10})
	for p, s := range r.others {
		same(t, fmt.Sprint(p), s.State, record.Stopped)
	}
	same(t, "entries", len(r.others), 10)
}
