package mirror_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// fenced is b0 in leader epoch local, under epoch-floor=fenced, as it begins to mirror three records of the source's epoch
// source. The controller does not answer bumps.
func fenced(t *testing.T, local, source int32, sets ...string) *rig {
	t.Helper()
	r := newRig(t, append([]string{"epoch-floor", "fenced"}, sets...)...)
	r.bumped(local)
	r.source, r.srcEpoch = plain(0, source, 3), source
	r.mute[wire.BumpLeaderEpoch] = true
	r.want(record.WantMirroring)
	r.pump()
	return r
}

// bumped shows b0 a bump by somebody else.
func (r *rig) bumped(epoch int32) {
	r.t.Helper()
	if epoch > r.reg.LeaderEpoch {
		r.register(func(p *record.PartitionRecord) { p.LeaderEpoch, p.Cause = epoch, uint8(event.EpochBump) })
	}
}

// TestEpochFencing is case E1: the source is at epoch 7, b0 at 2. The batch is not appended; EPOCH_FENCING refreshes the
// source's metadata, asks for 17 and waits until the metadata show it (D28=metadata): the answer is not enough, nor is a
// smaller bump. Then MIRRORING.
func TestEpochFencing(t *testing.T) {
	r := fenced(t, 2, 7)
	m := bumpRequest(r)
	same(t, "bump", []any{m.Minimum, m.Partition}, []any{int32(17), tp})
	same(t, "before", []any{r.writes, r.strip()}, []any{[]string{"PREPARING", "MIRRORING", "EPOCH_FENCING"}, ""})
	_, fetches := r.armed(mirror.TimerFetch)
	same(t, "it fetches", fetches, false)
	r.message(bC0, &wire.BumpLeaderEpochResponse{Partition: tp, LeaderEpoch: 17, Correlation: m.Correlation})
	r.pump()
	same(t, "answered", r.stored.State, record.EpochFencing)
	r.bumped(16)
	r.pump()
	same(t, "16 shows", []any{r.stored.State, r.strip()}, []any{record.EpochFencing, ""})
	r.bumped(17)
	r.pump()
	same(t, "17 shows", []any{r.writes[3:], r.strip()}, []any{[]string{"MIRRORING"}, "0@7 1@7 2@7"})
	for _, e := range r.kinds(event.Appended) {
		same(t, "leader epoch of the append", e.LeaderEpoch, int32(17))
	}
	none[*wire.BumpLeaderEpochRequest](r, "10 above is enough")
}

// TestEpochFencingRefreshes: what is asked for goes by the source's leader epoch of now, not by the batch's.
func TestEpochFencingRefreshes(t *testing.T) {
	r := newRig(t, "epoch-floor", "fenced")
	r.source, r.srcEpoch = plain(0, 7, 3), 7
	r.mute[wire.BumpLeaderEpoch] = true
	r.mute[wire.Fetch] = true
	r.want(record.WantMirroring)
	r.pump()
	r.mute[wire.Metadata] = true
	r.message(a0, r.serve(takeMirrorFetch(r)))
	r.pump()
	same(t, "the fetcher is removed", len(r.kinds(event.MirrorFetchStopped)), 1)
	same(t, "refreshing", []any{r.stored.State, r.waits()}, []any{record.EpochFencing,
		[]string{"cluster1/topic1-0 in EPOCH_FENCING: the source has not told its leader epoch"}})
	none[*wire.BumpLeaderEpochRequest](r, "the source has not answered")
	r.told(func(m *wire.MetadataResponse) { m.Code, m.Leader, m.LeaderEpoch = wire.LeaderNotAvailable, id.None, 8 })
	none[*wire.BumpLeaderEpochRequest](r, "it has no leader")
	r.fire(mirror.TimerFetch)
	r.told(func(m *wire.MetadataResponse) { m.LeaderEpoch = 9 })
	same(t, "minimum", bumpRequest(r).Minimum, int32(19))
	none[*wire.FetchRequest](r, "EPOCH_FENCING fetches nothing")
}

// TestEpochFencingNotNeeded: the leader epoch was raised meanwhile.
func TestEpochFencingNotNeeded(t *testing.T) {
	r := leads(t, stored(record.Unknown), record.WantNone, "epoch-floor", "fenced")
	r.bumped(10)
	r.stored, r.srcEpoch = stored(record.EpochFencing), 7
	r.mute[wire.BumpLeaderEpoch] = true
	r.want(record.WantMirroring)
	r.pump()
	same(t, "writes", r.writes, []string{"EPOCH_FENCING", "MIRRORING"})
	none[*wire.BumpLeaderEpochRequest](r, "10 is 3 above 7")
}

