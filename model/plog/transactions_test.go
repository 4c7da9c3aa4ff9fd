package plog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/plog"
	"mirrorsim/model/record"
)

func abort(producer int64, epoch int16) *record.Batch {
	return record.NewMarker(record.Abort, producer, epoch, 3)
}

func commit(producer int64, epoch int16) *record.Batch {
	return record.NewMarker(record.Commit, producer, epoch, 3)
}

// T1: 0 of transaction 1 (open), 1 plain, 2 of transaction 2 (open), then the stop of either revision.
func TestT1(t *testing.T) {
	mirrored := func() *fixture {
		f := newFixture(scope(false))
		f.lead(0, transactional(1, 0, 0, 1), plain(1), transactional(2, 0, 0, 1))
		f.commit(3)
		return f
	}
	t.Run("newer: abort", func(t *testing.T) {
		f := mirrored()
		for _, open := range f.OpenTransactions() {
			f.lead(1, record.NewMarker(record.Abort, open.ProducerID, open.ProducerEpoch, open.CoordinatorEpoch))
		}
		f.lead(1, record.NewReset())
		if diff := cmp.Diff([4]int64{0, 3, 0, 6}, f.offsets()); diff != "" {
			t.Errorf("before the markers are committed: %s", diff)
		}
		f.commit(6)
		if diff := cmp.Diff([4]int64{0, 6, 6, 6}, f.offsets()); diff != "" {
			t.Error(diff)
		}
		if f.strip() != "0@0 1@0 2@0 3@1:abort 4@1:abort 5@1:reset" {
			t.Errorf("log %s", f.strip())
		}
		want := []plog.AbortedTransaction{{ProducerID: 1, First: 0, Last: 3}, {ProducerID: 2, First: 2, Last: 4}}
		if diff := cmp.Diff(want, f.Aborted(0, 6)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("older: truncate to the last stable offset", func(t *testing.T) {
		f := mirrored()
		f.truncate(f.LastStable())
		f.lead(1, record.NewReset())
		f.commit(1)
		if f.strip() != "0@1:reset" || f.offsets() != [4]int64{0, 1, 1, 1} || f.LatestEpoch() != 1 {
			t.Errorf("log %s, offsets %v", f.strip(), f.offsets())
		}
	})
}

// T2: high watermark 10, a transaction open at 2, the rest plain.
func TestT2(t *testing.T) {
	mirrored := func() *fixture {
		f := newFixture(scope(false))
		f.lead(0, plain(2), transactional(1, 0, 0, 1))
		for range 7 {
			f.lead(0, plain(1))
		}
		f.commit(10)
		return f
	}
	f := mirrored()
	if diff := cmp.Diff([4]int64{0, 10, 2, 10}, f.offsets()); diff != "" {
		t.Fatal(diff)
	}
	if n := len(f.Read(0, f.LastStable(), 99)); n != 1 {
		t.Errorf("a fetch bounded by the last stable offset reads %d batches", n)
	}
	f.truncate(f.LastStable())
	f.lead(1, record.NewReset())
	if f.End() != 3 || f.strip() != "0-1@0 2@1:reset" {
		t.Errorf("older: log %s", f.strip())
	}
	g := mirrored()
	g.lead(1, abort(1, 0), record.NewReset())
	g.commit(12)
	if diff := cmp.Diff([4]int64{0, 12, 12, 12}, g.offsets()); diff != "" {
		t.Errorf("newer: %s", diff)
	}
}

func TestLastStable(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(2), transactional(5, 0, 0, 1), transactional(4, 0, 0, 1), plain(1), abort(5, 0), commit(4, 0), plain(3))
	// 0-1 plain, 2 of 5, 3 of 4, 4 plain, 5 abort of 5, 6 commit of 4, 7-9 plain.
	for _, c := range []struct {
		name       string
		hw, stable int64
	}{
		{"below every transaction", 2, 2},
		{"below both markers", 5, 2},
		{"the first marker committed", 6, 3},
		{"both markers committed", 7, 7},
		{"all committed", 10, 10},
		{"fallen again below the second marker", 6, 3},
		{"fallen again below both", 3, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.commit(c.hw)
			if got := f.LastStable(); got != c.stable {
				t.Errorf("last stable offset %d, want %d", got, c.stable)
			}
		})
	}
	t.Run("of a transaction that began below the log start", func(t *testing.T) {
		f.lead(0, transactional(6, 0, 0, 1), plain(1))
		f.commit(12)
		f.MoveStart(11, f.out)
		if got := f.LastStable(); got != 11 {
			t.Errorf("last stable offset %d, want the log start", got)
		}
		if open := f.OpenTransactions(); len(open) != 1 || open[0].Start != 10 {
			t.Errorf("open transactions %v", open)
		}
	})
}

func TestOpenTransactions(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, transactional(9, 1, 0, 1), commit(9, 1), transactional(9, 1, 1, 1), transactional(2, 4, 0, 1),
		transactional(9, 1, 2, 1), commit(7, 0))
	want := []plog.OpenTransaction{{ProducerID: 2, ProducerEpoch: 4, Start: 3},
		{ProducerID: 9, ProducerEpoch: 1, CoordinatorEpoch: 3, Start: 2}}
	open := f.OpenTransactions()
	if diff := cmp.Diff(want, open); diff != "" {
		t.Error(diff)
	}
	f.lead(1, abort(2, 4), abort(9, 1))
	if diff := cmp.Diff(want, open); diff != "" {
		t.Errorf("appending markers changes the answer: %s", diff)
	}
	if left := f.OpenTransactions(); left != nil {
		t.Errorf("%v are still open", left)
	}
}

