package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Topology is what a ledger must know before the first event: to which cluster each node belongs, how to print names,
// and the choices of the protocol that change what a correct history looks like.
type Topology struct {
	Cluster []id.Cluster // by node
	Names   *id.Names    // for printing only; nil prints numbers

	RewritesEpochs          bool // D8=rewrite: a mirrored batch carries the destination's leader epoch
	RewritesProducers       bool // D9=map-negative: a mirrored batch carries another producer id
	ResetClosesTransactions bool // D21=producers-and-transactions
	PositionEpoch           bool // D1: a last mirrored position has an epoch
	PositionOffset          bool // D1: it has an offset; with neither, nothing is stored
	DropsEarlyPauses        bool // D25=drop: a pause may be answered as a success and never done
	StopsDeleted            bool // D24=stop: the deletion of the source's topic stops it
	RefusesFailed           bool // D18, by what D48 reads: a stop is refused while a partition is FAILED
	ChecksReverse           bool // D20=checked: a lookup waits until it is known that the chain of mirrors is no loop

	MetadataRefresh id.Duration // mirror.metadata.refresh.interval.ms
	Sync            []SyncLists // of each mirror
}

// Ledger is one fold of a history. Every checker, wait, expectation, report and story reads it, so that they cannot
// disagree about what happened. It holds nothing that grows with the length of the run but what was lost for good.
type Ledger struct {
	topology Topology
	clusters int
	index    []slotOf // sorted by word
	last     slotOf   // the partition of the last event: events of one partition come in runs
	parts    []*part  // by slot, in the order in which they were first seen
	topics   []*topic
	nodes    []nodeState
	control  []id.Node      // by cluster: the active controller as the metadata log says, id.None before the first
	sources  [][]id.Cluster // of mirrors: by destination cluster, then mirror; noCluster where none
	clients  []*client      // by node; nil for a node that is no client
	entries  int            // how many (cluster, mirror, partition) have an entry number
	txns     []coordinated  // by cluster and transactional id
	groups   []groupReads   // in the order in which they first read
	commits  []groupCommit  // committed offsets, in the order in which they were first committed
	passes   []passes       // ordered by cluster and mirror
	acls     [][]aclBinding // by cluster, ordered by word
	now      id.Duration    // of the last event
	calm     id.Duration    // since when no node, link, registration or controller has changed

	// What the event that was folded in last has changed, for the checkers that are asked about it.
	was struct {
		end, hw     int64
		epoch       Epoch // EpochAdded: the newest entry before, noEpoch if it is not judged
		leaderEpoch int32 // of the partition's registration
		lostTail    bool  // Recovered: the log came back shorter
		firstOwn    bool  // Appended: the broker's first local batch after a stop
		next        int64 // ConsumerRead: the position before; -1 if unknown
		judgeable   bool  // ConsumerRead: the serving log has not been cut since it answered
		high        int64 // ConsumerRead: the high watermark of the serving log when it answered
		stable      int64 // ConsumerRead: its last stable offset then
		isolated    bool  // ConsumerRead: what was read has transactional batches
		digest      uint64
		resumed     resumed        // ConsumerRead: of a group
		probe       probe          // FetchAnswered to a mirror fetcher: the answer before
		entry       int            // EntryRemoved: the number of the entry that has ended
		config      topicConfig    // ConfigChanged: the config before
		acl         aclBinding     // AclChanged: the binding before
		desired     record.Desired // IntentChanged: the desired state before
		desiredBy   uint64         // IntentChanged: the event that said so
		op          op             // ProduceReturned: the operation that it closes
		closed      bool
	}
	cut     []entry   // Truncated, Recovered: what the log lost
	thinned bool      // Truncated: the cut begins with a batch that compaction had removed something from
	cleaned int64     // Truncated: and how far the cleaner knew
	missing []missing // BecameLeader, Truncated, ProduceReturned: acknowledged appends found missing
	report  replicaReport
}

// replicaReport is what a replica says of itself: its events stand together in the history.
type replicaReport struct {
	node      id.Node
	epochs    []Epoch
	producers []producerEntry
	waits     int32 // entries that have not come yet
}

// producerEntry is one entry of a replica's producer state as it reports it.
type producerEntry struct {
	producer    int64
	epoch       int32
	sequence    int32
	transaction int64 // the first offset of its open transaction; -1 if none
	last        int64 // the last offset of its newest batch
}

// missing is an acknowledged append that the leader's log does not have any more.
type missing struct {
	ack     ack
	excused string // why its loss is beyond the fault budget; "" if it is not
}

// noCluster stands for "no cluster" in tables.
const noCluster id.Cluster = 255

type slotOf struct {
	word uint32
	slot int32
}

type nodeState struct {
	cluster id.Cluster
	down    bool
	states  *id.Partition // the partition of __mirror_state that it has appended to last; nil if it has to none
}

// topic holds what is known of a topic: by cluster what the controller wants, by node what a broker has seen of it.
type topic struct {
	id         id.Topic
	partitions []partitionCount // by cluster
	internal   bool             // __mirror_state, __transaction_state or __consumer_offsets
	states     bool             // __mirror_state
	offsets    bool             // __consumer_offsets
	minISR     []uint8          // by cluster: min.insync.replicas
	madeMinISR []uint8          // by cluster: that with which it was created
	configs    []topicConfigs   // by cluster
	desired    []record.Desired // by cluster
	desiredAt  []id.Duration    // by cluster: when it changed last
	desiredBy  []uint64         // by cluster: the event that said so
	mirror     []id.Mirror      // by cluster: the one that the desired state belongs to
	seen       []record.Desired // by node
	unclean    uint64           // the clusters on which it has mirror.support.unclean.leader.election
	shared     bool             // a clone has the same topic
}

