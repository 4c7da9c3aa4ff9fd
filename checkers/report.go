package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// losses is what the loss report of one partition is made from. It is gathered only from what an operator's tools could
// see: positions, log ends, logs, and truncations as replicas report them. No client's answer enters it. It is as long as
// what was lost.
type losses struct {
	authority  id.Cluster // the cluster that the last stop left in charge; noCluster before the first
	failovers  []Failover
	alignments []Alignment
	lost       []loss
	cutByStop  []loss
	discarded  []loss
	trimmed    []loss
	recopied   []loss
}

// loss is a data batch that is gone from the log of cluster.
type loss struct {
	cluster id.Cluster
	batch   *record.Batch
}

// Failover is one completed stop: where the mirror was cut, and what was known of the source then.
type Failover struct {
	Source, Destination id.Cluster
	Mirror              id.Mirror
	Run                 int32
	Boundary            int64 // the destination's log end after any truncation by the stop, before its own first batch
	SourceEnd           int64 // the log end of the source's leader at the first step of the stop; -1 if nobody led
	PositionEpoch       int32 // the last mirrored position that is committed; -1 if none is
	PositionOffset      int64
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
	Decided    bool       // a stop was completed; without one nothing can be said
	Authority  id.Cluster // the cluster that the last stop left in charge
	Failovers  []Failover
	Alignments []Alignment

	Lost      []LostRecord // at the failover: in the source's log, beyond the boundary
	After     []LostRecord // taken by an old source after its failover, and still there only
	CutByStop []LostRecord // cut by the stop itself, to the last stable offset
	Discarded []LostRecord // at the failback: cut from the old source, and the new one does not have them
	Trimmed   []LostRecord // cut when a log was restarted or copied anew, and below the new source's log start
	Recopied  []LostRecord // cut, and copied again from the new source: traffic, not loss
}

