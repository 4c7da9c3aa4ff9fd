package controller_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// mirrored is a cluster with the mirrors 1 and 2, and a topic of each desired state in mirror 1, all with two partitions. The
// stopped one has been recovered three times.
func mirrored() []record.Metadata {
	list := append(plain(false, a), &record.MirrorRecord{Mirror: 1, Name: "m", Source: 1},
		&record.MirrorRecord{Mirror: 2, Name: "n", Source: 2})
	for desired := record.WantMirroring; desired <= record.WantStopped; desired++ {
		list = append(list, &record.TopicRecord{Topic: of(desired), Name: desired.String(), Partitions: 2},
			&record.MirrorTopicRecord{Topic: of(desired), Mirror: 1, Desired: desired})
		for index := range uint16(2) {
			list = append(list, &record.PartitionRecord{Partition: id.Partition{Topic: of(desired), Index: index},
				Replicas: []id.Node{b, c}, ISR: id.SetOf(b, c), Leader: b})
		}
	}
	return append(list, &record.MirrorTopicRecord{Topic: stopped, Mirror: 1, Desired: record.WantStopped, Recovery: 3},
		&record.TopicRecord{Topic: internal, Name: "__mirror_state", Partitions: 1, Internal: record.MirrorStateTopic})
}

// of is the topic of that desired state; that of WantNone is in no mirror.
func of(d record.Desired) id.Topic { return id.NewTopic(0, uint16(d)+1) }

var (
	none, mirroring, paused, stopped = of(record.WantNone), of(record.WantMirroring), of(record.WantPaused), of(record.WantStopped)

	internal = id.NewTopic(0, 9)  // __mirror_state
	missing  = id.NewTopic(0, 99) // no topic of the cluster
)

// in is what a broker has read: the partitions of the topic are in these states.
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
		written := &record.MirrorTopicRecord{Topic: test.topic, Mirror: test.mirror, Desired: test.writes}
		if test.topic == stopped {
			written.Recovery = 3 // carried on
		}
		want = append(want, written)
	}
	equal(t, "records", written(r, before), want)
}

// written are the records behind the first so many.
func written(r *rig, before int) []record.Metadata {
	return append([]record.Metadata(nil), r.records()[before:]...)
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
		{"start no topic, D37 refuse", desired("start-topic=refuse"), 1, missing, nil, wire.UnknownTopicOrPartition, 0},
		{"start no topic, D37 create, the source did not answer", desired("start-topic=create"), 1, missing, nil,
			wire.RequestTimedOut, 0},
		{"start an internal one", desired(), 1, internal, nil, wire.InvalidRequest, 0},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, wire.StartMirrorTopics) })
	}
}

// stop-from, D18, and state-check, D48.
func TestStopMirrorTopics(t *testing.T) {
	for _, test := range []mirrorCase{
		{"stop in no mirror", desired(), 3, mirroring, nil, wire.UnknownClusterMirror, 0},
		{"stop no topic", desired(), 1, missing, nil, wire.UnknownTopicOrPartition, 0},
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
		{"D48 actual: one was not read", actual("stop-from=mirroring"), 1, mirroring,
			in(mirroring, record.Mirroring), wire.InvalidClusterMirrorState, 0},
		{"D48 actual: pausing", actual("stop-from=mirroring-or-paused"), 1, paused,
			in(paused, record.Paused, record.Pausing), wire.InvalidClusterMirrorState, 0},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, wire.StopMirrorTopics) })
	}
}

