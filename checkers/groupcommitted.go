package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// groupPlaces are the partitions of __consumer_offsets on which groups were placed, as what their coordinators stored has shown.
type groupPlaces []groupPlace

type groupPlace struct {
	cluster id.Cluster
	group   id.Node
	slot    int32 // of the partition
}

// find is the place of a group; nil if nothing was stored of it yet.
func (p groupPlaces) find(c id.Cluster, group id.Node) *groupPlace {
	for i := range p {
		if p[i].cluster == c && p[i].group == group {
			return &p[i]
		}
	}
	return nil
}

// note learns the place of a group from an offset that was stored: what its coordinator has appended last is that.
func (p *groupPlaces) note(l *Ledger, e *event.Event) {
	c := l.cluster(e.Node)
	slot, newest := int32(-1), uint64(0)
	for _, pt := range l.parts {
		if s := pt.replicas[e.Node]; l.topics[pt.topic].offsets && s != nil && len(s.log) > 0 && s.log[len(s.log)-1].index > newest {
			slot, newest = pt.slot, s.log[len(s.log)-1].index
		}
	}
	if x := p.find(c, e.Peer); x != nil {
		x.slot = slot
	} else if slot >= 0 {
		*p = append(*p, groupPlace{c, e.Peer, slot})
	}
}

// judgeCommitted judges that an offset is taken for committed only when its record is below the high watermark of its partition of
// __consumer_offsets: until then it may yet be gone, and a group that was told of it would go on behind what it resumes from later.
func (p groupPlaces) judgeCommitted(l *Ledger, e *event.Event, r *Reporter) {
	c := l.cluster(e.Node)
	x := p.find(c, e.Peer)
	if x == nil || x.slot < 0 {
		return
	}
	place := l.parts[x.slot]
	s := place.replicas[e.Node]
	if s == nil {
		return
	}
	r.Exercised(GroupOffset)
	if e.End <= s.HighWatermark {
		return
	}
	r.Violated(GroupOffset, complaint(l.name(e.Node)+" takes "+num(e.Offset)+" of "+l.name(e.Peer)+" in "+l.where(l.part(e.Partition), c)+
		" for committed, whose record ends at "+num(e.End)+" in "+l.replica(place, e.Node)+", above the high watermark, "+
		num(s.HighWatermark), "the high watermark is "+num(s.HighWatermark), "the offset ends at "+num(e.End), 0, e))
}

func (p groupPlaces) appendState(dst []byte) []byte {
	for _, x := range p {
		dst = words(dst, uint64(x.cluster)<<40|uint64(x.group)<<32|uint64(uint32(x.slot)))
	}
	return dst
}
