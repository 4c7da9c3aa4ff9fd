package client

import (
	"slices"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/apart"
)

// A client's state tells apart whatever its future depends on (architecture, "Forks"). Left out are what it was configured with;
// the numbers by which answers and operations are told apart, of which only counts whether there is one; what follows from the
// rest; and what only events and its words for people use.
func TestStateTellsFieldsApart(t *testing.T) {
	one := []id.Partition{{Topic: 1}}
	found := apart.Found(t, 9)
	found(apart.Collisions(func() *consumer { return &consumer{readers: make([]reader, 1)} },
		func(c *consumer) []byte { return c.AppendState(nil) }, ".base", ".readers.asking", ".readers.metadata.asking"))
	found(apart.Collisions(func() *groupConsumer {
		return &groupConsumer{members: []*member{{partitions: slices.Clone(one), todo: slices.Clone(one), ops: make([]groupOp, 1)}}}
	}, func(g *groupConsumer) []byte { return g.AppendState(nil) }, ".consumer.base", ".members.asking", ".members.ops.op"))
	batch := producerBatch{sequenced: true, batch: &record.Batch{}}
	found(apart.Collisions(func() *producer {
		return &producer{sequences: make([]sequences, 1), accumulators: []accumulator{{queue: []producerBatch{batch}}},
			transaction: &transaction{added: slices.Clone(one)}}
	}, func(p *producer) []byte { return p.AppendState(nil) }, ".base", ".idempotent", ".idRequest.asking", ".transaction.asking",
		".transaction.op", ".accumulators.metadata.asking", ".accumulators.inFlight", ".accumulators.slots", ".accumulators.queue.op",
		".accumulators.queue.correlation", ".accumulators.queue.attempts"))
	found(apart.Collisions(func() *admin { return &admin{calls: []call{{request: &wire.DeleteTopicsRequest{}}}} },
		func(a *admin) []byte { return a.AppendState(nil) }, ".base", ".cluster", ".calls in length", ".calls.op", ".calls.code",
		".calls.peer", ".calls.correlation", ".calls.number"))
	states := map[string]bool{}
	for _, b := range []record.Batch{{}, {ProducerID: 1}, {ProducerEpoch: 1}, {BaseSequence: 1}} {
		states[string((&producerBatch{sequenced: true, batch: &b}).appendState(nil))] = true
	}
	if len(states) != 4 {
		t.Errorf("four batches make %d states", len(states))
	}
}
