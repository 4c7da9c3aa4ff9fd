package plog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/plog"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// left shows what a log holds as strip does, with the offsets of the records of batches that were compacted.
func (f *fixture) left() string {
	words := strings.Fields(f.strip())
	for i, b := range f.Read(f.Start(), f.End(), 1<<20) {
		if !b.Compacted() {
			continue
		}
		var offsets []int64
		for k := range b.Size() {
			offsets = append(offsets, b.OffsetOf(k))
		}
		words[i] += fmt.Sprint(offsets)
	}
	return strings.Join(words, " ")
}

func ender(kind record.Control, producer int64) *record.Batch {
	return record.NewMarker(kind, producer, 0, 0)
}

// toCompact is 0-1 and 4 of producer 4, 2-3 of none, a committed transaction at 5, an aborted one at 7, an open one at 9, and a
// record behind it; all is committed, and the last stable offset is 9.
func toCompact() *fixture {
	f := newFixture(scope(false))
	f.lead(0, idempotent(4, 0, 0, 2), plain(2), idempotent(4, 0, 2, 1))
	f.lead(1, transactional(5, 0, 0, 1), ender(record.Commit, 5), transactional(6, 0, 0, 1), ender(record.Abort, 6))
	f.lead(1, transactional(7, 0, 0, 1), plain(1))
	f.commit(11)
	return f
}

func TestCompact(t *testing.T) {
	for _, c := range []struct {
		name, want string
		keep       []int64
		hw         int64
	}{
		{"by offset", "2-3@0[2] 4@0[] 5@1[] 6@1:commit 7@1[] 8@1:abort 9@1 10@1", []int64{2, 99}, 11},
		{"a whole batch", "0-1@0 4@0[] 5@1[] 6@1:commit 7@1[] 8@1:abort 9@1 10@1", []int64{0, 1}, 11},
		{"all below the last stable offset", "0-1@0 2-3@0 4@0 5@1 6@1:commit 7@1 8@1:abort 9@1 10@1", []int64{0, 1, 2, 3, 4, 5, 7}, 11},
		// The record of the aborted transaction is newer and counts for nothing.
		{"by key", "4@0[] 5@1 6@1:commit 7@1[] 8@1:abort 9@1 10@1", nil, 11},
		{"up to the high watermark", "0-1@0[1] 2-3@0 4@0 5@1 6@1:commit 7@1 8@1:abort 9@1 10@1", []int64{1}, 3},
		{"nothing is committed", "0-1@0 2-3@0 4@0 5@1 6@1:commit 7@1 8@1:abort 9@1 10@1", nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := toCompact()
			if c.hw < 11 {
				f = newFixture(scope(false))
				for _, b := range toCompact().Read(0, 11, 99) {
					f.AppendAsIs(b, 1, event.FromLeader, f.out)
				}
				f.commit(c.hw)
			}
			before, cache := f.offsets(), f.epochs()
			f.Compact(c.keep, f.out)
			if got := f.left(); got != c.want {
				t.Errorf("log\n%s, want\n%s", got, c.want)
			}
			f.Compact(c.keep, f.out)
			if got := f.left(); got != c.want {
				t.Errorf("after a second pass %s", got)
			}
			if f.offsets() != before || f.epochs() != cache {
				t.Errorf("offsets %v, were %v; cache %s, was %s", f.offsets(), before, f.epochs(), cache)
			}
			for _, b := range f.Read(0, 11, 99) {
				if !b.Intact() {
					t.Errorf("%d-%d does not have its CRC", b.Base, b.Last)
				}
			}
			f.reopen()
			if got := f.left(); got != c.want || f.epochs() != cache {
				t.Errorf("after a restart: %s, cache %s", got, f.epochs())
			}
		})
	}
}

// The newest batch is in the active segment, which is not cleaned: the log ends where a batch ends.
func TestCompactLeavesTheNewestBatch(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(2), plain(2))
	f.commit(4)
	f.Compact([]int64{99}, f.out)
	if got := f.left(); got != "2-3@0" || f.End() != 4 || f.Start() != 0 {
		t.Errorf("log %s, %v", got, f.offsets())
	}
}

