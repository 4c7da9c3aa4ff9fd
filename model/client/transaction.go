package client

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// transaction is what a transactional producer knows of its transaction: Kafka's TransactionManager with transactions of
// version 2 (KIP-890). It has one request to the coordinator under way at a time.
//
// A producer keeps one producer id and epoch, wherever its bootstrap address leads. A command that names another cluster
// between two transactions has it initialise there; in the middle of a transaction it goes on with what it has, as Kafka's
// producer does when its address is switched: what it has added is not added again, its batches are refused there
// (INVALID_TXN_STATE), and so is the end (INVALID_PRODUCER_ID_MAPPING; case T6).
//
// The application behind it does what Kafka advises: a transaction that failed is aborted by its commit, which returns the
// failure, and a producer that cannot go on is closed then, so that the next command begins with a new one.
type transaction struct {
	cluster  id.Cluster     // that the newest command named
	open     bool           // batches were called for since the last end
	asked    bool           // a partition was sent to a coordinator, which may know of the transaction
	added    []id.Partition // that are in the transaction, in the order in which they were added
	failed   wire.Code      // why it can only be aborted; OK: it can be committed
	fatal    bool           // nothing can be done under the producer id and epoch any more
	ending   bool           // a command to end it is under way
	commit   bool           // that command is to commit
	op       uint32         // of that command
	deferred []wire.Body    // commands that wait for its end, in order

	coordinator id.Node // None: not known
	asking      uint32  // the correlation of the request under way, 0 if there is none
	waiting     bool    // back-off before the next request
	tries       uint8
	turn        uint8
}

// takeTransactional handles what a transactional producer alone gets.
func (p *producer) takeTransactional(body wire.Body, out *node.Effects) {
	switch m := body.(type) {
	case *wire.TransactionCommand:
		p.end(m, out)
	case *wire.FindCoordinatorResponse:
		if p.coordinatorAnswered(m.Correlation, m.Code, out) {
			p.transaction.coordinator = m.Coordinator
			p.drainAll(out)
		}
	case *wire.AddPartitionsToTxnResponse:
		if p.coordinatorAnswered(m.Correlation, m.Code, out) {
			p.transaction.added = append(p.transaction.added, m.Partition)
			p.drainAll(out)
		}
	case *wire.EndTxnResponse:
		if p.coordinatorAnswered(m.Correlation, m.Code, out) {
			before := p.as
			p.as = identity{m.ProducerID, m.ProducerEpoch}
			p.ended(before, p.transaction.result(), out)
		}
	}
}

// defers keeps a command that comes while the transaction is being ended: the application waits for that.
func (t *transaction) defers(c wire.Body) bool {
	if t.ending {
		t.deferred = append(t.deferred, c)
	}
	return t.ending
}

// begin begins a transaction on a cluster unless one is open, or has the one that is open cross over to that cluster.
func (p *producer) begin(c id.Cluster, out *node.Effects) {
	p.cross(c, out)
	p.transaction.open = true
}

func (p *producer) cross(c id.Cluster, out *node.Effects) {
	t := p.transaction
	if t.cluster == c {
		return
	}
	t.stop(out)
	t.cluster, t.coordinator = c, id.None
	if !t.open {
		p.as = noIdentity
	}
}

// end begins to commit or abort the transaction.
func (p *producer) end(c *wire.TransactionCommand, out *node.Effects) {
	t := p.transaction
	if t.defers(c) {
		return
	}
	p.cross(c.Cluster, out)
	t.ending, t.commit, t.op = true, c.Commit, p.nextOp()
	e := out.Emit(event.TransactionCalled, id.Partition{})
	e.Op, e.From, e.To = t.op, uint8(t.cluster), uint8(flags(t.commit))
	e.ProducerID, e.BatchEpoch = p.as.id, int32(p.as.epoch)
}

// aborting tells whether nothing more is sent to partitions: the transaction has failed, or is to be aborted.
func (t *transaction) aborting() bool { return t.failed != wire.OK || t.ending && !t.commit }

