package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// crossEntry is one entry of __mirror_state: what is stored of a partition under a mirror.
type crossEntry struct {
	cluster   id.Cluster
	mirror    id.Mirror
	partition id.Partition
	home      id.Partition  // the partition of __mirror_state that holds it, once known
	broken    bool          // what was committed may be gone, and the coordinator's log has not been read again
	life      int64         // the newest record.MirrorState.Life that was committed
	retired   int64         // records of this life and of earlier ones are of a mirror or topic that was deleted; -1: none
	value     entryState    // that is committed
	place     positionValue // that is committed, if placed
	placed    bool
	ops       []crossWrite
	stored    []storedWrite
	committed []committedWrite   // of which it is not said yet whose they are
	window    window[entryState] // it begins with the value base
	base      entryState
}

// entryState is an entry as the specification sees it.
type entryState struct {
	state   record.State
	epoch   int32 // the state epoch
	run     int32
	highest int32 // the highest leader epoch of which a write took effect
}

func (s entryState) describe(*id.Names) string {
	text := s.state.String() + "#" + num(int64(s.epoch)) + ", run " + num(int64(s.run))
	if s.highest >= 0 {
		text += ", written in leader epoch " + num(int64(s.highest))
	}
	return text
}

// crossWrite is a read or a write that a partition's leader has called.
type crossWrite struct {
	op        uint32
	node      id.Node
	called    uint64
	kind      event.Kind // of the call
	act       writeAct
	lost      bool // its caller does not wait for it any more
	committed uint64
}

// storedWrite is a record that a coordinator has appended and that is not committed.
type storedWrite struct {
	op    uint32
	batch *record.Batch
	at    uint64
}

// committedWrite is a record that was committed.
type committedWrite struct {
	record  record.MirrorState
	batch   *record.Batch
	node    id.Node // the coordinator
	at      uint64
	highest int32 // the highest leader epoch before it
	again   bool  // a position that is the same as the one before
}

// internalAppend is the newest append of a coordinator: StateStored and PositionStored follow it.
type internalAppend struct {
	partition id.Partition
	batch     *record.Batch
}

// writeAct is a write of a state, which expects the state epoch before its own, or of a position.
type writeAct struct {
	who         string
	position    bool
	to          record.State
	epoch       int32 // the state epoch that it got
	run         int32
	leaderEpoch int32
}

func (a *writeAct) apply(s entryState) (entryState, bool) {
	if a.leaderEpoch < s.highest {
		return s, false
	}
	s.highest = a.leaderEpoch
	if a.position {
		return s, true
	}
	legal := a.epoch == s.epoch+1 && (s.state == a.to || legalFrom[a.to]&(1<<s.state) != 0)
	s.state, s.epoch, s.run = a.to, a.epoch, a.run
	return s, legal
}

func (a *writeAct) String() string {
	if a.position {
		return "the write of the position by " + a.who + " in leader epoch " + num(int64(a.leaderEpoch))
	}
	return "the write of " + a.to.String() + "#" + num(int64(a.epoch)) + " by " + a.who + " in leader epoch " +
		num(int64(a.leaderEpoch))
}

// readAct is a read of the state, or what is committed at the end of a window.
type readAct struct {
	who        string
	state      record.State
	epoch, run int32
}

func (a *readAct) apply(s entryState) (entryState, bool) {
	return s, s.state == a.state && (a.state == record.Unknown || s.epoch == a.epoch && s.run == a.run)
}

func (a *readAct) String() string {
	return "the read of " + a.state.String() + "#" + num(int64(a.epoch)) + " by " + a.who
}

func (c *CrossCheck) entry(cl id.Cluster, m id.Mirror, p id.Partition) *crossEntry {
	for _, o := range c.entries {
		if o.partition == p && o.cluster == cl && o.mirror == m {
			return o
		}
	}
	none := entryState{highest: -1}
	o := &crossEntry{cluster: cl, mirror: m, partition: p, retired: -1, value: none, base: none}
	c.entries = append(c.entries, o)
	return o
}

