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

// oldSource is the log of an old source that becomes a mirror: epochs 1, 3 and 5 start at 0, 2 and 4.
func oldSource() []*record.Batch { return join(plain(0, 1, 2), plain(2, 3, 2), plain(4, 5, 1)) }

// aligned boots b0 as the leader in epoch 6 of what it holds, and starts the mirror. Fetches stay in sent.
func aligned(t *testing.T, local []*record.Batch, lookup wire.LastMirroredPositionResponse, sets ...string) *rig {
	t.Helper()
	r := unbooted(t, sets...)
	r.holds(int64(len(local)), local...)
	r.metadata[len(r.metadata)-1] = r.changed(func(p *record.PartitionRecord) { p.LeaderEpoch = 6 })
	r.boot()
	r.lookup = lookup
	r.mute[wire.Fetch] = true
	r.want(record.WantMirroring)
	r.pump()
	return r
}

func found(epoch int32, offset int64) wire.LastMirroredPositionResponse {
	return wire.LastMirroredPositionResponse{Found: true, Epoch: epoch, Offset: offset}
}

// TestCut is D1 and D14 over every relation that the last mirrored epoch can have to the local ones: the log end that
// alignment leaves of oldSource. b0 was elected in epoch 6 before the mirror was started, so its cache has 6 at 5 too.
func TestCut(t *testing.T) {
	never := wire.LastMirroredPositionResponse{Epoch: -1, Offset: -1}
	for _, row := range []struct {
		name, marker, above string
		lookup              wire.LastMirroredPositionResponse
		want                int64
	}{
		{"no row", "epoch", "keep-all", never, 0},
		{"no row", "offset", "keep-all", never, 0},
		{"no row", "epoch-and-offset", "keep-all", never, 0},
		{"no row", "none", "keep-all", never, 5},
		{"below the first", "epoch", "keep-all", found(0, -1), 0},
		{"the first", "epoch", "keep-all", found(1, -1), 2},
		{"between", "epoch", "keep-all", found(2, -1), 2},
		{"the second", "epoch", "keep-all", found(3, -1), 4},
		{"between", "epoch", "keep-all", found(4, -1), 4},
		{"the newest batch's", "epoch", "keep-all", found(5, -1), 5},
		{"the newest", "epoch", "keep-all", found(6, -1), 5},
		{"above", "epoch", "keep-all", found(9, -1), 5},
		{"above", "epoch", "cut-all", found(9, -1), 0},
		{"the newest", "epoch", "cut-all", found(6, -1), 5},
		{"inside", "offset", "keep-all", found(1, 3), 3},
		{"at the end", "offset", "cut-all", found(9, 5), 5},
		{"beyond the end", "offset", "keep-all", found(1, 7), 5},
		{"zero", "offset", "keep-all", found(1, 0), 0},
		{"offset is smaller", "epoch-and-offset", "keep-all", found(3, 3), 3},
		{"epoch is smaller", "epoch-and-offset", "keep-all", found(1, 4), 2},
		{"above, offset counts", "epoch-and-offset", "keep-all", found(9, 2), 2},
		{"above", "epoch-and-offset", "cut-all", found(9, 2), 0},
	} {
		t.Run(fmt.Sprintf("%s/%s/%s", row.marker, row.name, row.above), func(t *testing.T) {
			r := aligned(t, oldSource(), row.lookup, "marker", row.marker, "lookup-above", row.above)
			same(t, "log end", r.end(), row.want)
			same(t, "state", r.stored.State, record.Mirroring)
			same(t, "fetch from", takeMirrorFetch(r).FetchOffset, row.want)
			asked := len(r.kinds(event.LookupReturned)) > 0
			same(t, "looked up", asked, row.marker != "none")
			done := r.kinds(event.Aligned)
			same(t, "aligned", []any{len(done), done[0].Offset}, []any{1, row.want})
		})
	}
}

// TestCutOfEmptyLog: nothing to cut, whatever the source says.
func TestCutOfEmptyLog(t *testing.T) {
	for _, above := range []string{"keep-all", "cut-all"} {
		for _, lookup := range []wire.LastMirroredPositionResponse{{Epoch: -1, Offset: -1}, found(3, -1)} {
			r := aligned(t, nil, lookup, "lookup-above", above)
			same(t, above, []any{r.end(), r.stored.State}, []any{int64(0), record.Mirroring})
		}
	}
}

