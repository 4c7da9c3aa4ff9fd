package plan

import (
	"fmt"
	"slices"
)

// fit finds out of each partition whether a scenario can begin with its numbers.
func (p *Plan) fit() {
	for i := range p.Topics {
		t := &p.Topics[i]
		for k := range t.Partitions {
			x := &t.Partitions[k]
			m := &p.Mirrors[t.Mirror]
			if source, copied := &x.Sides[m.From], &x.Sides[m.To]; x.MirroredEnd == nil && source.End < copied.End {
				source.End = copied.End // its end was measured before that of the copy
			}
			for _, why := range []string{p.unfitState(x), p.unfitLogs(x, m), p.unfitReplicas(t, x)} {
				if x.unfit == "" {
					x.unfit = why
				}
			}
		}
	}
}

// unfitState says why a scenario cannot begin in the state of the mirror.
func (p *Plan) unfitState(x *Partition) string {
	switch x.State {
	case "MIRRORING", "PAUSED", "STOPPED":
		return ""
	case "FAILED":
		switch {
		case !x.Unreachable:
			return "it is FAILED, and for another reason than source-unreachable, which no scenario can begin with"
		case p.reachable(p.source(x.topic)):
			return "it is FAILED because the source was not reached, but the file has the source reachable: recover it first"
		}
		return ""
	}
	return "it is " + x.State + ", a state in passing, which no scenario can begin in"
}

// unfitLogs says why a scenario cannot have the logs.
func (p *Plan) unfitLogs(x *Partition, m *Mirror) string {
	source, copied := &x.Sides[m.From], &x.Sides[m.To]
	for c := range x.Sides {
		if s := &x.Sides[c]; s.HighWatermark != nil && *s.HighWatermark < s.End {
			return fmt.Sprintf("its high watermark on %s is %d below its end: what followers have not got yet no scenario can begin with",
				p.Clusters[c].Name, s.End-*s.HighWatermark)
		}
	}
	mirrored := p.mirrored(x)
	if source.End < mirrored {
		return fmt.Sprintf("%s ends at %d, below %d, to where it was mirrored: it has lost records, and which ones no scenario can tell",
			p.Clusters[m.From].Name, source.End, mirrored)
	}
	if x.MirroredEnd == nil && copied.Start > source.Start {
		return fmt.Sprintf("its log start on %s is above that on %s, which a mirror's copy never has by itself", p.Clusters[m.To].Name,
			p.Clusters[m.From].Name)
	}
	if e, known := epochBelow(source, copied, mirrored); known && x.LastEpoch != nil && e != *x.LastEpoch {
		return fmt.Sprintf("its last mirrored epoch is %d, but the record below %d is of epoch %d: a stop in a scenario records that one",
			*x.LastEpoch, mirrored, e)
	}
	if source.Epochs != nil && copied.Epochs != nil {
		if e, differ := departed(source, copied, mirrored); differ {
			return fmt.Sprintf("the two logs have departed from each other below %d, where it is mirrored to: epoch %d begins elsewhere, "+
				"or not at all, in one of them", mirrored, e)
		}
	}
	return ""
}

// epochBelow is the epoch of the record before an offset that both logs have, by whichever history is known.
func epochBelow(a, b *Side, offset int64) (epoch int64, known bool) {
	list := a.Epochs
	if list == nil {
		list = b.Epochs
	}
	for _, e := range list {
		if e.Start < offset {
			epoch, known = e.Epoch, true
		}
	}
	return epoch, known
}

// departed is the first epoch that begins above both log starts and below an offset, and not at the same place in both
// histories.
func departed(a, b *Side, below int64) (epoch int64, differ bool) {
	low := max(a.Start, b.Start)
	in := func(list []EpochStart) []EpochStart {
		return slices.DeleteFunc(slices.Clone(list), func(e EpochStart) bool { return e.Start <= low || e.Start >= below })
	}
	x, y := in(a.Epochs), in(b.Epochs)
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return y[i].Epoch, true
		case i >= len(y) || x[i] != y[i]:
			return x[i].Epoch, true
		}
	}
	return 0, false
}

