package mirror_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// e3 is case E3 up to the unclean election: b0 and b1 mirrored 0-29 of epoch 0, b2 is a third replica outside the ISR; now
// the source has 0-19 of epoch 0 and 20-24 of epoch 1, and answers so. Followers are the test's to play.
func e3(t *testing.T, unclean bool, divergence string, sets ...string) *rig {
	t.Helper()
	r := unbooted(t, append([]string{"divergence", divergence}, sets...)...)
	r.reg.Replicas = []id.Node{b0, b1, b2}
	n := len(r.metadata)
	r.metadata[n-1] = r.changed(func(*record.PartitionRecord) {})
	r.metadata[n-2] = &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1, MirrorUnclean: unclean}
	r.holds(30, plain(0, 0, 30)...)
	r.boot()
	r.stored, r.source = stored(record.Mirroring), plain(0, 0, 30)
	r.want(record.WantMirroring)
	r.pump()
	r.fetchFrom(b2, 30)
	r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 30, LogEnd: 30})
	r.follower, r.writes = false, nil
	r.elected(join(plain(0, 0, 20), plain(20, 1, 5)))
	return r
}

// TestUncleanRecovery is case E3 with fail-or-recover and unclean support: nothing is cut before ULE_RECOVERY is stored;
// then the log is cut to 20, and all replicas, in the ISR or not, are waited for. After MIRRORING the log end is 25.
func TestUncleanRecovery(t *testing.T) {
	for _, row := range []struct{ order, laggards [2]id.Node }{
		{order: [2]id.Node{b1, b2}, laggards: [2]id.Node{b1, b2}},
		{order: [2]id.Node{b2, b1}, laggards: [2]id.Node{b1, b1}},
	} {
		r := e3(t, true, "fail-or-recover")
		same(t, "writes", r.writes, []string{"ULE_RECOVERY"})
		same(t, "log end", []any{r.end(), r.stored.Aligned}, []any{int64(20), int64(0)})
		cuts := r.kinds(event.Truncated)
		same(t, "cut", []any{len(cuts), cuts[0].Offset, cuts[0].End, event.TruncateCause(cuts[0].Cause)}, []any{1, int64(20), int64(30), event.Diverged})
		_, fetches := r.armed(mirror.TimerFetch)
		same(t, "it fetches", fetches, false)
		for i, n := range row.order {
			same(t, fmt.Sprint("before node ", n), r.stored.State, record.UleRecovery)
			same(t, "waits", r.waits()[0],
				fmt.Sprintf("cluster1/topic1-0 in ULE_RECOVERY: replica node %d has not followed the truncation", row.laggards[i]))
			r.fetchFrom(n, 20)
			r.pump()
		}
		same(t, "no alignment", len(r.kinds(event.Aligned)), 0)
		same(t, "in the end", []any{r.writes, r.end(), r.strip()[len(r.strip())-9:]}, []any{[]string{"ULE_RECOVERY", "MIRRORING"}, int64(25), "23@1 24@1"})
	}
}

// TestUncleanRecoveryPersists: persist, then act. The log is whole while ULE_RECOVERY is being stored, and what the source
// answers then is of no account.
func TestUncleanRecoveryPersists(t *testing.T) {
	r := unbooted(t, "divergence", "fail-or-recover")
	r.metadata[len(r.metadata)-2] = &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1, MirrorUnclean: true}
	r.boot()
	r.source = plain(0, 0, 5)
	r.want(record.WantMirroring)
	r.pump()
	r.mute[wire.WriteMirrorStates] = true
	r.elected(join(plain(0, 0, 3), plain(3, 1, 1)))
	m, _ := take[*wire.WriteMirrorStatesRequest](r)
	same(t, "write and log end", []any{m.Record.State, r.end()}, []any{record.UleRecovery, int64(5)})
	r.fire(mirror.TimerFetch)
	r.pump()
	none[*wire.WriteMirrorStatesRequest](r, "it is on its way")
	same(t, "log end", r.end(), int64(5))
	r.mute[wire.WriteMirrorStates] = false
	r.message(b2, r.write(m))
	r.pump()
	same(t, "log", r.strip(), "0@0 1@0 2@0 3@1")
	same(t, "state", r.stored.State, record.Mirroring)
}

