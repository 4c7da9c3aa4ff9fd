package txn

import (
	"encoding/binary"
	"fmt"
	"math"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// The timers of transactions; the broker passes them on. Kinds 24 to 27 are this package's.
const (
	TimerLoad    uint8 = iota + 24 // a coordinator is about to replay its partition of __transaction_state
	TimerExpire                    // coordinator: the transaction of Peer has lasted transaction.timeout.ms
	TimerMarkers                   // coordinator: the markers of Peer's transaction are sent again
	TimerVerify                    // leader: the coordinator has not answered about Peer's batch
)

// Coordinator is the part of a broker that coordinates the transactional ids which the partitions of __transaction_state
// that it leads stand for. Its correlations begin above those of the starts of the broker before.
type Coordinator struct {
	node.Heard          // of the clients that ask it
	shards     []*shard // ordered by partition
	sequence   uint32   // of markers
	points     []prepared
}

// prepared is an end that is at a point: its markers are not sent yet.
type prepared struct {
	partition id.Partition // of __transaction_state
	client    id.Node
}

// Point is where the step must yield; point.None if nowhere.
func (c *Coordinator) Point() point.Point {
	if len(c.points) == 0 {
		return point.None
	}
	return point.EndPrepared
}

// Resume sends the markers of the first end that is at a point, and answers the replica of __transaction_state.
func (c *Coordinator) Resume(find func(id.Partition) *replica.Replica, env *replica.Env) *replica.Replica {
	x := c.points[0]
	c.points = append(c.points[:0], c.points[1:]...)
	s, r := c.shard(x.partition), find(x.partition)
	c.sendMarkers(s, s.find(x.client), r, env)
	return r
}

// Start is called when the broker boots; first is below the correlations of this start.
func (c *Coordinator) Start(first uint32) { c.sequence = first }

// exhausted tells whether a producer id has no epoch left for a client: the last one, 32767, is kept for a coordinator that
// aborts (Kafka's isEpochExhausted).
func exhausted(epoch int16) bool { return epoch >= math.MaxInt16-1 }

// Init answers InitProducerId of a transactional id, to whoever asks: a new producer id with epoch 0, or the stored one with the next
// epoch, which fences whoever used it before. A transaction that is ongoing is aborted first, with one epoch bump
// (KAFKA-19367); meanwhile the answer is CONCURRENT_TRANSACTIONS. fresh is an unused producer id of the cluster, or
// record.NoProducer: then Init is true, and has done nothing, when one is needed.
func (c *Coordinator) Init(
	from id.Node, req *wire.InitProducerIdRequest, fresh int64, r *replica.Replica, env *replica.Env,
) (needsID bool) {
	to := reply{from, req.Correlation, req}
	e, code := c.route(req.Client, env)
	if code != wire.OK {
		to.answer(code, e, env)
		return false
	}
	t := e.stored
	again := req.ProducerID >= 0 && req.ProducerID == t.ProducerID && req.ProducerEpoch == e.last
	renews := !e.known || exhausted(t.ProducerEpoch)
	switch {
	case e.end != 0:
		code = wire.ConcurrentTransactions
	case e.known && req.ProducerID >= 0 && !again && !e.expects(req):
		code = wire.ProducerFenced
	case t.State == record.PrepareCommit, t.State == record.PrepareAbort:
		code = wire.ConcurrentTransactions
	case t.State == record.TransactionOngoing:
		c.fence(e, r, env)
		code = wire.ConcurrentTransactions
	case again: // it has been bumped for this request, of which the answer was lost
		to.answer(wire.OK, e, env)
		return false
	case renews && fresh == record.NoProducer:
		return true
	}
	if code != wire.OK {
		to.answer(code, e, env)
		return false
	}
	e.last = -1
	switch n := emptied(e); {
	case renews:
		n.ProducerID, n.ProducerEpoch, n.Previous = fresh, 0, record.NoProducer
		if e.known {
			n.Previous = t.ProducerID
		}
		c.store(e, n, to, r, env)
	default:
		if n.ProducerEpoch++; req.ProducerID >= 0 {
			e.last = t.ProducerEpoch
		}
		c.store(e, n, to, r, env)
	}
	return false
}

// expects tells whether an InitProducerId that names a producer id and epoch is of the producer that has them now, or had
// the id before its epochs were used up.
func (e *entry) expects(req *wire.InitProducerIdRequest) bool {
	return req.ProducerID == e.stored.ProducerID && req.ProducerEpoch == e.stored.ProducerEpoch ||
		req.ProducerID == e.stored.Previous && exhausted(req.ProducerEpoch)
}

// emptied is the entry's record without a transaction.
func emptied(e *entry) record.Transaction {
	t := e.stored
	t.Client, t.State, t.Partitions, t.Next = e.client, record.TransactionEmpty, nil, record.NoProducer
	return t
}

// AddPartitions adds a partition to a client's transaction, which begins with the first one; or tells a partition's leader
// whether it was added.
func (c *Coordinator) AddPartitions(from id.Node, req *wire.AddPartitionsToTxnRequest, r *replica.Replica, env *replica.Env) {
	to := reply{from, req.Correlation, req}
	e, code := c.route(req.Client, env)
	if code != wire.OK {
		to.answer(code, e, env)
		return
	}
	t := e.stored
	at, added := position(t.Partitions, req.Partition)
	switch {
	case !req.VerifyOnly && e.end != 0:
		code = wire.ConcurrentTransactions
	case !e.known, t.ProducerID != req.ProducerID:
		code = wire.InvalidProducerIdMapping
	case t.ProducerEpoch != req.ProducerEpoch:
		code = wire.ProducerFenced
	case t.State == record.PrepareCommit, t.State == record.PrepareAbort:
		code = wire.ConcurrentTransactions
	case req.VerifyOnly && !added:
		code = wire.InvalidTxnState
	case !added:
		t.State = record.TransactionOngoing
		t.Partitions = make([]id.Partition, 0, len(e.stored.Partitions)+1)
		t.Partitions = append(t.Partitions, e.stored.Partitions[:at]...)
		t.Partitions = append(t.Partitions, req.Partition)
		t.Partitions = append(t.Partitions, e.stored.Partitions[at:]...)
		c.store(e, t, to, r, env)
		return
	}
	to.answer(code, e, env)
}

// position is where p is, or would be, in an ascending list.
func position(list []id.Partition, p id.Partition) (int, bool) {
	i := 0
	for i < len(list) && list[i].Less(p) {
		i++
	}
	return i, i < len(list) && list[i] == p
}

// route finds the entry of a transactional id and whether this broker may answer; the entry is never nil.
func (c *Coordinator) route(client id.Node, env *replica.Env) (*entry, wire.Code) {
	at, ok := env.Image.TransactionsOf(client)
	s := c.shard(at)
	switch {
	case !ok || s == nil:
		return &entry{}, wire.NotCoordinator
	case !s.loaded:
		return &entry{}, wire.CoordinatorLoadInProgress
	}
	return s.find(client), wire.OK
}

func (c *Coordinator) shard(p id.Partition) *shard {
	for _, s := range c.shards {
		if s.partition == p {
			return s
		}
	}
	return nil
}

// Clone is a deep copy.
func (c *Coordinator) Clone() Coordinator {
	d := Coordinator{shards: make([]*shard, len(c.shards)), Heard: c.Heard.Clone(), sequence: c.sequence,
		points: append([]prepared(nil), c.points...)}
	for i, s := range c.shards {
		d.shards[i] = s.clone()
	}
	return d
}

// AppendState appends what is not derived from the log: how far each shard has loaded, whom it owes an answer, and which
// markers it waits for.
func (c *Coordinator) AppendState(dst []byte) []byte {
	for _, s := range c.shards {
		dst = binary.LittleEndian.AppendUint32(dst, s.partition.Word())
		dst = append(dst, id.Bit(s.replayed), id.Bit(s.loaded))
		for i := range s.entries {
			e := &s.entries[i]
			if e.end == 0 && len(e.markers) == 0 && !e.dropped && e.last < 0 {
				continue
			}
			dst = append(dst, byte(e.client), byte(e.reply.to), id.Bit(e.dropped), byte(e.last), byte(e.last>>8), byte(len(e.markers)))
			dst = binary.LittleEndian.AppendUint64(dst, uint64(e.end))
			for _, m := range e.markers {
				dst = binary.LittleEndian.AppendUint32(dst, m.partition.Word())
			}
		}
	}
	return dst
}

// Waits says which shards are still loading, and which transactions wait for their markers.
func (c *Coordinator) Waits(yield func(string) bool) bool {
	for _, s := range c.shards {
		if !s.loaded && !yield(fmt.Sprintf("the coordinator of __transaction_state-%d is loading", s.partition.Index)) {
			return false
		}
		for i := range s.entries {
			e := &s.entries[i]
			if len(e.markers) > 0 && !yield(fmt.Sprintf("the transaction of producer %d waits for %d markers", e.stored.ProducerID, len(e.markers))) {
				return false
			}
		}
	}
	return true
}
