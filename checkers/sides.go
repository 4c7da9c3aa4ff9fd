package checkers

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// sides is for how long clients could write to a partition on both clusters of a mirror.
type sides struct {
	both  bool
	since id.Duration // if both
	total id.Duration // before
}

// duration is the time until now.
func (x *sides) duration(now id.Duration) id.Duration {
	if x.both {
		return x.total + now - x.since
	}
	return x.total
}

// weighSides takes note of whether both sides of a mirror of pt are writable now. It is called when that may have changed.
func (l *Ledger) weighSides(pt *part) {
	both := false
	for c, cp := range pt.in {
		if len(cp.mirrors) > 0 {
			other := l.otherWritable(pt, id.Cluster(c))
			both = both || other != noCluster && l.writable(pt, id.Cluster(c))
		}
	}
	x := &pt.sides
	switch {
	case both && !x.both:
		x.both, x.since = true, l.now
	case !both && x.both:
		x.both, x.total = false, x.total+l.now-x.since
	}
}

// otherWritable is the source of a mirror that cluster c has, or once had, of pt and on which pt is writable now;
// noCluster if there is none.
func (l *Ledger) otherWritable(pt *part, c id.Cluster) id.Cluster {
	for i := range pt.in[c].mirrors {
		if s := l.source(c, pt.in[c].mirrors[i].mirror); s != noCluster && l.writable(pt, s) {
			return s
		}
	}
	return noCluster
}

// writable tells whether the leader of pt on cluster c, which knows that it leads, takes client writes: it sees a plain
// topic, or has said that it takes them.
func (l *Ledger) writable(pt *part, c id.Cluster) bool {
	cp := pt.in[c]
	s := l.leaderLog(pt, c)
	return cp.registered && cp.current(cp.leader, s) &&
		(s.writable || l.topics[pt.topic].seen[cp.leader] == record.WantNone)
}
