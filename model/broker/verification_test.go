package broker_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/txn"
	"mirrorsim/model/wire"
)

// leading is b0 as running has it, where b2 coordinates the client's transactions.
func leading(t testing.TB) *rig {
	t.Helper()
	r := running(t)
	r.meta(txnTopic(b2)...)
	r.sent = nil
	return r
}

func inTransaction(epoch int16, sequence int32) *record.Batch {
	return record.NewData(1000, epoch, sequence, []record.Record{{Key: 9, Value: uint64(sequence) + 1}}).InTransaction()
}

// sendBatch has the client produce to t-1, of which b0 is the only replica.
func (r *rig) sendBatch(b *record.Batch) uint32 {
	r.t.Helper()
	r.message(client, &wire.ProduceRequest{Partition: tp1, Acks: wire.AcksAll, Batch: b, Correlation: r.next()})
	return r.number
}

func (r *rig) codeOf(correlation uint32) wire.Code {
	r.t.Helper()
	res, to := take[*wire.ProduceResponse](r)
	same(r.t, "answered", []any{to, res.Correlation}, []any{client, correlation})
	return res.Code
}

// confirm takes the question to the coordinator and answers it.
func (r *rig) confirm(code wire.Code) {
	r.t.Helper()
	q, to := take[*wire.AddPartitionsToTxnRequest](r)
	same(r.t, "question", []any{to, q.Client, q.ProducerID, q.Partition, q.VerifyOnly}, []any{b2, client, int64(1000), tp1, true})
	r.message(b2, &wire.AddPartitionsToTxnResponse{Partition: tp1, Code: code, Correlation: q.Correlation})
}

// TestVerification: the first batch of a transaction waits for its coordinator, and those that come meanwhile behind it; the
// later ones do not.
func TestVerification(t *testing.T) {
	r := leading(t)
	first, second := r.sendBatch(inTransaction(0, 0)), r.sendBatch(inTransaction(0, 1))
	same(t, "answered at once", sends[*wire.ProduceResponse](r), false)
	r.confirm(wire.OK)
	same(t, "asked twice", sends[*wire.AddPartitionsToTxnRequest](r), false)
	same(t, "codes", []any{r.codeOf(first), r.codeOf(second)}, []any{wire.OK, wire.OK})
	same(t, "open already", r.codeOf(r.sendBatch(inTransaction(0, 2))), wire.OK)
	r.message(b2, &wire.WriteTxnMarkersRequest{Partition: tp1, ProducerID: 1000, ProducerEpoch: 1, Commit: true, Correlation: 4})
	res, _ := take[*wire.WriteTxnMarkersResponse](r)
	same(t, "marker", *res, wire.WriteTxnMarkersResponse{Partition: tp1, Correlation: 4})
	late := r.sendBatch(inTransaction(0, 3))
	r.confirm(wire.OK) // it was asked before the end
	same(t, "of the transaction that ended", r.codeOf(late), wire.InvalidProducerEpoch)
}

// TestVerificationCodes: what each answer of the coordinator makes of a batch.
func TestVerificationCodes(t *testing.T) {
	for answer, want := range map[wire.Code]wire.Code{
		wire.InvalidTxnState:           wire.InvalidTxnState,
		wire.InvalidProducerIdMapping:  wire.InvalidTxnState,
		wire.ProducerFenced:            wire.InvalidProducerEpoch,
		wire.ConcurrentTransactions:    wire.ConcurrentTransactions,
		wire.NotCoordinator:            wire.NotEnoughReplicas,
		wire.CoordinatorLoadInProgress: wire.NotEnoughReplicas,
	} {
		t.Run(answer.String(), func(t *testing.T) {
			r := leading(t)
			n := r.sendBatch(inTransaction(0, 0))
			r.confirm(answer)
			same(t, "code", r.codeOf(n), want)
			same(t, "appended", r.disk.Find(tp1).End, int64(0))
		})
	}
	t.Run("no answer", func(t *testing.T) {
		r := leading(t)
		n := r.sendBatch(inTransaction(0, 0))
		r.fire(txn.TimerVerify)
		same(t, "code", r.codeOf(n), wire.NotEnoughReplicas)
		r.confirm(wire.OK)
		same(t, "late", sends[*wire.ProduceResponse](r), false)
	})
	t.Run("no coordinator", func(t *testing.T) {
		r := running(t)
		same(t, "code", r.codeOf(r.sendBatch(inTransaction(0, 0))), wire.NotEnoughReplicas)
	})
	t.Run("leadership lost", func(t *testing.T) {
		r := leading(t)
		n := r.sendBatch(inTransaction(0, 0))
		r.meta(&record.PartitionRecord{Partition: tp1, Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: id.None, LeaderEpoch: 1, PartitionEpoch: 1})
		same(t, "code", r.codeOf(n), wire.NotLeaderOrFollower)
	})
	t.Run("mirrored meanwhile", func(t *testing.T) {
		r := leading(t)
		n := r.sendBatch(inTransaction(0, 0))
		r.meta(want(record.WantMirroring))
		r.confirm(wire.OK)
		same(t, "code", r.codeOf(n), wire.ReadOnlyTopic)
	})
	t.Run("verification off", func(t *testing.T) {
		r := leading(t)
		r.setting.TxnVerify = 0
		same(t, "code", r.codeOf(r.sendBatch(inTransaction(0, 5))), wire.OK)
	})
}

