package plog

import (
	"slices"

	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// UnknownRule is what becomes of a producer's first batch that this log knows nothing of and whose sequence is not 0
// (D35, unknown-producer).
type UnknownRule uint8

// The rules. Sequence 0 is accepted by all of them.
const (
	// Accept takes it, as Kafka does since 2.5.
	Accept UnknownRule = iota
	// AcceptUnlessNew takes it, but refuses it with OUT_OF_ORDER_SEQUENCE_NUMBER while the log has never had a batch: a
	// batch that overtook the producer's first one is tried again (KAFKA-15591, KAFKA-18202).
	AcceptUnlessNew
	// Reject refuses it with UNKNOWN_PRODUCER_ID.
	Reject
	// StartAtZero refuses it with OUT_OF_ORDER_SEQUENCE_NUMBER: what Kafka does to transactional batches that it verifies,
	// whose sequences begin anew with every transaction (KAFKA-18202).
	StartAtZero
)

// remembered is how many batches of a producer the log recognises as duplicates.
const remembered = 5

// producerBatch is one batch that the log remembers of a producer.
type producerBatch struct {
	firstSequence, lastSequence int32
	base, last                  int64
}

// producer is one producer entry. batches holds the newest count batches of its epoch, oldest first; none are left when
// a marker of a higher epoch came, or when the entry was made by a marker.
type producer struct {
	id               int64
	coordinatorEpoch int32 // of the newest marker, 0 before the first
	epoch            int16
	count            uint8
	batches          [remembered]producerBatch
}

// producerState is what the log knows of producers at one offset. The open transactions are a list of their own: a
// reset removes the entries, and a transaction that is open below it goes on pinning the last stable offset (D21).
type producerState struct {
	producers []producer        // ascending id
	open      []OpenTransaction // ascending producer id, then start
	resetAt   int64             // offset of the newest reset, -1 before the first
}

// emptyState is that of a log without a batch.
func emptyState() producerState { return producerState{resetAt: -1} }

func (s *producerState) clone() producerState {
	return producerState{slices.Clone(s.producers), slices.Clone(s.open), s.resetAt}
}

// CheckProducer judges a client's batch before a leader appends it (section 4 of the design, Produce). A batch that is
// one of the producer's last five, by epoch and first and last sequence, is a duplicate: it is answered with the base
// offset it has in the log and is not appended. Otherwise the code is OK, InvalidProducerEpoch,
// OutOfOrderSequenceNumber or UnknownProducerId, and the base offset -1. A batch without a producer id is always OK.
func (l *Log) CheckProducer(
	b *record.Batch, unknown UnknownRule,
) (duplicateBase int64, duplicate bool, code wire.Code) {
	if !b.HasProducer() {
		return -1, false, wire.OK
	}
	i, known := l.state.find(b.ProducerID)
	if !known {
		return -1, false, l.checkUnknown(b, unknown)
	}
	p := &l.state.producers[i]
	if base, ok := p.duplicate(b); ok {
		return base, true, wire.OK
	}
	return -1, false, p.check(b)
}

func (l *Log) checkUnknown(b *record.Batch, unknown UnknownRule) wire.Code {
	switch {
	case b.BaseSequence == 0:
		return wire.OK
	case unknown == Reject:
		return wire.UnknownProducerId
	case unknown == StartAtZero, unknown == AcceptUnlessNew && l.files.End == 0:
		return wire.OutOfOrderSequenceNumber
	}
	return wire.OK
}

func (p *producer) duplicate(b *record.Batch) (base int64, ok bool) {
	if b.ProducerEpoch != p.epoch {
		return -1, false
	}
	for _, a := range p.batches[:p.count] {
		if a.firstSequence == b.BaseSequence && a.lastSequence == b.LastSequence() {
			return a.base, true
		}
	}
	return -1, false
}

func (p *producer) check(b *record.Batch) wire.Code {
	next := int32(0) // of a higher epoch, and of an entry without batches
	if b.ProducerEpoch == p.epoch && p.count > 0 {
		next = record.AddSequence(p.batches[p.count-1].lastSequence, 1)
	}
	switch {
	case b.ProducerEpoch < p.epoch:
		return wire.InvalidProducerEpoch
	case b.BaseSequence != next:
		return wire.OutOfOrderSequenceNumber
	}
	return wire.OK
}

// find is the index of the producer's entry, or where it would be.
func (s *producerState) find(id int64) (int, bool) {
	low, high := 0, len(s.producers)
	for low < high {
		if middle := (low + high) / 2; s.producers[middle].id < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(s.producers) && s.producers[low].id == id
}

// entry is the producer's entry in that epoch, made if there is none. As in Kafka another epoch forgets the batches.
func (s *producerState) entry(id int64, epoch int16) *producer {
	i, known := s.find(id)
	if !known {
		s.producers = slices.Insert(s.producers, i, producer{id: id, epoch: epoch})
	}
	p := &s.producers[i]
	if p.epoch != epoch {
		p.epoch, p.count = epoch, 0
	}
	return p
}

func (p *producer) remember(b *record.Batch) {
	if p.count == remembered {
		copy(p.batches[:], p.batches[1:])
		p.count--
	}
	p.batches[p.count] = producerBatch{b.BaseSequence, b.LastSequence(), b.Base, b.Last}
	p.count++
}

// lastSequence is record.NoSequence where no batch is left.
func (p *producer) lastSequence() int32 {
	if p.count == 0 {
		return record.NoSequence
	}
	return p.batches[p.count-1].lastSequence
}

// lastOffset is -1 where no batch is left.
func (p *producer) lastOffset() int64 {
	if p.count == 0 {
		return -1
	}
	return p.batches[p.count-1].last
}

// apply folds an appended batch into the state. It answers the transaction that the batch ended, if it did.
func (s *producerState) apply(b *record.Batch, rules Rules) (t transaction, ended bool) {
	switch {
	case b.Control == record.MirrorPidReset:
		s.reset(b.Base, rules.ResetClearsTransactions())
	case !b.HasProducer():
		// No producer state; mirrored ids that were mapped below 0 come here too (D9).
	case b.Control == record.Data:
		s.entry(b.ProducerID, b.ProducerEpoch).remember(b)
		if b.Transactional {
			s.begin(b)
		}
	default:
		s.entry(b.ProducerID, b.ProducerEpoch).coordinatorEpoch = b.CoordinatorEpoch
		return s.end(b)
	}
	return transaction{}, false
}

// reset removes every producer entry (section 7 of the design). A transaction that stays open has no entry any more to
// take its coordinator epoch from: a marker for it carries 0.
func (s *producerState) reset(offset int64, clearsTransactions bool) {
	s.producers = s.producers[:0]
	s.resetAt = offset
	if clearsTransactions {
		s.open = s.open[:0]
	}
	for i := range s.open {
		s.open[i].CoordinatorEpoch = 0
	}
}