// TestUncleanRecoveryWaitsForAll is case E4: a replica that is down keeps the partition in ULE_RECOVERY until it is back,
// whatever alignment would wait for (D12), and although it leaves the ISR.
func TestUncleanRecoveryWaitsForAll(t *testing.T) {
	for _, wait := range []string{"none", "isr", "isr-or-all"} {
		r := e3(t, true, "fail-or-recover", "alignment-wait", wait)
		r.fetchFrom(b2, 20)
		r.register(inSync(b0))
		r.fire(mirror.TimerScan)
		r.pump()
		same(t, wait+": b1 is down", []any{r.stored.State, r.end()}, []any{record.UleRecovery, int64(20)})
		r.fetchFrom(b1, 20)
		r.pump()
		same(t, wait+": b1 is back", []any{r.stored.State, r.end()}, []any{record.Mirroring, int64(25)})
	}
}

// TestNewLeaderRecovers: a new leader that finds ULE_RECOVERY has not seen the divergence. It cuts nothing, waits for all
// replicas, and finds the divergence anew if it is still there.
func TestNewLeaderRecovers(t *testing.T) {
	for _, diverged := range []bool{false, true} {
		r := unbooted(t, "divergence", "fail-or-recover")
		r.reg.Replicas = []id.Node{b0, b1, b2}
		n := len(r.metadata)
		r.metadata[n-1] = r.changed(func(*record.PartitionRecord) {})
		r.metadata[n-2] = &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1, MirrorUnclean: true}
		r.holds(5, plain(0, 0, 5)...)
		r.boot()
		r.follower, r.stored = false, stored(record.UleRecovery)
		r.source, r.srcEpoch = plain(0, 0, 6), 0
		if diverged {
			r.source, r.srcEpoch = join(plain(0, 0, 3), plain(3, 1, 1)), 1
		}
		r.want(record.WantMirroring)
		r.pump()
		r.fetchFrom(b1, 5)
		r.pump()
		same(t, "b2 has not fetched", []any{r.writes, r.end()}, []any{[]string{"ULE_RECOVERY"}, int64(5)})
		r.fetchFrom(b2, 5)
		r.pump()
		if !diverged {
			same(t, "in the end", []any{r.writes, r.strip()}, []any{[]string{"ULE_RECOVERY", "MIRRORING"}, "0@0 1@0 2@0 3@0 4@0 5@0"})
			continue
		}
		same(t, "again", []any{r.writes, r.strip()}, []any{[]string{"ULE_RECOVERY", "MIRRORING", "ULE_RECOVERY"}, "0@0 1@0 2@0"})
		r.fetchFrom(b1, 3)
		r.fetchFrom(b2, 3)
		r.pump()
		same(t, "in the end", []any{r.stored.State, r.strip()}, []any{record.Mirroring, "0@0 1@0 2@0 3@1"})
	}
}

// TestNewLeaderAsksTheSource is the same with the source's consent (D12): the new leader asks before it waits for the replicas, cuts
// where the source says, notes how far, and stores MIRRORING once. What an answer holds that comes when a stop is on its way, is not
// appended.
func TestNewLeaderAsksTheSource(t *testing.T) {
	for _, stops := range []bool{false, true} {
		r := unbooted(t, "divergence", "fail-or-recover", "alignment-wait", "source-then-isr-or-all", "stop-from", "any")
		r.metadata[len(r.metadata)-2] = &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1, MirrorUnclean: true}
		r.holds(5, plain(0, 0, 5)...)
		r.boot()
		r.follower, r.stored = false, stored(record.UleRecovery)
		r.stored.Aligned = 5
		r.source, r.srcEpoch = join(plain(0, 0, 3), plain(3, 1, 1)), 1
		r.mute[wire.Fetch] = true
		r.want(record.WantMirroring)
		r.pump()
		r.answer(takeMirrorFetch(r), wire.FetchResponse{Diverging: true, DivergingEpoch: 0, DivergingOffset: 3})
		same(t, "log", []any{r.writes, r.strip()}, []any{[]string{"ULE_RECOVERY"}, "0@0 1@0 2@0"})
		m := takeMirrorFetch(r)
		same(t, "asked again", []any{m.FetchOffset, m.MaxWait}, []any{int64(3), id.Duration(0)})
		if stops {
			r.mute[wire.WriteMirrorStates] = true
			r.want(record.WantStopped)
		}
		r.answer(m, wire.FetchResponse{HighWatermark: 4, LogEnd: 4, Batches: plain(3, 1, 1)})
		same(t, "nothing is appended", r.strip(), "0@0 1@0 2@0")
		r.mute[wire.Fetch], r.mute[wire.WriteMirrorStates] = false, false
		if !stops {
			r.pump()
			same(t, "waits for b1", r.writes, []string{"ULE_RECOVERY"})
		}
		r.fetchFrom(b1, 3)
		r.pump()
		if stops {
			same(t, "in the end", []any{r.stored.State, r.strip()[:11]}, []any{record.Stopping, "0@0 1@0 2@0"})
			continue
		}
		same(t, "in the end", []any{r.writes, r.stored.Aligned, r.strip()}, []any{[]string{"ULE_RECOVERY", "MIRRORING"}, int64(3), "0@0 1@0 2@0 3@1"})
	}
}

