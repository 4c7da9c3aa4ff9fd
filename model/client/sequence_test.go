package client

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// KAFKA-15591: the later batch was acknowledged, so the earlier one is retried until it is given up, without a bump.
func TestFirstBatchRefusedForGood(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 2)
	d.produced(r[1], wire.OK, 0)
	again := r[0]
	for range 3 {
		d.produced(again, wire.OutOfOrderSequenceNumber, 0)
		d.fire(retryTimer)
		again = request[*wire.ProduceRequest](d, 0)
		wantBatch(t, again, 0, 0, 1)
	}
	d.lines = nil
	d.fire(deliveryTimer)
	d.history("returned op1 by 0 REQUEST_TIMED_OUT -1")
}

func TestErrorsThatBumpTheEpoch(t *testing.T) {
	for _, c := range []struct {
		code  wire.Code
		again bool
	}{
		{wire.UnknownProducerId, true},
		{wire.OutOfOrderSequenceNumber, true}, // of the next batch to be acknowledged: a gap
		{wire.ReadOnlyTopic, false},
		{wire.CorruptMessage, false},
		{wire.InvalidProducerEpoch, false},
		{wire.InvalidTxnState, false},
	} {
		t.Run(c.code.String(), func(t *testing.T) {
			d := idempotent(t)
			first := pinned(d, 1)[0]
			d.produced(first, wire.OK, 0)
			d.command(&wire.ProduceCommand{Partition: tp, Count: 2, Batch: 1, Acks: wire.AcksAll, ProducerID: 7})
			r := []*wire.ProduceRequest{request[*wire.ProduceRequest](d, 0), request[*wire.ProduceRequest](d, 0)}
			d.lines = nil
			d.produced(r[0], c.code, 0)
			d.history("returned op2 by 0 " + c.code.String() + " -1")
			d.quiet() // the second one is in flight under the old epoch
			d.produced(r[1], wire.OutOfOrderSequenceNumber, 0)
			d.history("returned op3 by 0 OUT_OF_ORDER_SEQUENCE_NUMBER -1")
			d.fire(retryTimer)
			if c.again {
				wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 0, 2)
				wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 1, 3)
				d.history("called op4 on 0/0 1 records as 7/1@0 acks -1", "sent op4 to 0 #0",
					"called op5 on 0/0 1 records as 7/1@1 acks -1", "sent op5 to 0 #0")
			} else {
				wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 0, 3)
				d.history("called op4 on 0/0 1 records as 7/1@0 acks -1", "sent op4 to 0 #0")
			}
		})
	}
}

// After a bump nothing new is sent before what is in flight under the old epoch is answered: it may have to go first.
func TestNewBatchesWaitForTheOldEpoch(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 2)
	d.produced(r[0], wire.ReadOnlyTopic, 0)
	one(d, 0, tp)
	d.quiet()
	d.produced(r[1], wire.NotEnoughReplicas, 0)
	d.fire(retryTimer)
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 0, 2)
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 1, 3)
}

// A batch that waits to be sent again when the epoch is bumped is sent under the new one, as another operation.
func TestBumpWithWaitingBatch(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 2)
	d.produced(r[1], wire.OutOfOrderSequenceNumber, 0)
	d.produced(r[0], wire.ReadOnlyTopic, 0)
	d.history("returned op1 by 0 READ_ONLY_TOPIC -1", "returned op2 by 0 OUT_OF_ORDER_SEQUENCE_NUMBER -1")
	d.fire(retryTimer)
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 0, 2)
}

// A bump for one partition moves the others on only when nothing of theirs is open, or when they fail too.
func TestOtherPartitionAfterBump(t *testing.T) {
	for _, code := range []wire.Code{wire.OK, wire.CorruptMessage} {
		t.Run(code.String(), func(t *testing.T) {
			d := idempotent(t)
			r := pinned(d, 1)
			one(d, 0, tp1)
			d.leader(0, 0, 1)
			r = append(r, request[*wire.ProduceRequest](d, 0))
			d.produced(r[0], wire.ReadOnlyTopic, 0)
			one(d, 0, tp1)
			d.quiet()
			d.produced(r[1], code, 0)
			wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 0, 3)
		})
	}
}

// The same producer goes on against another cluster: same producer id, next sequence; what is pending stays.
func TestGoesOnAgainstAnotherCluster(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 2)
	d.produced(r[0], wire.OK, 0)
	d.command(&wire.ProduceCommand{Cluster: 1, Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: 7})
	d.leader(2, 3, 0)
	b := request[*wire.ProduceRequest](d, 3)
	wantBatch(t, b, 0, 2, 3)
	d.lines = nil
	d.produced(b, wire.UnknownProducerId, 0)
	d.fire(retryTimer)
	wantBatch(t, request[*wire.ProduceRequest](d, 3), 1, 0, 3)
	d.produced(r[1], wire.OK, 1)
	d.history("returned op3 by 3 UNKNOWN_PRODUCER_ID -1", "called op4 on 1/0 1 records as 7/1@0 acks -1", "sent op4 to 3 #0",
		"returned op2 by 0 NONE 1")
}

// A batch that fails under an old epoch is sent again under the present one, without another bump.
func TestOldEpochDoesNotBump(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 1)
	one(d, 1, tp)
	d.leader(2, 2, 0)
	b := request[*wire.ProduceRequest](d, 2)
	d.produced(b, wire.UnknownProducerId, 0)
	d.produced(r[0], wire.UnknownProducerId, 0)
	d.fire(retryTimer)
	wantBatch(t, request[*wire.ProduceRequest](d, 2), 1, 0, 2)
	d.fire(retryTimer)
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 1, 1)
}