// retireEntries ends what is told of entries whose mirror or topic was deleted. Brokers that have not heard of it may still
// read and write the old ones, and those that have read nothing, whether a tombstone is stored or not: which is which no
// event says, so they are not judged until the coordinator's log is read anew.
func (c *CrossCheck) retireEntries(cl id.Cluster, of func(*crossEntry) bool) {
	for _, o := range c.entries {
		if o.cluster == cl && of(o) {
			o.broken, o.retired = true, o.life
			o.value, o.placed = entryState{highest: -1}, false
			o.window.drop(c, 0)
		}
	}
}

// observeState takes in what leaders called and heard, and what coordinators stored. Node is a broker of the
// destination.
func (c *CrossCheck) observeState(e *event.Event) {
	cl := c.cluster(e.Node)
	if cl == noCluster {
		return
	}
	switch e.Kind {
	case event.StateReadCalled, event.StateWriteCalled, event.PositionWriteCalled:
		c.entry(cl, e.Mirror, e.Partition).call(c, e)
	case event.StateReadReturned, event.StateWriteReturned, event.PositionWriteReturned:
		o := c.entry(cl, e.Mirror, e.Partition)
		o.answer(c, e)
		c.cutEntry(o, e.Index)
	case event.StateStored, event.PositionStored:
		o, at := c.entry(cl, e.Mirror, e.Partition), c.last[e.Node]
		if at.batch != nil {
			o.home = at.partition
			o.store(at.batch, e)
			c.cutEntry(o, e.Index)
		}
		if e.Kind == event.StateStored {
			c.mirror(c.log(cl, e.Partition), record.State(e.To), e)
		}
	}
}

// call begins an operation. A leader has one under way for a partition; it does not wait for an older one any more.
func (o *crossEntry) call(c *CrossCheck, e *event.Event) {
	o.abandon(e.Node)
	w := crossWrite{op: e.Op, node: e.Node, called: e.Index, kind: e.Kind}
	w.act = writeAct{who: c.topology.Names.Node(e.Node), position: e.Kind == event.PositionWriteCalled,
		to: record.State(e.To), run: int32(e.Offset), leaderEpoch: e.LeaderEpoch}
	if w.act.position {
		w.act.run = int32(e.End)
	}
	o.ops = append(o.ops, w)
}

// abandon forgets the reads of a node, and marks its writes: they may still take effect.
func (o *crossEntry) abandon(n id.Node) {
	o.ops = slices.DeleteFunc(o.ops, func(w crossWrite) bool { return w.node == n && w.kind == event.StateReadCalled })
	for i := len(o.ops) - 1; i >= 0; i-- {
		switch w := &o.ops[i]; {
		case w.node != n || w.lost:
		case w.committed > 0:
			o.tell(*w, w.committed)
			o.ops = slices.Delete(o.ops, i, i+1)
		default:
			w.lost = true
		}
	}
	if len(o.ops) > keptUnknown {
		o.ops = o.ops[1:] // should it be committed still, it is told as a repeat
	}
}

// abandonEntries follows an election: brokers that do not lead a partition wait for nothing any more.
func (c *CrossCheck) abandonEntries(cl id.Cluster, p id.Partition, n id.Node, leads bool) {
	for _, o := range c.entries {
		if o.cluster != cl || o.partition != p {
			continue
		}
		for i := len(o.ops) - 1; i >= 0; i-- {
			if i < len(o.ops) && (o.ops[i].node != n) == leads {
				o.abandon(o.ops[i].node)
			}
		}
	}
}