// TestFenceBumpRetried: a bump whose answer is lost, or that an old controller refuses, is asked for again.
func TestFenceBumpRetried(t *testing.T) {
	for _, refusal := range []wire.Code{wire.OK, wire.NotController, wire.NotLeaderOrFollower} {
		r := fenced(t, 2, 7)
		m := bumpRequest(r)
		if refusal != wire.OK {
			r.message(bC0, &wire.BumpLeaderEpochResponse{Partition: tp, Code: refusal, Correlation: m.Correlation})
			none[*wire.BumpLeaderEpochRequest](r, "before the back-off")
		}
		r.fire(mirror.TimerRetry)
		again := bumpRequest(r)
		same(t, refusal.String(), again.Minimum, int32(17))
		if again.Correlation == m.Correlation {
			t.Error("the second request has the correlation of the first")
		}
		r.bumped(17)
		r.pump()
		same(t, "state", r.stored.State, record.Mirroring)
	}
}

// TestFenceBumpByResponse is D28=response: the answer is enough for MIRRORING, though not for the batch.
func TestFenceBumpByResponse(t *testing.T) {
	r := fenced(t, 2, 7, "bump-done", "response")
	m := bumpRequest(r)
	r.mute[wire.Fetch] = true
	r.message(bC0, &wire.BumpLeaderEpochResponse{Partition: tp, LeaderEpoch: 17, Correlation: m.Correlation})
	r.pump()
	same(t, "state", []any{r.stored.State, r.strip()}, []any{record.Mirroring, ""})
}

// TestFloor is D15 by the distance of b0's leader epoch to the batches': above it they are not appended; less than 3 above
// them they are, and a bump to the source's leader epoch + 10 is asked for, once; farther, or under another option, nothing.
func TestFloor(t *testing.T) {
	for _, row := range []struct {
		option        string
		local, source int32
		appended      bool
		minimum       int32 // 0: no bump
		state         record.State
	}{
		{"fenced", 6, 7, false, 17, record.EpochFencing},
		{"fenced", 7, 7, true, 17, record.Mirroring},
		{"fenced", 9, 7, true, 17, record.Mirroring},
		{"fenced", 10, 7, true, 0, record.Mirroring},
		{"fenced", 40, 7, true, 0, record.Mirroring},
		{"unconstrained", 2, 7, true, 0, record.Mirroring},
		{"unconstrained-refusing", 2, 7, true, 0, record.Mirroring},
		{"unconstrained", 8, 7, true, 0, record.Mirroring},
	} {
		t.Run(fmt.Sprintf("%s/%d,%d", row.option, row.local, row.source), func(t *testing.T) {
			r := fenced(t, row.local, row.source, "epoch-floor", row.option)
			same(t, "state", r.stored.State, row.state)
			same(t, "appended", r.end() == 3, row.appended)
			if row.minimum > 0 {
				m, to := take[*wire.BumpLeaderEpochRequest](r)
				same(t, "bump", []any{to, m.Minimum}, []any{bC0, row.minimum})
			}
			if row.appended {
				r.source = plain(0, row.source, 5)
				r.pump()
				same(t, "it goes on", r.end(), int64(5))
			}
			none[*wire.BumpLeaderEpochRequest](r, "once is enough")
			_, checks := r.armed(mirror.TimerEpoch)
			same(t, "epoch check", checks, row.option == "fenced")
		})
	}
}

// TestFloorAfterAnotherBump: the bump that was asked for is refused, as somebody else's came first. That is not enough; the
// next batch asks again.
func TestFloorAfterAnotherBump(t *testing.T) {
	r := fenced(t, 7, 7)
	same(t, "minimum", bumpRequest(r).Minimum, int32(17))
	r.bumped(8)
	r.pump()
	r.source = plain(0, 7, 4)
	r.pump()
	m := bumpRequest(r)
	same(t, "bump", []any{m.Minimum, r.end()}, []any{int32(17), int64(4)})
}

// TestFloorWhilePausing: PAUSING is being stored when a batch comes that is too high: it is not appended, and the pause goes
// on.
func TestFloorWhilePausing(t *testing.T) {
	r := fenced(t, 20, 7)
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantPaused)
	r.source, r.srcEpoch = join(plain(0, 7, 3), plain(3, 30, 1)), 30
	r.pump()
	r.fire(mirror.TimerFetch)
	r.pump()
	same(t, "log", r.strip(), "0@7 1@7 2@7")
	r.mute[wire.WriteMirrorStates] = false
	r.pump()
	same(t, "writes", r.writes[2:], []string{"PAUSING", "PAUSED"})
}

// TestFloorOfRewritten: batches that take b0's leader epoch (D8=rewrite) are never above it, and always near it. One bump
// is asked for, and not another when that shows.
func TestFloorOfRewritten(t *testing.T) {
	r := newRig(t, "epoch-floor", "fenced", "batch-epoch", "rewrite")
	r.bumped(2)
	r.srcEpoch, r.mute[wire.Fetch], r.mute[wire.BumpLeaderEpoch] = 7, true, true
	r.want(record.WantMirroring)
	r.pump()
	r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 3, LogEnd: 3, Batches: plain(0, 7, 3)})
	same(t, "log", r.strip(), "0@2 1@2 2@2")
	same(t, "minimum", bumpRequest(r).Minimum, int32(17))
	r.bumped(17)
	r.pump()
	r.answer(newestMirrorFetch(r), wire.FetchResponse{HighWatermark: 4, LogEnd: 4, Batches: plain(3, 7, 1)})
	same(t, "log", r.strip(), "0@2 1@2 2@2 3@17")
	none[*wire.BumpLeaderEpochRequest](r, "17 shows")
}

// TestEpochCheck: every 10 s the source's leader epoch is compared as a batch's is, so that a source that was elected anew
// and writes nothing is not forgotten. A bump whose request was lost is asked for again.
func TestEpochCheck(t *testing.T) {
	r := fenced(t, 12, 7)
	r.mute[wire.Fetch] = true
	check := func(what string, want ...int32) {
		t.Helper()
		op := r.fire(mirror.TimerEpoch)
		same(t, what+": after", op.After, 10*id.Second)
		r.pump()
		for _, minimum := range want {
			same(t, what, bumpRequest(r).Minimum, minimum)
		}
		none[*wire.BumpLeaderEpochRequest](r, what)
	}
	check("5 above")
	r.refreshes()
	check("the source's epoch is not known")
	r.srcEpoch = 10
	r.mute[wire.Metadata] = false
	r.pump()
	check("2 above", 20)
	check("that was lost", 20)
	r.bumped(20)
	r.pump()
	check("that shows")
	r.refreshes()
	r.srcEpoch = 30
	r.mute[wire.Metadata] = false
	r.pump()
	check("10 below", 40)
	same(t, "state", r.stored.State, record.EpochFencing)
	r.mute[wire.Fetch] = false
	r.bumped(40)
	r.pump()
	same(t, "in the end", r.stored.State, record.Mirroring)
	check("10 above")
	r.want(record.WantPaused)
	r.pump()
	if _, armed := r.armed(mirror.TimerEpoch); armed {
		r.fire(mirror.TimerEpoch)
	}
	_, armed := r.armed(mirror.TimerEpoch)
	same(t, "checked while PAUSED", armed, false)
}

// TestEpochCheckOfUnknownSource: before the source has told its leader epoch there is nothing to compare.
func TestEpochCheckOfUnknownSource(t *testing.T) {
	r := newRig(t, "epoch-floor", "fenced")
	r.mute[wire.Metadata], r.mute[wire.BumpLeaderEpoch] = true, true
	r.want(record.WantMirroring)
	r.pump()
	r.fire(mirror.TimerEpoch)
	none[*wire.BumpLeaderEpochRequest](r, "the source's epoch is not known")
}

// TestNewLeaderFences: EPOCH_FENCING is begun again by whoever leads, and by the same leader when the coordinator has moved.
func TestNewLeaderFences(t *testing.T) {
	r := fenced(t, 2, 7)
	r.sent = nil
	r.register(led(b1, 3))
	r.register(led(b0, 4))
	r.pump()
	m := bumpRequest(r)
	same(t, "bump", []any{m.Minimum}, []any{int32(17)})
	r.meta(coordinatorMoved())
	r.pump()
	same(t, "bump", bumpRequest(r).Minimum, int32(17))
	r.bumped(17)
	r.pump()
	same(t, "writes", r.writes, []string{"PREPARING", "MIRRORING", "EPOCH_FENCING", "EPOCH_FENCING", "EPOCH_FENCING", "MIRRORING"})
	same(t, "log", r.strip(), "0@7 1@7 2@7")
}

// TestStopWhileFencing: a stop does not wait for the source's metadata, nor for the bump. What is answered late makes no
// fetcher.
func TestStopWhileFencing(t *testing.T) {
	for _, muted := range []wire.API{wire.Metadata, wire.BumpLeaderEpoch} {
		t.Run(muted.String(), func(t *testing.T) {
			r := newRig(t, "epoch-floor", "fenced")
			r.stored, r.source, r.srcEpoch = stored(record.EpochFencing), plain(0, 0, 3), 7
			r.mute[muted] = true
			r.want(record.WantMirroring)
			r.pump()
			r.mute[wire.WriteMirrorStates] = true
			r.want(record.WantStopped)
			r.mute[wire.Metadata] = false
			r.pump()
			none[*wire.FetchRequest](r, "STOPPING is being stored")
			r.mute[wire.BumpLeaderEpoch], r.mute[wire.WriteMirrorStates] = false, false
			r.sent = dropBumps(r)
			r.pump()
			same(t, "writes", r.writes, []string{"EPOCH_FENCING", "STOPPING", "STOPPED"})
			same(t, "log and produce", []any{r.strip(), r.produce()}, []any{"0@1:reset", wire.OK})
		})
	}
}

// TestFencingReadsAgain: the source's metadata come while the coordinator that has moved is asked: nothing is fetched until
// it has answered.
func TestFencingReadsAgain(t *testing.T) {
	r := newRig(t, "epoch-floor", "fenced")
	r.stored, r.source, r.srcEpoch = stored(record.EpochFencing), plain(0, 0, 3), 7
	r.mute[wire.Metadata], r.mute[wire.ReadMirrorStates] = true, false
	r.want(record.WantMirroring)
	r.pump()
	r.mute[wire.ReadMirrorStates] = true
	r.meta(coordinatorMoved())
	r.told(func(*wire.MetadataResponse) {})
	none[*wire.FetchRequest](r, "the coordinator has not answered")
	none[*wire.BumpLeaderEpochRequest](r, "the coordinator has not answered")
	r.mute[wire.Metadata], r.mute[wire.ReadMirrorStates] = false, false
	r.pump()
	same(t, "in the end", []any{r.stored.State, r.strip()}, []any{record.Mirroring, "0@0 1@0 2@0"})
}

// TestLateFetcherIsFenced: an order of D3 stops the fetcher late. In STOPPING a batch above b0's leader epoch is not
// appended, and one that is near it is; neither leads to EPOCH_FENCING or to a bump but the stop's own.
func TestLateFetcherIsFenced(t *testing.T) {
	for _, row := range []struct {
		epoch int32
		log   string
	}{{20, "0@0 1@0 2@0 3@18:reset"}, {16, "0@0 1@0 2@0 3@18:reset 4@16"}} {
		r := newRig(t, "epoch-floor", "fenced", "stop-order", "record,bump,transactions,reset,fetchers")
		r.bumped(17)
		r.source = plain(0, 0, 3)
		r.want(record.WantMirroring)
		r.pump()
		r.follower, r.mute[wire.Fetch], r.srcEpoch = false, true, row.epoch
		r.stop()
		same(t, "the reset is not acknowledged", r.strip(), "0@0 1@0 2@0 3@18:reset")
		r.fire(mirror.TimerFetch)
		r.pump()
		r.answer(newestMirrorFetch(r), wire.FetchResponse{HighWatermark: 5, LogEnd: 5, Batches: plain(4, row.epoch, 1)})
		none[*wire.BumpLeaderEpochRequest](r, "the stop has bumped")
		r.follower = true
		r.pump()
		same(t, "log", r.strip(), row.log)
		same(t, "last writes", r.writes[2:], []string{"STOPPING", "position 17,-1", "STOPPED"})
	}
}

// dropBumps is what b0 sent, without requests for bumps.
func dropBumps(r *rig) (kept []node.Send) {
	for _, s := range r.sent {
		if s.Body.API() != wire.BumpLeaderEpoch {
			kept = append(kept, s)
		}
	}
	return kept
}
