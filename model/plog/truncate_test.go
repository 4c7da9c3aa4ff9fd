package plog_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
)

func TestTruncateTo(t *testing.T) {
	for _, c := range []struct {
		name    string
		offset  int64
		strip   string
		epochs  string
		offsets [4]int64
		events  []string
	}{
		{"at a batch", 5, "2-4@1", "1→2", [4]int64{3, 5, 5, 5},
			[]string{"truncated L9 B0 5..11 seq 0 cause 1", "high-watermark L9 B0 5..5 seq 0 cause 0"}},
		{"inside a batch: it goes, the log end is there", 6, "2-4@1", "1→2 2→5", [4]int64{3, 6, 6, 6},
			[]string{"truncated L9 B0 6..11 seq 0 cause 1", "high-watermark L9 B0 6..6 seq 0 cause 0"}},
		{"in a gap", 9, "2-4@1 5-6@2", "1→2 2→5", [4]int64{3, 7, 7, 9}, []string{"truncated L9 B0 9..11 seq 0 cause 1"}},
		{"at the log end", 11, "2-4@1 5-6@2 9-10@4", "1→2 2→5 4→9", [4]int64{3, 7, 7, 11},
			[]string{"truncated L9 B0 11..11 seq 0 cause 1"}},
		{"above the log end", 40, "2-4@1 5-6@2 9-10@4", "1→2 2→5 4→9", [4]int64{3, 7, 7, 11},
			[]string{"truncated L9 B0 11..11 seq 0 cause 1"}},
		{"below the log start", 1, "", "", [4]int64{1, 1, 1, 1},
			[]string{"truncated L9 B0 1..11 seq 0 cause 1", "start-moved L0 B0 1..3 seq 0 cause 0",
				"high-watermark L9 B0 1..1 seq 0 cause 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(scope(false))
			f.follow(0, 0, 2)
			f.follow(2, 1, 3)
			f.follow(5, 2, 2)
			f.follow(9, 4, 2)
			f.commit(7)
			f.MoveStart(3, f.out) // drops 0-1; {1→3, 2→5, 4→9} now
			f.AssignEpoch(6, 11, f.out)
			f.events()
			f.TruncateTo(c.offset, 9, event.AlignedToLME, f.out)
			if diff := cmp.Diff(c.events, f.events()); diff != "" {
				t.Error(diff)
			}
			if f.strip() != c.strip || f.offsets() != c.offsets {
				t.Errorf("log %q, offsets %v; want %q, %v", f.strip(), f.offsets(), c.strip, c.offsets)
			}
			want := c.epochs
			if want != "" {
				want = "1→3" + want[len("1→2"):]
			}
			if f.epochs() != want {
				t.Errorf("cache %q, want %q", f.epochs(), want)
			}
		})
	}
}

func TestTruncateKeepsSyncedLengthsWithinTheFiles(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(1), plain(1))
	f.lead(1, plain(1))
	f.files().Sync()
	f.truncate(1)
	if s := f.files(); s.BatchesSynced != 1 || s.EpochsSynced != 1 {
		t.Errorf("synced %d batches, %d entries", s.BatchesSynced, s.EpochsSynced)
	}
	f.lead(2, plain(1))
	f.losePower(1, 1)
	if f.strip() != "0@0" || f.epochs() != "0→0" {
		t.Errorf("log %s, cache %s", f.strip(), f.epochs())
	}
}

func TestMoveStartKeepsSyncedLengthsWithinTheFiles(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(1))
	f.lead(1, plain(1))
	f.files().Sync()
	f.lead(2, plain(1))
	f.lead(3, plain(1))
	f.commit(4)
	f.MoveStart(1, f.out)
	if s := f.files(); s.BatchesSynced != 1 || s.EpochsSynced != 1 {
		t.Errorf("synced %d batches, %d entries of those that are left", s.BatchesSynced, s.EpochsSynced)
	}
	f.MoveStart(3, f.out)
	if s := f.files(); s.BatchesSynced != 0 || s.EpochsSynced != 0 {
		t.Errorf("synced %d batches, %d entries of those that are left", s.BatchesSynced, s.EpochsSynced)
	}
}

