package disk

import (
	"bytes"
	"testing"

	"mirrorsim/model/id"
)

// A flipped bit shows in the batch alone, and in the disk's state; a clone, and what was read before, do not see it.
func TestCorruptAndMend(t *testing.T) {
	d := filled()
	p := d.Partitions[0]
	other, before, read := d.Clone(), d.AppendState(nil), p.Batches[2]
	for _, offset := range []int64{-1, 4} {
		if _, ok := d.Corrupt(p.ID, offset); ok {
			t.Errorf("there is a batch at %d", offset)
		}
	}
	if _, ok := d.Corrupt(id.Partition{Topic: 9}, 0); ok {
		t.Error("there is another partition")
	}
	if _, ok := d.Mend(p.ID, 2); ok {
		t.Error("what is whole was mended")
	}
	if base, ok := d.Corrupt(p.ID, 2); !ok || base != 2 {
		t.Fatalf("base %d, %v", base, ok)
	}
	if _, ok := d.Corrupt(p.ID, 2); ok {
		t.Error("what is corrupt was corrupted once more")
	}
	for i, b := range p.Batches {
		if b.Intact() != (i != 2) || !other.Partitions[0].Batches[i].Intact() || b.Base != int64(i) {
			t.Errorf("batch %d: intact %v", i, b.Intact())
		}
	}
	if !read.Intact() || bytes.Equal(d.AppendState(nil), before) || !bytes.Equal(other.AppendState(nil), before) {
		t.Error("the states, or what was read before")
	}
	if base, ok := d.Mend(p.ID, 2); !ok || base != 2 || !bytes.Equal(d.AppendState(nil), before) || !p.Batches[2].Same(read) {
		t.Errorf("after mending: base %d, %v", base, ok)
	}
}
