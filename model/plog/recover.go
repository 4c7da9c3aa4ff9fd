package plog

import (
	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/node"
)

// Open recovers the log from its files, as a broker does when it starts: the leader-epoch cache is checked against the
// batches and rebuilt where the checkpoint is missing, shorter or stale; producer state and transactions are derived
// from the snapshots and the batches; the high watermark is the checkpointed one, at least the log start and at most the log end. Events
// carry leader epoch -1: the replica has no role yet.
func Open(files *disk.Partition, rules Rules, out *node.Effects) *Log {
	l := &Log{files: files, rules: rules}
	l.recoverStart()
	l.hw = min(max(files.HighWatermark, files.Start), files.End)
	l.clampCheckpoints()
	e := out.Emit(event.Recovered, files.ID)
	e.Offset, e.End, e.Digest = files.Start, files.End, l.digest()
	l.recoverEpochs(out)
	l.rebuild(out)
	l.emitHighWatermark(-1, out)
	return l
}

// recoverStart takes the log start back to its checkpoint where the records are still there. Batches wholly below it
// went with their segments, so all that a crash can undo is a start that had moved into the first batch.
func (l *Log) recoverStart() {
	f := l.files
	if len(f.Batches) > 0 && f.Batches[0].Base < f.Start {
		f.Start = min(f.Start, max(f.StartCheckpoint, f.Batches[0].Base))
	}
	assert.That(f.Start <= f.End, "a recovered log starts at or below its end")
	if b := l.LastBatch(); b != nil {
		assert.That(b.Last < f.End, "a recovered log ends above its last batch")
	}
}

// recoverEpochs checks the leader-epoch checkpoint against the batches. Entries at or beyond the log end go, also that
// of a leader which wrote nothing: Kafka does the same when it loads a log (truncateFromEnd of the log end offset),
// and the next election assigns a higher epoch anyway. From the first batch on that the entries do not give its epoch,
// the rest is rebuilt from the batches: that is where the file was missing or shorter after a power loss
// (KAFKA-16541), or stale.
func (l *Log) recoverEpochs(out *node.Effects) {
	l.dropEpochsFrom(l.files.End)
	for _, b := range l.files.Batches {
		first := max(b.Base, l.files.Start)
		if l.EpochAt(first) != b.LeaderEpoch {
			l.dropEpochsFrom(first)
			l.assignEpoch(b.LeaderEpoch, first, out)
		}
	}
	l.assertEpochs()
}

// assertEpochs reads the recovered cache back against the log. Only where batch epochs never fall can it cover them
// all.
func (l *Log) assertEpochs() {
	for i, b := range l.files.Batches {
		if i > 0 && b.LeaderEpoch < l.files.Batches[i-1].LeaderEpoch {
			return
		}
	}
	for _, b := range l.files.Batches {
		covered := l.EpochAt(max(b.Base, l.files.Start)) == b.LeaderEpoch
		assert.That(covered, "the recovered leader-epoch cache gives every batch its epoch")
	}
}
