package disk

import (
	"slices"

	"mirrorsim/model/id"
)

// Corrupt has one bit of the batch of p that holds offset turn round, under its CRC, and answers the batch's first offset;
// ok is false where the disk has no such batch, or not a whole one. A broker that runs reads it like this from now on.
func (d *Disk) Corrupt(p id.Partition, offset int64) (base int64, ok bool) {
	f, i := d.batchAt(p, offset)
	if f == nil || !f.Batches[i].Intact() {
		return 0, false
	}
	base = f.Batches[i].Base
	f.flip(i)
	f.Flipped = append(f.Flipped[:len(f.Flipped):len(f.Flipped)], base)
	return base, true
}

// Mend takes back what Corrupt did, if that batch is still there.
func (d *Disk) Mend(p id.Partition, offset int64) (base int64, ok bool) {
	f, i := d.batchAt(p, offset)
	if f == nil || f.Batches[i].Intact() {
		return 0, false
	}
	base = f.Batches[i].Base
	f.flip(i)
	f.Flipped = slices.DeleteFunc(slices.Clone(f.Flipped), func(o int64) bool { return o == base })
	return base, true
}

// flip puts another batch in the place of the i-th; the list of batches is shared.
func (f *Partition) flip(i int) {
	f.Batches = slices.Clone(f.Batches)
	f.Batches[i] = f.Batches[i].Flipped()
}

// batchAt is the files of p and the index of the batch that holds offset; nil where there is none.
func (d *Disk) batchAt(p id.Partition, offset int64) (*Partition, int) {
	f := d.Find(p)
	if f == nil {
		return nil, 0
	}
	for i, b := range f.Batches {
		if b.Base <= offset && offset <= b.Last {
			return f, i
		}
	}
	return nil, 0
}
