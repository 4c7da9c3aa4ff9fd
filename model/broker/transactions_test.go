package broker_test

import (
	"fmt"
	"math"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/txn"
	"mirrorsim/model/wire"
)

var txnTP = id.Partition{Topic: id.NewTopic(0, 4)}

// txnTopic is __transaction_state with its only partition led by leader, alone in the ISR.
func txnTopic(leader id.Node) []record.Metadata {
	return []record.Metadata{
		&record.TopicRecord{Topic: txnTP.Topic, Name: "__transaction_state", Partitions: 1, MinISR: 1, Internal: record.TransactionStateTopic},
		txnLeader(leader, 0),
	}
}

func txnLeader(leader id.Node, epoch int32) *record.PartitionRecord {
	return &record.PartitionRecord{Partition: txnTP, Replicas: []id.Node{b2, b0}, ISR: id.SetOf(leader), Leader: leader,
		LeaderEpoch: epoch, PartitionEpoch: epoch}
}

// coordinating is b0 as running has it, and as the transaction coordinator, with producer ids from 1000 on.
func coordinating(t testing.TB, stored ...record.Transaction) *rig {
	t.Helper()
	r := running(t)
	leader := b0
	if len(stored) > 0 {
		leader = b2
	}
	r.meta(txnTopic(leader)...)
	if len(stored) > 0 { // b0 has followed b2, and leads now
		r.stores(stored...)
		r.meta(txnLeader(b0, 1))
	}
	r.fire(txn.TimerLoad)
	r.sent, r.events = nil, nil
	return r
}

// stores has b0 fetch records of __transaction_state from its leader, b2.
func (r *rig) stores(stored ...record.Transaction) {
	r.t.Helper()
	for i := range r.sent {
		if m, ok := r.sent[i].Body.(*wire.FetchRequest); ok && m.Partition == txnTP {
			r.message(b2, &wire.FetchResponse{Partition: txnTP, HighWatermark: int64(len(stored)), LogEnd: int64(len(stored)),
				Batches: []*record.Batch{record.NewTransactions(stored).At(0, 0)}, Correlation: m.Correlation})
			return
		}
	}
	r.t.Fatal("b0 does not follow __transaction_state")
}

func (r *rig) next() uint32 { r.number++; return r.number }

// init asks for a producer id and answers the broker's own question for a block of them.
func (r *rig) init(pid int64, epoch int16) wire.InitProducerIdResponse {
	r.t.Helper()
	r.message(client, &wire.InitProducerIdRequest{Client: client, Transactional: true, ProducerID: pid, ProducerEpoch: epoch, Correlation: r.next()})
	r.allocates()
	res, to := take[*wire.InitProducerIdResponse](r)
	same(r.t, "answered", []any{to, res.Correlation}, []any{client, r.number})
	return wire.InitProducerIdResponse{Code: res.Code, ProducerID: res.ProducerID, ProducerEpoch: res.ProducerEpoch}
}

func (r *rig) allocates() {
	if sends[*wire.AllocateProducerIdsRequest](r) {
		a, _ := take[*wire.AllocateProducerIdsRequest](r)
		r.message(c0, &wire.AllocateProducerIdsResponse{Start: 1000, Count: 10, Correlation: a.Correlation})
	}
}

func (r *rig) add(p id.Partition, pid int64, epoch int16) wire.Code {
	r.t.Helper()
	r.message(client, &wire.AddPartitionsToTxnRequest{Client: client, ProducerID: pid, ProducerEpoch: epoch, Partition: p, Correlation: r.next()})
	res, _ := take[*wire.AddPartitionsToTxnResponse](r)
	return res.Code
}

func (r *rig) verify(p id.Partition, pid int64, epoch int16) wire.Code {
	r.t.Helper()
	r.message(b1, &wire.AddPartitionsToTxnRequest{Client: client, ProducerID: pid, ProducerEpoch: epoch, Partition: p, VerifyOnly: true, Correlation: r.next()})
	res, to := take[*wire.AddPartitionsToTxnResponse](r)
	same(r.t, "to the leader", to, b1)
	return res.Code
}

