package plog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/plog"
	"mirrorsim/model/record"
)

func TestAppendLeaderPlacesTheBatch(t *testing.T) {
	f := newFixture(scope(false))
	f.events()
	b := idempotent(5, 0, 0, 3)
	placed := f.AppendLeader(b, 4, event.FromClient, f.out)
	if placed.Base != 0 || placed.Last != 2 || placed.LeaderEpoch != 4 || placed != f.LastBatch() {
		t.Errorf("placed %+v", placed)
	}
	if b.LeaderEpoch != -1 {
		t.Error("the client's batch was changed")
	}
	if e := f.out.Events[0]; e.Batch != placed || e.ProducerID != 5 || e.Partition != testPartition {
		t.Errorf("event %+v", e)
	}
	f.lead(6, record.NewReset())
	want := []string{
		"appended L4 B4 0..3 seq 0 cause 0", "epoch-added L0 B4 0..0 seq 1 cause 0",
		"appended L6 B6 3..4 seq -1 cause 0", "epoch-added L0 B6 3..0 seq 2 cause 0",
		"producers-reset L0 B0 3..0 seq 0 cause 0"}
	if diff := cmp.Diff(want, f.events()); diff != "" {
		t.Error(diff)
	}
	if f.LastBatchEpoch() != 6 || f.End() != 4 || f.strip() != "0-2@4 3@6:reset" {
		t.Errorf("log %s", f.strip())
	}
}

func TestEmptyLog(t *testing.T) {
	f := newFixture(scope(false))
	if f.LastBatch() != nil || f.LastBatchEpoch() != -1 || f.LatestEpoch() != -1 || f.EpochAt(0) != -1 {
		t.Error("an empty log knows something")
	}
	if f.Producers() != 0 || f.Read(0, 10, 10) != nil || f.OpenTransactions() != nil || f.Aborted(0, 10) != nil {
		t.Error("an empty log answers something")
	}
	if _, _, ok := f.EndOffsetFor(0); ok {
		t.Error("an empty cache gives an end offset")
	}
	if f.ID() != testPartition {
		t.Errorf("the log is of %v", f.ID())
	}
	want := []string{"recovered L0 B0 0..0 seq 0 cause 0", "high-watermark L-1 B0 0..0 seq 0 cause 0"}
	if diff := cmp.Diff(want, f.events()); diff != "" {
		t.Error(diff)
	}
}

// L4: offsets 0, 3, 7 of a compacted source are kept.
func TestAppendAsIsKeepsGaps(t *testing.T) {
	f := newFixture(scope(false))
	f.follow(0, 0, 1)
	f.follow(3, 0, 1)
	f.follow(7, 2, 1)
	if f.strip() != "0@0 3@0 7@2" || f.End() != 8 || f.epochs() != "0→0 2→7" {
		t.Errorf("log %s, end %d, cache %s", f.strip(), f.End(), f.epochs())
	}
	for _, c := range []struct{ from, first int64 }{{0, 0}, {1, 3}, {3, 3}, {4, 7}, {7, 7}} {
		if got := f.Read(c.from, 8, 9); len(got) == 0 || got[0].Base != c.first {
			t.Errorf("Read(%d) does not start at %d: %v", c.from, c.first, got)
		}
	}
	mustFail(t, "a batch below the log end", func() { f.follow(7, 2, 1) })
	mustFail(t, "a batch without a leader epoch", func() { f.follow(8, -1, 1) })
}

func TestReadWholeBatches(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(3), plain(2), plain(1), plain(4)) // 0-2 3-4 5 6-9
	for _, c := range []struct {
		name        string
		from, bound int64
		limit       int
		bases       []int64
	}{
		{"all", 0, 10, 9, []int64{0, 3, 5, 6}},
		{"from inside a batch", 4, 10, 9, []int64{3, 5, 6}},
		{"bounded inside a batch", 0, 8, 9, []int64{0, 3, 5}},
		{"bounded at a batch's last offset", 0, 9, 9, []int64{0, 3, 5}},
		{"limited", 1, 10, 2, []int64{0, 3}},
		{"at the bound", 5, 5, 9, nil},
		{"at the end", 10, 10, 9, nil},
		{"nothing allowed", 0, 10, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var bases []int64
			for _, b := range f.Read(c.from, c.bound, c.limit) {
				bases = append(bases, b.Base)
			}
			if diff := cmp.Diff(c.bases, bases); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadFindsEveryOffset(t *testing.T) {
	f := newFixture(scope(false))
	for i := range int64(70) {
		f.follow(3*i, 0, 2) // offsets 3i and 3i+1; 3i+2 is a gap
	}
	for from := range int64(209) {
		want := from / 3 * 3
		if from%3 == 2 {
			want += 3
		}
		if got := f.Read(from, 1<<40, 1); len(got) != 1 || got[0].Base != want {
			t.Fatalf("Read(%d) = %v, want the batch at %d", from, got, want)
		}
	}
}

// A view that was sent stays as it was, whatever the log does next.
func TestReadIsAStableView(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(1), plain(1), plain(1))
	view := f.Read(0, 3, 9)
	before := append([]*record.Batch(nil), view...)
	f.truncate(1)
	f.lead(1, plain(1), plain(1))
	f.commit(3)
	f.MoveStart(2, f.out)
	for i := range view {
		if view[i] != before[i] {
			t.Errorf("batch %d of the view changed", i)
		}
	}
	if cap(view) != len(view) {
		t.Error("an append to the view would write to the log")
	}
}

func TestCloneGoesOnByItself(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, idempotent(1, 0, 0, 2), transactional(2, 0, 0, 1), transactional(3, 0, 0, 1))
	f.lead(1, record.NewMarker(record.Abort, 3, 0, 4))
	f.commit(5)
	c := f.clone()
	if f.state() != c.state() {
		t.Fatal("a clone differs from its original")
	}
	act := func(x *fixture, producer int64) {
		x.lead(2, idempotent(producer, 0, 0, 1), transactional(producer+1, 0, 0, 1))
		x.lead(3, record.NewMarker(record.Commit, 2, 0, 5), idempotent(1, 0, 2, 1))
	}
	before := c.state()
	act(f, 10)
	if c.state() != before {
		t.Error("appending to the original shows in the clone")
	}
	after := f.state()
	act(c, 20)
	c.truncate(3)
	c.lead(7, record.NewReset())
	if f.state() != after {
		t.Error("appending to the clone shows in the original")
	}
	if f.strip() != "0-1@0 2@0 3@0 4@1:abort 5@2 6@2 7@3:commit 8@3" || c.strip() != "0-1@0 2@0 3@7:reset" {
		t.Errorf("original %s, clone %s", f.strip(), c.strip())
	}
}