func TestAborted(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, transactional(1, 0, 0, 1), transactional(2, 0, 0, 1), abort(2, 0), transactional(3, 0, 0, 1), commit(3, 0),
		abort(1, 0), plain(1))
	one := plog.AbortedTransaction{ProducerID: 1, First: 0, Last: 5}
	two := plog.AbortedTransaction{ProducerID: 2, First: 1, Last: 2}
	for _, c := range []struct {
		name     string
		from, to int64
		want     []plog.AbortedTransaction
	}{
		{"all", 0, 7, []plog.AbortedTransaction{two, one}},
		{"above the first marker", 3, 7, []plog.AbortedTransaction{one}},
		{"from the first marker", 2, 7, []plog.AbortedTransaction{two, one}},
		{"below the second start", 0, 1, []plog.AbortedTransaction{one}},
		{"above both", 6, 7, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, f.Aborted(c.from, c.to)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("after a truncation that opens one again", func(t *testing.T) {
		f.truncate(5)
		if diff := cmp.Diff([]plog.AbortedTransaction{two}, f.Aborted(0, 7)); diff != "" {
			t.Error(diff)
		}
		if open := f.OpenTransactions(); len(open) != 1 || open[0].ProducerID != 1 {
			t.Errorf("open transactions %v", open)
		}
	})
	t.Run("after retention", func(t *testing.T) {
		f.commit(5)
		f.MoveStart(3, f.out)
		if got := f.Aborted(0, 7); got != nil {
			t.Errorf("%v is below the log start", got)
		}
	})
}

// D21: whether a reset forgets the transactions that are open below it, on append, recovery and truncation alike.
func TestResetScope(t *testing.T) {
	for _, c := range []struct {
		name   string
		rules  scope
		stable int64
		open   []plog.OpenTransaction
	}{
		{"producers", false, 1, []plog.OpenTransaction{{ProducerID: 5, ProducerEpoch: 2, Start: 1}}},
		{"producers-and-transactions", true, 3, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(c.rules)
			f.lead(0, commit(5, 2), transactional(5, 2, 0, 1))
			f.lead(1, record.NewReset())
			f.commit(3)
			f.Checkpoint()
			for _, when := range []string{"appended", "recovered", "truncated"} {
				if f.LastStable() != c.stable || f.Producers() != 0 {
					t.Errorf("%s: last stable offset %d, want %d; %d entries", when, f.LastStable(), c.stable, f.Producers())
				}
				if diff := cmp.Diff(c.open, f.OpenTransactions()); diff != "" {
					t.Errorf("%s: %s", when, diff)
				}
				if when == "appended" {
					f.reopen()
					continue
				}
				f.lead(1, plain(1))
				f.truncate(3)
			}
		})
	}
}

// A new producer with the id of a transaction that stayed open below a reset has a transaction of its own, and each
// marker ends its own: the one of its epoch, the newer of two of one epoch, or the newest below it.
func TestMarkersEndTheirOwn(t *testing.T) {
	for _, c := range []struct {
		name       string
		old, fresh int16 // producer epochs of the transaction below the reset and of the one above it
		marker     int16
		left       []int64 // starts
	}{
		{"of the new one's epoch", 3, 0, 0, []int64{0}},
		{"of the old one's epoch", 3, 0, 3, []int64{2}},
		{"of both", 0, 0, 0, []int64{0}},
		{"above both", 0, 1, 2, []int64{0}},
		{"below both", 3, 3, 2, []int64{0, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(scope(false))
			f.lead(0, transactional(5, c.old, 0, 1))
			f.lead(1, record.NewReset(), transactional(5, c.fresh, 0, 1), transactional(5, c.fresh, 1, 1), commit(5, c.marker))
			var left []int64
			for _, open := range f.OpenTransactions() {
				left = append(left, open.Start)
			}
			if diff := cmp.Diff(c.left, left); diff != "" {
				t.Error(diff)
			}
		})
	}
}
