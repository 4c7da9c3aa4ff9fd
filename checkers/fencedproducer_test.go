package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// A producer that its transaction coordinator has fenced between its batch and the answer is refused, though the log has nothing of it
// since the reset. One of a live epoch, or of which only another cluster's coordinator tells, is not.
func TestFreshProducerThatWasFenced(t *testing.T) {
	stored := func(c id.Cluster, client id.Node, producer int64, epoch int32) func(*builder) {
		return func(b *builder) {
			b.emit(event.Event{Kind: event.TransactionStored, Node: brokers(c)[0], Peer: client, ProducerID: producer, BatchEpoch: epoch,
				To: uint8(record.PrepareAbort)})
		}
	}
	for _, c := range []struct {
		name string
		then func(*builder)
		code uint8
		want Status
	}{
		{"nobody has fenced it", func(*builder) {}, codeInvalidProducerEpoch, Violated},
		{"a higher epoch", stored(clusterB, p2, 7, 1), codeInvalidProducerEpoch, NotExercised},
		{"another producer id", stored(clusterB, p2, 8, 0), codeInvalidProducerEpoch, NotExercised},
		{"a higher epoch, and a gap in the sequence", stored(clusterB, p2, 7, 1), codeOutOfOrderSequenceNumber, Violated},
		{"the epoch of the batch", stored(clusterB, p2, 7, 0), codeInvalidProducerEpoch, Violated},
		{"another client's", stored(clusterB, p1, 7, 1), codeInvalidProducerEpoch, Violated},
		{"another cluster's", stored(clusterA, p2, 7, 1), codeInvalidProducerEpoch, Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := stopped()
			op := b.call(p2, clusterB, b.data(p2, 1, 7, 0), acksAll)
			c.then(b)
			b.returned(p2, clusterB, op, -1, c.code)
			if v := verdictOf(t, judge(t, b.events), FreshProducer.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}
