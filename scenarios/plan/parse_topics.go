package plan

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

func (p *parser) topics(n *yaml.Node) {
	partitions := 0
	for _, x := range p.pairs(n, "topics") {
		t := Topic{Name: x.name, Configs: [2]Configs{{MinInSync: 1}, {MinInSync: 1}}}
		if !kafkaName.MatchString(x.name) || strings.HasPrefix(x.name, "__") {
			p.fail(x.key, x.name, "not a name for a topic", legal+"; internal topics are not mirrored")
		}
		f := p.fields(x.value, "a topic", []string{"mirror", "configs", "partitions"}, []string{"mirror", "partitions"})
		if v := f["mirror"]; v != nil {
			if t.Mirror = p.index(v, "mirror", p.text(v, "a mirror"), p.plan.mirrorNames()); t.Mirror < 0 {
				p.refuse("topic", x.name)
				continue
			}
		}
		if v := f["configs"]; v != nil {
			p.configs(v, &t)
		}
		if v := f["partitions"]; v != nil && f["mirror"] != nil {
			p.partitions(v, &t)
		}
		partitions += len(t.Partitions)
		p.plan.Topics = append(p.plan.Topics, t)
	}
	switch {
	case n.Kind == yaml.MappingNode && len(n.Content) == 0:
		p.fail(n, "", "there is no topic", "NAME: {mirror: MIRROR, partitions: {0: ...}}")
	case partitions > mostPartitions:
		p.fail(n, strconv.Itoa(partitions), "too many partitions for one plan", "up to "+strconv.Itoa(mostPartitions))
	}
	for i := range p.plan.Topics {
		t := &p.plan.Topics[i]
		for k := range t.Partitions {
			t.Partitions[k].topic = t
		}
	}
	p.checkBrokers(n)
}

// mostBrokers is how many brokers of a cluster a scenario can have.
const mostBrokers = 16

func (p *parser) checkBrokers(n *yaml.Node) {
	for c := range p.plan.Clusters {
		if b := len(p.plan.brokers(c)); b > mostBrokers {
			p.fail(n, p.plan.Clusters[c].Name, "the replicas of these topics are on "+strconv.Itoa(b)+" brokers of this cluster",
				"topics on up to "+strconv.Itoa(mostBrokers)+" brokers")
		}
	}
}

func (p *parser) configs(n *yaml.Node, t *Topic) {
	names := p.plan.clusterNames()
	for _, x := range p.pairs(n, "configs") {
		c := p.index(x.key, "cluster", x.name, names)
		if c < 0 {
			continue
		}
		k := &t.Configs[c]
		f := p.fields(x.value, "the configs of a topic", []string{"min.insync.replicas", "unclean.leader.election.enable",
			"mirror.support.unclean.leader.election"}, nil)
		if v := f["min.insync.replicas"]; v != nil {
			k.MinInSync = int(p.number(v, "min.insync.replicas", 1, mostBrokers))
		}
		if v := f["unclean.leader.election.enable"]; v != nil {
			k.Unclean = p.truth(v, "unclean.leader.election.enable")
		}
		if v := f["mirror.support.unclean.leader.election"]; v != nil {
			k.MirrorUnclean = p.truth(v, "mirror.support.unclean.leader.election")
		}
	}
}

func (p *parser) partitions(n *yaml.Node, t *Topic) {
	names := p.plan.clusterNames()
	keys := append(slices.Clone(names), "state", "reason", "lag", "lag-age", "mirrored-end", "last-mirrored-epoch")
	for _, x := range p.pairs(n, "partitions") {
		i, err := strconv.Atoi(x.name)
		if err != nil || i < 0 || i > 1<<20 || strconv.Itoa(i) != x.name {
			p.fail(x.key, x.name, "not the number of a partition", "0, 1, ...")
			continue
		}
		part := Partition{Index: i, line: x.key.Line}
		f := p.fields(x.value, "partition "+t.Name+"-"+x.name, keys, append(slices.Clone(names), "state"))
		before := len(p.errs)
		for c, name := range names {
			if v := f[name]; v != nil {
				p.side(v, c, &part.Sides[c], t.Name+"-"+x.name+" on "+name)
			}
		}
		p.mirrorState(f, &part)
		if f[names[0]] != nil && f[names[1]] != nil && len(p.errs) == before {
			p.checkPartition(f, t, &part)
		}
		t.Partitions = append(t.Partitions, part)
	}
	if n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		p.fail(n, "", "topic "+t.Name+" has no partition", "0: {...}")
	}
	slices.SortStableFunc(t.Partitions, func(a, b Partition) int { return a.Index - b.Index })
}

