package record

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
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
