package record

import (
	"encoding/binary"

	"mirrorsim/model/id"
)

// The header of a version 2 record batch.
const (
	headerSize    = 61 // up to and including the record count
	crcStart      = 21 // the attributes: the first byte that the CRC covers
	lengthStart   = 12 // batchLength counts from here
	magic         = 2
	producerStart = 43 // the producer id
	// Of the attributes.
	compression       = 7
	newestCompression = 4 // zstd
	transactional     = 1 << 4
	control           = 1 << 5
	// smallestRecord is the bytes of a record with neither key nor value nor headers, of which the length is one.
	smallestRecord = 7
)

// AppendV2 appends the batch in Kafka's record-batch format version 2, byte for byte, timestamps 0.
func (b *Batch) AppendV2(dst []byte) []byte {
	start := len(dst)
	dst = binary.BigEndian.AppendUint64(dst, uint64(b.Base))
	dst = binary.BigEndian.AppendUint32(dst, 0) // batchLength, set below
	dst = binary.BigEndian.AppendUint32(dst, uint32(b.LeaderEpoch))
	dst = append(dst, magic)
	dst = binary.BigEndian.AppendUint32(dst, 0) // crc, set below
	dst = b.appendCovered(dst)
	binary.BigEndian.PutUint32(dst[start+8:], uint32(len(dst)-start-lengthStart))
	binary.BigEndian.PutUint32(dst[start+crcStart-4:], crc32c(dst[start+crcStart:]))
	return dst
}

// appendCovered appends the part that the CRC covers: the attributes and all after them.
func (b *Batch) appendCovered(dst []byte) []byte {
	if b.Raw != nil {
		return append(dst, b.Raw...)
	}
	var attributes uint16
	if b.Transactional {
		attributes |= transactional
	}
	if b.Control != Data {
		attributes |= control
	}
	dst = binary.BigEndian.AppendUint16(dst, attributes)
	dst = binary.BigEndian.AppendUint32(dst, uint32(b.Last-b.Base))
	dst = binary.BigEndian.AppendUint64(dst, 0) // first timestamp
	dst = binary.BigEndian.AppendUint64(dst, 0) // max timestamp
	dst = binary.BigEndian.AppendUint64(dst, uint64(b.ProducerID))
	dst = binary.BigEndian.AppendUint16(dst, uint16(b.ProducerEpoch))
	dst = binary.BigEndian.AppendUint32(dst, uint32(b.BaseSequence))
	if b.Control != Data {
		dst = binary.BigEndian.AppendUint32(dst, 1)
		return b.appendControl(dst)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(b.Size()))
	for i := range b.Records {
		var key, value [8]byte
		binary.BigEndian.PutUint64(key[:], b.Records[i].Key)
		binary.BigEndian.PutUint64(value[:], b.Records[i].Value)
		dst = appendRecord(dst, b.delta(i), key[:], value[:])
	}
	for i := range b.States {
		dst = b.States[i].appendRecord(dst, b.delta(i))
	}
	for i := range b.Transactions {
		dst = b.Transactions[i].appendRecord(dst, b.delta(i))
	}
	for i := range b.Groups {
		dst = b.Groups[i].appendRecord(dst, b.delta(i))
	}
	return dst
}

// appendControl appends the one record of a control batch: key (version int16 0, type int16), and the value.
func (b *Batch) appendControl(dst []byte) []byte {
	var key [4]byte
	var value [6]byte
	n := 2 // a reset's value is its version alone
	switch b.Control {
	case Abort:
		n = 6
	case Commit:
		key[3], n = 1, 6
	case MirrorPidReset:
		key[3] = 7
	}
	binary.BigEndian.PutUint32(value[2:], uint32(b.CoordinatorEpoch))
	return appendRecord(dst, 0, key[:], value[:n])
}

// appendRecord appends one record without headers: length, attributes, timestamp delta, offset delta, key, value.
func appendRecord(dst []byte, delta int32, key, value []byte) []byte {
	size := 3 + varintSize(int64(delta)) + varintSize(int64(len(key))) + len(key) + varintSize(int64(len(value))) + len(value)
	dst = binary.AppendVarint(dst, int64(size))
	dst = append(dst, 0)                         // attributes
	dst = append(dst, 0)                         // timestamp delta
	dst = binary.AppendVarint(dst, int64(delta)) // offset delta
	dst = binary.AppendVarint(dst, int64(len(key)))
	dst = append(dst, key...)
	dst = binary.AppendVarint(dst, int64(len(value)))
	dst = append(dst, value...)
	return binary.AppendVarint(dst, 0) // headers
}

func varintSize(v int64) int {
	u := uint64(v)<<1 ^ uint64(v>>63)
	n := 1
	for ; u >= 0x80; u >>= 7 {
		n++
	}
	return n
}

// appendRecord appends a __mirror_state record: fixed-width fields, big endian; a tombstone has an empty value.
func (s *MirrorState) appendRecord(dst []byte, delta int32) []byte {
	var key [6]byte
	key[0], key[1] = byte(s.Kind), byte(s.Mirror)
	binary.BigEndian.PutUint32(key[2:], s.Partition.Word())
	var buf [40]byte
	value := buf[:0]
	switch {
	case s.Tombstone:
	case s.Kind == LastMirroredEpochs:
		value = binary.BigEndian.AppendUint32(value, uint32(s.Run))
		value = binary.BigEndian.AppendUint64(value, uint64(s.Life))
		value = binary.BigEndian.AppendUint32(value, uint32(s.Epoch))
		value = binary.BigEndian.AppendUint64(value, uint64(s.Offset))
	default:
		value = binary.BigEndian.AppendUint32(value, uint32(s.Run))
		value = binary.BigEndian.AppendUint64(value, uint64(s.Life))
		value = append(value, byte(s.State), byte(s.Previous), byte(s.Reason), byte(s.Attempts>>8), byte(s.Attempts))
		value = binary.BigEndian.AppendUint32(value, uint32(s.Recovery))
		value = binary.BigEndian.AppendUint32(value, uint32(s.LeaderEpoch))
		value = binary.BigEndian.AppendUint32(value, uint32(s.StateEpoch))
		value = binary.BigEndian.AppendUint64(value, uint64(s.Aligned))
		value = append(value, id.Bit(s.Agreed))
	}
	return appendRecord(dst, delta, key[:], value)
}

// checksum is the CRC-32C of the covered part. Batches of a usual size are encoded on the stack.
func (b *Batch) checksum() uint32 {
	var buf [512]byte
	return crc32c(b.appendCovered(buf[:0]))
}
