package plog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/disk"
	"mirrorsim/model/plog"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// answer is what EndOffsetFor says.
type answer struct {
	Epoch int32
	End   int64
	OK    bool
}

func endOffsetFor(f *fixture, epoch int32) answer {
	e, end, ok := f.EndOffsetFor(epoch)
	return answer{e, end, ok}
}

func TestEndOffsetFor(t *testing.T) {
	undefined := answer{-1, -1, false}
	f := newFixture(scope(false))
	f.follow(5, 2, 3)  // {2→5}
	f.follow(8, 4, 2)  // {2→5, 4→8}
	f.follow(12, 7, 1) // {2→5, 4→8, 7→12}, LEO 13
	for _, c := range []struct {
		name  string
		epoch int32
		want  answer
	}{
		{"no epoch", -1, undefined},
		{"newest", 7, answer{7, 13, true}},
		{"above every entry", 8, undefined},
		{"below the first entry", 1, answer{1, 5, true}},
		{"first entry", 2, answer{2, 8, true}},
		{"between two entries", 3, answer{2, 8, true}},
		{"before a gap in offsets", 4, answer{4, 12, true}},
		{"just below the newest", 6, answer{4, 12, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, endOffsetFor(f, c.epoch)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A new leader's cache has its epoch at once, before it has written anything.
func TestKAFKA7415(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(3, plain(10))
	f.events()
	f.AssignEpoch(5, 10, f.out)
	if diff := cmp.Diff([]string{"epoch-added L0 B5 10..0 seq 2 cause 0"}, f.events()); diff != "" {
		t.Error(diff)
	}
	for epoch, want := range map[int32]answer{4: {3, 10, true}, 5: {5, 10, true}, 6: {-1, -1, false}} {
		if got := endOffsetFor(f, epoch); got != want {
			t.Errorf("e%d: %v, want %v", epoch, got, want)
		}
	}
	first := newFixture(scope(false))
	first.RestartAt(10, 5, first.out)
	first.AssignEpoch(5, 10, first.out)
	if got := endOffsetFor(first, 4); got != (answer{4, 10, true}) {
		t.Errorf("a first entry 5→10 asked for e4: %v, want (4, 10)", got)
	}
}

// A follower without epochs asks for -1: undefined, never the log end.
func TestKAFKA6857(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(4))
	if got := endOffsetFor(f, -1); got.OK || got.End == f.End() {
		t.Errorf("-1 answered %v", got)
	}
}

// The leader names the largest epoch it knows at or below the asked one, and the follower cuts to its own end of that.
func TestKIP279(t *testing.T) {
	leader, follower := newFixture(scope(false)), newFixture(scope(false))
	leader.lead(0, plain(10))
	leader.lead(3, plain(1))
	follower.lead(0, plain(3))
	follower.lead(2, plain(2))
	if got := endOffsetFor(leader, 2); got != (answer{0, 10, true}) {
		t.Fatalf("the leader answers %v, want (0, 10)", got)
	}
	if got := endOffsetFor(follower, 0); got != (answer{0, 3, true}) {
		t.Errorf("the follower's own end of e0 is %v, want 3", got)
	}
	follower.truncate(3)
	if follower.End() != 3 || follower.epochs() != "0→0" || follower.LastBatchEpoch() != 0 {
		t.Errorf("after the cut: end %d, cache %s", follower.End(), follower.epochs())
	}
}

// After a power loss the checkpoint is rebuilt from the batches, never empty over a full log.
func TestKAFKA16541(t *testing.T) {
	for kept, word := range []string{"none of the checkpoint", "one entry", "two entries", "all entries"} {
		t.Run(word, func(t *testing.T) {
			f := newFixture(scope(false))
			f.lead(0, plain(20), plain(5))
			f.truncate(20)
			f.lead(2, plain(3))
			f.lead(5, plain(1))
			f.losePower(3, int64(kept))
			if f.epochs() != "0→0 2→20 5→23" {
				t.Errorf("cache %s", f.epochs())
			}
		})
	}
	t.Run("fewer batches than entries", func(t *testing.T) {
		f := newFixture(scope(false))
		f.lead(0, plain(2))
		f.lead(2, plain(3))
		f.AssignEpoch(5, 5, f.out)
		f.losePower(1, 3)
		if f.epochs() != "0→0" || f.End() != 2 {
			t.Errorf("cache %s, end %d", f.epochs(), f.End())
		}
	})
	t.Run("stale", func(t *testing.T) {
		f := newFixture(scope(false))
		f.lead(0, plain(2))
		f.lead(2, plain(3))
		f.files().Epochs = []disk.Epoch{{Epoch: 0, Start: 0}, {Epoch: 1, Start: 1}, {Epoch: 3, Start: 4}}
		f.reopen()
		if f.epochs() != "0→0 1→1 2→2" {
			t.Errorf("cache %s: what agrees with the batches stays, the rest is rebuilt", f.epochs())
		}
	})
}

// The log is cut to 30 while checkpoints remember 50, and grows beyond 50 again before the next one.
func TestKAFKA3330(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(30), idempotent(4, 0, 0, 20), plain(10))
	f.commit(50)
	f.MoveStart(50, f.out)
	f.Checkpoint()
	f.truncate(30)
	if diff := cmp.Diff([4]int64{30, 30, 30, 30}, f.offsets()); diff != "" {
		t.Errorf("after the cut: %s", diff)
	}
	if f.Producers() != 0 {
		t.Error("a producer entry outlived the truncation of its batches")
	}
	f.lead(1, plain(40))
	f.reopen()
	if diff := cmp.Diff([4]int64{30, 30, 30, 70}, f.offsets()); diff != "" {
		t.Errorf("after the restart: %s", diff)
	}
}

// Retention may not remove what is not yet below the high watermark.
func TestKAFKA5634(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(4), plain(4), plain(4))
	f.commit(6)
	f.MoveStart(11, f.out)
	if f.Start() != 6 || f.strip() != "4-7@0 8-11@0" {
		t.Errorf("log start %d, log %s; the high watermark is 6", f.Start(), f.strip())
	}
}

// Nothing at or above the high watermark is returned, though an append came in between.
func TestKAFKA9835(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(10))
	f.commit(10)
	bound := f.HighWatermark()
	f.lead(0, plain(1), plain(1))
	for _, b := range f.Read(0, bound, 99) {
		if b.Last >= bound {
			t.Errorf("batch %d-%d was read under the bound %d", b.Base, b.Last, bound)
		}
	}
	f.commit(11)
	if got := f.Read(10, f.HighWatermark(), 99); len(got) != 1 || got[0].Base != 10 {
		t.Errorf("after the high watermark moved: %v", got)
	}
}

