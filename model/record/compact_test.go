package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keepOnly has a batch keep the records at those offsets.
func keepOnly(b *Batch, offsets ...int64) *Batch {
	return b.Compact(func(i int) bool {
		for _, o := range offsets {
			if b.OffsetOf(i) == o {
				return true
			}
		}
		return false
	})
}

// Compaction leaves the offsets of a batch and of its records, and all that producers are known by.
func TestCompact(t *testing.T) {
	b := NewData(4, 1, 70, []Record{{1, 2}, {1, 3}, {1, 4}}).At(20, 2)
	for _, c := range []struct {
		offsets []int64
		deltas  []int32
	}{{[]int64{20, 22}, []int32{0, 2}}, {[]int64{21}, []int32{1}}, {nil, []int32{}}} {
		x := keepOnly(b, c.offsets...)
		if diff := cmp.Diff(c.deltas, x.Deltas); diff != "" || !x.Compacted() || !x.Intact() || x.CRC == b.CRC {
			t.Fatalf("%v: %s in %+v", c.offsets, diff, x)
		}
		if x.Base != 20 || x.Last != 22 || x.LastSequence() != 72 || x.LeaderEpoch != 2 || x.Size() != len(c.offsets) {
			t.Errorf("%v: %+v", c.offsets, x)
		}
		for i, o := range c.offsets {
			if x.OffsetOf(i) != o || x.Records[i] != b.Records[o-20] {
				t.Errorf("record %d is %v at %d", i, x.Records[i], x.OffsetOf(i))
			}
		}
		got, n, err := DecodeV2(x.AppendV2(nil))
		if err != nil || n == 0 {
			t.Fatal(err)
		}
		if len(x.Records) == 0 {
			got.Records = nil
		}
		if diff := cmp.Diff(x, got); diff != "" {
			t.Errorf("%v: decoded again: %s", c.offsets, diff)
		}
		if again := keepOnly(x, c.offsets...); again != x {
			t.Errorf("%v: a second pass changed it", c.offsets)
		}
	}
	if keepOnly(b, 20, 21, 22) != b {
		t.Error("a batch of which all is kept was changed")
	}
	reset := NewReset().At(3, 1)
	if raw := (&Batch{Raw: []byte{1}}); keepOnly(reset) != reset || keepOnly(raw) != raw {
		t.Error("a control batch or a foreign one was changed")
	}
	states := NewStates([]MirrorState{{Run: 1}, {Run: 2}}).At(0, 0)
	if x := keepOnly(states, 1); len(x.States) != 1 || x.States[0].Run != 2 || x.OffsetOf(0) != 1 || !x.Intact() {
		t.Errorf("of two states is left %+v", x)
	}
	transactions := NewTransactions([]Transaction{{Client: 1}, {Client: 2}}).At(0, 0)
	if x := keepOnly(transactions, 0); len(x.Transactions) != 1 || x.Transactions[0].Client != 1 {
		t.Errorf("of two transactions is left %+v", x)
	}
}

// A bit that turns round is seen by the CRC, and leaves the batch that it was made of alone.
func TestFlipped(t *testing.T) {
	foreign, _, err := DecodeV2(foreign(0, kmsgRecord(0, []byte("key"), []byte("value")), 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*Batch{"data": NewData(4, 1, 70, []Record{{1, 2}}), "reset": NewReset(), "foreign": foreign,
		"emptied": keepOnly(NewData(4, 1, 70, []Record{{1, 2}})), "states": NewStates([]MirrorState{{Run: 1}})} {
		x := b.Flipped()
		if x.Intact() || !b.Intact() || x.CRC != b.CRC || x.Base != b.Base || x.Last != b.Last {
			t.Errorf("%s: intact %v, the first one %v", name, x.Intact(), b.Intact())
		}
		if again := x.Flipped(); !again.Intact() {
			t.Errorf("%s: turned back it is not intact", name)
		}
	}
}

// A batch covers what compaction can leave of it, on whatever side of a mirror, and nothing else.
func TestCovers(t *testing.T) {
	b := NewData(4, 1, 70, []Record{{1, 2}, {1, 3}, {1, 4}}).At(20, 2)
	other := NewData(4, 1, 70, []Record{{1, 2}, {1, 9}, {1, 4}}).At(20, 2)
	for name, c := range map[string]struct {
		a, b *Batch
		want bool
	}{
		"itself":                  {b, b, true},
		"an equal one":            {b, NewData(4, 1, 70, b.Records).At(20, 2), true},
		"two of three":            {b, keepOnly(b, 20, 22), true},
		"none":                    {b, keepOnly(b), true},
		"one of two":              {keepOnly(b, 20, 22), keepOnly(b, 22), true},
		"in another leader epoch": {b, keepOnly(b, 22).At(20, 5), true},
		"under another id":        {b, keepOnly(b, 22).WithProducer(-6), true},
		"more":                    {keepOnly(b, 20), b, false},
		"another record":          {b, other, false},
		"another one left":        {b, keepOnly(other, 21), false},
		"elsewhere":               {b, keepOnly(b, 22).At(21, 2), false},
		"another sequence":        {b, keepOnly(NewData(4, 1, 71, b.Records).At(20, 2), 22), false},
		"a control batch":         {NewReset().At(3, 1), NewMarker(Abort, -1, -1, 0).At(3, 1), false},
		"a shorter one":           {b, NewData(4, 1, 70, b.Records[:2]).At(20, 2), false},
		"states":                  {NewStates([]MirrorState{{Run: 1}, {Run: 2}}).At(0, 0), keepOnly(NewStates([]MirrorState{{Run: 1}, {Run: 2}}).At(0, 0), 1), true},
		"other states":            {NewStates([]MirrorState{{Run: 1}}).At(0, 0), NewStates([]MirrorState{{Run: 2}}).At(0, 0), false},
	} {
		if got := c.a.Covers(c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
