package mirror_test

import (
	"bytes"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

var (
	second = id.NewTopic(0, 2)
	third  = id.NewTopic(0, 3)
)

// working is a rig of which b0 does the mirror-wide work of m, which is to mirror tp's topic, and has the lists of r.
func working(t testing.TB, r record.MirrorRecord) *rig {
	t.Helper()
	x := unbooted(t)
	r.Mirror, r.Name, r.Source, r.Bootstrap = mirrorM, "m", clusterA, []id.Node{a0, a1}
	for i, m := range x.metadata {
		switch m.(type) {
		case *record.MirrorRecord:
			x.metadata[i] = &r
		case *record.PartitionRecord:
			if m.(*record.PartitionRecord).Partition == stateTP {
				x.metadata[i] = &record.PartitionRecord{Partition: stateTP, Replicas: []id.Node{b0, b2}, ISR: id.SetOf(b0), Leader: b0}
			}
		}
	}
	x.boot()
	x.want(record.WantMirroring)
	return x
}

// begun fires the timer of mirror-wide work, and answers who is asked for the source's topics.
func begun(r *rig) (*wire.DescribeTopicPartitionsRequest, id.Node) {
	r.t.Helper()
	r.sent = nil
	r.fire(mirror.TimerSync)
	return take[*wire.DescribeTopicPartitionsRequest](r)
}

// list has a source's broker answer its topics as of that offset of its metadata log.
func list(r *rig, q *wire.DescribeTopicPartitionsRequest, offset int64, topics ...wire.SourceTopic) {
	r.t.Helper()
	r.message(a0, &wire.DescribeTopicPartitionsResponse{Cluster: clusterA, Offset: offset, Topics: topics, Correlation: q.Correlation})
}

// TestPass is section 9: the topics that are mirrored are grown, those that are discovered started, and configs set; a broker
// of the source that is asked is another one each time.
func TestPass(t *testing.T) {
	r := working(t, record.MirrorRecord{Include: []string{"orders-.*"}, Exclude: []string{"orders-internal"}})
	r.meta(&record.TopicConfigRecord{Topic: tp.Topic, Key: record.CleanupPolicy, Value: "compact"},
		&record.TopicConfigRecord{Topic: tp.Topic, Key: record.MaxMessageBytes, Value: "7"})
	q, first := begun(r)
	list(r, q, 5, wire.SourceTopic{Topic: tp.Topic, Name: "t", Partitions: 3}, wire.SourceTopic{Topic: second, Name: "orders-jp", Partitions: 2},
		wire.SourceTopic{Topic: third, Name: "orders-internal", Partitions: 1}, wire.SourceTopic{Topic: 77, Name: "payments", Partitions: 1})
	grow, to := take[*wire.CreatePartitionsRequest](r)
	same(t, "to", to, bC0)
	same(t, "growth", []any{grow.Topics, grow.Partitions, grow.Mirror, grow.Client}, []any{[]id.Topic{tp.Topic}, uint16(3), mirrorM, b0})
	start, _ := take[*wire.MirrorTopicsRequest](r)
	same(t, "discovery", []any{start.Action, start.Topics, start.Sources, start.Discovered, start.Client}, []any{wire.StartMirrorTopics,
		[]id.Topic{second}, []wire.SourceTopic{{Topic: second, Name: "orders-jp", Partitions: 2}}, true, b0})
	configs, to := take[*wire.DescribeConfigsRequest](r)
	same(t, "configs are asked of", []any{to, configs.Topics}, []any{first, []id.Topic{tp.Topic}})
	config := func(t id.Topic, key, value string) wire.TopicConfig {
		return wire.TopicConfig{Topic: t, Key: key, Value: value}
	}
	r.message(to, &wire.DescribeConfigsResponse{Cluster: clusterA, Offset: 6, Correlation: configs.Correlation, Configs: []wire.TopicConfig{
		config(tp.Topic, "cleanup.policy", "compact"), config(tp.Topic, "min.insync.replicas", "2"), config(tp.Topic, "message.timestamp.type", "CreateTime"),
		config(tp.Topic, "leader.replication.throttled.replicas", "*"), config(tp.Topic, "unclean.leader.election.enable", "true"),
		config(tp.Topic, "of.a.newer.version", "1"), config(tp.Topic, "retention.ms", "5"), config(second, "retention.ms", "5")}})
	alter, to := take[*wire.IncrementalAlterConfigsRequest](r)
	same(t, "configs", []any{to, alter.Changes, alter.Mirror, alter.Client}, []any{bC0, []wire.TopicConfig{config(tp.Topic, "retention.ms", "5")}, mirrorM, b0})
	done := r.kinds(event.MirrorSynced)
	same(t, "done", []any{len(done), done[0].Mirror, done[0].Peer, done[0].Sequence}, []any{1, mirrorM, first, int32(3)})
	_, then := begun(r)
	same(t, "another broker is asked", then != first, true)
}

// TestPassExcludesAsTold: the mirror's own list of configs is in the place of the default.
func TestPassExcludesAsTold(t *testing.T) {
	r := working(t, record.MirrorRecord{ExcludeConfigs: []string{"retention.*"}})
	q, _ := begun(r)
	list(r, q, 5)
	configs, _ := take[*wire.DescribeConfigsRequest](r)
	r.message(a0, &wire.DescribeConfigsResponse{Cluster: clusterA, Offset: 5, Correlation: configs.Correlation, Configs: []wire.TopicConfig{
		{Topic: tp.Topic, Key: "retention.ms", Value: "5"}, {Topic: tp.Topic, Key: "min.insync.replicas", Value: "2"}}})
	alter, _ := take[*wire.IncrementalAlterConfigsRequest](r)
	same(t, "changes", alter.Changes, []wire.TopicConfig{{Topic: tp.Topic, Key: "min.insync.replicas", Value: "2"}})
}

// TestPassEnds: what fails, or comes too late, ends the pass and changes nothing; the next one begins anew.
func TestPassEnds(t *testing.T) {
	grown := wire.SourceTopic{Topic: tp.Topic, Name: "t", Partitions: 3}
	for name, fails := range map[string]func(*rig, *wire.DescribeTopicPartitionsRequest){
		"no answer": func(r *rig, q *wire.DescribeTopicPartitionsRequest) { r.fire(mirror.TimerPass); list(r, q, 5, grown) },
		"another cluster": func(r *rig, q *wire.DescribeTopicPartitionsRequest) {
			r.message(a0, &wire.DescribeTopicPartitionsResponse{Cluster: 2, Offset: 5, Topics: []wire.SourceTopic{grown}, Correlation: q.Correlation})
		},
		"old metadata": func(r *rig, q *wire.DescribeTopicPartitionsRequest) {
			list(r, q, 5)
			r.fire(mirror.TimerPass)
			again, _ := begun(r)
			list(r, again, 4, grown)
		},
		"another broker does the work": func(r *rig, q *wire.DescribeTopicPartitionsRequest) {
			r.meta(&record.PartitionRecord{Partition: stateTP, Replicas: []id.Node{b0, b2}, ISR: id.SetOf(b2), Leader: b2, LeaderEpoch: 1, PartitionEpoch: 1})
			list(r, q, 5, grown)
		},
		"the mirror is deleted": func(r *rig, q *wire.DescribeTopicPartitionsRequest) {
			r.want(record.WantStopped)
			r.meta(&record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorM}, &record.RemoveMirrorRecord{Mirror: mirrorM})
			list(r, q, 5, grown)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := working(t, record.MirrorRecord{})
			q, _ := begun(r)
			fails(r, q)
			none[*wire.CreatePartitionsRequest](r, "it fails")
			same(t, "done", len(r.kinds(event.MirrorSynced)), 0)
			_, waits := r.armed(mirror.TimerPass)
			same(t, "it is over", waits, false)
			_, next := r.armed(mirror.TimerSync)
			same(t, "the next one is due", next, true)
		})
	}
}

