package metadata_test

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/assert"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
)

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// The topics of the tests, their ids out of the order in which they are created.
var (
	orders = id.NewTopic(0, 2)
	state  = id.NewTopic(0, 3)
	clicks = id.NewTopic(0, 1)
)

func image(records ...record.Metadata) *metadata.Image {
	m := &metadata.Image{}
	for _, r := range records {
		m.Apply(r)
	}
	return m
}

func partition(t id.Topic, index uint16, leader id.Node, leaderEpoch, partitionEpoch int32) *record.PartitionRecord {
	return &record.PartitionRecord{Partition: id.Partition{Topic: t, Index: index}, Replicas: []id.Node{0, 1},
		ISR:    id.SetOf(leader),
		Leader: leader, LeaderEpoch: leaderEpoch, PartitionEpoch: partitionEpoch}
}

func TestApply(t *testing.T) {
	first := []record.Metadata{
		&record.BrokerRecord{Broker: 1, Incarnation: 1},
		&record.BrokerRecord{Broker: 0, Incarnation: 1, Fenced: true},
		&record.TopicRecord{Topic: orders, Name: "orders", Partitions: 2},
		&record.TopicRecord{Topic: state, Name: "__mirror_state", Partitions: 3, Internal: record.MirrorStateTopic},
		&record.TopicRecord{Topic: clicks, Name: "clicks", Partitions: 1},
		partition(orders, 1, 0, 0, 0),
		partition(orders, 0, 1, 0, 0),
		&record.MirrorRecord{Mirror: 2, Name: "m", Source: 1, Bootstrap: []id.Node{4}},
		&record.MirrorTopicRecord{Topic: orders, Mirror: 2, Desired: record.WantMirroring},
		&record.ProducerIdsRecord{Next: 1000},
	}
	m := image(first...)
	t.Run("offset", func(t *testing.T) { equal(t, "offset", m.Offset, int64(len(first))) })
	t.Run("topics", func(t *testing.T) {
		var order []id.Topic
		for i := range m.Topics {
			order = append(order, m.Topics[i].Topic)
		}
		equal(t, "order", order, []id.Topic{clicks, orders, state})
		equal(t, "mirror and desired state", [2]int{int(m.Topic(orders).Mirror), int(m.Topic(orders).Desired)},
			[2]int{2, int(record.WantMirroring)})
		equal(t, "another topic's desired state", m.Topic(clicks).Desired, record.WantNone)
		equal(t, "__mirror_state", m.StateTopic.Topic, state)
		equal(t, "an unknown topic", m.Topic(id.NewTopic(1, 1)), nil)
	})
	t.Run("partitions", func(t *testing.T) {
		equal(t, "order", [2]uint16{m.Partitions[0].Partition.Index, m.Partitions[1].Partition.Index}, [2]uint16{0, 1})
		equal(t, "leader of orders-0", m.Partition(id.Partition{Topic: orders}).Leader, 1)
		equal(t, "an unknown partition", m.Partition(id.Partition{Topic: orders, Index: 2}), nil)
		m.Apply(partition(orders, 0, 0, 1, 1))
		equal(t, "leader of orders-0 after an election", m.Partition(id.Partition{Topic: orders}).Leader, 0)
		equal(t, "partitions", len(m.Partitions), 2)
	})
	t.Run("mirrors", func(t *testing.T) {
		equal(t, "mirror", m.Mirror(2).Name, "m")
		equal(t, "an unknown mirror", m.Mirror(1), nil)
	})
	t.Run("names", func(t *testing.T) {
		equal(t, "clicks", m.TopicNamed("clicks").Topic, clicks)
		equal(t, "an unknown name", m.TopicNamed("click"), nil)
	})
	t.Run("brokers", func(t *testing.T) {
		equal(t, "brokers", m.Brokers, []metadata.Broker{{Node: 0, Incarnation: 1, Fenced: true, RegisteredAt: 1},
			{Node: 1, Incarnation: 1}})
		equal(t, "live", m.Live(), id.SetOf(1))
		equal(t, "an unknown broker", m.Broker(3), nil)
	})
	t.Run("producer ids", func(t *testing.T) { equal(t, "next", m.NextProducerID, 1000) })
}

// TestSum: it tells images apart that were made of as many records.
func TestSum(t *testing.T) {
	registered := &record.BrokerRecord{Broker: 1, Incarnation: 1}
	sums := map[uint64]int{}
	for i, records := range [][]record.Metadata{
		{registered, &record.ProducerIdsRecord{Next: 1000}},
		{&record.ProducerIdsRecord{Next: 1000}, registered},
		{registered, &record.ProducerIdsRecord{Next: 2000}},
		{registered, &record.BrokerRecord{Broker: 1, Incarnation: 1, Fenced: true}},
	} {
		sum := image(records...).Sum
		equal(t, "sum of the same again", image(records...).Sum, sum)
		if same, known := sums[sum]; known {
			t.Errorf("images %d and %d have one sum", i, same)
		}
		sums[sum] = i
	}
}

