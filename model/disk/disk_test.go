package disk

import (
	"bytes"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/apart"
)

func filled() *Disk {
	d := &Disk{}
	p := d.Create(id.Partition{Topic: 2})
	for i := range int64(4) {
		p.Batches = append(p.Batches, record.NewData(1, 0, int32(i), []record.Record{{Key: 1, Value: uint64(i)}}).At(i, 0))
	}
	p.End = 4
	p.Epochs = []Epoch{{0, 0}, {1, 3}}
	return d
}

func TestPowerLossKeepsBetweenSyncedAndWritten(t *testing.T) {
	for _, c := range []struct {
		name                 string
		synced, keep         int64
		wantBatches, wantEnd int64
	}{
		{"nothing synced, nothing kept", 0, 0, 0, 0},
		{"nothing synced, some kept", 0, 2, 2, 2},
		{"some synced", 3, 3, 3, 3},
		{"all written is kept", 1, 4, 4, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := filled()
			p := d.Partitions[0]
			p.BatchesSynced, p.EpochsSynced = int(c.synced), 1
			d.PowerLoss(func(f File, synced, written int64) int64 {
				if f == EpochFile {
					if synced != 1 || written != 2 {
						t.Errorf("asked to keep %d to %d entries of the epoch file", synced, written)
					}
					return 1
				}
				if synced != c.synced || written != 4 {
					t.Errorf("asked to keep %d to %d batches", synced, written)
				}
				return c.keep
			})
			if int64(len(p.Batches)) != c.wantBatches || p.End != c.wantEnd || len(p.Epochs) != 1 {
				t.Errorf("kept %d batches up to %d, %d epochs", len(p.Batches), p.End, len(p.Epochs))
			}
		})
	}
}

func TestPowerLossAsksNothingOfWhatIsSynced(t *testing.T) {
	d := filled()
	d.Partitions[0].Sync()
	d.PowerLoss(func(File, int64, int64) int64 {
		t.Error("asked about a file that is synced whole")
		return 0
	})
}

// Neither a disk nor its clone sees what the other appends, cuts or creates.
func TestCloneIsIndependent(t *testing.T) {
	d := filled()
	before := d.AppendState(nil)
	c := d.Clone()
	if !bytes.Equal(before, c.AppendState(nil)) {
		t.Fatal("a clone has another state")
	}
	c.Partitions[0].Batches = append(c.Partitions[0].Batches, record.NewReset().At(4, 1))
	c.Partitions[0].End = 5
	c.Create(id.Partition{Topic: 1}).HighWatermark = 3
	if !bytes.Equal(before, d.AppendState(nil)) {
		t.Error("the disk sees what its clone wrote")
	}
	after := c.AppendState(nil)
	d.Partitions[0].Batches = append(d.Partitions[0].Batches, record.NewReset().At(4, 9))
	d.Partitions[0].Epochs = d.Partitions[0].Epochs[:1]
	if !bytes.Equal(after, c.AppendState(nil)) {
		t.Error("the clone sees what the disk wrote")
	}
}

func TestPartitionsAreOrdered(t *testing.T) {
	d := &Disk{}
	for _, t := range []id.Topic{5, 1, 3, 5} {
		d.Create(id.Partition{Topic: t})
	}
	if len(d.Partitions) != 3 {
		t.Fatalf("%d partitions, want 3", len(d.Partitions))
	}
	for i, want := range []id.Topic{1, 3, 5} {
		if d.Partitions[i].ID.Topic != want || d.Find(id.Partition{Topic: want}) != d.Partitions[i] {
			t.Errorf("partition %d is of topic %d", i, d.Partitions[i].ID.Topic)
		}
	}
	if d.Find(id.Partition{Topic: 4}) != nil {
		t.Error("found a partition that the disk does not have")
	}
}

// A disk's state tells apart whatever a restart reads back (architecture, "Forks"), but how often there was one. A batch is
// known by its offsets, its epoch and its checksum.
func TestStateTellsFieldsApart(t *testing.T) {
	apart.Found(t, 30)(apart.Collisions(func() *Disk {
		p := &Partition{Batches: []*record.Batch{{}}, Epochs: make([]Epoch, 1), Flipped: make([]int64, 1)}
		return &Disk{Partitions: []*Partition{p}, Broken: make([]id.Partition, 1)}
	}, func(d *Disk) []byte { return d.AppendState(nil) }, ".Incarnation", ".Partitions.Batches", ".Partitions.Snapshots"))
	states := map[string]bool{}
	for _, b := range []record.Batch{{}, {Base: 1}, {Last: 1}, {LeaderEpoch: 1}, {CRC: 1}, {CRC: 1 << 31}} {
		states[string((&Disk{Partitions: []*Partition{{Batches: []*record.Batch{&b}}}}).AppendState(nil))] = true
	}
	if len(states) != 6 {
		t.Errorf("six batches make %d states", len(states))
	}
}
