package plog

import (
	"mirrorsim/model/assert"
	"mirrorsim/model/event"
	"mirrorsim/model/node"
)

// TruncateTo truncates the log to offset, at least 0 (section 4 of the design). Below the log end it removes every
// batch whose last offset is at or beyond offset, which is the log end then, gap or not; log start and high watermark
// are at most that. At or above the log end it removes no batch. Either way the leader-epoch cache drops the entries
// that start at or beyond the log end, and everything derived is as of there.
func (l *Log) TruncateTo(offset int64, leaderEpoch int32, cause event.TruncateCause, out *node.Effects) {
	assert.That(offset >= 0, "a log is truncated to an offset")
	before, start, hw := l.files.End, l.files.Start, l.hw
	if offset < before {
		l.keepBatches(l.find(offset))
		l.files.End = offset
		l.lowerStart(min(start, offset))
		l.hw = min(hw, offset)
		l.clampCheckpoints()
		l.rebuild(nil)
	}
	l.dropEpochsFrom(l.files.End)
	l.emitTruncated(before, leaderEpoch, cause, out)
	l.emitMoved(start, hw, leaderEpoch, out)
}

// RestartAt drops everything and starts the log at offset: log start, log end and high watermark are offset (section 4
// of the design, "fully truncate and start at").
func (l *Log) RestartAt(offset int64, leaderEpoch int32, out *node.Effects) {
	assert.That(offset >= 0, "a log starts at an offset")
	before, start, hw := l.files.End, l.files.Start, l.hw
	l.keepBatches(0)
	l.keepEpochs(0)
	l.files.Start, l.files.End, l.hw = offset, offset, offset
	l.Checkpoint()
	l.files.Snapshots, l.files.CleanedFrom, l.files.CleanedTo = nil, 0, 0
	l.rebuild(nil)
	l.emitTruncated(before, leaderEpoch, event.RestartedAt, out)
	l.emitMoved(start, hw, leaderEpoch, out)
}

// MoveStart raises the log start to offset, but never above the high watermark (KAFKA-5634), and drops the batches that
// lie wholly below it. Producer entries outlive their batches (KAFKA-7190), by a snapshot.
func (l *Log) MoveStart(offset int64, out *node.Effects) {
	start := l.files.Start
	offset = min(offset, l.hw)
	if offset <= start {
		return
	}
	gone := 0
	for gone < len(l.files.Batches) && l.files.Batches[gone].Last < offset {
		gone++
	}
	at := offset
	if gone < len(l.files.Batches) {
		at = min(at, l.files.Batches[gone].Base) // a crash may take the start back to there
	}
	l.snapshotStart(at)
	l.files.Batches = l.files.Batches[gone:]
	l.files.BatchesSynced = max(0, l.files.BatchesSynced-gone)
	l.files.Start = offset
	l.raiseEpochs(offset)
	l.forgetEnded()
	l.emitMoved(start, l.hw, -1, out)
}

// Deletable is the log start that retention moves to when all below before is old: behind the oldest batches that end below
// before. Kafka deletes whole segments, so no batch is cut in two, and none that reaches the high watermark (KAFKA-5634).
func (l *Log) Deletable(before int64) int64 {
	start := l.files.Start
	for _, b := range l.files.Batches {
		if b.Last >= min(before, l.hw) {
			break
		}
		start = max(start, b.Last+1)
	}
	return start
}

// keepBatches cuts the log to its first n batches. A clone or a message may share the array, so what is cut is capped.
func (l *Log) keepBatches(n int) {
	if n < len(l.files.Batches) {
		l.files.Batches = l.files.Batches[:n:n]
		l.files.BatchesSynced = min(l.files.BatchesSynced, n)
	}
}

// lowerStart sets the log start after a truncation. Below the old one nothing is known of producers any more.
func (l *Log) lowerStart(start int64) {
	if start < l.files.Start {
		l.files.Start = start
		l.files.Snapshots = nil
	}
}

// clampCheckpoints lets no file remember an offset that a truncation or a power loss removed (KAFKA-3330): the log may
// be longer again before the next checkpoint, and what is there then was never committed.
func (l *Log) clampCheckpoints() {
	l.files.HighWatermark = min(l.files.HighWatermark, l.files.End)
	l.files.StartCheckpoint = min(l.files.StartCheckpoint, l.files.Start)
	if l.files.CleanedTo = min(l.files.CleanedTo, l.files.End); l.files.CleanedFrom >= l.files.CleanedTo {
		l.files.CleanedFrom, l.files.CleanedTo = 0, 0
	}
	keep := len(l.files.Snapshots)
	for keep > 0 && l.files.Snapshots[keep-1].Offset > l.files.End {
		keep--
	}
	l.files.Snapshots = l.files.Snapshots[:keep:keep]
}

// forgetEnded drops the ended transactions whose marker is below the log start.
func (l *Log) forgetEnded() {
	gone := 0
	for gone < len(l.ended) && l.ended[gone].marker < l.files.Start {
		gone++
	}
	l.ended = l.ended[gone:]
}

func (l *Log) emitTruncated(before int64, leaderEpoch int32, cause event.TruncateCause, out *node.Effects) {
	e := out.Emit(event.Truncated, l.files.ID)
	e.LeaderEpoch, e.Offset, e.End, e.Cause = leaderEpoch, l.files.End, before, uint8(cause)
}

// emitMoved reports log start and high watermark where they are not what they were.
func (l *Log) emitMoved(start, hw int64, leaderEpoch int32, out *node.Effects) {
	if l.files.Start != start {
		e := out.Emit(event.StartMoved, l.files.ID)
		e.Offset, e.End = l.files.Start, start
	}
	if l.hw != hw {
		l.emitHighWatermark(leaderEpoch, out)
	}
}
