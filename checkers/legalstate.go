package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// legalState judges the entries of __mirror_state.
//
//   - Only edges of section 3 of the design are stored. A self-edge is always legal. STOPPING from UNKNOWN is legal under
//     one option of D46, and PAUSING from the states that MIRRORING follows under one of D25, so they are never reported.
//   - A read answers a value that was the entry's at some time between call and return: the one that was committed last,
//     or one stored since, which a read may see before it is committed (D54) and which a new coordinator may have
//     replayed and committed without saying so. A value that a later commit has replaced is stale. It is judged of the
//     leader that the metadata log names when the answer comes: whoever has been deposed and does not know may be told
//     old things by a coordinator that has been deposed with it, and what it does with them is fenced. The leader in charge
//     knows of every coordinator that a leader before it has written to, by the order of the metadata log.
//   - A write that succeeded is answered with the state epoch under which it was stored, with which the leader's next write
//     expects to follow it. One that was answered as a success and never stored is D38's and not judged here.
//   - Where the mirror was deleted, the entry ends: what is stored under its name later is a new one, that of a mirror
//     which begins anew. A read may be told that there is nothing from the deletion on, and until the tombstone is
//     committed still what was committed before it.
//   - Once a write of leader epoch n is committed, no write of a lower one is, the position record included. It is judged
//     at the commit: a deposed coordinator may append what never takes effect. A new coordinator may commit anew what is
//     committed already; that is recognised and not judged, nor is what a deposed coordinator tells late.
//
// A partition of __mirror_state that an unclean election or power losses have taken committed entries from is beyond the
// budget, as for durability.
type legalState struct {
	entries []*entryHistory // by entry number
}

// entryHistory is what may be read of one entry, and by whom it was written.
type entryHistory struct {
	committed stateValue
	stored    []stateValue    // since the last commit, oldest first
	forgot    bool            // older ones of these are not kept
	positions []positionValue // stored and not committed
	reads     []pendingRead   // under way
	written   []answerOf      // what the newest writes are to be answered
	recent    [4]stateValue   // the last commits
	commits   int
	place     positionValue // the position committed last
	highest   int32         // the highest leader epoch of a committed write
	highestBy uint64
	removed   bool // the mirror was deleted, and committed is of the one before; nothing is stored of a new one
	void      bool // the metadata log has deleted the mirror or the topic, and the tombstone is not stored
}

type stateValue struct {
	state       record.State
	epoch       int32
	run         int32
	leaderEpoch int32
}

type positionValue struct {
	epoch, run  int32
	offset      int64
	leaderEpoch int32
}

type pendingRead struct {
	op     uint32
	node   id.Node
	called uint64
	seen   []stateValue
	unsure bool // it may have been told what is not kept any more
}

// answerOf is what a write is answered: it was stored as this state, under this state epoch. A write that was sent again may
// have been stored again, and then has two.
type answerOf struct {
	op    uint32
	state record.State
	epoch int32
}

// keptValues bounds what is kept of an entry; what is older is not judged. A deposed coordinator stores one value every few
// seconds that never takes effect.
const keptValues = 32

// legalFrom is, by the new state, the set of states that it may follow (section 3 of the design).
var legalFrom = [record.States]uint16{
	record.Preparing:    from(record.Unknown, record.Stopped, record.Failed),
	record.EpochFencing: from(record.Mirroring),
	record.UleRecovery:  from(record.Mirroring),
	record.Mirroring: from(record.Preparing, record.EpochFencing, record.UleRecovery, record.Paused,
		record.Failed),
	record.Pausing:  from(record.Mirroring, record.Preparing, record.EpochFencing, record.UleRecovery),
	record.Paused:   from(record.Pausing),
	record.Stopping: ^from(record.Stopped),
	record.Stopped:  from(record.Stopping),
	record.Failed:   ^from(record.Stopped),
}

func from(states ...record.State) uint16 {
	var set uint16
	for _, s := range states {
		set |= 1 << s
	}
	return set
}

// Properties are those that this checker judges.
func (*legalState) Properties() []ID { return []ID{LegalState} }