// answer takes an outcome. Only a success says anything: a write that was refused may have been stored by an attempt
// before.
func (o *crossEntry) answer(c *CrossCheck, e *event.Event) {
	i := slices.IndexFunc(o.ops, func(w crossWrite) bool { return w.op == e.Op })
	if i < 0 {
		return
	}
	w := o.ops[i]
	switch {
	case w.kind == event.StateReadCalled:
		o.ops = slices.Delete(o.ops, i, i+1)
		log := c.log(o.cluster, o.partition)
		deposed := log.leaderEpoch >= 0 && log.leader != e.Node // its read is not judged (legalState)
		if e.Cause == codeOK && !o.broken && !deposed {
			o.window.tell(w.node, &readAct{w.act.who, record.State(e.To), e.Sequence, int32(e.Offset)}, w.called, e.Index)
		}
	case e.Cause != codeOK:
		o.ops[i].lost = true
	case o.holds(w.op) || w.committed > 0:
		// One that was answered as a success and never stored changed nothing (D38=ignore).
		o.ops = slices.Delete(o.ops, i, i+1)
		if w.kind == event.StateWriteCalled {
			w.act.epoch = e.Sequence
		}
		o.tell(w, e.Index)
	}
}

func (o *crossEntry) tell(w crossWrite, ret uint64) {
	if !o.broken {
		o.window.tell(w.node, &w.act, w.called, ret)
	}
}

func (o *crossEntry) holds(op uint32) bool {
	return slices.ContainsFunc(o.stored, func(s storedWrite) bool { return s.op == op })
}

// commitStates takes what the high watermark of a partition of __mirror_state has passed.
func (c *CrossCheck) commitStates(home *crossLog, b *record.Batch, e *event.Event) {
	for i := range b.States {
		s := &b.States[i]
		o := c.entry(home.cluster, s.Mirror, s.Partition)
		o.home = home.partition
		o.commit(s, b, e)
		c.cutEntry(o, e.Index)
	}
}

// commit makes a record the entry's. Whose it is may be said only after it: where the coordinator is its own ISR, the
// high watermark rises at the append, and StateStored follows.
func (o *crossEntry) commit(s *record.MirrorState, b *record.Batch, e *event.Event) {
	o.tellRepeats()
	if o.life = max(o.life, s.Life); s.Tombstone || s.Life <= o.retired {
		return
	}
	x := committedWrite{record: *s, batch: b, node: e.Node, at: e.Index, highest: o.value.highest}
	x.again = o.take(s)
	i := slices.IndexFunc(o.stored, func(w storedWrite) bool { return w.batch.Same(b) })
	if i < 0 {
		o.committed = append(o.committed, x)
		return
	}
	w := o.stored[i]
	o.stored = slices.Delete(o.stored, i, i+1)
	o.effect(w, &x)
}

// store takes note of whose record a coordinator has appended.
func (o *crossEntry) store(b *record.Batch, e *event.Event) {
	w := storedWrite{op: e.Op, batch: b, at: e.Index}
	for i := range o.committed {
		if x := o.committed[i]; x.batch.Same(b) {
			o.committed = slices.Delete(o.committed, i, i+1)
			o.effect(w, &x)
			return
		}
	}
	o.stored = append(o.stored, w)
}

// effect gives a committed record to the operation that it is of. A position that is written again as it was changes
// nothing, and fences nobody (D5). A write whose outcome its caller never learnt took effect after it was stored.
func (o *crossEntry) effect(s storedWrite, x *committedWrite) {
	i := slices.IndexFunc(o.ops, func(w crossWrite) bool { return w.op == s.op && w.committed == 0 })
	if i < 0 {
		o.tellRepeat(x)
		return
	}
	w := &o.ops[i]
	w.committed, w.act.epoch, w.act.leaderEpoch = x.at, x.record.StateEpoch, x.record.LeaderEpoch
	if x.again {
		w.act.leaderEpoch = x.highest
	}
	if w.lost {
		w.called = min(s.at, x.at)
		o.tell(*w, x.at)
		o.ops = slices.Delete(o.ops, i, i+1)
	}
}

// tellRepeats tells of the committed records that are of no operation: an attempt that was sent again was stored again.
func (o *crossEntry) tellRepeats() {
	for i := range o.committed {
		o.tellRepeat(&o.committed[i])
	}
	o.committed = o.committed[:0]
}