// How high the leader epochs of a topic's partitions went stays known when it is deleted, over all topics of that id, and a clone
// has what there was when it was made.
func TestEpochsOfDeletedTopics(t *testing.T) {
	m := &metadata.Image{}
	create := func(epochs ...int32) {
		m.Apply(&record.TopicRecord{Topic: orders, Name: "orders", Partitions: uint16(len(epochs))})
		for i, e := range epochs {
			m.Apply(&record.PartitionRecord{Partition: id.Partition{Topic: orders, Index: uint16(i)}, LeaderEpoch: e})
		}
	}
	m.Apply(&record.TopicRecord{Topic: clicks, Name: "clicks", Partitions: 1})
	equal(t, "before the first deletion", m.EarlierEpoch(orders), -1)
	create(3, 7)
	equal(t, "not deleted yet", m.EarlierEpoch(orders), -1)
	m.Apply(&record.RemoveTopicRecord{Topic: orders})
	equal(t, "deleted", m.EarlierEpoch(orders), 7)
	equal(t, "of another topic", m.EarlierEpoch(clicks), -1)
	clone := m.Clone()
	create(2)
	m.Apply(&record.RemoveTopicRecord{Topic: clicks})
	m.Apply(&record.RemoveTopicRecord{Topic: orders})
	equal(t, "deleted again in a lower one", m.EarlierEpoch(orders), 7)
	create(9)
	m.Apply(&record.RemoveTopicRecord{Topic: orders})
	equal(t, "and in a higher one", m.EarlierEpoch(orders), 9)
	equal(t, "ids", len(m.Deleted), 2)
	equal(t, "the clone", clone.Deleted, []metadata.Deleted{{Topic: orders, LeaderEpoch: 7}})
}

// A topic that is deleted takes its partitions and its desired state along; one of the same id and a mirror of the same name
// may come after it, and are not it. A second record of a mirror that exists changes its lists.
func TestLives(t *testing.T) {
	mirror := &record.MirrorRecord{Mirror: 2, Name: "m", Source: 1}
	steps := []struct {
		record record.Metadata
		life   int64 // of orders under mirror 2, behind the record
	}{
		{&record.TopicRecord{Topic: orders, Name: "orders", Partitions: 1}, -1},
		{mirror, 1},
		{partition(orders, 0, 0, 4, 7), 1},
		{&record.MirrorTopicRecord{Topic: orders, Mirror: 2, Desired: record.WantStopped, Recovery: 3}, 1},
		{&record.MirrorRecord{Mirror: 2, Name: "m", Source: 1, Exclude: []string{"orders"}}, 1},
		{&record.TopicPartitionsRecord{Topic: orders, Partitions: 2}, 1},
		{&record.RemoveTopicRecord{Topic: orders}, -1},
		{&record.TopicRecord{Topic: orders, Name: "orders", Partitions: 1}, 7},
		{partition(orders, 0, 1, 0, 0), 7},
		{&record.RemoveMirrorRecord{Mirror: 2}, -1},
		{mirror, 10},
	}
	m := &metadata.Image{}
	for i, step := range steps {
		before := m.Clone()
		lists := before.Mirror(2)
		m.Apply(step.record)
		equal(t, fmt.Sprint("life behind record ", i), m.Life(2, orders), step.life)
		equal(t, fmt.Sprint("what a clone holds behind record ", i), before.Mirror(2), lists)
		switch i {
		case 4:
			equal(t, "exclude", m.Mirror(2).Exclude, []string{"orders"})
			equal(t, "mirrors", len(m.Mirrors), 1)
		case 5:
			equal(t, "partitions", m.Topic(orders).Partitions, 2)
		case 6:
			equal(t, "registrations", len(m.Partitions), 0)
		case 7:
			equal(t, "desired", m.Topic(orders).Desired, record.WantNone)
			equal(t, "recovery", m.Topic(orders).Recovery, 0)
		}
	}
	equal(t, "of no topic", m.Life(2, clicks), -1)
}

