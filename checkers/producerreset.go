package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

// producerReset: a replica whose log end is above a reset holds no producer entry from below it; and what it holds of a
// producer that has a batch above the last reset and at or above the log start is what its log says, so that two
// replicas at one log end agree. Entries of producers whose batches retention has removed are legal and not compared.
type producerReset struct{ plain }

// Properties are those that this checker judges.
func (*producerReset) Properties() []ID { return []ID{ProducerReset} }

// Kinds are the events that it looks at.
func (*producerReset) Kinds() []event.Kind {
	return []event.Kind{event.ProducersReset, event.ReplicaReported, event.EpochReported, event.ProducerReported}
}

// Clone is the checker itself, which keeps nothing.
func (c *producerReset) Clone() Checker { return c }

// Observe judges e.
func (c *producerReset) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	if e.Kind == event.ProducersReset {
		r.Exercised(ProducerReset)
		if e.Sequence != 0 {
			r.Violated(ProducerReset, complaint(l.replica(pt, e.Node)+" still holds "+num(int64(e.Sequence))+
				" producer entries after the reset at offset "+num(e.Offset),
				"the reset at "+num(e.Offset)+" removes all entries", num(int64(e.Sequence))+" are left", 0, e))
		}
		return
	}
	if !l.report.complete(e.Node) {
		return
	}
	s := pt.replicas[e.Node]
	if s.reset >= 0 {
		r.Exercised(ProducerReset)
		c.below(l, pt, s, e, r)
	}
	c.compare(l, pt, s, e, r)
}

// below looks for entries and, where the reset closes them, open transactions from below the reset.
func (*producerReset) below(l *Ledger, pt *part, s *Shadow, e *event.Event, r *Reporter) {
	for _, p := range l.report.producers {
		what := ""
		switch {
		case p.last >= 0 && p.last < s.reset:
			what = "an entry of producer " + num(p.producer) + " whose last batch ends at " + num(p.last)
		case l.topology.ResetClosesTransactions && p.transaction >= 0 && p.transaction < s.reset:
			what = "an open transaction of producer " + num(p.producer) + " from offset " + num(p.transaction)
		default:
			continue
		}
		r.Violated(ProducerReset, complaint(l.replica(pt, e.Node)+" has its log end at "+num(s.End)+", above the reset at "+
			num(s.reset)+", and holds "+what, "the reset stands at "+num(s.reset), "it holds "+what, 0, e))
	}
}

// compare walks the log above the last reset, newest batch first. It takes the time of the log, at the few moments at
// which replicas report.
func (*producerReset) compare(l *Ledger, pt *part, s *Shadow, e *event.Event, r *Reporter) {
	var done []int64
	for i := len(s.log) - 1; i >= 0 && s.log[i].batch.Base > s.reset && s.log[i].batch.Base >= s.Start; i-- {
		b := s.log[i].batch
		if !b.HasProducer() || slices.Contains(done, b.ProducerID) {
			continue
		}
		done = append(done, b.ProducerID)
		if b.Control != record.Data || s.log[i].now == nil {
			continue // a marker may have raised the epoch and dropped the batches; of what compaction removed only a snapshot knows
		}
		r.Exercised(ProducerReset)
		k := slices.IndexFunc(l.report.producers, func(p producerEntry) bool { return p.producer == b.ProducerID })
		has := "no entry of it"
		if k >= 0 {
			p := l.report.producers[k]
			if p.epoch == int32(b.ProducerEpoch) && p.sequence == b.LastSequence() {
				continue
			}
			has = "epoch " + num(int64(p.epoch)) + ", last sequence " + num(int64(p.sequence))
		}
		r.Violated(ProducerReset, complaint(l.replica(pt, e.Node)+" at log end "+num(s.End)+" holds "+spell(b)+" of producer "+
			num(b.ProducerID)+", epoch "+num(int64(b.ProducerEpoch))+", last sequence "+num(int64(b.LastSequence()))+
			", but reports "+has, "its log holds "+spell(b), "it reports "+has, s.log[i].index, e))
	}
}