// TestLookupRequest names the asker's own cluster, mirror, topic id and partition.
func TestLookupRequest(t *testing.T) {
	r := newRig(t)
	r.mute[wire.LastMirroredPosition] = true
	r.want(record.WantMirroring)
	r.pump()
	m, to := take[*wire.LastMirroredPositionRequest](r)
	same(t, "request", []any{m.Asker, m.Mirror, m.Partition}, []any{clusterB, mirrorM, tp})
	if to != a0 && to != a1 {
		t.Errorf("asked node %d", to)
	}
}

// TestLookupFailure is D13: an error, a coordinator that loads, and no answer at all.
func TestLookupFailure(t *testing.T) {
	for _, failure := range []wire.Code{wire.CoordinatorLoadInProgress, wire.NotCoordinator, wire.RequestTimedOut, wire.OK} {
		for _, option := range []string{"retry", "minus-one"} {
			t.Run(fmt.Sprintf("%s/%s", failure, option), func(t *testing.T) {
				lookupFails(t, failure, option)
			})
		}
	}
}

// lookupFails has the lookup answered with that code; OK stands for no answer.
func lookupFails(t *testing.T, failure wire.Code, option string) {
	r := unbooted(t, "lookup-failure", option)
	r.holds(5, oldSource()...)
	r.boot()
	r.mute[wire.LastMirroredPosition], r.mute[wire.Fetch] = true, true
	r.want(record.WantMirroring)
	r.pump()
	first, asked := take[*wire.LastMirroredPositionRequest](r)
	code := failure
	if failure == wire.OK {
		r.fire(mirror.TimerRetry)
		code = wire.RequestTimedOut
	} else {
		r.message(asked, &wire.LastMirroredPositionResponse{Partition: tp, Code: failure, Epoch: -1, Offset: -1, Correlation: first.Correlation})
		if option == "retry" {
			r.fire(mirror.TimerRetry)
		}
	}
	r.pump()
	if option == "minus-one" {
		same(t, "log end", []any{r.end(), r.stored.State}, []any{int64(0), record.Mirroring})
		e := r.kinds(event.LookupReturned)
		same(t, "event", []any{len(e), wire.Code(e[0].To), e[0].Cause, e[0].BatchEpoch}, []any{1, code, uint8(0), int32(-1)})
		return
	}
	same(t, "log end", []any{r.end(), r.stored.State}, []any{int64(5), record.Preparing})
	second, to := take[*wire.LastMirroredPositionRequest](r)
	if to == asked {
		t.Errorf("node %d was asked twice running", to)
	}
	r.message(asked, &wire.LastMirroredPositionResponse{Partition: tp, Epoch: -1, Offset: -1, Correlation: first.Correlation})
	same(t, "a late answer to the first", r.end(), int64(5))
	r.message(to, &wire.LastMirroredPositionResponse{Partition: tp, Found: true, Epoch: 3, Offset: -1, Correlation: second.Correlation})
	same(t, "the answer to the second", r.end(), int64(4))
}

// TestLookupMissing is D49: an answer without a row.
func TestLookupMissing(t *testing.T) {
	never := wire.LastMirroredPositionResponse{Epoch: -1, Offset: -1}
	r := aligned(t, oldSource(), never, "lookup-missing", "minus-one")
	same(t, "minus-one", []any{r.end(), r.stored.State}, []any{int64(0), record.Mirroring})
	r = aligned(t, oldSource(), never, "lookup-missing", "fail")
	same(t, "fail", []any{r.end(), r.stored.State, r.stored.Reason, r.stored.Attempts},
		[]any{int64(5), record.Failed, record.PositionMissing, int16(record.NotRetryable)})
}

// threeReplicas has b2 as a third replica outside the ISR, and unclean support as said; b1 does not follow by itself.
func threeReplicas(t *testing.T, unclean bool, sets ...string) *rig {
	r := unbooted(t, sets...)
	r.reg.Replicas = []id.Node{b0, b1, b2}
	n := len(r.metadata)
	r.metadata[n-1] = r.changed(func(*record.PartitionRecord) {})
	r.metadata[n-2] = &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1, MirrorUnclean: unclean}
	r.holds(5, oldSource()...)
	r.boot()
	r.follower = false
	r.lookup = found(1, -1)
	return r
}

