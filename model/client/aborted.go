package client

import (
	"slices"

	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// aborted is how a reader in read_committed goes through one answer, as Kafka's CompletedFetch does: a producer's
// transactional batches are skipped from the first offset of an aborted transaction up to its ABORT marker.
type aborted struct {
	pending   []wire.AbortedTransaction // not begun yet, in any order; the answer's, never written to
	begun     []wire.AbortedTransaction // begun and not ended
	collected int                       // how many of pending have begun
}

// hides tells whether the application does not get b, the next batch of the answer. Batches without a producer id, and
// those whose ids were mapped below 0 (D9), are never of an aborted transaction.
func (s *aborted) hides(b *record.Batch) bool {
	if s.collected < len(s.pending) {
		s.collect(b.Last)
	}
	at := -1
	if b.HasProducer() {
		at = slices.IndexFunc(s.begun, func(t wire.AbortedTransaction) bool { return t.ProducerID == b.ProducerID })
	}
	switch {
	case b.Control == record.Abort && at >= 0:
		s.begun = slices.Delete(s.begun, at, at+1)
		return true
	case !b.IsData():
		return true
	}
	return b.Transactional && at >= 0
}

// collect begins the transactions whose first offset is at most last. A producer has one at a time.
func (s *aborted) collect(last int64) {
	if s.collected == 0 {
		s.pending = slices.Clone(s.pending)
		slices.SortStableFunc(s.pending, func(a, b wire.AbortedTransaction) int { return int(a.First - b.First) })
	}
	for s.collected < len(s.pending) && s.pending[s.collected].First <= last {
		t := s.pending[s.collected]
		if !slices.ContainsFunc(s.begun, func(x wire.AbortedTransaction) bool { return x.ProducerID == t.ProducerID }) {
			s.begun = append(s.begun, t)
		}
		s.collected++
	}
}