// Kinds are the events that it looks at.
func (*legalState) Kinds() []event.Kind {
	return []event.Kind{event.StateStored, event.StateCommitted, event.StateReadCalled, event.StateReadReturned,
		event.StateWriteReturned, event.PositionStored, event.PositionCommitted, event.EntryRemoved, event.MirrorRemoved,
		event.TopicRemoved, event.Crashed}
}

// Finish has nothing left to judge.
func (*legalState) Finish(*Ledger, *Reporter) {}

// Observe judges e.
func (c *legalState) Observe(l *Ledger, e *event.Event, r *Reporter) {
	switch e.Kind {
	case event.Crashed:
		for _, h := range c.entries {
			h.reads = slices.DeleteFunc(h.reads, func(p pendingRead) bool { return p.node == e.Node })
		}
		return
	case event.MirrorRemoved, event.TopicRemoved:
		c.void(l, e)
		return
	}
	cl := l.cluster(e.Node)
	if cl == noCluster || l.toldLate(cl, e) {
		return
	}
	pt := l.part(e.Partition)
	h := c.entry(l.entry(pt.in[cl], e.Mirror).number)
	switch e.Kind {
	case event.EntryRemoved:
		if record.MirrorStateKind(e.From) == record.MirrorPartitionState {
			c.begin(l, h)
		}
	case event.StateStored:
		judgeEdge(l, pt, cl, e, r)
		if h.removed {
			h.removed, h.committed, h.stored, h.forgot = false, stateValue{}, nil, false
		}
		h.store(stateValue{record.State(e.To), e.Sequence, int32(e.Offset), e.LeaderEpoch})
		h.expect(answerOf{e.Op, record.State(e.To), e.Sequence})
	case event.StateCommitted:
		h.commit(l, pt, cl, stateValue{record.State(e.To), e.Sequence, int32(e.Offset), e.LeaderEpoch}, e, r)
	case event.PositionStored:
		if len(h.positions) == keptValues {
			h.positions = slices.Delete(h.positions, 0, 1)
		}
		h.positions = append(h.positions, positionValue{e.BatchEpoch, e.Sequence, e.Offset, e.LeaderEpoch})
	case event.PositionCommitted:
		h.commitPosition(l, pt, cl, e, r)
	case event.StateReadCalled:
		h.call(e)
	case event.StateReadReturned:
		h.answer(l, pt, cl, e, r)
	case event.StateWriteReturned:
		h.answerWrite(l, pt, cl, e, r)
	}
}

// violated reports v of an entry of cluster c, whose __mirror_state may have lost what was committed, beyond the budget of faults.
func violated(l *Ledger, c id.Cluster, v Violation, r *Reporter) {
	r.Violated(LegalState, v)
	if why := l.stateExcuse(c); why != "" {
		r.Excused(LegalState, why)
	}
}

func (c *legalState) entry(number int) *entryHistory {
	for len(c.entries) <= number {
		c.entries = append(c.entries, &entryHistory{highest: -1})
	}
	return c.entries[number]
}

// void takes in that the metadata log has deleted a mirror or a topic. What is stored of it is of a former life from now on, and who
// asks for that of the next one may be told UNKNOWN before the tombstones are there, which a full disk may delay.
func (c *legalState) void(l *Ledger, e *event.Event) {
	cl := l.cluster(e.Node)
	if cl == noCluster {
		return
	}
	for _, pt := range l.parts {
		for _, x := range pt.in[cl].mirrors {
			if e.Kind == event.MirrorRemoved && x.mirror == e.Mirror || e.Kind == event.TopicRemoved && pt.id.Topic == e.Partition.Topic {
				h := c.entry(x.number)
				h.void = true
				h.show(stateValue{})
			}
		}
	}
}

// begin makes h, a new entry, what follows the one that a tombstone has just ended.
func (c *legalState) begin(l *Ledger, h *entryHistory) {
	old := c.entry(l.was.entry)
	h.committed, h.reads, old.reads = old.committed, old.reads, nil
	h.removed, h.stored, h.forgot = true, []stateValue{{}}, false
	h.show(stateValue{})
}