func (o *crossEntry) tellRepeat(x *committedWrite) {
	if s := &x.record; !x.again && !o.told(s) {
		o.tell(crossWrite{node: x.node, called: x.at, act: writeAct{"a repeat", s.Kind == record.LastMirroredEpochs, s.State,
			s.StateEpoch, s.Run, s.LeaderEpoch}}, x.at)
	}
}

// told tells whether a write was acknowledged, and told, before it was committed.
func (o *crossEntry) told(s *record.MirrorState) bool {
	for i := range o.window.ops {
		a, ok := o.window.ops[i].Input.(*writeAct)
		if ok && a.position == (s.Kind == record.LastMirroredEpochs) && a.leaderEpoch == s.LeaderEpoch && a.run == s.Run &&
			(a.position || a.to == s.State && a.epoch == s.StateEpoch) {
			return true
		}
	}
	return false
}

// take makes a record the entry's value. again tells that it is a position that stands there already.
func (o *crossEntry) take(s *record.MirrorState) (again bool) {
	if s.Tombstone || s.Life <= o.retired {
		return false
	}
	v, place := &o.value, positionValue{epoch: s.Epoch, run: s.Run, offset: s.Offset}
	switch {
	case s.Kind == record.MirrorPartitionState:
		v.state, v.epoch, v.run = s.State, s.StateEpoch, s.Run
	case o.placed && place == o.place:
		return true
	default:
		o.place, o.placed = place, true
	}
	v.highest = max(v.highest, s.LeaderEpoch)
	return false
}

// cutEntry ends the window if nothing is pending: nobody waits, and all that was stored is committed.
func (c *CrossCheck) cutEntry(o *crossEntry, at uint64) {
	end := c.log(o.cluster, o.home).end
	// Below the end of what is committed another record stands in its place.
	o.stored = slices.DeleteFunc(o.stored, func(s storedWrite) bool { return s.batch.Base < end })
	if !o.window.large && len(o.window.ops) < cutAfter || len(o.stored)+len(o.committed) > 0 ||
		slices.ContainsFunc(o.ops, func(w crossWrite) bool { return !w.lost }) {
		return
	}
	c.closeEntry(o, at)
}

// closeEntry judges the window, and holds it against what is committed at its end.
func (c *CrossCheck) closeEntry(o *crossEntry, at uint64) {
	o.tellRepeats()
	for i := range o.ops {
		if w := &o.ops[i]; !w.lost && w.committed > 0 {
			o.tell(*w, w.committed)
		}
	}
	if len(o.window.ops) > 0 {
		o.window.claim(id.None, &readAct{"the log of __mirror_state", o.value.state, o.value.epoch, o.value.run}, at)
	}
	o.window.close(c, "mirror "+c.topology.Names.Mirror(o.mirror)+" of "+c.where(o.cluster, o.partition), o.base, at)
	o.base = o.value
}

// breakOffEntries ends the telling of the entries that a partition of __mirror_state holds.
func (c *CrossCheck) breakOffEntries(home *crossLog) {
	for _, o := range c.entries {
		if o.cluster == home.cluster && o.home == home.partition {
			o.broken = true
			o.window.drop(c, 0)
		}
	}
}

// beginEntries reads a partition of __mirror_state anew, as its new leader does.
func (c *CrossCheck) beginEntries(home *crossLog) {
	for _, o := range c.entries {
		if o.cluster == home.cluster && o.home == home.partition {
			o.value, o.placed, o.stored = entryState{highest: -1}, false, nil
			o.ops, o.committed = nil, nil
		}
	}
	for _, b := range home.chain {
		for i := range b.States {
			o := c.entry(home.cluster, b.States[i].Mirror, b.States[i].Partition)
			o.home = home.partition
			o.take(&b.States[i])
		}
	}
	for _, o := range c.entries {
		if o.cluster == home.cluster && o.home == home.partition {
			o.broken, o.base = false, o.value
			o.window = window[entryState]{from: home.begun + 1}
		}
	}
}
