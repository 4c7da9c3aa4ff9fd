package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// losses is what the loss report of one partition is made from. It is gathered only from what an operator's tools could
// see: positions, log ends, logs, and truncations as replicas report them. No client's answer enters it.
//
// The authority is the one cluster that the operator's last stop leaves in charge:
//   - Before the first stop it is the source of the first mirror that was started.
//   - A stop leaves its cluster in charge when it is done, which is when STOPPED is stored. One that was accepted and is
//     not done, because the partition stays UNKNOWN (D46) or cannot go on, leaves everything as it was.
//   - It does so whatever state it was accepted in (D18). Where the log was not aligned yet, the cluster takes over with
//     the log that it has: what the other one took meanwhile was not mirrored at the failover, and is lost (section 13 of
//     the design), and what an earlier failover had lost stands in the log in charge again.
//   - When both clusters have been stopped, the later stop counts. What the other one took and takes is "after".
//   - A start takes nothing over by itself. But when the cluster in charge begins to follow the one it took over from,
//     and that one has not begun to follow it meanwhile, the failover is undone.
//   - When two opposite mirrors run at once (D20) no stop has put the second source in charge. The authority stays, and
//     no failover accounts for what an alignment cuts from its log.
type losses struct {
	authority   id.Cluster // noCluster before the first mirror is started
	failovers   []Failover
	alignments  []Alignment
	lost        lossList
	cutByStop   lossList
	discarded   lossList
	trimmed     lossList
	recopied    lossList
	followed    lossList
	unexplained lossList
	turned      []turned // by stops, in order; copied before it is changed
}

// judged tells whether something may have been lost that durability does not judge: a stop was completed, or the cluster
// in charge was aligned to another one.
func (x *losses) judged(pt *part) bool {
	return len(x.failovers) > 0 || x.authority != noCluster && pt.in[x.authority].era > 0
}

// departure is the last failover that took the charge from a cluster. What this one's log holds from an offset on, or
// took in a leader epoch above the one it had then, the cluster in charge may not have.
type departure struct {
	known bool
	to    id.Cluster
	from  int64
	epoch int32
}

// covers tells whether the batch stood beyond the boundary of the failover, or was taken after it.
func (d departure) covers(b *record.Batch) bool {
	return d.known && (b.Last >= d.from || b.LeaderEpoch > d.epoch)
}

// departure is how cluster c left the charge, if it did. An undone failover took it from its destination, which may have had
// records of its own below the boundary, if it was stopped before its log was aligned.
func (x *losses) departure(c id.Cluster) departure {
	for i := len(x.failovers) - 1; i >= 0; i-- {
		switch f := &x.failovers[i]; {
		case !f.Undone && f.Source == c:
			return departure{true, f.Destination, f.Common, f.sourceEpoch}
		case f.Undone && f.Destination == c:
			return departure{true, f.Source, f.Common, f.epoch}
		}
	}
	return departure{}
}

// recordFailover is called when STOPPED is stored. A stop whose STOPPED is stored twice is one failover.
func (l *Ledger) recordFailover(pt *part, cp *clusterPart, c id.Cluster) {
	st, x := &cp.stop, &pt.loss
	f := Failover{Source: l.source(c, st.mirror), Destination: c, Mirror: st.mirror, Run: st.run, Boundary: st.boundary,
		Common: st.boundary, SourceEnd: st.sourceEnd, PositionEpoch: cp.position.epoch, PositionOffset: cp.position.offset,
		sourceEpoch: st.sourceEpoch, epoch: cp.leaderEpoch, entry: l.entry(cp, st.mirror).number}
	again := x.sameStop(&f)
	if again >= 0 && again < len(x.failovers)-1 {
		return // the operator has stopped another cluster since
	}
	if again >= 0 {
		x.failovers = x.failovers[:again:again]
	}
	var source *Shadow
	if f.Source != noCluster {
		f.SourceDeleted = !pt.in[f.Source].registered
		f.ByDeletion = f.SourceDeleted && l.topology.StopsDeleted
		source = l.standingLog(pt, f.Source)
	}
	own := l.standingLog(pt, c)
	if source != nil && own != nil {
		f.Common = l.common(own, source, f.Boundary, cp.aligned)
		if d := x.departure(c); !cp.aligned && d.known && d.to == f.Source {
			f.Common = min(f.Common, d.from) // as when c left the charge; the source's log start may hide by now what differs
		}
	}
	x.failovers = append(x.failovers, f)
	l.setAuthority(pt, c, f.Source == x.authority)
	if source != nil && own != nil && f.Boundary >= 0 {
		l.recordUnmirrored(pt, &x.failovers[len(x.failovers)-1], own, source, st.sourceStood)
	}
}

