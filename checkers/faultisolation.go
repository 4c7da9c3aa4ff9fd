package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// fault-isolation is judged with the other liveness properties, in the second phase of a run: where a partition of a mirror
// cannot go on, because a batch of its source is corrupt, its source's topic is deleted, it is FAILED for a reason of its own
// or waits for a replica that is down for good or for a group coordinator that nobody leads, the lag of every other partition on
// that cluster still drains, within the same bound, and none is FAILED for what is wrong with another one.

// foldCorrupted counts the batches of a cluster's partition of which a bit is not as it was written.
func (l *Ledger) foldCorrupted(e *event.Event) {
	cp := l.part(e.Partition).in[l.cluster(e.Node)]
	if e.To == 1 {
		cp.corrupt++
	} else {
		cp.corrupt--
	}
}

// afflicted says what keeps the partition's mirror on cluster c from going on, "" if nothing does.
func (l *Ledger) afflicted(pt *part, c id.Cluster, core id.Set) string {
	cp := pt.in[c]
	source := l.source(c, l.topics[pt.topic].mirror[c])
	if l.topics[pt.topic].desired[c] != record.WantMirroring || source == noCluster {
		return ""
	}
	from := pt.in[source]
	switch why := l.refused(pt, c); {
	case from.corrupt > 0:
		return "has a corrupt batch at its source"
	case !from.registered:
		return "has lost its source's topic"
	case l.failed(pt, c) && why != record.CorruptBatch && why != record.SourceDeleted:
		return "is FAILED: " + why.String()
	case l.awaitsReplica(task{pt: pt, cp: cp, cluster: c}, core):
		return "waits for a replica that is down for good"
	case l.awaitsChain(task{pt: pt, cp: cp, cluster: c}, core):
		return "waits for a lost cluster from which its source mirrors it, to tell that the chain is no loop"
	case cp.state == record.Mirroring && !l.hears(pt, c):
		return l.withoutCoordinator(c, core)
	}
	return ""
}

// hears tells whether the leader on cluster c has heard its source in its present epoch.
func (l *Ledger) hears(pt *part, c id.Cluster) bool {
	_, heard := l.Lag(c, pt.id)
	return heard
}

// withoutCoordinator says which partition of __consumer_offsets on cluster c has no leader in the core: a leader that has cut its
// log, or that took over, does not fetch before all of them have lowered the offsets above its end (D31).
func (l *Ledger) withoutCoordinator(c id.Cluster, core id.Set) string {
	for _, x := range l.index {
		pt := l.parts[x.slot]
		if cp := pt.in[c]; l.topics[pt.topic].offsets && cp.registered && !core.Has(cp.leader) {
			return "waits for the leader of " + l.where(pt, c) + ", to lower the offsets above its end"
		}
	}
	return ""
}

// beside is another partition on cluster c that cannot go on, and why; nil if there is none.
func (l *Ledger) beside(pt *part, c id.Cluster, core id.Set) (*part, string) {
	for _, x := range l.index {
		other := l.parts[x.slot]
		if other == pt || !other.in[c].registered {
			continue
		}
		if why := l.afflicted(other, c, core); why != "" {
			return other, why
		}
	}
	return nil, ""
}

// infected says what is wrong with a partition with which nothing should be, beside one that cannot go on.
func (l *Ledger) infected(t task, core id.Set) (string, [2]string) {
	other, why := l.beside(t.pt, t.cluster, core)
	fact := l.where(other, t.cluster) + " " + why
	if l.failed(t.pt, t.cluster) {
		reason := l.refused(t.pt, t.cluster).String()
		return "is FAILED: " + reason + ", with which its source has nothing to do, while " + fact, [2]string{fact, "it is FAILED: " + reason}
	}
	lags, facts := l.lagging(t)
	if lags == "" {
		return "", facts
	}
	return lags + ", while " + fact, [2]string{fact, facts[1]}
}
