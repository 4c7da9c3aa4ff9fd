package plog

import (
	"encoding/binary"

	"mirrorsim/model/event"
	"mirrorsim/model/node"
)

// Report emits what the replica holds, read from the real structures: one ReplicaReported with the digest of the log,
// then its cache entries, then its producer entries. An open transaction whose entry a reset removed has no row.
func (l *Log) Report(cause event.ReportCause, leaderEpoch int32, out *node.Effects) {
	e := out.Emit(event.ReplicaReported, l.files.ID)
	e.LeaderEpoch, e.Offset, e.End, e.ProducerID = leaderEpoch, l.files.Start, l.files.End, l.hw
	e.Sequence, e.Op, e.Cause = int32(len(l.files.Epochs)), uint32(len(l.state.producers)), uint8(cause)
	e.Digest = l.digest()
	for _, entry := range l.files.Epochs {
		e := out.Emit(event.EpochReported, l.files.ID)
		e.BatchEpoch, e.Offset = entry.Epoch, entry.Start
	}
	for i := range l.state.producers {
		p := &l.state.producers[i]
		e := out.Emit(event.ProducerReported, l.files.ID)
		e.ProducerID, e.BatchEpoch, e.Sequence = p.id, int32(p.epoch), p.lastSequence()
		e.Offset, e.End = l.state.openStart(p.id), p.lastOffset()
	}
}

// openStart is where the producer's open transaction starts, -1 if it has none above the newest reset.
func (s *producerState) openStart(id int64) int64 {
	if t := s.openOf(id); t != nil {
		return t.Start
	}
	return -1
}

// digest is event.MixBatch over the batches from the log start, starting at 0: computed by walking the log, so that it
// says what is there and not what was believed to be appended.
func (l *Log) digest() uint64 {
	var h uint64
	for _, b := range l.files.Batches {
		h = event.MixBatch(h, b)
	}
	return h
}

// AppendState appends the state in memory in a canonical form for fingerprints; the disk appends the files.
func (l *Log) AppendState(dst []byte) []byte {
	dst = word(dst, l.hw)
	dst = l.state.AppendState(dst)
	dst = word(dst, int64(len(l.ended)))
	for _, t := range l.ended {
		marker := t.marker << 1
		if t.aborted {
			marker |= 1
		}
		dst = word(word(word(dst, t.producerID), t.start), marker)
	}
	return dst
}

// AppendState appends what is known of producers.
func (s *producerState) AppendState(dst []byte) []byte {
	dst = word(word(word(dst, s.resetAt), int64(len(s.producers))), int64(len(s.open)))
	for i := range s.producers {
		p := &s.producers[i]
		dst = word(word(dst, p.id), int64(p.coordinatorEpoch)<<32|int64(uint16(p.epoch))<<8|int64(p.count))
		for _, a := range p.batches[:p.count] {
			dst = word(word(word(dst, int64(a.firstSequence)<<32|int64(a.lastSequence)), a.base), a.last)
		}
	}
	for _, t := range s.open {
		dst = word(word(word(dst, t.ProducerID), int64(t.CoordinatorEpoch)<<16|int64(uint16(t.ProducerEpoch))), t.Start)
	}
	return dst
}

func word(dst []byte, w int64) []byte { return binary.LittleEndian.AppendUint64(dst, uint64(w)) }
