package txn

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// loadDelay is how long a new coordinator takes until it has replayed its partition.
const loadDelay = id.Millisecond

// shard is one partition of __transaction_state that this broker leads.
type shard struct {
	partition id.Partition
	replayed  bool    // the log has been read from its start
	goal      int64   // loaded once the high watermark has reached the log end of the election
	loaded    bool    // requests are answered
	entries   []entry // ordered by transactional id
}

// entry is what the coordinator knows of one transactional id: what is stored below the high watermark, and the one record
// that is appended and not below it yet. While there is one every request is answered CONCURRENT_TRANSACTIONS.
type entry struct {
	client  id.Node
	known   bool // something is stored
	stored  record.Transaction
	next    record.Transaction
	end     int64    // offset after next; 0: nothing is on its way
	reply   reply    // to whom, once next is below the high watermark
	markers []marker // of a prepared end, without answer yet
	dropped bool     // the markers are not sent any more: another coordinator has come
	last    int16    // producer epoch before the newest InitProducerId that named one; -1: none
}

// reply is an answer that is owed; To is id.None when nobody waits.
type reply struct {
	to          id.Node
	correlation uint32
	body        wire.Body // the request
}

var noReply = reply{to: id.None}

// marker is a marker on its way to the leader of its partition. Repeats keep the correlation, so that the answer to any of
// them counts, and the late one of a transaction before counts for nothing (KAFKA-16352).
type marker struct {
	partition   id.Partition
	correlation uint32
}

// find is the entry of a client, made when there is none.
func (s *shard) find(client id.Node) *entry {
	i := 0
	for i < len(s.entries) && s.entries[i].client < client {
		i++
	}
	if i == len(s.entries) || s.entries[i].client != client {
		s.entries = append(s.entries, entry{})
		copy(s.entries[i+1:], s.entries[i:])
		s.entries[i] = entry{client: client, reply: noReply, last: -1}
	}
	return &s.entries[i]
}

func (s *shard) timer(kind uint8, client id.Node) node.Timer {
	return node.Timer{Kind: kind, Partition: s.partition, Peer: client}
}

func (s *shard) clone() *shard {
	c := *s
	c.entries = append([]entry(nil), s.entries...)
	for i := range c.entries {
		c.entries[i].markers = append([]marker(nil), s.entries[i].markers...)
	}
	return &c
}

// Elected begins to coordinate the partition of __transaction_state that r is. An election of the same broker (a new leader
// epoch) loads again: what was on its way may not have survived.
func (c *Coordinator) Elected(r *replica.Replica, env *replica.Env) {
	c.Resigned(r.ID(), env)
	i := 0
	for i < len(c.shards) && c.shards[i].partition.Less(r.ID()) {
		i++
	}
	c.shards = append(c.shards, nil)
	copy(c.shards[i+1:], c.shards[i:])
	c.shards[i] = &shard{partition: r.ID(), goal: r.Log.End()}
	env.Out.Arm(node.Timer{Kind: TimerLoad, Partition: r.ID()}, loadDelay, loadDelay)
}

// Resigned ends the coordination of p, also while it is loading; the next election loads it anew (KAFKA-18137). Requests
// under way have an unknown outcome; their clients ask the next coordinator.
func (c *Coordinator) Resigned(p id.Partition, env *replica.Env) {
	for i, s := range c.shards {
		if s.partition != p {
			continue
		}
		env.Out.Cancel(node.Timer{Kind: TimerLoad, Partition: p})
		for j := range s.entries {
			e := &s.entries[j]
			e.reply.answer(wire.NotCoordinator, e, env)
			env.Out.Cancel(s.timer(TimerExpire, e.client))
			env.Out.Cancel(s.timer(TimerMarkers, e.client))
		}
		c.shards = append(c.shards[:i], c.shards[i+1:]...)
		c.points = slices.DeleteFunc(c.points, func(x prepared) bool { return x.partition == p })
		return
	}
}

