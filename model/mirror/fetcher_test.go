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

// answer answers a mirror fetch with a response whose fields the test sets.
func (r *rig) answer(m *wire.FetchRequest, res wire.FetchResponse) {
	r.t.Helper()
	res.Partition, res.FetchOffset, res.Correlation, res.LeaderEpoch = m.Partition, m.FetchOffset, m.Correlation, m.CurrentLeaderEpoch
	r.message(a0, &res)
}

// TestFetchRequest: a consumer fetch from the log end, with the epoch of the newest batch, bounded by D10.
func TestFetchRequest(t *testing.T) {
	for bound, committed := range map[string]bool{"hw": false, "lso": true} {
		r := mirroring(t, join(plain(0, 2, 1), plain(1, 4, 2)), "fetch-bound", bound)
		m := takeMirrorFetch(r)
		m.Correlation = 0
		same(t, bound, *m, wire.FetchRequest{Partition: tp, Replica: id.None, CurrentLeaderEpoch: 4, LastFetchedEpoch: 4, FetchOffset: 3,
			MaxWait: 500 * id.Millisecond, ReadCommitted: committed, Mirror: true})
	}
	r := mirroring(t, nil)
	same(t, "empty log", takeMirrorFetch(r).LastFetchedEpoch, int32(-1))
}

// TestFetchData: batches keep their offsets, epochs and producers; lag is against the high watermark of b0.
func TestFetchData(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.follower = false
	m := takeMirrorFetch(r)
	batch := record.NewData(7, 3, 5, []record.Record{{Key: 1}, {Key: 2}}).At(2, 0)
	r.answer(m, wire.FetchResponse{HighWatermark: 6, LogEnd: 6, Batches: []*record.Batch{batch}})
	same(t, "log", r.strip(), "0@0 1@0 2-3@0")
	if b := r.files().Batches[2]; b != batch {
		t.Errorf("it is stored as %+v", b)
	}
	_, lag := r.describe()
	same(t, "lag: 6 less the high watermark 2", lag, "4")
	same(t, "the next fetch", takeMirrorFetch(r).FetchOffset, int64(4))
}

// TestFetchGap: compaction has left gaps (case L4), which are preserved.
func TestFetchGap(t *testing.T) {
	r := mirroring(t, join(plain(0, 0, 1), plain(3, 0, 1), plain(7, 0, 1)))
	same(t, "log", []any{r.strip(), r.end()}, []any{"0@0 3@0 7@0", int64(8)})
}

// TestBatchEpochAndProducer is D8 and D9: what of a mirrored batch is changed.
func TestBatchEpochAndProducer(t *testing.T) {
	for _, row := range []struct {
		epochs, ids string
		epoch       int32
		producer    int64
	}{
		{"preserve", "keep-and-reset", 4, 7},
		{"preserve", "keep", 4, 7},
		{"preserve", "map-negative", 4, -9},
		{"rewrite", "keep-and-reset", 0, 7},
		{"rewrite", "map-negative", 0, -9},
	} {
		t.Run(row.epochs+"/"+row.ids, func(t *testing.T) {
			r := newRig(t, "batch-epoch", row.epochs, "producer-ids", row.ids)
			sent := record.NewData(7, 3, 0, []record.Record{{Key: 1}}).At(0, 4)
			r.source, r.srcEpoch = []*record.Batch{sent}, 4
			r.mute[wire.Fetch] = true
			r.want(record.WantMirroring)
			r.pump()
			r.message(a0, r.serve(takeMirrorFetch(r)))
			b := r.files().Batches[0]
			same(t, "stored", []any{b.LeaderEpoch, b.ProducerID, b.ProducerEpoch, b.Base, b.Intact()},
				[]any{row.epoch, row.producer, int16(3), int64(0), true})
			same(t, "the source's own batch", []any{sent.LeaderEpoch, sent.ProducerID, sent.Intact()}, []any{int32(4), int64(7), true})
		})
	}
}

// TestNegativeProducerStays: under map-negative a batch without a producer id keeps -1.
func TestNegativeProducerStays(t *testing.T) {
	r := mirroring(t, plain(0, 0, 1), "producer-ids", "map-negative")
	same(t, "producer", r.files().Batches[0].ProducerID, record.NoProducer)
}

