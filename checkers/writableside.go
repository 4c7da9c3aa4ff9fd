package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// oneWritableSide: once one side of a mirror is fenced, at most the other one is writable. The operator fences a side by
// making it a mirror of the other: from the moment at which a leader begins to act on PREPARING until STOPPED is stored,
// no leader that the metadata log names takes client writes there while one of the source does. A leader that was deposed
// and does not know it cannot commit what it takes, and is no side.
//
// After a stop both sides are writable until the operator fences the old source: that is no violation, and the loss report
// says how long it was (sides).
type oneWritableSide struct {
	plain
	seen []bool // by slot of the partition and cluster: it is being violated, and was reported
}

// Properties are those that this checker judges.
func (*oneWritableSide) Properties() []ID { return []ID{OneWritableSide} }

// Kinds are the events that it looks at.
func (*oneWritableSide) Kinds() []event.Kind {
	return []event.Kind{event.StateEntered, event.BecameLeader, event.WritableChanged, event.PartitionChanged, event.Appended}
}

// Clone copies what was reported.
func (c *oneWritableSide) Clone() Checker { return &oneWritableSide{seen: slices.Clone(c.seen)} }

// AppendState appends what was reported.
func (c *oneWritableSide) AppendState(dst []byte) []byte {
	for _, x := range c.seen {
		dst = append(dst, id.Bit(x))
	}
	return dst
}

// Observe judges e: whichever side it is about, the fenced sides of the partition are judged.
func (c *oneWritableSide) Observe(l *Ledger, e *event.Event, r *Reporter) {
	if e.Kind == event.Appended && event.Origin(e.Cause) != event.FromClient {
		return
	}
	pt := l.part(e.Partition)
	for n, cp := range pt.in {
		if cp.fenced {
			c.judge(l, pt, id.Cluster(n), e, r)
		}
	}
}

func (c *oneWritableSide) judge(l *Ledger, pt *part, cl id.Cluster, e *event.Event, r *Reporter) {
	cp := pt.in[cl]
	if e.Kind != event.Appended {
		r.Exercised(OneWritableSide)
	}
	k := int(pt.slot)*l.clusters + int(cl)
	for len(c.seen) <= k {
		c.seen = append(c.seen, false)
	}
	// An append proves it, whatever the leader has said: one that does not know the stored state yet says nothing (D26).
	takes := l.writable(pt, cl) || e.Kind == event.Appended && l.cluster(e.Node) == cl && cp.current(e.Node, pt.replicas[e.Node])
	other := l.otherWritable(pt, cl)
	if !takes || other == noCluster {
		c.seen[k] = c.seen[k] && e.Kind == event.Appended
		return
	}
	if c.seen[k] {
		return
	}
	c.seen[k] = true
	fact1 := l.where(pt, cl) + " is a mirror of " + l.topology.Names.Cluster(other) + ", where " + l.name(pt.in[other].leader) +
		" takes client writes"
	fact2 := l.name(cp.leader) + " takes client writes in leader epoch " + num(int64(cp.leaderEpoch))
	r.Violated(OneWritableSide, complaint(fact1+"; but "+l.replica(pt, cp.leader)+" takes them too, in leader epoch "+
		num(int64(cp.leaderEpoch)), fact1, fact2, cp.began, e))
}
