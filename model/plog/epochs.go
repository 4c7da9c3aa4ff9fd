package plog

import (
	"slices"

	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/node"
)

// LatestEpoch is the newest epoch of the leader-epoch cache, -1 if the cache is empty. It is above LastBatchEpoch where
// a new leader has not written yet.
func (l *Log) LatestEpoch() int32 {
	if n := len(l.files.Epochs); n > 0 {
		return l.files.Epochs[n-1].Epoch
	}
	return -1
}

// EpochAt is the epoch of the cache entry that covers offset, -1 if none does.
func (l *Log) EpochAt(offset int64) int32 {
	entries := l.files.Epochs
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Start <= offset {
			return entries[i].Epoch
		}
	}
	return -1
}

// EndOffsetFor answers where the asked epoch ends in this log (endOffsetFor, section 4 of the design). ok is false
// when that is undefined: the asker has no epoch (-1; KAFKA-6857), the cache is empty, or the epoch is above every
// entry. e is the largest known epoch at or below the asked one, and end where the next one starts (KIP-279); the
// newest epoch ends at the log end. An epoch below the first entry is answered as itself, ending where the first entry
// starts.
func (l *Log) EndOffsetFor(epoch int32) (e int32, end int64, ok bool) {
	entries := l.files.Epochs
	if epoch < 0 || epoch > l.LatestEpoch() {
		return -1, -1, false
	}
	if epoch == l.LatestEpoch() {
		return epoch, l.files.End, true
	}
	for i := len(entries) - 2; i >= 0; i-- {
		if entries[i].Epoch <= epoch {
			return entries[i].Epoch, entries[i+1].Start, true
		}
	}
	return epoch, entries[0].Start, true
}

// AssignEpoch adds the entry of a new leader, which starts at the log end and replaces an entry that starts there: the
// cache has the epoch before the leader writes (KAFKA-7415). It is ignored unless the epoch is above the newest one.
func (l *Log) AssignEpoch(epoch int32, start int64, out *node.Effects) {
	if epoch <= l.LatestEpoch() {
		return
	}
	assert.That(start == l.files.End, "a new leader's epoch starts at its log end")
	l.assignEpoch(epoch, start, out)
}

// assignEpoch makes the newest entry one of that epoch, writes the checkpoint and reports the newest entry. As in
// Kafka the cache stays strictly increasing in both columns whatever arrives: entries of a later epoch, or that start
// at or beyond start, make room. Where batch epochs fall (stop-bump=plus-one can do that) older batches lose theirs.
// An earlier entry of the same epoch stays, as it still covers its batches: that happens when mirrored batches go on
// below the epoch of a leader which wrote nothing.
func (l *Log) assignEpoch(epoch int32, start int64, out *node.Effects) {
	entries := l.files.Epochs
	if epoch == l.LatestEpoch() {
		return
	}
	keep := len(entries)
	for keep > 0 && (entries[keep-1].Epoch > epoch || entries[keep-1].Start >= start) {
		keep--
	}
	l.keepEpochs(keep)
	if epoch != l.LatestEpoch() {
		l.files.Epochs = append(l.files.Epochs, disk.Epoch{Epoch: epoch, Start: start})
	}
	l.emitEpochAdded(out)
}

func (l *Log) emitEpochAdded(out *node.Effects) {
	n := len(l.files.Epochs)
	e := out.Emit(event.EpochAdded, l.files.ID)
	e.BatchEpoch, e.Offset, e.Sequence = l.files.Epochs[n-1].Epoch, l.files.Epochs[n-1].Start, int32(n)
}

// keepEpochs cuts the checkpoint to its first n entries. A clone may share the array, so what is cut is capped.
func (l *Log) keepEpochs(n int) {
	if n < len(l.files.Epochs) {
		l.files.Epochs = l.files.Epochs[:n:n]
		l.files.EpochsSynced = min(l.files.EpochsSynced, n)
	}
}

// dropEpochsFrom drops the entries that start at or beyond offset.
func (l *Log) dropEpochsFrom(offset int64) {
	keep := len(l.files.Epochs)
	for keep > 0 && l.files.Epochs[keep-1].Start >= offset {
		keep--
	}
	l.keepEpochs(keep)
}

// raiseEpochs drops the entries that end at or below start, and lets the first one left start there. The newest entry
// has no end and always stays.
func (l *Log) raiseEpochs(start int64) {
	entries := l.files.Epochs
	gone := 0
	for gone+1 < len(entries) && entries[gone+1].Start <= start {
		gone++
	}
	if len(entries) == 0 || gone == 0 && entries[0].Start >= start {
		return
	}
	l.files.Epochs = slices.Clone(entries[gone:]) // a clone may share the array
	l.files.Epochs[0].Start = start
	l.files.EpochsSynced = max(0, l.files.EpochsSynced-gone)
}