// sameStop is the index of the failover that is of the same stop as f, -1 if there is none. Runs of an entry only go up, so it is
// the last one of that entry, if any.
func (x *losses) sameStop(f *Failover) int {
	for i := len(x.failovers) - 1; i >= 0; i-- {
		if o := &x.failovers[i]; o.Destination == f.Destination && o.entry == f.entry {
			if o.Run == f.Run {
				return i
			}
			break
		}
	}
	return -1
}

// recordUnmirrored lists what the source has and the destination has not mirrored: beyond what they have in common it is lost, up to
// where the source's log ended at the first step of the stop, be it that nobody led there and its log is that of a broker that is down.
// Below that, where the destination's log begins above it, nothing accounts for its not being there once the logs were aligned;
// before, they have nothing in common from there on, and neither have they where the source, itself a mirror, was cut meanwhile and has
// begun another history there, of which the destination has not heard, nor where the source has taken it since the stop began: its log
// had ended lower than the destination's.
func (l *Ledger) recordUnmirrored(pt *part, f *Failover, own, source *Shadow, stood int64) {
	x, to := &pt.loss, pt.in[f.Destination]
	over := l.passedOver(pt, own, source)
	unheard := func(b *record.Batch) bool {
		return !to.aligned || to.departed >= 0 && b.Base >= to.departed || f.SourceEnd >= 0 && b.Base >= f.SourceEnd
	}
	if i := slices.IndexFunc(over, unheard); i >= 0 {
		f.Common = min(f.Common, over[i].Base)
	}
	for _, b := range over {
		if b.Base < f.Common {
			x.unexplained.add(f.Source, b)
		}
	}
	for i := source.position(f.Common); i < len(source.log) && source.log[i].batch.Base < stood; i++ {
		if b := source.log[i].now; b != nil && !own.mirrors(b) && (b.Last >= own.Start || slices.Contains(over, b)) {
			x.lost.add(f.Source, b)
		}
	}
}

// recordDeparture takes in that the leader of cluster c has cut its own log to end, or was elected uncleanly with a log of that end. Until its mirrors hear from it again, they do not
// know what it takes from there on, wherever their logs begin.
func (l *Ledger) recordDeparture(pt *part, c id.Cluster, end int64) {
	for o, cp := range pt.in {
		if l.aligningTo(cp, id.Cluster(o)) == c && (cp.departed < 0 || end < cp.departed) {
			cp.departed = end
		}
	}
}

// common is up to where the destination's log is the source's, at most boundary. A stop may come before the logs are
// equal: when it was accepted before the first fetch was answered without divergence, or when the source has begun
// another history that the destination has not heard of, in a leader epoch of its own, or has elected a leader that lacks what
// was mirrored and has not written anything yet. Logs are known to be equal only as far as both go. What is merely missing between
// mirrored batches, or differs in one epoch of aligned logs, is no departure: no stop accounts for it.
func (l *Ledger) common(own, source *Shadow, boundary int64, aligned bool) int64 {
	for i := range source.log {
		b := source.log[i].batch
		if b.Base >= boundary {
			break
		}
		k := own.position(b.Base)
		if b.Last < own.Start || k == len(own.log) {
			continue
		}
		x := own.log[k].batch
		if x.Base > b.Last || sameRecords(x, b) {
			continue
		}
		if !aligned || x.LeaderEpoch != b.LeaderEpoch {
			return min(x.Base, b.Base)
		}
	}
	return min(boundary, source.End)
}

// setAuthority puts cluster c in charge. What an earlier failover had lost, or its stop or a failback had cut elsewhere, is
// not gone any more where c holds it: it may never have been aligned to the cluster that was in charge before. If it did
// not take over from that one, as in a fan-out, what that one alone held is gone again.
func (l *Ledger) setAuthority(pt *part, c id.Cluster, tookOver bool) {
	x := &pt.loss
	var before *Shadow
	if x.authority != noCluster {
		before = l.standingLog(pt, x.authority)
	}
	x.authority = c
	final := l.standingLog(pt, c)
	for _, list := range x.gone() {
		list.release(before, final, tookOver)
		if final != nil {
			list.drop(final.mirrors)
		}
	}
}

// gone are the lists of what no log that counts holds.
func (x *losses) gone() []*lossList {
	return []*lossList{&x.lost, &x.cutByStop, &x.discarded, &x.unexplained}
}

// takenAgain takes in that the leader of cluster c appends b for a producer. What a failover had listed may be tried again
// in the log in charge, at the offset that it had: a leader may have crashed before its followers had it.
func (x *losses) takenAgain(c id.Cluster, b *record.Batch) {
	if c != x.authority {
		return
	}
	for _, list := range x.gone() {
		list.drop(func(o *record.Batch) bool { return sameRecords(o, b) })
	}
}

