package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// logMatching compares logs where the protocol promises that they are equal. Correct replicas are never reported:
//
//   - a fetch may be answered long after it was sent, by a leader that was deposed: the logs are compared only when the
//     fetcher follows the answering leader in the same leader epoch and still ends where it fetched;
//   - an ISR member that lost the tail of its log with the power is shorter until it has caught up, and one that has
//     followed a cut is shorter than the next leader until that one cuts as well: only what both hold is compared, and
//     a short log counts only at the moment when the leader raises its high watermark over it;
//   - a leader that the metadata log does not name any more is not compared with the ISR.
type logMatching struct{ plain }

// Properties are those that this checker judges.
func (*logMatching) Properties() []ID { return []ID{LogMatching} }

// Kinds are the events that it looks at.
func (*logMatching) Kinds() []event.Kind {
	return []event.Kind{event.FetchAnswered, event.HighWatermark, event.BecameLeader, event.PartitionChanged,
		event.ReplicaReported, event.Recovered}
}

// Clone is the checker itself, which keeps nothing.
func (c *logMatching) Clone() Checker { return c }

// Observe judges e.
func (c *logMatching) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	switch e.Kind {
	case event.FetchAnswered:
		if e.To == codeOK && e.Cause == 0 && int(e.Peer) < len(pt.replicas) && pt.replicas[e.Peer] != nil {
			c.fetched(l, pt, e, r)
		}
	case event.HighWatermark:
		c.inSync(l, pt, l.cluster(e.Node), e, r, e.Offset > l.was.hw)
	case event.BecameLeader, event.PartitionChanged:
		c.inSync(l, pt, l.cluster(e.Node), e, r, false)
	case event.ReplicaReported:
		s := pt.replicas[e.Node]
		c.itself(l, pt, e, r, s, s.HighWatermark == e.ProducerID)
	case event.Recovered:
		c.itself(l, pt, e, r, pt.replicas[e.Node], true)
	}
}

// fetched compares a fetcher with the leader that answered it.
func (*logMatching) fetched(l *Ledger, pt *part, e *event.Event, r *Reporter) {
	s, o := pt.replicas[e.Node], pt.replicas[e.Peer]
	if o.End != e.Offset {
		return
	}
	mirrored := event.Fetcher(e.From) == event.MirrorFetcher
	switch event.Fetcher(e.From) {
	case event.Follower:
		if o.role != Following || o.leader != e.Node || o.leaderEpoch != e.LeaderEpoch || s.leaderEpoch != e.LeaderEpoch {
			return
		}
	case event.MirrorFetcher:
		cp := pt.in[l.cluster(e.Peer)]
		if !cp.mirrored || !cp.current(e.Peer, o) || !l.topology.RewritesEpochs && !o.endsIn(e.BatchEpoch) {
			return
		}
	default:
		return
	}
	from := max(s.Start, o.Start)
	if from >= e.Offset {
		return
	}
	r.Exercised(LogMatching)
	if s.equal(o, from, e.Offset, mirrored) {
		return
	}
	words, facts, events := l.difference(pt, e.Node, e.Peer, from, e.Offset)
	r.Violated(LogMatching, Violation{l.replica(pt, e.Node) + " answered " + l.replica(pt, e.Peer) + " at offset " +
		num(e.Offset) + " without divergence, but the logs differ: " + words, facts, events})
}

// endsIn tells whether epoch is what a fetcher with this log names as its last: the newest entry of its cache, or the
// epoch of its newest batch.
func (s *Shadow) endsIn(epoch int32) bool {
	b := s.newest()
	return s.newestEpoch().Epoch == epoch || b != nil && b.LeaderEpoch == epoch || b == nil && epoch == -1
}

// inSync compares the ISR members with the leader below its high watermark; raised says that it has just moved up.
func (c *logMatching) inSync(l *Ledger, pt *part, cl id.Cluster, e *event.Event, r *Reporter, raised bool) {
	cp := pt.in[cl]
	n := cp.leader
	if n == id.None || e.Kind != event.PartitionChanged && n != e.Node || int(n) >= len(pt.replicas) {
		return
	}
	s := pt.replicas[n]
	if !cp.current(n, s) {
		return
	}
	for m, o := range pt.replicas {
		if id.Node(m) == n || !cp.isr.Has(id.Node(m)) || o == nil {
			continue
		}
		from, to := max(s.Start, o.Start), min(s.HighWatermark, o.End)
		if from < s.HighWatermark {
			r.Exercised(LogMatching)
		}
		if from < to && !s.equal(o, from, to, false) {
			words, facts, events := l.difference(pt, n, id.Node(m), from, to)
			r.Violated(LogMatching, Violation{"ISR member " + l.replica(pt, id.Node(m)) + " differs from leader " + l.name(n) +
				" below its high watermark " + num(s.HighWatermark) + ": " + words, facts, events})
		}
		if raised && o.End < s.HighWatermark && o.lostEnd < s.HighWatermark {
			r.Violated(LogMatching, complaint("leader "+l.replica(pt, n)+" raised its high watermark to "+
				num(s.HighWatermark)+", but the log of ISR member "+l.name(id.Node(m))+" ends at "+num(o.End),
				l.name(id.Node(m))+"'s log ends at "+num(o.End), "the high watermark is "+num(s.HighWatermark), 0, e))
		}
	}
}

// itself compares what a replica reports of its log with what its events have told.
func (*logMatching) itself(l *Ledger, pt *part, e *event.Event, r *Reporter, s *Shadow, marks bool) {
	r.Exercised(LogMatching)
	if s.Start == e.Offset && s.End == e.End && marks && s.digest() == e.Digest {
		return
	}
	told := "log " + num(s.Start) + " to " + num(s.End) + ", high watermark " + num(s.HighWatermark)
	says := "log " + num(e.Offset) + " to " + num(e.End)
	if e.Kind == event.ReplicaReported {
		says += ", high watermark " + num(e.ProducerID)
	}
	if s.Start == e.Offset && s.End == e.End && marks {
		says += " with other batches"
	}
	r.Violated(LogMatching, complaint(l.replica(pt, e.Node)+" reports "+says+"; its events told of "+told,
		"its events told of "+told, "it reports "+says, 0, e))
}
