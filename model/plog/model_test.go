package plog_test

import (
	"slices"

	"mirrorsim/model/disk"
	"mirrorsim/model/plog"
	"mirrorsim/model/record"
)

// plainLog is the specification that the property test compares the log with: a slice of batches from which everything
// is computed anew at every question.
type plainLog struct {
	clears         bool // D21
	start, end, hw int64
	gone           []*record.Batch // removed by retention: their producers are remembered
	batches        []*record.Batch
	epochs         []disk.Epoch
}

func (m *plainLog) add(b *record.Batch) {
	m.batches = append(slices.Clip(m.batches), b)
	m.end = b.Last + 1
	m.addEpoch(b.LeaderEpoch, b.Base)
}

// addEpoch keeps the entries that a new one leaves standing.
func (m *plainLog) addEpoch(epoch int32, start int64) {
	if n := len(m.epochs); n > 0 && m.epochs[n-1].Epoch == epoch {
		return
	}
	m.epochs = slices.DeleteFunc(slices.Clone(m.epochs), func(e disk.Epoch) bool {
		return e.Epoch > epoch || e.Start >= start
	})
	if n := len(m.epochs); n == 0 || m.epochs[n-1].Epoch != epoch {
		m.epochs = append(m.epochs, disk.Epoch{Epoch: epoch, Start: start})
	}
}

func (m *plainLog) dropEpochs() {
	m.epochs = slices.DeleteFunc(slices.Clone(m.epochs), func(e disk.Epoch) bool { return e.Start >= m.end })
}

func (m *plainLog) truncate(offset int64) {
	if offset < m.end {
		m.batches = slices.DeleteFunc(slices.Clone(m.batches), func(b *record.Batch) bool { return b.Last >= offset })
		m.end, m.hw = offset, min(m.hw, offset)
		if offset < m.start {
			m.start, m.gone = offset, nil
		}
	}
	m.dropEpochs()
}

func (m *plainLog) restart(offset int64) {
	*m = plainLog{clears: m.clears, start: offset, end: offset, hw: offset}
}

func (m *plainLog) moveStart(offset int64) {
	offset = min(offset, m.hw)
	if offset <= m.start {
		return
	}
	m.start = offset
	for len(m.batches) > 0 && m.batches[0].Last < offset {
		m.gone = append(slices.Clip(m.gone), m.batches[0])
		m.batches = m.batches[1:]
	}
	var left []disk.Epoch
	for i, e := range m.epochs {
		if i+1 == len(m.epochs) || m.epochs[i+1].Start > offset {
			left = append(left, disk.Epoch{Epoch: e.Epoch, Start: e.Start})
		}
	}
	if len(left) > 0 {
		left[0].Start = max(left[0].Start, offset)
	}
	m.epochs = left
}

// recover keeps what a power loss left: the first batches and entries. hw and start are the checkpoints.
func (m *plainLog) recover(batches, entries int, hw, start int64) {
	if batches < len(m.batches) {
		m.batches = m.batches[:batches]
		m.end = m.start
		if batches > 0 {
			m.end = m.batches[batches-1].Last + 1
		}
	}
	if len(m.batches) > 0 && m.batches[0].Base < m.start {
		m.start = min(m.start, max(start, m.batches[0].Base))
	}
	m.hw = min(max(hw, m.start), m.end)
	m.epochs = m.epochs[:entries]
	m.dropEpochs()
	for _, b := range m.batches {
		first := max(b.Base, m.start)
		if m.epochAt(first) != b.LeaderEpoch {
			m.epochs = slices.DeleteFunc(slices.Clone(m.epochs), func(e disk.Epoch) bool { return e.Start >= first })
			m.addEpoch(b.LeaderEpoch, first)
		}
	}
}

func (m *plainLog) epochAt(offset int64) int32 {
	epoch := int32(-1)
	for _, e := range m.epochs {
		if e.Start <= offset {
			epoch = e.Epoch
		}
	}
	return epoch
}

// endOffsetFor is section 4 of the design, sentence by sentence.
func (m *plainLog) endOffsetFor(epoch int32) answer {
	n := len(m.epochs)
	switch {
	case epoch == -1 || n == 0:
		return answer{-1, -1, false}
	case epoch == m.epochs[n-1].Epoch:
		return answer{epoch, m.end, true}
	case epoch < m.epochs[0].Epoch:
		return answer{epoch, m.epochs[0].Start, true}
	case epoch > m.epochs[n-1].Epoch:
		return answer{-1, -1, false}
	}
	var found answer
	for i := range n - 1 {
		if m.epochs[i].Epoch <= epoch {
			found = answer{m.epochs[i].Epoch, m.epochs[i+1].Start, true}
		}
	}
	return found
}

