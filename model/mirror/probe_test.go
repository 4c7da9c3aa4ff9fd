package mirror_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestSourceConsents is D12=source-then-isr-or-all: b0 has 0-4@0, the source 0-2@0 and 3@1, and the position looked up is
// epoch 0, so that alignment cuts nothing. What differs inside epoch 0 is found and cut before MIRRORING is stored.
func TestSourceConsents(t *testing.T) {
	for _, row := range []struct {
		wait string
		end  int64 // of the log, as MIRRORING is stored
	}{
		{"isr-or-all", 5},
		{"source-then-isr-or-all", 3},
	} {
		t.Run(row.wait, func(t *testing.T) {
			r := newRig(t, "alignment-wait", row.wait)
			r.holds(5, plain(0, 0, 5)...)
			r.source, r.srcEpoch = join(plain(0, 0, 3), plain(3, 1, 1)), 1
			r.lookup = found(0, -1)
			r.want(record.WantMirroring)
			r.mute[wire.Fetch] = row.wait == "isr-or-all"
			for r.stored.State != record.Mirroring {
				r.pump()
				if r.stored.State == record.Preparing {
					r.fire(mirror.TimerFetch)
				}
			}
			done := r.kinds(event.Aligned)[0]
			same(t, "aligned at", done.Offset, row.end)
			same(t, "stored with", r.stored.Aligned, row.end)
		})
	}
}

// TestStopBeforeConsent: a stop that comes before the source has agreed records nothing; the position of an earlier run
// stays.
func TestStopBeforeConsent(t *testing.T) {
	for _, rerun := range []string{"overwrite", "keep-first"} {
		r := newRig(t, "alignment-wait", "source-then-isr-or-all", "marker-rerun", rerun)
		r.holds(5, plain(0, 0, 5)...)
		r.lookup = found(0, -1)
		r.mute[wire.Metadata] = true // the source's leader is not found
		r.stored, r.position = record.MirrorState{State: record.Stopped, Run: 1}, &record.MirrorState{Run: 1, Epoch: 0, Offset: -1}
		r.want(record.WantMirroring)
		r.pump()
		same(t, "state", []any{r.stored.State, r.stored.Run}, []any{record.Preparing, int32(2)})
		r.want(record.WantStopped)
		r.pump()
		same(t, "state", r.stored.State, record.Stopped)
		same(t, "position", []any{r.position.Run, r.position.Epoch}, []any{int32(1), int32(0)})
	}
}

// TestConsentAndPreparingAgain: b0 has the source's consent and waits for b1, when the coordinator moves and PREPARING is stored again, as
// another run; that the source has agreed to this log is known still. So it is not when the source has taken it back.
func TestConsentAndPreparingAgain(t *testing.T) {
	for name, answer := range map[string]*wire.FetchResponse{ // to the fetch of the second time
		"not asked again": nil,
		"taken back":      {Diverging: true, DivergingEpoch: 0, DivergingOffset: 4},
		"out of range":    {Code: wire.OffsetOutOfRange, LogEnd: 4},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "alignment-wait", "source-then-isr-or-all", "marker", "epoch-and-offset", "followed-means", "leo-fresh")
			r.holds(5, plain(0, 0, 5)...)
			r.source, r.follower = plain(0, 0, 5), false
			r.lookup = found(0, 5)
			r.want(record.WantMirroring)
			r.pump()
			r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 5, LogEnd: 5})
			same(t, "waits", []any{r.stored.State, r.stored.Run, r.stored.Agreed}, []any{record.Preparing, int32(1), false})
			r.mute[wire.LastMirroredPosition], r.mute[wire.Fetch] = answer == nil, true
			r.meta(coordinatorMoved())
			r.pump()
			same(t, "again", []any{r.stored.State, r.stored.Run, r.stored.Agreed}, []any{record.Preparing, int32(2), false})
			if answer != nil {
				r.answer(takeMirrorFetch(r), *answer)
			}
			r.want(record.WantStopped)
			r.pump()
			same(t, "STOPPING is stored", []any{r.stored.State, r.stored.Agreed}, []any{record.Stopping, false})
			if same(t, "a position is recorded", r.position != nil, answer == nil); answer == nil {
				same(t, "position", []any{r.position.Run, r.position.Epoch, r.position.Offset}, []any{int32(2), int32(0), int64(5)})
			}
		})
	}
}

// TestProbeAboveSource: an epoch above all of the source's is out of range, and there is nothing to cut (D33): the source
// is asked again after a back-off, not at once and for ever.
func TestProbeAboveSource(t *testing.T) {
	r := newRig(t, "alignment-wait", "source-then-isr-or-all")
	r.lookup = found(4, -1)
	r.holds(5, join(plain(0, 0, 3), plain(3, 4, 1))...)
	r.mute[wire.Fetch] = true
	r.want(record.WantMirroring)
	r.pump()
	m, _ := take[*wire.FetchRequest](r)
	r.message(a0, &wire.FetchResponse{Partition: tp, Code: wire.OffsetOutOfRange, FetchOffset: 4, LogEnd: 4, Correlation: m.Correlation})
	none[*wire.FetchRequest](r, "the same answer would come at once")
	same(t, "log end", r.end(), int64(4))
	r.fire(mirror.TimerFetch)
	r.pump()
	again, _ := take[*wire.FetchRequest](r)
	same(t, "asked after the back-off", again.FetchOffset, m.FetchOffset)
}

// TestRealignSecondRun: only the end of one alignment is stored, and a replica may have been away since before the one of
// an earlier run: from the second run on a replica that was away is cut to nothing (D41=realign).
func TestRealignSecondRun(t *testing.T) {
	for run, want := range map[int32]int64{0: 3, 1: 0} { // the runs before this one
		r := newRig(t, "absent-replica", "realign")
		r.holds(5, plain(0, 0, 3)...)
		r.register(inSync(b0))
		r.follower = false // b1 is away
		r.source, r.lookup = plain(0, 0, 6), found(0, -1)
		r.stored = record.MirrorState{State: record.Stopped, Run: run}
		if run == 0 {
			r.stored = record.MirrorState{}
		}
		r.want(record.WantMirroring)
		r.pump()
		same(t, "state", r.stored.State, record.Mirroring)
		r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, CurrentLeaderEpoch: r.reg.LeaderEpoch, LastFetchedEpoch: 0,
			FetchOffset: 4, Correlation: 1 << 30})
		res, _ := take[*wire.FetchResponse](r)
		same(t, "cut", []any{res.Diverging, res.DivergingOffset}, []any{true, want})
	}
}

// TestCutWhileStopping: a divergence that is heard while STOPPING is on its way lowers the end of the alignment, and
// STOPPING is sent again with it; nothing more is fetched.
func TestCutWhileStopping(t *testing.T) {
	r := aligned(t, plain(0, 0, 5), found(0, -1), "absent-replica", "realign")
	same(t, "aligned at", r.stored.Aligned, int64(5))
	fetch := takeMirrorFetch(r)
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantStopped)
	first, _ := take[*wire.WriteMirrorStatesRequest](r)
	r.answer(fetch, wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 3})
	again, _ := take[*wire.WriteMirrorStatesRequest](r)
	same(t, "stored", []any{first.Record.State, first.Record.Aligned, again.Record.State, again.Record.Aligned},
		[]any{record.Stopping, int64(5), record.Stopping, int64(3)})
	none[*wire.FetchRequest](r, "STOPPING is on its way")
}

// TestResetWaitsOn: while the reset waits for the followers, b0 hears of a new leader epoch of its own and of an ISR change
// in one answer, which its replica takes for a new election: who waited is refused. The stop waits on.
func TestResetWaitsOn(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.mute[wire.BumpLeaderEpoch] = true
	r.want(record.WantStopped)
	r.pump()
	r.follower, r.mute[wire.BumpLeaderEpoch] = false, false
	r.pump()
	same(t, "state", r.stored.State, record.Stopping)
	r.meta(r.changed(led(b0, 9)), r.changed(inSync(b0, b1)))
	r.pump()
	same(t, "state", r.stored.State, record.Stopping)
	r.follower = true
	r.pump()
	same(t, "state", r.stored.State, record.Stopped)
}

