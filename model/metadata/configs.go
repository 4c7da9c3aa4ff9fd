package metadata

import (
	"slices"

	"mirrorsim/model/assert"
	"mirrorsim/model/record"
)

// Config is a dynamic config of a topic that is set, with its value as record.ConfigValue has it.
type Config struct {
	Key   record.ConfigKey
	Value string
}

// Config is the value of a dynamic config of the topic; false where it is not set.
func (t *Topic) Config(k record.ConfigKey) (string, bool) {
	if i, ok := t.config(k); ok {
		return t.Configs[i].Value, true
	}
	return "", false
}

func (t *Topic) config(k record.ConfigKey) (int, bool) {
	return slices.BinarySearchFunc(t.Configs, k, func(c Config, k record.ConfigKey) int { return int(c.Key) - int(k) })
}

// applyConfig sets a dynamic config, or deletes it. Clones share the list, so that the topic gets another one.
func (m *Image) applyConfig(r *record.TopicConfigRecord) {
	t := m.Topic(r.Topic)
	assert.That(t != nil, "a config is that of a topic that exists")
	i, set := t.config(r.Key)
	t.Configs = slices.Clone(t.Configs)
	switch {
	case set && r.Value == "":
		t.Configs = slices.Delete(t.Configs, i, i+1)
	case set:
		t.Configs[i].Value = r.Value
	case r.Value != "":
		t.Configs = slices.Insert(t.Configs, i, Config{r.Key, r.Value})
	}
	t.takeEffect()
}

// takeEffect has the topic's record say what its configs say: what is not set is as the topic was made. Records are
// shared, so that the topic gets another one.
func (t *Topic) takeEffect() {
	c := *t.TopicRecord
	c.MinISR, c.Unclean, c.RemoteStorage = t.Made.MinISR, t.Made.Unclean, t.Made.RemoteStorage
	for _, x := range t.Configs {
		v, ok := record.ParseConfig(x.Key, x.Value)
		assert.That(ok, "the metadata log holds values that the configs take")
		switch x.Key {
		case record.MinInsyncReplicas:
			c.MinISR = uint8(min(v.Number, 1<<8-1))
		case record.UncleanElection:
			c.Unclean = v.Number == 1
		case record.RemoteStorageEnable:
			c.RemoteStorage = v.Number == 1
		}
	}
	t.TopicRecord = &c
}
