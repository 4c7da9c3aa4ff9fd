package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// exactCut: from the entry into PREPARING to the first fetch answered without divergence, the destination leader's log
// shrinks to the longest common prefix with the source. What the leaders cut is compared with the source's log when they
// cut it, and again when the fetch has been answered: a data batch that the source had and has is common, because no
// record is written twice. Control batches say nothing, since the resets of two clusters at one offset are equal bytes.
//
// That nothing which differs has stayed is judged when the answer is applied, provided that the source's log has not been
// cut since it gave it. Then the destination's log must not begin above records that the source has either, unless a log start
// has passed them in a log that held them: they would never be copied. Control batches there are of nothing that the log holds,
// so that one which begins just above them is right. A cut may begin where compaction had left a gap, and what is common above that is
// copied again; where it keeps a gap that the cleaner had made for what was cut, the source must not have what is missing there.
//
// Excused is only an answer -1 from a cluster that holds no position of this partition from a mirror whose source was the asker, and
// what the leader that was told so cuts by it. Any other -1 violates, unless what is stored reads as -1 itself; a lookup that fails
// excuses nothing.
type exactCut struct{ perCluster[alignment] }

// alignment is one entry into PREPARING and what has been cut since.
type alignment struct {
	active    bool
	run       int32       // stored or entered last
	excused   bool        // the source answered -1 last, and rightly: everything is copied anew
	asker     id.Node     // the broker that it answered so
	own       bool        // the destination goes by a position of its own, whatever the source answers (D22)
	cut       []commonCut // oldest first; none that such an answer excuses, or a gap that compaction has left
	orphans   []orphan    // what a cleaner, here or where it was copied from, has removed for what was cut
	forgotten bool        // it begins anew, although the one of this run has ended: what was stored since is lost
}

// commonCut is a batch that was cut although the source had it.
type commonCut struct {
	batch      *record.Batch
	node       id.Node
	to         int64
	index      uint64
	byPosition bool // to the last mirrored position, and not where the source's answer diverges
}

// Properties are those that this checker judges.
func (*exactCut) Properties() []ID { return []ID{ExactCut} }

// Kinds are the events that it looks at.
func (*exactCut) Kinds() []event.Kind {
	return []event.Kind{event.StateStored, event.StateEntered, event.PositionRecalled, event.LookupReturned, event.Truncated, event.MirrorFetched}
}

// Finish has nothing left to judge.
func (*exactCut) Finish(*Ledger, *Reporter) {}

// Clone copies the alignments under way.
func (c *exactCut) Clone() Checker {
	d := &exactCut{c.clone()}
	for i := range d.rows {
		d.rows[i].cut, d.rows[i].orphans = slices.Clone(d.rows[i].cut), slices.Clone(d.rows[i].orphans)
	}
	return d
}

// AppendState appends the alignments under way.
func (c *exactCut) AppendState(dst []byte) []byte {
	for i := range c.rows {
		x := &c.rows[i]
		dst = words(dst, uint64(x.run)<<4|uint64(id.Bit(x.active)|id.Bit(x.excused)<<1|id.Bit(x.own)<<2|id.Bit(x.forgotten)<<3), uint64(x.asker))
		for _, g := range x.cut {
			dst = words(dst, uint64(g.batch.Base), uint64(g.batch.CRC), id.Bit64(g.byPosition))
		}
		for _, g := range x.orphans {
			dst = words(dst, uint64(g.offset), uint64(g.batch.CRC))
		}
		dst = words(dst, uint64(len(x.cut)), uint64(len(x.orphans)))
	}
	return dst
}

// Observe judges e.
func (c *exactCut) Observe(l *Ledger, e *event.Event, r *Reporter) {
	cl := l.cluster(e.Node)
	if cl == noCluster {
		return
	}
	pt := l.part(e.Partition)
	cp := pt.in[cl]
	x := c.at(l, pt, cl)
	switch e.Kind {
	case event.StateStored:
		if record.State(e.To) == record.Preparing && l.stored(cp, e) {
			forgotten := x.forgotten || !x.active && cp.began != e.Index && record.State(e.From) != record.Mirroring
			x.begin(e)
			x.forgotten = forgotten
		}
		return
	case event.StateEntered:
		if record.State(e.To) == record.Preparing && cp.current(e.Node, pt.replicas[e.Node]) {
			x.begin(e)
		}
		return
	}
	if !x.active || cp.leader != e.Node {
		return
	}
	switch e.Kind {
	case event.PositionRecalled:
		x.own = e.Cause == 1
	case event.LookupReturned:
		x.lookedUp(l, pt, cl, e, r)
	case event.Truncated:
		x.noteCut(l, pt, cl, e)
	case event.MirrorFetched:
		if l.provesAligned(pt, cl, e) {
			x.end(l, pt, cl, e, r)
		}
	}
}

// begin takes note that PREPARING is stored or entered, of which either may come first (D17). When it is stored again the
// alignment goes on, in a run with another number.
func (x *alignment) begin(e *event.Event) {
	if again := e.From == e.To || x.run == int32(e.Offset); !x.active || !again {
		*x = alignment{active: true}
	}
	x.run = int32(e.Offset)
}

