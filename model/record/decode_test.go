package record

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

// own are batches as this package makes them.
func own() map[string]*Batch {
	return map[string]*Batch{
		"reset":         NewReset().At(3, 1),
		"abort":         NewMarker(Abort, 7, 2, 5).At(9, 4),
		"commit":        NewMarker(Commit, 7, 2, 5).At(9, 4),
		"data":          NewData(4, 1, 70, []Record{{1, 2}, {1, 3}, {1, 4}}).At(20, 2),
		"plain":         NewData(NoProducer, -1, NoSequence, []Record{{1, 2}}).At(0, 0),
		"compacted":     keepOnly(NewData(4, 1, 70, []Record{{1, 2}, {1, 3}, {1, 4}}).At(20, 2), 20, 22),
		"transactional": NewData(4, 1, 70, []Record{{1, 2}}).InTransaction().At(1<<40, 7),
	}
}

// What this package encodes it decodes, from the midst of other bytes too.
func TestDecodeOwn(t *testing.T) {
	for name, b := range own() {
		encoded := b.AppendV2(nil)
		got, n, err := DecodeV2(append(encoded, 1, 2, 3))
		if err != nil || n != len(encoded) {
			t.Fatalf("%s: %d bytes, %v", name, n, err)
		}
		if d := cmp.Diff(b, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestDecodeVector is the byte vector of the contracts.
func TestDecodeVector(t *testing.T) {
	src, _ := hex.DecodeString("00000000000000030000003e00000001029ca5be0100200000000000000000000000000000000000000000ffffffffffffffffffffffffffff0000000118000000080000000704000000")
	b, n, err := DecodeV2(src)
	if err != nil || n != 74 || b.Control != MirrorPidReset || b.Base != 3 || b.LeaderEpoch != 1 || b.Raw != nil || !b.Intact() {
		t.Errorf("%d bytes, %v: %+v", n, err, b)
	}
}

// foreign is a batch that kmsg encodes, with all that this package's own have not.
func foreign(attributes int16, records []byte, count, last int32) []byte {
	k := kmsg.RecordBatch{FirstOffset: 40, PartitionLeaderEpoch: 6, Magic: 2, Attributes: attributes, LastOffsetDelta: last,
		FirstTimestamp: 1700000000000, MaxTimestamp: 1700000000005, ProducerID: 9, ProducerEpoch: 3, FirstSequence: 12,
		NumRecords: count, Records: records}
	k.Length = int32(len(k.AppendTo(nil)) - lengthStart)
	dst := k.AppendTo(nil)
	return resealed(dst)
}

// resealed has the CRC of its bytes.
func resealed(b []byte) []byte {
	binary.BigEndian.PutUint32(b[crcStart-4:], crc32c(b[crcStart:]))
	return b
}

func kmsgRecord(delta int32, key, value []byte, headers ...kmsg.Header) []byte {
	r := kmsg.Record{TimestampDelta64: 5, OffsetDelta: delta, Key: key, Value: value, Headers: headers}
	r.Length = int32(len(r.AppendTo(nil)) - 1)
	return r.AppendTo(nil)
}

// A foreign batch is encoded again byte for byte, wherever it is moved and whoever's it becomes.
func TestDecodeForeign(t *testing.T) {
	for name, src := range map[string][]byte{
		"timestamps and headers": foreign(0, kmsgRecord(0, []byte("key"), []byte("value"), kmsg.Header{Key: "h", Value: []byte{1}}), 1, 0),
		"null key and value":     foreign(0, kmsgRecord(0, nil, nil), 1, 0),
		"compacted":              foreign(0, kmsgRecord(3, []byte("12345678"), []byte("12345678")), 1, 7),
		"emptied by compaction":  foreign(0, nil, 0, 4),
		"compressed":             foreign(4, []byte("no matter what"), 3, 2),
	} {
		b, n, err := DecodeV2(src)
		if err != nil || n != len(src) || b.Raw == nil || len(b.Records) > 0 || !b.Intact() {
			t.Fatalf("%s: %d bytes, %v: %+v", name, n, err, b)
		}
		if got := b.AppendV2(nil); !bytes.Equal(got, src) {
			t.Errorf("%s:\n got %x\nwant %x", name, got, src)
		}
		if b.Base != 40 || b.LeaderEpoch != 6 || b.ProducerID != 9 || b.ProducerEpoch != 3 || b.BaseSequence != 12 {
			t.Errorf("%s: %+v", name, b)
		}
		moved, _, err := DecodeV2(b.WithProducer(-11).At(70, 8).AppendV2(nil))
		if err != nil || moved.ProducerID != -11 || moved.Base != 70 || moved.LeaderEpoch != 8 || moved.Count() != b.Count() {
			t.Errorf("%s, moved: %v: %+v", name, err, moved)
		}
		if again := b.AppendV2(nil); !bytes.Equal(again, src) {
			t.Errorf("%s: the batch that was moved has changed", name)
		}
	}
}

// Every malformed batch is refused with its flaw. All but the last three have the CRC of their bytes.
func TestDecodeMalformed(t *testing.T) {
	set := func(at int, v ...byte) func([]byte) []byte {
		return func(b []byte) []byte { copy(b[at:], v); return resealed(b) }
	}
	one := func(records []byte) func([]byte) []byte {
		return func([]byte) []byte { return foreign(0, records, 1, 0) }
	}
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		want   Flaw
	}{
		{"another version", set(16, 1), FlawMagic},
		{"unknown compression", set(crcStart+1, 5), FlawAttributes},
		{"negative base offset", set(0, 0xff), FlawOffset},
		{"negative last offset delta", set(crcStart+2, 0xff), FlawOffset},
		{"offsets overflow", set(0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), FlawOffset},
		{"negative count", set(headerSize-4, 0xff), FlawCount},
		{"more records than offsets", set(headerSize-4, 0, 0, 0, 4), FlawCount},
		{"more records than bytes", func([]byte) []byte { return foreign(0, nil, 1<<30, 1<<30) }, FlawCount},
		{"one record more than bytes", func([]byte) []byte { return foreign(0, kmsgRecord(0, nil, nil), 2, 1) }, FlawCount},
		{"fewer records than bytes", set(headerSize-4, 0, 0, 0, 2), FlawRecord},
		{"offset beyond the last", one(kmsgRecord(1, nil, nil)), FlawOffset},
		{"record longer than the batch", one([]byte{0x40, 0, 0, 0, 0, 0, 0}), FlawRecord},
		{"record far longer than the batch", one([]byte{0x80, 0x80, 0x80, 1, 0, 0, 0}), FlawRecord},
		{"record of a negative length", one([]byte{0xff, 0xff, 0xff, 1, 0, 0, 0}), FlawRecord},
		{"record without a length", one([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), FlawRecord},
		{"record of no bytes", one([]byte{0, 0, 0, 0, 0, 0, 0}), FlawRecord},
		{"key longer than the record", one([]byte{12, 0, 0, 0, 0x40, 0, 0}), FlawRecord},
		{"key of a negative length", one([]byte{12, 0, 0, 0, 3, 0, 0}), FlawRecord},
		{"more headers than bytes", one([]byte{12, 0, 0, 0, 0, 0, 0x40}), FlawRecord},
		{"fewer headers than bytes", one([]byte{14, 0, 0, 0, 0, 0, 0, 0}), FlawRecord},
		{"header without a key", one([]byte{16, 0, 0, 0, 0, 0, 2, 1, 0}), FlawRecord},
		{"negative number of headers", one([]byte{12, 0, 0, 0, 0, 0, 1}), FlawRecord},
		{"offsets that do not rise", func([]byte) []byte {
			return foreign(0, append(kmsgRecord(0, nil, nil), kmsgRecord(0, nil, nil)...), 2, 1)
		}, FlawOffset},
		{"unknown control", func([]byte) []byte { return foreign(control, kmsgRecord(0, []byte{0, 0, 0, 2}, nil), 1, 0) }, FlawControl},
		{"control without a key", func([]byte) []byte { return foreign(control, kmsgRecord(0, nil, nil), 1, 0) }, FlawControl},
		{"control of no record", func([]byte) []byte { return foreign(control, nil, 0, 0) }, FlawControl},
		{"marker without a value", func([]byte) []byte { return foreign(control, kmsgRecord(0, []byte{0, 0, 0, 1}, nil), 1, 0) }, FlawControl},
		{"compressed control", func([]byte) []byte { return foreign(control|1, kmsgRecord(0, []byte{0, 0, 0, 7}, []byte{0, 0}), 1, 0) }, FlawControl},
		{"length of less than a header", func(b []byte) []byte { copy(b[8:], []byte{0, 0, 0, 48}); return b }, FlawLength},
		{"negative length", func(b []byte) []byte { b[8] = 0xff; return b }, FlawLength},
		{"cut off", func(b []byte) []byte { return b[:len(b)-1] }, FlawTruncated},
		{"no header", func(b []byte) []byte { return b[:11] }, FlawTruncated},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := c.change(own()["data"].AppendV2(nil))
			b, n, err := DecodeV2(src)
			var got *DecodeError
			if b != nil || n != 0 || !errors.As(err, &got) || got.Flaw != c.want {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// A bit that is flipped under the CRC is noticed, wherever it is.
func TestDecodeFlippedBit(t *testing.T) {
	for name, b := range own() {
		src := b.AppendV2(nil)
		for i := crcStart * 8; i < len(src)*8; i++ {
			src[i/8] ^= 1 << (i % 8)
			if _, _, err := DecodeV2(src); err == nil || err.(*DecodeError).Flaw != FlawCRC {
				t.Fatalf("%s: bit %d: %v", name, i, err)
			}
			src[i/8] ^= 1 << (i % 8)
		}
	}
}

func TestFlaws(t *testing.T) {
	for f := range flaws {
		if s := f.String(); s == "" || s == "?" {
			t.Errorf("flaw %d has no words", f)
		}
	}
	if s := (&DecodeError{FlawCRC, 17}).Error(); s != "the bytes do not have their CRC, at byte 17" {
		t.Error(s)
	}
}

// kmsg and this package read the same from any batch that either of them encodes.
func TestDecodeAgainstKmsg(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []byte
		var last int32
		n := rapid.Int32Range(0, 5).Draw(t, "records")
		for i := range n {
			if last += rapid.Int32Range(0, 3).Draw(t, "gap"); i > 0 {
				last++
			}
			key := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "key")
			records = append(records, kmsgRecord(last, key, rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "value"))...)
		}
		src := foreign(int16(rapid.SampledFrom([]int{0, transactional, 8}).Draw(t, "attributes")), records, n, last)
		b, _, err := DecodeV2(src)
		if err != nil {
			t.Fatal(err)
		}
		var k kmsg.RecordBatch
		if err := k.ReadFrom(b.AppendV2(nil)); err != nil {
			t.Fatal(err)
		}
		if k.FirstOffset != b.Base || k.LastOffsetDelta != int32(b.Last-b.Base) || k.ProducerID != b.ProducerID ||
			k.ProducerEpoch != b.ProducerEpoch || k.FirstSequence != b.BaseSequence || k.NumRecords != n || !bytes.Equal(k.Records, records) {
			t.Errorf("kmsg reads %+v of %+v", k, b)
		}
	})
}

// FuzzBatchDecode: no bytes make the decoder panic or allocate without bound, and what it takes it encodes again.
func FuzzBatchDecode(f *testing.F) {
	for _, b := range own() {
		f.Add(b.AppendV2(nil))
	}
	f.Add(foreign(0, kmsgRecord(0, []byte("key"), []byte("value"), kmsg.Header{Key: "h"}), 1, 0))
	f.Add(foreign(2, []byte("compressed"), 9, 8))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) >= headerSize {
			src = resealed(bytes.Clone(src)) // or hardly anything gets past the CRC
		}
		b, n, err := DecodeV2(src)
		var flawed *DecodeError
		switch {
		case err != nil && !errors.As(err, &flawed):
			t.Fatalf("an error of another type: %v", err)
		case err == nil && !bytes.Equal(b.AppendV2(nil), src[:n]):
			t.Fatalf("decoded from\n%x and encoded as\n%x", src[:n], b.AppendV2(nil))
		case err == nil && (b.Intact() != (b.CRC == crc32c(src[crcStart:n])) || b.Last < b.Base):
			t.Fatalf("intact %v, offsets %d to %d", b.Intact(), b.Base, b.Last)
		case err == nil && max(cap(b.Records), cap(b.Deltas)) > len(src):
			t.Fatalf("%d records made room for from %d bytes", cap(b.Records), len(src))
		}
	})
}
