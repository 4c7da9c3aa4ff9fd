package controller_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// start is a start of topics in mirror 1, with what the source said of them.
func start(r *rig, sources []wire.SourceTopic, topics ...id.Topic) *wire.MirrorTopicsResponse {
	return call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StartMirrorTopics, Mirror: 1,
		Topics: topics, Sources: sources, Client: admin})
}

// What the source says of the topic, D37, and the exclude list of the mirror.
func TestStartChecksTheSource(t *testing.T) {
	excluding := func(list ...string) *record.MirrorRecord {
		return &record.MirrorRecord{Mirror: 1, Name: "m", Source: 1, Exclude: list}
	}
	for _, test := range []struct {
		name   string
		mirror *record.MirrorRecord // as changed last
		topic  id.Topic
		source wire.SourceTopic // of that topic
		refuse wire.Code        // with start-topic=refuse
		create wire.Code        // with start-topic=create
	}{
		{"as it is here", nil, none, wire.SourceTopic{Name: "t", Partitions: 1}, wire.OK, wire.OK},
		{"more partitions there", nil, none, wire.SourceTopic{Name: "t", Partitions: 5}, wire.OK, wire.OK},
		{"the source has it not", nil, none, wire.SourceTopic{}, wire.OK, wire.OK},
		{"the name has another id here", nil, missing, wire.SourceTopic{Name: "t", Partitions: 1},
			wire.InconsistentTopicId, wire.InconsistentTopicId},
		{"the id has another name here", nil, none, wire.SourceTopic{Name: "u", Partitions: 1},
			wire.TopicAlreadyExists, wire.TopicAlreadyExists},
		{"both", nil, none, wire.SourceTopic{Name: "mirroring", Partitions: 1},
			wire.InconsistentTopicId, wire.InconsistentTopicId},
		{"a stopped one whose id has another name", nil, stopped, wire.SourceTopic{Name: "u", Partitions: 1},
			wire.TopicAlreadyExists, wire.TopicAlreadyExists},
		{"not here", nil, missing, wire.SourceTopic{Name: "u", Partitions: 1}, wire.UnknownTopicOrPartition, wire.OK},
		{"neither here nor there", nil, missing, wire.SourceTopic{}, wire.UnknownTopicOrPartition, wire.UnknownTopicOrPartition},
		{"internal there, by default", nil, missing, wire.SourceTopic{Name: "__consumer_offsets", Partitions: 1},
			wire.UnknownTopicOrPartition, wire.InvalidRequest},
		{"excluded by name", excluding("t"), none, wire.SourceTopic{Name: "t", Partitions: 1}, wire.InvalidRequest, wire.InvalidRequest},
		{"excluded by pattern", excluding("x", "t+"), none, wire.SourceTopic{Name: "t", Partitions: 1}, wire.InvalidRequest, wire.InvalidRequest},
		{"excluded for a part of the name", excluding(".?o"), stopped, wire.SourceTopic{Name: "stopped", Partitions: 1}, wire.OK, wire.OK},
		{"excluded and included", &record.MirrorRecord{Mirror: 1, Name: "m", Include: []string{"t"}, Exclude: []string{"t"}}, none,
			wire.SourceTopic{Name: "t", Partitions: 1}, wire.InvalidRequest, wire.InvalidRequest},
		{"excluded and not here", excluding("u"), missing, wire.SourceTopic{Name: "u", Partitions: 1},
			wire.UnknownTopicOrPartition, wire.InvalidRequest},
		{"excluded, a stopped one", excluding("stop.*"), stopped, wire.SourceTopic{Name: "stopped", Partitions: 2},
			wire.InvalidRequest, wire.InvalidRequest},
		{"excluded, a mirroring one: a repeat", excluding(".*"), mirroring, wire.SourceTopic{Name: "mirroring", Partitions: 2},
			wire.TopicAlreadyInClusterMirror, wire.TopicAlreadyInClusterMirror},
	} {
		for option, code := range map[string]wire.Code{"refuse": test.refuse, "create": test.create} {
			t.Run(test.name+"/"+option, func(t *testing.T) {
				first := mirrored()
				if test.mirror != nil {
					first = append(first, test.mirror)
				}
				r := active(t, first, "start-topic="+option)
				before := len(r.records())
				source := test.source
				source.Topic = test.topic
				res := start(r, []wire.SourceTopic{{Topic: 7, Name: "of another", Partitions: 9}, source}, test.topic)
				equal(t, "results", res.Results, []wire.TopicResult{{Topic: test.topic, Code: code}})
				equal(t, "is written", len(r.records()) > before, code == wire.OK)
			})
		}
	}
}

