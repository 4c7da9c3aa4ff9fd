package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// replicasAligned: from the entry into MIRRORING to the next alignment no ISR member, and with unclean support no live
// replica, holds below the leader's high watermark a batch that an alignment or a later divergence has removed from the
// leader's log, however it came back. What the leader appends anew is not removed any more, and neither is what its source
// has: that is how a batch comes back rightly.
//
// ULE_RECOVERY is such an alignment: it waits for all replicas. A stop that comes meanwhile waits for none, as in PREPARING, and
// one outside the ISR may come back later with what was removed, until it has followed.
//
// A divergence is being cut until every ISR member has followed. A new leader that has not followed yet leads with what is
// to be cut, and is cut in its turn: this is no coming back, unless the source answers it without divergence.
//
// It is judged for all replicas when MIRRORING is stored, when leader or ISR change and when a replica has recovered, and
// for what the leader's high watermark passes when it moves. Without unclean support, or before ULE_RECOVERY has waited for all,
// an unclean election makes a replica the ISR of which nothing is promised.
type replicasAligned struct{ perCluster[removals] }

// removals is what was removed from the leaders' logs of a partition.
type removals struct {
	open       bool // MIRRORING is stored, and no PREPARING since
	waits      bool // ULE_RECOVERY is stored, and no MIRRORING since: replicas outside the ISR need not have followed
	elected    bool // the leader has changed, and the source has not answered the new one without divergence yet
	unpromised bool
	gone       []removed // by base offset
}

type removed struct {
	batch *record.Batch
	left  bool   // every ISR member has followed: it must not come back
	index uint64 // of Truncated
}

// Properties are those that this checker judges.
func (*replicasAligned) Properties() []ID { return []ID{ReplicasAligned} }

// Kinds are the events that it looks at.
func (*replicasAligned) Kinds() []event.Kind {
	return []event.Kind{event.StateStored, event.Truncated, event.Appended, event.HighWatermark, event.PartitionChanged,
		event.BecameLeader, event.Recovered, event.StartMoved, event.MirrorFetched, event.TopicRemoved}
}

// Finish has nothing left to judge.
func (*replicasAligned) Finish(*Ledger, *Reporter) {}

// Clone copies what was removed.
func (c *replicasAligned) Clone() Checker {
	d := &replicasAligned{c.clone()}
	for i := range d.rows {
		d.rows[i].gone = slices.Clone(d.rows[i].gone)
	}
	return d
}

// AppendState appends what was removed.
func (c *replicasAligned) AppendState(dst []byte) []byte {
	for i := range c.rows {
		x := &c.rows[i]
		dst = append(dst, id.Bit(x.open)|id.Bit(x.unpromised)<<1|id.Bit(x.elected)<<2|id.Bit(x.waits)<<3)
		for _, g := range x.gone {
			dst = words(dst, uint64(g.batch.Base)<<1|id.Bit64(g.left), uint64(g.batch.CRC))
		}
		dst = words(dst, uint64(len(x.gone)))
	}
	return dst
}

// Observe judges e.
func (c *replicasAligned) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt, cl, ok := c.place(l, e)
	if !ok {
		return
	}
	cp := pt.in[cl]
	if cp.era == 0 {
		return // it was never aligned
	}
	x := c.at(l, pt, cl)
	switch e.Kind {
	case event.StateStored:
		if e.From == e.To || !l.stored(cp, e) {
			return
		}
		switch record.State(e.To) {
		case record.Preparing:
			x.open, x.waits = false, false
		case record.UleRecovery:
			x.waits = true
		case record.Mirroring:
			x.open, x.waits = true, false
			if from := record.State(e.From); from == record.Preparing || from == record.UleRecovery {
				x.settle(l, pt, cl, r)
				x.unpromised = false // whoever an unclean election has brought has followed
			}
			x.judgeAll(l, pt, cl, e, r)
		}
		return
	case event.Truncated:
		x.remove(l, pt, cl, e)
		x.follow(pt, cl, e.Offset)
		return
	}
	if len(x.gone) > 0 {
		x.observe(l, pt, cl, e, r)
	}
}

