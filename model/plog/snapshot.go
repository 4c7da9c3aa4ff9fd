package plog

import (
	"math"

	"mirrorsim/model/disk"
	"mirrorsim/model/node"
)

// The log keeps a producer snapshot where batches go that a replay of the log will not see again: at the log start
// (KAFKA-7190), and where compaction has ended. Kafka keeps one for every segment.

// stateAt is what is known of producers at offset: the newest snapshot at or below it, and the batches from there on that
// end below offset.
func (l *Log) stateAt(offset int64) producerState {
	state, from := emptyState(), int64(math.MinInt64)
	for _, s := range l.files.Snapshots {
		if s.Offset <= offset {
			state, from = s.State.(*producerState).clone(), s.Offset
		}
	}
	for _, b := range l.files.Batches {
		if b.Last >= offset {
			break
		}
		if b.Last >= from {
			state.apply(b, l.rules)
		}
	}
	return state
}

// snapshotStart writes the snapshot of a new log start, and drops those below. It is called while the batches below are there.
func (l *Log) snapshotStart(start int64) {
	state := l.stateAt(start)
	kept := []disk.Snapshot{{Offset: start, State: &state}}
	for _, s := range l.files.Snapshots {
		if s.Offset > start {
			kept = append(kept, s)
		}
	}
	l.files.Snapshots = kept // a clone may share the old array
}

// rebuild derives producers and transactions anew as of the log end. It walks the log: truncations are rare. The walk knows
// nothing of what compaction has removed, so that the snapshots have the last word.
func (l *Log) rebuild(out *node.Effects) {
	first := l.files.End
	if len(l.files.Batches) > 0 {
		first = l.files.Batches[0].Last
	}
	l.state, l.ended = l.stateAt(first), nil
	for _, b := range l.files.Batches {
		l.apply(b, out)
	}
	if n := len(l.files.Snapshots); n > 0 && l.files.Snapshots[n-1].Offset > first {
		l.state = l.stateAt(l.files.End)
	}
}