func TestRestartAt(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, idempotent(3, 0, 0, 1), transactional(4, 0, 0, 2), plain(40))
	f.commit(43)
	f.Checkpoint()
	f.MoveStart(2, f.out)
	f.events()
	f.RestartAt(20, 2, f.out)
	want := []string{"truncated L2 B0 20..43 seq 0 cause 4", "start-moved L0 B0 20..2 seq 0 cause 0",
		"high-watermark L2 B0 20..20 seq 0 cause 0"}
	if diff := cmp.Diff(want, f.events()); diff != "" {
		t.Error(diff)
	}
	if f.offsets() != [4]int64{20, 20, 20, 20} || f.strip() != "" || f.epochs() != "" || f.Producers() != 0 {
		t.Errorf("offsets %v, log %q, cache %q, %d producer entries", f.offsets(), f.strip(), f.epochs(), f.Producers())
	}
	crashed := f.clone()
	crashed.reopen()
	if crashed.offsets() != [4]int64{20, 20, 20, 20} {
		t.Errorf("after a crash: offsets %v", crashed.offsets())
	}
	f.follow(20, 1, 2)
	if f.strip() != "20-21@1" || f.epochs() != "1→20" {
		t.Errorf("log %s, cache %s", f.strip(), f.epochs())
	}
	f.reopen()
	if f.HighWatermark() != 20 {
		t.Errorf("high watermark %d: the checkpoint is still that of the dropped log", f.HighWatermark())
	}
}

func TestMoveStart(t *testing.T) {
	for _, c := range []struct {
		name   string
		offset int64
		start  int64
		strip  string
		epochs string
	}{
		{"at the log start", 0, 0, "0-1@0 2@1 5-6@3 7@3", "0→0 1→2 3→5 6→8"},
		{"inside a batch", 1, 1, "0-1@0 2@1 5-6@3 7@3", "0→1 1→2 3→5 6→8"},
		{"at a batch", 2, 2, "2@1 5-6@3 7@3", "1→2 3→5 6→8"},
		{"in a gap", 4, 4, "5-6@3 7@3", "1→4 3→5 6→8"},
		{"at the end of an epoch", 5, 5, "5-6@3 7@3", "3→5 6→8"},
		{"at the log end", 8, 8, "", "6→8"},
		{"above the high watermark", 30, 8, "", "6→8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(scope(false))
			f.follow(0, 0, 2)
			f.follow(2, 1, 1)
			f.follow(5, 3, 2)
			f.follow(7, 3, 1)
			f.AssignEpoch(6, 8, f.out)
			f.commit(8)
			f.events()
			original := f.clone()
			before := original.state()
			f.MoveStart(c.offset, f.out)
			if f.Start() != c.start || f.strip() != c.strip || f.epochs() != c.epochs {
				t.Errorf("start %d, log %q, cache %q", f.Start(), f.strip(), f.epochs())
			}
			if original.state() != before {
				t.Error("the move shows in a clone")
			}
			if c.start == 0 && f.state() != before {
				t.Error("a log start that does not move changes the log")
			}
			if n := len(f.events()); n == 1 != (c.start > 0) {
				t.Errorf("%d events", n)
			}
		})
	}
}

// Where the first epoch that a log knows begins above the new start, as in a log whose first records were compacted away, it
// stays there: no record below has it.
func TestMoveStartBelowTheFirstEpoch(t *testing.T) {
	f := newFixture(scope(false))
	f.follow(5, 3, 4)
	f.commit(9)
	f.MoveStart(2, f.out)
	if f.Start() != 2 || f.strip() != "5-8@3" || f.epochs() != "3→5" {
		t.Errorf("start %d, log %q, cache %q", f.Start(), f.strip(), f.epochs())
	}
}

// A crash takes an uncheckpointed log start back as far as the records are still there.
func TestRecoveredLogStart(t *testing.T) {
	for _, c := range []struct {
		name             string
		checkpoint, move int64
		want             int64
	}{
		{"moved inside the first batch", 0, 2, 0},
		{"checkpointed inside the first batch", 1, 2, 1},
		{"moved inside a later batch", 0, 5, 4},
		{"moved to a batch", 0, 4, 4},
		{"moved to the end", 0, 8, 8},
		{"checkpointed", 5, 5, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(scope(false))
			f.lead(0, plain(4), plain(4))
			f.commit(8)
			f.MoveStart(c.checkpoint, f.out)
			f.Checkpoint()
			f.MoveStart(c.move, f.out)
			f.reopen()
			if f.Start() != c.want || f.HighWatermark() != 8 {
				t.Errorf("log start %d, want %d; high watermark %d", f.Start(), c.want, f.HighWatermark())
			}
			if want := fmt.Sprintf("0→%d", c.want); f.strip() != "" && f.epochs() != want {
				t.Errorf("cache %s, want %s", f.epochs(), want)
			}
		})
	}
}