// known is every batch whose producer the log may remember.
func (m *plainLog) known() []*record.Batch { return append(slices.Clip(m.gone), m.batches...) }

func (m *plainLog) lastReset() int64 {
	at := int64(-1)
	for _, b := range m.known() {
		if b.Control == record.MirrorPidReset {
			at = b.Base
		}
	}
	return at
}

// producers is the ids with a batch above the newest reset.
func (m *plainLog) producers() []int64 {
	var ids []int64
	for _, b := range m.known() {
		if b.HasProducer() && b.Base > m.lastReset() {
			ids = append(ids, b.ProducerID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// newest is the newest data batches of a producer in its newest epoch, at most five, oldest first.
func (m *plainLog) newest(producer int64) (epoch int16, batches []*record.Batch) {
	for _, b := range m.known() {
		if b.ProducerID != producer || b.Base <= m.lastReset() {
			continue
		}
		if b.ProducerEpoch != epoch {
			batches = nil
		}
		epoch = b.ProducerEpoch
		if b.IsData() {
			batches = append(batches, b)
		}
	}
	return epoch, batches[max(0, len(batches)-5):]
}

// span is one transaction: between two resets each producer has one at a time.
type span struct {
	producer      int64
	epoch         int16
	start, marker int64 // marker is -1 while it is open
	aborted       bool
}

// transactions walks the log and pairs each transactional batch with the marker that ends it.
func (m *plainLog) transactions() []span {
	var all []span
	resetAt := int64(-1)
	for _, b := range m.known() {
		if b.Control == record.MirrorPidReset {
			resetAt = b.Base
			if m.clears {
				all = slices.DeleteFunc(all, func(t span) bool { return t.marker < 0 })
			}
		}
		if !b.Transactional || !b.HasProducer() {
			continue
		}
		mine := func(t span) bool { return t.producer == b.ProducerID && t.marker < 0 }
		if b.IsData() {
			i := slices.IndexFunc(all, func(t span) bool { return mine(t) && t.start > resetAt })
			if i < 0 {
				all = append(all, span{b.ProducerID, b.ProducerEpoch, b.Base, -1, false})
			} else {
				all[i].epoch = b.ProducerEpoch
			}
			continue
		}
		best := -1
		for i, t := range all {
			if mine(t) && t.epoch == b.ProducerEpoch {
				best = i
			}
		}
		for i := len(all) - 1; i >= 0 && best < 0; i-- {
			if mine(all[i]) && all[i].epoch < b.ProducerEpoch {
				best = i
			}
		}
		if best >= 0 {
			all[best].marker, all[best].aborted = b.Base, b.Control == record.Abort
		}
	}
	return all
}

// lastStable is the definition of section 4 of the design.
func (m *plainLog) lastStable() int64 {
	stable := m.hw
	for _, t := range m.transactions() {
		if t.marker < 0 || t.marker >= m.hw {
			stable = min(stable, t.start)
		}
	}
	return max(stable, m.start)
}

func (m *plainLog) openStarts() [][2]int64 {
	var open [][2]int64
	for _, t := range m.transactions() {
		if t.marker < 0 {
			open = append(open, [2]int64{t.producer, t.start})
		}
	}
	slices.SortFunc(open, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
	return open
}

func (m *plainLog) aborted() []plog.AbortedTransaction {
	var found []plog.AbortedTransaction
	for _, t := range m.transactions() {
		if t.aborted && t.marker >= m.start {
			found = append(found, plog.AbortedTransaction{ProducerID: t.producer, First: t.start, Last: t.marker})
		}
	}
	slices.SortFunc(found, func(a, b plog.AbortedTransaction) int { return int(a.Last - b.Last) })
	return found
}

// read is the whole batches below bound that hold an offset at or above from.
func (m *plainLog) read(from, bound int64) []*record.Batch {
	var found []*record.Batch
	for _, b := range m.batches {
		if b.Last >= from && b.Last < bound {
			found = append(found, b)
		}
	}
	return found
}
