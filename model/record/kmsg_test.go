package record

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"mirrorsim/model/id"
)

// kmsg, which knows nothing of this package, reads the same batch from the bytes.
func TestKmsgReadsTheBytes(t *testing.T) {
	for name, b := range map[string]*Batch{
		"reset":     NewReset().At(3, 1),
		"abort":     NewMarker(Abort, 7, 2, 5).At(9, 4),
		"data":      NewData(4, 1, 70, []Record{{1, 2}, {1, 3}, {1, 4}}).At(20, 2),
		"compacted": keepOnly(NewData(4, 1, 70, []Record{{1, 2}, {1, 3}, {1, 4}}).At(20, 2), 20, 22),
		"emptied":   keepOnly(NewData(4, 1, 70, []Record{{1, 2}, {1, 3}, {1, 4}}).At(20, 2)),
		"states":    NewStates([]MirrorState{{Kind: MirrorPartitionState, State: Stopped}}).At(0, 0),
		"long key":  NewGroups([]GroupRecord{{Kind: GroupMetadata, Group: Group{Name: strings.Repeat("g", 200)}}}).At(0, 0),
	} {
		bytes := b.AppendV2(nil)
		var k kmsg.RecordBatch
		if err := k.ReadFrom(bytes); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		attributes := int16(0)
		if b.Transactional {
			attributes |= 1 << 4
		}
		if b.Control != Data {
			attributes |= 1 << 5
		}
		count := int32(1)
		if b.IsData() {
			count = int32(b.Size())
		}
		if k.FirstOffset != b.Base || k.Length != int32(len(bytes)-12) || k.PartitionLeaderEpoch != b.LeaderEpoch || k.Magic != 2 ||
			uint32(k.CRC) != b.CRC || k.Attributes != attributes || k.LastOffsetDelta != int32(b.Last-b.Base) ||
			k.ProducerID != b.ProducerID || k.ProducerEpoch != b.ProducerEpoch || k.FirstSequence != b.BaseSequence ||
			k.NumRecords != count {
			t.Errorf("%s: kmsg reads %+v", name, k)
		}
		rest := k.Records
		for i := range k.NumRecords {
			var r kmsg.Record
			if err := r.ReadFrom(rest); err != nil || r.OffsetDelta != b.delta(int(i)) {
				t.Fatalf("%s: record %d: %v, %+v", name, i, err, r)
			}
			rest = rest[len(r.AppendTo(nil)):]
		}
		if len(rest) != 0 {
			t.Errorf("%s: %d bytes are left", name, len(rest))
		}
	}
}

// The records of __consumer_offsets as their comment lays them out: kind, client, group id and, of an offset, the partition are
// the key; the value of an offset, of a membership, and of a tombstone differ.
func TestGroupRecordBytes(t *testing.T) {
	g, p := Group{Client: 5, Name: "ab"}, id.Partition{Topic: 3, Index: 2}
	word := fmt.Sprintf("%08x", p.Word())
	for _, c := range []struct {
		name       string
		record     GroupRecord
		key, value string
	}{
		{"offset", GroupRecord{Kind: OffsetCommit, Group: g, Partition: p, Offset: 258, Epoch: 7, Generation: 9, Origin: CommitLower,
			Mirror: 4, CreatedAt: 6}, "01056162" + word, "0000000000000102" + "00000007" + "00000009" + "0304" + "0000000000000006"},
		{"tombstone", GroupRecord{Kind: OffsetCommit, Group: g, Partition: p, Tombstone: true}, "01056162" + word, ""},
		{"membership", GroupRecord{Kind: GroupMetadata, Group: g, Generation: 9, Member: 8}, "02056162", "0000000900000008"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var k kmsg.RecordBatch
			if err := k.ReadFrom(NewGroups([]GroupRecord{c.record}).At(0, 0).AppendV2(nil)); err != nil {
				t.Fatal(err)
			}
			var r kmsg.Record
			if err := r.ReadFrom(k.Records); err != nil {
				t.Fatal(err)
			}
			if key, value := hex.EncodeToString(r.Key), hex.EncodeToString(r.Value); key != c.key || value != c.value {
				t.Errorf("key %s, value %s; want %s, %s", key, value, c.key, c.value)
			}
		})
	}
}
