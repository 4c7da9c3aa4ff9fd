package record

import (
	"bytes"
	"encoding/binary"
)

// Control is what a batch is for. Data is an ordinary batch; the others are control batches, which take one offset each
// and are hidden from consumers.
type Control uint8

// The kinds of batches. The key of a control batch is (version int16 0, type int16), the type being ABORT 0, COMMIT 1
// or MIRROR_PID_RESET 7 (seed 000, "Remove", 4.5).
const (
	Data Control = iota
	Abort
	Commit
	MirrorPidReset
)

// String is the word that log strips use.
func (c Control) String() string {
	switch c {
	case Abort:
		return "abort"
	case Commit:
		return "commit"
	case MirrorPidReset:
		return "reset"
	}
	return "data"
}

// NoProducer is the producer id of a batch that no producer id stands for.
const NoProducer int64 = -1

// NoSequence is the base sequence of a batch without one.
const NoSequence int32 = -1

// Record is one record. The pair is unique in a run: Key says which client wrote it, Value is its counter.
type Record struct{ Key, Value uint64 }

// Batch is one record batch, immutable once it is built.
type Batch struct {
	Base, Last       int64 // first and last offset; compaction may have removed any of the records between and at them
	LeaderEpoch      int32 // the partition leader epoch in which a leader appended it; -1 while a client holds it
	ProducerID       int64 // NoProducer if none
	ProducerEpoch    int16
	BaseSequence     int32 // NoSequence if none
	Control          Control
	Transactional    bool
	CoordinatorEpoch int32         // of Abort and Commit
	CRC              uint32        // CRC-32C of the encoded form from the attributes on: not the base offset, not the leader epoch
	Records          []Record      // of Data batches of ordinary topics
	States           []MirrorState // of Data batches of __mirror_state
	Transactions     []Transaction // of Data batches of __transaction_state
	// Deltas are the offsets, less Base, of the records that compaction has left, ascending; nil where there is a record at
	// each offset. Of the last batch of a producer compaction may leave none: the batch stays for its producer fields.
	Deltas []int32
	Groups []GroupRecord // of Data batches of __consumer_offsets
	// Raw is what the CRC covers of a decoded batch that this package would encode in another way; nil otherwise. Where it
	// is set it is the batch's bytes, whatever the fields say, and Records is empty.
	Raw []byte
}

// Count is the number of offsets that the batch takes.
func (b *Batch) Count() int64 { return b.Last - b.Base + 1 }

// LastSequence is the sequence of the batch's last record; it wraps at 2^31 - 1 as Kafka's does.
func (b *Batch) LastSequence() int32 { return AddSequence(b.BaseSequence, int32(b.Count()-1)) }

// AddSequence is the sequence n records after s. Sequences run from 0 to 2^31 - 1 and start again at 0.
func AddSequence(s, n int32) int32 {
	if s > 0x7fffffff-n {
		return n - (0x7fffffff - s) - 1
	}
	return s + n
}

// OffsetOf is the offset of the i-th record that the batch holds.
func (b *Batch) OffsetOf(i int) int64 { return b.Base + int64(b.delta(i)) }

func (b *Batch) delta(i int) int32 {
	if b.Deltas != nil {
		return b.Deltas[i]
	}
	return int32(i)
}

// IsData tells whether consumers see the batch.
func (b *Batch) IsData() bool { return b.Control == Data }

// HasProducer tells whether the batch is of an idempotent or transactional producer.
func (b *Batch) HasProducer() bool { return b.ProducerID >= 0 }

// At is the batch as a leader appends it: based at base, in leader epoch epoch. Neither is covered by the CRC.
func (b *Batch) At(base int64, epoch int32) *Batch {
	c := *b
	c.Base, c.Last, c.LeaderEpoch = base, base+b.Last-b.Base, epoch
	return &c
}

// Sealed sets the CRC of a batch that is about to be shared, and answers it.
func (b *Batch) Sealed() *Batch {
	b.CRC = b.checksum()
	return b
}

// Intact tells whether the batch's bytes still have its CRC. Every append checks it.
func (b *Batch) Intact() bool { return b.CRC == b.checksum() }

// Flipped is the batch with one bit of its bytes turned round under the CRC that it keeps, as a bad disk does it. Flipped
// again it is the batch as it was.
func (b *Batch) Flipped() *Batch {
	c := *b
	switch {
	case len(b.Raw) > 0:
		c.Raw = bytes.Clone(b.Raw)
		c.Raw[len(c.Raw)-1] ^= 1
	case len(b.Records) > 0:
		c.Records = append([]Record(nil), b.Records...)
		c.Records[0].Value ^= 1
	default:
		c.BaseSequence ^= 1
	}
	return &c
}

// Same tells whether b and c hold the same bytes at the same offsets in the same leader epoch.
func (b *Batch) Same(c *Batch) bool {
	return b == c || b.Base == c.Base && b.Last == c.Last && b.LeaderEpoch == c.LeaderEpoch && b.CRC == c.CRC &&
		b.ProducerID == c.ProducerID && b.ProducerEpoch == c.ProducerEpoch && b.BaseSequence == c.BaseSequence &&
		b.Control == c.Control
}

// WithProducer is the batch under another producer id, its bytes included.
func (b *Batch) WithProducer(producer int64) *Batch {
	c := *b
	c.ProducerID = producer
	if c.Raw != nil {
		c.Raw = bytes.Clone(c.Raw)
		binary.BigEndian.PutUint64(c.Raw[producerStart-crcStart:], uint64(producer))
	}
	return c.Sealed()
}

// NewReset is a MIRROR_PID_RESET control batch, not yet at an offset.
func NewReset() *Batch {
	b := &Batch{LeaderEpoch: -1, ProducerID: NoProducer, ProducerEpoch: -1, BaseSequence: NoSequence, Control: MirrorPidReset}
	return b.Sealed()
}

// NewMarker is an ABORT or COMMIT control batch of a producer, not yet at an offset.
func NewMarker(kind Control, producerID int64, producerEpoch int16, coordinatorEpoch int32) *Batch {
	b := &Batch{LeaderEpoch: -1, ProducerID: producerID, ProducerEpoch: producerEpoch, BaseSequence: NoSequence,
		Control: kind, Transactional: true, CoordinatorEpoch: coordinatorEpoch}
	return b.Sealed()
}

// NewData is a data batch of a client, not yet at an offset. It has at least one record.
func NewData(producerID int64, producerEpoch int16, baseSequence int32, records []Record) *Batch {
	b := &Batch{Last: int64(len(records) - 1), LeaderEpoch: -1, ProducerID: producerID, ProducerEpoch: producerEpoch,
		BaseSequence: baseSequence, Records: records}
	return b.Sealed()
}

// InTransaction is a data batch as a transactional producer sends it; b is not shared yet.
func (b *Batch) InTransaction() *Batch {
	b.Transactional = true
	return b.Sealed()
}

// NewTransactions is a batch of __transaction_state records, not yet at an offset. It has at least one record.
func NewTransactions(transactions []Transaction) *Batch {
	b := &Batch{Last: int64(len(transactions) - 1), LeaderEpoch: -1, ProducerID: NoProducer, ProducerEpoch: -1,
		BaseSequence: NoSequence, Transactions: transactions}
	return b.Sealed()
}

// NewStates is a batch of __mirror_state records, not yet at an offset. It has at least one record.
func NewStates(states []MirrorState) *Batch {
	b := &Batch{Last: int64(len(states) - 1), LeaderEpoch: -1, ProducerID: NoProducer, ProducerEpoch: -1,
		BaseSequence: NoSequence, States: states}
	return b.Sealed()
}
