package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// groupOffset: when it is stored, a mirror's commit for a group is at most the destination's high watermark and at least its
// log start, and its epoch is that of the record before it in the destination's log; one without an epoch was raised to the log
// start, or the source's had none. A group that resumes from a committed offset passes over no record between the last one
// that it has read of that history, on whichever cluster, and its position; what an admin or the group's own reset policy
// passes over is meant. What a group's member, or an admin, commits after STOPPED is replaced by no mirror until the topic is
// started again. A coordinator takes an offset for committed only when its record is below the high watermark.
type groupOffset struct {
	places groupPlaces
	own    []ownCommit // since STOPPED; in the order in which they came
}

// ownCommit is a commit that a group's member or an admin has made on a cluster that has stopped mirroring the partition.
type ownCommit struct {
	cluster id.Cluster
	group   id.Node
	at      id.Partition
	index   uint64 // of the event that stored it
	offset  int64
}

// Properties are those that this checker judges.
func (*groupOffset) Properties() []ID { return []ID{GroupOffset} }

// Kinds are the events that it looks at.
func (*groupOffset) Kinds() []event.Kind {
	return []event.Kind{event.OffsetStored, event.OffsetCommitted, event.ConsumerRead, event.IntentChanged}
}

// Finish has nothing left to judge.
func (*groupOffset) Finish(*Ledger, *Reporter) {}

// Clone is a copy of which neither side sees the other's changes.
func (c *groupOffset) Clone() Checker {
	return &groupOffset{places: slices.Clone(c.places), own: slices.Clone(c.own)}
}

// AppendState appends the commits since STOPPED, and where groups are placed.
func (c *groupOffset) AppendState(dst []byte) []byte {
	dst = c.places.appendState(dst)
	for _, x := range c.own {
		dst = words(dst, uint64(x.cluster)<<40|uint64(x.group)<<32|uint64(x.at.Word()), uint64(x.offset))
	}
	return dst
}

// Observe judges e.
func (c *groupOffset) Observe(l *Ledger, e *event.Event, r *Reporter) {
	switch e.Kind {
	case event.ConsumerRead:
		judgeResumed(l, e, r)
	case event.IntentChanged:
		if record.Desired(e.To) == record.WantMirroring {
			cluster := l.cluster(e.Node)
			c.own = slices.DeleteFunc(c.own, func(x ownCommit) bool { return x.cluster == cluster && x.at.Topic == e.Partition.Topic })
		}
	case event.OffsetCommitted:
		c.places.judgeCommitted(l, e, r)
	case event.OffsetStored:
		c.places.note(l, e)
		if e.To == 1 {
			return // a tombstone: the topic is gone
		}
		switch origin := record.CommitOrigin(e.Cause); origin {
		case record.CommitMirror, record.CommitLower:
			c.judgeReplaced(l, e, r)
			if origin == record.CommitMirror {
				judgeBounds(l, e, r)
			}
		default:
			c.note(l, e)
		}
	}
}

// note keeps a commit of the group's own, or an admin's, that is made after STOPPED.
func (c *groupOffset) note(l *Ledger, e *event.Event) {
	cluster := l.cluster(e.Node)
	c.own = slices.DeleteFunc(c.own, func(x ownCommit) bool { return x.cluster == cluster && x.group == e.Peer && x.at == e.Partition })
	pt := l.part(e.Partition)
	if l.topics[pt.topic].desired[cluster] == record.WantStopped && pt.in[cluster].state == record.Stopped {
		c.own = append(c.own, ownCommit{cluster, e.Peer, e.Partition, e.Index, e.Offset})
	}
}

// judgeReplaced judges that a mirror's commit replaces none that was made after STOPPED.
func (c *groupOffset) judgeReplaced(l *Ledger, e *event.Event, r *Reporter) {
	cluster := l.cluster(e.Node)
	for _, x := range c.own {
		if x.cluster == cluster && x.group == e.Peer && x.at == e.Partition {
			r.Violated(GroupOffset, complaint("the mirror committed "+num(e.Offset)+" for "+l.name(e.Peer)+" in "+
				l.where(l.part(e.Partition), cluster)+", in the place of "+num(x.offset)+", which was committed there after STOPPED",
				num(x.offset)+" was committed after STOPPED", "the mirror committed "+num(e.Offset), x.index, e))
		}
	}
}