// A created topic has the source's id, name and number of partitions; its replicas are placed on live brokers, round robin,
// and on fenced ones, which are not in sync, where the live ones do not suffice.
func TestStartCreates(t *testing.T) {
	source := []wire.SourceTopic{{Topic: missing, Name: "u", Partitions: 4}}
	for _, test := range []struct {
		name   string
		fenced []id.Node
		want   [][]id.Node // replicas by partition
	}{
		{"three live brokers", nil, [][]id.Node{{a, b, c}, {b, c, a}, {c, a, b}, {a, b, c}}},
		{"two", []id.Node{b}, [][]id.Node{{a, c, b}, {c, a, b}, {a, c, b}, {c, a, b}}},
		{"one", []id.Node{a, b}, [][]id.Node{{c, a, b}, {c, b, a}, {c, a, b}, {c, b, a}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, mirrored(), "start-topic=create")
			for _, n := range test.fenced {
				r.fence(t, n)
			}
			before := len(r.records())
			equal(t, "results", start(r, source, missing).Results, []wire.TopicResult{{Topic: missing}})
			want := []record.Metadata{&record.TopicRecord{Topic: missing, Name: "u", Partitions: 4, MinISR: 2}}
			live := id.SetOf(a, b, c) &^ id.SetOf(test.fenced...)
			for i, replicas := range test.want {
				want = append(want, &record.PartitionRecord{Partition: id.Partition{Topic: missing, Index: uint16(i)}, Replicas: replicas,
					ISR: live, Leader: replicas[0], Cause: uint8(event.PartitionCreated)})
			}
			want = append(want, &record.MirrorTopicRecord{Topic: missing, Mirror: 1, Desired: record.WantMirroring})
			equal(t, "records", written(r, before), want)
			equal(t, "again", start(r, source, missing).Results, []wire.TopicResult{{Topic: missing, Code: wire.TopicAlreadyInClusterMirror}})
		})
	}
	t.Run("four, three replicas", func(t *testing.T) {
		r := active(t, append(mirrored(), &record.BrokerRecord{Broker: 7, Incarnation: 1}), "start-topic=create")
		start(r, source, missing)
		p := r.records()[len(r.records())-2].(*record.PartitionRecord)
		equal(t, "partition 3", p.Replicas, []id.Node{7, a, b})
	})
	t.Run("none", func(t *testing.T) {
		r := active(t, mirrored(), "start-topic=create")
		for _, n := range []id.Node{a, b, c} {
			r.fence(t, n)
		}
		equal(t, "results", start(r, source, missing).Results, []wire.TopicResult{{Topic: missing, Code: wire.LeaderNotAvailable}})
	})
}

