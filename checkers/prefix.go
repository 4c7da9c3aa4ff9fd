package checkers

import (
	"bytes"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// mirrorPrefix: from a run's first fetch answered without divergence until its stop, what the destination holds below its
// high watermark stood at the same offsets below a high watermark of the source at some earlier time, and nothing that
// stood there between two of its batches, or between its log start and the first, is missing.
//
// One batch of a hundred is compared byte for byte, in Kafka's format; the others by offsets, leader epoch, producer and CRC.
// Each such comparison is an occasion of its own.
//
// It is judged as the high watermark of the destination's leader moves over the log, each batch once, and from the log
// start on when a run begins or another log is in charge. While a divergence is being cut nothing is judged: a leader of
// which an ISR member has not followed a cut, and that dies, leaves the rest of it to that one. Neither is what an unclean
// election brings. Both end when the source answers the new leader without divergence. What the source has trimmed is
// remembered as long as a log is left that may hold it; where nothing is remembered nothing is judged. What lies below the
// log start that the source had when it found the logs to match was not compared (logs are compared from the higher log
// start on): it stands until the destination's log start follows. A log that ends at that start has nothing that was compared.
type mirrorPrefix struct{ perCluster[prefixState] }

type prefixState struct {
	era       int32 // of the cluster: another one, another run
	source    id.Cluster
	node      id.Node // whose log was judged
	upto      int64   // below which it was
	floor     int64   // below which the source had nothing to compare when it found the logs to match
	suspended bool
	cut       int64  // where the leaders of this run were cut, the lowest offset
	following id.Set // the ISR members that have not followed yet
}

// Properties are those that this checker judges.
func (*mirrorPrefix) Properties() []ID { return []ID{MirrorPrefix} }

// Kinds are the events that it looks at.
func (*mirrorPrefix) Kinds() []event.Kind {
	return []event.Kind{event.HighWatermark, event.MirrorFetched, event.Truncated, event.Recovered, event.PartitionChanged}
}

// Finish has nothing left to judge.
func (*mirrorPrefix) Finish(*Ledger, *Reporter) {}

// Clone copies how far each partition is judged.
func (c *mirrorPrefix) Clone() Checker { return &mirrorPrefix{c.clone()} }

// AppendState appends how far each partition is judged.
func (c *mirrorPrefix) AppendState(dst []byte) []byte {
	for i := range c.rows {
		x := &c.rows[i]
		dst = words(dst, uint64(x.source)<<16|uint64(x.node)<<8|id.Bit64(x.suspended), uint64(x.upto), uint64(x.cut),
			uint64(x.following), uint64(x.floor))
	}
	return dst
}

// Observe judges e.
func (c *mirrorPrefix) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	cl := l.cluster(e.Node)
	if cl == noCluster {
		return
	}
	cp := pt.in[cl]
	if !cp.mirrored {
		return
	}
	x := c.at(l, pt, cl)
	if x.era != cp.era {
		*x = prefixState{era: cp.era, source: noCluster, node: id.None}
	}
	switch e.Kind {
	case event.PartitionChanged:
		x.suspended = x.suspended || event.ChangeCause(e.Cause) == event.UncleanElection
		return
	case event.Truncated:
		x.truncated(pt, cp, e, e.Offset)
		return
	case event.Recovered:
		x.truncated(pt, cp, e, e.End)
		return
	case event.MirrorFetched:
		if !x.hear(l, pt, cl, e) {
			return
		}
	}
	if cp.leader == e.Node && cp.aligned && !cp.stop.active && !x.suspended && x.source != noCluster {
		x.judge(l, pt, cl, e, r)
	}
}

// truncated takes note that a log was cut to end, and by a leader's cut of the ISR members that must follow it.
func (x *prefixState) truncated(pt *part, cp *clusterPart, e *event.Event, end int64) {
	restarted := e.Kind == event.Truncated && event.TruncateCause(e.Cause) == event.RestartedAt
	if x.node == e.Node {
		x.upto = min(x.upto, end)
	}
	if x.following.Has(e.Node) && (end <= x.cut || restarted) {
		x.following = x.following.Without(e.Node)
	}
	if e.Kind != event.Truncated || !cp.current(e.Node, pt.replicas[e.Node]) {
		return
	}
	if x.following == 0 || end < x.cut {
		x.cut = end
	}
	for n, s := range pt.replicas {
		if s != nil && id.Node(n) != e.Node && cp.isr.Has(id.Node(n)) && (s.End > x.cut || restarted && len(s.log) > 0) {
			x.following = x.following.With(id.Node(n))
		}
	}
}