// observe goes on where something was removed.
func (x *removals) observe(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	cp := pt.in[c]
	switch e.Kind {
	case event.Appended:
		if event.Origin(e.Cause) != event.FromLeader && cp.current(e.Node, pt.replicas[e.Node]) {
			x.takeBack(&l.topology, e.Batch)
		}
	case event.HighWatermark:
		if s := pt.replicas[e.Node]; x.open && cp.current(e.Node, s) && s.HighWatermark > l.was.hw {
			x.judge(l, pt, c, e, l.was.hw, r)
		}
	case event.StartMoved:
		x.prune(l, pt, c)
	case event.MirrorFetched:
		if x.elected && l.provesAligned(pt, c, e) {
			x.elected = false
			x.settle(l, pt, c, r)
			x.judgeAll(l, pt, c, e, r)
		}
	case event.PartitionChanged:
		x.elected = x.elected || event.ChangeCause(e.Cause) != event.IsrChange
		if event.ChangeCause(e.Cause) == event.UncleanElection && (x.waits || !l.uncleanSupport(pt, c)) {
			x.unpromised = true
		}
		x.judgeAll(l, pt, c, e, r)
		x.follow(pt, c, 0)
	default:
		x.judgeAll(l, pt, c, e, r)
	}
}

// remove takes what the leader has cut from its log while it is aligned to another cluster, or follows it. What its source had
// and has deleted is not cut as another history, where the log is started anew at the source's log start: it may come back as it
// does where a replica is elected uncleanly that has not heard of a log start.
func (x *removals) remove(l *Ledger, pt *part, c id.Cluster, e *event.Event) {
	cp := pt.in[c]
	if !cp.mirrored || event.TruncateCause(e.Cause) == event.CutToLastStable || !cp.current(e.Node, pt.replicas[e.Node]) {
		return
	}
	for i := range l.cut {
		b := l.cut[i].batch
		if event.TruncateCause(e.Cause) == event.RestartedAt && b.Last < e.Offset && l.wasTrimmed(pt, b) {
			continue
		}
		if at, found := x.find(&l.topology, b); !found {
			x.gone = slices.Insert(x.gone, at, removed{batch: b, index: e.Index})
		}
	}
}

// settle takes note that whoever had to follow has followed. What the leader and its source both hold then has come back rightly, be
// it that the source had deleted it and has it again, and is another matter from here on.
func (x *removals) settle(l *Ledger, pt *part, c id.Cluster, r *Reporter) {
	leader, source := l.leaderLog(pt, c), l.lastSource(pt, c)
	if leader != nil && source != nil {
		n := len(x.gone)
		x.gone = slices.DeleteFunc(x.gone, func(g removed) bool {
			return leader.holds(g.batch) && l.topology.mirroredAt(source, g.batch) != nil
		})
		if len(x.gone) < n {
			r.Exercised(ReplicasAligned)
		}
	}
	for i := range x.gone {
		x.gone[i].left = true
	}
}

// follow takes note of what no ISR member holds any more, from offset on.
func (x *removals) follow(pt *part, c id.Cluster, offset int64) {
	for i := x.from(offset); i < len(x.gone); i++ {
		g := &x.gone[i]
		held := false
		for n, s := range pt.replicas {
			held = held || s != nil && pt.in[c].isr.Has(id.Node(n)) && s.holds(g.batch)
		}
		g.left = g.left || !held
	}
}

// find is the place of b among what was removed.
func (x *removals) find(t *Topology, b *record.Batch) (int, bool) {
	at := x.from(b.Base)
	for i := at; i < len(x.gone) && x.gone[i].batch.Base == b.Base; i++ {
		if t.mirrors(x.gone[i].batch, b) {
			return i, true
		}
	}
	return at, false
}