func (p *parser) mirrorState(f map[string]*yaml.Node, part *Partition) {
	if v := f["state"]; v != nil {
		part.State = p.oneOf(v, "a state of a mirrored partition", states...)
	}
	if v := f["reason"]; v != nil {
		part.Unreachable = p.text(v, "a reason") == "source-unreachable"
		if part.State != "FAILED" {
			p.fail(v, wordOf(v), "only a FAILED partition has a reason", "state: FAILED")
		}
	}
	part.Lag, part.MirroredEnd = p.offset(f["lag"], "a lag"), p.offset(f["mirrored-end"], "an offset")
	if v := f["last-mirrored-epoch"]; v != nil {
		e := p.number(v, "a leader epoch", 0, 1<<31-1)
		if part.LastEpoch = &e; part.State != "STOPPED" {
			p.fail(v, wordOf(v), "only a STOPPED partition has a last mirrored epoch", "state: STOPPED")
		}
	}
	if v := f["lag-age"]; v != nil {
		d := p.duration(v, "the age of the lag")
		part.LagAge = &d
	}
}

var sideKeys = []string{"replicas", "isr", "leader", "leader-epoch", "log-start", "end", "high-watermark", "epochs", "age"}

func (p *parser) side(n *yaml.Node, c int, s *Side, what string) {
	f := p.fields(n, what, sideKeys, []string{"replicas", "log-start", "end"})
	if v := f["replicas"]; v != nil {
		s.Replicas = p.ids(v, "replicas")
		if len(s.Replicas) == 0 {
			p.fail(v, "", "a partition has replicas", "[1, 2]")
		}
	}
	s.ISR = s.Replicas
	if v := f["isr"]; v != nil {
		s.ISR = p.ids(v, "isr")
	}
	s.Leader = -1
	if up := p.plan.Clusters[c].up(s.ISR); len(up) > 0 {
		s.Leader = up[0]
	}
	if v := f["leader"]; v != nil {
		s.Leader = -1
		if v.Value != "none" {
			s.Leader = p.number(v, "the leader", 0, 1<<31-1)
		}
	}
	if v := f["leader-epoch"]; v != nil {
		e := p.number(v, "a leader epoch", 0, 1<<31-1)
		s.LeaderEpoch = &e
	}
	if v := f["log-start"]; v != nil {
		s.Start = p.number(v, "an offset", 0, largest)
	}
	if v := f["end"]; v != nil {
		s.End = p.number(v, "an offset", 0, largest)
	}
	s.HighWatermark = p.offset(f["high-watermark"], "an offset")
	if v := f["age"]; v != nil {
		d := p.duration(v, "the age of these numbers")
		s.Age = &d
	}
	if v := f["epochs"]; v != nil {
		p.epochs(v, s, what)
	}
	p.checkSide(f, c, s, what)
}

func (p *parser) epochs(n *yaml.Node, s *Side, what string) {
	for _, x := range p.pairs(n, "epochs") {
		e, err := strconv.ParseInt(x.name, 10, 32)
		if err != nil || e < 0 {
			p.fail(x.key, x.name, "not a leader epoch", "EPOCH: OFFSET, such as 7: 1200")
			continue
		}
		next := EpochStart{e, p.number(x.value, "an offset", 0, largest)}
		if k := len(s.Epochs); k > 0 && (next.Epoch <= s.Epochs[k-1].Epoch || next.Start <= s.Epochs[k-1].Start) {
			p.fail(x.key, x.name, "the epoch history of "+what+" does not ascend, in epochs and in offsets",
				"the leader-epoch cache from its first entry on")
			continue
		}
		s.Epochs = append(s.Epochs, next)
	}
}