// TestDivergence is D11: b0 has 0-4@0; a clean copy of the source has 0-2@0 and 3@1 (case E3 in small).
func TestDivergence(t *testing.T) {
	source := join(plain(0, 0, 3), plain(3, 1, 1))
	t.Run("truncate", func(t *testing.T) {
		r := mirroring(t, plain(0, 0, 5))
		r.elected(source)
		same(t, "log", r.strip(), "0@0 1@0 2@0 3@1")
		e := r.kinds(event.Truncated)[0]
		same(t, "truncated", []any{e.Offset, e.End, event.TruncateCause(e.Cause)}, []any{int64(3), int64(5), event.Diverged})
	})
	t.Run("ignore", func(t *testing.T) {
		r := mirroring(t, plain(0, 0, 5), "divergence", "ignore")
		r.elected(source)
		same(t, "log", r.strip(), "0@0 1@0 2@0 3@0 4@0")
		r.fire(mirror.TimerFetch)
		r.mute[wire.Fetch] = true
		r.pump()
		same(t, "the same fetch", takeMirrorFetch(r).FetchOffset, int64(5))
	})
}

// elected gives the source a leader of epoch 1, which b0 hears of by FENCED_LEADER_EPOCH.
func (r *rig) elected(source []*record.Batch) {
	r.t.Helper()
	r.source, r.srcEpoch = source, 1
	r.pump()
	r.fire(mirror.TimerFetch)
	r.pump()
}

// TestDivergenceStepByStep is KIP-279: the source names an epoch that b0 lacks, so b0 goes to the end of its own lower
// one, 3, and not to the end 10 that the source gives; then it asks again.
func TestDivergenceStepByStep(t *testing.T) {
	r := mirroring(t, join(plain(0, 0, 3), plain(3, 3, 2)))
	m := takeMirrorFetch(r)
	same(t, "fetch", []any{m.FetchOffset, m.LastFetchedEpoch}, []any{int64(5), int32(3)})
	r.answer(m, wire.FetchResponse{Diverging: true, DivergingEpoch: 2, DivergingOffset: 10})
	m = takeMirrorFetch(r)
	same(t, "next fetch", []any{m.FetchOffset, m.LastFetchedEpoch}, []any{int64(3), int32(0)})
}

// TestOutOfRange: the source ends below (a divergence, by D11), starts above (the log is dropped and starts there), or
// does neither, where it knows nothing of b0's epoch.
func TestOutOfRange(t *testing.T) {
	for _, row := range []struct {
		name, divergence string
		start, end       int64
		want             string
		wantEnd          int64
	}{
		{"ends below", "truncate", 0, 3, "0@0 1@0 2@0", 3},
		{"ends below", "ignore", 0, 3, "0@0 1@0 2@0 3@0 4@0", 5},
		{"starts above", "truncate", 20, 30, "", 20},
		{"starts above", "ignore", 20, 30, "", 20},
		{"starts and ends at 40", "truncate", 40, 40, "", 40},
		{"neither", "truncate", 0, 9, "0@0 1@0 2@0 3@0 4@0", 5},
	} {
		t.Run(row.name+"/"+row.divergence, func(t *testing.T) {
			r := mirroring(t, plain(0, 0, 5), "divergence", row.divergence)
			m := takeMirrorFetch(r)
			r.answer(m, wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: row.start, LogEnd: row.end})
			same(t, "log", []any{r.strip(), r.end()}, []any{row.want, row.wantEnd})
			if row.wantEnd == 5 {
				none[*wire.FetchRequest](r, "before the back-off")
				r.fire(mirror.TimerFetch)
				take[*wire.MetadataRequest](r)
				return
			}
			same(t, "next fetch", takeMirrorFetch(r).FetchOffset, row.wantEnd)
		})
	}
}

// TestStaleSourceMetadata: a batch above the leader epoch of the fetch is refused, and what stands before it is not. With
// fresh metadata it is taken.
func TestStaleSourceMetadata(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 4, LogEnd: 4, Batches: join(plain(2, 0, 1), plain(3, 1, 1))})
	same(t, "log", r.strip(), "0@0 1@0 2@0")
	none[*wire.FetchRequest](r, "before the metadata are fresh")
	r.source, r.srcEpoch = join(plain(0, 0, 3), plain(3, 1, 1)), 1
	r.fire(mirror.TimerFetch)
	r.pump()
	same(t, "log", r.strip(), "0@0 1@0 2@0 3@1")
}

