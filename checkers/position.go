package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// positionDurable: when STOPPED is visible the last mirrored position is stored and is the boundary, which is where the
// successor's log ended after any truncation by the stop and before its first own batch; and it does not change until the
// next stop, or until the mirror is deleted.
//
// The boundary is read off the log in charge: it is where the first batch stands that a leader appended for this stop. The
// epoch that is right is that of the newest batch below it, the offset is the boundary. Where no batch is below it nothing
// may be stored, or what reads as -1. A stop that comes before the source has agreed to the log records either nothing, so
// that the position of the run before it stays, or how far the logs are in common.
//
// STOPPED is visible once it is committed, or was read from a coordinator that has replayed it. That the position stays is
// judged at each commit, and whenever a new coordinator has replayed that partition of __mirror_state. With marker=none
// nothing may be stored.
type positionDurable struct {
	own     perCluster[ownBatch]
	entries []storedPosition // by entry number
}

// ownBatch is the first batches that were appended for a stop, of each leader whose log held none of those before. Which one
// of them counts shows when STOPPED is visible: the log in charge holds one. Never changed in place.
type ownBatch struct {
	stop  stopKey
	first []*record.Batch
}

// in is the one that stands in log s, nil if none does.
func (x *ownBatch) in(s *Shadow) *record.Batch {
	var found *record.Batch
	for _, b := range x.first {
		if s.holds(b) && (found == nil || b.Base < found.Base) {
			found = b
		}
	}
	return found
}

// storedPosition is what a visible STOPPED has made of an entry's position.
type storedPosition struct {
	sealed bool
	at     mirrorPosition
	index  uint64       // of the event that made STOPPED visible
	home   id.Partition // of __mirror_state; where the position was stored last
}

// Properties are those that this checker judges.
func (*positionDurable) Properties() []ID { return []ID{PositionDurable} }

// Kinds are the events that it looks at.
func (*positionDurable) Kinds() []event.Kind {
	return []event.Kind{event.Appended, event.StateStored, event.StateCommitted, event.StateReadReturned,
		event.PositionStored, event.PositionCommitted, event.EntryRemoved, event.CoordinatorLoaded,
		event.TopicRemoved}
}

// Finish has nothing left to judge.
func (*positionDurable) Finish(*Ledger, *Reporter) {}

// Clone copies what was stored.
func (c *positionDurable) Clone() Checker {
	return &positionDurable{own: c.own.clone(), entries: slices.Clone(c.entries)}
}

// AppendState appends what must not change.
func (c *positionDurable) AppendState(dst []byte) []byte {
	for i := range c.own.rows {
		list := c.own.rows[i].first
		for _, b := range list {
			dst = words(dst, uint64(b.Base), uint64(b.CRC))
		}
		dst = append(dst, byte(len(list)))
	}
	for i := range c.entries {
		x := &c.entries[i]
		dst = words(x.at.append(dst), uint64(x.home.Word())<<1|id.Bit64(x.sealed))
	}
	return dst
}

// Observe judges e.
func (c *positionDurable) Observe(l *Ledger, e *event.Event, r *Reporter) {
	if e.Kind == event.Appended && event.Origin(e.Cause) != event.FromStop {
		return
	}
	pt, cl, ok := c.own.place(l, e)
	if !ok {
		return
	}
	cp := pt.in[cl]
	switch e.Kind {
	case event.Appended:
		c.appended(l, pt, cl, e)
		return
	case event.CoordinatorLoaded:
		if !cp.deposed(e.Node) {
			c.loaded(l, pt, cl, e, r)
		}
		return
	}
	m := l.entry(cp, e.Mirror)
	x := c.entry(m.number)
	if l.toldLate(cl, e) {
		return
	}
	switch e.Kind {
	case event.StateStored:
		if record.State(e.To) == record.Stopping && e.From != e.To && l.stored(cp, e) {
			x.sealed = false
		}
	case event.StateCommitted, event.StateReadReturned:
		visible := e.Kind == event.StateCommitted || e.Cause == codeOK
		if record.State(e.To) == record.Stopped && visible && !x.sealed && l.stored(cp, e) {
			c.seal(l, pt, cl, m, e, r)
		}
	case event.PositionStored:
		if home := l.nodes[e.Node].states; home != nil {
			x.home = *home
		}
	case event.PositionCommitted:
		if x.sealed {
			x.changed(l, pt, cl, m.position, e, r)
		}
	case event.EntryRemoved:
		x.sealed = false
	}
}

func (c *positionDurable) entry(number int) *storedPosition {
	for len(c.entries) <= number {
		c.entries = append(c.entries, storedPosition{})
	}
	return &c.entries[number]
}

// appended keeps the first batch that a leader has appended for the stop, if its log holds none yet. A leader that has been
// deposed and does not know may append one as well: it counts if that leader, with its log, is elected again.
func (c *positionDurable) appended(l *Ledger, pt *part, cl id.Cluster, e *event.Event) {
	s := pt.replicas[e.Node]
	if s == nil || e.LeaderEpoch < pt.in[cl].eraFloor {
		return
	}
	if x := c.ownBatch(l, pt, cl); x.in(s) == nil {
		x.first = append(x.first[:len(x.first):len(x.first)], e.Batch)
	}
}

// ownBatch is that of the present stop.
func (c *positionDurable) ownBatch(l *Ledger, pt *part, cl id.Cluster) *ownBatch {
	x := c.own.at(l, pt, cl)
	if stop := pt.in[cl].stopKey(); x.stop != stop {
		*x = ownBatch{stop: stop}
	}
	return x
}

