package controller_test

import (
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func configured(t id.Topic, k record.ConfigKey, value string, x id.Mirror) record.Metadata {
	return &record.TopicConfigRecord{Topic: t, Key: k, Value: value, Mirror: x}
}

// Each topic of a request has its own result, and what is refused of one changes nothing of it.
func TestIncrementalAlterConfigs(t *testing.T) {
	for _, test := range []struct {
		name    string
		mirror  id.Mirror
		changes []wire.TopicConfig
		codes   []wire.Code
		want    []record.Metadata
	}{
		{"a user's, of every desired state", 0, []wire.TopicConfig{{Topic: none, Key: "retention.ms", Value: "07"},
			{Topic: mirroring, Key: "retention.ms", Value: "1"}, {Topic: paused, Key: "retention.ms", Value: "1"}, {Topic: none, Key: "cleanup.policy", Value: "compact"}},
			[]wire.Code{wire.OK, wire.OK, wire.OK}, []record.Metadata{configured(none, record.RetentionMs, "7", 0), configured(none, record.CleanupPolicy, "compact", 0),
				configured(mirroring, record.RetentionMs, "1", 0), configured(paused, record.RetentionMs, "1", 0)}},
		{"mirror-wide work, for topics that its mirror is to mirror only", 1, []wire.TopicConfig{{Topic: none, Key: "retention.ms", Value: "1"},
			{Topic: mirroring, Key: "retention.ms", Value: "1"}, {Topic: paused, Key: "retention.ms", Value: "1"}, {Topic: stopped, Key: "retention.ms", Value: "1"}},
			[]wire.Code{wire.TopicNotInClusterMirror, wire.OK, wire.TopicNotInClusterMirror, wire.TopicNotInClusterMirror},
			[]record.Metadata{configured(mirroring, record.RetentionMs, "1", 1)}},
		{"mirror-wide work of another mirror", 2, []wire.TopicConfig{{Topic: mirroring, Key: "retention.ms", Value: "1"}},
			[]wire.Code{wire.TopicNotInClusterMirror}, nil},
		{"a key that does not exist, and a value that is not taken", 0, []wire.TopicConfig{{Topic: none, Key: "retention.ms", Value: "1"},
			{Topic: none, Key: "retention", Value: "1"}, {Topic: stopped, Key: "cleanup.policy", Value: "keep"}, {Topic: paused, Key: "retention.ms", Value: "2"}},
			[]wire.Code{wire.InvalidConfig, wire.InvalidConfig, wire.OK}, []record.Metadata{configured(paused, record.RetentionMs, "2", 0)}},
		{"mirror.name", 0, []wire.TopicConfig{{Topic: none, Key: "mirror.name", Value: "m"}}, []wire.Code{wire.InvalidConfig}, nil},
		{"a key twice", 0, []wire.TopicConfig{{Topic: none, Key: "retention.ms", Value: "1"}, {Topic: none, Key: "retention.ms"}},
			[]wire.Code{wire.InvalidRequest}, nil},
		{"what is not set is not deleted", 0, []wire.TopicConfig{{Topic: none, Key: "retention.ms"}}, []wire.Code{wire.OK}, nil},
		{"no topic, and an internal one", 0, []wire.TopicConfig{{Topic: missing, Key: "retention.ms", Value: "1"}, {Topic: internal, Key: "retention.ms", Value: "1"}},
			[]wire.Code{wire.UnknownTopicOrPartition, wire.InvalidRequest}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, mirrored())
			before := len(r.records())
			req := &wire.IncrementalAlterConfigsRequest{Changes: test.changes, Mirror: test.mirror, Client: admin, Correlation: 5}
			res := call[*wire.IncrementalAlterConfigsResponse](r, a, x, req)
			var results []wire.TopicResult
			for i, topic := range req.Topics() {
				results = append(results, wire.TopicResult{Topic: topic, Code: test.codes[i]})
			}
			equal(t, "answer", *res, wire.IncrementalAlterConfigsResponse{Results: results, Client: admin, Correlation: 5})
			equal(t, "records", written(r, before), test.want)
			call[*wire.IncrementalAlterConfigsResponse](r, a, x, req)
			equal(t, "what is so already is not written", len(r.records()), before+len(test.want))
		})
	}
}

// The history tells what was set and deleted, and by whose mirror-wide work.
func TestConfigEvents(t *testing.T) {
	r := active(t, mirrored())
	for _, value := range []string{"5", ""} {
		call[*wire.IncrementalAlterConfigsResponse](r, a, x, &wire.IncrementalAlterConfigsRequest{Mirror: 1,
			Changes: []wire.TopicConfig{{Topic: mirroring, Key: "retention.ms", Value: value}}})
	}
	var got [][]int64
	for _, e := range r.events {
		if e.Kind == event.ConfigChanged {
			got = append(got, []int64{int64(e.Partition.Topic), int64(e.To), int64(e.From), e.Offset, int64(e.Mirror)})
		}
	}
	equal(t, "events", got, [][]int64{{int64(mirroring), int64(record.RetentionMs), 1, 5, 1}, {int64(mirroring), int64(record.RetentionMs), 0, 0, 1}})
}

// Unclean elections that are allowed from now on are held at once where nobody leads.
func TestUncleanElectionByConfig(t *testing.T) {
	allow := &wire.IncrementalAlterConfigsRequest{Changes: []wire.TopicConfig{{Topic: topic, Key: "unclean.leader.election.enable", Value: "true"}}}
	r := active(t, plain(false, a))
	r.fence(t, a)
	equal(t, "nobody leads", r.registration(), "-@1 [a] 1 none")
	call[*wire.IncrementalAlterConfigsResponse](r, b, x, allow)
	equal(t, "elected", r.registration(), "b@2 [b] 2 unclean")
	r = active(t, plain(false, a))
	call[*wire.IncrementalAlterConfigsResponse](r, b, x, allow)
	equal(t, "who leads stays", r.registration(), "a@0 [a] 0 created")
	r.fence(t, a)
	equal(t, "elected when the leader goes", r.registration(), "b@1 [b] 1 unclean")
	if slices.ContainsFunc(r.events, func(e event.Event) bool { return e.Undeclared() != "" }) {
		t.Error("an event fills a field that its kind does not have")
	}
}
