package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// pastBatch is a batch that stood below a high watermark of its cluster and is in that log no more: it was cut, lost with
// the power, or trimmed. A mirror may have it still. It is kept until it is below every log start.
type pastBatch struct {
	batch  *record.Batch
	before int64 // where the batch before it ended; -1 if that is not known
	// trimmed: the log start of a log that held it has passed it.
	trimmed bool
}

// keep takes what a cut has removed from s, as far as that had been below its high watermark, shown, at some time.
func (cp *clusterPart) keep(gone []entry, shown int64, s *Shadow) {
	before := int64(-1)
	if n := len(s.log); n > 0 {
		before = s.log[n-1].batch.Last + 1
	}
	for i := range gone {
		b := gone[i].batch
		if b.Last >= shown {
			return
		}
		cp.keepBatch(b, before, false)
		before = b.Last + 1
	}
}

// keepTrimmed takes what a rise of the log start has removed. All of it was below the high watermark.
func (cp *clusterPart) keepTrimmed(gone []entry) {
	before := int64(-1)
	for i := range gone {
		cp.keepBatch(gone[i].batch, before, true)
		before = gone[i].batch.Last + 1
	}
}

// keepBatch keeps b once, in the order of offsets.
func (cp *clusterPart) keepBatch(b *record.Batch, before int64, trimmed bool) {
	i := cp.pastFrom(b.Base)
	at := i
	for ; i < len(cp.past) && cp.past[i].batch.Base == b.Base; i++ {
		if cp.past[i].batch.Same(b) {
			cp.past[i].trimmed = cp.past[i].trimmed || trimmed
			return
		}
	}
	cp.past = slices.Insert(cp.past, at, pastBatch{b, before, trimmed})
}

