package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// cleanSwitch: when a stop begins with the source quiet (nothing above its high watermark, no open transaction), lag 0 and
// every ISR member of the destination at the leader's log end, then nothing is lost at the failover and nothing is cut at
// the failback.
//
// What stood on both sides when STOPPING was stored must stand on the destination when STOPPED is, and must not be cut from the
// old source when it is aligned to the new one, and the destination has no gap, copied from what a cleaner had left, for what it
// has never had, and the source has not any more. What the old source takes later lies beyond and may be cut. The switch is given
// up, and not judged, when the destination becomes a mirror again or its mirror is deleted, when the source's log is cut
// otherwise, and when the run goes beyond the budget of faults on either side.
type cleanSwitch struct{ perCluster[cleanStop] }

// cleanStop is a stop that began clean, by its destination.
type cleanStop struct {
	stop   stopKey
	phase  uint8
	source id.Cluster
	mirror id.Mirror
	end    int64 // of both logs when the stop began
	beyond int32 // excusedBelow of both clusters then, added
	index  uint64
}

// The phases of a clean stop.
const (
	notClean uint8 = iota
	cleanStopping
	cleanStopped
)

// Properties are those that this checker judges.
func (*cleanSwitch) Properties() []ID { return []ID{CleanSwitch} }

// Kinds are the events that it looks at.
func (*cleanSwitch) Kinds() []event.Kind {
	return []event.Kind{event.StateStored, event.StateEntered, event.EntryRemoved, event.TopicRemoved, event.Truncated,
		event.MirrorFetched}
}

// Finish has nothing left to judge.
func (*cleanSwitch) Finish(*Ledger, *Reporter) {}

// Clone copies the clean stops.
func (c *cleanSwitch) Clone() Checker { return &cleanSwitch{c.clone()} }

// AppendState appends the clean stops.
func (c *cleanSwitch) AppendState(dst []byte) []byte {
	for i := range c.rows {
		x := &c.rows[i]
		dst = words(dst, uint64(x.phase)<<16|uint64(x.source)<<8|uint64(x.mirror), uint64(x.end), uint64(x.beyond))
	}
	return dst
}

// Observe judges e.
func (c *cleanSwitch) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt, cl, ok := c.place(l, e)
	if !ok {
		return
	}
	switch e.Kind {
	case event.StateEntered:
		if record.State(e.To) == record.Stopping && pt.in[cl].current(e.Node, pt.replicas[e.Node]) {
			c.at(l, pt, cl).move(l, pt, cl, e, r)
		}
	case event.StateStored:
		if e.From != e.To && l.stored(pt.in[cl], e) {
			c.at(l, pt, cl).move(l, pt, cl, e, r)
		}
	case event.EntryRemoved:
		*c.at(l, pt, cl) = cleanStop{}
	case event.Truncated:
		if len(l.cut) > 0 && pt.in[cl].current(e.Node, pt.replicas[e.Node]) {
			c.sourceCut(l, pt, cl, e, r)
		}
	case event.MirrorFetched:
		c.failedBack(l, pt, cl, e, r)
	}
}

// move follows the state of a destination. A stop begins when STOPPING is stored, or entered where that comes first (D17).
func (x *cleanStop) move(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	switch record.State(e.To) {
	case record.Stopping:
		stop := pt.in[c].stopKey()
		if x.stop == stop {
			return
		}
		*x = cleanStop{stop: stop}
		source := l.source(c, e.Mirror)
		if end, clean := l.cleanNow(pt, c, source); clean && record.State(e.From) == record.Mirroring {
			*x = cleanStop{stop, cleanStopping, source, e.Mirror, end, beyond(pt, c, source), e.Index}
		}
	case record.Stopped:
		if x.phase == cleanStopping && x.mirror == e.Mirror {
			x.phase = cleanStopped
			x.lost(l, pt, c, e, r)
		}
	case record.Preparing:
		*x = cleanStop{}
	}
}

func beyond(pt *part, a, b id.Cluster) int32 { return pt.in[a].excusedBelow + pt.in[b].excusedBelow }

// cleanNow tells whether a stop of the mirror from source to cluster c would begin clean, and where both logs end.
func (l *Ledger) cleanNow(pt *part, c, source id.Cluster) (end int64, clean bool) {
	cp := pt.in[c]
	h := &cp.heard
	if source == noCluster || !cp.aligned || !h.known || h.leaderEpoch != cp.leaderEpoch || l.cluster(h.source) != source {
		return 0, false
	}
	d, s := l.leaderLog(pt, c), pt.replicas[h.source]
	if s == nil || !cp.current(h.node, d) || h.version != s.version || !quietSource(l, pt, s, h) {
		return 0, false
	}
	if d.HighWatermark != s.End || d.End != s.End {
		return 0, false
	}
	for n, o := range pt.replicas {
		if cp.isr.Has(id.Node(n)) && (o == nil || o.End != d.End) {
			return 0, false
		}
	}
	return s.End, true
}