func (r *rig) end(commit bool, pid int64, epoch int16) wire.EndTxnResponse {
	r.t.Helper()
	r.message(client, &wire.EndTxnRequest{ProducerID: pid, ProducerEpoch: epoch, Commit: commit, Correlation: r.next()})
	r.allocates()
	res, _ := take[*wire.EndTxnResponse](r)
	return wire.EndTxnResponse{Code: res.Code, ProducerID: res.ProducerID, ProducerEpoch: res.ProducerEpoch}
}

func ended(pid int64, epoch int16) wire.EndTxnResponse {
	return wire.EndTxnResponse{ProducerID: pid, ProducerEpoch: epoch}
}

func refused(code wire.Code) wire.EndTxnResponse {
	return wire.EndTxnResponse{Code: code, ProducerID: -1, ProducerEpoch: -1}
}

// marker takes the marker that the coordinator sent; written answers it.
func (r *rig) marker() *wire.WriteTxnMarkersRequest {
	r.t.Helper()
	m, _ := take[*wire.WriteTxnMarkersRequest](r)
	return m
}

func (r *rig) written(m *wire.WriteTxnMarkersRequest, code wire.Code) {
	r.t.Helper()
	r.message(b1, &wire.WriteTxnMarkersResponse{Partition: m.Partition, Code: code, Correlation: m.Correlation})
}

// stored are the records of __transaction_state that b0 has appended, as words, and forgets them.
func (r *rig) stored() (words []string) {
	for _, e := range r.events {
		if e.Kind == event.TransactionStored {
			words = append(words, fmt.Sprintf("%d/%d %v>%v %d", e.ProducerID, e.BatchEpoch, record.TransactionState(e.From), record.TransactionState(e.To), e.Sequence))
		}
	}
	r.events = nil
	return words
}

var far = id.Partition{Topic: other} // led by b1

// TestTransaction: a producer id, a partition, its end, the marker, and the next transaction under the next epoch.
func TestTransaction(t *testing.T) {
	r := coordinating(t)
	r.message(client, &wire.FindCoordinatorRequest{Correlation: 5})
	found, _ := take[*wire.FindCoordinatorResponse](r)
	same(t, "coordinator", *found, wire.FindCoordinatorResponse{Coordinator: b0, Correlation: 5})
	same(t, "init", r.init(-1, -1), wire.InitProducerIdResponse{ProducerID: 1000})
	same(t, "not added", r.verify(far, 1000, 0), wire.InvalidTxnState)
	same(t, "add", []any{r.add(far, 1000, 0), r.add(far, 1000, 0)}, []any{wire.OK, wire.OK})
	same(t, "added", []any{r.verify(far, 1000, 0), r.verify(tp, 1000, 0), r.verify(far, 1000, 1), r.verify(far, 7, 0)},
		[]any{wire.OK, wire.InvalidTxnState, wire.ProducerFenced, wire.InvalidProducerIdMapping})
	same(t, "end", r.end(true, 1000, 0), ended(1000, 1))
	m := r.marker()
	same(t, "marker", *m, wire.WriteTxnMarkersRequest{Partition: far, ProducerID: 1000, ProducerEpoch: 1, Commit: true, Correlation: m.Correlation})
	same(t, "the end goes on", r.add(far, 1000, 1), wire.ConcurrentTransactions)
	same(t, "a repeat of it", r.end(true, 1000, 0), refused(wire.ConcurrentTransactions))
	same(t, "the other end", r.end(false, 1000, 0), refused(wire.InvalidTxnState))
	r.written(m, wire.NotLeaderOrFollower)
	r.fire(txn.TimerMarkers)
	again := r.marker()
	same(t, "the marker again", *again, *m)
	r.written(again, wire.OK)
	same(t, "a repeat of the end", r.end(true, 1000, 0), ended(1000, 1))
	same(t, "the next transaction", r.add(far, 1000, 1), wire.OK)
	same(t, "stored", r.stored(), []string{"1000/0 Empty>Empty 0", "1000/0 Empty>Ongoing 1", "1000/1 Ongoing>PrepareCommit 1",
		"1000/1 PrepareCommit>CompleteCommit 0", "1000/1 CompleteCommit>Ongoing 1"})
}

