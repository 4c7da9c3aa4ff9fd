package mirror_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// pausedRig is b0 PAUSED after it mirrored what the source holds.
func pausedRig(t *testing.T, source []*record.Batch, sets ...string) *rig {
	t.Helper()
	r := mirroring(t, source, sets...)
	r.want(record.WantPaused)
	r.pump()
	same(t, "writes", r.writes, []string{"PAUSING", "PAUSED"})
	r.writes, r.events, r.sent = nil, nil, nil
	return r
}

// TestPause (seed 004, "Pause", 3 to 6): the fetcher is removed once PAUSING is stored, and not before; an answer that is
// on its way then is not appended. PAUSED stays read-only, and asks for nothing.
func TestPause(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantPaused)
	m, _ := take[*wire.WriteMirrorStatesRequest](r)
	same(t, "write", m.Record.State, record.Pausing)
	r.source = plain(0, 0, 3)
	r.pump()
	same(t, "PAUSING is not stored", []any{r.strip(), len(r.kinds(event.MirrorFetchStopped))}, []any{"0@0 1@0 2@0", 0})
	fetch := fetchesOn(r)
	r.message(b2, r.write(m))
	same(t, "PAUSING is stored", len(r.kinds(event.MirrorFetchStopped)), 1)
	r.source = plain(0, 0, 4)
	r.message(a0, r.serve(fetch))
	same(t, "log", r.strip(), "0@0 1@0 2@0")
	m, _ = take[*wire.WriteMirrorStatesRequest](r)
	same(t, "write", m.Record.State, record.Paused)
	r.message(b2, r.write(m))
	r.message(a0, r.serve(fetch))
	r.fire(mirror.TimerScan)
	r.pump()
	same(t, "sent", r.pending(), "")
	state, lag := r.describe()
	same(t, "in the end", []any{state, lag, r.strip(), r.produce()}, []any{record.Paused, "unknown", "0@0 1@0 2@0", wire.ReadOnlyTopic})
	same(t, "waits", r.waits(), []string(nil))
}

// fetchesOn has b0's fetch timer fire, since a fetch that is answered while a state is stored is not followed by another,
// and takes the fetch.
func fetchesOn(r *rig) *wire.FetchRequest {
	r.t.Helper()
	r.fire(mirror.TimerFetch)
	r.pump()
	return takeMirrorFetch(r)
}

// TestResume (seed 004, "Resume", 4 and 5, and case S1): PAUSED goes to MIRRORING at once. Nothing is looked up or cut; the
// fetch goes on from the log end.
func TestResume(t *testing.T) {
	r := pausedRig(t, plain(0, 0, 3))
	r.source = plain(0, 0, 4)
	r.mute[wire.Fetch] = true
	r.want(record.WantMirroring)
	r.pump()
	same(t, "writes", r.writes, []string{"MIRRORING"})
	same(t, "looked up or cut", []int{len(r.kinds(event.LookupReturned)), len(r.kinds(event.Truncated))}, []int{0, 0})
	fetch := takeMirrorFetch(r)
	same(t, "fetch", []any{fetch.FetchOffset, fetch.LastFetchedEpoch}, []any{int64(3), int32(0)})
	r.message(a0, r.serve(fetch))
	same(t, "log", []any{r.strip(), r.stored.Run}, []any{"0@0 1@0 2@0 3@0", int32(1)})
}

// TestResumeBehindSource is case L1 in small: the source's log start has passed the local log end meanwhile.
func TestResumeBehindSource(t *testing.T) {
	r := pausedRig(t, plain(0, 0, 5))
	r.mute[wire.Fetch] = true
	r.want(record.WantMirroring)
	r.pump()
	r.answer(takeMirrorFetch(r), wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 10, LogEnd: 12, HighWatermark: 12})
	same(t, "log", []any{r.files().Start, r.end(), r.strip()}, []any{int64(10), int64(10), ""})
	same(t, "fetch", takeMirrorFetch(r).FetchOffset, int64(10))
}