// judgeBounds judges where a mirror's commit stands in the destination's log.
func judgeBounds(l *Ledger, e *event.Event, r *Reporter) {
	c, pt := l.cluster(e.Node), l.part(e.Partition)
	s := l.leaderLog(pt, c)
	if s == nil {
		return
	}
	r.Exercised(GroupOffset)
	high := s.HighWatermark // that of a leader that was elected just now may lag behind
	for n, x := range pt.replicas {
		if x != nil && pt.in[c].isr.Has(id.Node(n)) {
			high = max(high, x.HighWatermark)
		}
	}
	commit := "the mirror committed " + num(e.Offset) + "@" + num(int64(e.BatchEpoch)) + " for " + l.name(e.Peer) + " in " + l.where(pt, c)
	switch {
	case e.Offset > high:
		r.Violated(GroupOffset, complaint(commit+", above the high watermark, "+num(high), "the high watermark is "+num(high), commit, 0, e))
		return
	case e.Offset < s.Start:
		r.Violated(GroupOffset, complaint(commit+", below the log start, "+num(s.Start), "the log start is "+num(s.Start), commit, 0, e))
		return
	case e.BatchEpoch < 0 && l.withoutEpoch(e, c, pt):
		return
	case e.Offset == s.Start && e.BatchEpoch < 0 && !l.raised(e, c, pt):
		r.Violated(GroupOffset, complaint(commit+", at the log start, where no record is before it, and the group has committed nothing "+
			"below that at the source", "the log start is "+num(s.Start), commit, 0, e))
		return
	case e.Offset == s.Start:
		return
	}
	for i := len(s.log) - 1; i >= 0; i-- {
		b := s.log[i].batch
		if b.Base >= e.Offset {
			continue
		}
		if b.LeaderEpoch != e.BatchEpoch {
			r.Violated(GroupOffset, complaint(commit+", though the record before it is "+contents(b), l.replica(pt, pt.in[c].leader)+
				" has "+contents(b), commit, s.log[i].index, e))
		}
		return
	}
}

// withoutEpoch tells whether the group has committed that offset without an epoch at the source of the mirror. It may have
// committed another since.
func (l *Ledger) withoutEpoch(e *event.Event, c id.Cluster, pt *part) bool {
	x := l.committedAtSource(e, c, pt)
	return x != nil && slices.Contains(x.bare, e.Offset)
}

// raised tells whether the group has committed an offset below that at the source of the mirror.
func (l *Ledger) raised(e *event.Event, c id.Cluster, pt *part) bool {
	x := l.committedAtSource(e, c, pt)
	return x != nil && x.lowest < e.Offset
}

// committedAtSource is what the group of a mirror's commit has committed at the source; nil if it has nothing there.
func (l *Ledger) committedAtSource(e *event.Event, c id.Cluster, pt *part) *groupCommit {
	source := l.source(c, e.Mirror)
	if source == noCluster {
		return nil
	}
	return l.committed(e.Peer, source, pt.slot)
}

// judgeResumed judges the first read of a group that has resumed from a committed offset.
func judgeResumed(l *Ledger, e *event.Event, r *Reporter) {
	if !l.was.resumed.judged {
		return
	}
	r.Exercised(GroupOffset)
	if l.was.resumed.skipped == 0 {
		return
	}
	pt := l.part(e.Partition)
	where := l.where(pt, id.Cluster(e.From))
	r.Violated(GroupOffset, complaint(l.name(e.Node)+" resumed at "+num(e.Offset)+" in "+where+", and passes over "+
		Several(l.was.resumed.skipped, "record", "records")+" that it has never read, the first of them "+contents(l.was.resumed.first),
		where+" has "+contents(l.was.resumed.first), l.name(e.Node)+" read on from "+num(e.Offset), 0, e))
}
