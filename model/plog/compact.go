package plog

import (
	"slices"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
)

// Compact is a pass of the log cleaner. Of the data below the last stable offset the records at the offsets of keep stay;
// with keep nil, the newest of each key, and none of an aborted transaction. Offsets do not change, so that gaps are left.
//
// As in Kafka the newest batch is never touched (the active segment is not cleaned), what is not decided is not (the cleaner
// ends at the last stable offset), and the batch that holds the last sequence of a producer stays without records. Control
// batches stay, and so do tombstones: Kafka removes markers without records, and tombstones, delete.retention.ms later,
// which is 24 hours.
func (l *Log) Compact(keep []int64, out *node.Effects) {
	n := l.cleanable()
	if n == 0 {
		return
	}
	kept := func(_ *record.Batch, _ int, offset int64) bool { return slices.Contains(keep, offset) }
	if keep == nil {
		kept = l.newestOfKeys(n)
	}
	left := make([]*record.Batch, 0, len(l.files.Batches))
	from, to := int64(-1), l.files.Batches[n-1].Last+1 // not the next batch's: between them may be a gap, and the high watermark
	if keep != nil {
		to = max(to, min(l.HighWatermark(), l.files.End)) // who says what stays knows of the newest batch too, if it is committed
	}
	for _, b := range l.files.Batches[:n] {
		c := b.Compact(func(i int) bool { return kept(b, i, b.OffsetOf(i)) })
		if c.IsData() && c.Raw == nil && c.Size() == 0 && !l.endsProducer(c) {
			c = nil
		} else {
			left = append(left, c)
		}
		if c != b {
			if from < 0 {
				from = b.Base
			}
			to = max(to, l.abortMarker(b)+1)
			l.emitCompacted(b, c, out)
		}
	}
	if from >= 0 {
		l.noteCleaned(from, to)
		l.swap(n, left)
	}
}

// noteCleaned notes that a pass of the cleaner, which knew of what is below to, has removed something from offset from on.
func (l *Log) noteCleaned(from, to int64) {
	if l.files.CleanedTo > 0 {
		from = min(from, l.files.CleanedFrom)
	}
	l.files.CleanedFrom, l.files.CleanedTo = from, max(to, l.files.CleanedTo)
}

// CutOutsideCleaned is offset, but where what the cleaner knew of goes beyond it, the first offset at which that has removed something, or
// the log start if that is higher. What the cleaner removed below a cut may have been outdated, or aborted, by what is cut alone.
func (l *Log) CutOutsideCleaned(offset int64) int64 {
	if offset >= l.files.CleanedTo || offset >= l.files.End {
		return offset
	}
	return min(offset, max(l.files.CleanedFrom, l.files.Start))
}

// cleanable is how many batches the cleaner may look at. It ends at one that it cannot read: Kafka's marks the partition as
// uncleanable (KIP-346). A batch of fewer records gets a CRC of its own, so a bit that has turned round would be hidden in it.
func (l *Log) cleanable() int {
	bound, n := l.LastStable(), 0
	for n < len(l.files.Batches)-1 && l.files.Batches[n].Last < bound && l.files.Batches[n].Intact() {
		n++
	}
	return n
}

// swap puts the cleaned batches in the place of the first n. Kafka syncs what it has cleaned before it swaps the files, and
// keeps what it knows of producers there in a snapshot.
func (l *Log) swap(n int, cleaned []*record.Batch) {
	at := l.files.Batches[n].Base
	state := l.stateAt(at)
	l.files.BatchesSynced = len(cleaned) + max(0, l.files.BatchesSynced-n)
	l.files.Batches = append(cleaned, l.files.Batches[n:]...)
	snapshots := slices.DeleteFunc(slices.Clone(l.files.Snapshots), func(s disk.Snapshot) bool { return s.Offset == at })
	i := 0
	for i < len(snapshots) && snapshots[i].Offset < at {
		i++
	}
	l.files.Snapshots = slices.Insert(snapshots, i, disk.Snapshot{Offset: at, State: &state})
}

// endsProducer tells whether the batch holds the last sequence that is known of its producer.
func (l *Log) endsProducer(b *record.Batch) bool {
	i, known := l.state.find(b.ProducerID)
	return known && b.HasProducer() && l.state.producers[i].lastOffset() == b.Last
}

// recordKey is the key by which a record is compacted: that of its record, or the key of its __mirror_state,
// __transaction_state or __consumer_offsets record.
type recordKey struct {
	kind  uint8
	a, b  uint64
	group record.Group
}

func keyOf(b *record.Batch, i int) recordKey {
	switch {
	case len(b.States) > 0:
		s := &b.States[i]
		return recordKey{kind: uint8(s.Kind), a: uint64(s.Mirror), b: uint64(s.Partition.Word())}
	case len(b.Transactions) > 0:
		return recordKey{a: uint64(b.Transactions[i].Client)}
	case len(b.Groups) > 0:
		g := &b.Groups[i]
		if g.Kind == record.GroupMetadata {
			return recordKey{kind: uint8(g.Kind), group: g.Group}
		}
		return recordKey{kind: uint8(g.Kind), group: g.Group, a: uint64(g.Partition.Word())}
	}
	return recordKey{a: b.Records[i].Key}
}

// newestOfKeys tells of a record whether it is the newest of its key among the first n batches, aborted ones left out.
func (l *Log) newestOfKeys(n int) func(b *record.Batch, i int, offset int64) bool {
	newest := map[recordKey]int64{}
	for _, b := range l.files.Batches[:n] {
		if l.aborted(b) {
			continue
		}
		for i := range b.Size() {
			newest[keyOf(b, i)] = b.OffsetOf(i)
		}
	}
	return func(b *record.Batch, i int, offset int64) bool { return !l.aborted(b) && newest[keyOf(b, i)] == offset }
}

// aborted tells whether the batch is of a transaction that was aborted. The cleaner knows of a marker wherever it is, also in
// the active segment.
func (l *Log) aborted(b *record.Batch) bool { return l.abortMarker(b) >= 0 }

// abortMarker is the offset of the marker that aborted the batch, -1 if none has.
func (l *Log) abortMarker(b *record.Batch) int64 {
	i := -1
	if b.Transactional {
		i = slices.IndexFunc(l.ended, func(t transaction) bool {
			return t.aborted && t.producerID == b.ProducerID && t.start <= b.Base && b.Base < t.marker
		})
	}
	if i < 0 {
		return -1
	}
	return l.ended[i].marker
}

// emitCompacted reports what is left of a batch; left is nil where nothing is.
func (l *Log) emitCompacted(b, left *record.Batch, out *node.Effects) {
	e := out.Emit(event.Compacted, l.files.ID)
	e.Offset, e.End, e.Batch = b.Base, b.Last+1, left
	if left != nil {
		e.Sequence = int32(left.Size())
	}
}
