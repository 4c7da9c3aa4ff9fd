package id

import "math/bits"

// Cluster is the index of a Kafka cluster in the world: 0 is the first one named by the scenario.
type Cluster uint8

// Node is the index of a broker, metadata log, controller, client or admin in the world. Brokers are numbered first, so
// that a Set can hold any of them.
type Node uint8

// None is no node: no leader, no replica (a consumer or a mirror fetcher), or the runner as a sender.
const None Node = 255

// Topic is Kafka's 16-byte topic id made small: the creating cluster in the upper 4 bits, a counter from 1 in the lower
// 12. 0 is none. A topic keeps its id across clusters; that is how a mirror knows it is the same topic.
type Topic uint16

// NewTopic makes the id of the n-th topic (from 1) that cluster c created.
func NewTopic(c Cluster, n uint16) Topic { return Topic(c)<<12 | Topic(n&0xfff) }

// Mirror is a mirror's name made small: an index from 1 into Names.Mirrors; 0 is none. The same name used in two
// clusters is one Mirror.
type Mirror uint8

// Duration is a span of virtual time in microseconds. The model knows no absolute time.
type Duration int64

// Units of virtual time.
const (
	Microsecond Duration = 1
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
)

// Partition is a topic id and a partition index. It says nothing about the cluster: a mirrored partition is the same
// Partition on both sides, and whoever needs to tell them apart pairs it with a Cluster.
type Partition struct {
	Topic Topic
	Index uint16
}

// Word is the partition as one integer that orders by topic, then index.
func (p Partition) Word() uint32 { return uint32(p.Topic)<<16 | uint32(p.Index) }

// Less orders partitions by topic, then index.
func (p Partition) Less(q Partition) bool { return p.Word() < q.Word() }

// Set is a set of brokers, such as an ISR. It holds nodes below MaxBrokers only.
type Set uint64

// MaxBrokers bounds the number of brokers in a world, so that a Set fits one word.
const MaxBrokers = 64

// SetOf is the set of the given brokers.
func SetOf(nodes ...Node) Set {
	var s Set
	for _, n := range nodes {
		s = s.With(n)
	}
	return s
}

// Has tells whether n is in s.
func (s Set) Has(n Node) bool { return n < MaxBrokers && s&(1<<n) != 0 }

// With is s and n.
func (s Set) With(n Node) Set { return s | 1<<n }

// Without is s less n.
func (s Set) Without(n Node) Set { return s &^ (1 << n) }

// Len is the number of brokers in s.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }
