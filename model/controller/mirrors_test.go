package controller_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// mirrored is a cluster with the mirrors 1 and 2, and a topic of each desired state in mirror 1.
func mirrored() []record.Metadata {
	list := append(plain(false, a), &record.MirrorRecord{Mirror: 1, Name: "m", Source: 1},
		&record.MirrorRecord{Mirror: 2, Name: "n", Source: 2})
	for desired := record.WantMirroring; desired <= record.WantStopped; desired++ {
		list = append(list, &record.TopicRecord{Topic: of(desired), Partitions: 2},
			&record.MirrorTopicRecord{Topic: of(desired), Mirror: 1, Desired: desired})
	}
	return list
}

// of is the topic of that desired state; that of WantNone is in no mirror.
func of(d record.Desired) id.Topic { return id.NewTopic(0, uint16(d)+1) }

var none, mirroring, paused, stopped = of(record.WantNone), of(record.WantMirroring), of(record.WantPaused),
	of(record.WantStopped)

// in is what a broker has read: both partitions of the topic are in these states.
func in(t id.Topic, s ...record.State) []wire.ActualState {
	var list []wire.ActualState
	for i, s := range s {
		list = append(list, wire.ActualState{Partition: id.Partition{Topic: t, Index: uint16(i)}, State: s})
	}
	return list
}

// mirrorCase is a request for one topic, the result, and what is written for it.
type mirrorCase struct {
	name   string
	set    []string
	mirror id.Mirror
	topic  id.Topic
	actual []wire.ActualState
	code   wire.Code
	writes record.Desired // WantNone: nothing is written
}

// desired are choices by which validations read the desired state.
func desired(more ...string) []string { return append([]string{"state-check=desired"}, more...) }

// actual are choices by which they read the actual one.
func actual(more ...string) []string { return append([]string{"state-check=actual"}, more...) }

func (test mirrorCase) run(t *testing.T, action wire.MirrorAction) {
	r := active(t, mirrored(), test.set...)
	before := len(r.records())
	res := call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: action, Mirror: test.mirror,
		Topics: []id.Topic{test.topic}, Actual: test.actual, Client: admin, Correlation: 5})
	equal(t, "answer", *res, wire.MirrorTopicsResponse{Results: []wire.TopicResult{{Topic: test.topic, Code: test.code}},
		Client: admin, Correlation: 5})
	var want []record.Metadata
	if test.writes != record.WantNone {
		want = append(want, &record.MirrorTopicRecord{Topic: test.topic, Mirror: test.mirror, Desired: test.writes})
	}
	equal(t, "records", append([]record.Metadata(nil), r.records()[before:]...), want)
}

func TestStartMirrorTopics(t *testing.T) {
	for _, test := range []mirrorCase{
		{"start", desired(), 1, none, nil, wire.OK, record.WantMirroring},
		{"start a stopped one", desired(), 1, stopped, nil, wire.OK, record.WantMirroring},
		{"start a paused one", desired(), 1, paused, nil, wire.MirrorTopicNotStopped, 0},
		{"start a mirroring one, D47 error", desired("repeat-request=error"), 1, mirroring, nil,
			wire.TopicAlreadyInClusterMirror, 0},
		{"start a mirroring one, D47 success", desired("repeat-request=success"), 1, mirroring, nil, wire.OK, 0},
		{"start one of another mirror, D47 success", desired("repeat-request=success"), 2, mirroring, nil,
			wire.TopicAlreadyInClusterMirror, 0},
		{"start a stopped one of another mirror", desired(), 2, stopped, nil, wire.TopicAlreadyInClusterMirror, 0},
		{"start a paused one of another mirror", desired(), 2, paused, nil, wire.TopicAlreadyInClusterMirror, 0},
		{"start in no mirror", desired(), 3, none, nil, wire.UnknownClusterMirror, 0},
		{"start no topic", desired(), 1, id.NewTopic(0, 99), nil, wire.UnknownTopicOrPartition, 0},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, wire.StartMirrorTopics) })
	}
}

