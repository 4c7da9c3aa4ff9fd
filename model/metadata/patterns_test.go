package metadata_test

import (
	"testing"

	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
)

func TestMatches(t *testing.T) {
	for _, row := range []struct {
		entry, topic string
		want         bool
	}{
		{"orders", "orders", true}, {"orders", "orders-eu", false}, {"orders-.*", "orders-eu", true},
		{"orders-.*", "my-orders-eu", false}, {"orders-.*", "orders", false},
		{"orders.eu", "orders.eu", true}, {"orders.eu", "orders-eu", false}, {"orders[.]eu", "orders.eu", true},
		{"a|b", "a", true}, {"a|b", "ab", false}, {"(?i)A", "a", true}, {"(?i)A", "ab", false},
		{".*", "orders", true}, {"[", "[", false}, {"a|", "", true}, {"a\n.*", "a", false},
	} {
		equal(t, row.entry+" on "+row.topic, metadata.Matches(row.entry, row.topic), row.want)
	}
}

func TestExcluded(t *testing.T) {
	for _, row := range []struct {
		exclude []string
		topic   string
		want    bool
	}{
		{nil, "orders", false}, {nil, "__mirror_state", true}, {nil, "_x", false},
		{[]string{"orders"}, "orders", true}, {[]string{"a", "o.*s"}, "orders", true}, {[]string{"a"}, "__mirror_state", false},
	} {
		equal(t, row.topic, metadata.Excluded(&record.MirrorRecord{Include: []string{"orders"}, Exclude: row.exclude}, row.topic), row.want)
	}
}

func TestValidEntries(t *testing.T) {
	for entry, want := range map[string]bool{"orders.eu": true, "orders-.*": true, "[a": false, "": false, "(?P<x": false, "a{2}": true,
		"(?=a)": false} {
		equal(t, entry, metadata.ValidEntries([]string{"a", entry}), want)
	}
	equal(t, "no entries", metadata.ValidEntries(nil), true)
}
