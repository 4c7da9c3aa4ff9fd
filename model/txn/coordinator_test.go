package txn_test

import (
	"fmt"
	"math"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/txn"
	"mirrorsim/model/wire"
)

// InitProducerId in each state: what is answered, and what is stored.
func TestInit(t *testing.T) {
	for _, row := range []struct {
		name   string
		stored []record.Transaction
		pid    int64
		epoch  int16
		want   string
		append string
	}{
		{"a transactional id that nobody has used", nil, -1, -1, "NONE 5000/0", "5000/0 Empty>Empty 0"},
		{"again, with nothing begun", []record.Transaction{entry(3, record.TransactionEmpty)}, -1, -1, "NONE 1/4", "1/4 Empty>Empty 0"},
		{"after a commit", []record.Transaction{entry(3, record.CompleteCommit)}, -1, -1, "NONE 1/4", "1/4 CompleteCommit>Empty 0"},
		{"by the producer that has it", []record.Transaction{entry(3, record.CompleteAbort)}, 1, 3, "NONE 1/4", "1/4 CompleteAbort>Empty 0"},
		{"by one that was fenced", []record.Transaction{entry(3, record.CompleteAbort)}, 1, 2, "PRODUCER_FENCED -1/-1", ""},
		{"by one that has another id", []record.Transaction{entry(3, record.CompleteAbort)}, 7, 3, "PRODUCER_FENCED -1/-1", ""},
		{"in a transaction, which is aborted with one bump (KAFKA-19367)", []record.Transaction{entry(3, record.TransactionOngoing, data0)},
			-1, -1, "CONCURRENT_TRANSACTIONS -1/-1", "1/4 Ongoing>PrepareAbort 1"},
		{"while an end is prepared", []record.Transaction{entry(4, record.PrepareCommit, data0)}, -1, -1, "CONCURRENT_TRANSACTIONS -1/-1", ""},
		{"near the last epoch (KAFKA-19367)", []record.Transaction{entry(math.MaxInt16-1, record.CompleteCommit)}, -1, -1, "NONE 5000/0",
			"5000/0 CompleteCommit>Empty 0"},
		{"by the producer whose epochs were used up", []record.Transaction{{Client: client, ProducerID: 2, State: record.CompleteCommit,
			Next: record.NoProducer, Previous: 1}}, 1, math.MaxInt16 - 1, "NONE 2/1", "2/1 CompleteCommit>Empty 0"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := lead(t, row.stored...)
			res := r.init(row.pid, row.epoch)
			same(t, "answer", fmt.Sprintf("%v %d/%d", res.Code, res.ProducerID, res.ProducerEpoch), row.want)
			var want []string
			if row.append != "" {
				want = []string{row.append}
			}
			same(t, "stored", r.stored(), want)
		})
	}
}

// A producer asks again because the answer was lost: the epoch was raised for it already.
func TestInitAgain(t *testing.T) {
	r := lead(t, entry(3, record.CompleteCommit))
	first, again := r.init(1, 3), r.init(1, 3)
	same(t, "epochs", []int16{first.ProducerEpoch, again.ProducerEpoch}, []int16{4, 4})
	same(t, "stored", r.stored(), []string{"1/4 CompleteCommit>Empty 0"})
	same(t, "with the new epoch", r.init(1, 4).ProducerEpoch, int16(5))
	same(t, "with the old one", r.init(1, 3).Code, wire.ProducerFenced)
}

// Where an id is needed and none is at hand, nothing is done.
func TestInitNeedsAnID(t *testing.T) {
	r := lead(t)
	needs := r.coord.Init(client, &wire.InitProducerIdRequest{Client: client, Transactional: true, ProducerID: -1, ProducerEpoch: -1}, record.NoProducer,
		r.replica, r.env())
	same(t, "needs one", needs, true)
	same(t, "stored", r.stored(), []string(nil))
	silent[*wire.InitProducerIdResponse](r, "not answered yet")
}

