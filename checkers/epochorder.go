package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

// epochOrder: batch epochs never decrease with the offset, and the leader-epoch cache is strictly increasing in both
// columns and names the epoch of every batch. Entries without a batch are legal: a new leader that has written nothing
// has one. The cache is judged twice: as it grows, and as the replica reports it, which is the real structure.
type epochOrder struct{ plain }

// Properties are those that this checker judges.
func (*epochOrder) Properties() []ID { return []ID{EpochOrder} }

// Kinds are the events that it looks at.
func (*epochOrder) Kinds() []event.Kind {
	return []event.Kind{event.Appended, event.EpochAdded, event.ReplicaReported, event.EpochReported,
		event.ProducerReported}
}

// Clone is the checker itself, which keeps nothing.
func (c *epochOrder) Clone() Checker { return c }

// Observe judges e.
func (c *epochOrder) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	s := pt.replicas[e.Node]
	switch e.Kind {
	case event.Appended:
		c.appended(l, pt, s, e, r)
	case event.EpochAdded:
		c.added(l, pt, e, r)
	default:
		if l.report.complete(e.Node) && len(l.report.epochs)+len(s.log) > 0 {
			r.Exercised(EpochOrder)
			c.reported(l, pt, s, e, r)
		}
	}
}

func (*epochOrder) appended(l *Ledger, pt *part, s *Shadow, e *event.Event, r *Reporter) {
	b := e.Batch
	if b.Base < l.was.end {
		r.Exercised(EpochOrder)
		r.Violated(EpochOrder, complaint(l.replica(pt, e.Node)+" appended "+spell(b)+" below its log end "+num(l.was.end),
			"the log end is "+num(l.was.end), "the batch starts at "+num(b.Base), 0, e))
	}
	n := len(s.log)
	if n < 2 {
		return
	}
	r.Exercised(EpochOrder)
	if before := s.log[n-2].batch; before.LeaderEpoch > b.LeaderEpoch {
		r.Violated(EpochOrder, complaint(
			l.replica(pt, e.Node)+" offset "+num(b.Base)+" has epoch "+num(int64(b.LeaderEpoch))+" below epoch "+
				num(int64(before.LeaderEpoch))+" of offset "+num(before.Base),
			"it holds "+spell(before), "it appended "+spell(b), s.log[n-2].index, e))
	}
}

// added judges a new entry against the one before. One with the same start replaces it, if its epoch is higher. What
// recovery rebuilds is judged by the next report.
func (*epochOrder) added(l *Ledger, pt *part, e *event.Event, r *Reporter) {
	before := l.was.epoch
	if before == noEpoch {
		return
	}
	r.Exercised(EpochOrder)
	if e.BatchEpoch > before.Epoch && e.Offset >= before.Start {
		return
	}
	r.Violated(EpochOrder, complaint(
		l.replica(pt, e.Node)+" has the epoch entry "+entryText(Epoch{e.BatchEpoch, e.Offset})+" after "+entryText(before)+
			"; both columns must increase",
		"the newest entry was "+entryText(before), "the entry "+entryText(Epoch{e.BatchEpoch, e.Offset})+" was added", 0, e))
}

func (*epochOrder) reported(l *Ledger, pt *part, s *Shadow, e *event.Event, r *Reporter) {
	cache := l.report.epochs
	for i := 1; i < len(cache); i++ {
		if cache[i].Epoch <= cache[i-1].Epoch || cache[i].Start <= cache[i-1].Start {
			r.Violated(EpochOrder, complaint(
				l.replica(pt, e.Node)+" reports the epoch entry "+entryText(cache[i])+" after "+entryText(cache[i-1])+
					"; both columns must increase",
				"it reports "+entryText(cache[i-1]), "then "+entryText(cache[i]), e.Index, e))
			return
		}
	}
	k := 0
	for i := range s.log {
		b := s.log[i].now
		if b == nil || b.Base < s.Start {
			continue
		}
		for k < len(cache) && cache[k].Start <= b.Base {
			k++
		}
		if k == 0 || cache[k-1].Epoch != b.LeaderEpoch {
			reportMismatch(l, pt, b, cache[:k], s.log[i].index, e, r)
			return
		}
	}
}

func reportMismatch(l *Ledger, pt *part, b *record.Batch, cache []Epoch, index uint64, e *event.Event, r *Reporter) {
	says := "no entry for it"
	if k := len(cache); k > 0 {
		says = "the entry " + entryText(cache[k-1])
	}
	r.Violated(EpochOrder, complaint(
		l.replica(pt, e.Node)+" offset "+num(b.Base)+" has epoch "+num(int64(b.LeaderEpoch))+
			", but its leader-epoch cache has "+says,
		"it holds "+spell(b), "its cache has "+says, index, e))
}

// entryText is a cache entry as people write it: epoch and start offset.
func entryText(x Epoch) string { return num(int64(x.Epoch)) + "→" + num(x.Start) }
