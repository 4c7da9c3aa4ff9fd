package checkers

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Quiet tells whether nothing is left to do: no operation of a client is pending; every live ISR member of every
// partition stands at the leader's log end, with its high watermark there; every mirrored partition is in the state that
// is wanted of it; mirroring ones have a known lag of 0, and leaders of stopped ones take client writes. If not, the
// string says in words what is still pending.
func (l *Ledger) Quiet() (bool, string) {
	for n, k := range l.clients {
		if k != nil && k.called > k.returned {
			return false, "an operation of " + l.name(id.Node(n)) + " has not returned"
		}
	}
	for _, x := range l.index {
		pt := l.parts[x.slot]
		for c, cp := range pt.in {
			if !cp.registered {
				continue
			}
			if why := l.unsettled(pt, cp, id.Cluster(c)); why != "" {
				return false, l.where(pt, id.Cluster(c)) + " " + why
			}
		}
	}
	return true, ""
}

// unsettled says what the partition waits for on cluster c, "" if nothing.
func (l *Ledger) unsettled(pt *part, cp *clusterPart, c id.Cluster) string {
	if cp.leader == id.None {
		return "has no leader"
	}
	s := l.leaderLog(pt, c)
	if !cp.current(cp.leader, s) {
		return "waits for " + l.name(cp.leader) + " to take the leadership of epoch " + num(int64(cp.leaderEpoch))
	}
	if s.HighWatermark != s.End {
		return "has high watermark " + num(s.HighWatermark) + " below the log end " + num(s.End)
	}
	for n, r := range pt.replicas {
		if !cp.isr.Has(id.Node(n)) || l.nodes[n].down {
			continue
		}
		if r == nil || r.End != s.End || r.HighWatermark != s.End {
			return "waits for " + l.name(id.Node(n)) + " to follow to " + num(s.End)
		}
	}
	return l.unfinished(pt, cp, c)
}

// unfinished says how the actual mirror state differs from the desired one.
func (l *Ledger) unfinished(pt *part, cp *clusterPart, c id.Cluster) string {
	var want record.State
	switch l.topics[pt.topic].desired[c] {
	case record.WantNone:
		want = record.Unknown // its mirror was deleted, and what was stored of it goes too
	case record.WantMirroring:
		want = record.Mirroring
	case record.WantPaused:
		want = record.Paused
	case record.WantStopped:
		want = record.Stopped
	}
	if cp.state != want {
		return "is " + cp.state.String() + ", wanted is " + want.String()
	}
	if want == record.Mirroring {
		lag, known := l.Lag(c, pt.id)
		if !known {
			return "has not heard its source yet"
		}
		if lag != 0 {
			return "has lag " + num(lag)
		}
	}
	if want == record.Stopped && !l.leaderLog(pt, c).writable {
		return "is STOPPED, but its leader does not take writes yet"
	}
	return ""
}
