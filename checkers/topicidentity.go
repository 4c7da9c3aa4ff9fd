package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// topicIdentity: records of two topic ids never meet in one log. A batch that a leader appends for a client must be of an
// operation on that topic id; one from a mirror must stand, or have stood, in the source's log of that id, and a follower's
// in its leader's. Where the batch is not found there it is looked for under the other topic ids of that cluster: it may
// have been cut since it was sent, so only one that is found elsewhere is a violation.
type topicIdentity struct{ plain }

// Properties are those that this checker judges.
func (*topicIdentity) Properties() []ID { return []ID{TopicIdentity} }

// Kinds are the events that it looks at.
func (*topicIdentity) Kinds() []event.Kind { return []event.Kind{event.Appended} }

// Clone is the checker itself, which keeps nothing.
func (c *topicIdentity) Clone() Checker { return c }

// Observe judges e.
func (c *topicIdentity) Observe(l *Ledger, e *event.Event, r *Reporter) {
	if len(l.topics) < 2 || !e.Batch.IsData() {
		return
	}
	pt, cl := l.part(e.Partition), l.cluster(e.Node)
	from, found := cl, false
	switch event.Origin(e.Cause) {
	case event.FromClient:
		r.Exercised(TopicIdentity)
		found = pt.in[cl].called(e.Batch)
	case event.FromMirror:
		r.Exercised(TopicIdentity)
		if from = l.aligningTo(pt.in[cl], cl); from == noCluster {
			return
		}
		found = l.someHolds(pt, from, e.Node, e.Batch)
	case event.FromLeader:
		found = l.someHolds(pt, cl, e.Node, e.Batch)
	default:
		return
	}
	if !found {
		c.elsewhere(l, pt, from, e, r)
	}
}

// called tells whether the batch is of an operation of a client that is under way.
func (cp *clusterPart) called(b *record.Batch) bool {
	for i := range cp.pending {
		if cp.pending[i].crc == b.CRC {
			return true
		}
	}
	return false
}

// someHolds tells whether a replica of cluster c, other than that on node n, has the records of b at their offsets.
func (l *Ledger) someHolds(pt *part, c id.Cluster, n id.Node, b *record.Batch) bool {
	if s := l.leaderLog(pt, c); s != nil && pt.in[c].leader != n && s.mirrors(b) {
		return true
	}
	for m, s := range pt.replicas {
		if s != nil && id.Node(m) != n && l.cluster(id.Node(m)) == c && s.mirrors(b) {
			return true
		}
	}
	return false
}

// elsewhere looks for the batch under the other topic ids on cluster from.
func (*topicIdentity) elsewhere(l *Ledger, pt *part, from id.Cluster, e *event.Event, r *Reporter) {
	for _, x := range l.parts {
		if x.id.Topic == pt.id.Topic {
			continue
		}
		client := event.Origin(e.Cause) == event.FromClient
		if client && !x.in[from].called(e.Batch) || !client && !l.someHolds(x, from, id.None, e.Batch) {
			continue
		}
		where := l.where(x, from)
		fact := contents(e.Batch) + " is of " + where
		r.Violated(TopicIdentity, complaint(l.replica(pt, e.Node)+" appended "+contents(e.Batch)+", which is of "+where+
			", a topic of another id ("+num(int64(x.id.Topic))+", not "+num(int64(pt.id.Topic))+")", fact,
			l.replica(pt, e.Node)+" appended it", 0, e))
		return
	}
}
