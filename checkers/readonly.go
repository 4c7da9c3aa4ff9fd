package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// readOnly: no broker appends a client batch to a topic that by its own replayed metadata is mirrored, unless it has read
// STOPPED and nothing newer; and once PREPARING of a run is committed, no batch appended after it is acknowledged with
// acks=all until STOPPED. A deposed leader that knows neither may still append, and acknowledge acks=1, as any Kafka
// leader may: it is judged by what it has itself replayed and read. It cannot commit, except after an unclean election,
// which is beyond the budget.
type readOnly struct{ plain }

// Properties are those that this checker judges.
func (*readOnly) Properties() []ID { return []ID{ReadOnly} }

// Kinds are the events that it looks at.
func (*readOnly) Kinds() []event.Kind { return []event.Kind{event.Appended, event.ProduceReturned} }

// Clone is the checker itself, which keeps nothing.
func (c *readOnly) Clone() Checker { return c }

// Observe judges e.
func (*readOnly) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	if e.Kind == event.Appended {
		if event.Origin(e.Cause) == event.FromClient {
			judgeAppend(l, pt, e, r)
		}
		return
	}
	if e.To == codeReadOnlyTopic {
		r.Exercised(ReadOnly)
	}
	if !l.was.closed || e.To != codeOK || l.was.op.acks != acksAll || pt.in[e.From].ended < 0 && !pt.in[e.From].mirrored {
		return
	}
	r.Exercised(ReadOnly)
	if o := &l.was.op; o.tookReadOnly(e.Offset) {
		where := l.where(pt, id.Cluster(e.From))
		r.Violated(ReadOnly, complaint(where+" acknowledged offset "+num(e.Offset)+" to "+l.name(e.Node)+
			" with acks=all, though the batch was appended after PREPARING was stored and before STOPPED",
			"PREPARING was stored before the append", l.name(e.Peer)+" acknowledged it", o.called, e))
		if pt.in[e.From].excusedBelow >= 0 {
			r.Excused(ReadOnly, pt.in[e.From].excuse)
		}
	}
}

func judgeAppend(l *Ledger, pt *part, e *event.Event, r *Reporter) {
	seen := l.topics[pt.topic].seen[e.Node]
	if seen == record.WantNone {
		return
	}
	r.Exercised(ReadOnly)
	s := pt.replicas[e.Node]
	if s.knows && s.known == record.Stopped {
		return
	}
	knows := "has not read its mirror state"
	if s.knows {
		knows = "has read " + s.known.String() + " last"
	}
	r.Violated(ReadOnly, complaint(l.replica(pt, e.Node)+" appended client batch "+spell(e.Batch)+
		", though it sees the topic as mirrored (wanted: "+seen.String()+") and "+knows,
		"the broker sees the topic as "+seen.String()+" and "+knows, "it appended "+spell(e.Batch), 0, e))
}
