package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// noLoop: no record is mirrored back to the partition it came from while it is still mirrored from there. When a leader
// appends a record from its mirror, the mirrors that run are followed up to where the record came from: a cluster that is a
// mirror and whose replicas have all appended the record since its run began has it from its source. Where that leads back
// to the appending cluster, the record goes round. A source that has held the record from before its run, or does not hold
// it any more, ends the search. A failback copies an old source's records back to it, but the mirror from there is stopped
// by then.
type noLoop struct{ plain }

// Properties are those that this checker judges.
func (*noLoop) Properties() []ID { return []ID{NoLoop} }

// Kinds are the events that it looks at.
func (*noLoop) Kinds() []event.Kind { return []event.Kind{event.Appended} }

// Clone is the checker itself, which keeps nothing.
func (c *noLoop) Clone() Checker { return c }

// Observe judges e.
func (*noLoop) Observe(l *Ledger, e *event.Event, r *Reporter) {
	if event.Origin(e.Cause) != event.FromMirror || !e.Batch.IsData() {
		return
	}
	pt, c := l.part(e.Partition), l.cluster(e.Node)
	first := l.aligningTo(pt.in[c], c)
	if first == noCluster || len(pt.in[first].mirrors) == 0 {
		return
	}
	r.Exercised(NoLoop)
	from, path := first, l.topology.Names.Cluster(c)
	for range l.clusters {
		path = l.topology.Names.Cluster(from) + "→" + path
		if from == c {
			break
		}
		if !l.hasMirrored(pt, from, e.Batch) {
			return
		}
		if from = l.aligningTo(pt.in[from], from); from == noCluster {
			return
		}
	}
	if from != c {
		return
	}
	b := contents(e.Batch)
	r.Violated(NoLoop, complaint(l.replica(pt, e.Node)+" appended "+b+" from its mirror of "+l.topology.Names.Cluster(first)+
		", which has it from there: "+path, l.where(pt, first)+" has mirrored "+b+", and goes on mirroring",
		l.replica(pt, e.Node)+" appended "+b+" from its mirror", pt.in[first].began, e))
}

// hasMirrored tells whether cluster c, in its present run, has mirrored the records of b: it holds them, and all its
// replicas that do have appended them since the run began. A PREPARING that is merely stored mirrors nothing: it may never
// be committed, and the partition reads STOPPED, and takes records of its own, as before.
func (l *Ledger) hasMirrored(pt *part, c id.Cluster, b *record.Batch) bool {
	cp, held := pt.in[c], false
	for n, s := range pt.replicas {
		if s == nil || l.cluster(id.Node(n)) != c {
			continue
		}
		if x := s.at(b.Base); x != nil && sameRecords(x.batch, b) {
			if held = true; x.index < cp.began {
				return false
			}
		}
	}
	return held && cp.mirrored && cp.begun
}