// lookedUp judges an answer -1.
func (x *alignment) lookedUp(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	source := l.source(c, e.Mirror)
	x.excused = false
	if e.To != codeOK || source == noCluster || !l.topology.PositionEpoch && !l.topology.PositionOffset {
		return
	}
	r.Exercised(ExactCut)
	if e.Cause == 1 {
		return
	}
	from := pt.in[source]
	for i := range from.mirrors {
		if m := &from.mirrors[i]; !m.position.nothing() && l.source(source, m.mirror) == c {
			has := "the position of epoch " + num(int64(m.position.epoch)) + ", offset " + num(m.position.offset)
			why := l.where(pt, source) + " stores " + has + " under mirror " + l.topology.Names.Mirror(m.mirror)
			r.Violated(ExactCut, complaint(l.replica(pt, e.Node)+" was told by "+l.name(e.Peer)+" that nothing is in common (-1), but "+
				why, why, l.name(e.Peer)+" answered -1", 0, e))
			x.unpromised(l, source, r)
			return
		}
	}
	x.excused, x.asker = !x.own && !from.hasPosition(l, source, c), e.Node
}

// hasPosition tells whether the cluster source has stored a position from a mirror of cluster c, be it that nothing is there.
func (cp *clusterPart) hasPosition(l *Ledger, source, c id.Cluster) bool {
	for i := range cp.mirrors {
		if m := &cp.mirrors[i]; m.position.known && l.source(source, m.mirror) == c {
			return true
		}
	}
	return false
}

// unpromised says so if the __mirror_state of cluster c may have lost something beyond the budget of faults.
func (*alignment) unpromised(l *Ledger, c id.Cluster, r *Reporter) {
	if why := l.stateExcuse(c); why != "" {
		r.Excused(ExactCut, why)
	}
}

// noteCut keeps what the leader has cut and the source has. What lies below the log start of a broker of the source, at which
// the log is started anew, is not the source's: it was deleted there, be it that another leader is elected before it hears of
// that, and has it still.
func (x *alignment) noteCut(l *Ledger, pt *part, c id.Cluster, e *event.Event) {
	source, byPosition := l.aligningTo(pt.in[c], c), event.TruncateCause(e.Cause) == event.AlignedToLME
	if source == noCluster || !pt.in[c].current(e.Node, pt.replicas[e.Node]) || byPosition && x.excused && x.asker == e.Node {
		return
	}
	for _, g := range l.orphans(pt.replicas[e.Node]) {
		g.node, g.to, g.index = e.Node, e.Offset, e.Index
		x.orphans = append(x.orphans, g)
	}
	o, deleted := l.standingLog(pt, source), int64(0)
	if l.thinnedFor(o) {
		return
	}
	for n, s := range pt.replicas {
		if s != nil && event.TruncateCause(e.Cause) == event.RestartedAt && s.Start == e.Offset && l.cluster(id.Node(n)) == source {
			deleted = e.Offset
		}
	}
	for i := range l.cut {
		if b := l.cut[i].batch; b.IsData() && b.Last >= deleted && l.topology.mirroredAt(o, b) != nil {
			x.cut = append(x.cut, commonCut{b, e.Node, e.Offset, e.Index, byPosition})
		}
	}
}

// end judges the alignment when the source has answered without divergence.
func (x *alignment) end(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	r.Exercised(ExactCut)
	cut, orphans, forgotten := x.cut, x.orphans, x.forgotten
	*x = alignment{}
	s, o := pt.replicas[e.Node], pt.replicas[e.Peer]
	if s == nil || o == nil {
		return
	}
	if p := &pt.in[c].probe; p.source == e.Peer && p.offset == e.Offset && p.cuts == o.cuts && s.End == e.Offset {
		if from := max(s.Start, o.Start); from < e.Offset && !o.equal(s, from, e.Offset, true) {
			words, facts, events := l.difference(pt, e.Peer, e.Node, from, e.Offset)
			r.Violated(ExactCut, Violation{"alignment has left " + l.replica(pt, e.Node) + " with what its source " +
				l.replica(pt, e.Peer) + " does not have: " + words, facts, events})
			return
		}
		if over := l.recordsPassedOver(pt, s, o); len(over) > 0 {
			words, facts := l.beginsAbove(pt, e.Node, e.Peer, over)
			r.Violated(ExactCut, complaint("alignment has left too high a log start: "+words, facts[0], facts[1], 0, e))
			if l.lostHere(pt, c, over) < 0 {
				r.Excused(ExactCut, pt.in[c].excuse+" took it from that cluster, and its log start hides that it was there")
			}
			return
		}
	}
	for _, g := range orphans {
		x, y := s.at(g.batch.Base), o.at(g.batch.Base)
		if x == nil || x.holdsAt(g.offset) || y == nil || !y.holdsAt(g.offset) || !l.topology.mirrors(x.batch, y.batch) {
			continue
		}
		what := l.replica(pt, g.node) + " was cut to " + num(g.to) + " and keeps a gap at " + num(g.offset) +
			", where a cleaner had removed " + contents(g.batch) + " for what was cut"
		has := l.replica(pt, e.Peer) + " has it"
		r.Violated(ExactCut, complaint(what+", although its source "+has, what, has, g.index, e))
		return
	}
	for _, g := range cut {
		if l.topology.mirroredAt(s, g.batch) != nil || l.topology.mirroredAt(o, g.batch) == nil {
			continue
		}
		what := l.replica(pt, g.node) + " was cut to " + num(g.to) + " and lost " + contents(g.batch)
		has := l.replica(pt, e.Peer) + " has it"
		r.Violated(ExactCut, complaint(what+" by its alignment, although its source "+has, what, has, g.index, e))
		if x.unpromised(l, l.cluster(e.Peer), r); forgotten {
			x.unpromised(l, c, r) // what it goes by now is of the last stop, and the log has followed the source since
		}
		if from := pt.in[l.cluster(e.Peer)]; g.byPosition && from.excusedAt > from.stop.index && from.stop.leaves(g.batch) &&
			l.source(l.cluster(e.Peer), from.stop.mirror) == c {
			r.Excused(ExactCut, from.excuse+" has brought it back, and the position is of the log before")
		}
		return
	}
}
