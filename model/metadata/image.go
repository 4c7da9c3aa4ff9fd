package metadata

import (
	"slices"

	"mirrorsim/model/assert"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Topic is what an image holds of a topic: its record and its desired mirror state.
type Topic struct {
	*record.TopicRecord
	Mirror  id.Mirror
	Desired record.Desired
	// Recovery counts the topic's RecoverMirrorTopics requests.
	Recovery  int32
	Taken     []Taken             // ordered by admin; shared, never changed
	CreatedAt int64               // offset of the record that created it
	Configs   []Config            // dynamic configs, ordered by key; shared, never changed
	Made      *record.TopicRecord // as it was created: what its configs say where they are not set
}

// FollowsSource tells whether the topic's log is the source's to write: desired is mirroring or paused. While that is
// so a new leader adds no entry of its own to the leader-epoch cache (section 4 of the design).
func (t *Topic) FollowsSource() bool {
	return t.Desired == record.WantMirroring || t.Desired == record.WantPaused
}

// Mirror is what an image holds of a mirror: its newest record.
type Mirror struct {
	*record.MirrorRecord
	CreatedAt int64 // offset of the record that created it
}

// Broker is what an image holds of a broker.
type Broker struct {
	Node         id.Node
	Incarnation  uint32
	Fenced       bool
	RegisteredAt int64 // offset of the record that registered this incarnation
}

// Image is the metadata of one cluster up to Offset. The zero value is the image of an empty log.
type Image struct {
	Offset         int64                     // of the next record to apply
	Sum            uint64                    // of the records that were applied: in a fingerprint it stands for the image
	Topics         []Topic                   // ordered by id
	Partitions     []*record.PartitionRecord // ordered by id
	Mirrors        []Mirror                  // in order of creation
	Brokers        []Broker                  // ordered by node
	Acls           []record.Acl              // ordered by record.Acl.Compare; shared, never changed
	StateTopic     *record.TopicRecord       // __mirror_state
	TxnTopic       *record.TopicRecord       // __transaction_state
	GroupTopic     *record.TopicRecord       // __consumer_offsets
	NextProducerID int64
	Deleted        []Deleted // in the order of the last deletion of each id; shared, never changed
}

// Apply replays the record at Offset.
func (m *Image) Apply(r record.Metadata) {
	switch r := r.(type) {
	case *record.TopicRecord:
		i, ok := m.topic(r.Topic)
		assert.That(!ok, "a topic id is created once")
		m.Topics = insert(m.Topics, i, Topic{TopicRecord: r, CreatedAt: m.Offset, Made: r, Taken: m.earlier(r.Topic).Taken})
		switch r.Internal {
		case record.MirrorStateTopic:
			m.StateTopic = r
		case record.TransactionStateTopic:
			m.TxnTopic = r
		case record.ConsumerOffsetsTopic:
			m.GroupTopic = r
		}
	case *record.RemoveTopicRecord:
		m.removeTopic(r.Topic)
	case *record.TopicPartitionsRecord:
		m.growTopic(r)
	case *record.TopicConfigRecord:
		m.applyConfig(r)
	case *record.PartitionRecord:
		i, ok := m.partition(r.Partition)
		if !ok {
			m.Partitions = insert(m.Partitions, i, r)
			break
		}
		old := m.Partitions[i]
		assert.That(r.LeaderEpoch >= old.LeaderEpoch, "a leader epoch never decreases in the metadata log")
		assert.That(r.PartitionEpoch > old.PartitionEpoch, "every change raises the partition epoch")
		m.Partitions[i] = r
	case *record.MirrorRecord:
		m.applyMirror(r)
	case *record.RemoveMirrorRecord:
		m.removeMirror(r.Mirror)
	case *record.MirrorTopicRecord:
		t := m.Topic(r.Topic)
		assert.That(t != nil, "a desired state is that of a topic that exists")
		t.Mirror, t.Desired, t.Recovery = r.Mirror, r.Desired, r.Recovery
		t.take(r)
	case *record.AclRecord:
		m.applyAcl(r)
	case *record.BrokerRecord:
		m.applyBroker(r)
	case *record.ProducerIdsRecord:
		assert.That(r.Next > m.NextProducerID, "producer ids are given out once")
		m.NextProducerID = r.Next
	}
	m.Offset++
	var words [32]uint64
	for _, w := range r.Words(words[:0]) {
		m.Sum = event.Mix(m.Sum, w)
	}
}

// growTopic changes the number of partitions; records are shared, so that the topic gets another one.
func (m *Image) growTopic(r *record.TopicPartitionsRecord) {
	t := m.Topic(r.Topic)
	assert.That(t != nil && r.Partitions > t.Partitions, "a topic that exists gets more partitions")
	grown := *t.TopicRecord
	grown.Partitions = r.Partitions
	t.TopicRecord = &grown
}

// applyMirror creates a mirror, or replaces the record of one that exists. Clones share the list, so that this image gets
// another one.
func (m *Image) applyMirror(r *record.MirrorRecord) {
	i := m.mirror(r.Mirror)
	if i < 0 {
		m.Mirrors = append(m.Mirrors, Mirror{r, m.Offset})
		return
	}
	m.Mirrors = slices.Clone(m.Mirrors)
	m.Mirrors[i].MirrorRecord = r
}

// removeMirror forgets a mirror; clones share the list, so that this image gets another one.
func (m *Image) removeMirror(x id.Mirror) {
	assert.That(m.mirror(x) >= 0, "a mirror that exists is deleted")
	m.Mirrors = slices.DeleteFunc(slices.Clone(m.Mirrors), func(r Mirror) bool { return r.Mirror == x })
}

func (m *Image) applyBroker(r *record.BrokerRecord) {
	b := m.Broker(r.Broker)
	if b == nil {
		i := 0
		for i < len(m.Brokers) && m.Brokers[i].Node < r.Broker {
			i++
		}
		m.Brokers = insert(m.Brokers, i, Broker{Node: r.Broker})
		b = &m.Brokers[i]
	}
	assert.That(r.Incarnation >= b.Incarnation, "a broker's incarnations only go up")
	if r.Incarnation != b.Incarnation {
		b.RegisteredAt = m.Offset
	}
	b.Incarnation, b.Fenced = r.Incarnation, r.Fenced
}

// Topic is the topic of that id, nil if there is none. It may be changed by the next Apply.
func (m *Image) Topic(t id.Topic) *Topic {
	if i, ok := m.topic(t); ok {
		return &m.Topics[i]
	}
	return nil
}

// Partition is the registration of p, nil if there is none.
func (m *Image) Partition(p id.Partition) *record.PartitionRecord {
	if i, ok := m.partition(p); ok {
		return m.Partitions[i]
	}
	return nil
}

// Broker is the broker n, nil if it never registered. It may be changed by the next Apply.
func (m *Image) Broker(n id.Node) *Broker {
	for i := range m.Brokers {
		if m.Brokers[i].Node == n {
			return &m.Brokers[i]
		}
	}
	return nil
}

// Mirror is the mirror of that name, nil if there is none.
func (m *Image) Mirror(x id.Mirror) *record.MirrorRecord {
	if i := m.mirror(x); i >= 0 {
		return m.Mirrors[i].MirrorRecord
	}
	return nil
}

func (m *Image) mirror(x id.Mirror) int {
	return slices.IndexFunc(m.Mirrors, func(r Mirror) bool { return r.Mirror == x })
}

// TopicNamed is the topic of that name, nil if there is none. It may be changed by the next Apply.
func (m *Image) TopicNamed(name string) *Topic {
	if i := slices.IndexFunc(m.Topics, func(t Topic) bool { return t.Name == name }); i >= 0 {
		return &m.Topics[i]
	}
	return nil
}

// Life is the record.MirrorState.Life of the entries of topic t under mirror x: the offset of the later of the records
// that created them; -1 where one of them does not exist.
func (m *Image) Life(x id.Mirror, t id.Topic) int64 {
	i, topic := m.mirror(x), m.Topic(t)
	if i < 0 || topic == nil {
		return -1
	}
	return max(m.Mirrors[i].CreatedAt, topic.CreatedAt)
}

// Live is the set of brokers that are registered and not fenced.
func (m *Image) Live() id.Set {
	var s id.Set
	for i := range m.Brokers {
		if !m.Brokers[i].Fenced {
			s = s.With(m.Brokers[i].Node)
		}
	}
	return s
}

// Fenced is the set of the registered brokers that are fenced.
func (m *Image) Fenced() id.Set {
	var s id.Set
	for i := range m.Brokers {
		if m.Brokers[i].Fenced {
			s = s.With(m.Brokers[i].Node)
		}
	}
	return s
}

// Clone is a copy of which neither side sees the other's changes. Records are shared.
func (m *Image) Clone() Image {
	c := *m
	c.Topics = append([]Topic(nil), m.Topics...)
	c.Partitions = append([]*record.PartitionRecord(nil), m.Partitions...)
	c.Mirrors = m.Mirrors[:len(m.Mirrors):len(m.Mirrors)]
	c.Brokers = append([]Broker(nil), m.Brokers...)
	return c
}

func (m *Image) topic(t id.Topic) (int, bool) {
	low, high := 0, len(m.Topics)
	for low < high {
		middle := (low + high) / 2
		if m.Topics[middle].Topic < t {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(m.Topics) && m.Topics[low].Topic == t
}

func (m *Image) partition(p id.Partition) (int, bool) {
	low, high := 0, len(m.Partitions)
	for low < high {
		middle := (low + high) / 2
		if m.Partitions[middle].Partition.Less(p) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(m.Partitions) && m.Partitions[low].Partition == p
}

func insert[T any](s []T, i int, v T) []T {
	s = append(s, v)
	copy(s[i+1:], s[i:])
	s[i] = v
	return s
}