// lost judges that the destination has all that stood on both sides, now that it is STOPPED.
func (x *cleanStop) lost(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	d, s := l.standingLog(pt, c), l.standingLog(pt, x.source)
	if d == nil || s == nil || s.End < x.end || x.beyond != beyond(pt, c, x.source) {
		x.phase = notClean
		return
	}
	r.Exercised(CleanSwitch)
	if over := l.recordsPassedOver(pt, d, s); len(over) > 0 {
		x.passedOver(l, pt, c, over, e, r)
		return
	}
	from := max(d.Start, s.Start)
	if d.End >= x.end && (from >= x.end || s.equal(d, from, x.end, true)) {
		x.leftOut(l, pt, c, e, r)
		return
	}
	words, facts, events := l.difference(pt, l.nodeOf(pt, s), l.nodeOf(pt, d), from, x.end)
	r.Violated(CleanSwitch, Violation{"the stop of " + l.where(pt, c) + " began clean at offset " + num(x.end) +
		", and lost something: " + words, facts, events})
}

// leftOut reports a record that the destination has never had, because a cleaner had removed it from the log that it was copied
// from on account of what the source has lost since.
func (x *cleanStop) leftOut(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	d, s := l.standingLog(pt, c), l.standingLog(pt, x.source)
	b, offset, found := l.leftOut(d, s, x.end)
	if !found {
		return
	}
	gap := l.replica(pt, l.nodeOf(pt, d)) + " has a gap at " + num(offset) + ", where a cleaner had removed " + contents(b) +
		" for what its source has not any more"
	has := l.replica(pt, l.nodeOf(pt, s)) + " has it"
	r.Violated(CleanSwitch, complaint("the stop of "+l.where(pt, c)+" began clean at offset "+num(x.end)+", and lost something: "+gap+
		", and "+has, gap, has, x.index, e))
}

// passedOver reports records that the destination's log start hides, and that its log has never held. What that cluster has had as its
// own, and lost beyond the budget of faults before it was aligned, is excused, as the alignment itself is: nobody could tell.
func (x *cleanStop) passedOver(l *Ledger, pt *part, c id.Cluster, over []*record.Batch, e *event.Event, r *Reporter) {
	cp := pt.in[c]
	i := l.lostHere(pt, c, over)
	words, facts := l.beginsAbove(pt, l.nodeOf(pt, l.standingLog(pt, c)), l.nodeOf(pt, l.standingLog(pt, x.source)), over[max(i, 0):])
	r.Violated(CleanSwitch, complaint("the stop of "+l.where(pt, c)+" began clean at offset "+num(x.end)+", and lost something: "+
		words, facts[0], facts[1], x.index, e))
	if i < 0 {
		r.Excused(CleanSwitch, cp.excuse+" took it from that cluster, and its log start hides that it was there")
	}
}

// nodeOf is the node of a replica's log.
func (l *Ledger) nodeOf(pt *part, s *Shadow) id.Node { return id.Node(slices.Index(pt.replicas, s)) }

// sourceCut judges what the leader of an old source was cut of.
func (c *cleanSwitch) sourceCut(l *Ledger, pt *part, source id.Cluster, e *event.Event, r *Reporter) {
	b := l.cut[0].batch
	for d := range pt.in {
		x := c.at(l, pt, id.Cluster(d))
		if x.phase == notClean || x.source != source || b.Last >= x.end {
			continue
		}
		back := x.phase == cleanStopped && pt.in[source].mirrored && l.aligningTo(pt.in[source], source) == id.Cluster(d)
		if back && x.beyond == beyond(pt, id.Cluster(d), source) {
			x.cutBack(l, pt, id.Cluster(d), e, r)
		}
		*x = cleanStop{}
	}
}

// cutBack judges a cut of the old source by its alignment to d. What lies below the new source's log start goes rightly, and what is
// copied again above a gap that compaction had left.
func (x *cleanStop) cutBack(l *Ledger, pt *part, d id.Cluster, e *event.Event, r *Reporter) {
	o := l.standingLog(pt, d)
	for i := range l.cut {
		b := l.cut[i].batch
		if b.Last >= x.end || o == nil || l.thinnedFor(o) {
			return
		}
		if b.Last < o.Start {
			continue
		}
		cut := l.replica(pt, e.Node) + " was cut to " + num(e.Offset) + " and lost " + contents(b)
		clean := "the stop of " + l.where(pt, d) + " began clean at offset " + num(x.end)
		r.Violated(CleanSwitch, complaint(clean+", but at the failback "+cut, clean, cut, x.index, e))
		if why := l.stateExcuse(d); why != "" {
			r.Excused(CleanSwitch, why)
		}
		return
	}
}

// failedBack takes note that the old source was aligned to the destination of a clean stop, and nothing was cut.
func (c *cleanSwitch) failedBack(l *Ledger, pt *part, source id.Cluster, e *event.Event, r *Reporter) {
	d := l.source(source, e.Mirror)
	if d == noCluster || len(c.rows) == 0 || !l.provesAligned(pt, source, e) {
		return
	}
	if x := c.at(l, pt, d); x.phase == cleanStopped && x.source == source {
		r.Exercised(CleanSwitch)
		*x = cleanStop{}
	}
}
