package broker

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

func (b *Broker) isTransactions(p id.Partition) bool {
	return b.image.TxnTopic != nil && b.image.TxnTopic.Topic == p.Topic
}

// receiveTransaction passes on what concerns transactions; false if the message does not.
func (b *Broker) receiveTransaction(from id.Node, body wire.Body, env *replica.Env) bool {
	switch m := body.(type) {
	case *wire.FindCoordinatorRequest:
		res := &wire.FindCoordinatorResponse{Coordinator: b.image.TransactionCoordinator(from), Correlation: m.Correlation}
		if m.Group.Name != "" {
			res.Coordinator = b.image.GroupCoordinator(m.Group)
		}
		if res.Coordinator == id.None {
			res.Code = wire.CoordinatorNotAvailable
		}
		env.Out.Send(from, res)
	case *wire.AddPartitionsToTxnRequest:
		if m.VerifyOnly {
			b.transaction.AddPartitions(from, m, nil, env)
		} else {
			b.coordinate(from, m, m.Correlation, env)
		}
	case *wire.EndTxnRequest:
		b.coordinate(from, m, m.Correlation, env)
	case *wire.AddPartitionsToTxnResponse:
		client, requests := b.verifier.Verified(m, env)
		for _, req := range requests {
			b.verified(client, req, env)
		}
	case *wire.WriteTxnMarkersRequest:
		b.writeMarker(from, m, env)
	case *wire.WriteTxnMarkersResponse:
		b.transaction.MarkerWritten(m, b.find, env)
		b.afterTransactions(env)
	default:
		return false
	}
	return true
}

// coordinate takes a client's request for the transaction coordinator, once.
func (b *Broker) coordinate(from id.Node, body wire.Body, correlation uint32, env *replica.Env) {
	if b.transaction.Fresh(from, correlation) {
		b.endOrInit(from, body, record.NoProducer, env)
	}
}

// endOrInit passes a client's request to the transaction coordinator with the replica of __transaction_state that its
// record would be appended to. fresh is an unused producer id; without one the request waits for it where it needs one.
func (b *Broker) endOrInit(from id.Node, body wire.Body, fresh int64, env *replica.Env) {
	var r *replica.Replica
	client, needsID := from, false
	if m, ok := body.(*wire.InitProducerIdRequest); ok {
		client = m.Client
	}
	if at, ok := b.image.TransactionsOf(client); ok {
		r = b.find(at)
	}
	switch m := body.(type) {
	case *wire.InitProducerIdRequest:
		needsID = b.transaction.Init(from, m, fresh, r, env)
	case *wire.AddPartitionsToTxnRequest:
		b.transaction.AddPartitions(from, m, r, env)
	case *wire.EndTxnRequest:
		needsID = b.transaction.End(from, m, fresh, r, env)
	}
	if needsID {
		b.awaitId(from, body, env)
		return
	}
	b.after(r, env)
}

// afterTransactions hands on what an answer did to the replicas of __transaction_state.
func (b *Broker) afterTransactions(env *replica.Env) {
	for _, r := range b.replicas {
		if b.isTransactions(r.ID()) {
			b.after(r, env)
		}
	}
}

// verified goes on with a batch whose transaction the coordinator has confirmed. The topic may have begun to follow a
// source meanwhile.
func (b *Broker) verified(client id.Node, req *wire.ProduceRequest, env *replica.Env) {
	r := b.find(req.Partition)
	if r.IsLeader() && !b.mirror.Writable(r, env) {
		env.Out.Send(client, &wire.ProduceResponse{Partition: req.Partition, Code: wire.ReadOnlyTopic, Base: -1, Correlation: req.Correlation})
		return
	}
	r.Produce(client, req, env)
	b.after(r, env)
}

// writeMarker appends a coordinator's marker. A topic that follows a source takes none: its log is the source's, and what
// is open in it the stop will end. In the old source, which follows nobody after a failover, markers are written on. While
// it is not known, or not yet so, that a stopped topic is writable, the coordinator tries again.
func (b *Broker) writeMarker(from id.Node, req *wire.WriteTxnMarkersRequest, env *replica.Env) {
	r := b.find(req.Partition)
	t := b.image.Topic(req.Partition.Topic)
	code := wire.OK
	switch {
	case r == nil || t == nil || !r.IsLeader():
		code = wire.NotLeaderOrFollower
	case t.FollowsSource():
		code = wire.ReadOnlyTopic
	case !b.mirror.Writable(r, env):
		code = wire.NotLeaderOrFollower
	}
	if code != wire.OK {
		env.Out.Send(from, &wire.WriteTxnMarkersResponse{Partition: req.Partition, Code: code, Correlation: req.Correlation})
		return
	}
	r.WriteMarker(from, req, env)
	b.after(r, env)
}