// TestLogBelowTheSourcesStart: of what the source has deleted nobody can tell whether it is the same. Where a cut leaves nothing
// else, and where the source answers a probe at its own log start, the log is dropped and starts there; one that reaches above the
// source's start is not.
func TestLogBelowTheSourcesStart(t *testing.T) {
	for name, row := range map[string]struct {
		answer wire.FetchResponse
		want   [2]int64 // log start and end
	}{
		"a cut to below it":   {wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 3, LogStart: 4, LogEnd: 9}, [2]int64{4, 4}},
		"a cut to it":         {wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 3, LogStart: 3, LogEnd: 9}, [2]int64{3, 3}},
		"a cut to above it":   {wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 3, LogStart: 2, LogEnd: 9}, [2]int64{0, 3}},
		"the end is at it":    {wire.FetchResponse{LogStart: 4, LogEnd: 9, HighWatermark: 9}, [2]int64{4, 4}},
		"the end is above it": {wire.FetchResponse{LogStart: 3, LogEnd: 9, HighWatermark: 9}, [2]int64{0, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "alignment-wait", "source-then-isr-or-all")
			r.lookup = found(0, -1)
			r.holds(4, plain(0, 0, 4)...)
			r.mute[wire.Fetch], r.follower = true, false
			r.want(record.WantMirroring)
			r.pump()
			m, _ := take[*wire.FetchRequest](r)
			row.answer.Partition, row.answer.FetchOffset, row.answer.Correlation = tp, m.FetchOffset, m.Correlation
			r.message(a0, &row.answer)
			f := r.disk.Find(tp)
			same(t, "log", [2]int64{f.Start, f.End}, row.want)
		})
	}
	r := mirroring(t, plain(0, 0, 5), "divergence", "truncate")
	r.answer(takeMirrorFetch(r), wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 3, LogStart: 3, LogEnd: 9})
	m := takeMirrorFetch(r)
	same(t, "fetch while MIRRORING", []any{m.FetchOffset, m.LastFetchedEpoch, r.disk.Find(tp).Start}, []any{int64(3), int32(-1), int64(3)})
}

// TestNothingIsLeftAboveTheSourcesStart: b0's log starts at 3, behind an epoch of which nobody can tell any more where it ended here.
// Where a divergence leaves nothing of it, the source may have below what b0 never had: asked again, it answers with a log that begins
// there, and b0 starts anew with that, in PREPARING too. Under another option of D11 it goes on where it was cut.
func TestNothingIsLeftAboveTheSourcesStart(t *testing.T) {
	for name, row := range map[string]struct {
		answer    wire.FetchResponse
		want, cut [2]int64 // log start and end, with truncate-or-recover and with truncate
	}{
		"diverging below it":         {wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 2, LogStart: 1}, [2]int64{1, 1}, [2]int64{2, 2}},
		"diverging at it":            {wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 3, LogStart: 0}, [2]int64{0, 0}, [2]int64{3, 3}},
		"the source ends below it":   {wire.FetchResponse{Code: wire.OffsetOutOfRange, LogEnd: 2, LogStart: 1}, [2]int64{1, 1}, [2]int64{2, 2}},
		"diverging above it":         {wire.FetchResponse{Diverging: true, DivergingEpoch: 1, DivergingOffset: 4, LogStart: 1}, [2]int64{3, 4}, [2]int64{3, 4}},
		"the source starts above it": {wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 4, LogStart: 4}, [2]int64{4, 4}, [2]int64{4, 4}},
	} {
		for _, state := range []record.State{record.Stopped, record.Mirroring} {
			for _, divergence := range []string{"truncate-or-recover", "truncate"} {
				t.Run(name+", "+state.String()+" before, "+divergence, func(t *testing.T) {
					r := newRig(t, "alignment-wait", "source-then-isr-or-all", "divergence", divergence)
					r.stored, r.lookup = stored(state), found(1, -1)
					r.holds(5, plain(3, 1, 2)...)
					r.disk.Find(tp).Start = 3
					r.boot()
					r.mute[wire.Fetch] = true
					r.want(record.WantMirroring)
					r.pump()
					r.answer(takeMirrorFetch(r), row.answer)
					r.answer(takeMirrorFetch(r), wire.FetchResponse{LogStart: row.answer.LogStart, LogEnd: 9, HighWatermark: 9})
					want := row.want
					if divergence == "truncate" {
						want = row.cut
					}
					f := r.disk.Find(tp)
					same(t, "log", [2]int64{f.Start, f.End}, want)
					if want[0] < 3 && divergence != "truncate" && state == record.Stopped {
						same(t, "it has not agreed", []any{r.stored.State, takeMirrorFetch(r).FetchOffset}, []any{record.Preparing, want[1]})
					}
				})
			}
		}
	}
}
