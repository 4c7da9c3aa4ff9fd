package checkers

import (
	"slices"

	"mirrorsim/model/record"
)

// orphan is a record that a cleaner had removed on account of what an alignment has cut, from this log or from the one that it was
// copied from: of its key nothing newer stands there any more, or the marker that aborted it does not.
type orphan struct {
	commonCut
	offset int64
}

// orphans are those that a cut, l.cut, has left in s.
func (l *Ledger) orphans(s *Shadow) (list []orphan) {
	if !s.thinned {
		return nil
	}
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
		if x.now == x.batch || !x.batch.IsData() {
			continue
		}
		for k, r := range x.batch.Records {
			at := x.batch.OffsetOf(k)
			if last, stands := newest[r.Key]; !x.holdsAt(at) && (!stands || last < at) && x.outdatedBy(l.cut, r.Key) &&
				!abortedIn(s.log, x.batch) {
				list = append(list, orphan{commonCut{batch: x.batch}, at})
			}
		}
	}
	return list
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
