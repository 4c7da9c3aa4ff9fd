package checkers

import (
	"slices"

	"mirrorsim/model/record"
)

// orphan is a record that a cleaner had removed on account of what an alignment has cut, from this log or from the one that it
// was copied from: of its key nothing newer stands there any more, or the marker that aborted it does not.
type orphan struct {
	commonCut
	offset int64
}

// orphans are those that a cut, l.cut, has left in s.
func (l *Ledger) orphans(s *Shadow) (list []orphan) {
	if !s.thinned {
		return nil
	}
	s.unfounded(func(x *entry, at int64, key uint64) {
		if x.outdatedBy(l.cut, key) {
			list = append(list, orphan{commonCut{batch: x.batch}, at})
		}
	})
	return list
}

// unfounded visits the records that a cleaner has removed from s, although nothing stands there that outdates or aborts them.
func (s *Shadow) unfounded(visit func(x *entry, at int64, key uint64)) {
	newest := map[uint64]int64{} // by key, of what stands
	for i := range s.log {
		if b := s.log[i].now; b != nil && b.IsData() && !abortedIn(s.log, b) {
			for k := range b.Records {
				newest[b.Records[k].Key] = b.OffsetOf(k)
			}
		}
	}
	for i := range s.log {
		x := &s.log[i]
		if x.now == x.batch || !x.batch.IsData() || abortedIn(s.log, x.batch) {
			continue
		}
		for k, r := range x.batch.Records {
			at := x.batch.OffsetOf(k)
			if last, stands := newest[r.Key]; !x.holdsAt(at) && (!stands || last < at) {
				visit(x, at, r.Key)
			}
		}
	}
}

// leftOut is the first record below end that s lacks, a mirror's log, and its source's log o has: a cleaner had removed it in the
// log that s was copied from, on account of what stood there and s has never had.
func (l *Ledger) leftOut(s, o *Shadow, end int64) (b *record.Batch, offset int64, found bool) {
	if !s.thinned {
		return nil, 0, false
	}
	s.unfounded(func(x *entry, at int64, key uint64) {
		y := o.at(x.batch.Base)
		if found || !x.copied || at >= end || y == nil || !y.holdsAt(at) || !l.topology.mirrors(x.batch, y.batch) {
			return
		}
		if !x.outdatedBy(s.log[s.position(x.batch.Last+1):], key) { // its own cleaner may have removed that since
			b, offset, found = x.batch, at, true
		}
	})
	return b, offset, found
}

// holdsAt tells whether compaction has left the record at that offset.
func (x *entry) holdsAt(offset int64) bool {
	if x.now == nil {
		return false
	}
	for k := range x.now.Records {
		if x.now.OffsetOf(k) == offset {
			return true
		}
	}
	return false
}

// outdatedBy tells whether the list of entries has a record of that key, or the marker that aborted the batch, and had it already when
// the cleaner removed something of the batch.
func (x *entry) outdatedBy(list []entry, key uint64) bool {
	n, _ := slices.BinarySearchFunc(list, x.cleaned, func(y entry, end int64) int { return int(y.batch.Base - end) })
	list = list[:n]
	return abortedIn(list, x.batch) || slices.ContainsFunc(list, func(y entry) bool {
		return y.batch.IsData() && slices.ContainsFunc(y.batch.Records, func(r record.Record) bool { return r.Key == key })
	})
}

// abortedIn tells whether the first marker of its producer behind b in the list of entries aborts it.
func abortedIn(list []entry, b *record.Batch) bool {
	if !b.Transactional {
		return false
	}
	i := slices.IndexFunc(list, func(x entry) bool {
		c := x.batch.Control
		return x.batch.Base > b.Base && x.batch.ProducerID == b.ProducerID && (c == record.Abort || c == record.Commit)
	})
	return i >= 0 && list[i].batch.Control == record.Abort
}
