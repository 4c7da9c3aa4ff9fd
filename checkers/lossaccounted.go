package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// lossAccounted holds two accounts against each other that share no source. One is what clients were told: an append
// acknowledged with acks=all that the final log of the authority does not have. The other is the loss report, made from
// positions, log ends and truncations. Every record of the first must be in the second under a heading that a failover
// accounts for, and nothing that the report calls lost may stand in the final log. A record that the report has only
// among what an alignment cut without a failover is reported and violates all the same: the property says what may
// disappear, not only that it is told.
//
// A record can stand in the final log and be gone for a read_committed reader: one of a transaction of which a client heard
// that it is committed must be so there, or the report must list it among those that the stop turned round, or that hang.
//
// Who is the authority is told at losses; where no stop was completed there is something to judge only if the cluster in
// charge was aligned to another one. The clusters compared are those from which failovers lead to it: a cluster beside
// them, as in a fan-out, has its own authority. Of what lies below the authority's log start only that is left out which some
// log has held and lost to its log start, by retention or DeleteRecords: a log may begin above what it never held. What the log in
// charge has lost so is left out wherever the next authority begins, which may not have mirrored it yet. An append that an unclean
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
		if !pt.loss.judged(pt) || pt.loss.authority == noCluster || l.topics[pt.topic].internal {
			continue
		}
		if final := l.standingLog(pt, pt.loss.authority); final != nil {
			c.unreported(l, pt, final, r)
			c.untrue(l, pt, final, r)
		}
	}
}

// unreported looks for acknowledged appends that are gone and that no failover accounts for in the report.
func (*lossAccounted) unreported(l *Ledger, pt *part, final *Shadow, r *Reporter) {
	after := l.after(pt)
	for c, cp := range pt.in {
		if !pt.loss.leadsToAuthority(id.Cluster(c)) {
			continue
		}
		for i := range cp.acked {
			a := &cp.acked[i]
			if a.batch.Last < final.Start && a.trimmed || a.deleted && !final.mirrors(a.batch) {
				continue
			}
			r.Exercised(LossAccounted)
			switch {
			case final.mirrors(a.batch):
				b := final.at(a.batch.Base).batch
				if final.cleaned(b) || !cp.told(a.batch) || !final.hidden(b) || l.accountsOutcome(pt, final, b) {
					continue
				}
				r.Violated(LossAccounted, pt.loss.turnedUntold(l, pt, id.Cluster(c), a))
				if why := l.transactionExcuse(id.Cluster(c)); why != "" { // its coordinator may have lost that it was committed
					r.Excused(LossAccounted, why)
				}
			case pt.loss.accounts(a.batch) || named(after, a.batch):
				continue
			default:
				r.Violated(LossAccounted, pt.loss.unaccounted(l, pt, id.Cluster(c), a))
			}
			if why := pt.excuses(id.Cluster(c), a); why != "" {
				r.Excused(LossAccounted, why)
			}
		}
	}
}

// unaccounted says what is wrong with a's being gone.
func (x *losses) unaccounted(l *Ledger, pt *part, c id.Cluster, a *ack) Violation {
	fact, sentence := "neither the final log nor the report has it", "the loss report does not list it"
	if x.unexplained.named(a.batch) || x.recopied.named(a.batch) || x.followed.named(a.batch) {
		fact = "an alignment cut it, and no failover accounts for it"
		sentence = "no failover accounts for it: an alignment cut it"
	}
	if start := l.standingLog(pt, x.authority).Start; a.batch.Last < start {
		fact = "the final log begins at " + num(start) + ", and no log that held it has lost it to its log start"
		sentence = "no failover or retention accounts for it: that log begins at " + num(start)
	}
	return Violation{
		Sentence: l.where(pt, c) + " " + contents(a.batch) + ", acknowledged to " + l.name(a.client) +
			", is not in the final log of " + l.standingReplica(pt, x.authority) + ", and " + sentence,
		Facts:  [2]string{spell(a.batch) + " was acknowledged with acks=all", fact},
		Events: [2]uint64{a.index, 0}}
}

// turnedUntold says that a's transaction is not committed in the final log, and that nobody tells.
func (x *losses) turnedUntold(l *Ledger, pt *part, c id.Cluster, a *ack) Violation {
	final := l.standingReplica(pt, x.authority)
	return Violation{
		Sentence: l.where(pt, c) + " " + contents(a.batch) + " is of a transaction of producer " + num(a.batch.ProducerID) +
			", epoch " + num(int64(a.batch.ProducerEpoch)) + ", that " + l.name(a.client) + " was told is committed, is not so in " +
			"the final log of " + final + ", and the loss report does not list it",
		Facts:  [2]string{l.name(a.client) + " was told that it is committed", "it is not committed in the final log of " + final},
		Events: [2]uint64{a.index, 0}}
}

// standingReplica names the replica whose log standingLog is.
func (l *Ledger) standingReplica(pt *part, c id.Cluster) string {
	s := l.standingLog(pt, c)
	for n := range pt.replicas {
		if pt.replicas[n] == s {
			return l.replica(pt, id.Node(n))
		}
	}
	return l.where(pt, c)
}

// excuses tells how the run went beyond the fault budget so that a, acknowledged by cluster c, may be gone; "" if it did
// not. On another cluster a record has no leader epoch to go by, only the time.
func (pt *part) excuses(c id.Cluster, a *ack) string {
	if cp := pt.in[c]; a.batch.LeaderEpoch < cp.excusedBelow {
		return cp.excuse
	}
	for o, cp := range pt.in {
		if id.Cluster(o) != c && cp.excusedAt > a.index && pt.loss.leadsToAuthority(id.Cluster(o)) {
			return cp.excuse
		}
	}
	return ""
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
	}{{"lost", pt.loss.lost.all()}, {"discarded", pt.loss.discarded.all()}, {"cut-by-stop", pt.loss.cutByStop.all()},
		{"unexplained", pt.loss.unexplained.all()}} {
		for _, x := range h.list {
			r.Exercised(LossAccounted)
			if !final.mirrors(x.batch) {
				continue
			}
			where := l.where(pt, x.cluster)
			r.Violated(LossAccounted, Violation{
				Sentence: "the loss report lists " + where + " " + contents(x.batch) + " as " + h.name +
					", but it stands in the final log of " + l.standingReplica(pt, pt.loss.authority),
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
		d := x.departure(c)
		if !d.known {
			return false
		}
		c = d.to
	}
	return false
}
