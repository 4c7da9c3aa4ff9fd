package txn

import (
	"math"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// End commits or aborts the transaction of the transactional id from, by the rules of KIP-890: the epoch is raised with the
// end, so a repeat carries the epoch before it and is answered with the result, and a late request never ends the next
// transaction (KAFKA-17754). An abort without a transaction only raises the epoch (KAFKA-18464). The answer is given once
// the end is prepared; the markers follow. fresh and needsID are as those of Init.
func (c *Coordinator) End(
	from id.Node, req *wire.EndTxnRequest, fresh int64, r *replica.Replica, env *replica.Env,
) (needsID bool) {
	to := reply{from, req.Correlation, req}
	e, code := c.route(from, env)
	if code != wire.OK {
		to.answer(code, e, env)
		return false
	}
	done, code := e.judge(req)
	switch {
	case code != wire.OK || done:
		to.answer(code, e, env)
	case exhausted(e.stored.ProducerEpoch) && fresh == record.NoProducer:
		return true
	default:
		t := e.stored
		t.State, t.Next = record.PrepareAbort, record.NoProducer
		if req.Commit {
			t.State = record.PrepareCommit
		}
		if exhausted(t.ProducerEpoch) {
			t.Next = fresh
		}
		t.ProducerEpoch++
		c.store(e, t, to, r, env)
	}
	return false
}

// judge tells whether a request to end the transaction is a repeat of one that is done, or may not be done.
func (e *entry) judge(req *wire.EndTxnRequest) (done bool, code wire.Code) {
	t := &e.stored
	renewed := e.known && t.Previous == req.ProducerID && exhausted(req.ProducerEpoch) && t.ProducerEpoch == 0
	repeat := renewed || t.ProducerEpoch == req.ProducerEpoch+1
	current := t.ProducerID == req.ProducerID && t.ProducerEpoch == req.ProducerEpoch
	switch {
	case e.end != 0:
		return false, wire.ConcurrentTransactions
	case !e.known, t.ProducerID != req.ProducerID && !renewed:
		return false, wire.InvalidProducerIdMapping
	}
	switch t.State {
	case record.TransactionOngoing:
		if !current {
			return false, wire.ProducerFenced
		}
		return false, wire.OK
	case record.PrepareCommit, record.PrepareAbort:
		switch {
		case current: // an end of the next transaction, of which nothing was added yet: it comes early (KAFKA-18464)
		case !repeat:
			return false, wire.ProducerFenced
		case req.Commit != (t.State == record.PrepareCommit):
			return false, wire.InvalidTxnState
		}
		return false, wire.ConcurrentTransactions
	}
	completed := t.State == record.CompleteCommit || t.State == record.CompleteAbort
	switch {
	case !current && !(completed && repeat), repeat && t.ProducerEpoch == math.MaxInt16:
		return false, wire.ProducerFenced // also where the coordinator took the last epoch: no producer may go on under it
	case completed && repeat && req.Commit == (t.State == record.CompleteCommit):
		return true, wire.OK
	case repeat || req.Commit:
		return false, wire.InvalidTxnState // the other end than the one that is done, or a commit of nothing
	}
	return false, wire.OK
}

// fence aborts the ongoing transaction for the coordinator itself, with the next epoch, so that the producer which began it
// can add nothing more. It is false when the ISR is too small to store that.
func (c *Coordinator) fence(e *entry, r *replica.Replica, env *replica.Env) bool {
	t := e.stored
	t.State, t.Next = record.PrepareAbort, record.NoProducer
	t.ProducerEpoch++
	return c.store(e, t, noReply, r, env)
}

// Expired aborts a transaction that has lasted transaction.timeout.ms.
func (c *Coordinator) Expired(client id.Node, r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || !s.loaded {
		return
	}
	e := s.find(client)
	switch {
	case e.stored.State != record.TransactionOngoing:
	case e.end != 0 || !c.fence(e, r, env):
		env.Out.Arm(s.timer(TimerExpire, client), env.Settings.RetryBackoffMax, 0)
	}
}

// prepared has the markers of an end that is stored sent behind a point.
func (c *Coordinator) prepared(s *shard, e *entry, env *replica.Env) {
	env.Out.Cancel(s.timer(TimerExpire, e.client))
	e.markers, e.dropped = e.markers[:0], false
	for _, p := range e.stored.Partitions {
		c.sequence++
		e.markers = append(e.markers, marker{p, c.sequence})
	}
	c.points = append(c.points, prepared{s.partition, e.client})
}

// sendMarkers sends every marker that has no answer, and completes the end when there is none left. A partition of a topic
// that was deleted needs none.
func (c *Coordinator) sendMarkers(s *shard, e *entry, r *replica.Replica, env *replica.Env) {
	kept := e.markers[:0]
	for _, m := range e.markers {
		p := env.Image.Partition(m.partition)
		if p == nil {
			continue
		}
		kept = append(kept, m)
		if p.Leader != id.None {
			env.Out.Send(p.Leader, &wire.WriteTxnMarkersRequest{Partition: m.partition, ProducerID: e.stored.ProducerID,
				ProducerEpoch: e.stored.ProducerEpoch, CoordinatorEpoch: r.LeaderEpoch(),
				Commit: e.stored.State == record.PrepareCommit, Correlation: m.correlation})
		}
	}
	e.markers = kept
	if len(kept) > 0 || !c.complete(e, r, env) {
		env.Out.Arm(s.timer(TimerMarkers, e.client), env.Settings.RetryBackoffMax, 0)
	}
}

// MarkersAgain sends the markers of a client again that have no answer, or tries again to store that all have one.
func (c *Coordinator) MarkersAgain(client id.Node, r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || !s.loaded {
		return
	}
	e := s.find(client)
	if prepared := e.stored.State == record.PrepareCommit || e.stored.State == record.PrepareAbort; prepared && e.end == 0 && !e.dropped {
		c.sendMarkers(s, e, r, env)
	}
}

// complete stores that every partition has its marker. It is false when the ISR is too small to store that.
func (c *Coordinator) complete(e *entry, r *replica.Replica, env *replica.Env) bool {
	t := e.stored
	t.State = record.CompleteAbort
	if e.stored.State == record.PrepareCommit {
		t.State = record.CompleteCommit
	}
	t.Partitions = nil
	if t.Next >= 0 {
		t.ProducerID, t.ProducerEpoch, t.Next, t.Previous = t.Next, 0, record.NoProducer, t.ProducerID
	}
	return c.store(e, t, noReply, r, env)
}

// MarkerWritten takes a leader's answer and tells whose transaction it belongs to, as a partition of __transaction_state:
// false when it is of a transaction that is over, or of an earlier coordinator.
//
// A partition that follows a source takes no markers (READ_ONLY_TOPIC): its log is the source's, in which alignment has
// turned the transaction's end round already, or will (section 13 of the design), and to wait for it would block the
// transactional id until the mirror stops. An answer that tells of a newer coordinator or of a newer epoch ends the sending
// of this transaction, and of no other (KAFKA-16352).
func (c *Coordinator) MarkerWritten(res *wire.WriteTxnMarkersResponse, find func(id.Partition) *replica.Replica, env *replica.Env) {
	for _, s := range c.shards {
		for i := range s.entries {
			e := &s.entries[i]
			for j, m := range e.markers {
				if m.correlation != res.Correlation || m.partition != res.Partition {
					continue
				}
				switch res.Code {
				case wire.OK, wire.ReadOnlyTopic:
					e.markers = append(e.markers[:j], e.markers[j+1:]...)
					if len(e.markers) == 0 && c.complete(e, find(s.partition), env) {
						env.Out.Cancel(s.timer(TimerMarkers, e.client))
					}
				case wire.InvalidProducerEpoch, wire.TransactionCoordinatorFenced:
					e.markers, e.dropped = nil, true
					env.Out.Cancel(s.timer(TimerMarkers, e.client))
				}
				return
			}
		}
	}
}
