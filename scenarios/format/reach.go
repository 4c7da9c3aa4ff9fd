package format

import "strings"

// TopicOf is the statement that a topic of that name on a cluster goes by: the cluster's own, or where it has none that of
// the source of a mirror which leads there, because a start may create the topic (start-topic=create). It is nil if there is
// none. Of several mirrors the first in the file counts. Internal topics are never mirrored.
func (s *Scenario) TopicOf(cluster, name string) *Topic {
	return s.topicOf(cluster, name, nil)
}

// topicOf looks past the clusters that it has come through already: mirrors lead both ways.
func (s *Scenario) topicOf(cluster, name string, through []string) *Topic {
	if t := s.topic(cluster, name); t != nil || strings.HasPrefix(name, "__") {
		return t
	}
	for _, c := range through {
		if c == cluster {
			return nil
		}
	}
	for i := range s.Mirrors {
		if s.Mirrors[i].To != cluster {
			continue
		}
		if t := s.topicOf(s.Mirrors[i].From, name, append(through, cluster)); t != nil {
			return t
		}
	}
	return nil
}

// topicsAt are the names that TopicOf finds a topic by.
func (s *Scenario) topicsAt(cluster string) (names []string) {
	seen := map[string]bool{}
	for i := range s.Topics {
		if name := s.Topics[i].Name; !seen[name] && s.TopicOf(cluster, name) != nil {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// partitionsOf is how many partitions a topic may have by the steps above: as declared, or as many as a create-partitions
// asked for, of its own cluster or of one that it may be mirrored from.
func (p *parser) partitionsOf(cluster string, t *Topic) int {
	most := t.Partitions
	for _, a := range p.grown {
		for _, name := range a.Topics {
			if name == t.Name && (a.On == cluster || p.s.leadsTo(a.On, cluster, nil)) {
				most = max(most, a.Partitions)
			}
		}
	}
	return most
}

// leadsTo tells whether a mirror, or a chain of them, leads from one cluster to the other.
func (s *Scenario) leadsTo(from, to string, through []string) bool {
	for _, c := range through {
		if c == to {
			return false
		}
	}
	for i := range s.Mirrors {
		if m := &s.Mirrors[i]; m.To == to && (m.From == from || s.leadsTo(from, m.From, append(through, to))) {
			return true
		}
	}
	return false
}