// What the log knows of producers outlives the batches that compaction removes, over a restart and over a truncation behind
// them; one below them knows what the log tells, and an emptied batch tells the last sequence.
// A corrupt batch, and what is behind it, stay as they are: the CRC of what was left of it would hide the bit.
func TestCompactEndsAtACorruptBatch(t *testing.T) {
	f := toCompact()
	f.disk.Corrupt(testPartition, 2)
	f.Compact([]int64{1}, f.out)
	if got := f.left(); got != "0-1@0[1] 2-3@0 4@0 5@1 6@1:commit 7@1 8@1:abort 9@1 10@1" {
		t.Errorf("log %s", got)
	}
	f.disk.Mend(testPartition, 2)
	f.Compact([]int64{1}, f.out)
	if got := f.left(); got != "0-1@0[1] 4@0[] 5@1[] 6@1:commit 7@1[] 8@1:abort 9@1 10@1" {
		t.Errorf("log %s when the batch is whole again", got)
	}
}

func TestCompactedProducersAreKnown(t *testing.T) {
	f := toCompact()
	first, next := f.Read(0, 11, 1), idempotent(4, 0, 3, 1)
	f.Compact([]int64{2}, f.out)
	check := func(when string, known bool) {
		t.Helper()
		if base, duplicate, code := f.CheckProducer(first[0], plog.Reject); duplicate != known || known && base != 0 {
			t.Errorf("%s: a retry of the first batch: duplicate %v at %d, %v", when, duplicate, base, code)
		}
		if _, _, code := f.CheckProducer(next, plog.Reject); code != wire.OK {
			t.Errorf("%s: the next sequence: %v", when, code)
		}
	}
	check("at first", true)
	f.reopen()
	check("after a restart", true)
	f.commit(9)
	f.truncate(10)
	check("after a truncation behind it", true)
	f.MoveStart(4, f.out)
	f.reopen()
	check("after the log start moved", true)
	f.truncate(8)
	check("after a truncation into it", false)
	if f.Producers() != 3 {
		t.Errorf("%d producers are known", f.Producers())
	}
}

// A truncation into a gap ends the log there; what is left below decides for producers and epochs, and a fetch from a gap gets
// what follows it.
func TestTruncationIntoAGap(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(1), plain(1), plain(1))
	f.lead(2, plain(1), plain(1), plain(1), plain(1))
	f.commit(7)
	f.Compact([]int64{0, 5}, f.out)
	if got := f.left(); got != "0@0 5@2 6@2" || f.epochs() != "0→0 2→3" {
		t.Fatalf("log %s, cache %s", got, f.epochs())
	}
	for _, c := range []struct {
		epoch, answer int32
		end           int64
	}{{0, 0, 3}, {1, 0, 3}, {2, 2, 7}} {
		if e, end, ok := f.EndOffsetFor(c.epoch); !ok || e != c.answer || end != c.end {
			t.Errorf("epoch %d ends as (%d, %d)", c.epoch, e, end)
		}
	}
	if got := f.Read(2, 7, 1); len(got) != 1 || got[0].Base != 5 {
		t.Errorf("from 2 on: %v", got)
	}
	f.truncate(4)
	if got := f.left(); got != "0@0" || f.End() != 4 || f.epochs() != "0→0 2→3" {
		t.Errorf("after a cut to 4: log %s, end %d, cache %s", got, f.End(), f.epochs())
	}
	f.lead(2, plain(1))
	if got := f.left(); got != "0@0 4@2" {
		t.Errorf("written on: %s", got)
	}
}

// The cleaner syncs what it has written, and tells each batch that it changed.
func TestCompactSyncsAndTells(t *testing.T) {
	f := toCompact()
	f.out.Reset()
	f.Compact([]int64{2}, f.out)
	want := []string{"compacted L0 B0 0..2 seq 0 cause 0", "compacted L0 B0 2..4 seq 1 cause 0", "compacted L0 B0 4..5 seq 0 cause 0",
		"compacted L0 B0 5..6 seq 0 cause 0", "compacted L0 B0 7..8 seq 0 cause 0"}
	if got := f.events(); !slices.Equal(got, want) {
		t.Errorf("events %q", got)
	}
	if f.files().BatchesSynced != 6 {
		t.Errorf("%d batches are synced", f.files().BatchesSynced)
	}
	f.losePower(6, 2)
	if got := f.left(); got != "2-3@0[2] 4@0[] 5@1[] 6@1:commit 7@1[] 8@1:abort" || f.End() != 9 {
		t.Errorf("after a power loss: %s, end %d", got, f.End())
	}
	if base, duplicate, _ := f.CheckProducer(idempotent(4, 0, 0, 2), plog.Reject); !duplicate || base != 0 {
		t.Error("after a power loss the first batch is not known any more")
	}
}

