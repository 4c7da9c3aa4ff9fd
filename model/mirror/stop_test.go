package mirror_test

import (
	"slices"
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/mirror"
	"mirrorsim/model/node"
	"mirrorsim/model/plog"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// stop asks for the stop and plays the others until b0 is quiet.
func (r *rig) stop() {
	r.t.Helper()
	r.want(record.WantStopped)
	r.pump()
}

// lastStable is the last stable offset of b0's log.
func (r *rig) lastStable() int64 {
	r.t.Helper()
	r.message(client, &wire.ListOffsetsRequest{Partition: tp, ReadCommitted: true})
	res, _ := take[*wire.ListOffsetsResponse](r)
	return res.Offset
}

// producers is how many of the producer ids below 100 b0's log remembers, read back from its files: of each that it does it
// refuses a batch that leaves a gap.
func (r *rig) producers() (n int) {
	log := plog.Open(r.disk.Clone().Find(tp), &r.config, new(node.Effects))
	for producer := range int64(100) {
		b := record.NewData(producer, 0, 1000, []record.Record{{Key: 1}})
		if _, _, code := log.CheckProducer(b, plog.Reject); code == wire.OutOfOrderSequenceNumber {
			n++
		}
	}
	return n
}

// permutations are the words in every order, each with commas between them.
func permutations(words ...string) []string {
	if len(words) == 1 {
		return words
	}
	var all []string
	for i, first := range words {
		for _, rest := range permutations(slices.Delete(slices.Clone(words), i, i+1)...) {
			all = append(all, first+","+rest)
		}
	}
	return all
}

// TestStopOrders: in each of the 120 orders of D3 every step is done once, in that order, and the partition ends STOPPED
// and writable. The log has an open transaction, and the source is quiet.
func TestStopOrders(t *testing.T) {
	source := join(plain(0, 0, 1), []*record.Batch{transactional(1, 0, 4, 0, 0)}, plain(2, 0, 1))
	orders := permutations("fetchers", "record", "bump", "transactions", "reset")
	if len(orders) != 120 {
		t.Fatalf("there are %d orders", len(orders))
	}
	for _, open := range []string{"abort", "truncate-to-lso", "leave"} {
		for _, order := range orders {
			t.Run(open+"/"+order, func(t *testing.T) {
				r := mirroring(t, source, "stop-order", order, "open-transactions", open)
				r.stop()
				same(t, "steps", r.steps(), strings.Split(order, ","))
				same(t, "first and last write", []string{r.writes[0], r.writes[len(r.writes)-1]}, []string{"STOPPING", "STOPPED"})
				same(t, "produce", r.produce(), wire.OK)
				same(t, "resets", len(r.kinds(event.ProducersReset)), 1)
				same(t, "fetcher", len(r.kinds(event.MirrorFetchStopped)) > 0, true)
			})
		}
	}
}

// TestStopSeeds: the two seeds' own orders, with their points and the log that they leave.
func TestStopSeeds(t *testing.T) {
	for _, row := range []struct {
		revision, log string
		writes        []string
		points        []string
	}{
		{"start-stop", "0@2 1@2 2@3:reset", []string{"STOPPING", "position 0,-1", "STOPPED"}, []string{"state.chosen", "state.stored",
			"stop.fetcher-removed", "stop.position-recorded", "stop.epoch-bumped", "stop.transactions-done", "stop.producers-reset", "state.chosen", "state.stored"}},
		{"add-remove", "0@2 1@2 2@3:reset", []string{"STOPPING", "position 2,-1", "STOPPED"}, []string{"state.chosen", "state.stored",
			"stop.fetcher-removed", "stop.epoch-bumped", "stop.transactions-done", "stop.position-recorded", "stop.producers-reset", "state.chosen", "state.stored"}},
	} {
		r := mirroring(t, plain(0, 2, 2), "revision", row.revision)
		r.stop()
		var points []string
		for _, p := range r.points {
			points = append(points, p.String())
		}
		same(t, row.revision, []any{r.strip(), r.writes, points}, []any{row.log, row.writes, row.points})
	}
}

// t1 is the log of case T1: the first transaction's producer has the higher id.
func t1() []*record.Batch {
	return join([]*record.Batch{transactional(0, 0, 9, 2, 0)}, plain(1, 0, 1), []*record.Batch{transactional(2, 0, 4, 1, 0)})
}

// TestOpenTransactions is D4 on case T1.
func TestOpenTransactions(t *testing.T) {
	for _, row := range []struct {
		option, log   string
		leo, lso      int64
		position      string
		abortedIDs    []int64
		abortedEpochs []int16
	}{
		{"abort", "0@0 1@0 2@0 3@1:abort 4@1:abort 5@1:reset", 6, 6, "position 0,-1", []int64{4, 9}, []int16{1, 2}},
		{"leave", "0@0 1@0 2@0 3@1:reset", 4, 0, "position 0,-1", nil, nil},
	} {
		t.Run(row.option, func(t *testing.T) {
			r := mirroring(t, t1(), "open-transactions", row.option)
			r.stop()
			same(t, "log", []any{r.strip(), r.end(), r.lastStable()}, []any{row.log, row.leo, row.lso})
			same(t, "writes", r.writes, []string{"STOPPING", row.position, "STOPPED"})
			var ids []int64
			var epochs []int16
			for _, b := range r.files().Batches {
				if b.Control == record.Abort {
					ids, epochs = append(ids, b.ProducerID), append(epochs, b.ProducerEpoch)
					same(t, "marker", []any{b.Transactional, b.BaseSequence, b.CoordinatorEpoch}, []any{true, int32(-1), int32(0)})
				}
			}
			same(t, "aborted", []any{ids, epochs}, []any{row.abortedIDs, row.abortedEpochs})
			same(t, "producer entries", r.producers(), 0)
		})
	}
	t.Run("truncate-to-lso", func(t *testing.T) {
		r := mirroring(t, t1(), "revision", "add-remove")
		r.stop()
		same(t, "log", []any{r.strip(), r.end(), r.lastStable()}, []any{"0@1:reset", int64(1), int64(1)})
		same(t, "writes: an empty log records nothing", r.writes, []string{"STOPPING", "STOPPED"})
		e := r.kinds(event.Truncated)[0]
		same(t, "cut", []any{e.Offset, e.End, event.TruncateCause(e.Cause)}, []any{int64(0), int64(3), event.CutToLastStable})
	})
}

// TestMarkerCoordinatorEpoch: a marker carries the coordinator epoch of the producer's entry.
func TestMarkerCoordinatorEpoch(t *testing.T) {
	commit := record.NewMarker(record.Commit, 4, 1, 7).At(1, 0)
	r := mirroring(t, []*record.Batch{transactional(0, 0, 4, 1, 0), commit, transactional(2, 0, 4, 1, 1)})
	r.stop()
	same(t, "log", r.strip(), "0@0 1@0:commit 2@0 3@1:abort 4@1:reset")
	same(t, "coordinator epoch", r.files().Batches[3].CoordinatorEpoch, int32(7))
}

// TestT2 is case T2: high watermark 10, a transaction open at 2, the rest plain.
func TestT2(t *testing.T) {
	source := join(plain(0, 0, 2), []*record.Batch{transactional(2, 0, 4, 0, 0)}, plain(3, 0, 7))
	for _, row := range []struct {
		revision, bound string
		before, after   int64
		log             string
	}{
		{"start-stop", "lso", 2, 3, "0@0 1@0 2@1:reset"},
		{"add-remove", "lso", 2, 3, "0@0 1@0 2@1:reset"},
		{"add-remove", "hw", 10, 3, "0@0 1@0 2@1:reset"},
		{"start-stop", "hw", 10, 12, "0@0 1@0 2@0 3@0 4@0 5@0 6@0 7@0 8@0 9@0 10@1:abort 11@1:reset"},
	} {
		t.Run(row.revision+"/"+row.bound, func(t *testing.T) {
			r := newRig(t, "revision", row.revision, "fetch-bound", row.bound)
			r.source, r.openAt = source, 2
			r.want(record.WantMirroring)
			r.pump()
			same(t, "before the stop", r.end(), row.before)
			r.stop()
			same(t, "after it", []any{r.end(), r.strip(), r.lastStable()}, []any{row.after, row.log, row.after})
		})
	}
}

// TestCutWaitsForISR: the step is done when the ISR has followed the cut.
func TestCutWaitsForISR(t *testing.T) {
	r := mirroring(t, t1(), "revision", "add-remove")
	r.follower = false
	r.want(record.WantStopped)
	r.pump()
	same(t, "cut", r.end(), int64(0))
	same(t, "steps", r.steps(), []string{"fetchers", "bump"})
	r.fetchFrom(b1, 0)
	r.follower = true
	r.pump()
	same(t, "steps", r.steps(), []string{"fetchers", "bump", "transactions", "record", "reset"})
}

// TestLSOMoment is D50: b1 has 3 of 5 records and no transaction is open.
func TestLSOMoment(t *testing.T) {
	for option, want := range map[string]string{
		"at-once":     "0@0 1@0 2@0 3@1:reset",
		"after-drain": "0@0 1@0 2@0 3@0 4@0 5@1:reset",
	} {
		t.Run(option, func(t *testing.T) {
			r := mirroring(t, plain(0, 0, 3), "revision", "add-remove", "lso-moment", option)
			r.follower = false
			r.source = plain(0, 0, 5)
			r.pump()
			same(t, "log end", r.end(), int64(5))
			r.stop()
			r.follower = true
			r.pump()
			same(t, "log", r.strip(), want)
		})
	}
}

// TestMarkerWrite is D6: whether the stop waits for the remote coordinator's answer.
func TestMarkerWrite(t *testing.T) {
	for option, steps := range map[string][]string{
		"await":           {"fetchers"},
		"fire-and-forget": {"fetchers", "record"},
	} {
		r := mirroring(t, plain(0, 0, 2), "marker-write", option)
		r.mute[wire.BumpLeaderEpoch] = true
		r.want(record.WantStopped)
		m, _ := take[*wire.WriteMirrorStatesRequest](r)
		r.mute[wire.WriteMirrorStates] = true
		r.message(b2, r.write(m))
		r.pump()
		same(t, option, r.steps(), steps)
		m, to := take[*wire.WriteMirrorStatesRequest](r)
		same(t, option+": record", []any{to, m.Record.Kind, m.Record.Epoch, m.Record.Run, m.KeepFirst},
			[]any{b2, record.LastMirroredEpochs, int32(0), int32(1), false})
		r.message(b2, refused(m, wire.NotCoordinator))
		if option == "await" {
			r.fire(mirror.TimerRetry)
			take[*wire.WriteMirrorStatesRequest](r)
		} else {
			same(t, "the error goes unseen", r.steps(), steps)
		}
	}
}

// TestPositionFenced: a position that is refused as stale leads to a read, and the stop runs again from its first step.
func TestPositionFenced(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.want(record.WantStopped)
	m, _ := take[*wire.WriteMirrorStatesRequest](r)
	r.mute[wire.WriteMirrorStates] = true
	r.message(b2, r.write(m))
	r.pump()
	m, _ = take[*wire.WriteMirrorStatesRequest](r)
	r.message(b2, refused(m, wire.FencedLeaderEpoch))
	r.mute[wire.WriteMirrorStates] = false
	r.fire(mirror.TimerRetry)
	r.pump()
	same(t, "writes", r.writes, []string{"STOPPING", "STOPPING", "position 0,-1", "STOPPED"})
	same(t, "steps", r.steps(), []string{"fetchers", "fetchers", "record", "bump", "transactions", "reset"})
}

// TestRecorded is D1 and D2: what is recorded of a log 0-1@2 2@5 under leader epoch 0.
func TestRecorded(t *testing.T) {
	for _, row := range []struct{ marker, source, want string }{
		{"epoch", "leader", "position 0,-1"},
		{"epoch", "log", "position 5,-1"},
		{"epoch", "cache", "position 5,-1"},
		{"offset", "log", "position -1,3"},
		{"epoch-and-offset", "log", "position 5,3"},
		{"none", "log", ""},
	} {
		r := mirroring(t, join(plain(0, 2, 2), plain(2, 5, 1)), "marker", row.marker, "epoch-source", row.source)
		r.stop()
		want := []string{"STOPPING", row.want, "STOPPED"}
		if row.want == "" {
			want = []string{"STOPPING", "STOPPED"}
		}
		same(t, row.marker+"/"+row.source, r.writes, want)
	}
}

// TestRecordedFromCache: D2=cache takes an entry without a batch, D2=log does not. The bump to 3, above the newest batch's
// 2, comes first; by it the cache has 3 at the log end.
func TestRecordedFromCache(t *testing.T) {
	for source, want := range map[string]string{"cache": "position 3,-1", "log": "position 2,-1", "leader": "position 3,-1"} {
		r := mirroring(t, plain(0, 2, 2), "revision", "add-remove", "epoch-source", source)
		r.stop()
		same(t, source, r.writes, []string{"STOPPING", want, "STOPPED"})
	}
}

// TestPositionEnd is D40: b1 has 3 of 5 records when the stop comes.
func TestPositionEnd(t *testing.T) {
	for _, row := range []struct {
		option, marker string
		waits          bool
	}{{"leo", "epoch-and-offset", false}, {"hw", "epoch-and-offset", true}, {"hw", "epoch", false}} {
		r := mirroring(t, plain(0, 0, 3), "marker", row.marker, "position-end", row.option)
		r.follower = false
		r.source = plain(0, 0, 5)
		r.pump()
		r.stop()
		same(t, row.option+"/"+row.marker+" waits", len(r.writes) == 1, row.waits)
		r.follower = true
		r.pump()
		want := "position 0,5"
		if row.marker == "epoch" {
			want = "position 0,-1"
		}
		same(t, row.option+"/"+row.marker, r.writes, []string{"STOPPING", want, "STOPPED"})
	}
}

// TestProducerIDs is D9 at the stop: only keep-and-reset appends a reset; the step is done in any case.
func TestProducerIDs(t *testing.T) {
	source := []*record.Batch{record.NewData(7, 0, 0, []record.Record{{Key: 1}}).At(0, 0)}
	for ids, want := range map[string][]any{
		"keep-and-reset": {"0@0 1@1:reset", 0},
		"keep":           {"0@0", 1},
		"map-negative":   {"0@0", 0},
	} {
		r := mirroring(t, source, "producer-ids", ids)
		r.stop()
		same(t, ids, []any{r.strip(), r.producers()}, want)
		same(t, ids+" steps", r.steps(), []string{"fetchers", "record", "bump", "transactions", "reset"})
		same(t, ids+" produce", r.produce(), wire.OK)
	}
}

// TestStoppedWhen is D27: STOPPED is stored after the reset is acknowledged, or right before it is appended; writable
// only behind both.
func TestStoppedWhen(t *testing.T) {
	for option, stored := range map[string]bool{"after-reset": false, "before-reset": true} {
		t.Run(option, func(t *testing.T) {
			r := mirroring(t, plain(0, 0, 2), "stopped-when", option)
			r.mute[wire.BumpLeaderEpoch] = true
			r.stop()
			r.follower, r.mute[wire.BumpLeaderEpoch] = false, false
			r.pump()
			same(t, "the reset is not acknowledged", []any{r.strip(), r.writes[len(r.writes)-1] == "STOPPED", r.produce()},
				[]any{"0@0 1@0 2@1:reset", stored, wire.ReadOnlyTopic})
			r.follower = true
			r.pump()
			same(t, "acknowledged", []any{r.writes, r.produce()}, []any{[]string{"STOPPING", "position 0,-1", "STOPPED"}, wire.OK})
			same(t, "steps", r.steps(), []string{"fetchers", "record", "bump", "transactions", "reset"})
		})
	}
}

// TestStartAfterEarlyStopped: with D27=before-reset the topic is started again, after the stop and while the reset is
// not acknowledged yet. No step of the stop runs in the new run's states.
func TestStartAfterEarlyStopped(t *testing.T) {
	for _, acknowledged := range []bool{true, false} {
		r := mirroring(t, plain(0, 0, 2), "stopped-when", "before-reset")
		r.mute[wire.BumpLeaderEpoch] = true
		r.stop()
		r.follower, r.mute[wire.BumpLeaderEpoch] = acknowledged, false
		r.pump()
		steps := len(r.steps())
		r.follower, r.lookup = true, found(0, -1)
		r.want(record.WantMirroring)
		r.pump()
		same(t, "writes", r.writes, []string{"STOPPING", "position 0,-1", "STOPPED", "PREPARING", "MIRRORING"})
		same(t, "steps", len(r.steps()), steps)
		same(t, "log", r.strip(), "0@0 1@0")
		same(t, "produce", r.produce(), wire.ReadOnlyTopic)
	}
}