// hear takes the answer to a mirror fetch, and tells whether it says that the logs match.
func (x *prefixState) hear(l *Ledger, pt *part, c id.Cluster, e *event.Event) bool {
	switch {
	case l.provesAligned(pt, c, e):
		if s := pt.replicas[e.Peer]; s != nil && (x.suspended || x.source == noCluster) {
			if x.floor = 0; e.Offset > s.Start {
				x.floor = s.Start
			}
		}
		x.source, x.suspended, x.following = l.source(c, e.Mirror), false, x.following.Without(e.Node)
		return true
	case e.To == codeOK && e.Cause == 1, e.To == codeOffsetOutOfRange:
		x.suspended = true
	}
	return false
}

// judge looks at what has come below the high watermark since it looked last.
func (x *prefixState) judge(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	s := pt.replicas[e.Node]
	if !pt.in[c].current(e.Node, s) {
		return
	}
	if x.node != e.Node {
		x.take(pt, e.Node, s)
	}
	if x.suspended = x.following.Has(e.Node); x.suspended {
		return
	}
	to := s.HighWatermark
	if x.upto >= to || !pt.in[x.source].registered {
		return // where the source was deleted nothing tells what it had
	}
	r.Exercised(MirrorPrefix)
	from := max(x.upto, s.Start)
	x.upto = to
	for i := s.position(from); i < len(s.log) && s.log[i].batch.Last < to; i++ {
		if s.log[i].now != nil && !x.standing(l, pt, c, e, i, r) {
			return // what follows differs because this one does
		}
	}
}

// take goes on with another replica's log: from the log start, unless it is known to be what was judged.
func (x *prefixState) take(pt *part, n id.Node, s *Shadow) {
	if x.node != id.None {
		if o := pt.replicas[x.node]; x.upto > min(o.End, s.End) || !s.equal(o, max(o.Start, s.Start), x.upto, false) {
			x.upto = 0
		}
	}
	x.node = n
}

// standing judges the i-th batch of the leader's log.
func (x *prefixState) standing(l *Ledger, pt *part, c id.Cluster, e *event.Event, i int, r *Reporter) bool {
	s := pt.replicas[e.Node]
	b, after := s.log[i].batch, s.Start
	if i > 0 {
		after = s.log[i-1].batch.Last + 1
	}
	found, bare := l.stood(pt, x.source, b, after)
	if found != nil && (bare || after >= b.Base) {
		return !compared(c, pt.id, b.Base) || x.sameBytes(l, pt, found, e, i, r)
	}
	holds := l.replica(pt, e.Node) + " holds " + contents(b)
	if found == nil {
		if b.Last < x.floor || l.trimmed(pt, x.source, b.Base) {
			return true
		}
		why := "no such batch has stood at offset " + num(b.Base) + " of " + l.where(pt, x.source)
		r.Violated(MirrorPrefix, complaint(holds+" below its high watermark "+num(s.HighWatermark)+", but "+why+
			" below a high watermark there", holds, why, s.log[i].index, e))
		return false
	}
	lacks := l.replica(pt, e.Node) + " has nothing at offsets " + num(after) + " to " + num(b.Base-1)
	why := "in " + l.where(pt, x.source) + " something stood there"
	r.Violated(MirrorPrefix, complaint(lacks+", below its high watermark "+num(s.HighWatermark)+", but "+why,
		lacks, why, s.log[i].index, e))
	return false
}

// compared tells whether the batch at that offset is one of the hundredth part that are compared byte for byte.
func compared(c id.Cluster, p id.Partition, offset int64) bool {
	return event.Mix(event.Mix(uint64(c), uint64(p.Word())), uint64(offset))%100 == 0
}

// sameBytes compares the i-th batch of the leader's log with the source's in Kafka's format, of both what is encoded anew: a
// CRC that is right for other bytes does not help. What compaction has changed on either side is not compared, and what the
// protocol lets a mirror change is changed first.
func (x *prefixState) sameBytes(l *Ledger, pt *part, at *record.Batch, e *event.Event, i int, r *Reporter) bool {
	s := pt.replicas[e.Node]
	b := s.log[i].now
	if b.Compacted() || at.Compacted() {
		return true
	}
	r.Exercised(MirrorPrefix)
	if l.topology.RewritesEpochs || l.topology.RewritesProducers {
		at = like(at, b)
	}
	if bytes.Equal(b.AppendV2(nil), at.AppendV2(nil)) {
		return true
	}
	holds := l.replica(pt, e.Node) + " holds " + contents(b)
	why := "the bytes of the batch at that offset of " + l.where(pt, x.source) + " are others"
	r.Violated(MirrorPrefix, complaint(holds+", but "+why, holds, why, s.log[i].index, e))
	return false
}