// TestTransactionCodes: what a coordinator answers to whom it does not know, and while it may not answer.
func TestTransactionCodes(t *testing.T) {
	r := coordinating(t)
	same(t, "unknown", []any{r.add(far, 1000, 0), r.verify(far, 1000, 0), r.end(true, 1000, 0)},
		[]any{wire.InvalidProducerIdMapping, wire.InvalidProducerIdMapping, refused(wire.InvalidProducerIdMapping)})
	r.meta(txnLeader(b2, 1))
	same(t, "resigned", []any{r.add(far, 1000, 0), r.end(true, 1000, 0), r.init(-1, -1).Code},
		[]any{wire.NotCoordinator, refused(wire.NotCoordinator), wire.NotCoordinator})
	r.meta(txnLeader(b0, 2))
	same(t, "loading", []any{r.add(far, 1000, 0), r.verify(far, 1000, 0)}, []any{wire.CoordinatorLoadInProgress, wire.CoordinatorLoadInProgress})
	r.meta(&record.PartitionRecord{Partition: txnTP, Replicas: []id.Node{b2, b0}, Leader: id.None, ISR: id.SetOf(b0), LeaderEpoch: 3, PartitionEpoch: 3})
	r.message(client, &wire.FindCoordinatorRequest{})
	found, _ := take[*wire.FindCoordinatorResponse](r)
	same(t, "no leader", found.Code, wire.CoordinatorNotAvailable)
}

// TestRequestHeardOnce: the network doubles a request; the second one is dropped, or the producer would be fenced by itself.
func TestRequestHeardOnce(t *testing.T) {
	r := coordinating(t)
	first := r.init(-1, -1)
	r.message(client, &wire.InitProducerIdRequest{Client: client, Transactional: true, ProducerID: -1, ProducerEpoch: -1, Correlation: r.number})
	same(t, "answered", sends[*wire.InitProducerIdResponse](r), false)
	same(t, "add", r.add(far, first.ProducerID, 0), wire.OK)
}

// TestTransactionWaitsForCommit: an answer waits until its record is below the high watermark; meanwhile every other request
// is refused.
func TestTransactionWaitsForCommit(t *testing.T) {
	r := coordinating(t)
	r.init(-1, -1)
	r.meta(&record.PartitionRecord{Partition: txnTP, Replicas: []id.Node{b2, b0}, ISR: id.SetOf(b0, b2), Leader: b0, PartitionEpoch: 1})
	r.message(client, &wire.AddPartitionsToTxnRequest{Client: client, ProducerID: 1000, Partition: far, Correlation: r.next()})
	same(t, "at once", sends[*wire.AddPartitionsToTxnResponse](r), false)
	same(t, "the end meanwhile", r.end(true, 1000, 0), refused(wire.ConcurrentTransactions))
	r.message(b2, &wire.FetchRequest{Partition: txnTP, Replica: b2, FetchOffset: 2, LastFetchedEpoch: 0, Correlation: 1})
	res, _ := take[*wire.AddPartitionsToTxnResponse](r)
	same(t, "add", res.Code, wire.OK)
}

// TestTransactionTimesOut: the coordinator aborts with one bump, so the producer can add and commit nothing more; its abort
// is what was done, and gives it the epoch to go on with.
func TestTransactionTimesOut(t *testing.T) {
	r := coordinating(t)
	r.init(-1, -1)
	r.add(far, 1000, 0)
	same(t, "timer", r.fire(txn.TimerExpire).After, r.setting.TxnTimeout)
	m := r.marker()
	same(t, "marker", []any{m.Commit, m.ProducerEpoch}, []any{false, int16(1)})
	r.written(m, wire.OK)
	same(t, "the zombie", []any{r.add(far, 1000, 0), r.end(true, 1000, 0)}, []any{wire.ProducerFenced, refused(wire.InvalidTxnState)})
	same(t, "its abort", r.end(false, 1000, 0), ended(1000, 1))
	same(t, "stored", r.stored()[2:], []string{"1000/1 Ongoing>PrepareAbort 1", "1000/1 PrepareAbort>CompleteAbort 0"})
}

func transaction(state record.TransactionState, pid int64, epoch int16, in ...id.Partition) record.Transaction {
	return record.Transaction{Client: client, ProducerID: pid, ProducerEpoch: epoch, State: state, Partitions: in, Next: -1, Previous: -1}
}

