package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// The nodes of the histories in these tests: two clusters of two brokers, their metadata logs, two producers, a consumer
// and two admins.
const (
	a0 id.Node = iota
	a1
	b0
	b1
	aLog
	bLog
	p1
	p2
	r1
	aAdmin
	bAdmin
)

const (
	clusterA id.Cluster = iota
	clusterB
)

const mirrorM id.Mirror = 1

var topicT = id.NewTopic(clusterA, 1)

// topicOffsets is __consumer_offsets of B.
var topicOffsets = id.NewTopic(clusterB, 2)

// t0 is the partition t-0.
var t0 = id.Partition{Topic: topicT}

var topology = Topology{
	Cluster:       []id.Cluster{0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1},
	PositionEpoch: true,
	Names: &id.Names{
		Clusters: []string{"A", "B"},
		Nodes:    []string{"a0", "a1", "b0", "b1", "a-log", "b-log", "p1", "p2", "r1", "a-admin", "b-admin"},
		Topics:   map[id.Topic]string{topicT: "t", topicOffsets: "__consumer_offsets"},
		Mirrors:  []string{"", "m"},
	},
}

// builder writes a history by hand. It keeps the logs only to fill in offsets, epochs and digests.
type builder struct {
	events  []event.Event
	logs    [4][]*record.Batch
	starts  [4]int64
	hw      [4]int64
	epochs  [4][]Epoch
	leader  [2]id.Node
	epoch   [2]int32
	desired [2]record.Desired
	run     [2]int32
	state   [2]record.State
	version [2]int32
	agreed  [2]bool // the source has answered a fetch of this run without divergence
	ops     uint32
	records uint64
}

func (b *builder) emit(e event.Event) *event.Event {
	e.Index = uint64(len(b.events) + 1)
	e.At = id.Duration(e.Index) * id.Millisecond
	b.events = append(b.events, e)
	return &b.events[len(b.events)-1]
}

func (b *builder) on(k event.Kind, n id.Node, e event.Event) *event.Event {
	e.Kind, e.Node = k, n
	if e.Partition == (id.Partition{}) {
		e.Partition = t0
	}
	return b.emit(e)
}

func logOf(c id.Cluster) id.Node           { return [2]id.Node{aLog, bLog}[c] }
func brokers(c id.Cluster) []id.Node       { return [][]id.Node{{a0, a1}, {b0, b1}}[c] }
func clusterOf(n id.Node) id.Cluster       { return topology.Cluster[n] }
func (b *builder) other(n id.Node) id.Node { return n ^ 1 }

func (b *builder) end(n id.Node) int64 {
	if k := len(b.logs[n]); k > 0 {
		return b.logs[n][k-1].Last + 1
	}
	return b.starts[n]
}

func (b *builder) lastEpoch(n id.Node) int32 {
	if k := len(b.epochs[n]); k > 0 {
		return b.epochs[n][k-1].Epoch
	}
	return -1
}

// boot starts the nodes and creates the topic on both clusters, led by a0 and b0 in epoch 0.
func (b *builder) boot() {
	for n := range topology.Cluster {
		b.emit(event.Event{Kind: event.Started, Node: id.Node(n)})
	}
	for c := clusterA; c <= clusterB; c++ {
		b.on(event.TopicCreated, logOf(c), event.Event{Partition: id.Partition{Topic: id.NewTopic(c, 9)}, Sequence: 2, From: 1})
		b.on(event.TopicCreated, logOf(c), event.Event{Sequence: 1, To: 1})
		b.epoch[c] = -1
		b.elect(c, brokers(c)[0], event.PartitionCreated)
		b.on(event.MirrorCreated, logOf(c), event.Event{Mirror: mirrorM, To: uint8(1 - c)})
	}
}

// register writes a registration of the partition into the metadata log.
func (b *builder) register(c id.Cluster, cause event.ChangeCause, isr id.Set) {
	b.on(event.PartitionChanged, logOf(c), event.Event{Peer: b.leader[c], LeaderEpoch: b.epoch[c], Digest: uint64(isr),
		Offset: int64(id.SetOf(brokers(c)[0], brokers(c)[1])), Cause: uint8(cause)})
}

