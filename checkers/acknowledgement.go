package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// acknowledgement judges what producers hear.
//
// ack-offset: the acknowledged base offset is not below the log end at the first send, that batch was appended there,
// and an idempotent batch stands there only, counting from the last reset. "The log end" is the lowest end that a
// broker believing to lead has had since: after an election a batch may rightly stand below the old leader's uncommitted
// tail, and a deposed leader may answer acks=1. A leader whose log has lost the reset of the last stop, by an unclean election or a
// power loss on the whole ISR, knows producers of the other cluster, and takes a batch for one that has its id and sequence there: as
// what is gone is beyond the budget, so is that answer, where it names an offset below the reset.
//
// fresh-producer: a producer id that starts at sequence 0 after a reset is accepted, and its batch stands above the
// reset. It is not fresh when another batch of that id is in the log since the reset: that one may have come first. Nor may one be
// written that its transaction coordinator has fenced meanwhile: the log has nothing of it, and refuses it all the same.
//
// linearizable-log: no acknowledged append has an offset below one that was acknowledged before it was called, and no
// idempotent batch stands twice. A retry that crosses a reset does, as the design accepts (section 13): the walk ends
// at the reset.
type acknowledgement struct{ plain }

// Properties are those that this checker judges.
func (*acknowledgement) Properties() []ID { return []ID{AckOffset, FreshProducer, LinearizableLog} }

// Kinds are the events that it looks at.
func (*acknowledgement) Kinds() []event.Kind {
	return []event.Kind{event.Appended, event.ProduceReturned}
}

// Clone is the checker itself, which keeps nothing.
func (c *acknowledgement) Clone() Checker { return c }

// Observe judges e.
func (c *acknowledgement) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	if e.Kind == event.Appended {
		if event.Origin(e.Cause) == event.FromClient && e.Batch.HasProducer() {
			c.appended(l, pt, e, r)
		}
		return
	}
	if !l.was.closed {
		return
	}
	o := &l.was.op
	if e.To == codeOK && o.acks != acksNone {
		c.offset(l, pt, o, e, r)
		c.order(l, pt, o, e, r)
	}
	c.fresh(l, pt, o, e, r)
}

// walked bounds how far back a duplicate is looked for. Brokers know the last five batches of a producer; with more
// producers than this between two of them a duplicate would go unseen.
const walked = 128

// appended looks for the same batch further down, above the last reset.
func (c *acknowledgement) appended(l *Ledger, pt *part, e *event.Event, r *Reporter) {
	s, b := pt.replicas[e.Node], e.Batch
	r.Exercised(AckOffset)
	for i := len(s.log) - 2; i >= 0 && i >= len(s.log)-walked; i-- {
		x := s.log[i].batch
		if x.Control == record.MirrorPidReset {
			return
		}
		if x.ProducerID != b.ProducerID || x.ProducerEpoch != b.ProducerEpoch || !x.IsData() {
			continue
		}
		if x.BaseSequence == b.BaseSequence && x.CRC == b.CRC {
			c.duplicate(l, pt, &s.log[i], e, r)
			return
		}
		if record.AddSequence(x.LastSequence(), 1) == b.BaseSequence {
			return // it goes on where this one ends, so it is new
		}
	}
}

func (*acknowledgement) duplicate(l *Ledger, pt *part, x *entry, e *event.Event, r *Reporter) {
	b := e.Batch
	text := l.replica(pt, e.Node) + " holds one batch of producer " + num(b.ProducerID) + ", sequence " +
		num(int64(b.BaseSequence)) + ", at offset " + num(x.batch.Base) + " and again at " + num(b.Base)
	v := complaint(text, "it stands at "+spell(x.batch), "it was appended again at "+spell(b), x.index, e)
	r.Violated(AckOffset, v)
	if pt.replicas[e.Node].reset >= 0 {
		r.Violated(FreshProducer, v)
	}
	v.Sentence = "duplicate: " + v.Sentence
	r.Violated(LinearizableLog, v)
}

func (c *acknowledgement) offset(l *Ledger, pt *part, o *op, e *event.Event, r *Reporter) {
	r.Exercised(AckOffset)
	if why := pt.takenForOld(id.Cluster(e.From), e); why != "" {
		v := complaint(acknowledged(l, pt, e)+" at offset "+num(e.Offset)+" as one of before the reset, which that log has lost", why,
			"the batch was taken for an old one", o.called, e)
		for _, p := range []ID{AckOffset, LinearizableLog} {
			r.Violated(p, v)
			r.Excused(p, why)
		}
		return
	}
	if o.floor > e.Offset {
		r.Violated(AckOffset, complaint(acknowledged(l, pt, e)+" at offset "+num(e.Offset)+", below the log end "+
			num(o.floor)+" at its first send", "the log end was "+num(o.floor)+" when the batch was first sent",
			l.name(e.Node)+" was answered base offset "+num(e.Offset), o.called, e))
	}
	if b, _ := o.storedAt(e.Offset, nil); b == nil {
		c.nowhere(l, pt, o, e, r)
	}
}

