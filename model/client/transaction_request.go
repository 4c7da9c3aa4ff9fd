package client

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// coordinate sends the next request to the coordinator, when one is needed and none is under way: the coordinator itself is
// looked for first, then comes the producer id, then a partition that has batches waiting, and the end once they are done.
func (p *producer) coordinate(out *node.Effects) {
	t := p.transaction
	if t.asking != 0 || t.waiting {
		return
	}
	req := p.nextRequest()
	if req == nil {
		return
	}
	to := t.coordinator
	if to == id.None {
		req, to = &wire.FindCoordinatorRequest{Correlation: p.correlation + 1}, p.bootstrap(t.cluster, &t.turn)
	}
	t.asking = p.nextCorrelation()
	if _, adds := req.(*wire.AddPartitionsToTxnRequest); adds {
		t.asked = true
	}
	out.Send(to, req)
	out.Arm(t.timer(coordinatorTimer), p.settings.RequestTimeout, 0)
}

// nextRequest is what the coordinator is to be asked next, nil if nothing; it carries the next correlation.
func (p *producer) nextRequest() wire.Body {
	t, n := p.transaction, p.correlation+1
	if t.ending && !p.incomplete() {
		return &wire.EndTxnRequest{ProducerID: p.as.id, ProducerEpoch: p.as.epoch, Commit: t.commit && t.failed == wire.OK, Correlation: n}
	}
	if t.aborting() {
		return nil
	}
	for i := range p.accumulators {
		a := &p.accumulators[i]
		q := a.metadata.partition
		if t.has(q) || !slices.ContainsFunc(a.queue, func(b producerBatch) bool { return !b.sequenced }) {
			continue
		}
		if p.as.id == record.NoProducer {
			return &wire.InitProducerIdRequest{Client: p.self, Transactional: true, ProducerID: record.NoProducer, ProducerEpoch: -1,
				Correlation: n}
		}
		return &wire.AddPartitionsToTxnRequest{Client: p.self, ProducerID: p.as.id, ProducerEpoch: p.as.epoch, Partition: q, Correlation: n}
	}
	return nil
}

// initialized takes the producer id and epoch. Every partition's sequences begin anew, also when the pair is the one of
// before: another cluster's allocator may give the same id.
func (p *producer) initialized(r *wire.InitProducerIdResponse, out *node.Effects) {
	if !p.coordinatorAnswered(r.Correlation, r.Code, out) {
		return
	}
	p.as = identity{r.ProducerID, r.ProducerEpoch}
	for i := range p.sequences {
		p.sequences[i] = sequences{partition: p.sequences[i].partition, as: noIdentity, acked: -1}
	}
	e := out.Emit(event.ProducerIdReceived, id.Partition{})
	e.ProducerID, e.BatchEpoch, e.From = p.as.id, int32(p.as.epoch), uint8(p.transaction.cluster)
	p.drainAll(out)
}

// coordinatorAnswered takes the answer to the request under way, and tells whether it is good; any other is late, or a
// duplicate.
func (p *producer) coordinatorAnswered(correlation uint32, code wire.Code, out *node.Effects) bool {
	t := p.transaction
	if t.asking == 0 || t.asking != correlation {
		return false
	}
	t.asking = 0
	out.Cancel(t.timer(coordinatorTimer))
	if code != wire.OK {
		p.coordinatorFailed(code, out)
		return false
	}
	t.tries = 0
	return true
}

// coordinatorFailed decides what an error of the coordinator does: the request is sent again, or the transaction fails. To
// end it is the last that can be done, so that an end which fails is returned, and the producer closed. A fenced producer,
// and one whose requests do not fit its transaction, cannot go on either; one whose id the coordinator does not know can
// still abort (Kafka's TransactionManager).
func (p *producer) coordinatorFailed(code wire.Code, out *node.Effects) {
	t := p.transaction
	switch {
	case code.Retriable():
		if code == wire.RequestTimedOut || code == wire.NotCoordinator || code == wire.CoordinatorNotAvailable {
			t.coordinator = id.None
		}
		t.waiting = true
		p.armBackoff(t.timer(coordinatorRetryTimer), &t.tries, out)
	case t.ending && !p.incomplete():
		t.fatal = true
		p.ended(p.as, code, out)
	default:
		t.fail(code, code != wire.InvalidProducerIdMapping)
	}
}

func (t *transaction) timer(k timerKind) node.Timer { return timer(k, t.cluster, id.Partition{}, 0) }

// stop gives up the request under way.
func (t *transaction) stop(out *node.Effects) {
	if t.asking != 0 {
		out.Cancel(t.timer(coordinatorTimer))
	}
	if t.waiting {
		out.Cancel(t.timer(coordinatorRetryTimer))
	}
	t.asking, t.waiting, t.tries = 0, false, 0
}

func (t *transaction) clone() *transaction {
	c := *t
	c.added, c.deferred = slices.Clone(t.added), slices.Clone(t.deferred)
	return &c
}

func (t *transaction) appendState(dst []byte) []byte {
	dst = word(dst, uint64(t.cluster)<<48|uint64(t.failed)<<40|uint64(t.coordinator)<<32|uint64(t.tries)<<24|uint64(t.turn)<<16|
		flags(t.open, t.asked, t.fatal, t.ending, t.commit, t.asking != 0, t.waiting))
	dst = word(dst, uint64(len(t.added))<<32|uint64(len(t.deferred)))
	for _, q := range t.added {
		dst = word(dst, uint64(q.Word()))
	}
	for _, c := range t.deferred {
		for _, w := range c.Words(nil) {
			dst = word(dst, w)
		}
	}
	return dst
}

func (t *transaction) waitOf() string {
	switch {
	case t.asking != 0 && t.coordinator == id.None:
		return "a coordinator to be known"
	case t.asking != 0:
		return "the answer of " + describeNode(t.coordinator)
	case t.waiting:
		return "its back-off"
	}
	return "its batches"
}