// elect makes n the leader in the next epoch; every broker hears of it, and the leader's cache gets an entry unless the
// topic is mirrored.
func (b *builder) elect(c id.Cluster, n id.Node, cause event.ChangeCause) {
	b.leader[c] = n
	b.epoch[c]++
	isr := id.SetOf(brokers(c)[0], brokers(c)[1])
	if cause == event.UncleanElection {
		isr = id.SetOf(n)
	}
	b.register(c, cause, isr)
	b.on(event.BecameLeader, n, event.Event{LeaderEpoch: b.epoch[c], Offset: b.end(n), End: b.hw[n]})
	if d := b.desired[c]; d == record.WantNone || d == record.WantStopped {
		b.addEpoch(n, b.epoch[c], b.end(n))
	}
	b.on(event.BecameFollower, b.other(n), event.Event{LeaderEpoch: b.epoch[c], Peer: n})
}

func (b *builder) addEpoch(n id.Node, epoch int32, start int64) {
	k := len(b.epochs[n])
	for k > 0 && b.epochs[n][k-1].Start >= start {
		k--
	}
	b.epochs[n] = append(slices.Clone(b.epochs[n][:k]), Epoch{epoch, start})
	b.on(event.EpochAdded, n, event.Event{BatchEpoch: epoch, Offset: start, Sequence: int32(k + 1)})
}

// append puts x at the end of n's log: as it is if it has an epoch already.
func (b *builder) append(n id.Node, x *record.Batch, origin event.Origin) *record.Batch {
	c := clusterOf(n)
	if x.LeaderEpoch < 0 {
		x = x.At(b.end(n), b.epoch[c])
	}
	before := b.end(n)
	b.logs[n] = append(slices.Clone(b.logs[n]), x)
	b.on(event.Appended, n, event.Event{LeaderEpoch: b.epoch[c], BatchEpoch: x.LeaderEpoch, Offset: x.Base, End: x.Last + 1,
		ProducerID: x.ProducerID, Sequence: x.BaseSequence, Cause: uint8(origin), Batch: x})
	if last := b.lastEpoch(n); last != x.LeaderEpoch {
		b.epochs[n] = slices.DeleteFunc(slices.Clone(b.epochs[n]), func(y Epoch) bool {
			return y.Start >= before && y.Epoch > x.LeaderEpoch
		})
		b.addEpoch(n, x.LeaderEpoch, x.Base)
	}
	if x.Control == record.MirrorPidReset {
		b.on(event.ProducersReset, n, event.Event{Offset: x.Base})
	}
	return x
}

func (b *builder) highWatermark(n id.Node, to int64) {
	if b.hw[n] != to {
		b.hw[n] = to
		b.on(event.HighWatermark, n, event.Event{LeaderEpoch: b.epoch[clusterOf(n)], Offset: to, End: b.end(n)})
	}
}

// replicate lets the follower of cluster c catch up, and both high watermarks follow.
func (b *builder) replicate(c id.Cluster) {
	n := b.leader[c]
	f := b.other(n)
	b.follow(n, f)
	b.highWatermark(n, b.end(n))
	b.highWatermark(f, b.end(n))
}

func (b *builder) follow(n, f id.Node) {
	c := clusterOf(n)
	fetch := func() {
		b.on(event.FetchAnswered, n, event.Event{Peer: f, LeaderEpoch: b.epoch[c], BatchEpoch: b.lastEpoch(f),
			Offset: b.end(f), End: b.end(n), From: uint8(event.Follower)})
	}
	fetch()
	for _, x := range b.logs[n] {
		if x.Base >= b.end(f) {
			b.append(f, x, event.FromLeader)
		}
	}
	fetch()
}

// truncate cuts n's log to end.
func (b *builder) truncate(n id.Node, end int64, cause event.TruncateCause) {
	before := b.end(n)
	b.logs[n] = slices.DeleteFunc(slices.Clone(b.logs[n]), func(x *record.Batch) bool { return x.Last >= end })
	b.epochs[n] = slices.DeleteFunc(slices.Clone(b.epochs[n]), func(x Epoch) bool { return x.Start >= end })
	b.hw[n] = min(b.hw[n], end)
	b.on(event.Truncated, n, event.Event{LeaderEpoch: b.epoch[clusterOf(n)], Offset: end, End: before, Cause: uint8(cause)})
}

