package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Flaw is what is wrong with bytes that are no record batch of version 2.
type Flaw uint8

// The flaws.
const (
	FlawTruncated  Flaw = iota // the bytes end before the batch does
	FlawLength                 // batchLength is too small for a header
	FlawMagic                  // another version
	FlawCRC                    // the bytes do not have their CRC
	FlawOffset                 // offsets that are negative, do not fit, or do not rise
	FlawCount                  // a number of records that cannot be in so many bytes, or so many offsets
	FlawRecord                 // a record whose lengths do not fit
	FlawControl                // a control batch of an unknown type, or not of one record
	FlawAttributes             // an unknown compression
	flaws
)

// String says it in words.
func (f Flaw) String() string {
	if f >= flaws {
		return "?"
	}
	return [...]string{"the bytes end before the batch does", "the batch length is too small", "not a batch of version 2",
		"the bytes do not have their CRC", "the offsets do not fit", "the number of records does not fit",
		"a record does not fit", "no control batch that is known", "no compression that is known"}[f]
}

// DecodeError says that bytes are no record batch of version 2, and where that shows.
type DecodeError struct {
	Flaw Flaw
	At   int // in bytes from the start of the batch
}

// Error names the flaw and the byte.
func (e *DecodeError) Error() string { return fmt.Sprintf("%v, at byte %d", e.Flaw, e.At) }

func flaw(f Flaw, at int) error { return &DecodeError{f, at} }

// DecodeV2 decodes the record batch in Kafka's format version 2 with which src begins, and answers how many bytes it
// takes. A batch that this package would encode in another way (with timestamps, headers, compression, or keys and values
// of other lengths) keeps its bytes in Raw, and has no Records; it is encoded again byte for byte. The error is a
// *DecodeError; src is never kept, and what is allocated is bounded by its length.
func DecodeV2(src []byte) (*Batch, int, error) {
	if len(src) < lengthStart {
		return nil, 0, flaw(FlawTruncated, len(src))
	}
	length := int64(int32(binary.BigEndian.Uint32(src[8:])))
	switch {
	case length < headerSize-lengthStart:
		return nil, 0, flaw(FlawLength, 8)
	case length > int64(len(src)-lengthStart):
		return nil, 0, flaw(FlawTruncated, len(src))
	}
	src = src[:lengthStart+int(length)]
	b := &Batch{Base: int64(binary.BigEndian.Uint64(src)), LeaderEpoch: int32(binary.BigEndian.Uint32(src[12:])),
		CRC: binary.BigEndian.Uint32(src[crcStart-4:])}
	switch {
	case src[16] != magic:
		return nil, 0, flaw(FlawMagic, 16)
	case crc32c(src[crcStart:]) != b.CRC:
		return nil, 0, flaw(FlawCRC, crcStart-4)
	}
	if err := b.decodeCovered(src); err != nil {
		return nil, 0, err
	}
	if b.Deltas != nil && len(b.Records) != len(b.Deltas) || !bytes.Equal(b.appendCovered(nil), src[crcStart:]) {
		b.Records, b.Deltas, b.Raw = nil, nil, bytes.Clone(src[crcStart:])
	}
	return b, len(src), nil
}

