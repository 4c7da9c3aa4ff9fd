package controller_test

import (
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// What a topic's desired state says of requests to change it, of the two kinds.
var alterations = []struct {
	name  string
	topic id.Topic
	code  wire.Code
}{
	{"plain", none, wire.OK}, {"mirroring", mirroring, wire.MirrorTopicNotStopped}, {"paused", paused, wire.MirrorTopicNotStopped},
	{"stopped", stopped, wire.OK}, {"internal", internal, wire.InvalidRequest}, {"missing", missing, wire.UnknownTopicOrPartition},
}

func TestDeleteTopics(t *testing.T) {
	for _, test := range alterations {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, mirrored())
			before := len(r.records())
			res := call[*wire.DeleteTopicsResponse](r, a, x, &wire.DeleteTopicsRequest{Topics: []id.Topic{test.topic}, Client: admin, Correlation: 5})
			equal(t, "answer", *res, wire.DeleteTopicsResponse{Results: []wire.TopicResult{{Topic: test.topic, Code: test.code}},
				Client: admin, Correlation: 5})
			var want []record.Metadata
			if test.code == wire.OK {
				want = append(want, &record.RemoveTopicRecord{Topic: test.topic})
			}
			equal(t, "records", written(r, before), want)
			if test.code == wire.OK {
				res := call[*wire.DeleteTopicsResponse](r, a, x, &wire.DeleteTopicsRequest{Topics: []id.Topic{test.topic}})
				equal(t, "again", res.Results[0].Code, wire.UnknownTopicOrPartition)
				i := slices.IndexFunc(r.events, func(e event.Event) bool { return e.Kind == event.TopicRemoved })
				equal(t, "event", r.events[i].Partition.Topic, test.topic)
			}
		})
	}
}

// Other topics of the request are not affected by one that is refused; one that is named twice is deleted once.
func TestDeleteTopicsBatch(t *testing.T) {
	r := active(t, mirrored())
	before := len(r.records())
	res := call[*wire.DeleteTopicsResponse](r, a, x, &wire.DeleteTopicsRequest{Topics: []id.Topic{mirroring, none, missing, none, stopped}})
	equal(t, "results", res.Results, []wire.TopicResult{{Topic: mirroring, Code: wire.MirrorTopicNotStopped}, {Topic: none},
		{Topic: missing, Code: wire.UnknownTopicOrPartition}, {Topic: none, Code: wire.InvalidRequest}, {Topic: stopped}})
	equal(t, "records", written(r, before), []record.Metadata{&record.RemoveTopicRecord{Topic: none}, &record.RemoveTopicRecord{Topic: stopped}})
	r.fence(t, b) // what it led of the deleted topics is not elected anew
	for _, m := range written(r, before+2) {
		if p, ok := m.(*record.PartitionRecord); ok && (p.Partition.Topic == none || p.Partition.Topic == stopped) {
			t.Errorf("a deleted topic has a new registration: %+v", p)
		}
	}
}

