package checkers

import (
	"math"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// mirrorEntry is what the coordinator holds of one (mirror, partition) on one cluster.
type mirrorEntry struct {
	mirror id.Mirror
	number int          // its entry number, dense over the ledger
	state  record.State // stored last
	run    int32

	position mirrorPosition // committed last

	// ended by a tombstone, and nothing was stored since: what is committed still stands before the tombstone.
	ended, positionEnded bool
}

// mirrorPosition is a last mirrored position.
type mirrorPosition struct {
	epoch  int32
	offset int64
	mirror id.Mirror
	known  bool
	run    int32 // in which it was stored
}

// nothing tells whether p reads as -1: none is stored, or one that says that nothing was mirrored.
func (p mirrorPosition) nothing() bool {
	return !p.known || p.epoch == record.NoPosition && p.offset == record.NoPosition
}

var unknownPosition = mirrorPosition{epoch: record.NoPosition, offset: record.NoPosition}

// entry is the entry of mirror m, made at first sight.
func (l *Ledger) entry(cp *clusterPart, m id.Mirror) *mirrorEntry {
	for i := range cp.mirrors {
		if cp.mirrors[i].mirror == m {
			return &cp.mirrors[i]
		}
	}
	cp.mirrors = append(cp.mirrors, mirrorEntry{mirror: m, number: l.entries})
	l.entries++
	return &cp.mirrors[len(cp.mirrors)-1]
}

// source is the source cluster of mirror m on cluster c.
func (l *Ledger) source(c id.Cluster, m id.Mirror) id.Cluster {
	if int(m) < len(l.sources[c]) {
		return l.sources[c][m]
	}
	return noCluster
}

// foldMirror takes in what the mirror state machine and its coordinator did. Node is a broker of the destination.
func (l *Ledger) foldMirror(e *event.Event) {
	c := l.cluster(e.Node)
	if c == noCluster {
		return
	}
	if l.foldStored(c, e) {
		return
	}
	pt := l.part(e.Partition)
	if e.Kind == event.CoordinatorLoaded {
		l.foldLoaded(pt, c, e)
		return
	}
	cp := pt.in[c]
	if l.toldLate(c, e) {
		return
	}
	switch e.Kind {
	case event.StateReadReturned, event.StateWriteReturned:
		if e.Kind == event.StateWriteReturned {
			cp.refused = e.Cause != codeOK
		}
		if s := pt.replicas[e.Node]; s != nil && e.Cause == codeOK {
			s.known, s.knows = record.State(e.To), true
		}
	case event.StateStored:
		l.foldStateStored(pt, cp, c, e)
	case event.StateEntered:
		l.foldEntered(pt, cp, c, e)
	case event.StateCommitted:
		if !l.entry(cp, e.Mirror).ended {
			cp.commit(record.State(e.To))
			cp.leaving = -1
		}
	case event.PositionStored:
		l.entry(cp, e.Mirror).positionEnded = false
	case event.PositionCommitted:
		if x := l.entry(cp, e.Mirror); !x.positionEnded {
			cp.position = mirrorPosition{e.BatchEpoch, e.Offset, e.Mirror, true, e.Sequence}
			x.position = cp.position
		}
	case event.EntryRemoved:
		l.foldEntryRemoved(cp, e)
		l.weighSides(pt)
	case event.PositionRecalled:
		cp.recalled = mirrorPosition{epoch: e.BatchEpoch, offset: e.Offset, mirror: e.Mirror, known: e.Cause == 1}
	case event.LookupReturned:
		l.foldLookup(cp, c, e)
	case event.MirrorFetchStarted, event.MirrorFetchStopped:
		cp.heard.known, cp.halted = false, e.Kind == event.MirrorFetchStopped
	case event.StateWriteCalled:
		if record.State(e.To) != cp.state {
			cp.leaving, cp.refused, cp.ignored = e.LeaderEpoch, false, 0
		}
	case event.MirrorFetched:
		cp.foldFetched(e)
		l.foldConsent(pt, c, e)
	case event.StopStepDone:
		cp.stopStep = e.To + 1
		l.foldStopStep(pt, cp, c, e)
	case event.WritableChanged:
		if s := pt.replicas[e.Node]; s != nil {
			s.writable = e.To == 1
		}
		l.weighSides(pt)
	}
}

// foldStored takes in what is of no one partition's mirror: what other coordinators store, and mirror-wide work. It is false
// for what is of one.
func (l *Ledger) foldStored(c id.Cluster, e *event.Event) bool {
	switch e.Kind {
	case event.TransactionStored:
		l.foldTransactionStored(c, e)
	case event.MirrorSynced:
		l.foldSynced(e, c)
	case event.OffsetCommitted:
		l.foldOffsetCommitted(c, e)
	case event.OffsetStored:
		if record.CommitOrigin(e.Cause) == record.CommitAdmin {
			l.giveUp(l.groupReads(e.Peer, l.part(e.Partition).slot), c, e.Offset)
		}
	case event.GroupStored:
	default:
		return false
	}
	return true
}

// lookedUp is by what a partition is going to be aligned, until its log is cut: one that cannot go on is not aligned.
type lookedUp struct {
	alignment Alignment
	known     bool
}

// foldLookup notes by which position the partition is going to be aligned: the source's answer, or the greater one that this
// cluster has itself recorded.
func (l *Ledger) foldLookup(cp *clusterPart, c id.Cluster, e *event.Event) {
	if cp.looked.known = e.To == codeOK; !cp.looked.known {
		return
	}
	a := Alignment{Cluster: c, Source: l.source(c, e.Mirror), Mirror: e.Mirror, Run: l.entry(cp, e.Mirror).run,
		Found: e.Cause == 1, Epoch: e.BatchEpoch, Offset: e.Offset}
	if own := cp.recalled; own.known && own.mirror == e.Mirror {
		a.Found = true
		if own.epoch > a.Epoch || own.epoch == a.Epoch && own.offset > a.Offset {
			a.Epoch, a.Offset = own.epoch, own.offset
		}
	}
	cp.looked.alignment = a
}

// foldEntered takes in that a leader begins the action of a state, which may come before it is stored (D17): PREPARING
// fences the partition until STOPPED, and STOPPING begins the stop.
func (l *Ledger) foldEntered(pt *part, cp *clusterPart, c id.Cluster, e *event.Event) {
	if !cp.current(e.Node, pt.replicas[e.Node]) {
		return
	}
	l.beginAligning(pt, cp, c, e)
	switch record.State(e.To) {
	case record.Preparing:
		cp.fenced = true
	case record.Stopping:
		if cp.mirrored {
			l.beginStop(pt, cp, c, e)
		}
	case record.Stopped:
		cp.fenced = false
	}
}

// foldEntryRemoved takes in that a mirror was deleted: what is stored under its name later is another mirror's.
func (l *Ledger) foldEntryRemoved(cp *clusterPart, e *event.Event) {
	if record.MirrorStateKind(e.From) == record.LastMirroredEpochs {
		x := l.entry(cp, e.Mirror)
		x.position, x.positionEnded = mirrorPosition{}, true
		if cp.position.mirror == e.Mirror {
			cp.position = unknownPosition
		}
		return
	}
	x := l.entry(cp, e.Mirror)
	l.was.entry = x.number
	*x = mirrorEntry{mirror: e.Mirror, number: l.entries, position: x.position, ended: true, positionEnded: x.positionEnded}
	l.entries++
	cp.state, cp.committed = record.Unknown, false
	for i := range cp.mirrors {
		if cp.mirrors[i].state != record.Unknown {
			cp.state = cp.mirrors[i].state
		}
	}
}

// commit takes a state as committed.
func (cp *clusterPart) commit(state record.State) {
	cp.state, cp.stopStep = state, 0
	switch state {
	case record.Preparing:
		cp.committed, cp.followed = true, false
	case record.Mirroring:
		cp.followed = true
	case record.Stopped:
		cp.committed = false
	}
}

// foldLoaded takes what a new coordinator has replayed: all of it is committed now, also what the old one had appended
// and no event has called committed. It walks the coordinator's log, as the coordinator did. One that was deposed before it had
// loaded, and does not know yet, tells of an older log.
func (l *Ledger) foldLoaded(pt *part, c id.Cluster, e *event.Event) {
	s := pt.replicas[e.Node]
	if s == nil || pt.in[c].deposed(e.Node) {
		return
	}
	for i := range s.log {
		for k := range s.log[i].batch.States {
			x := &s.log[i].batch.States[k]
			cp := l.part(x.Partition).in[c]
			switch {
			case x.Kind == record.MirrorPartitionState && x.Tombstone:
				cp.commit(record.Unknown)
			case x.Kind == record.MirrorPartitionState:
				cp.commit(x.State)
			case x.Kind == record.LastMirroredEpochs && !x.Tombstone:
				cp.position = mirrorPosition{x.Epoch, x.Offset, x.Mirror, true, x.Run}
				l.entry(cp, x.Mirror).position = cp.position
			case x.Kind == record.LastMirroredEpochs:
				if l.entry(cp, x.Mirror).position = (mirrorPosition{}); cp.position.mirror == x.Mirror {
					cp.position = unknownPosition
				}
			}
		}
	}
}

// deposed tells whether another broker leads the partition by the metadata log.
func (cp *clusterPart) deposed(n id.Node) bool { return cp.leader != id.None && cp.leader != n }

// foldConsent takes in what the source says of the log of the mirror's leader: that they agree, be it for now. Until the replicas have
// followed nothing is appended, and a source that has changed meanwhile may take it back.
func (l *Ledger) foldConsent(pt *part, c id.Cluster, e *event.Event) {
	cp := pt.in[c]
	switch {
	case l.provesAligned(pt, c, e):
		cp.aligned = true
	case !l.betweenLeaders(pt, c, e):
	case e.To == codeOK || e.To == codeOffsetOutOfRange:
		cp.aligned = cp.aligned && cp.followed
	default:
		return
	}
	if l.betweenLeaders(pt, c, e) && !(e.To == codeOK && cp.probe.outdated(e.Peer, pt.replicas[e.Peer])) {
		cp.departed = -1
	}
}

// outdated tells whether the log s of node source has been cut since that answered.
func (p *probe) outdated(source id.Node, s *Shadow) bool {
	return p.source == source && s != nil && p.cuts != s.cuts
}

// provesAligned tells whether a mirror fetch of the leader that cluster c has now was answered without divergence by the
// leader that the source has now.
func (l *Ledger) provesAligned(pt *part, c id.Cluster, e *event.Event) bool {
	return e.To == codeOK && e.Cause != 1 && l.betweenLeaders(pt, c, e)
}

// betweenLeaders tells whether e is an answer of the leader that the source has now to a mirror fetch of the leader that cluster c
// has now. What a deposed leader asks or answers says nothing about the log in charge.
func (l *Ledger) betweenLeaders(pt *part, c id.Cluster, e *event.Event) bool {
	source := l.source(c, e.Mirror)
	if source == noCluster {
		return false
	}
	from, to := pt.in[source], pt.in[c]
	return from.leader == e.Peer && from.leaderEpoch == e.BatchEpoch &&
		to.leader == e.Node && to.leaderEpoch == e.LeaderEpoch
}

// foldFetched keeps what the destination leader has heard. A divergence says that the logs differ, so that a lag
// computed from its high watermark would mean nothing.
func (cp *clusterPart) foldFetched(e *event.Event) {
	if e.To != codeOK {
		return
	}
	if e.Cause == 1 {
		cp.heard.known, cp.probe.applied = false, cp.probe.applied || e.LeaderEpoch == cp.leaderEpoch
		if cp.refused {
			cp.ignored = min(cp.ignored, math.MaxUint8-1) + 1
		}
		return
	}
	cp.heard = heard{node: e.Node, leaderEpoch: e.LeaderEpoch, source: e.Peer, sourceEpoch: e.BatchEpoch, end: e.End,
		known: true}
	if cp.probe.source == e.Peer && cp.probe.offset == e.Offset {
		cp.heard.version = cp.probe.version
	}
}

func (l *Ledger) foldStateStored(pt *part, cp *clusterPart, c id.Cluster, e *event.Event) {
	x, deposed := l.entry(cp, e.Mirror), l.deposedCoordinator(c, e.Node)
	if !deposed { // else its successor has stored what counts
		cp.failure = failureOf(e)
		cp.retry.fold(e)
	}
	if run := int32(e.Offset); deposed && (run < x.run || run == x.run && x.state == record.Stopped) {
		return // it has not heard of STOPPED, or of the run that came after it, and nobody will hear of this
	}
	x.state, x.run, x.ended = record.State(e.To), int32(e.Offset), false
	if x.state != record.Mirroring || cp.leaving == cp.leaderEpoch {
		cp.probe.applied = false // a divergence that was heard has led to something, or is going to lead to it anew
	}
	if x.state == record.Mirroring {
		cp.leaving = -1
	}
	switch x.state {
	case record.Preparing:
		if !cp.mirrored {
			cp.began = e.Index
			cp.startMirroring()
			if source := l.source(c, e.Mirror); source != noCluster && pt.loss.authority == noCluster {
				l.setAuthority(pt, source, true) // the topic may have been deleted where it was in charge: what that had not mirrored is not lost
			}
		}
	case record.Stopping:
		l.beginStop(pt, cp, c, e)
	case record.Stopped:
		cp.mirrored, cp.begun, cp.fenced = false, false, false
		if cp.stop.active && record.State(e.From) != record.Stopped { // else a new leader only says it again
			l.recordFailover(pt, cp, c)
		}
	}
	l.weighSides(pt)
}

// beginStop begins a stop when STOPPING is stored, or entered where that comes first (D17). What stores or enters it again
// goes on with the stop of the same run.
func (l *Ledger) beginStop(pt *part, cp *clusterPart, c id.Cluster, e *event.Event) {
	if cp.stop.active && cp.stop.run == int32(e.Offset) {
		return
	}
	cp.stop = stop{active: true, mirror: e.Mirror, run: int32(e.Offset), index: e.Index, floor: e.LeaderEpoch, boundary: -1,
		sourceEnd: -1, sourceStood: -1, sourceEpoch: -1}
	if source := l.source(c, e.Mirror); source != noCluster {
		cp.stop.sourceEpoch = pt.in[source].leaderEpoch
	}
	cp.eraFloor = e.LeaderEpoch
}

// deposedCoordinator tells whether broker n, which has stored a state, leads that partition of __mirror_state no more.
func (l *Ledger) deposedCoordinator(c id.Cluster, n id.Node) bool {
	states := l.nodes[n].states
	return states != nil && l.part(*states).in[c].leader != n
}

// toldLate tells whether e is a commit of which a broker tells that leads that partition of __mirror_state no more. A deposed
// coordinator may learn only then, from a fetch that was under way for long, that what it has stored was committed: its
// successor has loaded that, and what the successor has stored since comes after it.
func (l *Ledger) toldLate(c id.Cluster, e *event.Event) bool {
	if e.Kind != event.StateCommitted && e.Kind != event.PositionCommitted {
		return false
	}
	i, found := l.find(e.Op)
	return found && l.parts[l.index[i].slot].in[c].leader != e.Node
}

// foldStopStep follows the boundary: the log end after any truncation by the stop and before its first own batch.
func (l *Ledger) foldStopStep(pt *part, cp *clusterPart, c id.Cluster, e *event.Event) {
	st := &cp.stop
	if !st.active || !cp.current(e.Node, pt.replicas[e.Node]) {
		return
	}
	if !st.fixed {
		st.boundary = e.Offset
	}
	if st.sourceEnd >= 0 {
		return
	}
	if source := l.source(c, st.mirror); source != noCluster {
		if s := l.leaderLog(pt, source); s != nil {
			st.sourceEnd, st.sourceStood = s.End, s.End
		} else if s := l.standingLog(pt, source); s != nil && st.sourceStood < 0 {
			st.sourceStood = s.End
		}
	}
}

// standingLog is the log in which the committed records of cluster c stand: the leader's, or when nobody leads that of
// the last ISR member, which becomes the leader when it is back. It is nil if there is none.
func (l *Ledger) standingLog(pt *part, c id.Cluster) *Shadow {
	if s := l.leaderLog(pt, c); s != nil {
		return s
	}
	for n, s := range pt.replicas {
		if s != nil && n < id.MaxBrokers && pt.in[c].isr.Has(id.Node(n)) {
			return s
		}
	}
	return nil
}

// leaderLog is the log of the leader that the metadata log of cluster c names, nil if nobody leads.
func (l *Ledger) leaderLog(pt *part, c id.Cluster) *Shadow {
	if n := pt.in[c].leader; n != id.None && int(n) < len(pt.replicas) {
		return pt.replicas[n]
	}
	return nil
}