// fail notes why the transaction cannot be committed; the first reason stays.
func (t *transaction) fail(code wire.Code, fatal bool) {
	if t.failed == wire.OK {
		t.failed = code
	}
	t.fatal = t.fatal || fatal
}

// keeps tells whether a batch that was refused is sent again (Kafka's TransactionManager.canRetry). A transaction that is
// going to be aborted sends nothing again.
func (t *transaction) keeps(s *sequences, b *producerBatch) bool {
	switch {
	case t.aborting():
		return false
	case b.code == wire.UnknownProducerId, b.code == wire.OutOfOrderSequenceNumber:
		return !s.hasGap(b)
	}
	return b.code.Retriable()
}

// has tells whether a partition is in the transaction.
func (t *transaction) has(q id.Partition) bool { return slices.Contains(t.added, q) }

// joined tells whether new batches of a may be sent: the producer has its id, and the partition is in the transaction.
func (p *producer) joined(a *accumulator, out *node.Effects) bool {
	t := p.transaction
	if t.aborting() {
		return false
	}
	if p.as.id == record.NoProducer || !t.has(a.metadata.partition) {
		p.coordinate(out)
		return false
	}
	return true
}

// advance is called behind every input. It returns the batches of a transaction that is going to be aborted, and ends the
// transaction once none is left; with nothing added there is nothing to end.
func (p *producer) advance(out *node.Effects) {
	t := p.transaction
	for t.ending {
		if t.aborting() {
			p.abandonBatches(out)
		}
		switch {
		case p.incomplete() || p.as.id != record.NoProducer && t.asked && !t.fatal:
			p.coordinate(out)
			return
		default:
			p.ended(p.as, t.result(), out)
		}
	}
	if t.failed != wire.OK {
		p.abandonBatches(out)
	}
}

func (p *producer) incomplete() bool {
	for i := range p.accumulators {
		if len(p.accumulators[i].queue) > 0 {
			return true
		}
	}
	return false
}

// abandonBatches returns every batch that is not in flight, with what its last attempt came to, or the reason of the abort.
func (p *producer) abandonBatches(out *node.Effects) {
	for i := range p.accumulators {
		a := &p.accumulators[i]
		for j := 0; j < len(a.queue); {
			b := &a.queue[j]
			if b.inFlight() {
				j++
				continue
			}
			code := p.transaction.failed
			if b.attempts > 0 {
				code = b.code
			}
			if code == wire.OK {
				code = wire.InvalidTxnState // the application aborts it
			}
			if b.batch == nil {
				b.batch = record.NewData(record.NoProducer, -1, record.NoSequence, p.recordsOf(b))
				p.called(a, b, out)
			}
			p.returned(a, b, code, -1, out)
			p.remove(a, j, out)
		}
	}
}

// result is what a command comes to whose transaction has ended as it could: an abort is done, whatever failed before.
func (t *transaction) result() wire.Code {
	if !t.commit && !t.fatal {
		return wire.OK
	}
	return t.failed
}

// ended returns the command to end the transaction, goes on to the next one, and takes the commands that have waited. as is
// what the transaction ran under.
func (p *producer) ended(as identity, code wire.Code, out *node.Effects) {
	t := p.transaction
	e := out.Emit(event.TransactionReturned, id.Partition{})
	e.Op, e.From, e.To, e.Cause = t.op, uint8(t.cluster), uint8(code), uint8(flags(t.commit))
	e.ProducerID, e.BatchEpoch = as.id, int32(as.epoch)
	if t.fatal {
		p.as = noIdentity
	}
	commands := t.deferred
	t.open, t.asked, t.added, t.failed, t.fatal, t.ending, t.deferred = false, false, t.added[:0], wire.OK, false, false, nil
	for _, c := range commands {
		p.take(node.Input{Body: c, From: id.None}, out)
	}
}

// abandonEnd returns a command to end the transaction with an unknown outcome, at the end of a run.
func (p *producer) abandonEnd(out *node.Effects) {
	t := p.transaction
	t.stop(out)
	t.deferred = nil
	if t.ending {
		t.fatal = true
		p.ended(p.as, wire.RequestTimedOut, out)
	}
}