func TestCreatePartitions(t *testing.T) {
	grow := func(r *rig, to uint16, topics ...id.Topic) []wire.TopicResult {
		return call[*wire.CreatePartitionsResponse](r, a, x, &wire.CreatePartitionsRequest{Topics: topics, Partitions: to}).Results
	}
	for _, test := range alterations {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, mirrored())
			before := len(r.records())
			equal(t, "results", grow(r, 3, test.topic), []wire.TopicResult{{Topic: test.topic, Code: test.code}})
			equal(t, "is written", len(r.records()) > before, test.code == wire.OK)
		})
	}
	t.Run("effects", func(t *testing.T) {
		r := active(t, mirrored())
		before := len(r.records())
		equal(t, "results", grow(r, 4, mirroring, stopped, none, stopped), []wire.TopicResult{{Topic: mirroring, Code: wire.MirrorTopicNotStopped},
			{Topic: stopped}, {Topic: none}, {Topic: stopped, Code: wire.InvalidRequest}})
		registered := func(topic id.Topic, index uint16, replicas ...id.Node) record.Metadata {
			return &record.PartitionRecord{Partition: id.Partition{Topic: topic, Index: index}, Replicas: replicas, ISR: id.SetOf(replicas...), Leader: replicas[0]}
		}
		equal(t, "records", written(r, before), []record.Metadata{
			&record.TopicPartitionsRecord{Topic: stopped, Partitions: 4}, registered(stopped, 2, c, a), registered(stopped, 3, a, b),
			&record.TopicPartitionsRecord{Topic: none, Partitions: 4}, registered(none, 1, b, c, a), registered(none, 2, c, a, b), registered(none, 3, a, b, c),
		})
		grown := slices.IndexFunc(r.events, func(e event.Event) bool { return e.Kind == event.TopicGrown })
		equal(t, "event", []int32{int32(r.events[grown].Partition.Topic), r.events[grown].Sequence}, []int32{int32(stopped), 4})
		equal(t, "not more", grow(r, 4, stopped), []wire.TopicResult{{Topic: stopped, Code: wire.InvalidRequest}})
		equal(t, "one more", grow(r, 5, stopped), []wire.TopicResult{{Topic: stopped}})
	})
	t.Run("mirror-wide work", func(t *testing.T) {
		r := active(t, mirrored())
		before := len(r.records())
		res := call[*wire.CreatePartitionsResponse](r, a, x, &wire.CreatePartitionsRequest{Partitions: 3, Mirror: 1,
			Topics: []id.Topic{mirroring, paused, stopped, none, missing, mirroring}})
		equal(t, "results", res.Results, []wire.TopicResult{{Topic: mirroring}, {Topic: paused, Code: wire.TopicNotInClusterMirror},
			{Topic: stopped, Code: wire.TopicNotInClusterMirror}, {Topic: none, Code: wire.TopicNotInClusterMirror},
			{Topic: missing, Code: wire.UnknownTopicOrPartition}, {Topic: mirroring, Code: wire.InvalidRequest}})
		equal(t, "record", written(r, before)[0], record.Metadata(&record.TopicPartitionsRecord{Topic: mirroring, Partitions: 3, Mirror: 1}))
		grown := slices.IndexFunc(r.events, func(e event.Event) bool { return e.Kind == event.TopicGrown })
		equal(t, "event", r.events[grown].Mirror, 1)
		res = call[*wire.CreatePartitionsResponse](r, a, x, &wire.CreatePartitionsRequest{Partitions: 4, Mirror: 2, Topics: []id.Topic{mirroring}})
		equal(t, "of another mirror", res.Results[0].Code, wire.TopicNotInClusterMirror)
	})
	t.Run("nobody lives", func(t *testing.T) {
		r := active(t, mirrored())
		for _, n := range []id.Node{a, b, c} {
			r.fence(t, n)
		}
		equal(t, "results", grow(r, 2, none), []wire.TopicResult{{Topic: none, Code: wire.LeaderNotAvailable}})
	})
}

// A topic is created with the replicas that the request names; those on live brokers are in sync, and the first of them leads.
func TestCreateTopics(t *testing.T) {
	topic := func(t id.Topic, name string) *record.TopicRecord {
		return &record.TopicRecord{Topic: t, Name: name, Partitions: 2, MinISR: 1}
	}
	r := active(t, mirrored())
	r.fence(t, a)
	before := len(r.records())
	where := [][]id.Node{{a, b}, {c, a}}
	res := call[*wire.CreateTopicsResponse](r, b, x, &wire.CreateTopicsRequest{Client: admin, Correlation: 5, Topics: []wire.NewTopic{
		{Record: topic(missing, "u"), Replicas: where}, {Record: topic(77, "t"), Replicas: where}, {Record: topic(none, "v"), Replicas: where},
		{Record: topic(78, "u"), Replicas: where}, {Record: topic(79, "w"), Replicas: [][]id.Node{{b}, {a}}}}})
	equal(t, "answer", *res, wire.CreateTopicsResponse{Client: admin, Correlation: 5, Results: []wire.TopicResult{{Topic: missing},
		{Topic: 77, Code: wire.TopicAlreadyExists}, {Topic: none, Code: wire.TopicAlreadyExists}, {Topic: 78, Code: wire.TopicAlreadyExists},
		{Topic: 79, Code: wire.LeaderNotAvailable}}})
	equal(t, "records", written(r, before), []record.Metadata{topic(missing, "u"),
		&record.PartitionRecord{Partition: id.Partition{Topic: missing}, Replicas: where[0], ISR: id.SetOf(b), Leader: b},
		&record.PartitionRecord{Partition: id.Partition{Topic: missing, Index: 1}, Replicas: where[1], ISR: id.SetOf(c), Leader: c}})
}
