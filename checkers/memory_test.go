package checkers

import (
	"bytes"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// What a list of losses has settled stays in the report, and is not looked at again.
func TestLossListSettles(t *testing.T) {
	b := &builder{}
	at := func(base int64) *record.Batch { return b.data(p1, 2, -1, -1).At(base, 0) }
	first, second, third := at(0), at(2), at(4)
	var x lossList
	for _, y := range []*record.Batch{first, second, third, second} {
		x.add(clusterA, y)
	}
	x.settle(3)
	if len(x.settled) != 1 || len(x.live) != 2 {
		t.Fatalf("%d settled below 3, %d not", len(x.settled), len(x.live))
	}
	clone := x
	clone.clip()
	clone.add(clusterB, at(6))
	standing := newShadow()
	standing.append(third.At(0, 0), 1, 0, &Topology{}) // another place
	x.drop(standing.mirrors)
	if len(x.all()) != 3 {
		t.Errorf("%d are left, but none of them stands in the log", len(x.all()))
	}
	standing = newShadow()
	standing.append(third, 1, 0, &Topology{})
	x.drop(standing.mirrors)
	if all := x.all(); len(all) != 2 || all[0].batch != first || all[1].batch != second {
		t.Errorf("%v are left when the third stands in the log", all)
	}
	if all := clone.all(); len(all) != 4 || all[2].batch != third {
		t.Errorf("the clone has %v", all)
	}
	if !x.named(first) || !x.named(second) || x.named(third) {
		t.Error("the first and the second are named, and not the third")
	}
}

// What is not listed because the cluster in charge holds it is listed again when another one is, which did not take over from it.
func TestLossListReleases(t *testing.T) {
	b := &builder{}
	gone := b.data(p1, 2, -1, -1).At(4, 0)
	holds, lacks := newShadow(), newShadow()
	holds.append(gone, 1, 0, &Topology{})
	for _, c := range []struct {
		name        string
		before, now *Shadow
		tookOver    bool
		listed      int
		held        int
	}{
		{"the next one lacks it", holds, lacks, false, 1, 0},
		{"the next one took over", holds, lacks, true, 0, 0},
		{"the next one holds it", holds, holds, false, 0, 1},
		{"took over, and holds it", holds, holds, true, 0, 1},
		{"it had lost it itself", lacks, lacks, false, 0, 0},
		{"its log is gone", nil, lacks, false, 0, 0},
		{"the next one has no log", holds, nil, false, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var x lossList
			x.add(clusterA, gone)
			x.drop(holds.mirrors)
			if len(x.all()) != 0 || len(x.held) != 1 {
				t.Fatalf("%d are listed and %d held", len(x.all()), len(x.held))
			}
			x.release(c.before, c.now, c.tookOver)
			if len(x.all()) != c.listed || len(x.held) != c.held {
				t.Errorf("%d are listed and %d held, want %d and %d", len(x.all()), len(x.held), c.listed, c.held)
			}
			if x.settle(gone.Last + 1); len(x.held) != 0 {
				t.Error("it is held below every log start")
			}
		})
	}
}

// What was lost and is tried again is not gone any more, if the cluster in charge takes it at the very offset.
func TestTakenAgain(t *testing.T) {
	b := &builder{}
	gone := b.data(p1, 2, -1, -1).At(4, 0)
	for _, c := range []struct {
		name    string
		cluster id.Cluster
		batch   *record.Batch
		left    int
	}{
		{"by the cluster in charge, in another leader epoch", clusterA, gone.At(4, 1), 0},
		{"at another offset", clusterA, gone.At(5, 1), 1},
		{"another record at that offset", clusterA, b.data(p1, 2, -1, -1).At(4, 1), 1},
		{"by a cluster that is not in charge", clusterB, gone.At(4, 1), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := losses{authority: clusterA}
			for _, list := range x.gone() {
				list.add(clusterA, gone)
			}
			x.takenAgain(c.cluster, c.batch)
			for i, list := range x.gone() {
				if n := len(list.all()); n != c.left {
					t.Errorf("%d are left of list %d, want %d", n, i, c.left)
				}
			}
		})
	}
}

