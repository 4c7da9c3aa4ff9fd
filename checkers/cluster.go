package checkers

import (
	"math"
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// clusterPart is one partition on one cluster.
type clusterPart struct {
	registered                  bool
	leader                      id.Node
	leaderEpoch, partitionEpoch int32
	isr                         id.Set
	replicas                    id.Set // never changed

	// The fault budget. Batches of a leader epoch below excusedBelow may be gone: an unclean election, or a power loss
	// on every ISR member at once, lies between.
	excusedBelow int32
	excuse       string
	excusedAt    uint64 // index of the event that went beyond the budget last
	dark         id.Set // ISR members whose tail a power loss may have taken and that have not caught up again

	corrupt   int // batches on disks of which a bit is not as it was written
	mirrors   []mirrorEntry
	state     record.State // committed last, over all mirrors
	committed bool         // PREPARING of a run is committed, and STOPPED is not: clients must not be acknowledged
	position  mirrorPosition
	recalled  mirrorPosition // what this cluster's own last stop recorded, where alignment goes by it too (D22)
	looked    lookedUp       // the answer to the last position lookup
	failure   failure
	retry     retry
	described []Description // newest last
	heard     heard
	probe     probe
	halted    bool  // the mirror fetcher was removed, and not started again
	refused   bool  // the state write that was called last was answered with an error
	ignored   uint8 // divergences heard since then
	leaving   int32 // the leader epoch in which another state was asked to be stored that is not committed yet; -1: in none

	// Eras. The present one takes local batches of leader epochs from eraFloor on; ended is the highest epoch that an
	// earlier one has used.
	era      int32
	born     int32  // the first one of the topic: another of that id was deleted before
	mirrored bool   // PREPARING of a run is stored, and STOPPED is not
	began    uint64 // index of the event that stored that PREPARING
	begun    bool   // a leader has begun to align the log in that run: the state was committed first, unless D17 or D29 is otherwise
	fenced   bool   // a leader has begun its action: it takes no client writes until STOPPED is stored
	followed bool   // MIRRORING of the last run is committed: the replicas have followed what its source had agreed to
	aligned  bool   // in the last run a fetch of the leader was answered without divergence by that of the source
	departed int64  // from where the source's leader has cut its log since this one's leader heard from it last; -1: it has not
	eraFloor int32
	eraMax   int32
	eraIndex uint64 // of the event that raised eraMax
	ended    int32
	endedBy  uint64
	stop     stop
	stopStep uint8         // 1 + the step of the stop sequence that was done last, while STOPPING is committed; 0: none
	reset    *record.Batch // the newest MIRROR_PID_RESET of a stop of this cluster; nil before the first

	pending  []op // client operations that have not returned, oldest first
	acked    []ack
	decided  []decision // by its transaction coordinator, and still open in the log; copied before it is changed
	commits  []commit   // of transactions with batches in acked; appended to or cut, never changed in place
	ackedEnd int64      // the end of the highest append that was acknowledged with acks=all in this era
	past     []pastBatch
}

// stop is what the ledger knows of the last stop of a partition.
type stop struct {
	active      bool
	mirror      id.Mirror
	run         int32
	index       uint64 // of the event by which it began
	floor       int32  // the leader epoch in which it began
	began       id.Set // the brokers that have appended a batch of their own since
	boundary    int64  // the log end before the first own batch
	fixed       bool   // the first own batch is there
	sourceEnd   int64  // the log end of the source's leader at the first step; -1 if it has not come yet, or nobody led
	sourceStood int64  // that of the source's log then, whoever led; -1 if it has not come yet, or there was none
	sourceEpoch int32  // the source's leader epoch when it began; -1 if the source is not known
}

// leaves tells whether b lies at or beyond the boundary of the stop, which is known.
func (s *stop) leaves(b *record.Batch) bool { return s.fixed && b.Base >= s.boundary }

// heard is what the destination leader has heard last from the source.
type heard struct {
	node        id.Node
	leaderEpoch int32
	source      id.Node
	sourceEpoch int32  // the source leader epoch that the fetch named
	end         int64  // the source's high watermark
	version     uint64 // of the source's log when it answered; 0 if that is not known
	known       bool
}

// probe is the last answer that a source leader gave to this partition's mirror fetcher.
type probe struct {
	source    id.Node
	version   uint64 // of the source's log when it answered
	cuts      uint64 // how often the source's log had been cut then
	offset    int64
	epoch     int32 // the last fetched epoch
	diverging bool
	applied   bool // the fetcher has heard a divergence since
}

func newClusterPart() *clusterPart {
	return &clusterPart{leader: id.None, leaderEpoch: -1, leaving: -1, excusedBelow: -1, eraMax: -1, ended: -1, departed: -1,
		heard: heard{node: id.None}, probe: probe{source: id.None}, position: unknownPosition}
}

// current tells whether s is the replica of the leader that the metadata log names, and knows it.
func (cp *clusterPart) current(n id.Node, s *Shadow) bool {
	return cp.leader == n && s != nil && s.role == Leading && s.leaderEpoch == cp.leaderEpoch
}

// darken notes that broker n has lost power. When every ISR member is in that state the durability of what they held
// is no longer promised.
func (cp *clusterPart) darken(n id.Node, index uint64) {
	if !cp.isr.Has(n) {
		return
	}
	cp.dark = cp.dark.With(n)
	if cp.isr&^cp.dark == 0 {
		cp.beyondBudget(cp.leaderEpoch+1, "a power loss hit every ISR member at once", index)
	}
}

// beyondBudget excuses the loss of batches of leader epochs below epoch.
func (cp *clusterPart) beyondBudget(epoch int32, why string, index uint64) {
	cp.excusedBelow, cp.excuse, cp.excusedAt = max(cp.excusedBelow, epoch), why, index
	cp.ackedEnd = 0
	for i := range cp.pending {
		cp.pending[i].order = 0
	}
}

// resetGone says how the run went beyond the fault budget so that the log of leader s has lost the reset of the cluster's last stop,
// and ends or goes on with other batches where it stood; "" if it has not. Such a leader knows producers from below the reset.
func (cp *clusterPart) resetGone(s *Shadow) string {
	b := cp.reset
	if b == nil || s == nil || b.LeaderEpoch >= cp.excusedBelow || b.Base < s.Start || s.holds(b) {
		return ""
	}
	return cp.excuse
}

// foldMetadata takes in what the metadata log of a cluster says.
func (l *Ledger) foldMetadata(e *event.Event) {
	c := l.cluster(e.Node)
	if c == noCluster {
		return
	}
	switch e.Kind {
	case event.TopicCreated:
		t := l.topicToChange(l.topicIndex(e.Partition.Topic))
		t.partitions[c], t.minISR[c], t.madeMinISR[c] = partitionCount{uint16(e.Sequence), e.At, e.Index, e.At}, e.To, e.To
		t.states, t.offsets, t.internal = e.From&1 != 0, e.From&16 != 0, e.From&(1|8|16) != 0
		t.unclean |= uint64(e.From>>2&1) << c
	case event.TopicGrown:
		x := &l.topicToChange(l.topicIndex(e.Partition.Topic)).partitions[c]
		x.n, x.since, x.index = uint16(e.Sequence), e.At, e.Index
		if e.Mirror == 0 {
			x.asked = e.At
		}
	case event.ConfigChanged:
		l.foldConfig(e, c)
	case event.AclChanged:
		l.foldAcl(e, c)
	case event.IntentChanged:
		t := l.topicToChange(l.topicIndex(e.Partition.Topic))
		l.was.desired, l.was.desiredBy = t.desired[c], t.desiredBy[c]
		t.desired[c], t.mirror[c], t.desiredAt[c], t.desiredBy[c] = record.Desired(e.To), e.Mirror, e.At, e.Index
	case event.MirrorCreated:
		l.sources[c] = slices.Clone(l.sources[c]) // clones share it
		for len(l.sources[c]) <= int(e.Mirror) {
			l.sources[c] = append(l.sources[c], noCluster)
		}
		l.sources[c][e.Mirror] = id.Cluster(e.To)
	case event.MirrorRemoved:
		if int(e.Mirror) < len(l.sources[c]) {
			l.sources[c] = slices.Clone(l.sources[c])
			l.sources[c][e.Mirror] = noCluster
		}
	case event.TopicRemoved:
		l.foldTopicRemoved(e.Partition.Topic, c)
	case event.BrokerChanged:
		l.calm = e.At
	case event.ControllerElected:
		l.calm, l.control[c] = e.At, e.Peer
	case event.PartitionChanged:
		l.calm = e.At
		pt := l.part(e.Partition)
		cp := pt.in[c]
		l.was.leaderEpoch = cp.leaderEpoch
		if cause := event.ChangeCause(e.Cause); cp.mirrored && !cp.followed && cause != event.IsrChange && cause != event.EpochBump {
			cp.aligned = false // the source had agreed to the log of another leader, which others had not followed
		}
		if e.LeaderEpoch != cp.leaderEpoch {
			cp.probe.applied = false // what was heard before may have led to something that is not stored, or fenced
		}
		cp.registered, cp.leader, cp.leaderEpoch, cp.partitionEpoch = true, e.Peer, e.LeaderEpoch, e.Sequence
		cp.isr, cp.replicas = id.Set(e.Digest), id.Set(e.Offset)
		if cp.dark &= cp.isr; cp.dark != 0 && cp.dark == cp.isr {
			cp.beyondBudget(cp.leaderEpoch+1, "a power loss hit every ISR member at once", e.Index)
		}
		if event.ChangeCause(e.Cause) == event.UncleanElection {
			cp.beyondBudget(e.LeaderEpoch, "unclean election of "+l.topology.Names.Node(e.Peer), e.Index)
			if int(e.Peer) < len(pt.replicas) && pt.replicas[e.Peer] != nil {
				l.recordDeparture(pt, c, pt.replicas[e.Peer].End)
			}
		}
		l.weighSides(pt)
	}
}

// foldTopicRemoved takes in that topic t was deleted on cluster c. What its mirrors' coordinator has stored stays until
// the mirror is deleted. A topic of that id may be created there again, and begins anew.
func (l *Ledger) foldTopicRemoved(t id.Topic, c id.Cluster) {
	x := l.topicToChange(l.topicIndex(t))
	x.desired[c], x.mirror[c], x.configs[c], x.partitions[c] = record.WantNone, 0, nil, partitionCount{}
	for _, pt := range l.parts {
		if pt.id.Topic == t {
			cp := newClusterPart()
			old := pt.in[c]
			cp.mirrors, cp.state, cp.position, cp.pending = old.mirrors, old.state, old.position, old.pending
			cp.era, cp.born = old.era+1, old.era+1
			pt.in[c] = cp
			l.forgetResumed(pt.slot, c)
			if pt.loss.authority == c {
				pt.loss.authority = noCluster // the operator has deleted what was in charge
			}
			l.weighSides(pt)
		}
	}
}

// foldReplica takes in what happened to one replica's log.
func (l *Ledger) foldReplica(e *event.Event) {
	if e.Kind == event.IntentSeen {
		i := l.topicIndex(e.Partition.Topic)
		l.topicToChange(i).seen[e.Node] = record.Desired(e.To)
		for _, pt := range l.parts {
			if pt.topic == i {
				l.weighSides(pt)
			}
		}
		return
	}
	pt := l.part(e.Partition)
	s := l.shadow(pt, e.Node)
	switch e.Kind {
	case event.Appended:
		l.foldAppended(pt, s, e)
	case event.HighWatermark:
		l.was.hw = s.HighWatermark
		s.show(e.Offset)
	case event.EpochAdded:
		x := Epoch{e.BatchEpoch, e.Offset}
		if l.was.epoch = noEpoch; s.role == NoRole {
			s.rebuildEpoch(x)
		} else if s.newestEpoch() != x {
			s.dropUnwritten(x.Epoch)
			l.was.epoch = s.newestEpoch()
			s.addEpoch(x.Epoch, x.Start)
		}
	case event.FetchAnswered:
		l.foldFetchAnswered(pt, s, e)
	case event.Truncated:
		l.foldTruncated(pt, s, e)
	case event.StartMoved:
		l.foldStartMoved(pt, s, e)
	case event.Compacted:
		l.foldCompacted(pt, s, e)
	case event.Recovered:
		l.was.end = s.End
		shown := s.shown
		l.cut = s.recover(e.Offset, e.End)
		pt.in[l.cluster(e.Node)].keep(l.cut, shown, s)
		l.was.lostTail = s.lostEnd > 0
		s.forgetRole()
		if !l.was.lostTail {
			cp := pt.in[l.cluster(e.Node)]
			cp.dark = cp.dark.Without(e.Node)
		}
	case event.BecameLeader:
		cp := pt.in[l.cluster(e.Node)]
		s.role, s.leader, s.leaderEpoch = Leading, e.Node, e.LeaderEpoch
		s.show(e.End)
		cp.lowerFloors(s.End)
		l.findMissing(cp, e.Node, s)
		l.weighSides(pt)
	case event.BecameFollower:
		s.forgetRole()
		s.role, s.leader, s.leaderEpoch = Following, e.Peer, e.LeaderEpoch
		l.weighSides(pt)
	case event.ReplicaFailed, event.ReplicaRemoved:
		l.foldGone(pt, s, e)
	case event.ReplicaReported, event.EpochReported, event.ProducerReported:
		l.report.add(e)
	}
}

// foldGone takes in that a replica is there no more, for good or until its broker starts again.
func (l *Ledger) foldGone(pt *part, s *Shadow, e *event.Event) {
	if e.Kind == event.ReplicaRemoved {
		s.remove()
		l.topicToChange(pt.topic).seen[e.Node] = record.WantNone // its image has no such topic
	} else {
		s.forgetRole()
	}
	l.weighSides(pt)
}

// add takes in one event of a replica's report.
func (r *replicaReport) add(e *event.Event) {
	switch e.Kind {
	case event.ReplicaReported:
		r.node, r.epochs, r.producers, r.waits = e.Node, r.epochs[:0], r.producers[:0], e.Sequence+int32(e.Op)
		return
	case event.EpochReported:
		r.epochs = append(r.epochs, Epoch{e.BatchEpoch, e.Offset})
	case event.ProducerReported:
		r.producers = append(r.producers, producerEntry{e.ProducerID, e.BatchEpoch, e.Sequence, e.Offset, e.End})
	}
	r.waits--
}

// complete tells whether the last entry of node n's report has come.
func (r *replicaReport) complete(n id.Node) bool { return r.node == n && r.waits == 0 }

func (l *Ledger) foldAppended(pt *part, s *Shadow, e *event.Event) {
	b := e.Batch
	cp := pt.in[l.cluster(e.Node)]
	l.was.end, l.was.firstOwn = s.End, false
	lost := s.lostEnd > 0
	if b.Base < s.End {
		s.truncate(b.Base) // no log is written like that; the checkers say so
	}
	origin, r := l.adopt(pt, e.Node, s, b, e.Index)
	s.append(b, e.Index, e.At, &l.topology)
	if origin != b {
		s.log = s.log[:len(s.log)-1]
		s.push(origin, b, r, e.Index, &l.topology)
	}
	if lost && s.lostEnd == 0 {
		cp.dark = cp.dark.Without(e.Node)
	}
	switch event.Origin(e.Cause) {
	case event.FromInternal:
		if len(b.States) > 0 {
			l.nodes[e.Node].states = &pt.id
		}
		return
	case event.FromClient:
		cp.stored(b)
		if cp.current(e.Node, s) {
			pt.loss.takenAgain(l.cluster(e.Node), b)
		}
	case event.FromStop:
		if b.Control == record.Abort && cp.current(e.Node, s) {
			l.abortedByStop(pt, cp, l.cluster(e.Node), s)
		}
	case event.FromCoordinator:
		if b.Control == record.Commit {
			pt.loss.committedAtSource(l.cluster(e.Node), s)
		}
	default:
		return
	}
	if e.LeaderEpoch < cp.eraFloor {
		return // a leader of an earlier era that does not know yet that it was deposed
	}
	if b.LeaderEpoch > cp.eraMax {
		cp.eraMax, cp.eraIndex = b.LeaderEpoch, e.Index
	}
	if b.Control == record.MirrorPidReset {
		cp.reset = b
	}
	if st := &cp.stop; st.active && !st.began.Has(e.Node) {
		l.was.firstOwn = true
		st.began = st.began.With(e.Node)
		if !st.fixed {
			st.boundary, st.fixed = b.Base, true
		}
	}
}

func (l *Ledger) foldTruncated(pt *part, s *Shadow, e *event.Event) {
	cp := pt.in[l.cluster(e.Node)]
	l.was.end = s.End
	cause, shown := event.TruncateCause(e.Cause), s.shown
	if cause == event.RestartedAt {
		l.cut = s.restart(e.Offset)
	} else {
		l.cut = s.truncate(e.Offset)
	}
	cp.keep(l.cut, shown, s)
	if l.thinned = len(l.cut) > 0 && l.cut[0].now != l.cut[0].batch; l.thinned {
		l.cleaned = l.cut[0].cleaned
	}
	l.cut = there(l.cut)
	if s.role == Leading {
		cp.lowerFloors(s.End)
	}
	if cause == event.AlignedToLME && cp.looked.known {
		pt.loss.align(cp.looked.alignment)
		cp.looked.known = false
	}
	l.findMissing(cp, e.Node, s)
	// Where nobody leads, the last in-sync replica may go on as a leader that does not know yet, and its log is what stands.
	if cp.current(e.Node, s) || s.role == Leading && cp.leader == id.None && s == l.standingLog(pt, l.cluster(e.Node)) {
		l.recordCut(pt, l.cluster(e.Node), cause, l.cut)
		l.recordDeparture(pt, l.cluster(e.Node), s.End)
	}
}

// lowerFloors takes note that a leader's log ends at end: a batch that is under way may be appended there.
func (cp *clusterPart) lowerFloors(end int64) {
	for i := range cp.pending {
		cp.pending[i].floor = min(cp.pending[i].floor, end)
	}
}

func (l *Ledger) foldFetchAnswered(pt *part, s *Shadow, e *event.Event) {
	switch event.Fetcher(e.From) {
	case event.MirrorFetcher:
		if c := l.cluster(e.Peer); c != noCluster && e.To == codeOK {
			cp := pt.in[c]
			l.was.probe = cp.probe
			cp.probe = probe{source: e.Node, version: s.version, cuts: s.cuts, offset: e.Offset, epoch: e.BatchEpoch,
				diverging: e.Cause == 1}
		}
	case event.Consumer:
		if int(e.Peer) < len(l.clients) {
			r := l.client(e.Peer).read(pt.slot, l.cluster(e.Node))
			r.server, r.offset, r.cuts = e.Node, e.Offset, s.cuts
			r.high, r.stable = s.HighWatermark, s.lastStable()
			if e.To == codeOffsetOutOfRange && l.client(e.Peer).group {
				l.groupReads(e.Peer, pt.slot).at(l.cluster(e.Node)).resets = true
			}
		}
	}
}

// prune drops the acknowledgements of records that retention or DeleteRecords has removed from their leader's log:
// nothing is promised of them any more. It is not called for a cluster that is aligned to another one, whose log start
// is not its own.
func (cp *clusterPart) prune(start int64) {
	cp.dropAcked(start, func(a *ack) bool { return a.batch.Last < start })
}

// dropAcked drops acknowledgements, of which it is known that they end below offset start, and the commits below it with them.
// Clones share both lists.
func (cp *clusterPart) dropAcked(start int64, is func(*ack) bool) {
	n := 0
	for i := range cp.acked {
		n += int(id.Bit(!is(&cp.acked[i])))
	}
	if n == len(cp.acked) {
		return
	}
	kept := make([]ack, 0, 2*n)
	for i := range cp.acked {
		if !is(&cp.acked[i]) {
			kept = append(kept, cp.acked[i])
		}
	}
	cp.acked = kept
	cp.commits = slices.DeleteFunc(slices.Clone(cp.commits), func(x commit) bool { return x.last < start })
}

// startMirroring ends the era of local writing: the cluster is going to be aligned to another one.
func (cp *clusterPart) startMirroring() {
	cp.era++
	cp.mirrored, cp.aligned, cp.followed, cp.departed = true, false, false, -1
	if cp.eraMax > cp.ended {
		cp.ended, cp.endedBy = cp.eraMax, cp.eraIndex
	}
	cp.eraMax, cp.eraFloor = -1, math.MaxInt32
	cp.stop = stop{}
	cp.ackedEnd = 0
}
