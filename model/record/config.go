package record

import (
	"strconv"
	"strings"

	"mirrorsim/model/id"
)

// ConfigKey is a dynamic topic config, in the order of Kafka's names. The model knows those that mirroring or a log is
// concerned with; mirror.name is not among them, for users can neither set nor see it (section 2 of the design).
type ConfigKey uint8

// The dynamic topic configs.
const (
	CleanupPolicy ConfigKey = iota
	FollowerThrottled
	LeaderThrottled
	MaxMessageBytes
	TimestampAfterMax
	TimestampBeforeMax
	TimestampType
	MinInsyncReplicas
	RemoteStorageEnable
	RetentionBytes
	RetentionMs
	UncleanElection
	ConfigKeys int = iota
)

// configKind is what values a config takes: one of the words, or a number from least on where there are none.
type configKind struct {
	name  string
	words []string
	least int64
}

var booleans = []string{"false", "true"}

// configKinds are Kafka's topic configs. Of the lists of throttled replicas only all of them are known.
var configKinds = [ConfigKeys]configKind{
	CleanupPolicy:       {name: "cleanup.policy", words: []string{"delete", "compact", "compact,delete"}},
	FollowerThrottled:   {name: "follower.replication.throttled.replicas", words: []string{"*"}},
	LeaderThrottled:     {name: "leader.replication.throttled.replicas", words: []string{"*"}},
	MaxMessageBytes:     {name: "max.message.bytes"},
	TimestampAfterMax:   {name: "message.timestamp.after.max.ms"},
	TimestampBeforeMax:  {name: "message.timestamp.before.max.ms"},
	TimestampType:       {name: "message.timestamp.type", words: []string{"CreateTime", "LogAppendTime"}},
	MinInsyncReplicas:   {name: "min.insync.replicas", least: 1},
	RemoteStorageEnable: {name: "remote.storage.enable", words: booleans},
	RetentionBytes:      {name: "retention.bytes", least: -1},
	RetentionMs:         {name: "retention.ms", least: -1},
	UncleanElection:     {name: "unclean.leader.election.enable", words: booleans},
}

// DefaultConfigExclude are the topic configs that are not synchronised where a mirror does not say which: throttles,
// timestamps, unclean election and min.insync.replicas (section 9 of the design). The caller does not change it.
func DefaultConfigExclude() []string {
	return []string{`.*\.replication\.throttled\.replicas`, `message\.timestamp\..*`, configKinds[UncleanElection].name,
		configKinds[MinInsyncReplicas].name}
}

// String is Kafka's name of the config.
func (k ConfigKey) String() string {
	if int(k) < ConfigKeys {
		return configKinds[k].name
	}
	return "?"
}

// ParseConfigKey is the config of that name.
func ParseConfigKey(name string) (ConfigKey, bool) {
	for i := range configKinds {
		if configKinds[i].name == name {
			return ConfigKey(i), true
		}
	}
	return 0, false
}

// ParseConfig reads a value of a config. Text is its form that is stored, and Number tells it from the other values of the
// config; ok is false where the config does not take it.
func ParseConfig(k ConfigKey, value string) (c ConfigValue, ok bool) {
	kind := &configKinds[k]
	if len(kind.words) > 0 {
		for i, w := range kind.words {
			if w == value {
				return ConfigValue{w, int64(i)}, true
			}
		}
		return ConfigValue{}, false
	}
	n, err := strconv.ParseInt(value, 10, 64)
	most := int64(1<<63 - 1)
	if k == MaxMessageBytes || k == MinInsyncReplicas {
		most = 1<<31 - 1
	}
	return ConfigValue{strconv.FormatInt(n, 10), n}, err == nil && n >= kind.least && n <= most
}

// ConfigValue is a value that a config takes.
type ConfigValue struct {
	Text   string
	Number int64 // which of the words, where it takes words
}

// ConfigText is the value of a config that has that number.
func ConfigText(k ConfigKey, number int64) string {
	if words := configKinds[k].words; len(words) > 0 && number >= 0 && number < int64(len(words)) {
		return words[number]
	}
	return strconv.FormatInt(number, 10)
}

// ConfigNames are the names of all configs that can be set.
func ConfigNames() (names []string) {
	for _, c := range configKinds {
		names = append(names, c.name)
	}
	return names
}

// ConfigForm says in words what values a config takes.
func ConfigForm(k ConfigKey) string {
	if kind := &configKinds[k]; len(kind.words) == 0 {
		return "a whole number of at least " + strconv.FormatInt(kind.least, 10)
	}
	return strings.Join(configKinds[k].words, " or ")
}

// TopicConfigRecord sets a dynamic config of a topic, or deletes it: Kafka's ConfigRecord of a topic.
type TopicConfigRecord struct {
	Topic  id.Topic
	Key    ConfigKey
	Value  string    // as ConfigValue.Text; empty: deleted
	Mirror id.Mirror // whose mirror-wide work has set it; 0: a user. For histories only
}

// Words of the record; see Metadata.
func (r *TopicConfigRecord) Words(dst []uint64) []uint64 {
	return append(dst, 10, uint64(r.Topic), uint64(r.Key), TextWord(r.Value), uint64(r.Mirror))
}
