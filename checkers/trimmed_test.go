package checkers

import (
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// trim has the log start of the leader of cluster c move to offset, and its follower's after it.
func (b *builder) trim(c id.Cluster, offset int64) {
	for _, n := range []id.Node{b.leader[c], b.other(b.leader[c])} {
		for len(b.logs[n]) > 0 && b.logs[n][0].Last < offset {
			b.logs[n] = b.logs[n][1:]
		}
		b.starts[n] = offset
		if len(b.logs[n]) == 0 {
			b.epochs[n] = nil
		} else {
			b.epochs[n] = []Epoch{{b.logs[n][0].LeaderEpoch, offset}}
		}
		b.on(event.StartMoved, n, event.Event{Offset: offset})
	}
}

// passedBy is a failback to A, whose log holds nothing below the log start and begins there: A had 0-2 in common with B, whose
// reset is at 3, and B has taken 4-6. A has taken 3-5 meanwhile, and deletes what is below start.
func passedBy(start int64) *builder {
	b := stopped()
	for i := range 3 {
		b.produce(p2, clusterB, b.data(p2, 1, 8, int32(i)))
		b.produce(p1, clusterA, b.data(p1, 1, 7, int32(3+i)))
	}
	b.trim(clusterA, start)
	b.start(clusterA, true, max(start, 3), event.AlignedToLME)
	b.catchUp(clusterA)
	return b
}

// A log that begins above what its source has is told by what never stood there; what retention took from it is rightly gone.
func TestLogStartAboveTheCommonPrefix(t *testing.T) {
	for _, start := range []int64{1, 3, 4} { // the reset is at 3
		b := passedBy(start)
		b.stopMirror(clusterA)
		s := judge(t, b.events)
		wantClean(t, s)
		if r := s.Ledger().LossReport(t0); len(r.Unexplained) != 0 {
			t.Errorf("log start %d: unexplained are %v", start, r.Unexplained)
		}
	}
	b := passedBy(5)
	s := judge(t, b.events)
	wantViolated(t, s, ExactCut.String(), "alignment has left too high a log start: A/t-0@a0 begins at 5, and has never held 4@1",
		"which B/t-0@b0 has")
	if v := verdictOf(t, s, LossAccounted.String()); v.Status == Violated {
		t.Errorf("B is in charge and has all, but %v", v.Violations)
	}
	b.stopMirror(clusterA)
	s = judge(t, b.events)
	wantViolated(t, s, CleanSwitch.String(), "the stop of A/t-0 began clean at offset 7, and lost something: A/t-0@a0 begins at 5",
		"has never held 4@1")
	wantViolated(t, s, LossAccounted.String(), "B/t-0 4@1", "is not in the final log of A/t-0@a0, and no failover or retention accounts",
		"that log begins at 5")
	r := s.Ledger().LossReport(t0)
	if len(r.Unexplained) != 1 || r.Unexplained[0].Offset != 4 || r.Unexplained[0].Cluster != clusterB || len(r.Lost) != 0 {
		t.Errorf("unexplained are %v and lost %v, want B's record at 4", r.Unexplained, r.Lost)
	}
	if v := verdictOf(t, s, LossAccounted.String()); v.Count != 1 {
		t.Errorf("%d violations, want one: %v", v.Count, v.Violations)
	}
}

// Before the logs are aligned nothing is in common from there on, and what was not mirrored at the failover is lost.
func TestStoppedUnalignedAboveWhatTheSourceHas(t *testing.T) {
	b := stopped()
	b.produce(p2, clusterB, b.data(p2, 1, 8, 0))
	for i := range 3 {
		b.produce(p1, clusterA, b.data(p1, 1, 7, int32(3+i)))
	}
	b.trim(clusterA, 6)
	b.prepare(clusterA)
	b.stopMirror(clusterA)
	s := judge(t, b.events)
	wantClean(t, s)
	r := s.Ledger().LossReport(t0)
	if len(r.Lost) != 1 || r.Lost[0].Offset != 4 || r.Lost[0].Cluster != clusterB || len(r.Unexplained) != 0 {
		t.Errorf("lost are %v and unexplained %v, want B's record at 4 lost", r.Lost, r.Unexplained)
	}
	if f := r.Failovers[1]; f.Common != 3 || f.Boundary != 6 {
		t.Errorf("in common up to %d, own log end %d, want 3 and 6", f.Common, f.Boundary)
	}
}

// What an old source took after its failover is told also where the log in charge begins above it.
func TestAfterBelowTheLogStart(t *testing.T) {
	b := stopped()
	for i := range 2 {
		b.produce(p2, clusterB, b.data(p2, 1, 8, int32(i)))
	}
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.trim(clusterB, 5)
	s := judge(t, b.events)
	wantClean(t, s)
	if r := s.Ledger().LossReport(t0); len(r.After) != 1 || r.After[0].Offset != 3 || r.After[0].Cluster != clusterA {
		t.Errorf("after are %v, want A's record at 3", r.After)
	}
}

// What the cluster in charge deletes is deleted for good, by whomever it was acknowledged; what a mirror alone has lost to its log start
// is not (the case deleted-in-the-middle-of-a-chain tells what becomes of it).
func TestDeletedByTheClusterInCharge(t *testing.T) {
	for _, c := range []struct {
		name    string
		history func() *builder
		want    bool
	}{
		{"by the one in charge", stopped, true},
		{"by a mirror", mirrored, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := c.history()
			b.trim(clusterB, 2)
			for i, a := range fold(b).part(t0).in[clusterA].acked {
				if want := i < 2; a.trimmed != want || a.deleted != (want && c.want) {
					t.Errorf("record %d: trimmed %v, deleted %v", i, a.trimmed, a.deleted)
				}
			}
		})
	}
}

