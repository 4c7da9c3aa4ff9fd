package client

import (
	"slices"

	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// ProducerSpec is how a producer is configured.
type ProducerSpec struct {
	Clusters   []Cluster // by id.Cluster: every one that a command may name
	Idempotent bool      // enable.idempotence, for batches with acks=all; acks=0 and 1 rule it out, as in Kafka
	// Transactional producers have a transactional.id, the client itself. Every batch is of a transaction then, with
	// acks=all under the producer id that the transaction coordinator gives, whatever the command says.
	Transactional bool
	Settings      *setting.Settings
}

// producer is Kafka's producer: batches per partition, in order, retried until delivery.timeout.ms.
type producer struct {
	base
	idempotent   bool
	transaction  *transaction // nil: not transactional
	values       uint64       // records made so far
	as           identity
	idRequest    idRequest
	accumulators []accumulator // by cluster and partition
	sequences    []sequences   // by partition
}

// NewProducer boots a producer. It takes *wire.ProduceCommand, *wire.MoveCommand, *wire.ReportCommand, and if it is
// transactional *wire.TransactionCommand.
func NewProducer(spec ProducerSpec) node.Boot {
	return func(self id.Node, d *disk.Disk, _ *node.Effects) node.Node {
		p := &producer{base: newBase(self, spec.Clusters, spec.Settings), idempotent: spec.Idempotent, as: noIdentity}
		if spec.Transactional {
			p.transaction = &transaction{coordinator: id.None}
			p.correlation = d.Incarnation << 20 // the coordinator drops what is not newer than it has heard
		}
		return p
	}
}

// Step handles a command, an answer or a timer.
func (p *producer) Step(in node.Input, out *node.Effects) {
	p.take(in, out)
	if p.transaction != nil {
		p.advance(out)
	}
}

func (p *producer) take(in node.Input, out *node.Effects) {
	switch body := in.Body.(type) {
	case *wire.ProduceCommand:
		p.produce(body, out)
	case *wire.MoveCommand:
		p.move(body, out)
	case *wire.ProduceResponse:
		p.produceAnswered(body, out)
	case *wire.MetadataResponse:
		p.metadataAnswered(body, out)
	case *wire.InitProducerIdResponse:
		if p.transaction == nil {
			p.producerIDAnswered(body, out)
		} else {
			p.initialized(body, out)
		}
	case *wire.ReportCommand:
		p.report(out)
	case nil:
		p.fired(in.Timer, out)
	default:
		assert.That(p.transaction != nil, "a producer takes produce, move and report commands and the answers to its requests")
		p.takeTransactional(in.Body, out)
	}
}

// produce queues the batches of a command. The delivery time-out counts from here, as Kafka's counts from send().
func (p *producer) produce(c *wire.ProduceCommand, out *node.Effects) {
	if p.transaction != nil {
		if p.transaction.defers(c) {
			return
		}
		p.begin(c.Cluster, out)
	} else if c.ProducerID >= 0 && c.ProducerID != p.as.id {
		p.idRequest.stop(out)
		p.as = identity{c.ProducerID, 0}
	}
	p.addSequences(c.Partition)
	a := p.accumulator(c.Cluster, c.Partition)
	group, free := a.freeGroup()
	if free && c.Count > 0 {
		out.Arm(a.timer(deliveryTimer, group), p.settings.DeliveryTimeout, 0)
	}
	for left := c.Count; left > 0; {
		n := min(left, max(c.Batch, 1))
		b := producerBatch{first: p.values + 1, count: n, acks: c.Acks, peer: id.None, group: group,
			idempotent: c.ProducerID >= 0 || p.idempotent && c.Acks == wire.AcksAll}
		if p.transaction != nil {
			b.acks, b.idempotent = wire.AcksAll, true
		}
		a.queue = append(a.queue, b)
		p.values += uint64(n)
		left -= n
	}
	p.drain(a, out)
}

// accumulator finds or makes the accumulator of a partition of a cluster.
func (p *producer) accumulator(c id.Cluster, q id.Partition) *accumulator {
	assert.That(int(c) < len(p.clusters), "a producer knows every cluster that a command names")
	i, found := slices.BinarySearchFunc(p.accumulators, q, func(a accumulator, q id.Partition) int { return a.metadata.compare(c, q) })
	if !found {
		p.accumulators = slices.Insert(p.accumulators, i, accumulator{metadata: newMetadata(c, q)})
	}
	return &p.accumulators[i]
}

// produceAnswered takes an answer to the attempt in flight; any other is late, or a duplicate.
func (p *producer) produceAnswered(r *wire.ProduceResponse, out *node.Effects) {
	for i := range p.accumulators {
		a := &p.accumulators[i]
		if a.metadata.partition != r.Partition {
			continue
		}
		for j := range min(p.window(), len(a.queue)) {
			if b := &a.queue[j]; b.inFlight() && b.correlation == r.Correlation {
				a.land(b, out)
				b.code = r.Code
				p.settle(a, j, r.Base, out)
				p.drainPartition(r.Partition, out)
				return
			}
		}
	}
}

// settle decides what becomes of the i-th batch, which was answered: done, sent again, or failed (Kafka's
// Sender.completeBatch and TransactionManager.canRetry and handleFailedBatch).
func (p *producer) settle(a *accumulator, i int, offset int64, out *node.Effects) {
	b, s := &a.queue[i], p.sequencesOf(a.metadata.partition)
	switch current := s.current(b); {
	case b.code == wire.OK:
		s.acknowledge(b)
		p.returned(a, b, wire.OK, offset, out)
		p.remove(a, i, out)
	case p.transaction != nil:
		if p.transaction.keeps(s, b) {
			p.requeue(a, b, out)
			break
		}
		p.transaction.fail(b.code, false)
		p.returned(a, b, b.code, -1, out)
		p.remove(a, i, out)
	case b.sequenced && (b.code == wire.UnknownProducerId || b.code == wire.OutOfOrderSequenceNumber):
		if current && s.hasGap(b) {
			p.bumpEpoch(s, out)
		}
		p.requeue(a, b, out)
	case b.code.Retriable():
		p.requeue(a, b, out)
	default:
		p.returned(a, b, b.code, -1, out)
		p.remove(a, i, out)
		if current {
			p.bumpEpoch(s, out)
		}
	}
}

// hasGap tells whether a sequence error means that the broker's sequences and the producer's part for good. A batch that
// is not the next one to be acknowledged is only sent again: one before it failed too, or will be given up (KAFKA-15591).
// So is one that was sent behind others: a connection would have kept them in order, the network of a run may not have.
func (s *sequences) hasGap(b *producerBatch) bool {
	switch {
	case !b.oldest:
		return false
	case b.code == wire.UnknownProducerId:
		return true
	case s.unresolved:
		return b.batch.BaseSequence == s.after
	}
	return s.isNext(b.batch.BaseSequence)
}

func (p *producer) metadataAnswered(r *wire.MetadataResponse, out *node.Effects) {
	for i := range p.accumulators {
		if a := &p.accumulators[i]; a.metadata.asking != 0 && a.metadata.asking == r.Correlation {
			a.metadata.answered(&p.base, r, out)
			p.drain(a, out)
			return
		}
	}
}

func (p *producer) producerIDAnswered(r *wire.InitProducerIdResponse, out *node.Effects) {
	q := &p.idRequest
	if q.asking == 0 || q.asking != r.Correlation {
		return
	}
	out.Cancel(q.timer(producerIDTimer))
	q.asking = 0
	if r.Code != wire.OK {
		p.retryProducerID(out)
		return
	}
	q.tries = 0
	p.as = identity{r.ProducerID, 0}
	e := out.Emit(event.ProducerIdReceived, id.Partition{})
	e.ProducerID, e.BatchEpoch, e.From = p.as.id, int32(p.as.epoch), uint8(q.cluster)
	p.drainAll(out)
}

func (p *producer) retryProducerID(out *node.Effects) {
	p.idRequest.waiting = true
	p.armBackoff(p.idRequest.timer(producerIDRetryTimer), &p.idRequest.tries, out)
}

func (p *producer) fired(t node.Timer, out *node.Effects) {
	switch k, c := splitKind(t); k {
	case producerIDTimer:
		p.idRequest.asking = 0
		p.retryProducerID(out)
	case producerIDRetryTimer:
		p.idRequest.waiting = false
		p.drainAll(out)
	case coordinatorTimer:
		p.transaction.asking = 0
		p.coordinatorFailed(wire.RequestTimedOut, out)
	case coordinatorRetryTimer:
		p.transaction.waiting = false
		p.drainAll(out)
	case requestTimer:
		p.requestTimedOut(p.accumulator(c, t.Partition), uint8(t.Peer), out)
	case retryTimer:
		a := p.accumulator(c, t.Partition)
		a.retrying = false
		p.drain(a, out)
	case deliveryTimer:
		a := p.accumulator(c, t.Partition)
		for i := 0; i < len(a.queue); {
			if a.queue[i].group == uint8(t.Peer) {
				p.giveUp(a, i, out)
			} else {
				i++
			}
		}
		p.drainPartition(t.Partition, out)
	default:
		a := p.accumulator(c, t.Partition)
		a.metadata.fired(&p.base, k, len(a.queue) > 0, out)
	}
}

// requestTimedOut drops the connection to the broker that did not answer in time, and with it every request in flight to
// it, as Kafka's NetworkClient does.
func (p *producer) requestTimedOut(a *accumulator, slot uint8, out *node.Effects) {
	for i := range min(p.window(), len(a.queue)) {
		if b := &a.queue[i]; b.inFlight() && b.slot == slot {
			p.disconnect(b.peer, out)
			break
		}
	}
	p.drainAll(out)
}

func (p *producer) disconnect(broker id.Node, out *node.Effects) {
	for i := range p.accumulators {
		a := &p.accumulators[i]
		for j := range min(p.window(), len(a.queue)) {
			if b := &a.queue[j]; b.inFlight() && b.peer == broker {
				a.land(b, out)
				b.code = wire.RequestTimedOut
				p.requeue(a, b, out)
			}
		}
	}
}

// giveUp returns the i-th batch with an unknown outcome. One that was never sent is called and returned at once, so that
// the history has every record that was asked for.
func (p *producer) giveUp(a *accumulator, i int, out *node.Effects) {
	b := &a.queue[i]
	if b.inFlight() {
		a.land(b, out)
	}
	if b.op == 0 && b.batch == nil {
		b.batch = record.NewData(record.NoProducer, -1, record.NoSequence, p.recordsOf(b))
		p.called(a, b, out)
	}
	if b.op != 0 { // otherwise its operation ended when its sequence was forgotten
		p.returned(a, b, wire.RequestTimedOut, -1, out)
	}
	if p.transaction != nil {
		p.transaction.fail(wire.RequestTimedOut, false)
	}
	p.sequencesOf(a.metadata.partition).giveUp(b)
	p.remove(a, i, out)
}

// report gives up everything under way.
func (p *producer) report(out *node.Effects) {
	p.idRequest.stop(out)
	for i := range p.accumulators {
		a := &p.accumulators[i]
		for len(a.queue) > 0 {
			p.giveUp(a, 0, out)
		}
		if a.retrying {
			out.Cancel(a.timer(retryTimer, 0))
			a.retrying = false
		}
		a.metadata.stop(out)
	}
	if p.transaction != nil {
		p.abandonEnd(out)
	}
}

// Clone is a deep copy; batches are shared. A client keeps nothing on its disk.
func (p *producer) Clone(*disk.Disk) node.Node {
	c := *p
	if p.transaction != nil {
		c.transaction = p.transaction.clone()
	}
	c.sequences = slices.Clone(p.sequences)
	c.accumulators = slices.Clone(p.accumulators)
	for i := range c.accumulators {
		c.accumulators[i].queue = slices.Clone(p.accumulators[i].queue)
	}
	return &c
}

// AppendState appends all that the producer's future depends on, without correlations and operation numbers.
func (p *producer) AppendState(dst []byte) []byte {
	dst = word(dst, p.values)
	dst = word(dst, uint64(p.as.id))
	r := &p.idRequest
	dst = word(dst, uint64(uint16(p.as.epoch))<<32|uint64(r.cluster)<<24|uint64(r.tries)<<16|uint64(r.turn)<<8|
		flags(r.asking != 0, r.waiting))
	if p.transaction != nil {
		dst = p.transaction.appendState(dst)
	}
	for i := range p.sequences {
		s := &p.sequences[i]
		dst = word(dst, uint64(s.partition.Word()))
		dst = word(dst, uint64(s.as.id))
		dst = word(dst, uint64(uint16(s.as.epoch))<<32|uint64(uint32(s.next)))
		dst = word(dst, uint64(uint32(s.acked))<<32|uint64(uint32(s.after)))
		dst = word(dst, flags(s.unresolved))
	}
	for i := range p.accumulators {
		a := &p.accumulators[i]
		dst = a.metadata.appendState(dst)
		dst = word(dst, uint64(len(a.queue))<<1|flags(a.retrying))
		for j := range a.queue {
			dst = a.queue[j].appendState(dst)
		}
	}
	return dst
}

func (b *producerBatch) appendState(dst []byte) []byte {
	dst = word(dst, b.first)
	dst = word(dst, uint64(uint32(b.count))<<32|uint64(b.tries)<<24|uint64(b.code)<<16|uint64(b.peer)<<8|uint64(b.slot))
	dst = word(dst, uint64(b.behind)<<40|uint64(b.group)<<32|uint64(uint8(b.acks))<<8|
		flags(b.idempotent, b.sequenced, b.oldest, b.op != 0, b.inFlight(), b.batch != nil))
	if b.sequenced {
		dst = word(dst, uint64(b.batch.ProducerID))
		dst = word(dst, uint64(uint16(b.batch.ProducerEpoch))<<32|uint64(uint32(b.batch.BaseSequence)))
	}
	return dst
}

// Waits says of each partition with batches what the oldest of them waits for.
func (p *producer) Waits(yield func(what string) bool) {
	for i := range p.accumulators {
		a := &p.accumulators[i]
		if len(a.queue) == 0 {
			continue
		}
		if !yield("a batch for " + describe(a.metadata.cluster, a.metadata.partition) + " waits for " + p.waitOf(a)) {
			return
		}
	}
	if t := p.transaction; t != nil && t.ending {
		yield("the end of the transaction waits for " + t.waitOf())
	}
}

func (p *producer) waitOf(a *accumulator) string {
	b := &a.queue[0]
	switch {
	case b.inFlight():
		return "the answer of " + describeNode(b.peer)
	case a.metadata.leader == id.None:
		return "a leader to be known"
	case a.retrying:
		return "its back-off after " + b.code.String()
	case b.idempotent && p.as.id == record.NoProducer:
		return "a producer id"
	case p.transaction != nil && !p.transaction.has(a.metadata.partition):
		return "its partition to be added to the transaction"
	}
	return "the batches before it"
}
