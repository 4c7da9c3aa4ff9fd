package client

import (
	"math/bits"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// producerBatch is one batch that was not returned yet.
type producerBatch struct {
	batch       *record.Batch // nil before it is first sent
	first       uint64        // Value of its first record
	count       int32
	attempts    int32 // of the present operation
	acks        int8
	idempotent  bool
	sequenced   bool      // the batch has a producer id and a sequence
	oldest      bool      // at the last attempt no older batch was under way
	behind      uint8     // batches that got their sequence after this one
	tries       uint8     // failed attempts, for the back-off
	code        wire.Code // of the last attempt
	peer        id.Node   // to whom the last attempt went
	slot        uint8     // number of the request timer while in flight
	group       uint8     // number of the delivery timer: one for all batches of a command
	op          uint32    // 0 before it is called
	correlation uint32    // of the attempt in flight, 0 if none is
}

func (b *producerBatch) inFlight() bool { return b.correlation != 0 }

// accumulator is the batches for one partition of one cluster, in the order in which they were called for, in flight or
// not. Those that were ever sent are among the first MaxInFlight.
type accumulator struct {
	metadata metadata
	queue    []producerBatch
	inFlight int
	slots    uint64 // numbers of request timers in use
	retrying bool   // back-off: nothing is sent
}

// window is how many batches may be in flight for a partition: max.in.flight.requests.per.connection, at most 64.
func (p *producer) window() int { return int(min(p.settings.MaxInFlight, 64)) }

// drain sends what may be sent. An idempotent producer keeps the order: a batch that is sent again waits until it is the
// oldest one, and holds back all behind it (Kafka's RecordAccumulator, shouldStopDrainBatchesForPartition).
func (p *producer) drain(a *accumulator, out *node.Effects) {
	if len(a.queue) == 0 || a.retrying || !a.metadata.known(&p.base, out) {
		return
	}
	s := p.sequencesOf(a.metadata.partition)
	for i := 0; i < len(a.queue) && a.inFlight < p.window(); i++ {
		b := &a.queue[i]
		switch {
		case b.inFlight():
			if b.sequenced && !s.current(b) {
				return // it may have to be sent again under the new epoch, before those behind it
			}
			continue
		case b.sequenced:
			if i > 0 {
				return
			}
		case b.idempotent:
			if p.transaction != nil && !p.joined(a, out) || !p.sequence(a, b, out) {
				return
			}
		case b.batch == nil:
			b.batch = record.NewData(record.NoProducer, -1, record.NoSequence, p.recordsOf(b))
		}
		b.oldest = i == 0
		p.send(a, b, out)
		if b.acks == 0 {
			s.acknowledge(b)
			p.returned(a, b, wire.OK, -1, out)
			p.remove(a, i, out)
			i--
		}
	}
}

// drainPartition sends what may be sent to a partition, in every cluster: they share its sequences.
func (p *producer) drainPartition(q id.Partition, out *node.Effects) {
	for i := range p.accumulators {
		if p.accumulators[i].metadata.partition == q {
			p.drain(&p.accumulators[i], out)
		}
	}
}

func (p *producer) drainAll(out *node.Effects) {
	for i := range p.accumulators {
		p.drain(&p.accumulators[i], out)
	}
}

// recordsOf is the records of a batch: unique in the run by client and counter.
func (p *producer) recordsOf(b *producerBatch) []record.Record {
	if b.batch != nil {
		return b.batch.Records
	}
	records := make([]record.Record, b.count)
	for i := range records {
		records[i] = record.Record{Key: uint64(p.self) + 1, Value: b.first + uint64(i)}
	}
	return records
}

// send sends one attempt of a batch to the leader. With acks=0 no answer is waited for.
func (p *producer) send(a *accumulator, b *producerBatch, out *node.Effects) {
	if b.op == 0 {
		p.called(a, b, out)
	}
	b.peer = a.metadata.leader
	correlation := p.nextCorrelation()
	out.Send(b.peer, &wire.ProduceRequest{Partition: a.metadata.partition, Acks: b.acks, Batch: b.batch,
		Correlation: correlation})
	e := out.Emit(event.ProduceSent, a.metadata.partition)
	e.Op, e.Peer, e.From, e.Sequence = b.op, b.peer, uint8(a.metadata.cluster), b.attempts
	b.attempts++
	if b.acks == 0 {
		return
	}
	b.correlation = correlation
	b.slot = uint8(bits.TrailingZeros64(^a.slots))
	a.slots |= 1 << b.slot
	a.inFlight++
	out.Arm(a.timer(requestTimer, b.slot), p.settings.RequestTimeout, 0)
}

// land takes a batch out of flight: its answer came, or will not be listened to.
func (a *accumulator) land(b *producerBatch, out *node.Effects) {
	out.Cancel(a.timer(requestTimer, b.slot))
	a.slots &^= 1 << b.slot
	a.inFlight--
	b.correlation, b.slot = 0, 0
}

// requeue has a batch that is out of flight sent again after a back-off. It keeps its place.
func (p *producer) requeue(a *accumulator, b *producerBatch, out *node.Effects) {
	if b.sequenced && !p.sequencesOf(a.metadata.partition).current(b) {
		p.forgetSequence(a, b, out)
	}
	if a.retrying {
		b.tries = min(b.tries+1, maxTries)
	} else {
		a.retrying = true
		p.armBackoff(a.timer(retryTimer, 0), &b.tries, out)
	}
	if needsMetadata(b.code) {
		a.metadata.refresh(&p.base, out)
	}
}

// remove drops the i-th batch, and the delivery timer of its command if it was the last one of it.
func (p *producer) remove(a *accumulator, i int, out *node.Effects) {
	group := a.queue[i].group
	copy(a.queue[1:i+1], a.queue[:i])
	a.queue[0] = producerBatch{}
	if len(a.queue) == 1 {
		a.queue = a.queue[:0] // keeps the memory
	} else {
		a.queue = a.queue[1:]
	}
	// The batches of a command stand side by side, so a look at both neighbours is enough.
	if i > 0 && a.queue[i-1].group == group || i < len(a.queue) && a.queue[i].group == group {
		return
	}
	out.Cancel(a.timer(deliveryTimer, group))
}

// freeGroup is the number of a delivery timer that no batch uses. When all are taken, a command shares the newest one's.
func (a *accumulator) freeGroup() (group uint8, free bool) {
	var used [256]bool
	for i := range a.queue {
		used[a.queue[i].group] = true
	}
	for g, u := range used {
		if !u {
			return uint8(g), true
		}
	}
	return a.queue[len(a.queue)-1].group, false
}

func (a *accumulator) timer(k timerKind, number uint8) node.Timer {
	return timer(k, a.metadata.cluster, a.metadata.partition, number)
}

// called reports that a batch is handed to sending.
func (p *producer) called(a *accumulator, b *producerBatch, out *node.Effects) {
	b.op = p.nextOp()
	e := out.Emit(event.ProduceCalled, a.metadata.partition)
	e.Op, e.From, e.To = b.op, uint8(a.metadata.cluster), uint8(b.acks)
	e.ProducerID, e.BatchEpoch, e.Sequence = b.batch.ProducerID, int32(b.batch.ProducerEpoch), b.batch.BaseSequence
	e.End, e.Digest = int64(b.count), uint64(b.batch.CRC)
}

// returned reports what became of a batch: the base offset, -1 if it is not known.
func (p *producer) returned(a *accumulator, b *producerBatch, code wire.Code, base int64, out *node.Effects) {
	e := out.Emit(event.ProduceReturned, a.metadata.partition)
	e.Op, e.Peer, e.From, e.To, e.Offset = b.op, b.peer, uint8(a.metadata.cluster), uint8(code), base
}