// A clone and what was read before do not see what is removed.
func TestCompactLeavesClonesAlone(t *testing.T) {
	f := toCompact()
	other, read := f.clone(), f.Read(0, 11, 99)
	before := other.state()
	f.Compact([]int64{2}, f.out)
	if other.state() != before || len(read) != 9 || read[0].Compacted() {
		t.Error("what the cleaner removed shows on the other side")
	}
}

// The records of internal topics have keys of their own, and a tombstone stays.
func TestCompactInternalTopics(t *testing.T) {
	f := newFixture(scope(false))
	state := func(kind record.MirrorStateKind, run int32, tombstone bool) record.MirrorState {
		return record.MirrorState{Mirror: 1, Kind: kind, Run: run, Partition: testPartition, Tombstone: tombstone}
	}
	f.lead(0, record.NewStates([]record.MirrorState{state(record.MirrorPartitionState, 1, false), state(record.LastMirroredEpochs, 1, false)}),
		record.NewStates([]record.MirrorState{state(record.MirrorPartitionState, 2, false)}),
		record.NewStates([]record.MirrorState{state(record.LastMirroredEpochs, 2, true)}),
		record.NewStates([]record.MirrorState{state(record.MirrorPartitionState, 3, false)}))
	f.commit(5)
	f.Compact(nil, f.out)
	if got := f.left(); got != "2@0 3@0 4@0" {
		t.Errorf("log %s", got)
	}
	f = newFixture(scope(false))
	for _, client := range []id.Node{1, 2, 1} {
		f.lead(0, record.NewTransactions([]record.Transaction{{Client: client}}))
	}
	f.lead(0, plain(1))
	f.commit(4)
	f.Compact(nil, f.out)
	if got := f.left(); got != "1@0 2@0 3@0" {
		t.Errorf("log %s", got)
	}
}

// In __consumer_offsets a group's generation has a key, and so has its offset of each partition; another group's are others.
func TestCompactConsumerOffsets(t *testing.T) {
	f := newFixture(scope(false))
	g, h := record.Group{Client: 1, Name: "g"}, record.Group{Client: 2, Name: "h"}
	second := testPartition
	second.Index++
	commit := func(of record.Group, p id.Partition, offset int64, tombstone bool) record.GroupRecord {
		return record.GroupRecord{Kind: record.OffsetCommit, Group: of, Partition: p, Offset: offset, Tombstone: tombstone}
	}
	metadata := func(of record.Group, generation int32) record.GroupRecord {
		return record.GroupRecord{Kind: record.GroupMetadata, Group: of, Generation: generation, Member: 1}
	}
	for _, list := range [][]record.GroupRecord{{metadata(g, 1), commit(g, testPartition, 1, false)}, {commit(h, testPartition, 1, false)},
		{commit(g, second, 1, false), metadata(g, 2)}, {commit(g, testPartition, 2, true)}, {metadata(h, 1)}, {metadata(g, 3)}} {
		f.lead(0, record.NewGroups(list))
	}
	f.commit(8)
	f.Compact(nil, f.out)
	if got := f.left(); got != "2@0 3-4@0 5@0 6@0 7@0" {
		t.Errorf("log %s", got)
	}
	f.lead(0, record.NewGroups([]record.GroupRecord{metadata(g, 4)}))
	f.commit(9)
	f.Compact(nil, f.out)
	if got := f.left(); got != "2@0 3-4@0[3] 5@0 6@0 7@0 8@0" {
		t.Errorf("log %s, with the generation that is not the newest any more", got)
	}
}

// KAFKA-3330: the log is cut to below where the cleaner has been, and is longer again before a restart. What the cleaner's
// snapshot remembers is of another history.
func TestKAFKA3330Snapshot(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(1), idempotent(4, 0, 0, 2), plain(1), plain(1))
	f.commit(5)
	f.Compact([]int64{0}, f.out)
	f.commit(1)
	f.truncate(1)
	f.lead(1, plain(3), idempotent(9, 0, 0, 1), plain(1))
	for range 2 {
		if _, duplicate, _ := f.CheckProducer(idempotent(4, 0, 0, 2), plog.Reject); duplicate || f.Producers() != 1 {
			t.Errorf("duplicate %v, %d producers", duplicate, f.Producers())
		}
		f.reopen()
	}
}

