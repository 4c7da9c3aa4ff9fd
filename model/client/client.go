package client

import (
	"encoding/binary"

	"mirrorsim/model/assert"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// Cluster is what a client is told of a cluster: bootstrap.servers. It has at least one broker.
type Cluster struct{ Bootstrap []id.Node }

// maxClusters bounds the clusters that a client knows: a timer's name has four bits for the cluster.
const maxClusters = 16

// maxTries bounds the count of tries that back-off grows with; the longest pause is reached long before.
const maxTries = 30

// timerKind is what a timer of a client is for.
type timerKind uint8

// The timers. Those of requests and deliveries are numbered, because several run at once.
const (
	requestTimer          timerKind = iota + 1 // an attempt of the main request has no answer
	retryTimer                                 // back-off before the next attempt is over
	deliveryTimer                              // delivery.timeout.ms of a producer, default.api.timeout.ms of an admin
	metadataTimer                              // a MetadataRequest has no answer
	metadataRetryTimer                         // back-off before the next MetadataRequest is over
	metadataAgeTimer                           // metadata.max.age.ms has passed
	producerIDTimer                            // an InitProducerIdRequest has no answer
	producerIDRetryTimer                       // back-off before the next InitProducerIdRequest is over
	coordinatorTimer                           // a request to the transaction coordinator has no answer
	coordinatorRetryTimer                      // back-off before the next request to the transaction coordinator is over
	groupTimer                                 // a request to the group coordinator has no answer
	groupRetryTimer                            // back-off before the next request to the group coordinator is over
	heartbeatTimer                             // heartbeat.interval.ms of a group's member
	commitTimer                                // auto.commit.interval.ms of a group's member
	groupDeadlineTimer                         // default.api.timeout.ms of a commit, or close()'s time-out of a leave
)

// timer names the timer of kind k for a partition of a cluster; a partition has one id on both sides of a mirror.
func timer(k timerKind, c id.Cluster, p id.Partition, number uint8) node.Timer {
	return node.Timer{Kind: uint8(k)<<4 | uint8(c), Partition: p, Peer: id.Node(number)}
}

// splitKind takes the kind of a timer apart.
func splitKind(t node.Timer) (timerKind, id.Cluster) {
	return timerKind(t.Kind >> 4), id.Cluster(t.Kind & (maxClusters - 1))
}

// base is what the clients share.
type base struct {
	self        id.Node
	settings    *setting.Settings
	clusters    []Cluster // by id.Cluster
	correlation uint32    // of the newest request; 0 stands for no request
	ops         uint32    // the number of the newest operation
}

func newBase(self id.Node, clusters []Cluster, s *setting.Settings) base {
	assert.That(len(clusters) <= maxClusters, "a client knows at most 16 clusters")
	return base{self: self, settings: s, clusters: clusters}
}

// nextCorrelation numbers a request. An answer counts only while its number is the one that is waited for: Kafka drops
// the connection when a request times out, so that a late answer never arrives.
func (b *base) nextCorrelation() uint32 {
	b.correlation++
	return b.correlation
}

// nextOp numbers an operation of the history, from 1.
func (b *base) nextOp() uint32 {
	b.ops++
	return event.OpOf(uint8(b.self), b.ops)
}

// bootstrap is the broker of cluster c whose turn it is, round robin; it moves the turn on.
func (b *base) bootstrap(c id.Cluster, turn *uint8) id.Node {
	brokers := b.clusters[c].Bootstrap
	n := brokers[int(*turn)%len(brokers)]
	*turn = uint8((int(*turn) + 1) % len(brokers))
	return n
}

// armBackoff arms t for the pause before the next try and counts the try: retry.backoff.ms, doubled with each one up to
// retry.backoff.max.ms, with up to 20 % of jitter.
func (b *base) armBackoff(t node.Timer, tries *uint8, out *node.Effects) {
	pause := b.settings.RetryBackoff
	for range *tries {
		if pause >= b.settings.RetryBackoffMax {
			break
		}
		pause *= 2
	}
	pause = min(pause, b.settings.RetryBackoffMax)
	*tries = min(*tries+1, maxTries)
	out.Arm(t, pause, pause/5)
}

// needsMetadata tells whether a client asks for the leader again after this code, as after Kafka's
// InvalidMetadataException and after a lost connection.
func needsMetadata(c wire.Code) bool {
	switch c {
	case wire.NotLeaderOrFollower, wire.UnknownTopicOrPartition, wire.LeaderNotAvailable, wire.FencedLeaderEpoch,
		wire.UnknownLeaderEpoch, wire.RequestTimedOut:
		return true
	}
	return false
}

// describe names a partition of a cluster for Waits; a node knows no names.
func describe(c id.Cluster, p id.Partition) string {
	var none id.Names
	return none.Cluster(c) + "/" + none.Partition(p)
}

// describeNode names a node for Waits.
func describeNode(n id.Node) string {
	var none id.Names
	return none.Node(n)
}

// word appends w to a canonical state.
func word(dst []byte, w uint64) []byte { return binary.LittleEndian.AppendUint64(dst, w) }

// flags packs booleans into a word, the first one lowest.
func flags(set ...bool) uint64 {
	var w uint64
	for i, f := range set {
		if f {
			w |= 1 << i
		}
	}
	return w
}
