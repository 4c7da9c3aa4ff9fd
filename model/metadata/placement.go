package metadata

import (
	"strconv"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Coordinator is the partition of __mirror_state that stores the state of p under the mirror of that name, one of n:
// murmur2 of "name:topicId:partition", made positive, modulo n (section 8 of the design; seed 000, "Add", 10).
func Coordinator(name string, p id.Partition, n uint16) uint16 {
	var buf [64]byte
	key := append(buf[:0], name...)
	key = append(key, ':')
	key = AppendTopicID(key, TopicUUID(p.Topic))
	key = append(key, ':')
	key = strconv.AppendUint(key, uint64(p.Index), 10)
	return place(key, n)
}

func place(key []byte, n uint16) uint16 {
	return uint16((uint32(Murmur2(key)) & 0x7fffffff) % uint32(n))
}

// CoordinatorOf is where m's image places the state of p under mirror x; false while the image lacks either.
func (m *Image) CoordinatorOf(x id.Mirror, p id.Partition) (id.Partition, bool) {
	r := m.Mirror(x)
	if r == nil || m.StateTopic == nil {
		return id.Partition{}, false
	}
	return id.Partition{Topic: m.StateTopic.Topic, Index: Coordinator(r.Name, p, m.StateTopic.Partitions)}, true
}

// MirrorWide is the partition of __mirror_state whose leader does the mirror-wide work of x: murmur2 of the mirror's name, made
// positive, modulo the number of partitions (section 8 of the design); false while the image lacks either.
func (m *Image) MirrorWide(x id.Mirror) (id.Partition, bool) {
	r := m.Mirror(x)
	if r == nil || m.StateTopic == nil {
		return id.Partition{}, false
	}
	return id.Partition{Topic: m.StateTopic.Topic, Index: place([]byte(r.Name), m.StateTopic.Partitions)}, true
}

// TransactionPartition is the partition of __transaction_state, one of n, that stores the transactions of a transactional
// id: murmur2 of its decimal text, made positive, modulo n. A transactional id is the client that uses it.
func TransactionPartition(client id.Node, n uint16) uint16 {
	var buf [4]byte
	return place(strconv.AppendUint(buf[:0], uint64(client), 10), n)
}

// TransactionsOf is where m's image places the transactions of client; false while the image lacks __transaction_state.
func (m *Image) TransactionsOf(client id.Node) (id.Partition, bool) {
	if m.TxnTopic == nil {
		return id.Partition{}, false
	}
	return id.Partition{Topic: m.TxnTopic.Topic, Index: TransactionPartition(client, m.TxnTopic.Partitions)}, true
}

// TransactionCoordinator is the broker that leads the client's partition of __transaction_state by m's image, id.None
// while there is none.
func (m *Image) TransactionCoordinator(client id.Node) id.Node {
	if at, ok := m.TransactionsOf(client); ok {
		if p := m.Partition(at); p != nil {
			return p.Leader
		}
	}
	return id.None
}

// GroupsOf is where m's image places group g: the partition of __consumer_offsets that murmur2 of the group's id names, made
// positive, modulo their number; false while the image lacks that topic.
func (m *Image) GroupsOf(g record.Group) (id.Partition, bool) {
	if m.GroupTopic == nil {
		return id.Partition{}, false
	}
	return id.Partition{Topic: m.GroupTopic.Topic, Index: place([]byte(g.Name), m.GroupTopic.Partitions)}, true
}

// GroupCoordinator is the broker that leads the group's partition of __consumer_offsets by m's image, id.None while there is
// none.
func (m *Image) GroupCoordinator(g record.Group) id.Node {
	if at, ok := m.GroupsOf(g); ok {
		if p := m.Partition(at); p != nil {
			return p.Leader
		}
	}
	return id.None
}

// TopicUUID spreads a small topic id over Kafka's 16 bytes, the same in every run.
func TopicUUID(t id.Topic) [16]byte {
	var u [16]byte
	x := uint64(t) * 0x9e3779b97f4a7c15
	for i := range u {
		if i == 8 {
			x = (x ^ x>>31) * 0xbf58476d1ce4e5b9
		}
		u[i] = byte(x >> (8 * (i % 8)))
	}
	return u
}

// AppendTopicID appends a topic id as Kafka prints it: 22 characters of base64url without padding.
func AppendTopicID(dst []byte, u [16]byte) []byte {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	var acc, bits uint32
	for _, b := range u {
		acc, bits = acc<<8|uint32(b), bits+8
		for bits >= 6 {
			bits -= 6
			dst = append(dst, digits[acc>>bits&63])
		}
	}
	return append(dst, digits[acc<<(6-bits)&63])
}

// Murmur2 is Kafka's 32-bit murmur2 hash (org.apache.kafka.common.utils.Utils.murmur2).
func Murmur2(data []byte) int32 {
	const m, r = 0x5bd1e995, 24
	h := uint32(0x9747b28c) ^ uint32(len(data))
	for len(data) >= 4 {
		k := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
		k *= m
		k ^= k >> r
		k *= m
		h = h*m ^ k
		data = data[4:]
	}
	switch len(data) {
	case 3:
		h ^= uint32(data[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(data[1]) << 8
		fallthrough
	case 1:
		h = (h ^ uint32(data[0])) * m
	}
	h ^= h >> 13
	h *= m
	return int32(h ^ h>>15)
}
