package plog

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// OpenTransaction is a transaction whose marker the log does not hold. A marker that ends it carries its producer id
// and epoch, and the coordinator epoch of the producer's entry, 0 if there is none (section 7 of the design).
type OpenTransaction struct {
	ProducerID       int64
	ProducerEpoch    int16
	CoordinatorEpoch int32
	Start            int64 // its first offset
}

// AbortedTransaction is an entry of the aborted-transaction index: a reader in read_committed skips the producer's
// transactional batches from First up to the ABORT marker at Last.
type AbortedTransaction struct {
	ProducerID  int64
	First, Last int64
}

// transaction is one that a marker ended.
type transaction struct {
	producerID    int64
	start, marker int64
	aborted       bool
}

// OpenTransactions is the open transactions by ascending producer id, nil if there is none. The caller may append
// markers while it goes through them.
func (l *Log) OpenTransactions() []OpenTransaction {
	if len(l.state.open) == 0 {
		return nil
	}
	return slices.Clone(l.state.open)
}

// InTransaction tells whether the producer has an open transaction here, begun above the newest reset, in that epoch.
func (l *Log) InTransaction(producerID int64, producerEpoch int16) bool {
	t := l.state.openOf(producerID)
	return t != nil && t.ProducerEpoch == producerEpoch
}

// CheckMarker judges a coordinator's marker before a leader appends it, and tells whether it is a repeat of one that is in
// the log already. A coordinator raises the producer epoch with every marker (KIP-890), so a marker of the epoch in which
// the open transaction is ended the transaction before that one, and comes late (KIP-1228). The code is OK,
// TransactionCoordinatorFenced or InvalidProducerEpoch.
func (l *Log) CheckMarker(producerID int64, producerEpoch int16, coordinatorEpoch int32) (repeat bool, code wire.Code) {
	i, known := l.state.find(producerID)
	if !known {
		return false, wire.OK
	}
	p := &l.state.producers[i]
	switch {
	case coordinatorEpoch < p.coordinatorEpoch:
		return false, wire.TransactionCoordinatorFenced
	case producerEpoch < p.epoch, l.InTransaction(producerID, producerEpoch):
		return false, wire.InvalidProducerEpoch
	}
	return producerEpoch == p.epoch && p.count == 0, wire.OK
}

// Aborted is the aborted transactions with an offset at or above from and below to, in the order of their markers; nil
// if there is none.
func (l *Log) Aborted(from, to int64) []AbortedTransaction {
	var found []AbortedTransaction
	first := len(l.ended)
	for first > 0 && l.ended[first-1].marker >= from {
		first--
	}
	for _, t := range l.ended[first:] {
		if t.aborted && t.start < to {
			found = append(found, AbortedTransaction{t.producerID, t.start, t.marker})
		}
	}
	return found
}

// apply folds the newest batch into what the log derives, and reports a reset with the entries that are really left.
func (l *Log) apply(b *record.Batch, out *node.Effects) {
	if t, ok := l.state.apply(b, l.rules); ok {
		l.ended = append(l.ended, t)
	}
	if b.Control == record.MirrorPidReset && out != nil {
		e := out.Emit(event.ProducersReset, l.files.ID)
		e.Offset, e.Sequence = b.Base, int32(len(l.state.producers))
	}
}

// begin opens a transaction with the producer's batch, or notes that its open one goes on. One that is open from below
// the newest reset is another producer's, though the id may be equal: it is left alone.
func (s *producerState) begin(b *record.Batch) {
	if t := s.openOf(b.ProducerID); t != nil {
		t.ProducerEpoch = b.ProducerEpoch
		return
	}
	at, _ := s.find(b.ProducerID)
	t := OpenTransaction{b.ProducerID, b.ProducerEpoch, s.producers[at].coordinatorEpoch, b.Base}
	s.open = slices.Insert(s.open, s.findOpen(b.ProducerID+1), t)
}

// end closes the transaction that the marker b is for. A producer has one open transaction, and a second one only where
// a reset left one open below it: then the marker is for the newest of its own epoch, or else for the newest of a lower
// one, since a coordinator may raise the epoch with the marker (KIP-890).
func (s *producerState) end(b *record.Batch) (t transaction, ended bool) {
	best := -1
	for i := s.findOpen(b.ProducerID); i < len(s.open) && s.open[i].ProducerID == b.ProducerID; i++ {
		epoch := s.open[i].ProducerEpoch
		exact := best >= 0 && s.open[best].ProducerEpoch == b.ProducerEpoch
		if epoch == b.ProducerEpoch || epoch < b.ProducerEpoch && !exact {
			best = i
		}
	}
	if best < 0 {
		return transaction{}, false // a marker for a transaction that wrote nothing here, or nothing that is left
	}
	t = transaction{b.ProducerID, s.open[best].Start, b.Base, b.Control == record.Abort}
	s.open = slices.Delete(s.open, best, best+1)
	return t, true
}

// openOf is the producer's open transaction, nil if it has none above the newest reset.
func (s *producerState) openOf(id int64) *OpenTransaction {
	i := s.findOpen(id + 1)
	if i > 0 && s.open[i-1].ProducerID == id && s.open[i-1].Start > s.resetAt {
		return &s.open[i-1]
	}
	return nil
}

// findOpen is the index of the first open transaction of a producer id at or above id.
func (s *producerState) findOpen(id int64) int {
	i := 0
	for i < len(s.open) && s.open[i].ProducerID < id {
		i++
	}
	return i
}