// unfitReplicas says why a scenario cannot have the replicas, and notes which of them it leaves out.
func (p *Plan) unfitReplicas(t *Topic, x *Partition) string {
	for c := range x.Sides {
		s, cluster := &x.Sides[c], &p.Clusters[c]
		left := 0
		for _, b := range s.Replicas {
			if !slices.Contains(s.ISR, b) && !slices.Contains(cluster.Down, b) {
				x.leftOut = append(x.leftOut, leftOut{c, b})
				left++
			}
		}
		in := len(s.Replicas) - left
		switch {
		case t.Configs[c].Unclean && p.behindISR(s, c):
			return fmt.Sprintf("a replica on %s is out of the ISR, and unclean.leader.election.enable may have it lead: how much that lacks, "+
				"and with it is lost, no scenario can tell", cluster.Name)
		case left > 0 && t.Configs[c].MirrorUnclean:
			return fmt.Sprintf("a replica on %s is out of the ISR though its broker is up, and "+
				"mirror.support.unclean.leader.election has alignment wait for it: for how long no scenario can tell", cluster.Name)
		case in < t.Configs[c].MinInSync:
			return fmt.Sprintf("on %s it has fewer in-sync replicas than min.insync.replicas, though the brokers of the others are up",
				cluster.Name)
		case in == 1 && p.raises(x, c) > 0:
			return fmt.Sprintf("on %s a single replica has had more than one leader epoch, which no scenario can begin with", cluster.Name)
		}
	}
	return ""
}

// behindISR tells whether a replica that is out of the ISR can come to lead uncleanly: its broker is up, or a step brings it back.
func (p *Plan) behindISR(s *Side, c int) bool {
	restored := slices.ContainsFunc(p.Steps, func(x Step) bool { return x.Act == actRestore && x.To == c })
	return slices.ContainsFunc(s.Replicas, func(b int64) bool {
		return !slices.Contains(s.ISR, b) && (restored || !slices.Contains(p.Clusters[c].Down, b))
	})
}

// replicas are those that the scenario has of a partition: the in-sync ones that are up in front, the leader first.
func (p *Plan) replicas(x *Partition, c int) (list []int64) {
	s := &x.Sides[c]
	if s.Leader >= 0 {
		list = append(list, s.Leader)
	}
	for _, group := range [][]int64{p.Clusters[c].up(s.ISR), s.ISR, s.Replicas} {
		for _, b := range group {
			if !slices.Contains(list, b) && !slices.Contains(x.leftOut, leftOut{c, b}) {
				list = append(list, b)
			}
		}
	}
	return list
}

// raises is how often the scenario raises the leader epoch of a partition of the cluster that it is mirrored from, or was, or
// of the other one since the stop, before it begins.
func (p *Plan) raises(x *Partition, c int) int { return len(p.raisedAt(x, c)) }

// raisedAt are the offsets at which the scenario raises the leader epoch on cluster c; those of the destination count from the
// stop on, which raises it once by itself. The last one may be the end: then the leader epoch is above the newest batch's.
func (p *Plan) raisedAt(x *Partition, c int) (list []int64) {
	s, m := &x.Sides[c], &p.Mirrors[x.topic.Mirror]
	low := s.Start
	if c == m.To {
		if x.MirroredEnd == nil {
			return nil
		}
		low = *x.MirroredEnd
	}
	for _, e := range s.Epochs {
		if e.Start > low {
			list = append(list, e.Start)
		}
	}
	if k := len(s.Epochs); k > 0 && s.LeaderEpoch != nil && *s.LeaderEpoch > s.Epochs[k-1].Epoch && s.Epochs[k-1].Start < s.End {
		list = append(list, s.End)
	}
	return list
}
