package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// topicConfig is a dynamic config of a topic on a cluster, as its metadata log has it.
type topicConfig struct {
	set    bool
	number int64       // the value, as record.ConfigValue has it
	since  id.Duration // when it was set or deleted last
	index  uint64      // of the event that says so
	asked  id.Duration // when a user set or deleted it last
}

// topicConfigs are those of a topic on one cluster; nil where none was ever set.
type topicConfigs []topicConfig

// foldConfig takes in that a config of a topic was set or deleted on cluster c. Clones share the configs, so that the topic
// gets others.
func (l *Ledger) foldConfig(e *event.Event, c id.Cluster) {
	t := l.topicToChange(l.topicIndex(e.Partition.Topic))
	next := make(topicConfigs, record.ConfigKeys)
	copy(next, t.configs[c])
	l.was.config = next[e.To]
	x := topicConfig{set: e.From == 1, number: e.Offset, since: e.At, index: e.Index, asked: next[e.To].asked}
	if e.Mirror == 0 {
		x.asked = e.At
	}
	next[e.To] = x
	t.configs[c] = next
	if record.ConfigKey(e.To) == record.MinInsyncReplicas {
		t.minISR[c] = t.madeMinISR[c]
		if e.From == 1 {
			t.minISR[c] = uint8(min(e.Offset, 255))
		}
	}
}

// config is a config of a topic on cluster c.
func (t *topic) config(c id.Cluster, k record.ConfigKey) topicConfig {
	if t.configs[c] == nil {
		return topicConfig{}
	}
	return t.configs[c][k]
}

// Config is the value of a dynamic config of a topic on a cluster, as record.ConfigValue has its number; false where it is
// not set.
func (l *Ledger) Config(c id.Cluster, t id.Topic, k record.ConfigKey) (int64, bool) {
	x := l.topics[l.topicIndex(t)].config(c, k)
	return x.number, x.set
}

// appendState appends what later verdicts depend on.
func (x topicConfigs) appendState(dst []byte) []byte {
	for k, c := range x {
		if c.set {
			dst = words(dst, uint64(k), uint64(c.number))
		}
	}
	return dst
}