// data is a batch of n new records; sequence -1 makes it a plain producer's.
func (b *builder) data(client id.Node, n int, producer int64, sequence int32) *record.Batch {
	var records []record.Record
	for range n {
		b.records++
		records = append(records, record.Record{Key: uint64(client) + 1, Value: b.records})
	}
	return record.NewData(producer, int16(min(producer, 0)), sequence, records)
}

// call is a produce up to its first send.
func (b *builder) call(client id.Node, c id.Cluster, x *record.Batch, acks uint8) uint32 {
	b.ops++
	op := event.OpOf(uint8(client), b.ops)
	b.on(event.ProduceCalled, client, event.Event{Op: op, ProducerID: x.ProducerID, BatchEpoch: int32(x.ProducerEpoch),
		Sequence: x.BaseSequence, End: x.Count(), Digest: uint64(x.CRC), From: uint8(c), To: acks})
	b.on(event.ProduceSent, client, event.Event{Op: op, Peer: b.leader[c], From: uint8(c)})
	return op
}

func (b *builder) returned(client id.Node, c id.Cluster, op uint32, base int64, code uint8) {
	b.on(event.ProduceReturned, client, event.Event{Op: op, Peer: b.leader[c], From: uint8(c), Offset: base, To: code})
}

// produce is a whole produce with acks=all of one batch.
func (b *builder) produce(client id.Node, c id.Cluster, x *record.Batch) {
	op := b.call(client, c, x, acksAll)
	x = b.append(b.leader[c], x, event.FromClient)
	b.replicate(c)
	b.returned(client, c, op, x.Base, codeOK)
}

// consume reads all that is below the leader's high watermark, from offset from.
func (b *builder) consume(client id.Node, c id.Cluster, from int64) {
	n := b.leader[c]
	b.on(event.FetchAnswered, n, event.Event{Peer: client, LeaderEpoch: b.epoch[c], Offset: from, End: b.end(n),
		From: uint8(event.Consumer)})
	var h uint64
	epoch := int32(-1)
	for _, x := range b.logs[n] {
		if x.Last >= from && x.Last < b.hw[n] {
			h, epoch = event.MixBatch(h, x), x.LeaderEpoch
		}
	}
	b.on(event.ConsumerRead, client, event.Event{Peer: n, From: uint8(c), Offset: from, End: b.hw[n], LeaderEpoch: epoch,
		Digest: h})
}

// intent is a request of an admin, up to the moment at which every broker has seen it.
func (b *builder) intent(c id.Cluster, want record.Desired) {
	b.ops++
	admin := [2]id.Node{aAdmin, bAdmin}[c]
	op := event.OpOf(uint8(admin), b.ops)
	topic := id.Partition{Topic: topicT}
	b.on(event.AdminCalled, admin, event.Event{Partition: topic, Mirror: mirrorM, Op: op, From: uint8(c),
		To: id.Bit(want == record.WantStopped)})
	b.desired[c] = want
	b.on(event.IntentChanged, logOf(c), event.Event{Partition: topic, Mirror: mirrorM, To: uint8(want)})
	b.on(event.AdminReturned, admin, event.Event{Partition: topic, Mirror: mirrorM, Op: op, From: uint8(c)})
	for _, n := range brokers(c) {
		b.on(event.IntentSeen, n, event.Event{Partition: topic, Mirror: mirrorM, To: uint8(want)})
		if n == b.leader[c] && b.state[c] == record.Stopped && want != record.WantStopped {
			b.on(event.WritableChanged, n, event.Event{Mirror: mirrorM, LeaderEpoch: b.epoch[c], Offset: int64(b.run[c])})
		}
	}
}

