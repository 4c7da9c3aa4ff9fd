package plan

import (
	"fmt"
	"slices"
)

// takes tells whether a partition on a cluster takes what a producer of such acks writes, as the file has its brokers.
func (p *Plan) takes(x *Partition, c int, acks string) bool {
	s := &x.Sides[c]
	return s.Leader >= 0 && (acks != "all" || len(p.Clusters[c].up(s.ISR)) >= x.topic.Configs[c].MinInSync)
}

// unseen is what producers may have written to a partition on a cluster at most, after its numbers were taken and before brokers
// of it went down: which was meanwhile, and when no number tells. A cluster that can be written to has no such records: what was
// written to it since is made anew, or was mirrored. Where the file does not say who writes it is not known how many.
func (p *Plan) unseen(topic, partition, c int) (n int64, known bool) {
	x := &p.Topics[topic].Partitions[partition]
	age := p.age(&x.Sides[c])
	if age == 0 {
		return 0, true
	}
	if !p.ProducersSaid {
		return 0, p.takes(x, c, "all")
	}
	for i := range p.Producers {
		if w := &p.Producers[i]; w.Cluster == c && slices.Contains(w.Topics, topic) && p.stands(x, c) && !p.takes(x, c, w.Acks) {
			n += share(w.Rate, age, p.reaches(w))
		}
	}
	return n, true
}

// stands tells whether what is written to a partition on a cluster is not mirrored: where the mirror goes on, it has kept up.
func (p *Plan) stands(x *Partition, c int) bool {
	return x.State != "MIRRORING" || !p.Clusters[0].Reachable || !p.Clusters[1].Reachable || x.Sides[c].Leader < 0
}

// reaches is how many partitions share the rate of a producer.
func (p *Plan) reaches(w *Producer) (all int64) {
	for _, t := range w.Topics {
		all += int64(len(p.Topics[t].Partitions))
	}
	return all
}

// notSeen notes that nobody knows what a partition on a cluster had when its brokers went down, and tells whether that is so.
func (a *answers) notSeen(x *Answer, part *scriptPart, c int) bool {
	n, known := a.plan.unseen(part.topic, part.partition, c)
	name, age := a.plan.Clusters[c].Name, ago(int64(a.plan.age(&part.Sides[c])))
	switch {
	case !known:
		x.not(part.title(), fmt.Sprintf("%s was measured %s, and brokers of it are down: what was written before they went down is not "+
			"known, and the file does not say who writes", name, age))
	case n > 0:
		x.not(part.title(), fmt.Sprintf("%s was measured %s, and brokers of it are down: up to %s that were written before they went down "+
			"are not known", name, age, records(n)))
	}
	return !known || n > 0
}

// stoppedUnseen notes the same of the sources of all mirrors of the partition that steps stop.
func (a *answers) stoppedUnseen(x *Answer, part *scriptPart) (some bool) {
	for _, s := range a.plan.Steps {
		if s.Act == actStop && slices.Contains(s.Topics, part.topic) {
			some = a.notSeen(x, part, a.plan.Mirrors[s.Mirror].From) || some
		}
	}
	return some
}

// readOn notes that nobody knows how far an active group has read on a cluster that went down after its numbers were taken, and
// tells whether that is so.
func (a *answers) readOn(x *Answer, g int, part *scriptPart) bool {
	c := a.script.home(g)
	s := &part.Sides[c]
	if !a.plan.Groups[g].Active || s.Leader >= 0 || a.plan.age(s) == 0 {
		return false
	}
	x.not(a.plan.Groups[g].Name+" of "+part.title(), fmt.Sprintf("%s was measured %s, and brokers of it are down: how far the group has "+
		"read on before they went down is not known, and it reads that again", a.plan.Clusters[c].Name, ago(int64(a.plan.age(s)))))
	return true
}