// uncleanlyLost has A lose its 3@0, which B has mirrored, by an unclean election, take others, and delete all; then it is a mirror of B.
func uncleanlyLost(more func(*builder)) *builder {
	b := mirrored()
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.catchUp(clusterB)
	b.stopMirror(clusterB)
	b.truncate(a1, 3, event.Diverged)
	b.elect(clusterA, a1, event.UncleanElection)
	b.truncate(a0, 3, event.Diverged)
	b.register(clusterA, event.IsrChange, id.SetOf(a0, a1))
	for i := range 2 {
		b.produce(p1, clusterA, b.data(p1, 1, 9, int32(i)))
	}
	more(b)
	b.trim(clusterA, b.end(a1))
	b.start(clusterA, true, b.end(a1), event.AlignedToLME)
	b.catchUp(clusterA)
	b.stopMirror(clusterA)
	return b
}

// What a cluster has lost beyond the budget, and hides by its log start, the next clean switch has not lost; what it has never had, it has.
func TestCleanSwitchOverAHiddenLoss(t *testing.T) {
	v := verdictOf(t, judge(t, uncleanlyLost(func(*builder) {}).events), CleanSwitch.String())
	if v.Status != NotPromised || !strings.Contains(v.Why, "unclean election of a1 took it from that cluster") {
		t.Errorf("%v because %q: %v", v.Status, v.Why, v.Violations)
	}
	own := uncleanlyLost(func(b *builder) {
		b.produce(p2, clusterB, b.data(p2, 1, 8, 0))
		b.produce(p1, clusterA, b.data(p1, 1, 9, 2))
	})
	wantViolated(t, judge(t, own.events), CleanSwitch.String(), "has never held 5@1 (record 8/7), which B/t-0@b0 has")
}

// What a log start has passed is deleted, be it that it comes back in another leader epoch, with the same records at the same
// offsets.
func TestWasTrimmedInAnotherEpoch(t *testing.T) {
	b := mirrored()
	first := b.logs[a0][0]
	b.trim(clusterA, 2)
	l := fold(b)
	for _, c := range []struct {
		name string
		b    *record.Batch
		want bool
	}{
		{"as it was", first, true},
		{"in another epoch", first.At(0, 5), true},
		{"elsewhere", first.At(1, 5), false},
		{"another record", b.data(p1, 1, 7, 0).At(0, 5), false},
		{"a control batch in another epoch", record.NewReset().At(0, 5), false},
	} {
		if got := l.wasTrimmed(l.part(t0), c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
