package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// durability: a record acknowledged with acks=all stays in the leader's log of its cluster until retention or
// DeleteRecords removes it or the cluster is aligned to another one; from then on loss-accounted judges it. It is looked
// for when it is acknowledged, whenever somebody becomes leader, when a leader cuts its own log, and at the end. The
// direct log checker calls the same fact a lost write. acks=1 promises nothing across a failover and is left out, and so
// is an acknowledgement that arrives in another era than the one it was asked for in.
//
// What compaction removed is gone rightly, as far as it lay below the last stable offset.
//
// An unclean election, and a power loss on every ISR member at once, are beyond the budget: what was appended before it
// and is missing then makes the run one for which nothing is promised.
type durability struct{}

// Properties are those that this checker judges.
func (*durability) Properties() []ID { return []ID{Durability, LinearizableLog} }

// Kinds are the events that it looks at.
func (*durability) Kinds() []event.Kind {
	return []event.Kind{event.BecameLeader, event.Truncated, event.ProduceReturned, event.Compacted}
}

// Clone is the checker itself, which keeps nothing.
func (c *durability) Clone() Checker { return c }

// AppendState has nothing to add to the ledger's.
func (*durability) AppendState(dst []byte) []byte { return dst }

// Observe judges e.
func (c *durability) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	if e.Kind == event.ProduceReturned {
		if l.was.closed && e.To == codeOK && l.was.op.acks == acksAll {
			r.Exercised(Durability)
			c.lost(l, pt, id.Cluster(e.From), e, r)
		}
		return
	}
	if e.Kind == event.Compacted {
		c.compacted(l, pt, e, r)
		return
	}
	cl := l.cluster(e.Node)
	if cp := pt.in[cl]; len(cp.acked) > 0 && !cp.mirrored && cp.current(e.Node, pt.replicas[e.Node]) {
		r.Exercised(Durability)
		c.lost(l, pt, cl, e, r)
	}
}

func (*durability) lost(l *Ledger, pt *part, cl id.Cluster, e *event.Event, r *Reporter) {
	for i := range l.missing {
		m := &l.missing[i]
		n := pt.in[cl].leader
		reportLost(l, pt, n, &m.ack, e.Index, r)
		if m.excused != "" {
			why := m.excused + " lost " + spell(m.ack.batch) + " of " + l.where(pt, cl)
			r.Excused(Durability, why)
			r.Excused(LinearizableLog, why)
		}
	}
}

func reportLost(l *Ledger, pt *part, n id.Node, a *ack, index uint64, r *Reporter) {
	text := spell(a.batch) + ", acknowledged to " + l.name(a.client) + " with acks=all"
	facts := [2]string{text, l.replica(pt, n) + " leads with log end " + num(pt.replicas[n].End) + " and does not hold it"}
	events := [2]uint64{a.index, index}
	r.Violated(Durability, Violation{"leader " + l.replica(pt, n) + " lacks " + text, facts, events})
	r.Violated(LinearizableLog, Violation{"lost write: leader " + l.replica(pt, n) + " lacks " + text, facts, events})
}

// compacted judges how far a cleaner went: what is not decided, at or above the last stable offset, is not its own.
func (*durability) compacted(l *Ledger, pt *part, e *event.Event, r *Reporter) {
	r.Exercised(Durability)
	stable := pt.replicas[e.Node].lastStable()
	if e.End <= stable {
		return
	}
	r.Violated(Durability, complaint(l.replica(pt, e.Node)+"'s cleaner removed records up to "+num(e.End)+
		", beyond its last stable offset "+num(stable), "the last stable offset is "+num(stable),
		"records up to "+num(e.End)+" were removed", 0, e))
}

// Finish looks for every acknowledged append of the present era in the final log of its leader.
func (c *durability) Finish(l *Ledger, r *Reporter) {
	for _, x := range l.index {
		pt := l.parts[x.slot]
		for cl, cp := range pt.in {
			s := l.leaderLog(pt, id.Cluster(cl))
			if cp.mirrored || s == nil || s.role == NoRole && s.lostEnd > 0 {
				continue // or it is back from a power loss, and does not lead: the controller has not heard of it yet
			}
			for i := range cp.acked {
				a := &cp.acked[i]
				if a.era != cp.era || a.gone {
					continue
				}
				r.Exercised(Durability)
				r.Exercised(LinearizableLog)
				if !cp.lacks(a, s) {
					continue
				}
				reportLost(l, pt, cp.leader, a, 0, r)
				if a.batch.LeaderEpoch < cp.excusedBelow {
					r.Excused(Durability, cp.excuse)
					r.Excused(LinearizableLog, cp.excuse)
				}
			}
		}
	}
}

// findMissing looks for the present era's acknowledged appends in the log of the present leader. What is missing is
// named once. A cluster that is aligned to another one is left to the loss report.
func (l *Ledger) findMissing(cp *clusterPart, n id.Node, s *Shadow) {
	l.missing = l.missing[:0]
	if cp.mirrored || !cp.current(n, s) {
		return
	}
	for i := range cp.acked {
		if cp.lacks(&cp.acked[i], s) {
			l.miss(cp, i)
		}
	}
}

// lacks tells whether a must stand in the leader's log s and does not. What lies below the log start was removed by
// retention or DeleteRecords.
func (cp *clusterPart) lacks(a *ack, s *Shadow) bool {
	return !a.gone && a.era == cp.era && a.batch.Last >= s.Start && !s.holds(a.batch)
}

// miss names the i-th acknowledgement as missing. Clones share the list, so it is copied before it is changed.
func (l *Ledger) miss(cp *clusterPart, i int) {
	m := missing{ack: cp.acked[i]}
	if m.ack.batch.LeaderEpoch < cp.excusedBelow {
		m.excused = cp.excuse
	}
	cp.acked = slices.Clone(cp.acked)
	cp.acked[i].gone = true
	l.missing = append(l.missing, m)
}