// Load replays the partition from its start. It is loaded once the high watermark has reached the log end that it had at
// the election: what an earlier coordinator answered is below that.
func (c *Coordinator) Load(r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || s.replayed {
		return
	}
	s.replayed = true
	r.Log.Replay(func(b *record.Batch) {
		for i := range b.Transactions {
			e := s.find(b.Transactions[i].Client)
			e.stored, e.known = b.Transactions[i], true
		}
	})
	c.Advanced(r, env)
}

// Advanced takes up what the high watermark has passed: a load that is complete, and records of requests, which are acted
// on and answered.
func (c *Coordinator) Advanced(r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || !s.replayed {
		return
	}
	hw := r.Log.HighWatermark()
	if !s.loaded && hw >= s.goal {
		s.loaded = true
		for i := range s.entries {
			c.resume(s, &s.entries[i], env)
		}
	}
	for i := range s.entries {
		if e := &s.entries[i]; e.end != 0 && e.end <= hw {
			c.committed(s, e, env)
		}
	}
}

// resume goes on with what an earlier coordinator began. The time-out of a transaction starts anew: a record carries no
// time, since a node knows none.
func (c *Coordinator) resume(s *shard, e *entry, env *replica.Env) {
	switch e.stored.State {
	case record.TransactionOngoing:
		env.Out.Arm(s.timer(TimerExpire, e.client), env.Settings.TxnTimeout, 0)
	case record.PrepareCommit, record.PrepareAbort:
		c.prepared(s, e, env)
	}
}

// committed acts on the entry's record that is below the high watermark now.
func (c *Coordinator) committed(s *shard, e *entry, env *replica.Env) {
	before, to := e.stored.State, e.reply
	e.stored, e.known, e.end, e.reply = e.next, true, 0, noReply
	to.answer(wire.OK, e, env)
	if e.stored.State != record.TransactionOngoing || before != record.TransactionOngoing {
		c.resume(s, e, env)
	}
}

// store appends a record for the entry, and keeps the reply until it is below the high watermark. It is false, and the
// reply is given, when an append with acks=all is refused: the ISR is too small, or the disk is full.
func (c *Coordinator) store(e *entry, t record.Transaction, to reply, r *replica.Replica, env *replica.Env) bool {
	if r.Refusal(env) != wire.OK {
		to.answer(wire.CoordinatorNotAvailable, e, env)
		return false
	}
	b := r.AppendOwn(record.NewTransactions([]record.Transaction{t}), event.FromInternal, env)
	s := env.Out.Emit(event.TransactionStored, id.Partition{})
	s.Peer, s.ProducerID, s.BatchEpoch, s.LeaderEpoch = t.Client, t.ProducerID, int32(t.ProducerEpoch), r.LeaderEpoch()
	s.From, s.To, s.Sequence = uint8(e.stored.State), uint8(t.State), int32(len(t.Partitions))
	e.next, e.end, e.reply = t, b.Last+1, to
	return true
}

// answer gives the reply, if anybody waits for it. What it says beyond the code is what the entry has stored.
func (p reply) answer(code wire.Code, e *entry, env *replica.Env) {
	if p.to == id.None {
		return
	}
	pid, epoch := e.stored.ProducerID, e.stored.ProducerEpoch
	if e.stored.Next >= 0 {
		pid, epoch = e.stored.Next, 0
	}
	if code != wire.OK {
		pid, epoch = record.NoProducer, -1
	}
	switch req := p.body.(type) {
	case *wire.InitProducerIdRequest:
		env.Out.Send(p.to, &wire.InitProducerIdResponse{Code: code, ProducerID: pid, ProducerEpoch: epoch, Correlation: p.correlation})
	case *wire.AddPartitionsToTxnRequest:
		env.Out.Send(p.to, &wire.AddPartitionsToTxnResponse{Partition: req.Partition, Code: code, Correlation: p.correlation})
	case *wire.EndTxnRequest:
		env.Out.Send(p.to, &wire.EndTxnResponse{Code: code, ProducerID: pid, ProducerEpoch: epoch, Correlation: p.correlation})
	}
}