func TestAddPartitions(t *testing.T) {
	ongoing := []record.Transaction{entry(3, record.TransactionOngoing, data1)}
	for _, row := range []struct {
		name   string
		stored []record.Transaction
		pid    int64
		epoch  int16
		p      id.Partition
		want   wire.Code
		append string
	}{
		{"the first one begins the transaction", []record.Transaction{entry(3, record.CompleteCommit)}, 1, 3, data0, wire.OK,
			"1/3 CompleteCommit>Ongoing 1"},
		{"a second one", ongoing, 1, 3, data0, wire.OK, "1/3 Ongoing>Ongoing 2"},
		{"one that is in it", ongoing, 1, 3, data1, wire.OK, ""},
		{"of an older epoch", ongoing, 1, 2, data0, wire.ProducerFenced, ""},
		{"of another id", ongoing, 2, 3, data0, wire.InvalidProducerIdMapping, ""},
		{"of a transactional id that is unknown", nil, 1, 3, data0, wire.InvalidProducerIdMapping, ""},
		{"while the end is prepared", []record.Transaction{entry(4, record.PrepareAbort, data1)}, 1, 4, data0, wire.ConcurrentTransactions, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := lead(t, row.stored...)
			same(t, "answer", r.add(row.p, row.pid, row.epoch), row.want)
			var want []string
			if row.append != "" {
				want = []string{row.append}
			}
			same(t, "stored", r.stored(), want)
		})
	}
}

// The time-out runs from the first partition on; a second one does not begin it anew.
func TestTimeoutBeginsOnce(t *testing.T) {
	r := lead(t, entry(3, record.CompleteCommit))
	r.add(data0, 1, 3)
	same(t, "armed", r.armed(txn.TimerExpire), r.setting.TxnTimeout)
	r.out.Timers = nil
	r.add(data1, 1, 3)
	same(t, "armed again", r.armed(txn.TimerExpire), id.Duration(-1))
}

// What a partition's leader hears before it takes the first batch of a transaction (KIP-890).
func TestVerify(t *testing.T) {
	r := lead(t, entry(3, record.TransactionOngoing, data0))
	same(t, "answers", []wire.Code{r.verify(data0, 1, 3), r.verify(data1, 1, 3), r.verify(data0, 1, 2), r.verify(data0, 2, 3)},
		[]wire.Code{wire.OK, wire.InvalidTxnState, wire.ProducerFenced, wire.InvalidProducerIdMapping})
	r.end(true, 1, 3)
	same(t, "prepared", r.verify(data0, 1, 4), wire.ConcurrentTransactions)
	same(t, "unknown here", lead(t).verify(data0, 1, 3), wire.InvalidProducerIdMapping)
	same(t, "stored", r.stored(), []string{"1/4 Ongoing>PrepareCommit 1"})
}

// A client's request that comes behind a newer one, or twice, is none.
func TestFresh(t *testing.T) {
	var c txn.Coordinator
	var got []bool
	for _, x := range []struct {
		client id.Node
		n      uint32
	}{{5, 2}, {5, 2}, {5, 1}, {3, 1}, {9, 1}, {5, 3}, {3, 1}, {9, 2}} {
		got = append(got, c.Fresh(x.client, x.n))
	}
	same(t, "fresh", got, []bool{true, false, false, true, true, true, false, true})
	d := c.Clone()
	same(t, "of the clone", []bool{d.Fresh(5, 3), d.Fresh(5, 4), c.Fresh(5, 4)}, []bool{false, true, true})
}

// An ISR below min.insync.replicas stores nothing, nor does a full disk: the client asks again.
func TestTooSmallISR(t *testing.T) {
	r := lead(t, entry(3, record.CompleteCommit))
	r.needs(2)
	same(t, "answers", []any{r.init(-1, -1).Code, r.add(data0, 1, 3)}, []any{wire.CoordinatorNotAvailable, wire.CoordinatorNotAvailable})
	r.needs(1)
	r.disk.Full = true
	same(t, "a full disk", r.init(-1, -1).Code, wire.CoordinatorNotAvailable)
	same(t, "stored", r.stored(), []string(nil))
}