// What a pause asks for is read by D48; early-pause, D25; a repeat, D47.
func TestPauseMirrorTopics(t *testing.T) {
	early := func(s record.State) []wire.ActualState { return in(mirroring, record.Mirroring, s) }
	refuse, drop, later := actual("early-pause=refuse"), actual("early-pause=drop"), actual("early-pause=apply-later")
	for _, test := range []mirrorCase{
		{"pause in no mirror", desired(), 3, mirroring, nil, wire.UnknownClusterMirror, 0},
		{"pause no topic", desired(), 1, missing, nil, wire.UnknownTopicOrPartition, 0},
		{"pause one of no mirror", desired(), 1, none, nil, wire.TopicNotInClusterMirror, 0},
		{"pause one of another mirror", desired(), 2, mirroring, nil, wire.TopicNotInClusterMirror, 0},
		{"pause a mirroring one", desired(), 1, mirroring, nil, wire.OK, record.WantPaused},
		{"pause a stopped one", desired(), 1, stopped, nil, wire.MirrorTopicBeingStopped, 0},
		{"pause a stopped one, D48 actual", actual(), 1, stopped, in(stopped, record.Mirroring, record.Mirroring),
			wire.MirrorTopicBeingStopped, 0},
		{"pause a paused one, D47 error", actual("repeat-request=error"), 1, paused, nil, wire.MirrorTopicAlreadyPaused, 0},
		{"pause a paused one, D47 success", actual("repeat-request=success"), 1, paused, nil, wire.OK, 0},
		{"D48 actual: all mirroring", refuse, 1, mirroring, early(record.Mirroring), wire.OK, record.WantPaused},
		{"D48 desired: one preparing", desired("early-pause=refuse"), 1, mirroring, early(record.Preparing), wire.OK, record.WantPaused},
		{"D25 refuse: one unknown", refuse, 1, mirroring, early(record.Unknown), wire.InvalidClusterMirrorState, 0},
		{"D25 refuse: one preparing", refuse, 1, mirroring, early(record.Preparing), wire.InvalidClusterMirrorState, 0},
		{"D25 drop: one preparing", drop, 1, mirroring, early(record.Preparing), wire.OK, 0},
		{"D25 drop: all mirroring", drop, 1, mirroring, early(record.Mirroring), wire.OK, record.WantPaused},
		{"D25 apply-later: one unknown", later, 1, mirroring, early(record.Unknown), wire.OK, record.WantPaused},
		{"D25 apply-later: one preparing", later, 1, mirroring, early(record.Preparing), wire.OK, record.WantPaused},
		{"D25 apply-later: one fencing", later, 1, mirroring, early(record.EpochFencing), wire.OK, record.WantPaused},
		{"D25 apply-later: one recovering", later, 1, mirroring, early(record.UleRecovery), wire.OK, record.WantPaused},
		{"D25 apply-later: one failed", later, 1, mirroring, early(record.Failed), wire.InvalidClusterMirrorState, 0},
		{"D25 apply-later: one paused", later, 1, mirroring, early(record.Paused), wire.InvalidClusterMirrorState, 0},
		{"D25 apply-later: one pausing", later, 1, mirroring, early(record.Pausing), wire.InvalidClusterMirrorState, 0},
		{"D25 apply-later: one stopping", later, 1, mirroring, early(record.Stopping), wire.InvalidClusterMirrorState, 0},
		{"D25 apply-later: one stopped", later, 1, mirroring, early(record.Stopped), wire.InvalidClusterMirrorState, 0},
		{"D25 apply-later: one was not read", later, 1, mirroring, in(mirroring, record.Preparing), wire.InvalidClusterMirrorState, 0},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, wire.PauseMirrorTopics) })
	}
}

func TestResumeMirrorTopics(t *testing.T) {
	for _, test := range []mirrorCase{
		{"resume in no mirror", nil, 3, paused, nil, wire.UnknownClusterMirror, 0},
		{"resume no topic", nil, 1, missing, nil, wire.UnknownTopicOrPartition, 0},
		{"resume one of another mirror", nil, 2, paused, nil, wire.TopicNotInClusterMirror, 0},
		{"resume a paused one", desired(), 1, paused, nil, wire.OK, record.WantMirroring},
		{"resume a paused one, D48 actual", actual(), 1, paused, nil, wire.OK, record.WantMirroring},
		{"resume a mirroring one, D47 error", []string{"repeat-request=error"}, 1, mirroring, nil, wire.MirrorTopicNotPaused, 0},
		{"resume a mirroring one, D47 success", []string{"repeat-request=success"}, 1, mirroring, nil, wire.OK, 0},
		{"resume a stopped one, D47 success", []string{"repeat-request=success"}, 1, stopped, nil, wire.MirrorTopicNotPaused, 0},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, wire.ResumeMirrorTopics) })
	}
}