// partitionCount is how many partitions a topic has on a cluster, since when, which event said so, and when a user asked for
// it last.
type partitionCount struct {
	n     uint16
	since id.Duration
	index uint64
	asked id.Duration
}

// part is one partition on all clusters.
type part struct {
	id       id.Partition
	slot     int32
	topic    int32
	replicas []*Shadow      // by node; nil where the node has none
	in       []*clusterPart // by cluster
	loss     losses
	sides    sides
}

// NewLedger is an empty ledger.
func NewLedger(t Topology) *Ledger {
	l := &Ledger{topology: t}
	for _, c := range t.Cluster {
		l.nodes = append(l.nodes, nodeState{cluster: c})
		l.clusters = max(l.clusters, int(c)+1)
	}
	l.clients = make([]*client, len(t.Cluster))
	l.sources = make([][]id.Cluster, l.clusters)
	l.control = slices.Repeat([]id.Node{id.None}, l.clusters)
	l.acls = make([][]aclBinding, l.clusters)
	l.last.slot = -1
	if l.topology.Names == nil {
		l.topology.Names = &id.Names{}
	}
	return l
}

// Fold takes in the next event of the history. It keeps no reference to e, only to its batch.
func (l *Ledger) Fold(e *event.Event) {
	l.now = e.At
	switch k := e.Kind; {
	case k >= event.ProducerIdReceived:
		l.foldClient(e)
	case k >= event.StateReadCalled:
		l.foldMirror(e)
	case k >= event.Recovered:
		l.foldReplica(e)
	case k >= event.TopicCreated:
		l.foldMetadata(e)
	default:
		l.foldWorld(e)
	}
}

// foldWorld takes in crashes and starts.
func (l *Ledger) foldWorld(e *event.Event) {
	if int(e.Node) >= len(l.nodes) {
		return
	}
	if e.Kind != event.PointReached {
		l.calm = e.At
	}
	switch e.Kind {
	case event.Corrupted:
		l.foldCorrupted(e)
	case event.Started:
		l.nodes[e.Node].down = false
	case event.Crashed:
		l.nodes[e.Node].down = true
		for _, pt := range l.parts {
			if s := pt.replicas[e.Node]; s != nil {
				s.forgetRole()
			}
			if event.CrashCause(e.Cause) == event.PowerLoss {
				pt.in[l.nodes[e.Node].cluster].darken(e.Node, e.Index)
			}
			l.weighSides(pt)
		}
		for i := range l.topics {
			l.topicToChange(int32(i)).seen[e.Node] = record.WantNone // a broker replays the metadata log again when it starts
		}
	}
}

// part is the partition's entry, made at first sight.
func (l *Ledger) part(p id.Partition) *part {
	w := p.Word()
	if l.last.word == w && l.last.slot >= 0 {
		return l.parts[l.last.slot]
	}
	i, found := l.find(w)
	if !found {
		l.index = slices.Insert(l.index, i, slotOf{w, int32(len(l.parts))})
		l.parts = append(l.parts, l.newPart(p))
	}
	l.last = l.index[i]
	return l.parts[l.last.slot]
}

// seek is the partition's entry, or nil.
func (l *Ledger) seek(p id.Partition) *part {
	if i, found := l.find(p.Word()); found {
		return l.parts[l.index[i].slot]
	}
	return nil
}

func (l *Ledger) find(word uint32) (int, bool) {
	lo, hi := 0, len(l.index)
	for lo < hi {
		mid := (lo + hi) / 2
		if l.index[mid].word < word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(l.index) && l.index[lo].word == word
}

func (l *Ledger) newPart(p id.Partition) *part {
	pt := &part{id: p, slot: int32(len(l.parts)), topic: l.topicIndex(p.Topic), loss: losses{authority: noCluster}}
	pt.replicas = make([]*Shadow, len(l.nodes))
	pt.in = make([]*clusterPart, l.clusters)
	for c := range pt.in {
		pt.in[c] = newClusterPart()
	}
	return pt
}

// topicIndex is the topic's place in l.topics, made at first sight.
func (l *Ledger) topicIndex(t id.Topic) int32 {
	for i, x := range l.topics {
		if x.id == t {
			return int32(i)
		}
	}
	l.topics = append(l.topics, &topic{id: t, desired: make([]record.Desired, l.clusters),
		mirror: make([]id.Mirror, l.clusters), seen: make([]record.Desired, len(l.nodes)), minISR: make([]uint8, l.clusters),
		madeMinISR: make([]uint8, l.clusters), configs: make([]topicConfigs, l.clusters),
		partitions: make([]partitionCount, l.clusters), desiredAt: make([]id.Duration, l.clusters), desiredBy: make([]uint64, l.clusters)})
	return int32(len(l.topics) - 1)
}

// cluster is the cluster of node n.
func (l *Ledger) cluster(n id.Node) id.Cluster {
	if int(n) < len(l.nodes) {
		return l.nodes[n].cluster
	}
	return noCluster
}

// shadow is the replica of pt on node n, made at first sight.
func (l *Ledger) shadow(pt *part, n id.Node) *Shadow {
	s := pt.replicas[n]
	if s == nil {
		s = newShadow()
		pt.replicas[n] = s
		for _, o := range pt.replicas {
			s.thinned = s.thinned || o != nil && o.thinned
		}
	}
	return s
}