// store is a write of a state by the leader, from its call to its answer. The coordinator is the other broker.
func (b *builder) store(c id.Cluster, to record.State) {
	n := b.leader[c]
	coordinator := b.other(n)
	if to == record.Preparing {
		b.run[c]++
		b.agreed[c] = false
	}
	b.ops++
	b.version[c]++
	op := event.OpOf(uint8(n), b.ops)
	x := event.Event{Mirror: mirrorM, Op: op, To: uint8(to), LeaderEpoch: b.epoch[c], Offset: int64(b.run[c])}
	b.on(event.StateWriteCalled, n, x)
	x.Peer, x.From, x.Sequence = n, uint8(b.state[c]), b.version[c]
	b.on(event.StateStored, coordinator, x)
	x.Peer, x.From = 0, 0
	b.on(event.StateCommitted, coordinator, x)
	b.on(event.StateWriteReturned, n, x)
	b.on(event.StateEntered, n, event.Event{Mirror: mirrorM, From: uint8(b.state[c]), To: uint8(to), LeaderEpoch: b.epoch[c],
		Offset: int64(b.run[c])})
	b.state[c] = to
}

// read is a read of the state by broker n.
func (b *builder) read(n id.Node) {
	c := clusterOf(n)
	b.ops++
	op := event.OpOf(uint8(n), b.ops)
	b.on(event.StateReadCalled, n, event.Event{Mirror: mirrorM, Op: op, LeaderEpoch: b.epoch[c]})
	b.on(event.StateReadReturned, n, event.Event{Mirror: mirrorM, Op: op, To: uint8(b.state[c]), Sequence: b.version[c],
		Offset: int64(b.run[c])})
}

func (b *builder) position(c id.Cluster, epoch int32) {
	n := b.leader[c]
	b.on(event.PositionStored, b.other(n), event.Event{Mirror: mirrorM, Peer: n, BatchEpoch: epoch, Offset: b.end(n),
		LeaderEpoch: b.epoch[c], Sequence: b.run[c]})
	b.on(event.PositionCommitted, b.other(n), event.Event{Mirror: mirrorM, BatchEpoch: epoch, Offset: b.end(n),
		LeaderEpoch: b.epoch[c], Sequence: b.run[c]})
}

// start brings the mirror on cluster c from a request to MIRRORING. The log is cut to end first, if end is below its own.
func (b *builder) start(c id.Cluster, found bool, end int64, cause event.TruncateCause) {
	b.intent(c, record.WantMirroring)
	n := b.leader[c]
	b.read(n)
	b.store(c, record.Preparing)
	b.on(event.LookupReturned, n, event.Event{Mirror: mirrorM, Peer: b.leader[1-c], Cause: id.Bit(found), BatchEpoch: 0})
	if cause == event.AlignedToLME {
		b.cut(c, end, cause)
	} else {
		b.truncate(n, b.end(n), event.AlignedToLME) // it keeps all
	}
	b.on(event.Aligned, n, event.Event{Mirror: mirrorM, LeaderEpoch: b.epoch[c], Offset: b.end(n)})
	b.store(c, record.Mirroring)
	b.on(event.MirrorFetchStarted, n, event.Event{Mirror: mirrorM, Peer: b.leader[1-c], Offset: b.end(n),
		LeaderEpoch: b.epoch[c], BatchEpoch: b.epoch[1-c]})
	if cause != event.AlignedToLME && end < b.end(n) {
		b.fetch(c, true)
		b.cut(c, end, cause)
	}
}

// cut truncates the leader, and the follower follows.
func (b *builder) cut(c id.Cluster, end int64, cause event.TruncateCause) {
	n := b.leader[c]
	b.truncate(n, end, cause)
	b.truncate(b.other(n), end, event.Diverged)
	b.follow(n, b.other(n))
}

// fetch is one mirror fetch that brings nothing.
func (b *builder) fetch(c id.Cluster, diverging bool) {
	b.agreed[c] = b.agreed[c] || !diverging
	n, s := b.leader[c], b.leader[1-c]
	b.on(event.FetchAnswered, s, event.Event{Peer: n, LeaderEpoch: b.epoch[1-c], BatchEpoch: b.lastEpoch(n), Offset: b.end(n),
		End: b.end(s), From: uint8(event.MirrorFetcher), Cause: id.Bit(diverging)})
	b.on(event.MirrorFetched, n, event.Event{Mirror: mirrorM, Peer: s, Offset: b.end(n), End: b.hw[s],
		LeaderEpoch: b.epoch[c], BatchEpoch: b.epoch[1-c], Cause: id.Bit(diverging)})
}

