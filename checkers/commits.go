package checkers

import (
	"math"
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// groupCommit is what a group has committed of a partition on a cluster, below the high watermark of __consumer_offsets.
type groupCommit struct {
	cluster id.Cluster
	group   id.Node
	slot    int32 // of the partition
	offset  int64 // -1: nothing, or a tombstone
	epoch   int32
	origin  record.CommitOrigin
	bare    []int64 // every offset that was committed without an epoch; appended to, never changed in place
	lowest  int64   // of all that it has ever committed there
}

// foldOffsetCommitted takes in a committed offset, or its tombstone.
func (l *Ledger) foldOffsetCommitted(c id.Cluster, e *event.Event) {
	slot := l.part(e.Partition).slot
	x := l.committed(e.Peer, c, slot)
	if x == nil {
		l.commits = append(l.commits, groupCommit{cluster: c, group: e.Peer, slot: slot, lowest: math.MaxInt64})
		x = &l.commits[len(l.commits)-1]
	}
	x.offset, x.epoch, x.origin = e.Offset, e.BatchEpoch, record.CommitOrigin(e.Cause)
	if e.Offset >= 0 {
		x.lowest = min(x.lowest, e.Offset)
	}
	if e.BatchEpoch < 0 && !slices.Contains(x.bare, e.Offset) {
		x.bare = append(x.bare[:len(x.bare):len(x.bare)], e.Offset)
	}
}

func (l *Ledger) committed(group id.Node, c id.Cluster, slot int32) *groupCommit {
	for i := range l.commits {
		if x := &l.commits[i]; x.slot == slot && x.group == group && x.cluster == c {
			return x
		}
	}
	return nil
}

// CommittedOffset is what a group has committed of p on cluster c, with the leader epoch of the record before it, -1 where
// none was given; ok is false if it has committed nothing.
func (l *Ledger) CommittedOffset(group id.Node, c id.Cluster, p id.Partition) (offset int64, epoch int32, ok bool) {
	if pt := l.seek(p); pt != nil {
		if x := l.committed(group, c, pt.slot); x != nil && x.offset >= 0 {
			return x.offset, x.epoch, true
		}
	}
	return -1, -1, false
}

func (x *groupCommit) appendState(l *Ledger, dst []byte) []byte {
	for _, offset := range x.bare {
		dst = words(dst, uint64(offset))
	}
	return words(dst, uint64(len(x.bare)), uint64(x.cluster)<<48|uint64(x.group)<<40|uint64(x.origin)<<32|uint64(l.parts[x.slot].id.Word()),
		uint64(x.offset), uint64(uint32(x.epoch)), uint64(x.lowest))
}
