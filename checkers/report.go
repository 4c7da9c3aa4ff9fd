package checkers

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Failover is one completed stop: where the mirror was cut, and what was known of the source then.
type Failover struct {
	Source, Destination id.Cluster
	Mirror              id.Mirror
	Run                 int32
	Boundary            int64 // the destination's log end after any truncation by the stop, before its own first batch
	Common              int64 // up to where its log was the source's: below Boundary where they had departed from each other
	SourceEnd           int64 // the log end of the source's leader at the first step of the stop; -1 if nobody led
	PositionEpoch       int32 // the last mirrored position that is committed; -1 if none is
	PositionOffset      int64
	SourceDeleted       bool // the source had deleted the topic by then
	ByDeletion          bool // and that alone stops a mirror (D24=stop): no operator need have asked
	Undone              bool // the destination became a mirror of the source again, which was in charge until then

	sourceEpoch int32 // the source's leader epoch when the stop began
	entry       int   // the number of the mirror's entry: a mirror of that name may have been deleted since
	epoch       int32 // the destination's when it was done
}

// Alignment is one answer to the question where a log is to be cut when it becomes a mirror.
type Alignment struct {
	Cluster, Source id.Cluster // who asked, and who was asked
	Mirror          id.Mirror
	Run             int32
	Found           bool // false: the log is cut to 0 and copied anew
	Epoch           int32
	Offset          int64
}

// LostRecord is one record that the loss report lists.
type LostRecord struct {
	Cluster    id.Cluster // from whose log it went, or in whose log alone it stands
	Offset     int64
	Epoch      int32
	Key, Value uint64
	// Acknowledged is put on for the reader's sake from what clients heard. Nothing else in the report depends on it.
	Acknowledged bool
}

// LossReport says of one partition what failovers and failbacks took.
type LossReport struct {
	Partition  id.Partition
	Decided    bool       // a stop was completed
	Authority  id.Cluster // the cluster that the last stop left in charge; before the first, the first mirror's source
	Failovers  []Failover
	Alignments []Alignment

	Lost      []LostRecord // at the failover: in the source's log, and the destination had not mirrored it
	After     []LostRecord // taken by an old source after its failover, and still there only
	CutByStop []LostRecord // cut by the stop itself, to the last stable offset
	Discarded []LostRecord // at the failback: cut from the old source, and the new one does not have them
	Trimmed   []LostRecord // cut when a log was restarted or copied anew, and below the new source's log start
	Recopied  []LostRecord // cut, and copied again from the new source, or the cluster in charge has it: no loss
	Followed  []LostRecord // cut from a mirror's copy, because the source did not have them any more
	// Unexplained is what is gone and no failover accounts for. An alignment cut it: it stood in the log of the cluster in
	// charge, or below the boundary, and nobody has it now. Or the cluster in charge has never had it, since its log begins
	// above, and no retention or DeleteRecords took it: the cluster that it took over from has it still. Section 13 of the
	// design accepts no such loss.
	Unexplained []LostRecord

	Turned     []TurnedTransaction // committed by their coordinator, and aborted at the destination by the stop
	Hanging    []HangingTransaction
	Duplicates []DuplicateRecord
	Groups     []GroupReport
	// BothWritable is for how long clients could write to the partition on both clusters of a mirror, since that was first
	// started.
	BothWritable id.Duration
}

// GroupReport says what a group has read again of a partition on a cluster, and what it has passed over there by resuming from
// a committed offset. A group that has done neither is left out.
type GroupReport struct {
	Group             id.Node
	Cluster           id.Cluster
	Again, PassedOver int64 // records
}

// LossReports are the reports of the partitions of ordinary topics that there is something to say of, in order: a stop
// was completed, or the cluster in charge was aligned to another one without any, or a transaction hangs.
func (l *Ledger) LossReports() []LossReport {
	var all []LossReport
	for _, x := range l.index {
		if pt := l.parts[x.slot]; (pt.loss.judged(pt) || l.hangs(pt)) && !l.topics[pt.topic].internal {
			all = append(all, l.lossReport(pt))
		}
	}
	return all
}

// LossReport is the report of partition p.
func (l *Ledger) LossReport(p id.Partition) LossReport {
	if pt := l.seek(p); pt != nil {
		return l.lossReport(pt)
	}
	return LossReport{Partition: p, Authority: noCluster}
}

func (l *Ledger) lossReport(pt *part) LossReport {
	x := &pt.loss
	r := LossReport{Partition: pt.id, Decided: len(x.failovers) > 0, Authority: x.authority}
	r.Failovers = append(r.Failovers, x.failovers...)
	r.Alignments = append(r.Alignments, x.alignments...)
	after := l.after(pt)
	recopied, unexplained := l.copiedAgain(pt, after)
	r.Lost = l.records(pt, x.lost.all())
	r.After = l.records(pt, after)
	r.CutByStop = l.records(pt, x.cutByStop.all())
	r.Discarded = l.records(pt, x.discarded.all())
	r.Trimmed = l.records(pt, x.trimmed.all())
	r.Recopied = l.records(pt, recopied)
	r.Followed = l.records(pt, x.followed.all())
	r.Unexplained = l.records(pt, append(unexplained, x.unexplained.all()...))
	r.Turned, r.Hanging, r.Duplicates = l.turnedTransactions(pt), l.hangingTransactions(pt), l.duplicates(pt)
	r.Groups = l.groupReports(pt)
	r.BothWritable = pt.sides.duration(l.now)
	return r
}

// after is what old sources have taken since their failover and still hold alone.
func (l *Ledger) after(pt *part) []loss {
	x := &pt.loss
	if x.authority == noCluster {
		return nil
	}
	other := l.standingLog(pt, x.authority)
	var all lossList
	for c := range pt.in {
		own := l.standingLog(pt, id.Cluster(c))
		d := x.departure(id.Cluster(c))
		if !d.known || id.Cluster(c) == x.authority || own == nil || other == nil {
			continue
		}
		for i := range own.log {
			b := own.log[i].now
			if b != nil && d.covers(b) && !other.mirrors(b) && !listed(x.lost.live, id.Cluster(c), b) {
				all.add(id.Cluster(c), b)
			}
		}
	}
	return all.live
}

// copiedAgain divides what was cut because the new source had it: most has been copied again since, or stands under the
// heading that says how the new source lost it to a later failover. For the rest nothing accounts.
func (l *Ledger) copiedAgain(pt *part, after []loss) (recopied, unexplained []loss) {
	x := &pt.loss
	if x.authority == noCluster {
		return x.recopied.all(), nil
	}
	final := l.standingLog(pt, x.authority)
	for _, g := range x.recopied.all() {
		switch {
		case final == nil || g.trimmed || final.mirrors(g.batch):
			recopied = append(recopied, g)
		case !x.accounts(g.batch) && !named(after, g.batch):
			unexplained = append(unexplained, g)
		}
	}
	return recopied, unexplained
}

// records spells batches out.
func (l *Ledger) records(pt *part, from []loss) []LostRecord {
	var all []LostRecord
	for _, x := range from {
		acknowledged := pt.in[x.cluster].acknowledged(x.batch)
		for n, r := range x.batch.Records {
			all = append(all, LostRecord{x.cluster, x.batch.OffsetOf(n), x.batch.LeaderEpoch, r.Key, r.Value,
				acknowledged})
		}
	}
	return all
}

// acknowledged tells whether a client heard that b stands at its offset.
func (cp *clusterPart) acknowledged(b *record.Batch) bool {
	for i := range cp.acked {
		if sameRecords(cp.acked[i].batch, b) {
			return true
		}
	}
	return false
}