// Both sides of a clone end transactions and move the log start, so that neither may write into what they share.
func TestCloneSharesNothingThatChanges(t *testing.T) {
	f := newFixture(scope(false))
	for i := range int64(5) {
		f.lead(0, transactional(i, 0, 0, 1), abort(i, 0))
	}
	f.lead(0, transactional(9, 0, 0, 1), idempotent(9, 0, 1, 1), commit(9, 0))
	f.commit(13)
	f.MoveStart(6, f.out)
	c := f.clone()
	act := func(x *fixture, producer int64, start int64) string {
		x.lead(1, transactional(producer, 0, 0, 1), abort(producer, 0))
		x.commit(15)
		x.MoveStart(start, x.out)
		return x.state()
	}
	left := act(f, 20, 12)
	act(c, 10, 9)
	if f.state() != left {
		t.Error("what the clone did shows in the original")
	}
	alone := f.clone()
	f.truncate(13)
	c.truncate(13)
	alone.truncate(13)
	if f.state() != alone.state() || f.Producers() != 6 || c.Producers() != 6 {
		t.Errorf("%d and %d producer entries, want 6 each", f.Producers(), c.Producers())
	}
	if want := []plog.AbortedTransaction{{ProducerID: 4, First: 8, Last: 9}}; !cmp.Equal(want, c.Aborted(9, 15)) {
		t.Errorf("the clone's aborted transactions are %v, want %v", c.Aborted(9, 15), want)
	}
}

// The batch that a leader places is all that the log allocates at an append; reads and answers have none.
func TestAllocations(t *testing.T) {
	f := newFixture(scope(false))
	f.files().Batches = make([]*record.Batch, 0, 4096)
	b := idempotent(1, 0, 0, 2)
	f.lead(0, b)
	n := testing.AllocsPerRun(1000, func() { f.out.Reset(); f.lead(0, b) })
	if n > 1 {
		t.Errorf("AppendLeader allocates %v times", n)
	}
	n = testing.AllocsPerRun(1000, func() {
		f.out.Reset()
		f.commit(f.HighWatermark() + 1)
		f.Read(f.End()-10, f.HighWatermark(), 5)
		f.EndOffsetFor(0)
		f.LastStable()
		f.CheckProducer(b, 0)
	})
	if n > 0 {
		t.Errorf("reading allocates %v times", n)
	}
}

func TestReportReadsTheLogBack(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, idempotent(9, 1, 0, 2), transactional(4, 2, 7, 1))
	f.lead(3, record.NewMarker(record.Abort, 8, 5, 1))
	f.commit(2)
	f.events()
	f.Report(event.ReportEnd, 3, f.out)
	var digest uint64
	for _, b := range f.Read(0, f.End(), 99) {
		digest = event.MixBatch(digest, b)
	}
	head := f.out.Events[0]
	if head.Digest != digest || head.ProducerID != 2 || head.Op != 3 {
		t.Errorf("digest %x, want %x; high watermark %d, entries %d", head.Digest, digest, head.ProducerID, head.Op)
	}
	want := []string{
		"replica-reported L3 B0 0..4 seq 2 cause 2",
		"epoch-reported L0 B0 0..0 seq 0 cause 0", "epoch-reported L0 B3 3..0 seq 0 cause 0",
		"producer-reported L0 B2 2..2 seq 7 cause 0",
		"producer-reported L0 B5 -1..-1 seq -1 cause 0",
		"producer-reported L0 B1 -1..1 seq 1 cause 0"}
	if diff := cmp.Diff(want, f.events()); diff != "" {
		t.Error(diff)
	}
}

// A producer that begins anew above a reset is not reported with the transaction that another one left open below it.
func TestReportAboveAReset(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, transactional(4, 0, 0, 1), record.NewReset(), idempotent(4, 0, 0, 1))
	f.events()
	f.Report(event.ReportEnd, 0, f.out)
	if got := f.events()[2]; got != "producer-reported L0 B0 -1..2 seq 0 cause 0" {
		t.Error(got)
	}
}
