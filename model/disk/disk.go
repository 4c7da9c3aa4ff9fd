package disk

import (
	"mirrorsim/model/assert"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// File is one kind of file.
type File uint8

// The files. Log segments and the leader-epoch checkpoint are written at once and never synced, unless a choice says so
// (Kafka leaves that to the operating system). The high-watermark and log-start checkpoints are small files that are
// replaced whole and synced. The metadata log is synced before it is acknowledged.
const (
	LogFile File = iota
	EpochFile
	Files
)

// String is the file's name in fault plans.
func (f File) String() string {
	switch f {
	case LogFile:
		return "log"
	case EpochFile:
		return "leader-epoch-checkpoint"
	}
	return "?"
}

// Epoch is one entry of a leader-epoch checkpoint: the epoch and the offset of its first record.
type Epoch struct {
	Epoch int32
	Start int64
}

// Snapshot is a producer snapshot file: what the log knew of producers at Offset, all that ended below it counted. Kafka
// writes one whenever a segment rolls, and syncs it. It is never changed.
type Snapshot struct {
	Offset int64
	State  interface{ AppendState(dst []byte) []byte }
}

// Partition is the files of one replica. Batches and Epochs are only ever appended to or cut, never changed in place:
// messages and forks share their prefixes. Who cuts one caps it (s[:n:n]), so that the next append moves it elsewhere.
type Partition struct {
	ID              id.Partition
	CreatedAt       int64 // offset in the metadata log of the record that created the topic: a topic of this id may come again
	Start, End      int64 // log start offset and log end offset
	Batches         []*record.Batch
	BatchesSynced   int // a power loss keeps at least so many
	Epochs          []Epoch
	EpochsSynced    int
	HighWatermark   int64      // the checkpoint
	StartCheckpoint int64      // the log-start checkpoint
	Snapshots       []Snapshot // ascending
	CleanedFrom     int64      // the first offset at which the cleaner has removed something
	CleanedTo       int64      // up to where what it knew of for that lies; 0 if it has removed nothing
	Flipped         []int64    // first offsets of batches of which a bit is not as it was written; appended to or cut
}

// Disk is what one node keeps.
type Disk struct {
	Incarnation uint32       // how often the node has started, synced
	Partitions  []*Partition // ordered by ID
	Full        bool         // no batch can be appended to a log
	// Broken are the partitions whose log can be neither read nor written, each of which stands for a log directory of its
	// own (KIP-112); the zero partition stands for all. What is in them is not lost. Never changed in place.
	Broken []id.Partition
	// Of a metadata log only.
	Metadata        []record.Metadata
	ControllerEpoch int32
}

// Breaks tells whether the log of p can be neither read nor written.
func (d *Disk) Breaks(p id.Partition) bool {
	for _, b := range d.Broken {
		if b == p || b == (id.Partition{}) {
			return true
		}
	}
	return false
}

// Find is the files of partition p, nil if the disk has none.
func (d *Disk) Find(p id.Partition) *Partition {
	if i, ok := d.search(p); ok {
		return d.Partitions[i]
	}
	return nil
}

// Create is the files of partition p, made empty if the disk has none.
func (d *Disk) Create(p id.Partition) *Partition {
	i, ok := d.search(p)
	if ok {
		return d.Partitions[i]
	}
	d.Partitions = append(d.Partitions, nil)
	copy(d.Partitions[i+1:], d.Partitions[i:])
	d.Partitions[i] = &Partition{ID: p}
	return d.Partitions[i]
}

// Remove deletes the files of partition p, if the disk has any.
func (d *Disk) Remove(p id.Partition) {
	if i, ok := d.search(p); ok {
		d.Partitions = append(d.Partitions[:i], d.Partitions[i+1:]...)
	}
}

func (d *Disk) search(p id.Partition) (int, bool) {
	low, high := 0, len(d.Partitions)
	for low < high {
		middle := (low + high) / 2
		if d.Partitions[middle].ID.Less(p) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(d.Partitions) && d.Partitions[low].ID == p
}

// Clone is a copy of which neither side sees the other's changes. Batches and records are shared.
func (d *Disk) Clone() *Disk {
	c := *d
	c.Metadata = d.Metadata[:len(d.Metadata):len(d.Metadata)]
	c.Partitions = make([]*Partition, len(d.Partitions))
	files := make([]Partition, len(d.Partitions))
	for i, p := range d.Partitions {
		files[i] = *p
		files[i].Batches = p.Batches[:len(p.Batches):len(p.Batches)]
		files[i].Epochs = p.Epochs[:len(p.Epochs):len(p.Epochs)]
		files[i].Flipped = p.Flipped[:len(p.Flipped):len(p.Flipped)]
		files[i].Snapshots = p.Snapshots[:len(p.Snapshots):len(p.Snapshots)]
		c.Partitions[i] = &files[i]
	}
	return &c
}

// PowerLoss cuts every file to the length that keep answers, between synced and written. Lengths are counted in batches
// and in epoch entries.
func (d *Disk) PowerLoss(keep func(f File, synced, written int64) int64) {
	for _, p := range d.Partitions {
		n := ask(keep, LogFile, p.BatchesSynced, len(p.Batches))
		if n < len(p.Batches) {
			p.Batches = p.Batches[:n:n]
			p.End = p.Start
			if n > 0 {
				p.End = p.Batches[n-1].Last + 1
			}
		}
		e := ask(keep, EpochFile, p.EpochsSynced, len(p.Epochs))
		p.Epochs = p.Epochs[:e:e]
	}
}

func ask(keep func(f File, synced, written int64) int64, f File, synced, written int) int {
	if synced == written {
		return written
	}
	n := int(keep(f, int64(synced), int64(written)))
	assert.That(n >= synced && n <= written, "a power loss keeps a length between synced and written")
	return n
}

// Sync makes all that was written to the log and its epoch checkpoint survive a power loss.
func (p *Partition) Sync() { p.BatchesSynced, p.EpochsSynced = len(p.Batches), len(p.Epochs) }

// AppendState appends the disk's content in a canonical form for fingerprints.
func (d *Disk) AppendState(dst []byte) []byte {
	dst = word(dst, uint64(len(d.Metadata))<<32|uint64(uint32(d.ControllerEpoch)))
	dst = word(dst, uint64(d.Incarnation))
	if d.Full {
		dst = append(dst, 1)
	}
	for _, p := range d.Broken {
		dst = append(word(dst, uint64(p.Word())), 2)
	}
	var words [8]uint64
	for _, r := range d.Metadata {
		for _, w := range r.Words(words[:0]) {
			dst = word(dst, w)
		}
	}
	for _, p := range d.Partitions {
		dst = word(dst, uint64(p.ID.Word()))
		dst = word(dst, uint64(p.CreatedAt))
		dst = word(dst, uint64(p.Start))
		dst = word(dst, uint64(p.End))
		dst = word(dst, uint64(p.HighWatermark))
		dst = word(dst, uint64(p.StartCheckpoint))
		dst = word(word(dst, uint64(p.CleanedFrom)), uint64(p.CleanedTo))
		dst = word(dst, uint64(len(p.Batches))<<32|uint64(len(p.Epochs)))
		dst = word(dst, uint64(p.BatchesSynced)<<32|uint64(p.EpochsSynced))
		for _, b := range p.Batches {
			dst = word(dst, uint64(b.Base))
			dst = word(dst, uint64(b.Last))
			dst = word(dst, uint64(b.LeaderEpoch)<<32|uint64(b.CRC))
		}
		for _, e := range p.Epochs {
			dst = word(dst, uint64(e.Epoch))
			dst = word(dst, uint64(e.Start))
		}
		for _, offset := range p.Flipped {
			dst = word(dst, uint64(offset))
		}
		for _, s := range p.Snapshots {
			dst = s.State.AppendState(word(dst, uint64(s.Offset)))
		}
	}
	return dst
}

func word(dst []byte, w uint64) []byte {
	return append(dst, byte(w), byte(w>>8), byte(w>>16), byte(w>>24), byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56))
}
