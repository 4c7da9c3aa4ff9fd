package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// stopKeepsMirrored: no batch that is below the destination's high watermark when the first step of a stop is done is
// removed by that stop, unless it belongs to a transaction that is open there. A transaction whose marker has not come
// below that high watermark is open (section 4 of the design, the last stable offset).
type stopKeepsMirrored struct{ perCluster[keptByStop] }

// keptByStop is what the present stop of a partition must keep.
type keptByStop struct {
	stop  stopKey
	begun bool  // a step is done
	below int64 // the high watermark then
	index uint64
}

// Properties are those that this checker judges.
func (*stopKeepsMirrored) Properties() []ID { return []ID{StopKeepsMirrored} }

// Kinds are the events that it looks at.
func (*stopKeepsMirrored) Kinds() []event.Kind {
	return []event.Kind{event.StopStepDone, event.Truncated}
}

// Finish has nothing left to judge.
func (*stopKeepsMirrored) Finish(*Ledger, *Reporter) {}

// Clone copies what the stops must keep.
func (c *stopKeepsMirrored) Clone() Checker { return &stopKeepsMirrored{c.clone()} }

// AppendState appends what the stops must keep.
func (c *stopKeepsMirrored) AppendState(dst []byte) []byte {
	for i := range c.rows {
		dst = words(dst, uint64(c.rows[i].below), id.Bit64(c.rows[i].begun))
	}
	return dst
}

// Observe judges e.
func (c *stopKeepsMirrored) Observe(l *Ledger, e *event.Event, r *Reporter) {
	cl := l.cluster(e.Node)
	if cl == noCluster {
		return
	}
	pt := l.part(e.Partition)
	cp := pt.in[cl]
	if !cp.stop.active {
		return
	}
	x := c.at(l, pt, cl)
	if x.stop != cp.stopKey() {
		*x = keptByStop{stop: cp.stopKey()}
	}
	switch s := pt.replicas[e.Node]; {
	case !cp.current(e.Node, s):
	case e.Kind == event.StopStepDone && !x.begun:
		x.begun, x.below, x.index = true, s.HighWatermark, e.Index
		if s.HighWatermark > s.Start {
			r.Exercised(StopKeepsMirrored)
		}
	case e.Kind == event.Truncated && x.begun:
		x.judge(l, pt, e, r)
	}
}

// judge looks at what the leader has cut.
func (x *keptByStop) judge(l *Ledger, pt *part, e *event.Event, r *Reporter) {
	for i := range l.cut {
		b := l.cut[i].batch
		if b.Last >= x.below {
			return
		}
		if b.Transactional && b.IsData() && !x.ended(l, i) {
			continue
		}
		cut := l.replica(pt, e.Node) + " was cut to " + num(e.Offset) + " by the stop"
		r.Violated(StopKeepsMirrored, complaint(cut+" and lost "+contents(b)+", which stood below its high watermark "+num(x.below)+
			" and belongs to no open transaction",
			"the high watermark was "+num(x.below)+" when the first step of the stop was done", cut, x.index, e))
		return
	}
}

// ended tells whether the transaction of the i-th batch that was cut had ended below the high watermark: behind it stands
// a marker of its producer, or a reset where that closes transactions.
func (x *keptByStop) ended(l *Ledger, i int) bool {
	producer := l.cut[i].batch.ProducerID
	for _, g := range l.cut[i+1:] {
		b := g.batch
		if b.Last >= x.below {
			return false
		}
		if b.Control == record.MirrorPidReset && l.topology.ResetClosesTransactions ||
			b.Transactional && !b.IsData() && b.ProducerID == producer {
			return true
		}
	}
	return false
}