// TestPauseEarly is D25=apply-later: a pause that is desired before MIRRORING is reached lets its way there end.
func TestPauseEarly(t *testing.T) {
	for _, row := range []struct {
		state  record.State
		mute   wire.API
		writes []string
	}{
		{record.Preparing, wire.LastMirroredPosition, []string{"PREPARING", "MIRRORING", "PAUSING", "PAUSED"}},
		{record.EpochFencing, wire.BumpLeaderEpoch, []string{"EPOCH_FENCING", "MIRRORING", "PAUSING", "PAUSED"}},
		{record.UleRecovery, 0, []string{"ULE_RECOVERY", "MIRRORING", "PAUSING", "PAUSED"}},
	} {
		t.Run(row.state.String(), func(t *testing.T) {
			r := unbooted(t, "epoch-floor", "fenced")
			r.boot()
			r.stored, r.srcEpoch, r.follower = stored(row.state), 7, false
			r.mute[row.mute] = true
			r.want(record.WantMirroring)
			r.pump()
			r.want(record.WantPaused)
			r.fire(mirror.TimerScan)
			r.pump()
			same(t, "it goes on", r.writes, row.writes[:1])
			r.follower, r.mute[row.mute] = true, false
			r.pump()
			same(t, "writes", r.writes, row.writes)
			_, fetches := r.armed(mirror.TimerFetch)
			same(t, "it fetches on", fetches, false)
		})
	}
}

// TestPauseDuringStop: STOPPING ends first. As the topic is desired to be mirrored, though paused, the next run begins and
// is paused.
func TestPauseDuringStop(t *testing.T) {
	r := stopping(t, plain(0, 0, 2))
	r.want(record.WantPaused)
	r.mute[wire.BumpLeaderEpoch] = false
	r.pump()
	same(t, "writes", r.writes, []string{"STOPPING", "position 0,-1", "STOPPED", "PREPARING", "MIRRORING", "PAUSING", "PAUSED"})
	same(t, "never writable", len(r.kinds(event.WritableChanged)), 0)
}

// TestResumeDuringPause: PAUSING ends first.
func TestResumeDuringPause(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.mute[wire.WriteMirrorStates] = true
	r.want(record.WantPaused)
	r.want(record.WantMirroring)
	r.mute[wire.WriteMirrorStates] = false
	r.pump()
	same(t, "writes", r.writes, []string{"PAUSING", "PAUSED", "MIRRORING"})
	same(t, "cut", len(r.kinds(event.Truncated)), 0)
	takeMirrorFetch(r)
}

// TestStopFromPause: a stop of PAUSED, and case S5: a stop that follows a pause at once, with PAUSING, or PAUSED, being
// stored. The fetcher does not come back for it.
func TestStopFromPause(t *testing.T) {
	for _, row := range []struct {
		stored int // writes before the stop
		want   []string
	}{
		{0, []string{"PAUSING", "PAUSED", "STOPPING", "position 0,-1", "STOPPED"}},
		{1, []string{"PAUSING", "PAUSED", "STOPPING", "position 0,-1", "STOPPED"}},
		{2, []string{"PAUSING", "PAUSED", "STOPPING", "position 0,-1", "STOPPED"}},
	} {
		t.Run(fmt.Sprint(row.stored), func(t *testing.T) {
			r := mirroring(t, plain(0, 0, 2))
			r.mute[wire.WriteMirrorStates] = true
			r.want(record.WantPaused)
			for range row.stored {
				m, _ := take[*wire.WriteMirrorStatesRequest](r)
				r.message(b2, r.write(m))
			}
			r.mute[wire.WriteMirrorStates] = false
			r.stop()
			same(t, "writes", r.writes, row.want)
			same(t, "produce", r.produce(), wire.OK)
			same(t, "fetchers", []int{len(r.kinds(event.MirrorFetchStarted)), len(r.kinds(event.MirrorFetchStopped))}, []int{0, 1})
		})
	}
}

// TestStopFindsPausing: a new leader that finds PAUSING, or whose write of PAUSED was lost, and a stop: STOPPING at once.
func TestStopFindsPausing(t *testing.T) {
	r := leads(t, stored(record.Pausing), record.WantStopped)
	same(t, "writes", r.writes, []string{"STOPPING", "STOPPED"})
}

// TestNewLeaderPauses: PAUSING is begun again by whoever leads; PAUSED stays (case S7), with its coordinator too.
func TestNewLeaderPauses(t *testing.T) {
	for state, want := range map[record.State][]string{
		record.Pausing: {"PAUSING", "PAUSED"}, record.Paused: {"PAUSED"},
	} {
		r := leads(t, stored(state), record.WantPaused)
		same(t, state.String(), r.writes, want)
		none[*wire.MetadataRequest](r, "no fetcher")
		r.meta(coordinatorMoved())
		r.pump()
		same(t, "the coordinator has moved", r.writes, append(want, "PAUSED"))
		same(t, "no fetcher", []any{r.pending(), len(r.kinds(event.MirrorFetchStarted))}, []any{"", 0})
		same(t, "produce", r.produce(), wire.ReadOnlyTopic)
	}
}