// TestCoordinatorResumes: a new coordinator goes on with what it loads: it arms the time-out of an ongoing transaction again
// and sends the markers of a prepared end with its own epoch.
func TestCoordinatorResumes(t *testing.T) {
	r := coordinating(t, transaction(record.TransactionOngoing, 7, 3, far))
	same(t, "timer", r.fire(txn.TimerExpire).After, r.setting.TxnTimeout)
	same(t, "marker", r.marker().ProducerEpoch, int16(4))

	r = running(t)
	r.meta(txnTopic(b2)...)
	r.stores(transaction(record.TransactionOngoing, 7, 3, far), transaction(record.PrepareCommit, 7, 4, far))
	r.meta(txnLeader(b0, 1))
	r.fire(txn.TimerLoad)
	m := r.marker()
	same(t, "marker", []any{m.Commit, m.ProducerID, m.ProducerEpoch, m.CoordinatorEpoch}, []any{true, int64(7), int16(4), int32(1)})
}

// TestKAFKA16352: the answer to an old marker tells of another coordinator; the newer transaction completes all the same.
func TestKAFKA16352(t *testing.T) {
	r := coordinating(t)
	r.init(-1, -1)
	r.add(far, 1000, 0)
	r.end(true, 1000, 0)
	old := r.marker()
	r.written(old, wire.OK)
	r.add(far, 1000, 1)
	r.end(true, 1000, 1)
	newer := r.marker()
	r.written(old, wire.TransactionCoordinatorFenced)
	r.written(newer, wire.OK)
	same(t, "stored", r.stored()[6:], []string{"1000/2 PrepareCommit>CompleteCommit 0"})

	r.add(far, 1000, 2)
	r.end(true, 1000, 2)
	r.written(r.marker(), wire.TransactionCoordinatorFenced)
	for range 3 {
		r.fireAll()
	}
	same(t, "a marker of a dropped entry", sends[*wire.WriteTxnMarkersRequest](r), false)
}

// TestKAFKA19367: a producer initialises while its transaction is open: that is aborted with one bump, and the next
// initialisation answers a pair that can be used. Near the last epoch it is a new producer id with epoch 0.
func TestKAFKA19367(t *testing.T) {
	for _, row := range []struct {
		name   string
		epoch  int16
		marker int16
		want   wire.InitProducerIdResponse
	}{
		{"an ordinary epoch", 5, 6, wire.InitProducerIdResponse{ProducerID: 7, ProducerEpoch: 7}},
		{"the last epoch but two", math.MaxInt16 - 2, math.MaxInt16 - 1, wire.InitProducerIdResponse{ProducerID: 1000}},
		{"the last epoch but one", math.MaxInt16 - 1, math.MaxInt16, wire.InitProducerIdResponse{ProducerID: 1000}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := coordinating(t, transaction(record.TransactionOngoing, 7, row.epoch, far))
			same(t, "first", r.init(-1, -1).Code, wire.ConcurrentTransactions)
			m := r.marker()
			same(t, "marker", []any{m.ProducerEpoch, m.Commit}, []any{row.marker, false})
			same(t, "meanwhile", r.init(-1, -1).Code, wire.ConcurrentTransactions)
			r.written(m, wire.OK)
			got := r.init(-1, -1)
			same(t, "then", got, row.want)
			same(t, "usable", r.add(far, got.ProducerID, got.ProducerEpoch), wire.OK)
		})
	}
}

// TestEpochsUsedUp: a client's end with the last epoch but one goes on under a new producer id, also for a repeat.
func TestEpochsUsedUp(t *testing.T) {
	r := coordinating(t, transaction(record.TransactionOngoing, 7, math.MaxInt16-1, far))
	same(t, "end", r.end(true, 7, math.MaxInt16-1), ended(1000, 0))
	m := r.marker()
	same(t, "marker", []any{m.ProducerID, m.ProducerEpoch}, []any{int64(7), int16(math.MaxInt16)})
	r.written(m, wire.OK)
	same(t, "repeat", r.end(true, 7, math.MaxInt16-1), ended(1000, 0))
	same(t, "the next transaction", r.add(far, 1000, 0), wire.OK)
	same(t, "a late repeat", r.end(true, 7, math.MaxInt16-1), refused(wire.ProducerFenced))
}