// decodeCovered decodes what the CRC covers: the attributes and all after them.
func (b *Batch) decodeCovered(src []byte) error {
	attributes := binary.BigEndian.Uint16(src[crcStart:])
	last := int64(int32(binary.BigEndian.Uint32(src[crcStart+2:])))
	count := int64(int32(binary.BigEndian.Uint32(src[headerSize-4:])))
	b.Transactional = attributes&transactional != 0
	b.ProducerID = int64(binary.BigEndian.Uint64(src[producerStart:]))
	b.ProducerEpoch = int16(binary.BigEndian.Uint16(src[producerStart+8:]))
	b.BaseSequence = int32(binary.BigEndian.Uint32(src[producerStart+10:]))
	b.Last = b.Base + last
	switch {
	case attributes&compression > newestCompression:
		return flaw(FlawAttributes, crcStart)
	case b.Base < 0 || last < 0 || b.Last < b.Base:
		return flaw(FlawOffset, crcStart+2)
	case count < 0 || count > last+1:
		return flaw(FlawCount, headerSize-4)
	case attributes&control != 0:
		return b.decodeControl(src, count, attributes)
	case attributes&compression != 0:
		return nil // the records stay as they are, in Raw
	case count > int64(len(src)-headerSize)/smallestRecord:
		return flaw(FlawCount, headerSize-4)
	}
	b.Records = make([]Record, 0, count)
	r := reader{src: src, at: headerSize}
	if count < last+1 {
		b.Deltas = make([]int32, 0, count)
	}
	for next := int64(0); count > 0; count-- {
		x, err := r.record()
		if err != nil {
			return err
		}
		if x.delta < next || x.delta > last {
			return flaw(FlawOffset, r.at)
		}
		next = x.delta + 1
		if b.Deltas != nil {
			b.Deltas = append(b.Deltas, int32(x.delta))
		}
		if len(x.key) == 8 && len(x.value) == 8 {
			b.Records = append(b.Records, Record{binary.BigEndian.Uint64(x.key), binary.BigEndian.Uint64(x.value)})
		}
	}
	return r.ends()
}

// decodeControl decodes the one record of a control batch.
func (b *Batch) decodeControl(src []byte, count int64, attributes uint16) error {
	if count != 1 || b.Last != b.Base || attributes&compression != 0 {
		return flaw(FlawControl, headerSize-4)
	}
	r := reader{src: src, at: headerSize}
	x, err := r.record()
	if err != nil {
		return err
	}
	if len(x.key) != 4 || x.delta != 0 {
		return flaw(FlawControl, headerSize)
	}
	size := 6
	switch binary.BigEndian.Uint16(x.key[2:]) {
	case 0:
		b.Control = Abort
	case 1:
		b.Control = Commit
	case 7:
		b.Control, size = MirrorPidReset, 2
	default:
		return flaw(FlawControl, headerSize)
	}
	if len(x.value) < size {
		return flaw(FlawControl, headerSize)
	}
	if size == 6 {
		b.CoordinatorEpoch = int32(binary.BigEndian.Uint32(x.value[2:]))
	}
	return r.ends()
}

// reader reads records one after another.
type reader struct {
	src []byte
	at  int
}

// wireRecord is one record as it stands in a batch; key and value are views, nil where they are null.
type wireRecord struct {
	delta      int64
	key, value []byte
}

func (r *reader) record() (x wireRecord, err error) {
	size, ok := r.varint()
	if !ok || size < 0 || size > int64(len(r.src)-r.at) {
		return x, flaw(FlawRecord, r.at)
	}
	end := r.at + int(size)
	body := reader{src: r.src[:end], at: r.at + 1} // behind the attributes
	_, okTime := body.varint()
	delta, okDelta := body.varint()
	key, okKey := body.bytes()
	value, okValue := body.bytes()
	headers, okHeaders := body.varint()
	if size < 1 || !okTime || !okDelta || !okKey || !okValue || !okHeaders || headers < 0 || !body.skip(headers) || body.at != end {
		return x, flaw(FlawRecord, r.at)
	}
	r.at = end
	return wireRecord{delta, key, value}, nil
}

// skip passes over headers: a key that is not null, and a value.
func (r *reader) skip(headers int64) bool {
	for ; headers > 0; headers-- {
		key, ok := r.bytes()
		if _, okValue := r.bytes(); !ok || key == nil || !okValue {
			return false
		}
	}
	return true
}

func (r *reader) varint() (int64, bool) {
	if r.at > len(r.src) {
		return 0, false
	}
	v, n := binary.Varint(r.src[r.at:])
	if n <= 0 {
		return 0, false
	}
	r.at += n
	return v, true
}

// bytes reads a length and so many bytes; a length of -1 is null.
func (r *reader) bytes() ([]byte, bool) {
	n, ok := r.varint()
	switch {
	case !ok || n < -1 || n > int64(len(r.src)-r.at):
		return nil, false
	case n < 0:
		return nil, true
	}
	r.at += int(n)
	return r.src[r.at-int(n) : r.at : r.at], true
}

func (r *reader) ends() error {
	if r.at != len(r.src) {
		return flaw(FlawRecord, r.at)
	}
	return nil
}