// pastFrom is the index of the first past batch that starts at or beyond offset.
func (cp *clusterPart) pastFrom(offset int64) int {
	lo, hi := 0, len(cp.past)
	for lo < hi {
		mid := (lo + hi) / 2
		if cp.past[mid].batch.Base < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// forget drops what is below every log start, for nothing comes back from there: past batches, acknowledgements of what some log
// has lost to its log start, and what groups have read. What is listed as lost there is settled. An empty log holds nothing, and
// will not get any of it.
func (l *Ledger) forget(pt *part) {
	low, held := int64(0), false
	for _, s := range pt.replicas {
		if s != nil && len(s.log) > 0 && (!held || s.Start < low) {
			low, held = s.Start, true
		}
	}
	if !held {
		return
	}
	for _, list := range pt.loss.lists() {
		list.settle(low)
	}
	for i := range l.groups {
		if g := &l.groups[i]; g.slot == pt.slot {
			g.forget(low)
		}
	}
	for _, cp := range pt.in {
		n := 0
		for n < len(cp.past) && cp.past[n].batch.Last < low {
			n++
		}
		if n > 0 {
			cp.past = slices.Delete(cp.past, 0, n)
		}
		cp.dropAcked(low, func(a *ack) bool { return a.trimmed && a.batch.Last < low })
	}
}

// mirrors tells whether a mirror may store b as c: they are the same but for what the protocol lets a mirror change.
func (t *Topology) mirrors(b, c *record.Batch) bool {
	if b == c || !t.RewritesEpochs && !t.RewritesProducers && !b.Compacted() && !c.Compacted() {
		return b.Same(c)
	}
	if b.Compacted() || c.Compacted() {
		return (t.RewritesEpochs || b.LeaderEpoch == c.LeaderEpoch) && (b.Covers(c) || c.Covers(b))
	}
	return b.Base == c.Base && mixContent(b, t) == mixContent(c, t)
}

// mirroredAt is the batch of log s that b is a mirror's copy of, nil if there is none.
func (t *Topology) mirroredAt(s *Shadow, b *record.Batch) *record.Batch {
	if s == nil {
		return nil
	}
	if x := s.at(b.Base); x != nil && t.mirrors(x.batch, b) {
		return x.batch
	}
	return nil
}

// stoodOn tells whether cluster c has, or had below its high watermark, what b is a copy of. It is known while some log begins below that.
func (l *Ledger) stoodOn(pt *part, c id.Cluster, b *record.Batch) bool {
	cp := pt.in[c]
	for i := cp.pastFrom(b.Base); i < len(cp.past) && cp.past[i].batch.Base == b.Base; i++ {
		if l.topology.mirrors(cp.past[i].batch, b) {
			return true
		}
	}
	for n, s := range pt.replicas {
		if s != nil && l.nodes[n].cluster == c && l.topology.mirroredAt(s, b) != nil {
			return true
		}
	}
	return false
}

// stood is the batch that b, as a mirror has it, is the copy of: it stood below the high watermark of cluster c at some time;
// nil if there is none. Where one such batch followed another that ended at or below after, bare tells that nothing stood
// between them.
func (l *Ledger) stood(pt *part, c id.Cluster, b *record.Batch, after int64) (found *record.Batch, bare bool) {
	for n, s := range pt.replicas {
		if s == nil || l.nodes[n].cluster != c || b.Last >= s.shown {
			continue
		}
		i := s.position(b.Base)
		if i == len(s.log) || !l.topology.mirrors(s.log[i].batch, b) {
			continue
		}
		found = s.log[i].batch
		for i > 0 && s.log[i-1].now == nil {
			i-- // the source had compacted it
		}
		if i == 0 || s.log[i-1].batch.Last < after {
			return found, true
		}
	}
	past := pt.in[c].past
	for i := pt.in[c].pastFrom(b.Base); i < len(past) && past[i].batch.Base == b.Base; i++ {
		if l.topology.mirrors(past[i].batch, b) {
			found, bare = past[i].batch, bare || past[i].before <= after
		}
	}
	return found, bare
}

// trimmed tells whether offset is below the log start of every replica of cluster c, and nothing is remembered of it.
func (l *Ledger) trimmed(pt *part, c id.Cluster, offset int64) bool {
	for n, s := range pt.replicas {
		if s != nil && l.nodes[n].cluster == c && s.Start <= offset {
			return false
		}
	}
	i, past := pt.in[c].pastFrom(offset), pt.in[c].past
	return i == len(past) || past[i].batch.Base != offset
}

// perCluster is a checker's state of each partition on each cluster, made at first sight.
type perCluster[T any] struct{ rows []T }

func (x *perCluster[T]) at(l *Ledger, pt *part, c id.Cluster) *T {
	k := int(pt.slot)*l.clusters + int(c)
	for len(x.rows) <= k {
		var fresh T
		x.rows = append(x.rows, fresh)
	}
	return &x.rows[k]
}

// place is the partition and the cluster that e is of: false where there is none, and where e deletes a topic, which is
// forgotten.
func (x *perCluster[T]) place(l *Ledger, e *event.Event) (pt *part, c id.Cluster, ok bool) {
	c = l.cluster(e.Node)
	switch {
	case c == noCluster:
		return nil, c, false
	case e.Kind == event.TopicRemoved:
		x.drop(l, e)
		return nil, c, false
	}
	return l.part(e.Partition), c, true
}

// drop forgets the topic that e says was deleted, on that cluster.
func (x *perCluster[T]) drop(l *Ledger, e *event.Event) {
	c := l.cluster(e.Node)
	for _, pt := range l.parts {
		if pt.id.Topic == e.Partition.Topic && c != noCluster {
			var fresh T
			*x.at(l, pt, c) = fresh
		}
	}
}

func (x *perCluster[T]) clone() perCluster[T] { return perCluster[T]{slices.Clone(x.rows)} }

// stopKey tells the stops of a partition on a cluster apart: one that goes on after a failure, or with another leader, is
// the same.
type stopKey struct{ era, run int32 }

func (cp *clusterPart) stopKey() stopKey { return stopKey{cp.era, cp.stop.run} }

// stored tells whether the ledger took the state of e as the entry's: a deposed coordinator's store is not heard of.
func (l *Ledger) stored(cp *clusterPart, e *event.Event) bool {
	x := l.entry(cp, e.Mirror)
	return x.state == record.State(e.To) && x.run == int32(e.Offset)
}

// uncleanSupport tells whether the partition's topic has mirror.support.unclean.leader.election on cluster c.
func (l *Ledger) uncleanSupport(pt *part, c id.Cluster) bool {
	return l.topics[pt.topic].unclean>>c&1 != 0
}

// stateExcuse says how cluster c went beyond the fault budget so that its __mirror_state may have lost what was committed;
// "" if it did not.
func (l *Ledger) stateExcuse(c id.Cluster) string {
	return l.excuseOf(c, func(t *topic) bool { return t.states })
}

// transactionExcuse says it of its __transaction_state.
func (l *Ledger) transactionExcuse(c id.Cluster) string {
	return l.excuseOf(c, func(t *topic) bool { return t.internal && !t.states && !t.offsets })
}

func (l *Ledger) excuseOf(c id.Cluster, is func(*topic) bool) string {
	for _, pt := range l.parts {
		if is(l.topics[pt.topic]) && pt.in[c].excuse != "" {
			return pt.in[c].excuse + " of " + l.where(pt, c)
		}
	}
	return ""
}
