package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// compact takes what the cleaner has left of the batch that starts at base; nil is nothing. Where a clone shares the log it is
// copied before it is changed, and not once more for the next of the many batches that a cleaner goes through.
func (s *Shadow) compact(base int64, left *record.Batch) {
	if i := s.position(base); i < len(s.log) && s.log[i].batch.Base == base {
		if s.shared {
			s.log, s.shared = slices.Clone(s.log), false
		}
		s.log[i].now, s.log[i].removal = left, removal{cleaned: max(s.log[i].cleaned, s.End)}
		s.version++
		s.cuts++ // an answer given before shows another log
	}
}

// cleaned tells whether compaction has left no record of b in the log; s may be nil.
func (s *Shadow) cleaned(b *record.Batch) bool {
	if s == nil {
		return false
	}
	x := s.at(b.Base)
	return x != nil && x.batch.Same(b) && (x.now == nil || x.now.Size() == 0)
}

// thinnedFor tells whether a cut, l.cut, began at a gap that compaction had left on account of what had to be cut: the source's
// log o lacks something of what was, or the log had not got all yet that the cleaner knew of.
func (l *Ledger) thinnedFor(o *Shadow) bool {
	lacks := func(g entry) bool { return o == nil || l.topology.mirroredAt(o, g.batch) == nil }
	return l.thinned && (l.cleaned > l.was.end || slices.ContainsFunc(l.cut, lacks))
}

// emptied tells whether compaction has left nothing of the batch that holds b's records in the log; s may be nil.
func (s *Shadow) emptied(b *record.Batch) bool {
	return s != nil && s.mirrors(b) && s.cleaned(s.at(b.Base).batch)
}

// foldCompacted takes in that a cleaner has removed records of a batch. Of an acknowledgement nothing is promised any more
// when a cleaner has removed all of it: that replica may lead next.
func (l *Ledger) foldCompacted(pt *part, s *Shadow, e *event.Event) {
	s.compact(e.Offset, e.Batch)
	for _, o := range pt.replicas {
		if o != nil {
			o.thinned = true
		}
	}
	if e.Sequence != 0 {
		return
	}
	cp := pt.in[l.cluster(e.Node)]
	gone := func(a ack) bool { return a.batch.Base == e.Offset && s.holds(a.batch) }
	if slices.ContainsFunc(cp.acked, gone) {
		cp.acked = slices.DeleteFunc(slices.Clone(cp.acked), gone)
	}
	if x := s.at(e.Offset); x != nil && l.cluster(e.Node) == pt.loss.authority {
		pt.markTrimmed([]entry{*x}, true)
	}
}

// adopt finds, before b is appended to s on node n, what compaction removed of b, and before it from the log end on, in the log
// that it came from: it answers b as it was, and what is known of the cleaner that removed something of it, and adds entries for
// what was removed whole. Where no log tells, b is as it comes and nothing is added: a gap for which no compaction accounts shows
// when logs are compared.
func (l *Ledger) adopt(pt *part, n id.Node, s *Shadow, b *record.Batch, index uint64) (was *record.Batch, r removal) {
	if b.Base == s.End && !b.Compacted() {
		return b, removal{}
	}
	from := []id.Node{s.leader} // a follower has it from its leader
	if h := &pt.in[l.cluster(n)].heard; h.known {
		from = append(from, h.source) // and the leader of a mirror from its source
	}
	for m := range pt.replicas {
		from = append(from, id.Node(m))
	}
	for _, trimmed := range [2]bool{false, true} {
		for _, m := range from {
			if was, r = l.adoptFrom(pt, n, m, s, b, trimmed, index); was != nil {
				return was, r
			}
		}
	}
	return b, removal{}
}

// adoptFrom does so from the log of node m; nil where that cannot be the one that b came from. trimmed is that its log start may
// have passed what was removed, so that it tells of b alone.
func (l *Ledger) adoptFrom(pt *part, n, m id.Node, s *Shadow, b *record.Batch, trimmed bool, index uint64) (*record.Batch, removal) {
	if int(m) >= len(pt.replicas) || pt.replicas[m] == nil || m == n {
		return nil, removal{}
	}
	o := pt.replicas[m]
	i := o.position(b.Base)
	if i == len(o.log) || !o.log[i].batch.Covers(b) {
		return nil, removal{}
	}
	k := i
	for k > 0 && o.log[k-1].now == nil && o.log[k-1].batch.Base >= s.End {
		k--
	}
	if k == 0 && o.Start > s.End && !trimmed {
		return nil, removal{}
	}
	if k > 0 && o.log[k-1].now != nil && o.log[k-1].batch.Base >= s.End {
		return nil, removal{} // what stands there was not removed: this is not the log that it came from
	}
	for ; k < i; k++ {
		s.push(like(o.log[k].batch, b), nil, o.copied(k, nil), index, &l.topology)
	}
	return like(o.log[i].batch, b), o.copied(i, b)
}

// copied is what is known of what is missing of the i-th batch where it was copied as now, nil if not at all.
func (s *Shadow) copied(i int, now *record.Batch) removal {
	if now != nil && !now.Compacted() {
		return removal{}
	}
	x, above := entry{batch: s.log[i].batch, now: now, removal: s.log[i].removal}, s.log[i+1:]
	for k, r := range x.batch.Records {
		if !s.log[i].copied && !x.holdsAt(x.batch.OffsetOf(k)) && !x.outdatedBy(above, r.Key) {
			return x.removal
		}
	}
	return removal{x.cleaned, true}
}

// like is batch x with the leader epoch and the producer id that a mirror gave to b, which came with it (D8, D9).
func like(x, b *record.Batch) *record.Batch {
	if x.Base == b.Base && x.ProducerID != b.ProducerID {
		x = x.WithProducer(b.ProducerID)
	}
	if x.Base == b.Base && x.LeaderEpoch != b.LeaderEpoch {
		x = x.At(x.Base, b.LeaderEpoch)
	}
	return x
}

// there are the entries of which compaction has left something.
func there(list []entry) []entry {
	if !slices.ContainsFunc(list, func(x entry) bool { return x.now == nil }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(x entry) bool { return x.now == nil })
}