// TestPassHalts: a topic that is paused or stopped is not touched, nor discovered, and a mirror without any other, and without
// a pattern, asks nothing.
func TestPassHalts(t *testing.T) {
	for _, desired := range []record.Desired{record.WantPaused, record.WantStopped} {
		t.Run(desired.String(), func(t *testing.T) {
			r := working(t, record.MirrorRecord{})
			q, _ := begun(r)
			list(r, q, 5)
			configs, _ := take[*wire.DescribeConfigsRequest](r)
			r.want(desired)
			r.message(a0, &wire.DescribeConfigsResponse{Cluster: clusterA, Offset: 5, Correlation: configs.Correlation,
				Configs: []wire.TopicConfig{{Topic: tp.Topic, Key: "retention.ms", Value: "5"}}})
			none[*wire.IncrementalAlterConfigsRequest](r, "halted while the configs were asked for")
			r.sent = nil
			r.fire(mirror.TimerSync)
			none[*wire.DescribeTopicPartitionsRequest](r, "nothing is mirrored")

			r = working(t, record.MirrorRecord{Include: []string{"t"}})
			r.want(desired)
			q, _ = begun(r)
			list(r, q, 5, wire.SourceTopic{Topic: tp.Topic, Name: "t", Partitions: 3})
			none[*wire.CreatePartitionsRequest](r, "it is not mirrored")
			none[*wire.MirrorTopicsRequest](r, "it is configured already")
			none[*wire.DescribeConfigsRequest](r, "there is no topic to ask for")
			same(t, "done", len(r.kinds(event.MirrorSynced)), 1)
		})
	}
}

// TestPassForks: a fork in the midst of a pass goes on as the original does, and what the pass has heard is in what a
// fingerprint sees.
func TestPassForks(t *testing.T) {
	r := working(t, record.MirrorRecord{})
	idle := r.print()
	q, _ := begun(r)
	asking := r.print()
	same(t, "a pass is seen", bytes.Equal(idle, asking), false)
	f := r.fork()
	list(r, q, 5)
	same(t, "an answer is seen", bytes.Equal(asking, r.print()), false)
	same(t, "the fork saw the original", bytes.Equal(asking, f.print()), true)
	list(f, q, 5)
	same(t, "the fork ends alike", bytes.Equal(r.print(), f.print()), true)
	begins := r.fork()
	begins.fire(mirror.TimerPass)
	same(t, "the original saw the fork", bytes.Equal(r.print(), f.print()), true)
	before := len(r.sent)
	r.fire(mirror.TimerSync)
	same(t, "one pass at a time", len(r.sent), before)
}
