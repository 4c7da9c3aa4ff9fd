package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// noOpenTransaction: once STOPPED is stored, no transaction that began below the reset is open on any ISR member, and the
// leader's last stable offset passes the reset. It is judged when STOPPED is stored, whenever the registration changes until
// the topic is started again, and at the end; it is an occasion where the log has held a transaction. What a coordinator stores that
// is none any more counts when another one says it too: the leader that asked for it may be deposed as well. Where the protocol
// appends no reset, or stores STOPPED before it (D9, D27), the log end takes its place.
//
// The last stable offset has stableBound to pass, counted from the last thing that may have delayed the high watermark: a
// node, a link or a registration that changed. An ISR below min.insync.replicas commits nothing.
type noOpenTransaction struct{ stops []endedStop } // by slot of the partition and cluster

// stableBound is how long the last stable offset may stay at or below the reset while nothing goes wrong: four times what
// a request that is lost costs.
const stableBound = 120 * id.Second

// endedStop is a stop that is done, until the topic is started again.
type endedStop struct {
	active   bool
	exercise bool  // the log has held a transaction
	limit    int64 // of the reset, or the log end
	at       id.Duration
	index    uint64 // of STOPPED
}

// Properties are those that this checker judges.
func (*noOpenTransaction) Properties() []ID { return []ID{NoOpenTransaction} }

// Kinds are the events that it looks at.
func (*noOpenTransaction) Kinds() []event.Kind {
	return []event.Kind{event.StateStored, event.PartitionChanged, event.TopicRemoved}
}

// Clone copies the stops.
func (c *noOpenTransaction) Clone() Checker { return &noOpenTransaction{slices.Clone(c.stops)} }

// AppendState appends the stops.
func (c *noOpenTransaction) AppendState(dst []byte) []byte {
	for i := range c.stops {
		x := &c.stops[i]
		dst = words(append(dst, id.Bit(x.active)|id.Bit(x.exercise)<<1), uint64(x.limit))
	}
	return dst
}

// Observe judges e.
func (c *noOpenTransaction) Observe(l *Ledger, e *event.Event, r *Reporter) {
	cl := l.cluster(e.Node)
	if cl == noCluster {
		return
	}
	if e.Kind == event.TopicRemoved {
		for _, pt := range l.parts {
			if pt.id.Topic == e.Partition.Topic {
				c.stop(l, pt, cl).active = false
			}
		}
		return
	}
	pt := l.part(e.Partition)
	x := c.stop(l, pt, cl)
	if e.Kind == event.PartitionChanged {
		c.judge(l, pt, cl, x, e.Index, r)
		return
	}
	switch record.State(e.To) {
	case record.Preparing:
		c.stable(l, pt, cl, x, r)
		x.active = false
	case record.Stopped:
		if l.deposedCoordinator(cl, e.Node) {
			return
		}
		if s := l.leaderLog(pt, cl); !x.active && s != nil && !pt.in[cl].mirrored {
			*x = endedStop{active: true, limit: s.End, at: e.At, index: e.Index, exercise: len(s.open)+len(s.ended) > 0}
			if s.reset >= pt.in[cl].stop.boundary && s.reset >= 0 {
				x.limit = s.reset
			}
			c.judge(l, pt, cl, x, e.Index, r)
		}
	}
}

func (c *noOpenTransaction) stop(l *Ledger, pt *part, cl id.Cluster) *endedStop {
	k := int(pt.slot)*l.clusters + int(cl)
	for len(c.stops) <= k {
		c.stops = append(c.stops, endedStop{})
	}
	return &c.stops[k]
}

// judge looks for a transaction from below the reset that is open on an ISR member.
func (*noOpenTransaction) judge(l *Ledger, pt *part, cl id.Cluster, x *endedStop, index uint64, r *Reporter) {
	if !x.active {
		return
	}
	if x.exercise {
		r.Exercised(NoOpenTransaction)
	}
	cp := pt.in[cl]
	for n, s := range pt.replicas {
		if s == nil || !cp.isr.Has(id.Node(n)) || s.lostEnd > 0 {
			continue // one that lost its tail with the power gets it again from its leader
		}
		for i := range s.open {
			t := &s.open[i]
			if t.first >= x.limit {
				continue
			}
			r.Violated(NoOpenTransaction, Violation{"STOPPED is stored for " + l.where(pt, cl) + ", with the log end of the stop at " +
				num(x.limit) + ", and on ISR member " + l.name(id.Node(n)) + " " + spellTxn(t) + " is open",
				[2]string{spellTxn(t) + " began", "STOPPED is stored, and it is open on " + l.name(id.Node(n))},
				[2]uint64{t.index, index}})
			excuseOpen(cp, x, s, r)
		}
	}
}

// excuseOpen takes note that a marker which had ended a transaction may be gone from log s, beyond the budget of faults: since STOPPED
// was stored, or since the reset was appended, where a leader that was deposed meanwhile has STOPPED stored.
func excuseOpen(cp *clusterPart, x *endedStop, s *Shadow, r *Reporter) {
	if cp.excusedAt > x.index || cp.resetGone(s) != "" {
		r.Excused(NoOpenTransaction, cp.excuse)
	}
}

// stable judges that the last stable offset of the leader has passed the reset, if the time for that is over.
func (*noOpenTransaction) stable(l *Ledger, pt *part, cl id.Cluster, x *endedStop, r *Reporter) {
	cp, s := pt.in[cl], l.leaderLog(pt, cl)
	since := max(x.at, l.calm)
	if !x.active || !cp.current(cp.leader, s) || l.now-since <= stableBound || cp.isr.Len() < int(l.topics[pt.topic].minISR[cl]) {
		return
	}
	if stable := s.lastStable(); stable < x.limit {
		r.Violated(NoOpenTransaction, Violation{"the last stable offset of " + l.replica(pt, cp.leader) + " is " + num(stable) +
			", " + (l.now - x.at).String() + " after STOPPED was stored, and has not passed the stop at " + num(x.limit),
			[2]string{"STOPPED is stored, with the log end of the stop at " + num(x.limit),
				"the last stable offset is " + num(stable)}, [2]uint64{x.index, 0}})
		excuseOpen(cp, x, s, r)
	}
}

// Finish judges how the run ends.
func (c *noOpenTransaction) Finish(l *Ledger, r *Reporter) {
	for k := range c.stops {
		pt, cl := l.parts[k/l.clusters], id.Cluster(k%l.clusters)
		c.judge(l, pt, cl, &c.stops[k], 0, r)
		c.stable(l, pt, cl, &c.stops[k], r)
	}
}