// TestUncleanRecoveryMoves: the coordinator, or the leadership, moves while ULE_RECOVERY waits. It waits on, and the cut is
// not made twice: what is behind it by then stays.
func TestUncleanRecoveryMoves(t *testing.T) {
	for name, move := range map[string]func(*rig){
		"coordinator": func(r *rig) { r.meta(coordinatorMoved()) },
		"leader":      func(r *rig) { r.register(led(b1, 1)); r.register(led(b0, 2)) },
		"bump":        func(r *rig) { r.bumped(1) },
	} {
		r := e3(t, true, "fail-or-recover")
		r.fetchFrom(b1, 20)
		move(r)
		r.pump()
		same(t, name+": waits", []any{r.stored.State, r.end(), len(r.kinds(event.Truncated))}, []any{record.UleRecovery, int64(20), 1})
		r.fetchFrom(b1, 20)
		r.fetchFrom(b2, 20)
		r.pump()
		same(t, name+": goes on", []any{r.stored.State, r.end(), len(r.kinds(event.Truncated))}, []any{record.Mirroring, int64(25), 1})
	}
}

// TestStopWhileRecovering: a stop does not wait for the replicas.
func TestStopWhileRecovering(t *testing.T) {
	r := e3(t, true, "fail-or-recover")
	r.mute[wire.BumpLeaderEpoch] = true
	r.stop()
	same(t, "writes", r.writes[:2], []string{"ULE_RECOVERY", "STOPPING"})
	r.mute[wire.BumpLeaderEpoch] = false
	r.pump()
	r.fetchFrom(b1, r.end())
	r.fetchFrom(b2, r.end())
	r.pump()
	same(t, "in the end", []any{r.stored.State, r.end(), r.produce()}, []any{record.Stopped, int64(21), wire.OK})
}

// TestDivergedWithoutSupport is case E3 with fail-or-recover and no unclean support: FAILED, not retried, and nothing is
// cut. After a recovery it fails again as long as the source's history differs.
func TestDivergedWithoutSupport(t *testing.T) {
	r := e3(t, false, "fail-or-recover")
	same(t, "failed", append(r.failure(), r.end()), []any{record.Failed, record.SourceDiverged, int16(-1), int64(30)})
	_, armed := r.armed(mirror.TimerFailure)
	same(t, "tried again", armed, false)
	r.askRecovery()
	r.pump()
	same(t, "recovered too early", []any{r.writes, r.end()}, []any{[]string{"FAILED", "MIRRORING", "FAILED"}, int64(30)})
}

// TestDivergedTruncates is case E3 with truncate: b0 is cut to 20 at once, and takes the source's 20-24.
func TestDivergedTruncates(t *testing.T) {
	for _, unclean := range []bool{false, true} {
		r := e3(t, unclean, "truncate")
		same(t, "log end and writes", []any{r.end(), r.writes}, []any{int64(25), []string(nil)})
		cut := r.kinds(event.Truncated)[0]
		same(t, "cut", []any{cut.Offset, cut.End}, []any{int64(20), int64(30)})
	}
}

// TestDivergedIgnored is case E3 with ignore: the same fetch for ever, nothing is cut, and the lag is 25 - 30.
func TestDivergedIgnored(t *testing.T) {
	r := e3(t, true, "ignore")
	if err := r.config.Set("lag-sign", "signed"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		r.mute[wire.Fetch] = true
		r.fire(mirror.TimerFetch)
		r.pump()
		m := takeMirrorFetch(r)
		same(t, "fetch", []any{m.FetchOffset, m.LastFetchedEpoch, m.CurrentLeaderEpoch}, []any{int64(30), int32(0), int32(1)})
		r.message(a0, r.serve(m))
		r.pump()
	}
	state, lag := r.describe()
	same(t, "in the end", []any{state, lag, r.end(), r.writes}, []any{record.Mirroring, "-5", int64(30), []string(nil)})
}