// beginAligning takes in that the leader of cluster c enters a state in which its log follows its mirror's source. If c is in charge
// by a failover from that source, and the source has not begun to follow c since, the failover is undone: the source is in charge
// as before, and what was not mirrored at the stop is going to be.
//
// A PREPARING that is merely stored undoes nothing. It may never be committed, and until it is, the partition reads as STOPPED: where
// the operator has stopped it again meanwhile, the old source is not refused (D20), and discards what it took after the failover.
func (l *Ledger) beginAligning(pt *part, cp *clusterPart, c id.Cluster, e *event.Event) {
	x, source := l.entry(cp, e.Mirror), l.source(c, e.Mirror)
	over := x.state == record.Stopped && int32(e.Offset) <= x.run
	if cp.begun || over || source == noCluster || !followsSource(record.State(e.To)) {
		return
	}
	cp.begun = true
	if pt.loss.authority != c || pt.in[source].begun {
		return
	}
	loss := &pt.loss
	for i := len(loss.failovers) - 1; i >= 0; i-- {
		if f := &loss.failovers[i]; f.Destination == c && f.Source == source {
			loss.failovers = slices.Clone(loss.failovers)
			loss.failovers[i].Undone = true
			l.setAuthority(pt, source, true)
			return
		}
	}
}

// followsSource tells whether a log follows its mirror's source in that state.
func followsSource(s record.State) bool {
	switch s {
	case record.Preparing, record.EpochFencing, record.UleRecovery, record.Mirroring, record.Pausing, record.Paused:
		return true
	}
	return false
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

// recordCut sorts what a leader cut from its own log under the headings of the report. A leader cuts its log only while
// it is aligned to another cluster, or by a stop.
func (l *Ledger) recordCut(pt *part, c id.Cluster, cause event.TruncateCause, gone []entry) {
	x := &pt.loss
	if cause == event.CutToLastStable {
		for _, g := range gone {
			x.cutByStop.add(c, g.batch)
		}
		return
	}
	source := l.aligningTo(pt.in[c], c)
	if source == noCluster {
		return
	}
	other := l.standingLog(pt, source)
	for _, g := range gone {
		switch {
		case other != nil && other.mirrors(g.batch) || l.heldInCharge(pt, c, g.batch):
			x.recopied.add(c, g.batch)
			if other.emptied(g.batch) {
				x.recopied.trim([]entry{g})
			}
		case other != nil && g.batch.Last < other.Start:
			x.trimmed.add(c, g.batch)
		case l.beyondFailover(pt, c, source, g.batch):
			x.discarded.add(c, g.batch)
		case pt.in[c].aligned:
			x.followed.add(c, g.batch)
		default:
			x.unexplained.add(c, g.batch)
		}
	}
}

// heldInCharge tells whether another cluster than c is in charge, and holds b: it may have taken over from c, which goes back to an
// earlier source.
func (l *Ledger) heldInCharge(pt *part, c id.Cluster, b *record.Batch) bool {
	if pt.loss.authority == noCluster || pt.loss.authority == c {
		return false
	}
	s := l.standingLog(pt, pt.loss.authority)
	return s != nil && s.mirrors(b)
}

// beyondFailover tells whether a failover accounts for a batch that is cut from cluster c's log and that its source does
// not have: c took it after the failover, or it stood at or beyond the boundary. A copy that c had mirrored is not
// accounted for by its being cut: what its source did with the record is. The cluster in charge is cut in the order of
// things only while the stop that is going to take the charge from it is on its way, and at or beyond that boundary.
func (l *Ledger) beyondFailover(pt *part, c, source id.Cluster, b *record.Batch) bool {
	if c == pt.loss.authority {
		to := pt.in[source]
		st := &to.stop
		return to.mirrored && st.active && st.boundary >= 0 && b.Base >= st.boundary && l.source(source, st.mirror) == c
	}
	return !pt.in[c].aligned && pt.loss.departure(c).covers(b)
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

// accounts tells whether the report has the batch under a heading that says that it is gone, and how. A record is unique
// in a run, and its copies stand at one offset, so it does not matter from whose log it went.
func (x *losses) accounts(b *record.Batch) bool {
	return x.lost.named(b) || x.discarded.named(b) || x.cutByStop.named(b) || x.trimmed.named(b)
}

// mirrors tells whether the log holds b's records at b's offsets; ids and epoch may differ (D8, D9).
func (s *Shadow) mirrors(b *record.Batch) bool {
	x := s.at(b.Base)
	return x != nil && sameRecords(x.batch, b)
}

// sameRecords tells whether two batches hold the same records at the same place, compaction apart. A record is unique in a
// run, so the first and the number of them tell.
func sameRecords(a, b *record.Batch) bool {
	if a == b {
		return true
	}
	if a.Compacted() || b.Compacted() {
		return a.Covers(b) || b.Covers(a)
	}
	if a.Base != b.Base || a.Last != b.Last || a.Control != b.Control || len(a.Records) != len(b.Records) {
		return false
	}
	return len(a.Records) == 0 || a.Records[0] == b.Records[0]
}
