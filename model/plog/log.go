package plog

import (
	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
)

// Rules is what of the protocol configuration the log consults.
type Rules interface {
	// ResetClearsTransactions tells whether MIRROR_PID_RESET also forgets the transactions that are open below it
	// (D21, reset-scope).
	ResetClearsTransactions() bool
}

// Log is one replica's log. It owns neither clock nor role: callers pass the leader epoch in which the replica acts,
// for the events alone. An append costs the same however long the log is.
type Log struct {
	files *disk.Partition
	rules Rules
	hw    int64
	state producerState // as of the log end
	ended []transaction // by marker; those whose marker is below the log start are gone
}

// Clone is a log that goes on by itself on files, a clone of this log's files.
func (l *Log) Clone(files *disk.Partition) *Log {
	c := *l
	c.files = files
	c.state = l.state.clone()
	c.ended = l.ended[:len(l.ended):len(l.ended)]
	return &c
}

// ID is the partition.
func (l *Log) ID() id.Partition { return l.files.ID }

// Start is the log start offset.
func (l *Log) Start() int64 { return l.files.Start }

// End is the log end offset (LEO): the offset that the next batch gets.
func (l *Log) End() int64 { return l.files.End }

// LastBatch is the newest batch, nil if the log holds none.
func (l *Log) LastBatch() *record.Batch {
	if n := len(l.files.Batches); n > 0 {
		return l.files.Batches[n-1]
	}
	return nil
}

// LastBatchEpoch is the leader epoch of the newest batch, -1 if the log holds none.
func (l *Log) LastBatchEpoch() int32 {
	if b := l.LastBatch(); b != nil {
		return b.LeaderEpoch
	}
	return -1
}

// LastMirroredEpoch is the epoch of the newest batch that no stop appends: neither a reset nor an ABORT marker, of which
// it cannot be told whose they are; -1 if there is none.
func (l *Log) LastMirroredEpoch() int32 {
	if b := l.lastMirrored(); b != nil {
		return b.LeaderEpoch
	}
	return -1
}

// MirroredEnd is the offset behind that batch, the log start if there is none.
func (l *Log) MirroredEnd() int64 {
	if b := l.lastMirrored(); b != nil {
		return b.Last + 1
	}
	return l.files.Start
}

func (l *Log) lastMirrored() *record.Batch {
	for i := len(l.files.Batches) - 1; i >= 0; i-- {
		if b := l.files.Batches[i]; b.Control != record.MirrorPidReset && b.Control != record.Abort {
			return b
		}
	}
	return nil
}

// AppendLeader appends b at the log end as the leader of that epoch, and answers the batch as it stands in the log. The
// caller has asked CheckProducer, and has checked the batch's CRC.
func (l *Log) AppendLeader(b *record.Batch, epoch int32, origin event.Origin, out *node.Effects) *record.Batch {
	placed := b.At(l.files.End, epoch)
	l.append(placed, epoch, origin, out)
	return placed
}

// AppendAsIs appends a batch that keeps its offsets and epoch: a followed or a mirrored one. Compaction may have left a
// gap below it, never an overlap. Its producer's sequence is not checked: replicas and recovery accept whatever the
// leader accepted (section 4 of the design, KAFKA-6003). leaderEpoch is the epoch in which this replica acts.
// The caller has checked the batch's CRC.
func (l *Log) AppendAsIs(b *record.Batch, leaderEpoch int32, origin event.Origin, out *node.Effects) {
	l.append(b, leaderEpoch, origin, out)
}

func (l *Log) append(b *record.Batch, leaderEpoch int32, origin event.Origin, out *node.Effects) {
	assert.That(b.Base >= l.files.End && b.Last >= b.Base, "a batch is appended at or above the log end")
	assert.That(b.LeaderEpoch >= 0, "an appended batch has a leader epoch")
	l.files.Batches = append(l.files.Batches, b)
	l.files.End = b.Last + 1
	l.emitAppended(leaderEpoch, origin, out)
	l.assignEpoch(b.LeaderEpoch, b.Base, out)
	l.apply(b, out)
}

// emitAppended reports the newest batch as the files hold it.
func (l *Log) emitAppended(leaderEpoch int32, origin event.Origin, out *node.Effects) {
	b := l.LastBatch()
	e := out.Emit(event.Appended, l.files.ID)
	e.LeaderEpoch, e.BatchEpoch = leaderEpoch, b.LeaderEpoch
	e.Offset, e.End = b.Base, l.files.End
	e.ProducerID, e.Sequence = b.ProducerID, b.BaseSequence
	e.Cause, e.Batch = uint8(origin), b
}

// Read is at most limit batches that lie wholly below bound, from the one that holds the offset from, or the first one
// above it where a gap is. The caller bounds it: the high watermark or last stable offset for consumers and mirror
// fetchers, the log end for followers. A batch that reaches bound is not returned (KAFKA-9835). It is a view of the
// log, never to be written to, and nil when there is nothing to read.
func (l *Log) Read(from, bound int64, limit int) []*record.Batch {
	batches := l.files.Batches
	i := l.find(from)
	j := i
	for j < len(batches) && j-i < limit && batches[j].Last < bound {
		j++
	}
	if i == j {
		return nil
	}
	return batches[i:j:j]
}

// Replay visits every batch of the log in order, as a coordinator does that loads its partition.
func (l *Log) Replay(visit func(b *record.Batch)) {
	for _, b := range l.files.Batches {
		visit(b)
	}
}

// find is the index of the first batch whose last offset is at or above offset. Fetches read near the end, so it
// gallops down from there: the cost is that of the distance, not of the log's length.
func (l *Log) find(offset int64) int {
	batches := l.files.Batches
	low, high := len(batches), len(batches)
	for step := 1; low > 0 && batches[low-1].Last >= offset; step *= 2 {
		high = low - 1
		low = max(0, low-step)
	}
	for low < high {
		if middle := (low + high) / 2; batches[middle].Last < offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
