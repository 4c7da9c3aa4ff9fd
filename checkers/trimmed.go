package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// foldStartMoved takes in that the log start of a replica has moved: by retention or DeleteRecords, or because it follows that
// of its leader or its mirror's source.
func (l *Ledger) foldStartMoved(pt *part, s *Shadow, e *event.Event) {
	cp := pt.in[l.cluster(e.Node)]
	gone := s.moveStart(e.Offset)
	cp.keepTrimmed(gone)
	pt.markTrimmed(gone, l.cluster(e.Node) == pt.loss.authority)
	l.forget(pt)
	if !cp.mirrored && cp.current(e.Node, s) {
		cp.prune(s.Start)
	}
}

// markTrimmed takes note of what a log that held it has lost to its log start, by whichever cluster it was acknowledged: of
// that nobody promises anything any more below the log start of whoever is in charge in the end, and anywhere if the log was of the
// cluster in charge: the next one may begin lower, and has not mirrored it. What merely lies below a log start, and no log has lost
// so, is another matter.
func (pt *part) markTrimmed(gone []entry, inCharge bool) {
	if len(gone) == 0 {
		return
	}
	for _, cp := range pt.in {
		fits := func(a ack) bool { return !(a.trimmed && (a.deleted || !inCharge)) && among(gone, a.batch) }
		if i := slices.IndexFunc(cp.acked, fits); i >= 0 {
			cp.acked = slices.Clone(cp.acked) // clones share it
			for ; i < len(cp.acked); i++ {
				if a := &cp.acked[i]; fits(*a) {
					a.trimmed, a.deleted = true, a.deleted || inCharge
				}
			}
		}
	}
	pt.loss.recopied.trim(gone)
}

// among tells whether b's records are in the list of entries, which is in the order of offsets.
func among(list []entry, b *record.Batch) bool {
	if b.Last < list[0].batch.Base || b.Base > list[len(list)-1].batch.Last {
		return false
	}
	i, found := slices.BinarySearchFunc(list, b.Base, func(x entry, base int64) int { return int(x.batch.Base - base) })
	return found && sameRecords(list[i].batch, b)
}

// wasTrimmed tells whether a log of the partition, of whichever cluster, has held b, or its records at the same offsets in
// another leader epoch, and lost them to its log start. It is known while some log begins below that.
func (l *Ledger) wasTrimmed(pt *part, b *record.Batch) bool {
	for _, cp := range pt.in {
		for i := cp.pastFrom(b.Base); i < len(cp.past) && cp.past[i].batch.Base == b.Base; i++ {
			if x := &cp.past[i]; x.trimmed && (l.topology.mirrors(x.batch, b) || l.topology.mirrors(b, x.batch) ||
				b.IsData() && sameRecords(x.batch, b)) {
				return true
			}
		}
	}
	return false
}

// passedOver are the batches of the source's log o that end below the log start of s, its mirror's, although no retention and
// no DeleteRecords has ever removed them from a log: s begins above what it was to copy.
func (l *Ledger) passedOver(pt *part, s, o *Shadow) []*record.Batch {
	var all []*record.Batch
	for i := range o.position(s.Start) {
		if x := &o.log[i]; x.now != nil && !l.wasTrimmed(pt, x.batch) {
			all = append(all, x.now)
		}
	}
	return all
}

// recordsPassedOver are those of them that hold records.
func (l *Ledger) recordsPassedOver(pt *part, s, o *Shadow) []*record.Batch {
	return slices.DeleteFunc(l.passedOver(pt, s, o), func(b *record.Batch) bool { return !b.IsData() })
}

// beginsAbove says that the log of node n begins above the batches that it passed over, and node source has them.
func (l *Ledger) beginsAbove(pt *part, n, source id.Node, over []*record.Batch) (words string, facts [2]string) {
	facts = [2]string{l.replica(pt, source) + " has " + contents(over[0]),
		l.replica(pt, n) + " begins at " + num(pt.replicas[n].Start) + ", and nobody has deleted that"}
	return l.replica(pt, n) + " begins at " + num(pt.replicas[n].Start) + ", and has never held " + contents(over[0]) + ", which " +
		l.replica(pt, source) + " has and no log start has passed in a log that held it", facts
}

// lostHere is the index of the first of the batches passed over that cluster c has not had as its own and lost beyond the budget of
// faults; -1 if there is none: its log start hides that they were there, and nobody could tell.
func (l *Ledger) lostHere(pt *part, c id.Cluster, over []*record.Batch) (other int) {
	return slices.IndexFunc(over, func(b *record.Batch) bool { return b.LeaderEpoch >= pt.in[c].excusedBelow || !l.stoodOn(pt, c, b) })
}