// TestOlderSourceMetadata: a source broker that is behind names a leader of an older epoch; it is not fetched from.
func TestOlderSourceMetadata(t *testing.T) {
	r := mirroring(t, plain(0, 3, 2))
	r.answer(takeMirrorFetch(r), wire.FetchResponse{Code: wire.NotLeaderOrFollower})
	r.fire(mirror.TimerFetch)
	m, _ := take[*wire.MetadataRequest](r)
	r.message(a1, &wire.MetadataResponse{Partition: tp, Leader: a1, LeaderEpoch: 2, Correlation: m.Correlation})
	none[*wire.FetchRequest](r, "leader epoch 2 is older than 3")
	r.fire(mirror.TimerFetch)
	take[*wire.MetadataRequest](r)
}

// TestFetchErrors: after any error the source's leader is asked for again, at the next broker, after a back-off.
func TestFetchErrors(t *testing.T) {
	for _, code := range []wire.Code{wire.NotLeaderOrFollower, wire.FencedLeaderEpoch, wire.UnknownLeaderEpoch} {
		r := mirroring(t, plain(0, 0, 2))
		r.answer(takeMirrorFetch(r), wire.FetchResponse{Code: code})
		none[*wire.MetadataRequest](r, "before the back-off")
		op := r.fire(mirror.TimerFetch)
		same(t, code.String()+" back-off", op.After, 100*id.Millisecond)
		_, first := take[*wire.MetadataRequest](r)
		r.fire(mirror.TimerFetch) // no answer
		_, second := take[*wire.MetadataRequest](r)
		if first == second {
			t.Errorf("node %d was asked twice running", first)
		}
	}
}

// TestUnfitBatch: one whose bytes are not those of its CRC, or that begins below the log end, is not appended.
func TestUnfitBatch(t *testing.T) {
	corrupt := *plain(2, 0, 1)[0]
	corrupt.CRC++
	overlapping := record.NewData(record.NoProducer, -1, record.NoSequence, make([]record.Record, 3)).At(1, 0)
	for name, b := range map[string]*record.Batch{"corrupt": &corrupt, "overlapping": overlapping} {
		r := mirroring(t, plain(0, 0, 2))
		r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 4, LogEnd: 4, Batches: []*record.Batch{b}})
		same(t, name, r.strip(), "0@0 1@0")
		none[*wire.FetchRequest](r, name+": before the back-off")
	}
}

// TestLogStartInsideBatch: the source's log starts at 5, inside its first batch. b0 starts its own log there, is sent the batch from 0
// on, drops what it has, which is nothing, and starts at 0; its log start follows the source's when its high watermark allows it.
func TestLogStartInsideBatch(t *testing.T) {
	r := mirroring(t, nil)
	r.answer(takeMirrorFetch(r), wire.FetchResponse{Code: wire.OffsetOutOfRange, HighWatermark: 10, LogEnd: 10, LogStart: 5})
	same(t, "started at", []any{r.files().Start, r.end()}, []any{int64(5), int64(5)})
	whole := record.NewData(record.NoProducer, -1, record.NoSequence, make([]record.Record, 10)).At(0, 0)
	beyond := record.NewData(record.NoProducer, -1, record.NoSequence, make([]record.Record, 5)).At(0, 0) // it ends where the log starts
	m := takeMirrorFetch(r)
	r.answer(m, wire.FetchResponse{HighWatermark: 10, LogEnd: 10, LogStart: 5, Batches: []*record.Batch{beyond}})
	same(t, "a batch below the log start", []any{r.files().Start, r.end()}, []any{int64(5), int64(5)})
	r.fire(mirror.TimerFetch)
	r.pump()
	r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 10, LogEnd: 10, LogStart: 5, Batches: []*record.Batch{whole}})
	same(t, "appended", []any{r.files().Start, r.end()}, []any{int64(0), int64(10)})
	r.fetchFrom(b1, 10)
	r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 10, LogEnd: 10, LogStart: 5})
	same(t, "start in the end", r.files().Start, int64(5))
}

