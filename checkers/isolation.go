package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// transactionIsolation: judged by the log of the serving replica when it answered, a read_committed consumer never receives
// a record of an open or aborted transaction, and receives every record of a committed one whose marker it can see. What a
// reset has dropped (D21) was not committed. A read is judged only if the serving log has not been cut since it answered.
type transactionIsolation struct{ plain }

// Properties are those that this checker judges.
func (*transactionIsolation) Properties() []ID { return []ID{TransactionIsolation} }

// Kinds are the events that it looks at.
func (*transactionIsolation) Kinds() []event.Kind { return []event.Kind{event.ConsumerRead} }

// Clone is the checker itself, which keeps nothing.
func (c *transactionIsolation) Clone() Checker { return c }

// Observe judges e.
func (c *transactionIsolation) Observe(l *Ledger, e *event.Event, r *Reporter) {
	if e.To != 1 || !l.was.judgeable {
		return
	}
	pt := l.part(e.Partition)
	s := pt.replicas[e.Peer]
	if next := l.was.next; next >= s.Start && next < e.Offset {
		for i := s.position(next); i < len(s.log) && s.log[i].batch.Base < e.Offset; i++ {
			if b := s.log[i].now; b != nil && b.Transactional && !s.hidden(b) {
				c.report(l, pt, e, r, "its position was "+num(next)+", where "+contents(b)+" of a committed transaction stands",
					"it was given the records from "+num(e.Offset), s.log[i].index)
				break
			}
		}
	}
	if !l.was.isolated {
		return
	}
	r.Exercised(TransactionIsolation)
	switch {
	case e.End > l.was.stable:
		c.report(l, pt, e, r, "the last stable offset was "+num(l.was.stable)+" when "+l.name(e.Peer)+" answered: "+
			pinned(s, l.was.stable), "it read up to "+num(e.End), 0)
	case e.Digest != l.was.digest:
		fact, index := differs(s, e)
		c.report(l, pt, e, r, fact, "what it was given has another digest than the committed records there", index)
	}
}

// pinned says which transaction keeps the last stable offset of s where it is.
func pinned(s *Shadow, stable int64) string {
	for _, list := range [][]txn{s.open, s.ended} {
		for i := range list {
			if list[i].first == stable {
				return spellTxn(&list[i]) + " was open"
			}
		}
	}
	return "what is above was not committed"
}

// differs says what a read with a wrong digest was given or not given, as far as one batch or one transaction explains it.
func differs(s *Shadow, e *event.Event) (string, uint64) {
	last := s.position(e.End)
	digest := func(flipped func(*record.Batch) bool) uint64 {
		var h uint64
		for i := s.position(e.Offset); i < last; i++ {
			if b := s.log[i].now; b != nil && b.IsData() && s.hidden(b) == flipped(b) {
				h = event.MixBatch(h, b)
			}
		}
		return h
	}
	for i := s.position(e.Offset); i < last; i++ {
		x := &s.log[i]
		if !x.batch.Transactional || !x.batch.IsData() {
			continue
		}
		t := s.transactionOf(x.batch)
		alone := digest(func(b *record.Batch) bool { return b == x.batch })
		whole := digest(func(b *record.Batch) bool { return b.Transactional && s.transactionOf(b) == t })
		if e.Digest != alone && e.Digest != whole || t == nil {
			continue
		}
		given := ", which it was not given, is of "
		if s.hidden(x.batch) {
			given = ", which it was given, is of "
		}
		return contents(x.batch) + given + spellTxn(t) + ", which is " + t.how.String(), x.index
	}
	return "between " + num(e.Offset) + " and " + num(e.End) + " the log holds transactional records", 0
}

func (*transactionIsolation) report(l *Ledger, pt *part, e *event.Event, r *Reporter, fact1, fact2 string, index uint64) {
	r.Violated(TransactionIsolation, complaint(l.name(e.Node)+" read offsets "+num(e.Offset)+" to "+num(e.End)+" of "+
		l.where(pt, id.Cluster(e.From))+"@"+l.name(e.Peer)+" with read_committed: "+fact1+", but "+fact2, fact1, fact2, index, e))
}