// from is the index of the first removed batch that starts at or beyond offset.
func (x *removals) from(offset int64) int {
	at, _ := slices.BinarySearchFunc(x.gone, offset, func(g removed, o int64) int { return int(g.batch.Base - o) })
	return at
}

// takeBack takes note that the leader has appended b anew.
func (x *removals) takeBack(t *Topology, b *record.Batch) {
	if i, found := x.find(t, b); found {
		x.gone = slices.Delete(x.gone, i, i+1)
	}
}

// prune drops what is below every log start of the cluster.
func (x *removals) prune(l *Ledger, pt *part, c id.Cluster) {
	low, held := int64(0), false
	for n, s := range pt.replicas {
		if s != nil && l.nodes[n].cluster == c && len(s.log) > 0 && (!held || s.Start < low) {
			low, held = s.Start, true
		}
	}
	if held {
		x.gone = slices.DeleteFunc(x.gone, func(g removed) bool { return g.batch.Last < low })
	}
}

// judgeAll judges whatever is below the high watermark of the present leader.
func (x *removals) judgeAll(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	if len(x.gone) > 0 && x.open {
		x.judge(l, pt, c, e, 0, r)
	}
}

// judge looks for removed batches that end at or beyond offset low, on each replica that must not hold them. A gap that compaction has
// left, and the source's as it was mirrored, holds nothing.
func (x *removals) judge(l *Ledger, pt *part, c id.Cluster, e *event.Event, low int64, r *Reporter) {
	cp := pt.in[c]
	leader := l.leaderLog(pt, c)
	if leader == nil || !cp.current(cp.leader, leader) {
		return
	}
	i := x.from(low)
	for i > 0 && x.gone[i-1].batch.Last >= low {
		i--
	}
	source := l.lastSource(pt, c)
	for ; i < len(x.gone) && x.gone[i].batch.Base < leader.HighWatermark; i++ {
		b := x.gone[i].batch
		if b.Last >= leader.HighWatermark || b.Base < leader.Start || !x.gone[i].left && leader.holds(b) {
			continue
		}
		r.Exercised(ReplicasAligned)
		for n, s := range pt.replicas {
			if s != nil && x.bound(l, pt, c, id.Node(n)) && s.holds(b) && !s.cleaned(b) && l.topology.mirroredAt(source, b) == nil {
				x.complain(l, pt, c, id.Node(n), i, e, r)
			}
		}
	}
}

// lastSource is the leader's log of the cluster that c was aligned to last, nil if there is none.
func (l *Ledger) lastSource(pt *part, c id.Cluster) *Shadow {
	cp := pt.in[c]
	source := l.aligningTo(cp, c)
	if source == noCluster && cp.stop.active {
		source = l.source(c, cp.stop.mirror)
	}
	if source == noCluster {
		return nil
	}
	return l.standingLog(pt, source)
}

// bound tells whether replica n must not hold what was removed.
func (x *removals) bound(l *Ledger, pt *part, c id.Cluster, n id.Node) bool {
	return l.nodes[n].cluster == c && (pt.in[c].isr.Has(n) || l.uncleanSupport(pt, c) && !x.waits && !l.nodes[n].down)
}

func (x *removals) complain(l *Ledger, pt *part, c id.Cluster, n id.Node, i int, e *event.Event, r *Reporter) {
	g, who := x.gone[i], "live replica "
	if pt.in[c].isr.Has(n) {
		who = "ISR member "
	}
	holds := who + l.replica(pt, n) + " holds " + contents(g.batch)
	gone := "an alignment or a divergence had removed it from the leader's log"
	r.Violated(ReplicasAligned, complaint(holds+" below the high watermark "+num(l.leaderLog(pt, c).HighWatermark)+" of leader "+
		l.name(pt.in[c].leader)+", though "+gone, gone, holds, g.index, e))
	if x.unpromised {
		r.Excused(ReplicasAligned, pt.in[c].excuse)
	}
}