// TestInitNamesPair: a producer that names its pair is fenced when another has initialised since, and gets the same answer
// again when its own was lost.
func TestInitNamesPair(t *testing.T) {
	r := coordinating(t, transaction(record.CompleteCommit, 7, 3))
	bumped := wire.InitProducerIdResponse{ProducerID: 7, ProducerEpoch: 4}
	same(t, "first, and its repeat", []any{r.init(7, 3), r.init(7, 3)}, []any{bumped, bumped})
	same(t, "another", r.init(-1, -1).ProducerEpoch, int16(5))
	same(t, "fenced", []any{r.init(7, 3).Code, r.init(7, 4).Code, r.init(8, 5).Code}, []any{wire.ProducerFenced, wire.ProducerFenced, wire.ProducerFenced})
}

// TestKAFKA17754: the end of a transaction arrives again when the client has begun the next one, which goes on.
func TestKAFKA17754(t *testing.T) {
	for _, commit := range []bool{true, false} {
		r := coordinating(t)
		r.init(-1, -1)
		r.add(far, 1000, 0)
		r.end(commit, 1000, 0)
		r.written(r.marker(), wire.OK)
		r.add(far, 1000, 1)
		same(t, "late", r.end(commit, 1000, 0), refused(wire.ProducerFenced))
		same(t, "markers", sends[*wire.WriteTxnMarkersRequest](r), false)
		same(t, "the next transaction", r.end(true, 1000, 1), ended(1000, 2))
	}
}

// TestKAFKA18464: an abort of a transaction to which nothing was added only raises the epoch, and neither fences the
// producer nor harms the transaction before, whose markers are still under way.
func TestKAFKA18464(t *testing.T) {
	r := coordinating(t)
	r.init(-1, -1)
	same(t, "after init", r.end(false, 1000, 0), ended(1000, 1))
	r.add(far, 1000, 1)
	r.end(true, 1000, 1)
	m := r.marker()
	same(t, "behind a commit under way", r.end(false, 1000, 2), refused(wire.ConcurrentTransactions))
	r.written(m, wire.OK)
	same(t, "behind it", r.end(false, 1000, 2), ended(1000, 3))
	same(t, "a commit of nothing", r.end(true, 1000, 3), refused(wire.InvalidTxnState))
	same(t, "the next transaction", r.add(far, 1000, 3), wire.OK)
	same(t, "stored", r.stored()[1:], []string{"1000/1 Empty>PrepareAbort 0", "1000/1 PrepareAbort>CompleteAbort 0", "1000/1 CompleteAbort>Ongoing 1",
		"1000/2 Ongoing>PrepareCommit 1", "1000/2 PrepareCommit>CompleteCommit 0", "1000/3 CompleteCommit>PrepareAbort 0",
		"1000/3 PrepareAbort>CompleteAbort 0", "1000/3 CompleteAbort>Ongoing 1"})
}

// TestKAFKA18137: the coordinator resigns while it is loading; the next election loads all the same.
func TestKAFKA18137(t *testing.T) {
	r := running(t)
	r.meta(txnTopic(b2)...)
	r.stores(transaction(record.CompleteCommit, 7, 3))
	r.meta(txnLeader(b0, 1))
	r.meta(txnLeader(b2, 2))
	r.meta(txnLeader(b0, 3))
	same(t, "loading", r.add(far, 7, 3), wire.CoordinatorLoadInProgress)
	r.fire(txn.TimerLoad)
	same(t, "loaded", r.add(far, 7, 3), wire.OK)
}

// TestDeletedTopic: a transaction completes when the topic of its partition is gone.
func TestDeletedTopic(t *testing.T) {
	r := coordinating(t)
	r.init(-1, -1)
	r.add(far, 1000, 0)
	r.meta(&record.RemoveTopicRecord{Topic: other})
	same(t, "end", r.end(true, 1000, 0), ended(1000, 1))
	same(t, "stored", r.stored()[3:], []string{"1000/1 PrepareCommit>CompleteCommit 0"})
}

// TestMarkerOfMirroredPartition: a partition that follows a source takes no marker, and the transaction completes without.
func TestMarkerOfMirroredPartition(t *testing.T) {
	r := coordinating(t)
	r.init(-1, -1)
	r.add(far, 1000, 0)
	r.end(false, 1000, 0)
	r.written(r.marker(), wire.ReadOnlyTopic)
	same(t, "stored", r.stored()[3:], []string{"1000/1 PrepareAbort>CompleteAbort 0"})
}
