package checkers

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// cp is the partition p on cluster c, nil if the history has not named it.
func (l *Ledger) cp(c id.Cluster, p id.Partition) *clusterPart {
	if pt := l.seek(p); pt != nil && int(c) < l.clusters {
		return pt.in[c]
	}
	return nil
}

// Partitions are the partitions that the history has named, ordered by topic and index; those of internal topics too.
func (l *Ledger) Partitions() []id.Partition {
	all := make([]id.Partition, len(l.index))
	for i, x := range l.index {
		all[i] = l.parts[x.slot].id
	}
	return all
}

// Leader is the leader of p that the metadata log of c names, and its leader epoch: id.None and -1 if the partition is
// not registered there, id.None if nobody leads.
func (l *Ledger) Leader(c id.Cluster, p id.Partition) (id.Node, int32) {
	if cp := l.cp(c, p); cp != nil {
		return cp.leader, cp.leaderEpoch
	}
	return id.None, -1
}

// Source is the cluster that mirror m of c leads from; false while c has no such mirror.
func (l *Ledger) Source(c id.Cluster, m id.Mirror) (id.Cluster, bool) {
	from := l.source(c, m)
	return from, from != noCluster
}

// Controller is the active controller of c as its metadata log says, id.None before the first.
func (l *Ledger) Controller(c id.Cluster) id.Node { return l.control[c] }

// ISR is the ISR of p in the metadata log of c.
func (l *Ledger) ISR(c id.Cluster, p id.Partition) id.Set {
	if cp := l.cp(c, p); cp != nil {
		return cp.isr
	}
	return 0
}

// Replicas are those of p on c by the metadata log.
func (l *Ledger) Replicas(c id.Cluster, p id.Partition) id.Set {
	if cp := l.cp(c, p); cp != nil {
		return cp.replicas
	}
	return 0
}

// Coordinates tells whether n leads a partition of __mirror_state of its cluster by the metadata log.
func (l *Ledger) Coordinates(n id.Node) bool {
	c := l.cluster(n)
	return c != noCluster && slices.ContainsFunc(l.parts, func(pt *part) bool { return l.topics[pt.topic].states && pt.in[c].leader == n })
}

// Spared tells whether every partition would keep an ISR member that is up and whose log is whole, if n went down.
func (l *Ledger) Spared(n id.Node) bool {
	for _, pt := range l.parts {
		for _, cp := range pt.in {
			if !cp.isr.Has(n) {
				continue
			}
			good := cp.isr.Without(n) &^ cp.dark
			for m := range l.nodes {
				if l.nodes[m].down && m < id.MaxBrokers {
					good = good.Without(id.Node(m))
				}
			}
			if good == 0 {
				return false
			}
		}
	}
	return true
}

// Log is the log of p on broker n, nil if it holds none. It is good until the next event.
func (l *Ledger) Log(n id.Node, p id.Partition) *Shadow {
	if pt := l.seek(p); pt != nil && int(n) < len(pt.replicas) {
		return pt.replicas[n]
	}
	return nil
}

// LastStable is the last stable offset of p on broker n; 0 if it holds no log.
func (l *Ledger) LastStable(n id.Node, p id.Partition) int64 {
	if s := l.Log(n, p); s != nil {
		return s.lastStable()
	}
	return 0
}

// State is the mirror state of p on c that was committed last; Unknown if none was. Over several mirrors of one
// partition it is the newest.
func (l *Ledger) State(c id.Cluster, p id.Partition) record.State {
	if cp := l.cp(c, p); cp != nil {
		return cp.state
	}
	return record.Unknown
}

// Desired is what the controller of c wants of p's topic.
func (l *Ledger) Desired(c id.Cluster, p id.Partition) record.Desired {
	if pt := l.seek(p); pt != nil && int(c) < l.clusters {
		return l.topics[pt.topic].desired[c]
	}
	return record.WantNone
}

// Writable tells whether the leader of p on c has said that it takes client writes of a mirrored topic.
func (l *Ledger) Writable(c id.Cluster, p id.Partition) bool {
	pt := l.seek(p)
	if pt == nil || int(c) >= l.clusters {
		return false
	}
	s := l.leaderLog(pt, c)
	return s != nil && s.writable
}

// Position is the last mirrored position of p that was committed last on c; ok is false if none was.
func (l *Ledger) Position(c id.Cluster, p id.Partition) (epoch int32, offset int64, ok bool) {
	if cp := l.cp(c, p); cp != nil {
		return cp.position.epoch, cp.position.offset, cp.position.known
	}
	return record.NoPosition, record.NoPosition, false
}

// Lag is the source's high watermark, heard last by the present leader of p on c in its present leader epoch, less its
// own (section 2 of the design). It is unknown before the first answer and after a divergence, and may be negative.
func (l *Ledger) Lag(c id.Cluster, p id.Partition) (int64, bool) {
	pt := l.seek(p)
	if pt == nil || int(c) >= l.clusters {
		return 0, false
	}
	cp := pt.in[c]
	s := l.leaderLog(pt, c)
	if s == nil || !cp.heard.known || cp.heard.node != cp.leader || cp.heard.leaderEpoch != cp.leaderEpoch {
		return 0, false
	}
	return cp.heard.end - s.HighWatermark, true
}

// Op is the result of an operation: one that has returned, among the last 32 of its client, or an admin request under
// way.
func (l *Ledger) Op(op uint32) (OpResult, bool) {
	n := op >> 24
	if int(n) >= len(l.clients) || l.clients[n] == nil {
		return OpResult{}, false
	}
	k := l.clients[n]
	for i := len(k.done) - 1; i >= 0; i-- {
		if k.done[i].Op == op {
			return k.done[i], true
		}
	}
	for _, r := range k.admin {
		if r.Op == op {
			return r, true
		}
	}
	return OpResult{}, false
}

// ReadTo is the number of data records of p that the client has read on cluster c; a record read twice counts twice.
func (l *Ledger) ReadTo(client id.Node, c id.Cluster, p id.Partition) int64 {
	pt := l.seek(p)
	if pt == nil || int(client) >= len(l.clients) || l.clients[client] == nil {
		return 0
	}
	for _, r := range l.clients[client].reads {
		if r.slot == pt.slot && r.cluster == c {
			return r.count
		}
	}
	return 0
}

// Lost is the number of records of p that the loss report lists as lost at a failover away from cluster c: they stood
// in c's log, and the other cluster had not mirrored them when it was stopped.
func (l *Ledger) Lost(c id.Cluster, p id.Partition) int64 {
	return l.count(c, p, func(x *losses) *lossList { return &x.lost })
}

// Discarded is the number of records of p that were cut from cluster c's log when it was aligned to another cluster and
// that this one does not have.
func (l *Ledger) Discarded(c id.Cluster, p id.Partition) int64 {
	return l.count(c, p, func(x *losses) *lossList { return &x.discarded })
}

// CutByStop is the number of records of p that a stop on cluster c cut from its log (D4).
func (l *Ledger) CutByStop(c id.Cluster, p id.Partition) int64 {
	return l.count(c, p, func(x *losses) *lossList { return &x.cutByStop })
}

func (l *Ledger) count(c id.Cluster, p id.Partition, of func(*losses) *lossList) int64 {
	pt := l.seek(p)
	if pt == nil {
		return 0
	}
	var n int64
	for _, x := range of(&pt.loss).all() {
		if x.cluster == c {
			n += int64(len(x.batch.Records))
		}
	}
	return n
}