// Fencing keeps the offset at which the incarnation registered, a new incarnation moves it.
func TestApplyBroker(t *testing.T) {
	m := image(&record.BrokerRecord{Broker: 0, Incarnation: 1}, &record.BrokerRecord{Broker: 1, Incarnation: 1})
	for _, step := range []struct {
		record *record.BrokerRecord
		want   metadata.Broker
		live   id.Set
	}{
		{&record.BrokerRecord{Broker: 1, Incarnation: 1, Fenced: true}, metadata.Broker{Node: 1, Incarnation: 1,
			Fenced: true, RegisteredAt: 1}, id.SetOf(0)},
		{&record.BrokerRecord{Broker: 1, Incarnation: 1}, metadata.Broker{Node: 1, Incarnation: 1, RegisteredAt: 1},
			id.SetOf(0, 1)},
		{&record.BrokerRecord{Broker: 1, Incarnation: 2, Fenced: true}, metadata.Broker{Node: 1, Incarnation: 2,
			Fenced: true, RegisteredAt: 4}, id.SetOf(0)},
		{&record.BrokerRecord{Broker: 1, Incarnation: 2}, metadata.Broker{Node: 1, Incarnation: 2, RegisteredAt: 4},
			id.SetOf(0, 1)},
	} {
		m.Apply(step.record)
		equal(t, "broker", *m.Broker(1), step.want)
		equal(t, "live", m.Live(), step.live)
	}
}

// What no history of a metadata log may hold.
func TestApplyAsserts(t *testing.T) {
	for _, test := range []struct {
		name   string
		before []record.Metadata
		last   record.Metadata
		legal  record.Metadata // the nearest that is legal
	}{
		{"a leader epoch that falls", []record.Metadata{partition(orders, 0, 0, 3, 3)}, partition(orders, 0, 0, 2, 4),
			partition(orders, 0, 0, 3, 4)},
		{"a partition epoch that stands still", []record.Metadata{partition(orders, 0, 0, 3, 3)}, partition(orders, 0,
			0, 4, 3), partition(orders, 0, 0, 4, 4)},
		{"a topic id that is created twice", []record.Metadata{&record.TopicRecord{Topic: orders}},
			&record.TopicRecord{Topic: orders}, &record.TopicRecord{Topic: clicks}},
		{"an incarnation that falls", []record.Metadata{&record.BrokerRecord{Broker: 1, Incarnation: 2}},
			&record.BrokerRecord{Broker: 1, Incarnation: 1}, &record.BrokerRecord{Broker: 1, Incarnation: 2}},
		{"producer ids that are given out twice", []record.Metadata{&record.ProducerIdsRecord{Next: 10}},
			&record.ProducerIdsRecord{Next: 10}, &record.ProducerIdsRecord{Next: 11}},
		{"the desired state of no topic", []record.Metadata{&record.TopicRecord{Topic: orders}},
			&record.MirrorTopicRecord{Topic: clicks}, &record.MirrorTopicRecord{Topic: orders}},
	} {
		t.Run(test.name, func(t *testing.T) {
			image(append(test.before, test.legal)...)
			m := image(test.before...)
			defer func() {
				if _, ok := recover().(assert.Failure); !ok {
					t.Error("the assertion did not fire")
				}
			}()
			m.Apply(test.last)
		})
	}
}

// FollowsSource is while the log is the source's to write.
func TestFollowsSource(t *testing.T) {
	for desired, want := range map[record.Desired]bool{
		record.WantNone: false, record.WantMirroring: true, record.WantPaused: true, record.WantStopped: false,
	} {
		topic := metadata.Topic{Desired: desired}
		equal(t, desired.String(), topic.FollowsSource(), want)
	}
}

// anyRecord is a record that may follow m.
func anyRecord(t *rapid.T, m *metadata.Image) record.Metadata {
	topic := id.NewTopic(0, uint16(rapid.IntRange(1, 6).Draw(t, "topic")))
	switch kind := rapid.IntRange(0, 6).Draw(t, "kind"); {
	case kind == 0 && m.Topic(topic) == nil:
		return &record.TopicRecord{Topic: topic, Internal: record.Internal(rapid.IntRange(0, 2).Draw(t, "internal"))}
	case kind <= 1 && m.Topic(topic) != nil:
		return &record.MirrorTopicRecord{Topic: topic, Mirror: 1, Desired: record.Desired(rapid.IntRange(0, 3).Draw(t,
			"desired"))}
	case kind <= 2:
		return &record.MirrorRecord{Mirror: id.Mirror(len(m.Mirrors) + 1), Source: id.Cluster(rapid.IntRange(0,
			9).Draw(t, "source"))}
	case kind == 6 && m.Topic(topic) != nil:
		k := rapid.SampledFrom([]record.ConfigKey{record.MinInsyncReplicas, record.RetentionMs}).Draw(t, "config")
		return &record.TopicConfigRecord{Topic: topic, Key: k, Value: rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "value")}
	case kind == 3:
		return &record.ProducerIdsRecord{Next: m.NextProducerID + 1}
	case kind == 4:
		n := id.Node(rapid.IntRange(0, 4).Draw(t, "broker"))
		next := &record.BrokerRecord{Broker: n, Incarnation: 1, Fenced: rapid.Bool().Draw(t, "fenced")}
		if b := m.Broker(n); b != nil {
			next.Incarnation = b.Incarnation + uint32(rapid.IntRange(0, 1).Draw(t, "restarts"))
		}
		return next
	}
	p := id.Partition{Topic: topic, Index: uint16(rapid.IntRange(0, 2).Draw(t, "index"))}
	next := &record.PartitionRecord{Partition: p}
	if old := m.Partition(p); old != nil {
		next.LeaderEpoch, next.PartitionEpoch = old.LeaderEpoch+int32(rapid.IntRange(0, 1).Draw(t, "elected")),
			old.PartitionEpoch+1
	}
	return next
}