// One of two clusters may be gone: each is asked in turn.
func TestProducerIdFromEitherCluster(t *testing.T) {
	d := idempotent(t)
	for c, b := range clusters {
		d.command(&wire.ProduceCommand{Cluster: id.Cluster(c), Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll,
			ProducerID: -1})
		if c == 0 {
			d.leader(0, 0, 0)
			request[*wire.InitProducerIdRequest](d, 0)
		} else {
			d.leader(b.Bootstrap[0], b.Bootstrap[0], 0)
		}
	}
	d.fire(producerIDTimer)
	d.fire(producerIDRetryTimer)
	i := request[*wire.InitProducerIdRequest](d, 3)
	d.answer(3, &wire.InitProducerIdResponse{ProducerID: 4, Correlation: i.Correlation})
	for _, to := range []id.Node{0, 2} {
		if r := request[*wire.ProduceRequest](d, to); r.Batch.ProducerID != 4 {
			t.Errorf("producer id %d", r.Batch.ProducerID)
		}
	}
}

func TestProducerIdIsAskedForInTurn(t *testing.T) {
	d := idempotent(t)
	d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
	d.leader(0, 0, 0)
	late := request[*wire.InitProducerIdRequest](d, 0)
	d.fire(producerIDTimer)
	d.answer(0, &wire.InitProducerIdResponse{ProducerID: 5, Correlation: late.Correlation})
	d.fire(producerIDRetryTimer)
	again := request[*wire.InitProducerIdRequest](d, 1)
	d.answer(1, &wire.InitProducerIdResponse{Code: wire.CoordinatorLoadInProgress, Correlation: again.Correlation})
	d.history()
	if op := d.fire(producerIDRetryTimer); op.After != 200*id.Millisecond {
		t.Errorf("second back-off is %v", op.After)
	}
	third := request[*wire.InitProducerIdRequest](d, 0)
	d.answer(0, &wire.InitProducerIdResponse{ProducerID: 6, Correlation: third.Correlation})
	d.history("id 6/0", "called op1 on 0/0 1 records as 6/0@0 acks -1", "sent op1 to 0 #0")
}

func TestPinnedIDReplacesTheOneAskedFor(t *testing.T) {
	d := idempotent(t)
	d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
	d.leader(0, 0, 0)
	i := request[*wire.InitProducerIdRequest](d, 0)
	one(d, 0, tp)
	d.answer(0, &wire.InitProducerIdResponse{ProducerID: 5, Correlation: i.Correlation})
	for n := range 2 {
		if r := request[*wire.ProduceRequest](d, 0); r.Batch.ProducerID != 7 || r.Batch.BaseSequence != int32(n) {
			t.Errorf("sent as %d, sequence %d", r.Batch.ProducerID, r.Batch.BaseSequence)
		}
	}
	d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
	if r := request[*wire.ProduceRequest](d, 0); r.Batch.ProducerID != 7 || d.armed(producerIDTimer) > 0 {
		t.Errorf("sent as %d; timers %v", r.Batch.ProducerID, d.timers)
	}
}

func TestLastEpochTakesAnotherID(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 1)
	d.produced(r[0], wire.OK, 0)
	p := d.node.(*producer)
	p.as.epoch = 32767
	d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
	bad := request[*wire.ProduceRequest](d, 0)
	wantBatch(t, bad, 32767, 0, 2)
	d.produced(bad, wire.UnknownProducerId, 0)
	d.fire(retryTimer)
	i := request[*wire.InitProducerIdRequest](d, 0)
	d.answer(0, &wire.InitProducerIdResponse{ProducerID: 8, Correlation: i.Correlation})
	if again := request[*wire.ProduceRequest](d, 0); again.Batch.ProducerID != 8 || again.Batch.ProducerEpoch != 0 {
		t.Errorf("sent as %d/%d, want 8/0", again.Batch.ProducerID, again.Batch.ProducerEpoch)
	}
}

func TestSequencesWrap(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 1)
	d.produced(r[0], wire.OK, 0)
	s := d.node.(*producer).sequencesOf(tp)
	s.next, s.acked = 1<<31-1, 1<<31-2
	for n, want := range []int64{1<<31 - 1, 0, 1} {
		d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: 7})
		x := request[*wire.ProduceRequest](d, 0)
		wantBatch(t, x, 0, want, int64(n+2))
		d.produced(x, wire.OK, int64(n+1))
		if !s.isNext(s.next) {
			t.Fatalf("after sequence %d the next one %d does not follow the acknowledged one %d", want, s.next, s.acked)
		}
	}
}

// A producer whose batches are given up knows what may stand in the log by the latest of them, in whatever order they are given
// up: the newest sequence stays (Kafka's markSequenceUnresolved), also where it wraps to 0 and where an earlier one stood there
// before.
func TestLatestOfTheBatchesGivenUp(t *testing.T) {
	batch := func(sequence int32) *producerBatch {
		return &producerBatch{sequenced: true, batch: &record.Batch{ProducerID: 7, BaseSequence: sequence, Records: make([]record.Record, 1)}}
	}
	for _, c := range []struct {
		name   string
		before int32 // of a batch that was given up and resolved since
		up     []int32
		after  int32
	}{
		{"in order", 0, []int32{4, 5}, 6},
		{"the later one first", 0, []int32{5, 4}, 6},
		{"the last sequence", 0, []int32{1<<31 - 1}, 0},
		{"a later one is resolved", 9, []int32{4}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &sequences{as: identity{7, 0}, after: c.before}
			for _, n := range c.up {
				s.giveUp(batch(n))
			}
			if !s.unresolved || s.after != c.after {
				t.Errorf("unresolved %v after %d, want %d", s.unresolved, s.after, c.after)
			}
		})
	}
}
