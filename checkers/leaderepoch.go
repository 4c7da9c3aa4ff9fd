package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// leaderEpoch: a partition's leader epoch never decreases in its cluster's metadata log, and one broker at most appends
// as leader under one leader epoch. A deposed leader that does not know it yet appends under its old epoch, which is
// legal and is why appenders are told apart by epoch, not by time. The epochs that mirrored batches carry do not matter.
type leaderEpoch struct {
	plain
	rings []appenders // by slot of the partition and cluster
}

// appenders is who appended under the newest few epochs. What is older is not judged any more: memory must not grow with
// the number of elections.
type appenders struct {
	ring [8]appender
	n    int
}

type appender struct {
	epoch int32
	node  id.Node
	index uint64
}

// Properties are those that this checker judges.
func (*leaderEpoch) Properties() []ID { return []ID{LeaderEpoch} }

// Kinds are the events that it looks at.
func (*leaderEpoch) Kinds() []event.Kind {
	return []event.Kind{event.PartitionChanged, event.Appended, event.TopicRemoved}
}

// Clone copies who appended.
func (c *leaderEpoch) Clone() Checker { return &leaderEpoch{rings: slices.Clone(c.rings)} }

// AppendState appends who appended.
func (c *leaderEpoch) AppendState(dst []byte) []byte {
	for i := range c.rings {
		x := &c.rings[i]
		for _, a := range x.ring[:min(x.n, len(x.ring))] {
			dst = words(dst, uint64(uint32(a.epoch))<<8|uint64(a.node))
		}
		dst = append(dst, byte(min(x.n, len(x.ring))))
	}
	return dst
}

// Observe judges e.
func (c *leaderEpoch) Observe(l *Ledger, e *event.Event, r *Reporter) {
	if e.Kind == event.TopicRemoved {
		c.forget(l, e)
		return
	}
	pt := l.part(e.Partition)
	if e.Kind == event.PartitionChanged {
		if l.was.leaderEpoch < 0 {
			return
		}
		r.Exercised(LeaderEpoch)
		if e.LeaderEpoch < l.was.leaderEpoch {
			where := l.where(pt, l.cluster(e.Node))
			r.Violated(LeaderEpoch, complaint(where+" went from leader epoch "+num(int64(l.was.leaderEpoch))+" back to "+
				num(int64(e.LeaderEpoch))+" in the metadata log",
				"the leader epoch was "+num(int64(l.was.leaderEpoch)), "it is "+num(int64(e.LeaderEpoch)), 0, e))
		}
		return
	}
	if event.Origin(e.Cause) != event.FromLeader {
		c.appended(l, pt, e, r)
	}
}

// forget drops who appended to a topic that was deleted: one that is created under its id later begins with epoch 0 again.
func (c *leaderEpoch) forget(l *Ledger, e *event.Event) {
	for _, pt := range l.parts {
		if k := int(pt.slot)*l.clusters + int(l.cluster(e.Node)); pt.id.Topic == e.Partition.Topic && k < len(c.rings) {
			c.rings[k] = appenders{}
		}
	}
}

func (c *leaderEpoch) appended(l *Ledger, pt *part, e *event.Event, r *Reporter) {
	k := int(pt.slot)*l.clusters + int(l.cluster(e.Node))
	for len(c.rings) <= k {
		c.rings = append(c.rings, appenders{})
	}
	x := &c.rings[k]
	for i := min(x.n, len(x.ring)) - 1; i >= 0; i-- {
		a := &x.ring[i]
		if a.epoch != e.LeaderEpoch {
			continue
		}
		r.Exercised(LeaderEpoch)
		if a.node != e.Node {
			r.Violated(LeaderEpoch, complaint(l.where(pt, l.cluster(e.Node))+": "+l.name(a.node)+" and "+l.name(e.Node)+
				" both appended as leader in leader epoch "+num(int64(e.LeaderEpoch))+", the second at offset "+num(e.Offset),
				l.name(a.node)+" appended in leader epoch "+num(int64(a.epoch)),
				l.name(e.Node)+" appended "+spell(e.Batch)+" in it", a.index, e))
		}
		return
	}
	x.ring[x.n%len(x.ring)] = appender{e.LeaderEpoch, e.Node, e.Index}
	x.n++
}

// eraBoundary: the first batch that a broker appends locally after a stop, marker and reset included, has an epoch above
// every batch below it; and the era that begins with it uses no epoch of an earlier era of the same cluster. Appends of
// leaders that were deposed before the stop began belong to an earlier era and are not judged. A stop that is begun
// again by a new leader is the same stop: each broker's first own batch is judged, since its log is its own.
type eraBoundary struct{ plain }

// Properties are those that this checker judges.
func (*eraBoundary) Properties() []ID { return []ID{EraBoundary} }

// Kinds are the events that it looks at.
func (*eraBoundary) Kinds() []event.Kind { return []event.Kind{event.Appended} }

// Clone is the checker itself, which keeps nothing.
func (c *eraBoundary) Clone() Checker { return c }

// Observe judges e.
func (*eraBoundary) Observe(l *Ledger, e *event.Event, r *Reporter) {
	if !l.was.firstOwn || event.Origin(e.Cause) != event.FromStop && event.Origin(e.Cause) != event.FromClient {
		return
	}
	pt := l.part(e.Partition)
	s, cp := pt.replicas[e.Node], pt.in[l.cluster(e.Node)]
	r.Exercised(EraBoundary)
	var highest *entry
	for i := range s.log[:len(s.log)-1] {
		if highest == nil || s.log[i].batch.LeaderEpoch >= highest.batch.LeaderEpoch {
			highest = &s.log[i]
		}
	}
	if highest != nil && highest.batch.LeaderEpoch >= e.Batch.LeaderEpoch {
		r.Violated(EraBoundary, complaint(l.replica(pt, e.Node)+" offset "+num(e.Batch.Base)+
			", its first own batch after the stop, has epoch "+num(int64(e.Batch.LeaderEpoch))+", not above epoch "+
			num(int64(highest.batch.LeaderEpoch))+" of offset "+num(highest.batch.Base),
			"below it stands "+spell(highest.batch), "it appended "+spell(e.Batch), highest.index, e))
	}
	if cp.ended >= 0 && e.Batch.LeaderEpoch <= cp.ended {
		r.Violated(EraBoundary, complaint(l.replica(pt, e.Node)+" offset "+num(e.Batch.Base)+" begins an era with epoch "+
			num(int64(e.Batch.LeaderEpoch))+", but an earlier era of "+l.topology.Names.Cluster(l.cluster(e.Node))+
			" has used epochs up to "+num(int64(cp.ended)),
			"an earlier era used epoch "+num(int64(cp.ended)), "it appended "+spell(e.Batch), cp.endedBy, e))
	}
}
