package metadata_test

import (
	"testing"

	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
)

func set(k record.ConfigKey, value string) *record.TopicConfigRecord {
	return &record.TopicConfigRecord{Topic: orders, Key: k, Value: value}
}

// Configs are kept in the order of their keys; three of them take effect, in the place of what the topic was made with, until
// they are deleted.
func TestConfigs(t *testing.T) {
	m := image(&record.TopicRecord{Topic: orders, Name: "orders", Partitions: 2, MinISR: 2, Unclean: true},
		&record.TopicRecord{Topic: clicks, Name: "clicks", Partitions: 1, MinISR: 1},
		set(record.RetentionMs, "5"), set(record.CleanupPolicy, "compact"), set(record.MinInsyncReplicas, "1"))
	before := m.Clone()
	equal(t, "configs", m.Topic(orders).Configs, []metadata.Config{{Key: record.CleanupPolicy, Value: "compact"},
		{Key: record.MinInsyncReplicas, Value: "1"}, {Key: record.RetentionMs, Value: "5"}})
	effects := func(m *metadata.Image) []any {
		r := m.Topic(orders).TopicRecord
		return []any{r.MinISR, r.Unclean, r.RemoteStorage, r.Partitions}
	}
	equal(t, "effects", effects(m), []any{uint8(1), true, false, uint16(2)})
	for _, r := range []record.Metadata{set(record.UncleanElection, "false"), set(record.RemoteStorageEnable, "true"),
		&record.TopicPartitionsRecord{Topic: orders, Partitions: 3}, set(record.MinInsyncReplicas, "300"), set(record.RetentionMs, "")} {
		m.Apply(r)
	}
	equal(t, "effects of more", effects(m), []any{uint8(255), false, true, uint16(3)})
	_, kept := m.Topic(orders).Config(record.RetentionMs)
	equal(t, "a deleted one", kept, false)
	m.Apply(set(record.RetentionMs, ""))
	for _, k := range []record.ConfigKey{record.UncleanElection, record.RemoteStorageEnable, record.MinInsyncReplicas} {
		m.Apply(set(k, ""))
	}
	equal(t, "effects as made", effects(m), []any{uint8(2), true, false, uint16(3)})
	equal(t, "another topic", m.Topic(clicks).Configs, nil)
	value, _ := before.Topic(orders).Config(record.RetentionMs)
	equal(t, "the clone", append(effects(&before), value), []any{uint8(1), true, false, uint16(2), "5"})
}