// seal judges the position at the moment at which STOPPED became visible.
func (c *positionDurable) seal(l *Ledger, pt *part, cl id.Cluster, m *mirrorEntry, e *event.Event, r *Reporter) {
	cp, x := pt.in[cl], c.entry(m.number)
	x.sealed, x.at, x.index = true, m.position, e.Index
	s := l.standingLog(pt, cl)
	if s == nil || !cp.stop.active || cp.stop.mirror != m.mirror || cp.stop.run != m.run {
		return
	}
	r.Exercised(PositionDurable)
	boundary := s.End
	if first := c.ownBatch(l, pt, cl).in(s); first != nil {
		boundary = first.Base
	}
	where := "the boundary is " + num(boundary)
	if !cp.aligned {
		boundary = l.agreed(pt, cl, s, boundary)
		where = "the logs, which were not aligned, are known to be equal up to " + num(boundary)
	}
	want := mirrorPosition{}
	if !l.topology.PositionEpoch && !l.topology.PositionOffset {
		where = "the marker is none"
	} else if i := len(there(s.log[:s.position(boundary)])); i > 0 {
		want = mirrorPosition{there(s.log[:s.position(boundary)])[i-1].now.LeaderEpoch, boundary, m.mirror, true, m.run}
	}
	has := m.position
	if !cp.aligned && (!has.known || has.run != m.run) || l.topology.positionIs(has, want, m.run) {
		return
	}
	stores := "stores " + l.topology.spellPosition(has)
	if has.known && has.run != m.run {
		stores += " of the earlier run " + num(int64(has.run))
	}
	right := where + ", where the position is " + l.topology.spellPosition(want)
	r.Violated(PositionDurable, complaint(l.where(pt, cl)+" is STOPPED and "+stores+", but "+right, right, "it "+stores, 0, e))
	why := l.stateExcuse(cl)
	if cp.excusedAt > cp.stop.index {
		why = cp.excuse // the log may have lost since what the position stands for
	}
	if why != "" {
		r.Excused(PositionDurable, why)
	}
}

// agreed is up to where log s of cluster c, which was stopped before it was aligned, is that of its source.
func (l *Ledger) agreed(pt *part, c id.Cluster, s *Shadow, boundary int64) int64 {
	source := l.source(c, pt.in[c].stop.mirror)
	if source == noCluster {
		return s.Start
	}
	if o := l.standingLog(pt, source); o != nil {
		return l.common(s, o, boundary, false)
	}
	return boundary
}

// positionIs tells whether a stored position is the right one of the run, in what D1 stores of it.
func (t *Topology) positionIs(has, want mirrorPosition, run int32) bool {
	if has.nothing() || !want.known {
		return has.nothing() && !want.known
	}
	return has.run == run && (!t.PositionEpoch || has.epoch == want.epoch) && (!t.PositionOffset || has.offset == want.offset)
}

// spellPosition says what D1 stores of p.
func (t *Topology) spellPosition(p mirrorPosition) string {
	switch {
	case p.nothing():
		return "nothing"
	case !t.PositionOffset:
		return "epoch " + num(int64(p.epoch))
	case !t.PositionEpoch:
		return "offset " + num(p.offset)
	}
	return "epoch " + num(int64(p.epoch)) + ", offset " + num(p.offset)
}

// changed judges what the position is now against what it was when STOPPED became visible.
func (x *storedPosition) changed(l *Ledger, pt *part, c id.Cluster, now mirrorPosition, e *event.Event, r *Reporter) {
	r.Exercised(PositionDurable)
	if now == x.at {
		return
	}
	was, is := "it was "+l.topology.spellPosition(x.at)+" when STOPPED was visible", "it is "+l.topology.spellPosition(now)
	r.Violated(PositionDurable, complaint("the last mirrored position of "+l.where(pt, c)+" has changed after STOPPED: "+was+
		", and "+is+" at coordinator "+l.name(e.Node), was, is, x.index, e))
	if why := l.stateExcuse(c); why != "" {
		r.Excused(PositionDurable, why)
	}
	x.at = now
}

// loaded judges what a new coordinator has replayed of the positions that it must have.
func (c *positionDurable) loaded(l *Ledger, pt *part, cl id.Cluster, e *event.Event, r *Reporter) {
	s := pt.replicas[e.Node]
	if s == nil {
		return
	}
	for _, y := range l.index {
		data := l.parts[y.slot]
		for _, m := range data.in[cl].mirrors {
			if x := c.entry(m.number); x.sealed && x.at.known && x.home == pt.id {
				x.changed(l, data, cl, s.positionOf(m.mirror, data.id), e, r)
			}
		}
	}
}

// positionOf is the newest position of p under mirror m that this log of __mirror_state holds.
func (s *Shadow) positionOf(m id.Mirror, p id.Partition) mirrorPosition {
	for i := len(s.log) - 1; i >= 0; i-- {
		for k := len(s.log[i].batch.States) - 1; k >= 0; k-- {
			if x := &s.log[i].batch.States[k]; x.Kind == record.LastMirroredEpochs && x.Mirror == m && x.Partition == p {
				if x.Tombstone {
					return mirrorPosition{}
				}
				return mirrorPosition{x.Epoch, x.Offset, m, true, x.Run}
			}
		}
	}
	return mirrorPosition{}
}
