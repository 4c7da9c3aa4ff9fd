package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// A deposed leader of the mirror has cut its log and asks again, without divergence; the leader has not asked yet. What
// the leader cuts then is discarded, and not taken for a copy that followed.
func TestDeposedMirrorProvesNothing(t *testing.T) {
	b := mirrored()
	b.elect(clusterA, a0, event.CleanElection)
	newer(b)
	b.prepare(clusterA)
	b.epoch[clusterA]--
	b.fetch(clusterA, false)
	b.epoch[clusterA]++
	b.fetch(clusterA, true)
	b.cut(clusterA, 3, event.Diverged)
	b.store(clusterA, record.Mirroring)
	b.catchUp(clusterA)
	if r := fold(b).LossReport(t0); len(r.Discarded) != 1 || len(r.Followed) > 0 {
		t.Errorf("%d discarded, %d followed, want 1 and 0", len(r.Discarded), len(r.Followed))
	}
}

// The old source has no leader: its last in-sync replica is fenced, does not know it, and aligns its log. It leads again
// later, and what it cut is in the report.
func TestFencedLeaderCuts(t *testing.T) {
	b := mirrored()
	newer(b)
	b.prepare(clusterA)
	b.leader[clusterA] = id.None
	b.epoch[clusterA]++
	b.register(clusterA, event.NoLeader, id.SetOf(a0))
	b.truncate(a0, 3, event.AlignedToLME)
	b.elect(clusterA, a0, event.CleanElection)
	if r := fold(b).LossReport(t0); len(r.Discarded) != 1 {
		t.Errorf("%d discarded, want 1", len(r.Discarded))
	}
}