// takenForOld tells whether cluster c may have taken the batch for one that stands below its last reset, and was acknowledged long ago,
// because the broker that answered has lost the reset beyond the fault budget, and how; "" if not.
func (pt *part) takenForOld(c id.Cluster, e *event.Event) string {
	cp := pt.in[c]
	if cp.reset == nil || e.Offset >= cp.reset.Base {
		return ""
	}
	return cp.resetGone(pt.replicas[e.Peer])
}

// acknowledged says who acknowledged a batch to whom.
func acknowledged(l *Ledger, pt *part, e *event.Event) string {
	return l.where(pt, id.Cluster(e.From)) + "@" + l.name(e.Peer) + " acknowledged a batch of " + l.name(e.Node)
}

// nowhere reports an acknowledged offset at which no broker of the cluster has appended the batch.
func (*acknowledgement) nowhere(l *Ledger, pt *part, o *op, e *event.Event, r *Reporter) {
	stands := "no broker of the cluster has appended it"
	if b := o.stored[0]; b != nil {
		stands = "it was appended at " + spell(b)
	} else if s := l.leaderLog(pt, id.Cluster(e.From)); s != nil && s.at(e.Offset) != nil {
		stands += "; there stands " + contents(s.at(e.Offset).batch)
	}
	v := complaint(acknowledged(l, pt, e)+" (producer "+num(o.producer)+", sequence "+num(int64(o.sequence))+") at offset "+
		num(e.Offset)+", where it was never appended: "+stands, stands,
		l.name(e.Node)+" was answered base offset "+num(e.Offset), o.called, e)
	r.Violated(AckOffset, v)
	v.Sentence = "inconsistent offset: " + v.Sentence
	r.Violated(LinearizableLog, v)
}

// order judges real time. It is left out when the era has changed meanwhile: an alignment may have lowered the log end. So it is
// where the batch was taken for an old one, which offset has told.
func (*acknowledgement) order(l *Ledger, pt *part, o *op, e *event.Event, r *Reporter) {
	cp := pt.in[e.From]
	if o.acks != acksAll || o.era != cp.era || cp.mirrored || pt.takenForOld(id.Cluster(e.From), e) != "" {
		return
	}
	r.Exercised(LinearizableLog)
	if e.Offset >= o.order {
		return
	}
	r.Violated(LinearizableLog, complaint("inconsistent offset: "+l.where(pt, id.Cluster(e.From))+" acknowledged offset "+
		num(e.Offset)+" to "+l.name(e.Node)+", but an append that ends at "+num(o.order)+
		" had been acknowledged before that one was called",
		"an append that ends at "+num(o.order)+" was acknowledged", "a later call was given offset "+num(e.Offset),
		o.called, e))
	for i := range cp.acked { // the appends beyond may have been taken away since
		if a := &cp.acked[i]; a.batch.Last >= e.Offset && a.batch.LeaderEpoch < cp.excusedBelow {
			r.Excused(LinearizableLog, cp.excuse)
		}
	}
}

func (*acknowledgement) fresh(l *Ledger, pt *part, o *op, e *event.Event, r *Reporter) {
	cl := id.Cluster(e.From)
	s, cp := l.leaderLog(pt, cl), pt.in[cl]
	if o.fresh < 0 || s == nil || s.reset != o.fresh || o.era != cp.era || cp.mirrored {
		return
	}
	what := ""
	switch e.To {
	case codeOK:
		if o.acks == acksNone {
			return
		}
		r.Exercised(FreshProducer)
		if b, _ := o.storedAt(e.Offset, nil); b != nil && e.Offset > o.fresh {
			return
		}
		what = "was acknowledged at offset " + num(e.Offset) + " where nothing of it was stored"
	case codeOutOfOrderSequenceNumber, codeInvalidProducerEpoch, codeUnknownProducerID:
		if s.hasProducer(o.producer, o.fresh) || e.To == codeInvalidProducerEpoch && l.fencedProducer(cl, o) {
			return
		}
		what = l.name(e.Peer) + " refused it with error code " + num(int64(e.To))
	default:
		return
	}
	start := "producer " + num(o.producer) + " started at sequence 0 after the reset at " + num(o.fresh) + " of " +
		l.where(pt, cl)
	r.Violated(FreshProducer, complaint(start+", but "+what, start, what, o.called, e))
}

// fencedProducer tells whether the transaction coordinator of cluster c has given the transactional id of the client another producer id,
// or a higher epoch, than the batch has.
func (l *Ledger) fencedProducer(c id.Cluster, o *op) bool {
	return slices.ContainsFunc(l.txns, func(x coordinated) bool {
		return x.cluster == c && x.client == o.client && (x.producer != o.producer || x.epoch > o.epoch)
	})
}

// hasProducer tells whether a batch of the producer stands above offset after.
func (s *Shadow) hasProducer(producer, after int64) bool {
	for i := s.position(after + 1); i < len(s.log); i++ {
		if s.log[i].batch.ProducerID == producer {
			return true
		}
	}
	return false
}
