package event

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Event is one entry of the history. What a field means depends on the kind: see Schemas. The world sets Index, At and
// Node.
type Event struct {
	Index                   uint64
	At                      id.Duration // since the start of the run
	Kind                    Kind
	Node, Peer              id.Node // Peer: the other node of the act; id.None if there is none
	Mirror                  id.Mirror
	From, To, Cause         uint8 // states, error codes, reasons
	Partition               id.Partition
	LeaderEpoch, BatchEpoch int32
	Offset, End             int64
	ProducerID              int64
	Sequence                int32
	Op                      uint32        // the events of one client operation share it
	Digest                  uint64        // of bytes, producer entries, a set of replicas: as the kind says
	Batch                   *record.Batch // Appended, Compacted
}

// Mix folds every field of the event into a running hash: a fixed mix of 64-bit words, equal on every machine and Go
// version.
func (e *Event) Mix(h uint64) uint64 {
	h = Mix(h, uint64(e.At))
	h = Mix(h, uint64(e.Kind)|uint64(e.Node)<<8|uint64(e.Peer)<<16|uint64(e.Mirror)<<24|
		uint64(e.From)<<32|uint64(e.To)<<40|uint64(e.Cause)<<48)
	h = Mix(h, uint64(e.Partition.Word())|uint64(e.Op)<<32)
	h = Mix(h, uint64(uint32(e.LeaderEpoch))|uint64(uint32(e.BatchEpoch))<<32)
	h = Mix(h, uint64(e.Offset))
	h = Mix(h, uint64(e.End))
	h = Mix(h, uint64(e.ProducerID))
	h = Mix(h, uint64(uint32(e.Sequence)))
	h = Mix(h, e.Digest)
	if b := e.Batch; b != nil {
		h = MixBatch(h, b)
	}
	return h
}

// MixBatch folds a batch at its place into h: offsets, leader epoch, producer and the CRC of its bytes.
func MixBatch(h uint64, b *record.Batch) uint64 {
	h = Mix(h, uint64(b.Base))
	h = Mix(h, uint64(b.Last))
	h = Mix(h, uint64(uint32(b.LeaderEpoch))|uint64(b.CRC)<<32)
	return Mix(h, uint64(b.ProducerID)<<16^uint64(uint16(b.ProducerEpoch)))
}

// Mix folds the word w into h. One multiplication and a shift: not cryptographic, but every bit counts.
func Mix(h, w uint64) uint64 {
	h = (h ^ w) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
