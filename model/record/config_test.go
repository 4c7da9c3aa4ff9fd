package record_test

import (
	"slices"
	"testing"

	"mirrorsim/model/record"
)

// The configs are in the order of their names, so that a list ordered by key is ordered as Kafka prints it, and each parses
// by its own name.
func TestConfigKeys(t *testing.T) {
	names := record.ConfigNames()
	if !slices.IsSorted(names) || len(names) != record.ConfigKeys {
		t.Errorf("the names are %v", names)
	}
	for k := range record.ConfigKeys {
		if got, ok := record.ParseConfigKey(record.ConfigKey(k).String()); !ok || int(got) != k {
			t.Errorf("%v parses as %v", record.ConfigKey(k), got)
		}
	}
	if k, ok := record.ParseConfigKey("mirror.name"); ok {
		t.Errorf("mirror.name is config %v", k)
	}
}

// What a config takes has one text and one number, each of which gives the other.
func TestConfigValues(t *testing.T) {
	for _, c := range []struct {
		key         record.ConfigKey
		value, text string // no text: the config does not take the value
		number      int64
	}{
		{record.RetentionMs, "1000", "1000", 1000}, {record.RetentionMs, "-1", "-1", -1}, {record.RetentionMs, "-2", "", 0}, {record.RetentionMs, "1s", "", 0},
		{record.RetentionMs, "007", "7", 7}, {record.RetentionMs, "", "", 0}, {record.RetentionMs, "9223372036854775807", "9223372036854775807", 1<<63 - 1},
		{record.MinInsyncReplicas, "0", "", 0}, {record.MinInsyncReplicas, "2", "2", 2}, {record.MinInsyncReplicas, "2147483648", "", 0},
		{record.MaxMessageBytes, "0", "0", 0}, {record.MaxMessageBytes, "-1", "", 0},
		{record.CleanupPolicy, "compact,delete", "compact,delete", 2}, {record.CleanupPolicy, "keep", "", 0}, {record.CleanupPolicy, "", "", 0},
		{record.UncleanElection, "true", "true", 1}, {record.UncleanElection, "yes", "", 0}, {record.RemoteStorageEnable, "false", "false", 0},
		{record.LeaderThrottled, "*", "*", 0}, {record.LeaderThrottled, "0:1", "", 0}, {record.TimestampType, "LogAppendTime", "LogAppendTime", 1},
	} {
		v, ok := record.ParseConfig(c.key, c.value)
		switch {
		case ok != (c.text != ""):
			t.Errorf("%v takes %q: %v", c.key, c.value, ok)
		case ok && (v != record.ConfigValue{c.text, c.number} || record.ConfigText(c.key, v.Number) != v.Text):
			t.Errorf("%v=%s is %+v, printed %s", c.key, c.value, v, record.ConfigText(c.key, v.Number))
		}
	}
	if got := record.ConfigForm(record.TimestampType) + "; " + record.ConfigForm(record.RetentionMs); got != "CreateTime or LogAppendTime; a whole number of at least -1" {
		t.Errorf("forms: %s", got)
	}
}
