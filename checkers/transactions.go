package checkers

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// ending is how a transaction ended in one log.
type ending uint8

// The endings. A transaction that a reset has dropped (D21) was neither committed nor aborted by anybody.
const (
	open ending = iota
	committed
	aborted
	dropped
)

// String is the word for people.
func (x ending) String() string {
	return [...]string{"open", "committed", "aborted", "dropped by a reset"}[x]
}

// txn is one transaction as the batches of a log tell it. A batch of a producer whose id the protocol has mapped (D9)
// counts like any other: whether its records were committed does not depend on what the id is.
type txn struct {
	producer int64
	epoch    int32       // of its newest batch
	first    int64       // the offset of its first batch
	at       id.Duration // when that was appended here
	index    uint64      // and the event
	below    bool        // a reset stands above first, so that a new batch of that id is of another transaction
	marker   int64       // the offset of the batch that ended it; -1 while it is open
	how      ending
}

// foldTransaction follows the transactions of the log behind its newest batch b.
func (s *Shadow) foldTransaction(b *record.Batch, index uint64, at id.Duration, resetCloses bool) {
	switch {
	case b.Control == record.MirrorPidReset:
		for i := range s.open {
			s.open[i].below = true
		}
		for resetCloses && len(s.open) > 0 {
			s.endTransaction(0, b.Base, dropped)
		}
	case b.Control == record.Data:
		for i := len(s.open) - 1; i >= 0; i-- {
			if x := &s.open[i]; x.producer == b.ProducerID && !x.below {
				x.epoch = int32(b.ProducerEpoch)
				return
			}
		}
		s.open = append(s.open, txn{producer: b.ProducerID, epoch: int32(b.ProducerEpoch), first: b.Base, at: at, index: index,
			marker: -1})
	default:
		how := aborted
		if b.Control == record.Commit {
			how = committed
		}
		if i := s.endedBy(b); i >= 0 {
			s.endTransaction(i, b.Base, how)
		}
	}
}

// endedBy is the open transaction that marker b is for, -1 if there is none: the newest of its own epoch, or else the
// newest of a lower one, since a coordinator may raise the epoch with the marker (KIP-890).
func (s *Shadow) endedBy(b *record.Batch) int {
	best := -1
	for i := range s.open {
		x := &s.open[i]
		if x.producer != b.ProducerID || x.epoch > int32(b.ProducerEpoch) {
			continue
		}
		if best < 0 || x.epoch == int32(b.ProducerEpoch) || s.open[best].epoch < int32(b.ProducerEpoch) {
			best = i
		}
	}
	return best
}

func (s *Shadow) endTransaction(i int, marker int64, how ending) {
	x := s.open[i]
	s.open = slices.Delete(s.open, i, i+1)
	x.marker, x.how = marker, how
	s.ended = append(s.ended, x)
}

// cutTransactions takes the transactions back to what they were below offset end, at which what was cut began: a marker
// that is gone has ended nothing. The log end may be above it, inside a batch that went as a whole.
func (s *Shadow) cutTransactions(end int64) {
	n := len(s.ended)
	for n > 0 && s.ended[n-1].marker >= end {
		n--
	}
	for _, x := range s.ended[n:] {
		if x.first >= end {
			continue
		}
		x.marker, x.how = -1, open
		i := slices.IndexFunc(s.open, func(y txn) bool { return y.first > x.first })
		if i < 0 {
			i = len(s.open)
		}
		s.open = slices.Insert(s.open, i, x)
	}
	s.ended = s.ended[:n:n]
	s.open = slices.DeleteFunc(s.open, func(x txn) bool { return x.first >= end })
	for i := range s.open {
		s.open[i].below = s.open[i].first < s.reset
	}
}

// dropTransactions forgets the transactions that ended below the log start. One that is open from there stays so.
func (s *Shadow) dropTransactions() {
	n := 0
	for n < len(s.ended) && s.ended[n].marker < s.Start {
		n++
	}
	s.ended = s.ended[n:]
}

// transactionOf is the transaction that a transactional data batch of the log is part of; nil if it is not known. Where a reset
// has left one open below it there are two of one producer id: the batch is of the one that began last before it.
func (s *Shadow) transactionOf(b *record.Batch) *txn {
	var found *txn
	i, _ := slices.BinarySearchFunc(s.ended, b.Base, func(x txn, o int64) int { return int(min(max(x.marker-o, -1), 1)) })
	for ; i < len(s.ended); i++ {
		if x := &s.ended[i]; x.producer == b.ProducerID && x.first <= b.Base && (found == nil || x.first > found.first) {
			found = x
		}
	}
	for i := len(s.open) - 1; i >= 0; i-- {
		if x := &s.open[i]; x.producer == b.ProducerID && x.first <= b.Base && (found == nil || x.first > found.first) {
			found = x
		}
	}
	return found
}

// hidden tells whether read_committed does not show the batch: it is a control batch, or of a transaction that was not
// committed.
func (s *Shadow) hidden(b *record.Batch) bool {
	if !b.IsData() {
		return true
	}
	if !b.Transactional {
		return false
	}
	x := s.transactionOf(b)
	return x == nil || x.how != committed
}

// lastStable is the last stable offset: the smallest of the high watermark, the first offset of the oldest open
// transaction, and that of the oldest ended one whose marker is not yet below the high watermark (section 4 of the
// design), never below the log start.
func (s *Shadow) lastStable() int64 {
	stable := s.HighWatermark
	for i := range s.open {
		stable = min(stable, s.open[i].first)
	}
	for i := len(s.ended) - 1; i >= 0 && s.ended[i].marker >= s.HighWatermark; i-- {
		stable = min(stable, s.ended[i].first)
	}
	return max(stable, s.Start)
}

// spellTxn is a transaction in words.
func spellTxn(x *txn) string {
	return "the transaction of producer " + num(x.producer) + ", epoch " + num(int64(x.epoch)) + ", from offset " + num(x.first)
}