func TestRecoveredHighWatermark(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(1), plain(1), plain(1), plain(1))
	f.commit(3)
	f.reopen()
	if f.HighWatermark() != 0 {
		t.Errorf("high watermark %d without a checkpoint", f.HighWatermark())
	}
	f.commit(3)
	f.Checkpoint()
	f.commit(4)
	f.reopen()
	if f.HighWatermark() != 3 {
		t.Errorf("high watermark %d, the checkpoint is 3", f.HighWatermark())
	}
	f.losePower(2, 1)
	if f.HighWatermark() != 2 {
		t.Errorf("high watermark %d above the log end 2", f.HighWatermark())
	}
	f.lead(1, plain(1), plain(1))
	f.reopen()
	if f.HighWatermark() != 2 {
		t.Errorf("high watermark %d: the checkpoint still counts what the power loss took", f.HighWatermark())
	}
}

func TestRecoveryReadsTheLogBack(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, idempotent(4, 0, 0, 2))
	var digest uint64
	for _, b := range f.Read(0, 2, 9) {
		digest = event.MixBatch(digest, b)
	}
	f.reopen()
	if got := f.out.Events[0]; got.Kind != event.Recovered || got.Digest != digest || got.End != 2 {
		t.Errorf("first event %+v, digest of the log %x", got, digest)
	}
	if f.Producers() != 1 {
		t.Error("the producer entry was not recovered")
	}
	f.files().End = 1
	mustFail(t, "a log end inside a batch", f.reopen)
}

// A leader's entry is kept out unless it is above the newest, and replaces one that starts where it does.
func TestAssignEpoch(t *testing.T) {
	f := newFixture(scope(false))
	f.AssignEpoch(2, 0, f.out)
	f.AssignEpoch(3, 0, f.out)
	f.events()
	f.AssignEpoch(3, 0, f.out)
	f.AssignEpoch(1, 0, f.out)
	if f.epochs() != "3→0" || len(f.events()) != 0 {
		t.Errorf("cache %s", f.epochs())
	}
	f.lead(3, plain(2))
	f.AssignEpoch(5, 2, f.out)
	if f.epochs() != "3→0 5→2" || f.EpochAt(1) != 3 || f.EpochAt(2) != 5 {
		t.Errorf("cache %s", f.epochs())
	}
	t.Run("a batch of the epoch below it takes its place", func(t *testing.T) {
		f.events()
		f.follow(2, 3, 1)
		if f.epochs() != "3→0" {
			t.Errorf("cache %s", f.epochs())
		}
		if diff := cmp.Diff("epoch-added L0 B3 0..0 seq 1 cause 0", f.events()[1]); diff != "" {
			t.Error(diff)
		}
	})
	mustFail(t, "an entry below the log end", func() { f.AssignEpoch(9, 1, f.out) })
}

// Batch epochs may fall where a stop raised the leader epoch too little; the cache stays strictly increasing as Kafka's
// does, and recovery neither fails nor changes it.
func TestFallingBatchEpochs(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(1))
	f.lead(2, plain(2))
	f.lead(1, plain(1))
	if f.epochs() != "0→0 1→3" {
		t.Errorf("cache %s", f.epochs())
	}
	f.reopen()
	if f.epochs() != "0→0 1→3" || f.LastBatchEpoch() != 1 {
		t.Errorf("recovered cache %s", f.epochs())
	}
}

func TestSetHighWatermark(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(6))
	f.events()
	for _, c := range []struct {
		hw, want int64
		changed  bool
	}{{4, 4, true}, {4, 4, false}, {9, 6, true}, {7, 6, false}, {3, 3, true}, {-1, 0, true}} {
		if got := f.SetHighWatermark(c.hw, 3, f.out); got != c.changed || f.HighWatermark() != c.want {
			t.Errorf("set to %d: %d, changed %v", c.hw, f.HighWatermark(), got)
		}
		if n := len(f.events()); n == 1 != c.changed {
			t.Errorf("set to %d: %d events", c.hw, n)
		}
	}
}