// catchUp mirrors all that the source has.
func (b *builder) catchUp(c id.Cluster) {
	n, s := b.leader[c], b.leader[1-c]
	b.fetch(c, false)
	for _, x := range b.logs[s] {
		if x.Base >= b.end(n) && x.Last < b.hw[s] {
			b.append(n, x, event.FromMirror)
		}
	}
	b.replicate(c)
	b.fetch(c, false)
}

// stopMirror is the whole stop sequence in the newer order.
func (b *builder) stopMirror(c id.Cluster) { b.stopWith(c, func() {}) }

// stopWith is the stop sequence with what its step for transactions does.
func (b *builder) stopWith(c id.Cluster, transactions func()) {
	b.intent(c, record.WantStopped)
	b.store(c, record.Stopping)
	n := b.leader[c]
	step := func(k uint8) {
		b.on(event.StopStepDone, n, event.Event{Mirror: mirrorM, To: k, LeaderEpoch: b.epoch[c], Offset: b.end(n)})
	}
	b.on(event.MirrorFetchStopped, n, event.Event{Mirror: mirrorM, LeaderEpoch: b.epoch[c], Offset: b.end(n)})
	step(0)
	if k := len(b.logs[n]); k > 0 && b.agreed[c] {
		b.position(c, b.logs[n][k-1].LeaderEpoch)
	}
	step(1)
	b.epoch[c] = max(b.epoch[c], b.lastEpoch(n))
	b.elect(c, n, event.EpochBump)
	step(2)
	transactions()
	step(3)
	b.append(n, record.NewReset(), event.FromStop)
	b.replicate(c)
	step(4)
	b.store(c, record.Stopped)
	b.on(event.WritableChanged, n, event.Event{Mirror: mirrorM, LeaderEpoch: b.epoch[c], To: 1, Offset: int64(b.run[c])})
	b.report(event.ReportStopped, brokers(c)...)
}

// report lets replicas report themselves.
func (b *builder) report(cause event.ReportCause, nodes ...id.Node) {
	for _, n := range nodes {
		var h uint64
		var last []*record.Batch // the newest batch of each producer above the reset
		for _, x := range b.logs[n] {
			h = event.MixBatch(h, x)
			if x.Control == record.MirrorPidReset {
				last = nil
			}
			if x.HasProducer() {
				last = slices.DeleteFunc(last, func(y *record.Batch) bool { return y.ProducerID == x.ProducerID })
				last = append(last, x)
			}
		}
		b.on(event.ReplicaReported, n, event.Event{LeaderEpoch: b.epoch[clusterOf(n)], Offset: b.starts[n], End: b.end(n),
			ProducerID: b.hw[n], Sequence: int32(len(b.epochs[n])), Op: uint32(len(last)), Cause: uint8(cause), Digest: h})
		for _, x := range b.epochs[n] {
			b.on(event.EpochReported, n, event.Event{BatchEpoch: x.Epoch, Offset: x.Start})
		}
		for _, x := range last {
			b.on(event.ProducerReported, n, event.Event{ProducerID: x.ProducerID, BatchEpoch: int32(x.ProducerEpoch),
				Sequence: x.LastSequence(), Offset: -1, End: x.Last})
		}
	}
}

// f1 is case F1: three records on A; mirror; stop; one record on B; two more on A that are never mirrored; failback.
func f1() *builder {
	b := &builder{}
	b.boot()
	for i := range 3 {
		b.produce(p1, clusterA, b.data(p1, 1, 7, int32(i)))
	}
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
	b.stopMirror(clusterB)
	b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
	b.consume(r1, clusterB, 0)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.produce(p1, clusterA, b.data(p1, 1, 7, 4))
	b.start(clusterA, true, 3, event.Diverged)
	b.catchUp(clusterA)
	b.report(event.ReportEnd, a0, a1, b0, b1)
	return b
}