// TestKAFKA18202: on an empty state the first sequence of a verified transaction is 0. 5 is refused so that the producer
// tries again, and accepted once 0 to 4 are there.
func TestKAFKA18202(t *testing.T) {
	r := leading(t)
	five := r.sendBatch(inTransaction(0, 5))
	r.confirm(wire.OK)
	same(t, "5", r.codeOf(five), wire.OutOfOrderSequenceNumber)
	zero := r.sendBatch(record.NewData(1000, 0, 0, make([]record.Record, 5)).InTransaction())
	r.confirm(wire.OK)
	same(t, "0", r.codeOf(zero), wire.OK)
	same(t, "5 again", r.codeOf(r.sendBatch(inTransaction(0, 5))), wire.OK)
}

// TestWriteTxnMarkers: which markers a leader takes, and what it answers to the others.
func TestWriteTxnMarkers(t *testing.T) {
	r := leading(t)
	r.setting.TxnVerify = 0
	write := func(epoch int16, coordinatorEpoch int32) wire.Code {
		t.Helper()
		r.message(b2, &wire.WriteTxnMarkersRequest{Partition: tp1, ProducerID: 1000, ProducerEpoch: epoch, CoordinatorEpoch: coordinatorEpoch, Correlation: r.next()})
		res, to := take[*wire.WriteTxnMarkersResponse](r)
		same(t, "answered", []any{to, res.Correlation}, []any{b2, r.number})
		return res.Code
	}
	end := func() int64 { return r.disk.Find(tp1).End }
	r.codeOf(r.sendBatch(inTransaction(0, 0)))
	same(t, "marker", []any{write(1, 2), end()}, []any{wire.OK, int64(2)})
	last := r.disk.Find(tp1).Batches[1]
	same(t, "batch", []any{last.Control, last.ProducerEpoch, last.CoordinatorEpoch}, []any{record.Abort, int16(1), int32(2)})
	same(t, "a repeat", []any{write(1, 2), end()}, []any{wire.OK, int64(2)})
	same(t, "an older coordinator", []any{write(2, 1), end()}, []any{wire.TransactionCoordinatorFenced, int64(2)})
	same(t, "an older epoch", []any{write(0, 2), end()}, []any{wire.InvalidProducerEpoch, int64(2)})
	r.codeOf(r.sendBatch(inTransaction(1, 0)))
	same(t, "late, when the next transaction is open", []any{write(1, 2), end()}, []any{wire.InvalidProducerEpoch, int64(3)})
	same(t, "the marker of that one", []any{write(2, 3), end()}, []any{wire.OK, int64(4)})
	r.meta(want(record.WantMirroring))
	same(t, "a topic that follows a source", []any{write(3, 3), end()}, []any{wire.ReadOnlyTopic, int64(4)})
	r.meta(want(record.WantStopped))
	same(t, "one that is not stopped yet", []any{write(3, 3), end()}, []any{wire.NotLeaderOrFollower, int64(4)})
}

// TestMarkerAcksAll: a marker is answered once it is below the high watermark, and once only however often it was sent.
func TestMarkerAcksAll(t *testing.T) {
	r := leading(t)
	req := &wire.WriteTxnMarkersRequest{Partition: tp, ProducerID: 1000, ProducerEpoch: 1, Commit: true, Correlation: 4}
	r.message(b2, req)
	r.message(b2, req)
	same(t, "at once", sends[*wire.WriteTxnMarkersResponse](r), false)
	same(t, "origin", []any{r.count(event.Appended), r.events[len(r.events)-1].Kind}, []any{1, event.Appended})
	same(t, "cause", r.events[len(r.events)-1].Cause, uint8(event.FromCoordinator))
	r.message(b1, &wire.FetchRequest{Partition: tp, Replica: b1, LastFetchedEpoch: 0, FetchOffset: 1, Correlation: 1})
	take[*wire.WriteTxnMarkersResponse](r)
	same(t, "twice", sends[*wire.WriteTxnMarkersResponse](r), false)
	r.message(b2, &wire.WriteTxnMarkersRequest{Partition: far, Correlation: 5})
	res, _ := take[*wire.WriteTxnMarkersResponse](r)
	same(t, "not hosted", res.Code, wire.NotLeaderOrFollower)
}

// TestAbortedIndex: a consumer in read_committed is told of the aborted transactions in what it reads, and of no others.
func TestAbortedIndex(t *testing.T) {
	r := leading(t)
	r.setting.TxnVerify = 0
	mark := func(epoch int16, commit bool) {
		r.message(b2, &wire.WriteTxnMarkersRequest{Partition: tp1, ProducerID: 1000, ProducerEpoch: epoch, Commit: commit})
	}
	r.sendBatch(inTransaction(0, 0)) // 0, aborted at 1
	mark(1, false)
	r.sendBatch(inTransaction(1, 0)) // 2, committed at 3
	mark(2, true)
	r.sendBatch(inTransaction(2, 0)) // 4, open
	read := func(offset int64, committed bool) (int64, []wire.AbortedTransaction) {
		r.message(client, &wire.FetchRequest{Partition: tp1, Replica: id.None, CurrentLeaderEpoch: -1, LastFetchedEpoch: -1, FetchOffset: offset, ReadCommitted: committed})
		res, _ := take[*wire.FetchResponse](r)
		return int64(len(res.Batches)), res.Aborted
	}
	for _, row := range []struct {
		offset    int64
		committed bool
		batches   int64
		aborted   []wire.AbortedTransaction
	}{{0, true, 4, []wire.AbortedTransaction{{ProducerID: 1000}}}, {1, true, 3, []wire.AbortedTransaction{{ProducerID: 1000}}}, {2, true, 2, nil}, {0, false, 5, nil}} {
		n, aborted := read(row.offset, row.committed)
		same(t, "batches", n, row.batches)
		same(t, "aborted", aborted, row.aborted)
	}
}
