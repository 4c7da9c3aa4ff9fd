package sim

import (
	"testing"

	"mirrorsim/model/node"
	"mirrorsim/model/record"
)

// A bit that turns round is in the history once, and is turned back.
func TestCorrupt(t *testing.T) {
	boot := nodes(func(n *scripted, _ node.Input, _ *node.Effects) {
		p := n.disk.Create(toyPartition)
		p.Batches, p.End = append(p.Batches, record.NewReset().At(p.End, 0)), p.End+1
	})
	w := wired(calm(), Network{}, boot...)
	w.Inject(0, ping(1))
	w.Next()
	intact := func() bool { return w.Disk(0).Find(toyPartition).Batches[0].Intact() }
	whole := w.Fingerprint()
	_, before, _ := w.Count()
	w.Corrupt(0, toyPartition, 0)
	w.Corrupt(0, toyPartition, 0)
	w.Corrupt(0, toyPartition, 7)
	if intact() || w.Fingerprint() == whole {
		t.Errorf("intact %v", intact())
	}
	w.Mend(0, toyPartition, 0)
	w.Mend(0, toyPartition, 0)
	if _, events, _ := w.Count(); !intact() || w.Fingerprint() != whole || events != before+2 {
		t.Errorf("mended %v, %d events more", intact(), events-before)
	}
}
