package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

// mirroredLong is a history in which B mirrors so many single records of A, the batch at offset changed as it is appended there.
func mirroredLong(records int, offset int64, change func(b *record.Batch) *record.Batch) []event.Event {
	b := &builder{}
	b.boot()
	for i := range records {
		b.produce(p1, clusterA, b.data(p1, 1, 7, int32(i)))
	}
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.fetch(clusterB, false)
	for _, x := range b.logs[a0] {
		if x.Base == offset {
			x = change(x)
		}
		b.append(b0, x, event.FromMirror)
	}
	b.replicate(clusterB)
	return b.events
}

// One batch of a hundred is compared byte for byte: other records under the same CRC are found there, and only there.
func TestMirrorPrefixComparesBytes(t *testing.T) {
	const records = 400
	var sampled []int64
	for o := range int64(records) {
		if compared(clusterB, t0, o) {
			sampled = append(sampled, o)
		}
	}
	if len(sampled) == 0 || len(sampled) > records/25 {
		t.Fatalf("%d of %d are compared", len(sampled), records)
	}
	same := func(b *record.Batch) *record.Batch { return b }
	verdict := func(events []event.Event) Verdict { return verdictOf(t, judge(t, events), "mirror-prefix") }
	well := verdict(mirroredLong(records, 0, same))
	if want := uint64(1 + len(sampled)); well.Status == Violated || well.Occasions != want {
		t.Errorf("%v with %d occasions, want %d", well.Status, well.Occasions, want)
	}
	if v := verdict(mirroredLong(records, sampled[0], (*record.Batch).Flipped)); v.Status != Violated {
		t.Errorf("other bytes at %d: %v", sampled[0], v.Status)
	}
	wantViolated(t, judge(t, mirroredLong(records, sampled[0], (*record.Batch).Flipped)), "mirror-prefix", "B/t-0@b0 holds",
		"the bytes of the batch at that offset of A/t-0 are others")
	if v := verdict(mirroredLong(records, sampled[0]+1, (*record.Batch).Flipped)); v.Status == Violated {
		t.Error("one that is not compared byte for byte is violated")
	}
}
