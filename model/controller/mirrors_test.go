package controller_test

import (
	"slices"
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func TestCreateMirror(t *testing.T) {
	named := func(name string) *record.MirrorRecord { return &record.MirrorRecord{Mirror: 3, Name: name, Source: 1} }
	for _, test := range []struct {
		name     string
		revision string
		mirror   *record.MirrorRecord
		code     wire.Code
	}{
		{"a new one", "start-stop", &record.MirrorRecord{Mirror: 3, Name: "o", Source: 2, Bootstrap: []id.Node{7},
			Include: []string{"orders-.*", "a"}, Exclude: []string{"__.*"}}, wire.OK},
		{"one that is there", "start-stop", &record.MirrorRecord{Mirror: 1, Name: "m", Source: 2}, wire.ClusterMirrorAlreadyExists},
		{"249 letters", "start-stop", named(strings.Repeat("m", 249)), wire.OK},
		{"250 letters", "start-stop", named(strings.Repeat("m", 250)), wire.InvalidClusterMirrorName},
		{"no name", "start-stop", named(""), wire.InvalidClusterMirrorName},
		{"a dot", "start-stop", named("."), wire.InvalidClusterMirrorName},
		{"two dots", "start-stop", named(".."), wire.InvalidClusterMirrorName},
		{"a space", "start-stop", named("o o"), wire.InvalidClusterMirrorName},
		{"paused", "start-stop", named("o.paused"), wire.InvalidClusterMirrorName},
		{"stopped", "start-stop", named("o.stopped"), wire.InvalidClusterMirrorName},
		{"stopped, older", "add-remove", named("o.stopped"), wire.OK},
		{"removed", "start-stop", named("o.removed"), wire.OK},
		{"removed, older", "add-remove", named("o.removed"), wire.InvalidClusterMirrorName},
		{"an include that is not valid", "start-stop", &record.MirrorRecord{Mirror: 3, Name: "o", Include: []string{"a", "("}}, wire.InvalidRequest},
		{"an exclude that is not valid", "start-stop", &record.MirrorRecord{Mirror: 3, Name: "o", Exclude: []string{"*"}}, wire.InvalidRequest},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, mirrored(), "revision="+test.revision)
			before := len(r.records())
			res := call[*wire.CreateMirrorResponse](r, a, x, &wire.CreateMirrorRequest{Mirror: test.mirror, Client: admin, Correlation: 5})
			equal(t, "answer", *res, wire.CreateMirrorResponse{Code: test.code, Client: admin, Correlation: 5})
			var want []record.Metadata
			if test.code == wire.OK {
				want = append(want, test.mirror)
			}
			equal(t, "records", written(r, before), want)
			if test.code == wire.OK {
				res := call[*wire.CreateMirrorResponse](r, a, x, &wire.CreateMirrorRequest{Mirror: test.mirror})
				equal(t, "again", res.Code, wire.ClusterMirrorAlreadyExists)
			}
		})
	}
}

// Only a mirror of which every topic is stopped, and every partition STOPPED, is deleted.
func TestDeleteMirror(t *testing.T) {
	all := in(stopped, record.Stopped, record.Stopped)
	second := id.NewTopic(0, 20)
	extra := []record.Metadata{&record.TopicRecord{Topic: second, Name: "second", Partitions: 1},
		&record.MirrorTopicRecord{Topic: second, Mirror: 1, Desired: record.WantStopped}}
	others := []record.Metadata{&record.MirrorTopicRecord{Topic: mirroring, Mirror: 2, Desired: record.WantMirroring},
		&record.MirrorTopicRecord{Topic: paused, Mirror: 2, Desired: record.WantPaused}}
	goes := []record.Metadata{&record.MirrorTopicRecord{Topic: stopped, Mirror: 1, Desired: record.WantNone, Recovery: 3},
		&record.RemoveMirrorRecord{Mirror: 1}}
	const notEmpty = wire.ClusterMirrorNotEmpty
	for _, test := range []struct {
		name   string
		more   []record.Metadata
		mirror id.Mirror
		actual []wire.ActualState
		code   wire.Code
		want   []record.Metadata
	}{
		{"unknown", others, 3, all, wire.UnknownClusterMirror, nil},
		{"all stopped", others, 1, all, wire.OK, goes},
		{"of two topics", append(others[:2:2], extra...), 1, append(all[:2:2], in(second, record.Stopped)...), wire.OK, []record.Metadata{goes[0],
			&record.MirrorTopicRecord{Topic: second, Mirror: 1, Desired: record.WantNone}, goes[1]}},
		{"of two topics, one was not read", append(others[:2:2], extra...), 1, all, notEmpty, nil},
		{"one still stopping", others, 1, in(stopped, record.Stopped, record.Stopping), notEmpty, nil},
		{"one failed", others, 1, in(stopped, record.Failed, record.Stopped), notEmpty, nil},
		{"one unknown", others, 1, in(stopped, record.Stopped, record.Unknown), notEmpty, nil},
		{"one partition was not read", others, 1, all[:1], notEmpty, nil},
		{"nothing was read", others, 1, nil, notEmpty, nil},
		{"one mirroring", nil, 1, append(all[:2:2], append(in(mirroring, record.Stopped, record.Stopped), in(paused, record.Stopped, record.Stopped)...)...), notEmpty, nil},
		{"no topic", nil, 2, nil, wire.OK, []record.Metadata{&record.RemoveMirrorRecord{Mirror: 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, append(mirrored(), test.more...))
			before := len(r.records())
			res := call[*wire.DeleteMirrorResponse](r, a, x, &wire.DeleteMirrorRequest{Mirror: test.mirror, Actual: test.actual, Client: admin, Correlation: 5})
			equal(t, "answer", *res, wire.DeleteMirrorResponse{Code: test.code, Client: admin, Correlation: 5})
			equal(t, "records", written(r, before), test.want)
			if test.code != wire.OK {
				return
			}
			res = call[*wire.DeleteMirrorResponse](r, a, x, &wire.DeleteMirrorRequest{Mirror: test.mirror})
			equal(t, "again", res.Code, wire.UnknownClusterMirror)
			m := slices.IndexFunc(r.events, func(e event.Event) bool { return e.Kind == event.MirrorRemoved })
			equal(t, "event", r.events[m].Mirror, test.mirror)
		})
	}
}

// A topic of a deleted mirror is plain: another mirror may start it, the recoveries go on, and users may delete it.
func TestTopicOfDeletedMirror(t *testing.T) {
	first := append(mirrored(), &record.MirrorTopicRecord{Topic: mirroring, Mirror: 2, Desired: record.WantMirroring},
		&record.MirrorTopicRecord{Topic: paused, Mirror: 2, Desired: record.WantMirroring})
	r := active(t, first)
	call[*wire.DeleteMirrorResponse](r, a, x, &wire.DeleteMirrorRequest{Mirror: 1, Actual: in(stopped, record.Stopped, record.Stopped)})
	res := call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: 2, Topics: []id.Topic{stopped}})
	equal(t, "stop", res.Results[0].Code, wire.TopicNotInClusterMirror)
	res = call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StartMirrorTopics, Mirror: 2, Topics: []id.Topic{stopped}})
	equal(t, "start", res.Results[0].Code, wire.OK)
	equal(t, "record", r.records()[len(r.records())-1],
		record.Metadata(&record.MirrorTopicRecord{Topic: stopped, Mirror: 2, Desired: record.WantMirroring, Recovery: 3}))
}
