package plan

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"
)

// up are the brokers of the list that are not down.
func (c *Cluster) up(brokers []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(brokers), func(b int64) bool { return slices.Contains(c.Down, b) })
}

// checkSide refuses numbers of one side that contradict each other.
func (p *parser) checkSide(f map[string]*yaml.Node, c int, s *Side, what string) {
	cluster := &p.plan.Clusters[c]
	if f["end"] == nil || f["log-start"] == nil {
		return
	}
	if s.Start > s.End {
		p.fail(f["log-start"], f["log-start"].Value, fmt.Sprintf("the log start of %s is above its end %d", what, s.End), upTo(s.End))
	}
	if h := s.HighWatermark; h != nil && (*h > s.End || *h < s.Start) {
		p.fail(f["high-watermark"], f["high-watermark"].Value, "the high watermark of "+what+" is not within its log",
			fmt.Sprintf("%d to %d", s.Start, s.End))
	}
	for _, b := range s.ISR {
		if f["isr"] != nil && f["replicas"] != nil && !slices.Contains(s.Replicas, b) {
			p.fail(f["isr"], fmt.Sprint(b), "the ISR of "+what+" has a broker that is no replica", words(s.Replicas)...)
		}
	}
	if f["leader"] != nil && f["replicas"] != nil {
		p.checkLeader(f["leader"], cluster, s, what)
	}
	if k := len(s.Epochs); k > 0 {
		last := s.Epochs[k-1]
		if last.Start > s.End {
			p.fail(f["epochs"], fmt.Sprint(last.Start), fmt.Sprintf("the newest epoch of %s begins above its end %d", what, s.End),
				upTo(s.End))
		}
		if e := s.LeaderEpoch; e != nil && *e < last.Epoch {
			p.fail(f["leader-epoch"], fmt.Sprint(*e), fmt.Sprintf("the leader epoch of %s is below its newest epoch", what),
				fmt.Sprintf("%d or more", last.Epoch))
		}
	}
}

func (p *parser) checkLeader(n *yaml.Node, cluster *Cluster, s *Side, what string) {
	up := cluster.up(s.ISR)
	switch {
	case s.Leader < 0 && len(up) > 0:
		p.fail(n, n.Value, "nobody leads "+what+", though an in-sync replica is up", words(up)...)
	case s.Leader >= 0 && !slices.Contains(up, s.Leader):
		p.fail(n, n.Value, "the leader of "+what+" is no in-sync replica that is up",
			append(words(up), "none, where no in-sync replica is up")...)
	}
}

func words(list []int64) (all []string) {
	for _, x := range list {
		all = append(all, fmt.Sprint(x))
	}
	return all
}

func upTo(n int64) string { return fmt.Sprintf("0 to %d", n) }

// checkPartition refuses numbers of the two sides that contradict each other.
func (p *parser) checkPartition(f map[string]*yaml.Node, t *Topic, x *Partition) {
	m := &p.plan.Mirrors[t.Mirror]
	from, to := p.plan.Clusters[m.From].Name, p.plan.Clusters[m.To].Name
	source, copied := &x.Sides[m.From], &x.Sides[m.To]
	what := fmt.Sprintf("%s-%d", t.Name, x.Index)
	if x.State == "STOPPED" {
		p.checkStopped(f, x, copied, to, what)
		return
	}
	if n := f["mirrored-end"]; n != nil {
		p.fail(n, n.Value, "only a STOPPED partition has a mirrored-end: the end of "+what+" on "+to+" is up to where it is mirrored",
			"state: STOPPED")
		return
	}
	aged := x.LagAge != nil || source.Age != nil || copied.Age != nil
	behind := source.End - copied.End
	switch {
	case behind < 0 && (x.Lag != nil && *x.Lag > 0 || !aged):
		p.fail(f[to], fmt.Sprint(copied.End), fmt.Sprintf("%s is mirrored to %d on %s, beyond its end %d on %s", what, copied.End, to,
			source.End, from), upTo(source.End), "age: the time since the end on "+from+" was measured")
	case x.Lag != nil && *x.Lag != behind && behind >= 0 && !aged:
		p.fail(f["lag"], fmt.Sprint(*x.Lag), fmt.Sprintf("the lag of %s is not the difference of its ends, %d - %d", what, source.End,
			copied.End), fmt.Sprint(behind), "lag-age: the time since the lag was measured")
	}
}

func (p *parser) checkStopped(f map[string]*yaml.Node, x *Partition, copied *Side, to, what string) {
	if n := f["lag"]; n != nil {
		p.fail(n, n.Value, what+" is STOPPED: it has no lag", "a partition without lag")
	}
	n := f["mirrored-end"]
	if n == nil {
		p.fail(f["state"], "STOPPED", what+" is STOPPED, and nothing says from where on the records of "+to+" are its own",
			"mirrored-end: OFFSET, that of the producer reset (MIRROR_PID_RESET) on "+to)
		return
	}
	if *x.MirroredEnd >= copied.End || *x.MirroredEnd < copied.Start {
		p.fail(n, n.Value, fmt.Sprintf("the producer reset of the stop stands at this offset, which is not in the log of %s on %s", what, to),
			fmt.Sprintf("%d to %d", copied.Start, copied.End-1))
	}
}
