package controller_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// stop is a stop in mirror 1.
func stop(r *rig, patterns []string, topics ...id.Topic) *wire.MirrorTopicsResponse {
	return call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: 1,
		Topics: topics, Patterns: patterns, Client: admin})
}

// The entries of include equal to a pattern leave it, the pattern joins exclude, and what the new exclude matches is stopped
// if it is mirroring, or by D51 paused.
func TestStopByPattern(t *testing.T) {
	mirror := &record.MirrorRecord{Mirror: 1, Name: "m", Source: 1, Include: []string{"mirr.*", "p.*", "mirroring"}, Exclude: []string{"q"}}
	changed := func(include, exclude []string) *record.MirrorRecord {
		c := *mirror
		c.Include, c.Exclude = include, exclude
		return &c
	}
	all := mirror.Include
	to := func(topic id.Topic) record.Metadata {
		return &record.MirrorTopicRecord{Topic: topic, Mirror: 1, Desired: record.WantStopped}
	}
	for _, test := range []struct {
		name     string
		set      []string
		patterns []string
		topics   []id.Topic
		results  []wire.TopicResult
		records  []record.Metadata
	}{
		{"an entry of include", nil, []string{"mirr.*"}, nil, []wire.TopicResult{{Topic: mirroring}},
			[]record.Metadata{changed([]string{"p.*", "mirroring"}, []string{"q", "mirr.*"}), to(mirroring)}},
		{"none of include", nil, []string{"m.*"}, nil, []wire.TopicResult{{Topic: mirroring}},
			[]record.Metadata{changed(all, []string{"q", "m.*"}), to(mirroring)}},
		{"D51 mirroring", []string{"pattern-stop=mirroring"}, []string{".*"}, nil, []wire.TopicResult{{Topic: mirroring}},
			[]record.Metadata{changed(all, []string{"q", ".*"}), to(mirroring)}},
		{"D51 mirroring-or-paused", []string{"pattern-stop=mirroring-or-paused"}, []string{".*"}, nil,
			[]wire.TopicResult{{Topic: mirroring}, {Topic: paused}},
			[]record.Metadata{changed(all, []string{"q", ".*"}), to(mirroring), to(paused)}},
		{"no match", nil, []string{"x", "y.*"}, nil, nil, []record.Metadata{changed(all, []string{"q", "x", "y.*"})}},
		{"in exclude already", nil, []string{"q"}, nil, nil, nil},
		{"with a topic that it matches", nil, []string{"m.*"}, []id.Topic{mirroring}, []wire.TopicResult{{Topic: mirroring}},
			[]record.Metadata{to(mirroring), changed(all, []string{"q", "m.*"})}},
		{"with a topic that is refused", []string{"stop-from=mirroring"}, []string{"m.*"}, []id.Topic{paused, none},
			[]wire.TopicResult{{Topic: paused, Code: wire.MirrorTopicAlreadyPaused}, {Topic: none, Code: wire.TopicNotInClusterMirror},
				{Topic: mirroring}},
			[]record.Metadata{changed(all, []string{"q", "m.*"}), to(mirroring)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, append(mirrored(), mirror), append([]string{"state-check=desired"}, test.set...)...)
			before := len(r.records())
			res := stop(r, test.patterns, test.topics...)
			equal(t, "answer", *res, wire.MirrorTopicsResponse{Results: test.results, Client: admin})
			equal(t, "records", written(r, before), test.records)
			again := stop(r, test.patterns)
			equal(t, "again", *again, wire.MirrorTopicsResponse{Client: admin})
			equal(t, "records again", len(r.records()), before+len(test.records))
			if res := start(r, nil, mirroring); len(test.records) > 1 {
				equal(t, "what was stopped is excluded", res.Results, []wire.TopicResult{{Topic: mirroring, Code: wire.InvalidRequest}})
			}
		})
	}
}

// The default of exclude stays in it.
func TestStopByPatternKeepsTheDefault(t *testing.T) {
	r := active(t, mirrored(), "state-check=desired")
	stop(r, []string{"u"})
	m := r.records()[len(r.records())-1].(*record.MirrorRecord)
	equal(t, "exclude", m.Exclude, []string{"__.*", "u"})
	equal(t, "include", m.Include, nil)
}

func TestPatternsAreRefused(t *testing.T) {
	for _, test := range []struct {
		name     string
		naming   string
		action   wire.MirrorAction
		mirror   id.Mirror
		patterns []string
		code     wire.Code
	}{
		{"not valid", "start-stop", wire.StopMirrorTopics, 1, []string{"m.*", "["}, wire.InvalidRequest},
		{"empty", "start-stop", wire.StopMirrorTopics, 1, []string{""}, wire.InvalidRequest},
		{"the older form has none", "add-remove", wire.StopMirrorTopics, 1, []string{"m.*"}, wire.UnsupportedVersion},
		{"of a pause", "start-stop", wire.PauseMirrorTopics, 1, []string{"m.*"}, wire.UnsupportedVersion},
		{"no mirror", "start-stop", wire.StopMirrorTopics, 3, []string{"m.*"}, wire.UnknownClusterMirror},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, mirrored(), "revision="+test.naming)
			before := len(r.records())
			res := call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: test.action, Mirror: test.mirror,
				Topics: []id.Topic{mirroring}, Patterns: test.patterns, Client: admin, Correlation: 5})
			equal(t, "answer", *res, wire.MirrorTopicsResponse{Code: test.code, Client: admin, Correlation: 5})
			equal(t, "records", len(r.records()), before)
		})
	}
}
