package client

import (
	"cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// metadata is what a client knows of one partition: who leads it, and in which leader epoch. It asks the bootstrap
// brokers in turn; each may be behind, so an answer of a lower leader epoch than the one known is not believed
// (KIP-320, KAFKA-9840 and section 4 of the design).
type metadata struct {
	cluster   id.Cluster
	partition id.Partition
	leader    id.Node // None: not known, or the partition has none
	epoch     int32   // the highest leader epoch heard of, -1 before the first answer
	asking    uint32  // the correlation of the request under way, 0 if there is none
	waiting   bool    // back-off before the next request
	aged      bool    // metadata.max.age.ms has passed since the last answer
	tries     uint8   // requests since the last useful answer
	turn      uint8   // the bootstrap broker to ask next
}

func newMetadata(c id.Cluster, p id.Partition) metadata {
	return metadata{cluster: c, partition: p, leader: id.None, epoch: -1}
}

// compare orders what a client keeps by cluster, then partition.
func (m *metadata) compare(c id.Cluster, p id.Partition) int {
	if m.cluster != c {
		return int(m.cluster) - int(c)
	}
	return cmp.Compare(m.partition.Word(), p.Word())
}

// known tells whether there is a leader to send to. When there is none, or what is known is too old, it asks; what is old
// is used meanwhile, as Kafka's clients do.
func (m *metadata) known(b *base, out *node.Effects) bool {
	if m.leader == id.None || m.aged {
		m.refresh(b, out)
	}
	return m.leader != id.None
}

// seen takes a leader epoch that the client has from elsewhere: a committed offset's. Where it is above the one known, what
// is known is too old to be used, and so is every answer below it, for as long as the cluster gives no other (Kafka's
// Metadata.updateLastSeenEpochIfNewer; case E2).
func (m *metadata) seen(epoch int32) {
	if epoch > m.epoch {
		m.leader, m.epoch = id.None, epoch
	}
}

// refresh asks the next bootstrap broker, unless a request or a back-off is under way.
func (m *metadata) refresh(b *base, out *node.Effects) {
	if m.asking != 0 || m.waiting {
		return
	}
	m.asking = b.nextCorrelation()
	out.Send(b.bootstrap(m.cluster, &m.turn), &wire.MetadataRequest{Partition: m.partition, Correlation: m.asking})
	out.Arm(m.timer(metadataTimer), b.settings.RequestTimeout, 0)
}

// answered takes the answer to the request under way.
func (m *metadata) answered(b *base, r *wire.MetadataResponse, out *node.Effects) {
	m.asking = 0
	out.Cancel(m.timer(metadataTimer))
	if r.Code == wire.OK && r.Leader != id.None && r.LeaderEpoch >= m.epoch {
		m.leader, m.epoch = r.Leader, r.LeaderEpoch
		m.tries, m.aged = 0, false
		out.Arm(m.timer(metadataAgeTimer), b.settings.MetadataMaxAge, 0)
		return
	}
	if r.Leader == id.None && r.LeaderEpoch > m.epoch {
		m.leader, m.epoch = id.None, r.LeaderEpoch
	}
	m.backOff(b, out)
}

// fired takes a timer of this partition; it is false when the timer is not of metadata. inUse tells whether the client
// has anything to do there: idle metadata ages without being asked for.
func (m *metadata) fired(b *base, k timerKind, inUse bool, out *node.Effects) bool {
	switch k {
	case metadataTimer:
		m.asking = 0
		m.backOff(b, out)
	case metadataRetryTimer:
		m.waiting = false
		if inUse {
			m.refresh(b, out)
		}
	case metadataAgeTimer:
		m.aged = true
		if inUse {
			m.refresh(b, out)
		}
	default:
		return false
	}
	return true
}

func (m *metadata) backOff(b *base, out *node.Effects) {
	m.waiting = true
	b.armBackoff(m.timer(metadataRetryTimer), &m.tries, out)
}

// stop gives up the request under way. What is known stays.
func (m *metadata) stop(out *node.Effects) {
	if m.asking != 0 {
		out.Cancel(m.timer(metadataTimer))
	}
	if m.waiting {
		out.Cancel(m.timer(metadataRetryTimer))
	}
	m.asking, m.waiting = 0, false
}

func (m *metadata) timer(k timerKind) node.Timer { return timer(k, m.cluster, m.partition, 0) }

func (m *metadata) appendState(dst []byte) []byte {
	dst = word(dst, uint64(m.partition.Word())<<8|uint64(m.cluster))
	dst = word(dst, uint64(uint32(m.epoch))<<32|uint64(m.leader)<<24|uint64(m.tries)<<16|uint64(m.turn)<<8|
		flags(m.asking != 0, m.waiting, m.aged))
	return dst
}