func judgeEdge(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	before, after := record.State(e.From), record.State(e.To)
	r.Exercised(LegalState)
	if before == after || int(after) < record.States && legalFrom[after]&(1<<before) != 0 {
		return
	}
	edge := before.String() + " → " + after.String()
	violated(l, c, complaint(l.where(pt, c)+": coordinator "+l.name(e.Node)+" stored the illegal edge "+edge+" for "+
		l.name(e.Peer)+" of leader epoch "+num(int64(e.LeaderEpoch)),
		"the stored state was "+before.String(), "it stored "+after.String(), 0, e), r)
}

func (h *entryHistory) store(v stateValue) {
	if len(h.stored) == keptValues {
		h.stored, h.forgot = slices.Delete(h.stored, 0, 1), true
	}
	h.stored = append(h.stored, v)
	h.show(v)
}

// show lets the reads under way see v. One that sees too many values was given up long ago.
func (h *entryHistory) show(v stateValue) {
	h.reads = slices.DeleteFunc(h.reads, func(p pendingRead) bool { return len(p.seen) > 2*keptValues })
	for i := range h.reads {
		h.reads[i].seen = append(h.reads[i].seen, v)
	}
}

// commit takes v as committed, with all that was stored before it.
func (h *entryHistory) commit(l *Ledger, pt *part, c id.Cluster, v stateValue, e *event.Event, r *Reporter) {
	if h.removed { // it stands before the tombstone, which is not committed yet
		h.committed = v
		h.show(v)
		return
	}
	if slices.Contains(h.recent[:], v) {
		return
	}
	h.recent[h.commits%len(h.recent)] = v
	h.commits++
	h.committed = v
	if i := slices.Index(h.stored, v); i >= 0 {
		h.stored, h.forgot = slices.Delete(h.stored, 0, i+1), false
	}
	h.show(v)
	h.took(l, pt, c, v.leaderEpoch, v.state.String(), e, r)
}

// commitPosition takes the position as committed, with all that was stored before it.
func (h *entryHistory) commitPosition(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	i := slices.IndexFunc(h.positions, func(p positionValue) bool {
		return p == positionValue{e.BatchEpoch, e.Sequence, e.Offset, e.LeaderEpoch}
	})
	if i < 0 {
		return
	}
	v := h.positions[i]
	h.positions = slices.Delete(h.positions, 0, i+1)
	if v.epoch == h.place.epoch && v.offset == h.place.offset && v.run == h.place.run {
		return // written again as it was (D5=keep-first), which changes nothing
	}
	h.place = v
	h.took(l, pt, c, v.leaderEpoch, "position epoch "+num(int64(v.epoch)), e, r)
}

// took judges that a write of leader epoch epoch has taken effect.
func (h *entryHistory) took(l *Ledger, pt *part, c id.Cluster, epoch int32, what string, e *event.Event, r *Reporter) {
	if h.highest >= 0 {
		r.Exercised(LegalState)
	}
	if epoch < h.highest {
		violated(l, c, complaint(l.where(pt, c)+": a write of "+what+" by leader epoch "+num(int64(epoch))+
			" took effect at coordinator "+l.name(e.Node)+" after one of leader epoch "+num(int64(h.highest)),
			"a write of leader epoch "+num(int64(h.highest))+" was committed", "one of leader epoch "+num(int64(epoch))+
				" was committed after it", h.highestBy, e), r)
		return
	}
	h.highest, h.highestBy = epoch, e.Index
}

// call begins a read. A node has one under way; an older one was given up.
func (h *entryHistory) call(e *event.Event) {
	h.reads = slices.DeleteFunc(h.reads, func(p pendingRead) bool { return p.node == e.Node })
	seen := append([]stateValue{h.committed}, h.stored...)
	if h.void {
		seen = append(seen, stateValue{})
	}
	h.reads = append(h.reads, pendingRead{e.Op, e.Node, e.Index, seen, h.forgot})
}

// answer judges what a read was told. A read that was refused tells nothing, nor does that of a deposed leader.
func (h *entryHistory) answer(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	i := slices.IndexFunc(h.reads, func(p pendingRead) bool { return p.op == e.Op && p.node == e.Node })
	if i < 0 {
		return
	}
	read := h.reads[i]
	h.reads = slices.Delete(h.reads, i, i+1)
	if cp := pt.in[c]; e.Cause != codeOK || cp.registered && cp.leader != e.Node {
		return
	}
	got := record.State(e.To)
	for _, v := range read.seen {
		if v.state == got && (got == record.Unknown || v.epoch == e.Sequence && v.run == int32(e.Offset)) {
			r.Exercised(LegalState)
			return
		}
	}
	if read.unsure {
		return
	}
	could := ""
	for _, v := range read.seen {
		could += " " + v.state.String() + "#" + num(int64(v.epoch))
	}
	answer := got.String() + "#" + num(int64(e.Sequence))
	violated(l, c, complaint(l.where(pt, c)+": "+l.name(e.Node)+" was told that the state is "+answer+
		", which it was at no time between call and return; it was"+could,
		"the entry was"+could, "the read answered "+answer, read.called, e), r)
}

func (h *entryHistory) expect(a answerOf) {
	if len(h.written) == keptValues {
		h.written = slices.Delete(h.written, 0, 1)
	}
	h.written = append(h.written, a)
}

// answerWrite judges what a write was told.
func (h *entryHistory) answerWrite(l *Ledger, pt *part, c id.Cluster, e *event.Event, r *Reporter) {
	told, was, right := answerOf{e.Op, record.State(e.To), e.Sequence}, "", false
	h.written = slices.DeleteFunc(h.written, func(a answerOf) bool {
		if a.op != e.Op {
			return false
		}
		was += " " + a.state.String() + "#" + num(int64(a.epoch))
		right = right || a == told
		return true
	})
	if e.Cause != codeOK || was == "" {
		return
	}
	r.Exercised(LegalState)
	if right {
		return
	}
	answer := told.state.String() + "#" + num(int64(told.epoch))
	violated(l, c, complaint(l.where(pt, c)+": "+l.name(e.Node)+" was told that its write was stored as "+answer+
		", but it was stored as"+was, "it was stored as"+was, "the write was answered "+answer, 0, e), r)
}

// Clone copies the entries.
func (c *legalState) Clone() Checker {
	d := &legalState{entries: make([]*entryHistory, len(c.entries))}
	for i, h := range c.entries {
		u := *h
		u.stored, u.positions, u.reads = slices.Clone(h.stored), slices.Clone(h.positions), slices.Clone(h.reads)
		u.written = slices.Clone(h.written)
		for k := range u.reads {
			u.reads[k].seen = slices.Clone(u.reads[k].seen)
		}
		d.entries[i] = &u
	}
	return d
}

// AppendState appends what may still be read and what may no longer be written.
func (c *legalState) AppendState(dst []byte) []byte {
	for _, h := range c.entries {
		dst = words(dst, uint64(h.highest), uint64(len(h.stored)), uint64(len(h.positions)), uint64(len(h.reads)),
			id.Bit64(h.removed)|id.Bit64(h.forgot)<<1|id.Bit64(h.void)<<2, uint64(len(h.written)))
		for _, a := range h.written {
			dst = words(dst, uint64(a.op)<<8|uint64(a.state), uint64(a.epoch))
		}
		dst = h.committed.append(dst)
		for k := range h.recent { // the oldest first
			dst = h.recent[(h.commits+k)%len(h.recent)].append(dst)
		}
		dst = words(dst, uint64(h.place.epoch), uint64(h.place.run), uint64(h.place.offset))
		for _, v := range h.stored {
			dst = v.append(dst)
		}
		for _, p := range h.positions {
			dst = words(dst, uint64(p.epoch), uint64(p.run), uint64(p.offset), uint64(p.leaderEpoch))
		}
		for _, p := range h.reads {
			dst = words(dst, uint64(p.op), uint64(p.node), uint64(len(p.seen))<<1|id.Bit64(p.unsure))
			for _, v := range p.seen {
				dst = v.append(dst)
			}
		}
	}
	return dst
}

func (v stateValue) append(dst []byte) []byte {
	return words(dst, uint64(v.state), uint64(v.epoch), uint64(v.run), uint64(v.leaderEpoch))
}