// Retention removed all of a producer's records: its state outlives them.
func TestKAFKA7190(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, idempotent(4, 0, 0, 5), plain(1), plain(1), plain(1))
	f.commit(8)
	f.MoveStart(6, f.out)
	next, retry := idempotent(4, 0, 5, 1), idempotent(4, 0, 7, 1)
	if _, _, code := f.CheckProducer(next, plog.Reject); code != wire.OK {
		t.Errorf("the next sequence: %v", code)
	}
	if _, _, code := f.CheckProducer(retry, plog.Accept); code != wire.OutOfOrderSequenceNumber {
		t.Errorf("a sequence beyond the next: %v", code)
	}
	f.truncate(7)
	if _, _, code := f.CheckProducer(next, plog.Reject); code != wire.OK {
		t.Errorf("the next sequence after a truncation above the log start: %v", code)
	}
}

// A replica without producer state accepts whatever its leader accepted.
func TestKAFKA6003(t *testing.T) {
	f := newFixture(scope(false))
	f.AppendAsIs(idempotent(4, 2, 7, 2).At(0, 0), 0, 0, f.out)
	f.AppendAsIs(idempotent(4, 2, 30, 1).At(2, 0), 0, 0, f.out)
	if f.End() != 3 || f.Producers() != 1 {
		t.Fatalf("log %s, %d producer entries", f.strip(), f.Producers())
	}
	if _, _, code := f.CheckProducer(idempotent(4, 2, 31, 1), plog.Reject); code != wire.OK {
		t.Errorf("the state does not follow the replicated batch: %v", code)
	}
}

// An idempotent producer's batch 5 arrives before its batch 0 at an empty log.
func TestKAFKA15591(t *testing.T) {
	late, first := idempotent(4, 0, 5, 1), idempotent(4, 0, 0, 5)
	t.Run("accept", func(t *testing.T) {
		f := newFixture(scope(false))
		if _, _, code := f.CheckProducer(late, plog.Accept); code != wire.OK {
			t.Fatalf("5 on an empty log: %v", code)
		}
		f.lead(0, late)
		if _, _, code := f.CheckProducer(first, plog.Accept); code != wire.OutOfOrderSequenceNumber {
			t.Errorf("0 after 5 stands: %v", code)
		}
	})
	t.Run("accept unless new", func(t *testing.T) { overtakenBatchIsRetried(t, late, first) })
	t.Run("accept unless new, on a log with history", func(t *testing.T) {
		f := newFixture(scope(false))
		f.lead(0, plain(1))
		f.commit(1)
		f.MoveStart(1, f.out)
		if _, _, code := f.CheckProducer(late, plog.AcceptUnlessNew); code != wire.OK {
			t.Errorf("5 on an emptied log: %v", code)
		}
	})
}

// The same of a transactional producer: its part of the rule is the log's, the verification the coordinator's.
func TestKAFKA18202(t *testing.T) {
	overtakenBatchIsRetried(t, transactional(4, 0, 5, 1), transactional(4, 0, 0, 5))
}

func overtakenBatchIsRetried(t *testing.T, late, first *record.Batch) {
	t.Helper()
	f := newFixture(scope(false))
	for _, step := range []struct {
		b    *record.Batch
		want wire.Code
	}{{late, wire.OutOfOrderSequenceNumber}, {first, wire.OK}, {late, wire.OK}} {
		_, _, code := f.CheckProducer(step.b, plog.AcceptUnlessNew)
		if code != step.want {
			t.Fatalf("sequence %d: %v, want %v", step.b.BaseSequence, code, step.want)
		}
		if code == wire.OK {
			f.lead(0, step.b)
		}
	}
	if f.strip() != "0-4@0 5@0" {
		t.Errorf("log %s", f.strip())
	}
}