// A topic that was deleted has its id back when it is started again: under create-above its leader epochs go on above those it had,
// those of partitions that it gets later as well (D37).
func TestStartOfATopicThatWasDeleted(t *testing.T) {
	for option, want := range map[string]int32{"create": 0, "create-above": 6} {
		t.Run(option, func(t *testing.T) {
			r := active(t, append(mirrored(), &record.TopicRecord{Topic: missing, Name: "u", Partitions: 1},
				&record.PartitionRecord{Partition: id.Partition{Topic: missing}, Replicas: []id.Node{a}, ISR: id.SetOf(a), Leader: a, LeaderEpoch: 5},
				&record.RemoveTopicRecord{Topic: missing}), "start-topic="+option)
			before := len(r.records())
			equal(t, "results", start(r, []wire.SourceTopic{{Topic: missing, Name: "u", Partitions: 1}}, missing).Results, []wire.TopicResult{{Topic: missing}})
			call[*wire.CreatePartitionsResponse](r, a, x, &wire.CreatePartitionsRequest{Topics: []id.Topic{missing}, Partitions: 2, Mirror: 1})
			var epochs []int32
			for _, m := range written(r, before) {
				if p, ok := m.(*record.PartitionRecord); ok {
					epochs = append(epochs, p.LeaderEpoch)
				}
			}
			equal(t, "leader epochs", epochs, []int32{want, want})
		})
	}
	r := active(t, mirrored(), "start-topic=create-above")
	start(r, []wire.SourceTopic{{Topic: missing, Name: "u", Partitions: 1}}, missing)
	equal(t, "of an id that the cluster never had", r.records()[len(r.records())-2].(*record.PartitionRecord).LeaderEpoch, 0)
}

// A batch of which one is created, one exists, one cannot be: each has its result.
func TestStartBatch(t *testing.T) {
	r := active(t, mirrored(), "start-topic=create")
	res := start(r, []wire.SourceTopic{{Topic: missing, Name: "u", Partitions: 1}, {Topic: 77, Name: "paused", Partitions: 1}},
		missing, 77, none, missing, paused)
	equal(t, "results", res.Results, []wire.TopicResult{{Topic: missing}, {Topic: 77, Code: wire.InconsistentTopicId}, {Topic: none},
		{Topic: missing, Code: wire.InvalidRequest}, {Topic: paused, Code: wire.MirrorTopicNotStopped}})
}

// Mirror-wide work starts what is in no mirror and is discovered by the lists that the mirror has now, and nothing else: a
// paused or stopped topic is configured (section 9 of the design).
func TestDiscovery(t *testing.T) {
	for _, test := range []struct {
		name   string
		topic  id.Topic
		called string // at the source
		mirror record.MirrorRecord
		code   wire.Code
	}{
		{"plain here", none, "t", record.MirrorRecord{Include: []string{"t"}}, wire.OK},
		{"not here", missing, "u", record.MirrorRecord{Include: []string{"[a-u]"}}, wire.OK},
		{"not included any more", none, "t", record.MirrorRecord{Include: []string{"u"}}, wire.InvalidRequest},
		{"excluded by now", missing, "u", record.MirrorRecord{Include: []string{"u"}, Exclude: []string{".*"}}, wire.InvalidRequest},
		{"stopped", stopped, "stopped", record.MirrorRecord{Include: []string{".*"}}, wire.InvalidRequest},
		{"paused", paused, "paused", record.MirrorRecord{Include: []string{".*"}}, wire.InvalidRequest},
		{"mirroring", mirroring, "mirroring", record.MirrorRecord{Include: []string{".*"}}, wire.InvalidRequest},
		{"the name has another id here", missing, "t", record.MirrorRecord{Include: []string{"t"}}, wire.InconsistentTopicId},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.mirror.Mirror, test.mirror.Name, test.mirror.Source = 1, "m", 1
			r := active(t, append(mirrored(), &test.mirror), "start-topic=create")
			before := len(r.records())
			res := call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: wire.StartMirrorTopics, Mirror: 1, Discovered: true,
				Topics: []id.Topic{test.topic}, Sources: []wire.SourceTopic{{Topic: test.topic, Name: test.called, Partitions: 1}}, Client: admin})
			equal(t, "results", res.Results, []wire.TopicResult{{Topic: test.topic, Code: test.code}})
			equal(t, "is written", len(r.records()) > before, test.code == wire.OK)
			if test.code == wire.OK {
				last := r.records()[len(r.records())-1]
				equal(t, "record", last, record.Metadata(&record.MirrorTopicRecord{Topic: test.topic, Mirror: 1, Desired: record.WantMirroring, Discovered: true}))
				equal(t, "event", r.events[len(r.events)-1].Cause, 1)
			}
		})
	}
}