// stop-from, D18, and state-check, D48.
func TestStopMirrorTopics(t *testing.T) {
	for _, test := range []mirrorCase{
		{"stop in no mirror", desired(), 3, mirroring, nil, wire.UnknownClusterMirror, 0},
		{"stop no topic", desired(), 1, id.NewTopic(0, 99), nil, wire.UnknownTopicOrPartition, 0},
		{"stop one of no mirror", desired(), 1, none, nil, wire.TopicNotInClusterMirror, 0},
		{"stop one of another mirror", desired(), 2, mirroring, nil, wire.TopicNotInClusterMirror, 0},
		{"stop a stopped one", desired("stop-from=mirroring"), 1, stopped, nil, wire.OK, 0},
		{"stop a mirroring one", desired("stop-from=mirroring"), 1, mirroring, nil, wire.OK, record.WantStopped},
		{"stop a paused one, D18 mirroring", desired("stop-from=mirroring"), 1, paused, nil,
			wire.MirrorTopicAlreadyPaused, 0},
		{"stop a paused one, D18 mirroring-or-paused", desired("stop-from=mirroring-or-paused"), 1, paused, nil,
			wire.OK, record.WantStopped},
		{"stop a paused one, D18 any", desired("stop-from=any"), 1, paused, nil, wire.OK, record.WantStopped},
		{"D48 actual: all mirroring", actual("stop-from=mirroring"), 1, mirroring,
			in(mirroring, record.Mirroring, record.Mirroring), wire.OK, record.WantStopped},
		{"D48 actual: one preparing", actual("stop-from=mirroring"), 1, mirroring,
			in(mirroring, record.Mirroring, record.Preparing), wire.InvalidClusterMirrorState, 0},
		{"D48 actual: one preparing, D18 any", actual("stop-from=any"), 1, mirroring,
			in(mirroring, record.Mirroring, record.Preparing), wire.OK, record.WantStopped},
		{"D48 actual: one preparing, D48 desired", desired("stop-from=mirroring"), 1, mirroring,
			in(mirroring, record.Mirroring, record.Preparing), wire.OK, record.WantStopped},
		{"D48 actual: of another topic", actual("stop-from=mirroring"), 1, mirroring,
			in(paused, record.Mirroring, record.Mirroring), wire.InvalidClusterMirrorState, 0},
		{"D48 actual: all paused, D18 mirroring", actual("stop-from=mirroring"), 1, paused,
			in(paused, record.Paused, record.Paused), wire.MirrorTopicAlreadyPaused, 0},
		{"D48 actual: all paused, D18 mirroring-or-paused", actual("stop-from=mirroring-or-paused"), 1, paused,
			in(paused, record.Paused, record.Paused), wire.OK, record.WantStopped},
		{"D48 actual: pausing", actual("stop-from=mirroring-or-paused"), 1, paused,
			in(paused, record.Paused, record.Pausing), wire.InvalidClusterMirrorState, 0},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, wire.StopMirrorTopics) })
	}
}

// Pause and resume are not built yet, and say so.
func TestUnbuiltMirrorRequests(t *testing.T) {
	for _, action := range []wire.MirrorAction{wire.PauseMirrorTopics, wire.ResumeMirrorTopics} {
		t.Run(action.String(), func(t *testing.T) {
			mirrorCase{"", nil, 1, mirroring, nil, wire.UnsupportedVersion, 0}.run(t, action)
		})
	}
}

// A batch that partly fails has one result per topic, in the order of the request, and writes those that pass.
func TestMirrorTopicsBatch(t *testing.T) {
	r := active(t, mirrored(), "state-check=desired", "stop-from=mirroring")
	before := len(r.records())
	res := call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: 1,
		Topics: []id.Topic{paused, mirroring, none, stopped}})
	equal(t, "results", res.Results, []wire.TopicResult{{Topic: paused, Code: wire.MirrorTopicAlreadyPaused},
		{Topic: mirroring},
		{Topic: none, Code: wire.TopicNotInClusterMirror}, {Topic: stopped}})
	equal(t, "records", append([]record.Metadata(nil), r.records()[before:]...),
		[]record.Metadata{&record.MirrorTopicRecord{Topic: mirroring, Mirror: 1, Desired: record.WantStopped}})
	res = call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics,
		Mirror: 1, Topics: []id.Topic{mirroring}})
	equal(t, "the stop again", res.Results, []wire.TopicResult{{Topic: mirroring}})
	equal(t, "records", len(r.records()), before+1)
}