// A recovery keeps the desired state and is counted; it reads the actual states under either option of D48.
func TestRecoverMirrorTopics(t *testing.T) {
	for _, test := range []struct {
		name   string
		mirror id.Mirror
		topic  id.Topic
		actual []wire.ActualState
		code   wire.Code
		want   *record.MirrorTopicRecord
	}{
		{"recover in no mirror", 3, mirroring, nil, wire.UnknownClusterMirror, nil},
		{"recover no topic", 1, missing, nil, wire.UnknownTopicOrPartition, nil},
		{"recover one of no mirror", 1, none, in(none, record.Failed), wire.TopicNotInClusterMirror, nil},
		{"recover one of another mirror", 2, mirroring, in(mirroring, record.Failed), wire.TopicNotInClusterMirror, nil},
		{"none failed", 1, mirroring, in(mirroring, record.Mirroring, record.Preparing), wire.InvalidClusterMirrorState, nil},
		{"another topic failed", 1, mirroring, in(paused, record.Failed), wire.InvalidClusterMirrorState, nil},
		{"nothing read", 1, mirroring, nil, wire.InvalidClusterMirrorState, nil},
		{"one failed", 1, mirroring, in(mirroring, record.Mirroring, record.Failed), wire.OK,
			&record.MirrorTopicRecord{Topic: mirroring, Mirror: 1, Desired: record.WantMirroring, Recovery: 1}},
		{"a paused one failed", 1, paused, in(paused, record.Failed), wire.OK,
			&record.MirrorTopicRecord{Topic: paused, Mirror: 1, Desired: record.WantPaused, Recovery: 1}},
		{"the fourth time", 1, stopped, in(stopped, record.Failed, record.Failed), wire.OK,
			&record.MirrorTopicRecord{Topic: stopped, Mirror: 1, Desired: record.WantStopped, Recovery: 4}},
	} {
		for _, check := range []string{"state-check=desired", "state-check=actual"} {
			t.Run(test.name+", "+check, func(t *testing.T) {
				r := active(t, mirrored(), check)
				before := len(r.records())
				res := call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.RecoverMirrorTopics, Mirror: test.mirror,
					Topics: []id.Topic{test.topic}, Actual: test.actual})
				equal(t, "results", res.Results, []wire.TopicResult{{Topic: test.topic, Code: test.code}})
				var want []record.Metadata
				if test.want != nil {
					want = append(want, test.want)
				}
				equal(t, "records", written(r, before), want)
			})
		}
	}
}

// Where the source has deleted the topic the partition's leader stops it, whatever states its partitions are in (D24).
func TestStopOfDeletedTopic(t *testing.T) {
	for topic, want := range map[id.Topic]struct {
		code   wire.Code
		writes record.Desired
	}{mirroring: {wire.OK, record.WantStopped}, paused: {wire.OK, record.WantStopped}, stopped: {wire.OK, record.WantNone},
		none: {wire.TopicNotInClusterMirror, record.WantNone}} {
		r := active(t, mirrored(), "stop-from=mirroring", "state-check=actual")
		before := len(r.records())
		res := call[*wire.MirrorTopicsResponse](r, b, x, &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: 1,
			Topics: []id.Topic{topic}, Deleted: true, Client: id.None})
		equal(t, "results", res.Results, []wire.TopicResult{{Topic: topic, Code: want.code}})
		var records []record.Metadata
		if want.writes != record.WantNone {
			records = append(records, &record.MirrorTopicRecord{Topic: topic, Mirror: 1, Desired: want.writes})
		}
		equal(t, "records", written(r, before), records)
	}
}

// A batch that partly fails has one result per topic, in the order of the request, and writes those that pass.
func TestMirrorTopicsBatch(t *testing.T) {
	r := active(t, mirrored(), "state-check=desired", "stop-from=mirroring")
	before := len(r.records())
	res := call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: 1,
		Topics: []id.Topic{paused, mirroring, none, stopped, mirroring}})
	equal(t, "results", res.Results, []wire.TopicResult{{Topic: paused, Code: wire.MirrorTopicAlreadyPaused},
		{Topic: mirroring},
		{Topic: none, Code: wire.TopicNotInClusterMirror}, {Topic: stopped}, {Topic: mirroring, Code: wire.InvalidRequest}})
	equal(t, "records", written(r, before),
		[]record.Metadata{&record.MirrorTopicRecord{Topic: mirroring, Mirror: 1, Desired: record.WantStopped}})
	res = call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics,
		Mirror: 1, Topics: []id.Topic{mirroring}})
	equal(t, "the stop again", res.Results, []wire.TopicResult{{Topic: mirroring}})
	equal(t, "records", len(r.records()), before+1)
}