// TestAlignmentWait is D12: for whom the cut to 2 waits before MIRRORING is stored.
func TestAlignmentWait(t *testing.T) {
	for _, row := range []struct {
		option  string
		unclean bool
		after   []id.Node // the fetches that it takes
	}{
		{"none", false, nil},
		{"none", true, nil},
		{"isr", false, []id.Node{b1}},
		{"isr", true, []id.Node{b1}},
		{"isr-or-all", false, []id.Node{b1}},
		{"isr-or-all", true, []id.Node{b1, b2}},
	} {
		t.Run(fmt.Sprintf("%s/unclean=%t", row.option, row.unclean), func(t *testing.T) {
			r := threeReplicas(t, row.unclean, "alignment-wait", row.option)
			r.want(record.WantMirroring)
			r.pump()
			for _, n := range row.after {
				same(t, fmt.Sprint("before node ", n), r.stored.State, record.Preparing)
				r.fetchFrom(n, 2)
				r.pump()
			}
			same(t, "at the end", r.stored.State, record.Mirroring)
		})
	}
}

// TestWaitEndsWithISR: the follower that alignment waits for leaves the ISR instead.
func TestWaitEndsWithISR(t *testing.T) {
	r := threeReplicas(t, false)
	r.want(record.WantMirroring)
	r.pump()
	same(t, "waits", r.stored.State, record.Preparing)
	r.register(inSync(b0))
	r.pump()
	same(t, "shrunk", r.stored.State, record.Mirroring)
}

// TestFollowed is D30: what b1 said before the cut to 2 was that it ends at 1, which is not ahead, or at 5, which is.
func TestFollowed(t *testing.T) {
	for _, row := range []struct {
		option string
		end    int64 // of b1 before the cut
		atOnce bool
	}{
		{"leo", 1, true}, {"leo-and-epoch", 1, true}, {"leo-fresh", 1, false},
		{"leo", 5, false}, {"leo-and-epoch", 5, false}, {"leo-fresh", 5, false},
	} {
		t.Run(fmt.Sprintf("%s/%d", row.option, row.end), func(t *testing.T) {
			r := threeReplicas(t, false, "followed-means", row.option)
			r.fetchFrom(b1, row.end)
			r.want(record.WantMirroring)
			r.pump()
			same(t, "at once", r.stored.State == record.Mirroring, row.atOnce)
			if row.option == "leo-fresh" && row.end == 1 {
				r.cut = 0
				r.fetchFrom(b1, 1) // sent before the cut
				r.pump()
				same(t, "a fetch that has not heard of the cut", r.stored.State, record.Preparing)
			}
			r.cut = 1
			r.fetchFrom(b1, min(row.end, 2))
			r.pump()
			same(t, "after a fetch", r.stored.State, record.Mirroring)
		})
	}
}

// TestFollowedByEpoch: b1 ends at 1 with epoch 3, where b0 has epoch 1. The fetch is not found diverging, as epoch 3 ends
// behind 1 at b0 too; only leo-and-epoch sees it.
func TestFollowedByEpoch(t *testing.T) {
	for option, want := range map[string]record.State{"leo": record.Mirroring, "leo-and-epoch": record.Preparing} {
		r := threeReplicas(t, false, "followed-means", option)
		r.fetchAs(b1, 1, 3)
		r.lookup = found(5, -1) // nothing is cut
		r.want(record.WantMirroring)
		r.pump()
		same(t, option, r.stored.State, want)
		r.fetchAs(b1, 1, 1)
		r.pump()
		same(t, option+" with its epoch", r.stored.State, record.Mirroring)
	}
}

// TestAlignmentPoints: the points of alignment, in order, each behind what it names.
func TestAlignmentPoints(t *testing.T) {
	r := aligned(t, oldSource(), found(1, -1))
	var words []string
	for _, p := range r.points {
		words = append(words, p.String())
	}
	same(t, "points", words, []string{"state.chosen", "state.stored", "alignment.lookup-answered", "alignment.log-aligned",
		"alignment.replicas-followed", "state.chosen", "state.stored"})
}