// Of a cluster that is a mirror again nothing is kept for what every log has lost to its log start, nor of what a group has read.
func TestNothingIsKeptBelowEveryLogStart(t *testing.T) {
	b := stopped()
	for i := range 6 {
		b.produce(p2, clusterB, b.data(p2, 1, 8, int32(i)))
	}
	b.resume(clusterB, 0)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3)) // which the failback cuts
	b.start(clusterA, true, 3, event.AlignedToLME)
	b.catchUp(clusterA)
	b.stopMirror(clusterA)
	b.start(clusterB, true, b.end(b0), event.AlignedToLME)
	b.catchUp(clusterB)
	end := b.end(a0)
	l := judge(t, b.events).Ledger()
	if cp := l.part(t0).in[clusterB]; len(cp.acked) < 6 || !cp.mirrored || len(l.groups[0].seen) < 6 {
		t.Fatalf("%d acknowledgements, mirrored %v, %d batches read", len(cp.acked), cp.mirrored, len(l.groups[0].seen))
	}
	b.trim(clusterA, end)
	b.produce(p1, clusterA, b.data(p1, 1, 9, 0))
	b.catchUp(clusterB)
	b.trim(clusterB, end)
	l = judge(t, b.events).Ledger()
	cp := l.part(t0).in[clusterB]
	if len(cp.acked) > 0 || len(cp.past) > 0 || len(l.groups[0].seen) > 1 {
		t.Errorf("%d acknowledgements, %d past batches, %d batches read", len(cp.acked), len(cp.past), len(l.groups[0].seen))
	}
	cut := &l.part(t0).loss.discarded
	if len(cut.live) != 0 || len(cut.settled) != 1 || len(l.LossReport(t0).Discarded) != 1 {
		t.Errorf("what was cut is listed as %v and %v", cut.settled, cut.live)
	}
}

// A group may read again, on another cluster, a batch that a log start has cut in two.
func TestGroupReadsAcrossALogStart(t *testing.T) {
	g := groupReads{}
	b := &builder{}
	for i := range 4 {
		g.add(b.data(p1, 3, -1, -1).At(int64(3*i), 0))
	}
	g.add(b.data(p1, 3, -1, -1).At(6, 1)) // of another history
	g.add(b.data(p1, 1, -1, -1).At(7, 1)) // of another history, too, and whole below 8
	g.forget(8)
	if len(g.seen) != 3 || g.seen[0].offset != 6 || g.seen[1].offset != 6 || g.seen[2].offset != 9 {
		t.Errorf("%v are left, want both that begin at 6, and the one at 9", g.seen)
	}
	g.forget(12)
	if len(g.seen) != 0 {
		t.Errorf("%v are left", g.seen)
	}
}

// The cleaner's work on one side of a clone does not show on the other.
func TestCompactionAfterAClone(t *testing.T) {
	b := &builder{}
	b.boot()
	for i := range 5 {
		b.produce(p1, clusterA, b.data(p1, 2, 7, int32(2*i)))
	}
	stem := len(b.events)
	b.compact(a0, 0, 2, 4)
	original := judgeTo(t, b.events[:stem])
	clone := original.Clone()
	before := clone.AppendState(nil)
	for i := range b.events[stem:] {
		original.Observe(&b.events[stem+i])
	}
	if !bytes.Equal(before, clone.AppendState(nil)) {
		t.Error("the original's compaction shows in the clone")
	}
	after := original.AppendState(nil)
	for i := range b.events[stem:] {
		clone.Observe(&b.events[stem+i])
	}
	if !bytes.Equal(after, original.AppendState(nil)) || !bytes.Equal(after, clone.AppendState(nil)) {
		t.Error("the clone's compaction shows in the original, or is another one")
	}
}

func judgeTo(t *testing.T, events []event.Event) *Suite {
	t.Helper()
	s, err := NewSuite(topology)
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		s.Observe(&events[i])
	}
	return s
}

// Under retention the second opinion keeps no more than the logs do, and what consumers have still to read.
func TestSecondOpinionIsBoundedUnderRetention(t *testing.T) {
	b, c := booted(), NewCrossCheck(topology)
	most, told := 0, 0
	for range 100 {
		from := b.end(a0)
		for range 10 {
			b.plain(p1)
		}
		b.consume(r1, clusterA, from)
		if from > 20 {
			b.trim(clusterA, from-20)
		}
		for ; told < len(b.events); told++ {
			c.Observe(&b.events[told])
		}
		most = max(most, len(c.log(clusterA, id.Partition{Topic: topicT}).chain))
	}
	anomalies, counts := c.Finish(uint64(told))
	if len(anomalies) > 0 || counts.Operations < 1000 || counts.NotChecked > 0 {
		t.Errorf("%v, %+v", anomalies, counts)
	}
	if most > 80 {
		t.Errorf("%d batches were kept of a log of 20", most)
	}
}