// TestSourceBeginsBelow: b0's log is empty and begins at 5, as the source's did, of which all was deleted. The source has begun another
// history at 0 since, and is past 5: what it has below would be passed over. Under one option of D11 it is a divergence.
func TestSourceBeginsBelow(t *testing.T) {
	for _, row := range []struct {
		name, divergence string
		sourceStart      int64
		start            int64
		want             string
	}{
		{"below", "truncate-or-recover", 0, 0, ""},
		{"below, but above 0", "truncate-or-recover", 3, 3, ""},
		{"below, under another option", "truncate", 0, 5, "5@0 6@0 7@0"},
		{"where it began", "truncate-or-recover", 5, 5, "5@0 6@0 7@0"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := mirroring(t, nil, "divergence", row.divergence)
			r.answer(takeMirrorFetch(r), wire.FetchResponse{Code: wire.OffsetOutOfRange, HighWatermark: 5, LogEnd: 5, LogStart: 5})
			same(t, "started at", []any{r.files().Start, r.end()}, []any{int64(5), int64(5)})
			r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 8, LogEnd: 8, LogStart: row.sourceStart, Batches: plain(5, 0, 3)})
			same(t, "log", []any{r.files().Start, r.strip()}, []any{row.start, row.want})
		})
	}
}

// TestUnexpectedAnswers are not applied: to another fetch, from another node, for another offset.
func TestUnexpectedAnswers(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	m := takeMirrorFetch(r)
	good := wire.FetchResponse{Partition: tp, FetchOffset: 2, HighWatermark: 3, LogEnd: 3, Batches: plain(2, 0, 1), Correlation: m.Correlation}
	late, elsewhere := good, good
	late.Correlation--
	elsewhere.FetchOffset = 1
	r.message(a0, &late)
	r.message(a0, &elsewhere)
	r.message(a1, &good)
	same(t, "log", r.strip(), "0@0 1@0")
	r.message(a0, &good)
	same(t, "log", r.strip(), "0@0 1@0 2@0")
	r.message(a0, &good) // a duplicate
	same(t, "log", r.strip(), "0@0 1@0 2@0")
}

// TestLogStartFollows is case L6: the local log start follows the source's up to the local high watermark, and the rest
// when that moves, also with an answer that has no record.
func TestLogStartFollows(t *testing.T) {
	r := mirroring(t, plain(0, 0, 5))
	r.follower = false
	r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 10, LogEnd: 10, LogStart: 8, Batches: plain(5, 0, 5)})
	same(t, "high watermark 5", []any{r.files().Start, r.end()}, []any{int64(5), int64(10)})
	r.fetchFrom(b1, 10)
	r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 10, LogEnd: 10, LogStart: 8})
	same(t, "high watermark 10", r.files().Start, int64(8))
	r.answer(takeMirrorFetch(r), wire.FetchResponse{HighWatermark: 10, LogEnd: 10, LogStart: 3})
	same(t, "it never falls", r.files().Start, int64(8))
}

// TestLagUnknown: before the source has answered in the present leader epoch lag is unknown, never 0 (case S14).
func TestLagUnknown(t *testing.T) {
	r := newRig(t)
	r.mute[wire.Fetch] = true
	r.source = plain(0, 0, 2)
	r.want(record.WantMirroring)
	r.pump()
	state, lag := r.describe()
	same(t, "describe", []any{state, lag}, []any{record.Mirroring, "unknown"})
	r.answer(takeMirrorFetch(r), wire.FetchResponse{Code: wire.NotLeaderOrFollower})
	_, lag = r.describe()
	same(t, "after an error", lag, "unknown")
}

// TestNoSource: while the source has no leader it is asked for one, again and again.
func TestNoSource(t *testing.T) {
	r := newRig(t)
	r.mute[wire.Metadata] = true
	r.want(record.WantMirroring)
	r.pump()
	for i := range 4 {
		m, to := take[*wire.MetadataRequest](r)
		r.message(to, &wire.MetadataResponse{Partition: tp, Code: wire.LeaderNotAvailable, Leader: id.None, LeaderEpoch: 3, Correlation: m.Correlation})
		none[*wire.FetchRequest](r, "no leader")
		op := r.fire(mirror.TimerFetch)
		same(t, fmt.Sprint("back-off ", i), op.After, 100*id.Millisecond<<i)
	}
}
