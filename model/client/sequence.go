package client

import (
	"math"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// identity is a producer id with its epoch. A producer has one for all clusters that it is pointed at, as Kafka's has: it
// does not notice that its bootstrap address leads to another cluster.
type identity struct {
	id    int64 // record.NoProducer: none yet
	epoch int16
}

var noIdentity = identity{record.NoProducer, -1}

// sequences is what an idempotent producer knows of one partition: Kafka's TxnPartitionEntry.
type sequences struct {
	partition  id.Partition
	as         identity // under which the sequences below count
	next       int32    // of the next new batch
	acked      int32    // the highest one acknowledged, -1 if none
	unresolved bool     // a batch was given up that may stand in the log: no new batch before the rest is answered
	after      int32    // the sequence after the batch that was given up
}

// sequencesOf is the entry of partition p, which exists once something was produced to it.
func (p *producer) sequencesOf(q id.Partition) *sequences {
	for i := range p.sequences {
		if p.sequences[i].partition == q {
			return &p.sequences[i]
		}
	}
	return nil
}

// addSequences makes the entry of a partition, in order.
func (p *producer) addSequences(q id.Partition) {
	if p.sequencesOf(q) != nil {
		return
	}
	i := len(p.sequences)
	for i > 0 && q.Less(p.sequences[i-1].partition) {
		i--
	}
	p.sequences = append(p.sequences, sequences{})
	copy(p.sequences[i+1:], p.sequences[i:])
	p.sequences[i] = sequences{partition: q, as: noIdentity, acked: -1}
}

// current tells whether b's sequence still counts; it does not after the producer epoch was bumped for its partition.
func (s *sequences) current(b *producerBatch) bool {
	return b.sequenced && b.batch.ProducerID == s.as.id && b.batch.ProducerEpoch == s.as.epoch
}

// isNext tells whether a batch that starts at sequence is the one after the last acknowledged one.
func (s *sequences) isNext(sequence int32) bool { return sequence == record.AddSequence(s.acked, 1) }

// later tells whether sequence a comes after b. Sequences wrap, so the shorter way round decides.
func later(a, b int32) bool { return a != b && (a-b)&math.MaxInt32 < 1<<30 }

// acknowledge notes that a batch was acknowledged.
func (s *sequences) acknowledge(b *producerBatch) {
	if !s.current(b) {
		return
	}
	if last := b.batch.LastSequence(); s.acked < 0 || later(last, s.acked) {
		s.acked = last
	}
}

// giveUp notes that b will not be sent again although it may stand in the log: Kafka's markSequenceUnresolved.
func (s *sequences) giveUp(b *producerBatch) {
	if !s.current(b) {
		return
	}
	after := record.AddSequence(b.batch.LastSequence(), 1)
	if !s.unresolved || later(after, s.after) {
		s.unresolved, s.after = true, after
	}
}

// maxSequenced is how many batches an idempotent producer may have under way from the oldest unanswered one on: a broker
// knows the last five batches of a producer again, and none before (section 4 of the design). Kafka bounds the requests
// in flight by it, which is the same there, because a connection brings answers in order.
const maxSequenced = 5

// follow counts a batch that is about to get its sequence as one behind every batch that is open in a's queue. It is
// false, and counts nothing, when the oldest of them must be answered first.
func (p *producer) follow(a *accumulator, s *sequences) bool {
	n := min(p.window(), len(a.queue))
	limit := uint8(min(p.window(), maxSequenced)) - 1
	for i := range n {
		if b := &a.queue[i]; s.current(b) && b.behind >= limit {
			return false
		}
	}
	for i := range n {
		if b := &a.queue[i]; s.current(b) {
			b.behind++
		}
	}
	return true
}

// openSequences tells whether a batch of the partition is unanswered under its present sequences, in any cluster.
func (p *producer) openSequences(s *sequences) bool {
	for i := range p.accumulators {
		a := &p.accumulators[i]
		if a.metadata.partition != s.partition {
			continue
		}
		for j := range min(p.window(), len(a.queue)) {
			if s.current(&a.queue[j]) {
				return true
			}
		}
	}
	return false
}

// sequence gives a batch its producer id, epoch and base sequence. It is false when the batch must wait: for a producer
// id, for batches under an older identity, for the oldest one when there are five, or until it is known what became of a
// batch that was given up.
func (p *producer) sequence(a *accumulator, b *producerBatch, out *node.Effects) bool {
	s := p.sequencesOf(a.metadata.partition)
	if s.unresolved {
		if p.openSequences(s) {
			return false
		}
		if s.isNext(s.next) { // a later batch was acknowledged, so the one given up stands
			s.unresolved = false
		} else {
			p.bumpEpoch(s, out)
		}
	}
	if p.as.id == record.NoProducer {
		p.askProducerID(out)
		return false
	}
	if s.as != p.as {
		if p.openSequences(s) {
			return false
		}
		*s = sequences{partition: s.partition, as: p.as, acked: -1}
	}
	if !p.follow(a, s) {
		return false
	}
	b.batch = record.NewData(p.as.id, p.as.epoch, s.next, p.recordsOf(b))
	if p.transaction != nil {
		b.batch = b.batch.InTransaction()
	}
	b.sequenced, b.behind = true, 0
	s.next = record.AddSequence(s.next, b.count)
	return true
}

// bumpEpoch restarts the sequences of one partition at 0 under the next producer epoch, as Kafka's idempotent producer
// does on its own when its sequences have a gap or the broker lost them; after the last epoch it asks for another producer
// id. Batches that wait get new sequences, those in flight keep theirs until they are answered.
func (p *producer) bumpEpoch(s *sequences, out *node.Effects) {
	switch {
	case s.as != p.as: // another partition has brought the bump already
	case p.as.epoch == math.MaxInt16:
		p.as = noIdentity
	default:
		p.as.epoch++
	}
	*s = sequences{partition: s.partition, as: p.as, acked: -1}
	for i := range p.accumulators {
		a := &p.accumulators[i]
		if a.metadata.partition != s.partition {
			continue
		}
		for j := range min(p.window(), len(a.queue)) {
			if b := &a.queue[j]; b.sequenced && !b.inFlight() {
				p.forgetSequence(a, b, out)
			}
		}
	}
}

// forgetSequence ends the operation of a batch that will be sent as another one.
func (p *producer) forgetSequence(a *accumulator, b *producerBatch, out *node.Effects) {
	p.returned(a, b, b.code, -1, out)
	b.sequenced, b.op, b.attempts = false, 0, 0
}

// idRequest is the request for a producer id.
type idRequest struct {
	cluster id.Cluster // asked last
	asking  uint32     // the correlation of the request under way, 0 if there is none
	waiting bool       // back-off before the next request
	tries   uint8
	turn    uint8
}

// askProducerID asks a broker for a producer id. When several clusters have batches waiting, they are asked in turn: one
// of them may be gone for good.
func (p *producer) askProducerID(out *node.Effects) {
	r := &p.idRequest
	if r.asking != 0 || r.waiting {
		return
	}
	n := len(p.accumulators)
	for i := range n {
		a := &p.accumulators[(int(r.tries)+i)%n]
		if len(a.queue) > 0 {
			r.cluster = a.metadata.cluster
			break
		}
	}
	r.asking = p.nextCorrelation()
	out.Send(p.bootstrap(r.cluster, &r.turn), &wire.InitProducerIdRequest{Correlation: r.asking})
	out.Arm(r.timer(producerIDTimer), p.settings.RequestTimeout, 0)
}

func (r *idRequest) timer(k timerKind) node.Timer { return timer(k, r.cluster, id.Partition{}, 0) }

// stop gives up the request under way.
func (r *idRequest) stop(out *node.Effects) {
	if r.asking != 0 {
		out.Cancel(r.timer(producerIDTimer))
	}
	if r.waiting {
		out.Cancel(r.timer(producerIDRetryTimer))
	}
	r.asking, r.waiting, r.tries = 0, false, 0
}
