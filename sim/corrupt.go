package sim

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// Corrupt has one bit of a batch turn round on the disk of n (disk.Corrupt), whether n is up or down.
func (w *World) Corrupt(n id.Node, p id.Partition, offset int64) {
	if base, ok := w.own(n).disk.Corrupt(p, offset); ok {
		w.report(n, event.Event{Kind: event.Corrupted, Peer: id.None, Partition: p, Offset: base, To: 1})
	}
}

// Mend takes back what Corrupt did (disk.Mend).
func (w *World) Mend(n id.Node, p id.Partition, offset int64) {
	if base, ok := w.own(n).disk.Mend(p, offset); ok {
		w.report(n, event.Event{Kind: event.Corrupted, Peer: id.None, Partition: p, Offset: base})
	}
}
