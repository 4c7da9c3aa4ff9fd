package plog_test

import (
	"math"
	"testing"

	"mirrorsim/model/plog"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// verdict is what CheckProducer says.
type verdict struct {
	base      int64
	duplicate bool
	code      wire.Code
}

func check(f *fixture, b *record.Batch, rule plog.UnknownRule) verdict {
	base, duplicate, code := f.CheckProducer(b, rule)
	return verdict{base, duplicate, code}
}

func TestCheckProducer(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(3)) // 0-2
	for i := range int32(6) {
		f.lead(0, idempotent(4, 2, 2*i, 2)) // sequences 2i, 2i+1 at 3+2i
	}
	f.lead(0, record.NewMarker(record.Abort, 8, 3, 1))
	fine, order := verdict{-1, false, wire.OK}, verdict{-1, false, wire.OutOfOrderSequenceNumber}
	fenced := verdict{-1, false, wire.InvalidProducerEpoch}
	for _, c := range []struct {
		name  string
		batch *record.Batch
		rule  plog.UnknownRule
		want  verdict
	}{
		{"no producer id", plain(1), plog.Reject, fine},
		{"next sequence", idempotent(4, 2, 12, 1), plog.Reject, fine},
		{"the newest again", idempotent(4, 2, 10, 2), plog.Reject, verdict{13, true, wire.OK}},
		{"the fifth newest again", idempotent(4, 2, 2, 2), plog.Reject, verdict{5, true, wire.OK}},
		{"the sixth newest again", idempotent(4, 2, 0, 2), plog.Reject, order},
		{"first sequence of a duplicate, another last", idempotent(4, 2, 10, 1), plog.Reject, order},
		{"a hole", idempotent(4, 2, 13, 1), plog.Reject, order},
		{"higher epoch from 0", idempotent(4, 3, 0, 1), plog.Reject, fine},
		{"higher epoch, sequence of the lower one", idempotent(4, 3, 12, 1), plog.Reject, order},
		{"higher epoch, batch of the lower one", idempotent(4, 3, 10, 2), plog.Reject, order},
		{"lower epoch, next sequence", idempotent(4, 1, 12, 1), plog.Reject, fenced},
		{"lower epoch, from 0", idempotent(4, 1, 0, 1), plog.Reject, fenced},
		{"entry made by a marker, from 0", idempotent(8, 3, 0, 1), plog.Accept, fine},
		{"entry made by a marker, not from 0", idempotent(8, 3, 1, 1), plog.Accept, order},
		{"entry made by a marker, lower epoch", idempotent(8, 2, 0, 1), plog.Accept, fenced},
		{"unknown from 0, reject", idempotent(5, 0, 0, 1), plog.Reject, fine},
		{"unknown, accept", idempotent(5, 0, 3, 1), plog.Accept, fine},
		{"unknown, accept unless new", idempotent(5, 0, 3, 1), plog.AcceptUnlessNew, fine},
		{"unknown, reject", idempotent(5, 0, 3, 1), plog.Reject, verdict{-1, false, wire.UnknownProducerId}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := check(f, c.batch, c.rule); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Sequences run to 2^31 - 1 and start again at 0, inside a batch and between two.
func TestSequenceWraps(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, idempotent(4, 0, math.MaxInt32-1, 4)) // the last sequence is 1
	if got := check(f, idempotent(4, 0, math.MaxInt32-1, 4), plog.Reject); got != (verdict{0, true, wire.OK}) {
		t.Errorf("the wrapping batch again: %v", got)
	}
	if got := check(f, idempotent(4, 0, 2, 1), plog.Reject); got.code != wire.OK {
		t.Errorf("the sequence after it: %v", got)
	}
	f.lead(0, idempotent(6, 0, math.MaxInt32, 1))
	if got := check(f, idempotent(6, 0, 0, 1), plog.Reject); got != (verdict{-1, false, wire.OK}) {
		t.Errorf("0 after the greatest sequence: %v", got)
	}
}

// A marker of a higher producer epoch forgets the batches; the next one starts at 0 (KIP-890).
func TestMarkerRaisesTheEpoch(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, transactional(4, 2, 0, 2), record.NewMarker(record.Commit, 4, 3, 9))
	if len(f.OpenTransactions()) != 0 {
		t.Error("the marker did not end the transaction of the epoch below")
	}
	for sequence, want := range map[int32]wire.Code{0: wire.OK, 2: wire.OutOfOrderSequenceNumber} {
		if got := check(f, idempotent(4, 3, sequence, 1), plog.Accept); got.code != want {
			t.Errorf("sequence %d: %v, want %v", sequence, got.code, want)
		}
	}
	if got := check(f, idempotent(4, 2, 0, 2), plog.Accept); got.code != wire.InvalidProducerEpoch {
		t.Errorf("a retry of the epoch below: %v", got)
	}
}

// T4: the same id starts again at 0 after a reset, on a leader, on a replica, after recovery and after truncation.
func TestResetRemovesProducers(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, idempotent(1, 0, 0, 2), idempotent(1, 0, 2, 2), idempotent(2, 0, 0, 1))
	if got := check(f, idempotent(1, 0, 0, 2), plog.Accept); got != (verdict{0, true, wire.OK}) {
		t.Fatalf("before the reset: %v", got)
	}
	f.lead(1, record.NewReset())
	replica := newFixture(scope(false))
	for _, b := range f.Read(0, f.End(), 99) {
		replica.AppendAsIs(b, 1, 3, replica.out)
	}
	for name, act := range map[string]func(*fixture){
		"appended":  func(*fixture) {},
		"recovered": func(x *fixture) { x.reopen() },
		"truncated": func(x *fixture) { x.lead(1, idempotent(7, 0, 0, 1)); x.truncate(6) },
	} {
		for side, original := range map[string]*fixture{"leader": f, "replica": replica} {
			t.Run(name+" on the "+side, func(t *testing.T) {
				x := original.clone()
				act(x)
				if x.Producers() != 0 {
					t.Errorf("%d producer entries are left", x.Producers())
				}
				fresh := idempotent(1, 0, 0, 2)
				if got := check(x, fresh, plog.Reject); got != (verdict{-1, false, wire.OK}) {
					t.Errorf("a new producer of id 1: %v", got)
				}
				x.lead(1, fresh)
				if x.strip() != "0-1@0 2-3@0 4@0 5@1:reset 6-7@1" {
					t.Errorf("log %s", x.strip())
				}
			})
		}
	}
}

// Ids that a mirror mapped below 0 have no producer state and no transactions (T3: the last stable offset is wrong then).
func TestNegativeIdsHaveNoState(t *testing.T) {
	f := newFixture(scope(false))
	b := transactional(4, 0, 0, 1)
	b.ProducerID = -(b.ProducerID + 2)
	f.lead(0, b.Sealed(), plain(1))
	f.commit(2)
	if f.Producers() != 0 || f.LastStable() != 2 {
		t.Errorf("%d entries, last stable offset %d", f.Producers(), f.LastStable())
	}
}
