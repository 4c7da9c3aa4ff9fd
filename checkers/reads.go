package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// reads is the reading half of the direct log checker: a read shows the prefix that the serving log has, never beyond its
// high watermark or, for read_committed, its last stable offset; and a consumer's position moves on without a gap or a
// step back, unless it says that it was moved. Judged is the log of the broker that answered, and only when it has not
// been cut since it answered: a reader may be told something that an unclean election or an alignment takes back before
// the answer arrives. Compaction may leave gaps between batches, which are no skip.
type reads struct{ plain }

// Properties are those that this checker judges.
func (*reads) Properties() []ID { return []ID{LinearizableLog} }

// Kinds are the events that it looks at.
func (*reads) Kinds() []event.Kind { return []event.Kind{event.ConsumerRead} }

// Clone is the checker itself, which keeps nothing.
func (c *reads) Clone() Checker { return c }

// Observe judges e.
func (c *reads) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	next := l.was.next
	if next >= 0 {
		r.Exercised(LinearizableLog)
	}
	if next > e.Offset {
		c.report(l, pt, e, r, "non-monotonic poll", "its position was "+num(next),
			"it was given the records from "+num(e.Offset))
	}
	if !l.was.judgeable {
		return
	}
	r.Exercised(LinearizableLog)
	s := pt.replicas[e.Peer]
	i := s.position(next)
	for i < len(s.log) && s.log[i].now == nil {
		i++
	}
	if next >= 0 && next < e.Offset && i < len(s.log) && s.log[i].batch.Base < e.Offset {
		c.report(l, pt, e, r, "poll skip", "its position was "+num(next)+", where "+spell(s.log[i].batch)+" stands",
			"it was given the records from "+num(e.Offset))
	}
	switch {
	case e.End > l.was.high:
		c.report(l, pt, e, r, "unstable read", "the high watermark is "+num(l.was.high), "it read up to "+num(e.End))
	case e.To == 1 && e.End > l.was.stable:
		c.report(l, pt, e, r, "aborted read", "the last stable offset is "+num(l.was.stable),
			"with read_committed it read up to "+num(e.End))
	case e.Digest != l.was.digest:
		c.report(l, pt, e, r, "unseen", "the log holds other batches from "+num(e.Offset)+" to "+num(e.End),
			"what it read has another digest")
	}
}

func (*reads) report(l *Ledger, pt *part, e *event.Event, r *Reporter, anomaly, fact1, fact2 string) {
	r.Violated(LinearizableLog, complaint(anomaly+": "+l.name(e.Node)+" read offsets "+num(e.Offset)+" to "+
		num(e.End)+" of "+l.where(pt, id.Cluster(e.From))+"@"+l.name(e.Peer)+": "+fact1+", but "+fact2, fact1, fact2, 0, e))
}