// LossReports are the reports of the partitions of ordinary topics that a stop has completed for, in order.
func (l *Ledger) LossReports() []LossReport {
	var all []LossReport
	for _, x := range l.index {
		if pt := l.parts[x.slot]; pt.loss.authority != noCluster && !l.topics[pt.topic].internal {
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
	return LossReport{Partition: p}
}

func (l *Ledger) lossReport(pt *part) LossReport {
	x := &pt.loss
	r := LossReport{Partition: pt.id, Decided: x.authority != noCluster, Authority: x.authority}
	r.Failovers = append(r.Failovers, x.failovers...)
	r.Alignments = append(r.Alignments, x.alignments...)
	r.Lost = l.records(pt, x.lost)
	r.After = l.records(pt, l.after(pt))
	r.CutByStop = l.records(pt, x.cutByStop)
	r.Discarded = l.records(pt, x.discarded)
	r.Trimmed = l.records(pt, x.trimmed)
	r.Recopied = l.records(pt, x.recopied)
	return r
}

// after is what old sources have taken since their failover and still hold alone.
func (l *Ledger) after(pt *part) []loss {
	x := &pt.loss
	var all []loss
	for c := range pt.in {
		f := x.failoverFrom(id.Cluster(c))
		if f == nil || id.Cluster(c) == x.authority {
			continue
		}
		own, other := l.leaderLog(pt, id.Cluster(c)), l.leaderLog(pt, x.authority)
		if own == nil || other == nil {
			continue
		}
		for i := own.position(f.Boundary); i < len(own.log); i++ {
			b := own.log[i].batch
			if !other.mirrors(b) && !listed(x.lost, id.Cluster(c), b) {
				all = add(all, id.Cluster(c), b)
			}
		}
	}
	return all
}

// failoverFrom is the last failover away from cluster c, nil if there was none.
func (x *losses) failoverFrom(c id.Cluster) *Failover {
	for i := len(x.failovers) - 1; i >= 0; i-- {
		if x.failovers[i].Source == c {
			return &x.failovers[i]
		}
	}
	return nil
}

// records spells batches out.
func (l *Ledger) records(pt *part, from []loss) []LostRecord {
	var all []LostRecord
	for _, x := range from {
		acknowledged := pt.in[x.cluster].acknowledged(x.batch)
		for n, r := range x.batch.Records {
			all = append(all, LostRecord{x.cluster, x.batch.Base + int64(n), x.batch.LeaderEpoch, r.Key, r.Value,
				acknowledged})
		}
	}
	return all
}

// acknowledged tells whether a client heard that b stands at its offset.
func (cp *clusterPart) acknowledged(b *record.Batch) bool {
	for i := range cp.acked {
		if a := cp.acked[i].batch; a.Base == b.Base && sameRecords(a, b) {
			return true
		}
	}
	return false
}

// mirrors tells whether the log holds b's records at b's offsets; ids and epoch may differ (D8, D9).
func (s *Shadow) mirrors(b *record.Batch) bool {
	x := s.at(b.Base)
	return x != nil && sameRecords(x.batch, b)
}

// sameRecords tells whether two batches at one place hold the same records. A record is unique in a run, so the first
// and the number of them tell.
func sameRecords(a, b *record.Batch) bool {
	if a == b {
		return true
	}
	if a.Last-a.Base != b.Last-b.Base || a.Control != b.Control || len(a.Records) != len(b.Records) {
		return false
	}
	return len(a.Records) == 0 || a.Records[0] == b.Records[0]
}

// recordFailover is called when STOPPED is stored. A stop whose STOPPED is stored twice is one failover.
func (l *Ledger) recordFailover(pt *part, cp *clusterPart, c id.Cluster) {
	st, x := &cp.stop, &pt.loss
	f := Failover{Source: l.source(c, st.mirror), Destination: c, Mirror: st.mirror, Run: st.run, Boundary: st.boundary,
		SourceEnd: st.sourceEnd, PositionEpoch: cp.position.epoch, PositionOffset: cp.position.offset}
	x.authority = c
	if n := len(x.failovers); n > 0 {
		if last := &x.failovers[n-1]; last.Destination == c && last.Run == st.run && last.Mirror == st.mirror {
			x.failovers = x.failovers[: n-1 : n-1]
		}
	}
	x.failovers = append(x.failovers, f)
	if f.Source == noCluster || f.SourceEnd < 0 || f.Boundary < 0 {
		return
	}
	s := l.leaderLog(pt, f.Source)
	if s == nil {
		return
	}
	for i := s.position(f.Boundary); i < len(s.log) && s.log[i].batch.Base < f.SourceEnd; i++ {
		x.lost = add(x.lost, f.Source, s.log[i].batch)
	}
}

// align keeps the last answer of each run.
func (x *losses) align(a Alignment) {
	n := len(x.alignments)
	if n > 0 {
		if last := &x.alignments[n-1]; last.Cluster == a.Cluster && last.Mirror == a.Mirror && last.Run == a.Run {
			x.alignments = x.alignments[: n-1 : n-1]
		}
	}
	x.alignments = append(x.alignments, a)
}

// annul takes back the failover to cluster c, which becomes a mirror of source again without a failback between: source
// is in charge as before, and what was not mirrored at the stop is going to be.
func (x *losses) annul(c, source id.Cluster) {
	if x.authority != c || source == noCluster {
		return
	}
	x.authority = source
	var kept []loss
	for _, g := range x.lost {
		if g.cluster != source {
			kept = append(kept, g)
		}
	}
	x.lost = kept
}

// recordCut sorts what a leader cut from its own log under the headings of the report. A leader cuts its log only while
// it is aligned to another cluster, or by a stop.
func (l *Ledger) recordCut(pt *part, c id.Cluster, cause event.TruncateCause, gone []entry) {
	x := &pt.loss
	if cause == event.CutToLastStable {
		for _, g := range gone {
			x.cutByStop = add(x.cutByStop, c, g.batch)
		}
		return
	}
	source := l.aligningTo(pt.in[c], c)
	if source == noCluster {
		return
	}
	other := l.leaderLog(pt, source)
	for _, g := range gone {
		switch {
		case other != nil && other.mirrors(g.batch):
			x.recopied = add(x.recopied, c, g.batch)
		case other != nil && g.batch.Last < other.Start:
			x.trimmed = add(x.trimmed, c, g.batch)
		default:
			x.discarded = add(x.discarded, c, g.batch)
		}
	}
}

// aligningTo is the source of the mirror that cluster c runs for the partition, noCluster if it runs none.
func (l *Ledger) aligningTo(cp *clusterPart, c id.Cluster) id.Cluster {
	for i := range cp.mirrors {
		switch cp.mirrors[i].state {
		case record.Preparing, record.EpochFencing, record.UleRecovery, record.Mirroring, record.Pausing, record.Paused,
			record.Stopping, record.Failed:
			return l.source(c, cp.mirrors[i].mirror)
		}
	}
	return noCluster
}

// add lists a data batch once: a new leader may have to cut again what the old one cut.
func add(list []loss, c id.Cluster, b *record.Batch) []loss {
	if !b.IsData() || len(b.Records) == 0 || listed(list, c, b) {
		return list
	}
	return append(list, loss{c, b})
}

// listed looks from the newest entry on, where a batch that is listed twice is found soon.
func listed(list []loss, c id.Cluster, b *record.Batch) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].cluster == c && list[i].batch.Same(b) {
			return true
		}
	}
	return false
}