// A clone and its original go on by themselves, and an image is a function of the records: a third one that replays the
// original's records is equal to it.
func TestCloneIsIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, again := &metadata.Image{}, &metadata.Image{}
		grow := func(m *metadata.Image, n int) []record.Metadata {
			var list []record.Metadata
			for range n {
				r := anyRecord(t, m)
				m.Apply(r)
				list = append(list, r)
			}
			return list
		}
		list := grow(m, rapid.IntRange(0, 12).Draw(t, "before"))
		c := m.Clone()
		list = append(list, grow(m, rapid.IntRange(0, 6).Draw(t, "original"))...)
		grow(&c, rapid.IntRange(0, 6).Draw(t, "clone"))
		list = append(list, grow(m, rapid.IntRange(0, 3).Draw(t, "original again"))...)
		for _, r := range list {
			again.Apply(r)
		}
		if diff := cmp.Diff(again, m); diff != "" {
			t.Fatalf("the original is not what its records say (-replayed +original):\n%s", diff)
		}
	})
}

// Section 8 of the design, for several numbers of partitions.
func TestCoordinator(t *testing.T) {
	mirror := &record.MirrorRecord{Mirror: 1, Name: "m"}
	for _, n := range []uint16{1, 2, 3, 50} {
		m := image(&record.TopicRecord{Topic: state, Partitions: n, Internal: record.MirrorStateTopic}, mirror)
		used := map[uint16]bool{}
		for index := range uint16(200) {
			p := id.Partition{Topic: orders, Index: index}
			at, ok := m.CoordinatorOf(1, p)
			uuid := metadata.TopicUUID(orders)
			key := fmt.Sprintf("m:%s:%d", base64.RawURLEncoding.EncodeToString(uuid[:]), index)
			want := uint16(uint32(metadata.Murmur2([]byte(key))) & 0x7fffffff % uint32(n))
			if !ok || at.Topic != state || at.Index != want || at.Index != metadata.Coordinator("m", p, n) {
				t.Fatalf("orders-%d is placed at %v of %d, %v", index, at, n, ok)
			}
			used[at.Index] = true
		}
		if len(used) < int(min(n, 40)) {
			t.Errorf("of %d partitions only %d are used", n, len(used))
		}
	}
	p := id.Partition{Topic: orders}
	for name, m := range map[string]*metadata.Image{"no mirror": image(&record.TopicRecord{Topic: state,
		Partitions: 2, Internal: record.MirrorStateTopic}), "no topic": image(mirror)} {
		if at, ok := m.CoordinatorOf(1, p); ok {
			t.Errorf("%s: placed at %v", name, at)
		}
	}
	long := "a-mirror-name-that-is-longer-than-the-buffer-on-the-stack-which-holds-sixty-four-bytes"
	if got := metadata.Coordinator(long, p, 1000); got == metadata.Coordinator(long, id.Partition{Topic: orders,
		Index: 1}, 1000) {
		t.Errorf("the end of a long key is cut off: both are placed at %d", got)
	}
}

// A topic id prints as Kafka prints it, and topics have different ones.
func TestTopicID(t *testing.T) {
	seen := map[[16]byte]id.Topic{}
	for n := range uint16(4096) {
		topic := id.NewTopic(id.Cluster(n%3), n)
		u := metadata.TopicUUID(topic)
		if other, ok := seen[u]; ok && other != topic {
			t.Fatalf("topics %d and %d have one id", topic, other)
		}
		seen[u] = topic
		if got, want := string(metadata.AppendTopicID(nil, u)), base64.RawURLEncoding.EncodeToString(u[:]); got != want {
			t.Fatalf("%x prints as %s, want %s", u, got, want)
		}
	}
}
