package scenarios

import (
	"slices"

	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// topology drops what no step names any more and makes the rest smaller: settings, clients, mirrors, topics, clusters,
// then brokers, controllers, partitions and replicas by number, and options. A candidate in which something is still named does not
// parse, and one that needs what was dropped does not fail: both are left as they were.
func (k *shrinker) topology() {
	k.dropEach(func(s *format.Scenario) int { return len(s.Settings) },
		func(s *format.Scenario, i int) { s.Settings = without(s.Settings, i) })
	k.dropEach(func(s *format.Scenario) int { return len(s.Clients) },
		func(s *format.Scenario, i int) { s.Clients = without(s.Clients, i) })
	k.dropEach(func(s *format.Scenario) int { return len(s.Mirrors) },
		func(s *format.Scenario, i int) { s.Mirrors = without(s.Mirrors, i) })
	k.dropTopics()
	k.dropEach(func(s *format.Scenario) int { return len(s.Clusters) },
		func(s *format.Scenario, i int) { s.Clusters = without(s.Clusters, i) })
	for i := range k.best.Clusters {
		k.fewerBrokers(i)
		k.smaller(func(s *format.Scenario) bool { return s.Clusters[i].Controllers > 1 },
			func(s *format.Scenario) { s.Clusters[i].Controllers-- })
	}
	for i := range k.best.Topics {
		k.fewerPartitions(k.best.Topics[i].Name)
		k.fewerReplicas(i)
		k.plainTopic(i)
	}
	for i := range k.best.Mirrors {
		k.plainMirror(i)
	}
}

// dropTopics tries to drop the topics that no step requests anything for: a mirror whose source lacks the topic is another
// failure, even if the property is the same.
func (k *shrinker) dropTopics() {
	asked := map[string]bool{}
	for _, due := range k.best.Unroll()[1:] {
		for _, t := range format.TopicsIn(due.Step.Do) {
			asked[t] = true
		}
	}
	for i := len(k.best.Topics) - 1; i >= 0; i-- {
		if !asked[k.best.Topics[i].Name] {
			c := *k.best
			c.Topics = without(c.Topics, i)
			k.tryRenamed(&c)
		}
	}
}

// dropEach tries to drop each of n things, the last first.
func (k *shrinker) dropEach(n func(*format.Scenario) int, drop func(*format.Scenario, int)) {
	for i := n(k.best) - 1; i >= 0; i-- {
		c := *k.best
		drop(&c, i)
		k.tryRenamed(&c)
	}
}

// smaller does one thing as long as it can be done and the failure stays.
func (k *shrinker) smaller(can func(*format.Scenario) bool, do func(*format.Scenario)) {
	for can(k.best) {
		c := *k.best
		c.Clusters, c.Topics, c.Mirrors = slices.Clone(c.Clusters), slices.Clone(c.Topics), slices.Clone(c.Mirrors)
		do(&c)
		if !k.tryRenamed(&c) {
			return
		}
	}
}

// fewerBrokers takes brokers from a cluster, and replicas from the topics that have one on each of them.
func (k *shrinker) fewerBrokers(cluster int) {
	k.smaller(func(s *format.Scenario) bool { return s.Clusters[cluster].Brokers > 1 }, func(s *format.Scenario) {
		c := &s.Clusters[cluster]
		c.Brokers--
		for i := range s.Topics {
			t := &s.Topics[i]
			if t.On == c.Name && t.Replicas > c.Brokers {
				t.Replicas, t.Assign = c.Brokers, nil
				t.MinISR = min(t.MinISR, t.Replicas)
			}
		}
	})
}

// fewerPartitions takes partitions from the topics of a name on all clusters alike, so that both ends of a mirror match.
func (k *shrinker) fewerPartitions(name string) {
	is := func(t *format.Topic) bool { return t.Name == name && t.Partitions > 1 }
	k.smaller(func(s *format.Scenario) bool {
		return slices.ContainsFunc(s.Topics, func(t format.Topic) bool { return is(&t) })
	}, func(s *format.Scenario) {
		for i := range s.Topics {
			if t := &s.Topics[i]; is(t) {
				t.Partitions--
			}
		}
	})
}

func (k *shrinker) fewerReplicas(i int) {
	k.smaller(func(s *format.Scenario) bool { return s.Topics[i].Replicas > 1 }, func(s *format.Scenario) {
		t := &s.Topics[i]
		t.Replicas--
		t.Assign = t.Assign[:min(len(t.Assign), t.Replicas)]
		t.MinISR = min(t.MinISR, t.Replicas)
	})
	k.smaller(func(s *format.Scenario) bool { return s.Topics[i].MinISR > 0 || len(s.Topics[i].Assign) > 0 },
		func(s *format.Scenario) { s.Topics[i].MinISR, s.Topics[i].Assign = 0, nil })
}

// plainTopic takes the options from a topic, one at a time.
func (k *shrinker) plainTopic(i int) {
	for _, option := range []func(*format.Topic) *bool{
		func(t *format.Topic) *bool { return &t.Unclean },
		func(t *format.Topic) *bool { return &t.MirrorUnclean },
		func(t *format.Topic) *bool { return &t.RemoteStorage },
		func(t *format.Topic) *bool { return &t.Absent },
	} {
		k.smaller(func(s *format.Scenario) bool { return *option(&s.Topics[i]) },
			func(s *format.Scenario) { *option(&s.Topics[i]) = false })
	}
}

// plainMirror takes the lists from a mirror, one at a time, and has it exist when the run begins.
func (k *shrinker) plainMirror(i int) {
	for _, list := range []func(*format.Mirror) *[]string{
		func(m *format.Mirror) *[]string { return &m.Include },
		func(m *format.Mirror) *[]string { return &m.Exclude },
		func(m *format.Mirror) *[]string { return &m.ExcludeConfigs },
		func(m *format.Mirror) *[]string { return &m.Acls },
	} {
		k.smaller(func(s *format.Scenario) bool { return len(*list(&s.Mirrors[i])) > 0 },
			func(s *format.Scenario) { *list(&s.Mirrors[i]) = nil })
	}
	k.smaller(func(s *format.Scenario) bool { return s.Mirrors[i].Absent },
		func(s *format.Scenario) { s.Mirrors[i].Absent = false })
}

// tryRenamed tries a candidate of another topology. Deviations name nodes by number, so they are put to the numbers that
// their nodes have now.
func (k *shrinker) tryRenamed(c *format.Scenario) bool {
	c.Schedule = renumbered(k.best, c)
	return k.try(c)
}

// renumbered is the schedule of from with its nodes as to numbers them; what is about a node that is gone is left out.
func renumbered(from, to *format.Scenario) []choice.Deviation {
	before, after := from.Nodes(), to.Nodes()
	number := func(n uint8) (uint8, bool) {
		i := slices.Index(after, before[n])
		return uint8(i), i >= 0
	}
	var list []choice.Deviation
	for _, d := range from.Schedule {
		ok := true
		a, b := choice.Unpair(d.Key.Subject)
		switch d.Key.Label {
		case choice.NetDrop, choice.NetDelay, choice.NetDuplicate, choice.NetReorder:
			var okA, okB bool
			a, okA = number(a)
			b, okB = number(b)
			d.Key.Subject, ok = choice.Pair(a, b), okA && okB
		case choice.TimerJitter, choice.PowerLossKeep, choice.PointFault:
			a, ok = number(a)
			d.Key.Subject = choice.Pair(a, b)
		}
		if ok {
			list = append(list, d)
		}
	}
	return list
}

func without[T any](list []T, i int) []T { return slices.Delete(slices.Clone(list), i, i+1) }
