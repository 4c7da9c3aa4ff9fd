package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// lossAccounted holds two accounts against each other that share no source. One is what clients were told: an append
// acknowledged with acks=all that the final log of the authority does not have. The other is the loss report, made from
// positions, log ends and truncations. Every record of the first must be in the second, and nothing that the report
// calls lost may stand in the final log.
//
// The authority is the cluster that the last completed stop left in charge; without one there is nothing to judge. The
// clusters compared are those from which failovers lead to it: a cluster beside them, as in a fan-out, has its own
// authority. What lies below the authority's log start was removed by retention there. An append that an unclean
// election or a power loss on the whole ISR took is beyond the budget.
type lossAccounted struct{}

// Properties are those that this checker judges.
func (*lossAccounted) Properties() []ID { return []ID{LossAccounted} }

// Kinds are none: the accounts are made up at the end.
func (*lossAccounted) Kinds() []event.Kind { return nil }

// Observe is never called.
func (*lossAccounted) Observe(*Ledger, *event.Event, *Reporter) {}

// Clone is the checker itself, which keeps nothing.
func (c *lossAccounted) Clone() Checker { return c }

// AppendState has nothing to add to the ledger's.
func (*lossAccounted) AppendState(dst []byte) []byte { return dst }

// Finish compares the accounts of every partition for which a stop was completed.
func (c *lossAccounted) Finish(l *Ledger, r *Reporter) {
	for _, x := range l.index {
		pt := l.parts[x.slot]
		if pt.loss.authority == noCluster || l.topics[pt.topic].internal {
			continue
		}
		if final := l.leaderLog(pt, pt.loss.authority); final != nil {
			c.unreported(l, pt, final, r)
			c.untrue(l, pt, final, r)
		}
	}
}

// unreported looks for acknowledged appends that are gone and that the report does not list.
func (*lossAccounted) unreported(l *Ledger, pt *part, final *Shadow, r *Reporter) {
	after := l.after(pt)
	for c, cp := range pt.in {
		if !pt.loss.leadsToAuthority(id.Cluster(c)) {
			continue
		}
		for i := range cp.acked {
			a := &cp.acked[i]
			if a.batch.Last < final.Start {
				continue
			}
			r.Exercised(LossAccounted)
			if final.mirrors(a.batch) || pt.loss.reports(id.Cluster(c), a.batch) || listed(after, id.Cluster(c), a.batch) {
				continue
			}
			if a.batch.LeaderEpoch < cp.excusedBelow {
				r.NotPromised(LossAccounted, cp.excuse)
				continue
			}
			where := l.where(pt, id.Cluster(c))
			r.Violated(LossAccounted, Violation{
				Sentence: where + " " + contents(a.batch) + ", acknowledged to " + l.name(a.client) +
					", is not in the final log of " + l.replica(pt, pt.in[pt.loss.authority].leader) +
					", and the loss report does not list it",
				Facts:  [2]string{spell(a.batch) + " was acknowledged with acks=all", "neither the final log nor the report has it"},
				Events: [2]uint64{a.index, 0}})
		}
	}
}

// untrue looks for records that the report calls gone and that stand in the final log at their offsets. An unclean
// election may bring back what was gone, so a partition that had one is not judged.
func (*lossAccounted) untrue(l *Ledger, pt *part, final *Shadow, r *Reporter) {
	for _, cp := range pt.in {
		if cp.excusedBelow >= 0 {
			return
		}
	}
	for _, h := range []struct {
		name string
		list []loss
	}{{"lost", pt.loss.lost}, {"discarded", pt.loss.discarded}, {"cut-by-stop", pt.loss.cutByStop}} {
		for _, x := range h.list {
			r.Exercised(LossAccounted)
			if !final.mirrors(x.batch) {
				continue
			}
			where := l.where(pt, x.cluster)
			r.Violated(LossAccounted, Violation{
				Sentence: "the loss report lists " + where + " " + contents(x.batch) + " as " + h.name +
					", but it stands in the final log of " + l.replica(pt, pt.in[pt.loss.authority].leader),
				Facts: [2]string{"the report lists it as " + h.name, "the final log holds it"}})
		}
	}
}

// leadsToAuthority tells whether the last failovers lead from cluster c to the authority.
func (x *losses) leadsToAuthority(c id.Cluster) bool {
	for range len(x.failovers) + 1 {
		if c == x.authority {
			return true
		}
		f := x.failoverFrom(c)
		if f == nil {
			return false
		}
		c = f.Destination
	}
	return false
}

// reports tells whether the report has the batch under a heading that says that it is gone.
func (x *losses) reports(c id.Cluster, b *record.Batch) bool {
	return listed(x.lost, c, b) || listed(x.discarded, c, b) || listed(x.cutByStop, c, b) || listed(x.trimmed, c, b)
}
