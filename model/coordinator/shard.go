package coordinator

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// shard is one partition of __mirror_state that this broker leads.
type shard struct {
	partition id.Partition
	replayed  bool  // the log has been read from its start
	goal      int64 // loaded once the high watermark has reached the log end of the election
	loaded    bool
	held      bool    // at a point: it goes on when the world resumes
	stale     bool    // entries may be of a mirror or a topic that is gone: see sweep
	entries   []entry // ordered by mirror and partition
	pending   []write // appended, not below the high watermark yet, in offset order
}

// entry is what is stored of one partition under one mirror: the newest value of each kind, and the newest that is below
// the high watermark.
type entry struct {
	mirror          id.Mirror
	partition       id.Partition
	state, position value
	highest         int32 // the highest leader epoch that a stored record carries
}

type value struct {
	newest, committed       record.MirrorState
	hasNewest, hasCommitted bool
}

// read is the value as D54 shows it, if it is of this life.
func (v *value) read(life int64, committed bool) (record.MirrorState, bool) {
	r, ok := v.newest, v.hasNewest
	if committed {
		r, ok = v.committed, v.hasCommitted
	}
	if !ok || r.Life != life {
		return record.MirrorState{}, false
	}
	return r, true
}

// write is a record on its way to be committed, and whom to answer then.
type write struct {
	end         int64 // offset after the record
	record      record.MirrorState
	to          id.Node // id.None: answered already, or read in loading
	correlation uint32
}

// find is the entry of (x, p), made when there is none.
func (s *shard) find(x id.Mirror, p id.Partition) *entry {
	low, high := 0, len(s.entries)
	for low < high {
		middle := (low + high) / 2
		if e := &s.entries[middle]; e.mirror < x || e.mirror == x && e.partition.Less(p) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(s.entries) && s.entries[low].mirror == x && s.entries[low].partition == p {
		return &s.entries[low]
	}
	s.entries = append(s.entries, entry{})
	copy(s.entries[low+1:], s.entries[low:])
	s.entries[low] = entry{mirror: x, partition: p, highest: -1}
	return &s.entries[low]
}

// kind is the value of e that a record of kind k is about.
func (e *entry) kind(k record.MirrorStateKind) *value {
	if k == record.LastMirroredEpochs {
		return &e.position
	}
	return &e.state
}

// take makes r the newest value of its kind. An entry without a value is as if there had never been one: no leader epoch is
// stored any more, and the next writer's may be lower where the topic was made anew.
func (s *shard) take(r record.MirrorState) *entry {
	e := s.find(r.Mirror, r.Partition)
	v := e.kind(r.Kind)
	v.newest, v.hasNewest = r, !r.Tombstone
	e.highest = max(e.highest, r.LeaderEpoch)
	if !e.state.hasNewest && !e.position.hasNewest {
		e.highest = -1
	}
	return e
}

// commit makes r, which is below the high watermark now, the committed value of its kind.
func (s *shard) commit(r record.MirrorState) {
	v := s.find(r.Mirror, r.Partition).kind(r.Kind)
	v.committed, v.hasCommitted = r, !r.Tombstone
}

// current is the stored state, UNKNOWN when there is none.
func (e *entry) current() record.State {
	if !e.state.hasNewest {
		return record.Unknown
	}
	return e.state.newest.State
}

func (s *shard) clone() *shard {
	c := *s
	c.entries = append([]entry(nil), s.entries...)
	c.pending = append([]write(nil), s.pending...)
	return &c
}
