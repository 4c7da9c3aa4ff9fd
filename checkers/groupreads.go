package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// groupReads is what a group has read of a partition, on whichever cluster: a record is told by its offset and by what it
// is, so that one that was mirrored is the same.
type groupReads struct {
	group id.Node
	slot  int32
	seen  []seenRecord // the first of each batch; ordered by offset
	until int64        // an admin has set the offset to this, above the log end of then: what has come below it is passed over on purpose
	on    []groupOn
}

// seenRecord is a record that the group has read, or has given up by a reset.
type seenRecord struct {
	offset int64
	record record.Record
	last   int64 // of its batch
}

// groupOn is how a group goes on on one cluster.
type groupOn struct {
	cluster id.Cluster
	fetched bool  // it has a committed offset, and takes it as its position next
	resets  bool  // it has none, or one that is out of range: its reset policy gives the next position
	due     bool  // it has resumed from a committed offset, and read nothing since
	again   int64 // records that it has read there, and had read before
	skipped int64 // records that it has passed over by resuming there
}

// resumed is what a read of a group that has resumed tells: how many records stand between the last one that it had read of
// this history and its position, and which is the first.
type resumed struct {
	judged  bool
	skipped int64
	first   *record.Batch
}

// reads is what the group has read of the partition, made when there is nothing.
func (l *Ledger) groupReads(group id.Node, slot int32) *groupReads {
	for i := range l.groups {
		if g := &l.groups[i]; g.group == group && g.slot == slot {
			return g
		}
	}
	l.groups = append(l.groups, groupReads{group: group, slot: slot})
	return &l.groups[len(l.groups)-1]
}

func (g *groupReads) at(c id.Cluster) *groupOn {
	for i := range g.on {
		if g.on[i].cluster == c {
			return &g.on[i]
		}
	}
	g.on = append(g.on, groupOn{cluster: c})
	return &g.on[len(g.on)-1]
}

// find is where b's first record is, or would be, among those that were read.
func (g *groupReads) find(b *record.Batch) (int, bool) {
	i, _ := slices.BinarySearchFunc(g.seen, b.Base, func(x seenRecord, offset int64) int { return int(x.offset - offset) })
	for ; i < len(g.seen) && g.seen[i].offset == b.Base; i++ {
		if g.seen[i].record == b.Records[0] {
			return i, true
		}
	}
	return i, false
}

// add notes that b was read; again tells whether it had been before.
func (g *groupReads) add(b *record.Batch) (again bool) {
	i, found := g.find(b)
	if !found {
		g.seen = slices.Insert(g.seen, i, seenRecord{b.Base, b.Records[0], b.Last})
	}
	return found
}

// forget drops the batches that end below offset low. One that begins there may reach above it.
func (g *groupReads) forget(low int64) {
	g.seen = slices.DeleteFunc(g.seen, func(x seenRecord) bool { return x.last < low })
}

// giveUp notes that the group passes over what stands below offset on cluster c on purpose: an admin has set its offset, or
// its reset policy its position.
func (l *Ledger) giveUp(g *groupReads, c id.Cluster, offset int64) {
	s := l.leaderLog(l.parts[g.slot], c)
	if s != nil && offset > s.End {
		g.until = max(g.until, offset)
	}
	for i := 0; s != nil && i < len(s.log) && s.log[i].batch.Base < offset; i++ {
		if b := s.log[i].batch; len(b.Records) > 0 {
			g.add(b)
		}
	}
}

// foldGroupMoved takes a position that is not where the last read ended.
func (l *Ledger) foldGroupMoved(e *event.Event) {
	if e.To != codeOK || !l.client(e.Node).group {
		return
	}
	g := l.groupReads(e.Node, l.part(e.Partition).slot)
	o := g.at(id.Cluster(e.From))
	switch {
	case o.fetched:
		o.due = true
	case o.resets:
		o.due = false
		l.giveUp(g, o.cluster, e.Offset)
	}
	o.fetched, o.resets = false, false
}

// foldGroupRead takes what a group's member has read from the log s; known tells whether that log is still as it was when it
// answered.
func (l *Ledger) foldGroupRead(pt *part, s *Shadow, known bool, e *event.Event) {
	if !l.client(e.Node).group {
		return
	}
	g := l.groupReads(e.Node, pt.slot)
	o := g.at(id.Cluster(e.From))
	if o.due && known {
		l.was.resumed = g.passedOver(s, e.Offset)
		o.skipped += l.was.resumed.skipped
	}
	o.due = false
	for i := s.position(e.Offset); i < len(s.log) && s.log[i].batch.Base < e.End; i++ {
		if b := s.log[i].batch; len(b.Records) > 0 && g.add(b) {
			o.again += int64(len(b.Records))
		}
	}
}

// passedOver walks down from a position to the last record that the group has read, or to the log start.
func (g *groupReads) passedOver(s *Shadow, position int64) resumed {
	r := resumed{judged: true}
	for i := len(s.log) - 1; i >= 0; i-- {
		b := s.log[i].batch
		if b.Last >= position || b.Base < g.until || len(b.Records) == 0 {
			continue
		}
		if _, found := g.find(b); found {
			break
		}
		r.skipped += int64(len(b.Records))
		r.first = b
	}
	return r
}

// forgetResumed takes in that the topic was deleted on cluster c, and the committed offsets with it. A member that goes on at its
// position in another copy of the topic has not resumed there.
func (l *Ledger) forgetResumed(slot int32, c id.Cluster) {
	for i := range l.groups {
		for k := range l.groups[i].on {
			if o := &l.groups[i].on[k]; o.cluster == c && l.groups[i].slot == slot {
				o.fetched, o.resets, o.due = false, false, false
			}
		}
	}
}

// GroupReads are how many records of p a group has read again on cluster c, and how many it has passed over there by resuming
// from a committed offset.
func (l *Ledger) GroupReads(group id.Node, c id.Cluster, p id.Partition) (again, skipped int64) {
	pt := l.seek(p)
	for i := range l.groups {
		if g := &l.groups[i]; pt != nil && g.group == group && g.slot == pt.slot {
			for _, o := range g.on {
				if o.cluster == c {
					return o.again, o.skipped
				}
			}
		}
	}
	return 0, 0
}

// groupReports are those of a partition, in the order of the groups' first reads.
func (l *Ledger) groupReports(pt *part) (list []GroupReport) {
	for i := range l.groups {
		g := &l.groups[i]
		for _, o := range g.on {
			if g.slot == pt.slot && o.again+o.skipped > 0 {
				list = append(list, GroupReport{g.group, o.cluster, o.again, o.skipped})
			}
		}
	}
	return list
}

func (g *groupReads) clone() groupReads {
	c := *g
	c.seen, c.on = slices.Clone(g.seen), slices.Clone(g.on)
	return c
}

func (g *groupReads) appendState(l *Ledger, dst []byte) []byte {
	dst = words(dst, uint64(g.group)<<32|uint64(l.parts[g.slot].id.Word()), uint64(len(g.seen)), uint64(len(g.on)), uint64(g.until))
	for _, x := range g.seen {
		dst = words(dst, uint64(x.offset), x.record.Key, x.record.Value)
	}
	for _, o := range g.on {
		dst = words(dst, uint64(o.cluster)<<8|uint64(id.Bit(o.fetched)|id.Bit(o.resets)<<1|id.Bit(o.due)<<2), uint64(o.again), uint64(o.skipped))
	}
	return dst
}