// Where a log may be cut that a cleaner has been through: what it has removed below may have been outdated by what is cut. In toCompact
// it looks at what is below 9, and removes from 2 on or from 0 on; a later pass or a cut moves that.
func TestCutOutsideCleaned(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(f *fixture)
		want map[int64]int64 // cuts asked for, and what may be cut
	}{
		{"not cleaned", func(*fixture) {}, map[int64]int64{0: 0, 5: 5, 11: 11}},
		{"a pass that removes nothing", func(f *fixture) { f.Compact([]int64{0, 1, 2, 3, 4, 5, 7}, f.out) }, map[int64]int64{5: 5, 8: 8}},
		{"from 2 on", func(f *fixture) { f.Compact([]int64{0, 1, 4, 5, 7}, f.out) }, map[int64]int64{1: 1, 2: 2, 3: 2, 8: 2, 10: 2, 11: 11}},
		{"by key, which the newest batch has no part in", func(f *fixture) { f.Compact(nil, f.out) }, map[int64]int64{8: 0, 9: 9, 10: 10, 11: 11}},
		{"at the log end nothing is cut", func(f *fixture) {
			f.Compact([]int64{0, 1}, f.out)
			f.TruncateTo(9, 1, event.Diverged, f.out)
		}, map[int64]int64{8: 2, 9: 9}},
		{"from 2 on, and then from 0 on", func(f *fixture) {
			f.Compact([]int64{0, 1, 4, 5, 7}, f.out)
			f.Compact([]int64{1, 4, 5, 7}, f.out)
		}, map[int64]int64{1: 0, 8: 0, 10: 0, 11: 11}},
		{"the log start has passed that", func(f *fixture) {
			f.Compact([]int64{0, 1, 5}, f.out)
			f.MoveStart(4, f.out)
		}, map[int64]int64{5: 4, 3: 3, 10: 4}},
		{"cut to where it began", func(f *fixture) {
			f.Compact([]int64{0, 1, 4, 5, 7}, f.out)
			f.TruncateTo(2, 1, event.Diverged, f.out)
			f.lead(1, plain(7))
		}, map[int64]int64{1: 1, 4: 4, 8: 8}},
		{"started anew", func(f *fixture) {
			f.Compact(nil, f.out)
			f.RestartAt(3, 1, f.out)
			f.lead(1, plain(7))
		}, map[int64]int64{4: 4, 8: 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := toCompact()
			c.do(f)
			for offset, want := range c.want {
				if got := f.CutOutsideCleaned(offset); got != want {
					t.Errorf("a cut at %d is at %d, want %d", offset, got, want)
				}
			}
		})
	}
}

// What the cleaner knew of ends where it has looked, not where the next batch begins: between them may be a gap, and the high
// watermark. An in-sync follower that is cut there keeps what is below.
func TestCleanedUpToAGap(t *testing.T) {
	f := newFixture(scope(false))
	f.lead(0, plain(2), plain(2))
	f.AppendAsIs(plain(1).At(6, 0), 0, event.FromLeader, f.out)
	f.commit(4)
	f.Compact(nil, f.out)
	for offset, want := range map[int64]int64{3: 0, 4: 4, 5: 5} {
		if got := f.CutOutsideCleaned(offset); got != want {
			t.Errorf("a cut at %d is at %d, want %d", offset, got, want)
		}
	}
}

// Who says what stays knows of the newest batch too, if it is committed: a cut at the high watermark keeps what is below.
func TestCleanedUpToTheHighWatermark(t *testing.T) {
	for high, cuts := range map[int64]map[int64]int64{4: {3: 0, 4: 4, 5: 5}, 6: {3: 0, 5: 0, 6: 6}} {
		f := newFixture(scope(false))
		f.lead(0, plain(2), plain(2), plain(2))
		f.commit(high)
		f.Compact([]int64{1}, f.out)
		for offset, want := range cuts {
			if got := f.CutOutsideCleaned(offset); got != want {
				t.Errorf("high watermark %d: a cut at %d is at %d, want %d", high, offset, got, want)
			}
		}
	}
}
