package txn_test

import (
	"bytes"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/txn"
	"mirrorsim/model/wire"
)

// Until the high watermark has reached the log end of the election nothing is answered but that it loads; then with the newest
// record of the log.
func TestLoad(t *testing.T) {
	r := newRig(t, entry(3, record.TransactionOngoing, data0), entry(4, record.PrepareCommit, data0), entry(4, record.CompleteCommit))
	same(t, "a replica that does not lead", r.add(data0, 1, 4), wire.NotCoordinator)
	r.elect(1, self, peer)
	timer := r.out.Timers[len(r.out.Timers)-1].Timer
	same(t, "timer", timer, node.Timer{Kind: txn.TimerLoad, Partition: shard})
	loading := wire.CoordinatorLoadInProgress
	same(t, "not replayed", []any{r.add(data0, 1, 4), r.init(-1, -1).Code, r.end(true, 1, 4)}, []any{loading, loading, loading.String()})
	r.load()
	r.follow(2)
	same(t, "not committed", r.add(data0, 1, 4), loading)
	r.follow(3)
	same(t, "loaded", r.end(true, 1, 3), "1/4")
	same(t, "stored", r.stored(), []string(nil))
}

// An earlier coordinator had prepared the end: the next one sends the markers, with its own coordinator epoch.
func TestLoadGoesOn(t *testing.T) {
	r := newRig(t, entry(4, record.PrepareAbort, data0, data1))
	r.elect(7, self)
	r.load()
	all := r.markers()
	same(t, "markers", []any{len(all), all[0].CoordinatorEpoch, all[0].Commit, all[1].Partition}, []any{2, int32(7), false, data1})
	r.written(all[0], wire.OK)
	r.written(all[1], wire.OK)
	same(t, "stored", r.stored(), []string{"1/4 PrepareAbort>CompleteAbort 0"})
}

// The answer waits until the record is below the high watermark; meanwhile every other request finds the entry busy.
func TestAnswersAfterCommit(t *testing.T) {
	r := newRig(t, entry(3, record.TransactionOngoing, data0))
	r.elect(1, self, peer)
	r.load()
	r.follow(1)
	r.asksToEnd(true, 1, 3)
	silent[*wire.EndTxnResponse](r, "not committed")
	silent[*wire.WriteTxnMarkersRequest](r, "not committed")
	same(t, "meanwhile", []any{r.add(data1, 1, 3), r.init(-1, -1).Code, r.end(true, 1, 3)},
		[]any{wire.ConcurrentTransactions, wire.ConcurrentTransactions, wire.ConcurrentTransactions.String()})
	same(t, "a leader still hears of the partition that is in it", r.verify(data0, 1, 3), wire.OK)
	r.follow(2)
	res := answer[*wire.EndTxnResponse](r, client)
	same(t, "committed", []any{res.Code, res.ProducerEpoch, len(r.markers())}, []any{wire.OK, int16(4), 1})
}

// Whoever loses the leadership owes its clients an answer; what it had appended may be gone, and is not remembered.
func TestResigned(t *testing.T) {
	r := newRig(t, entry(3, record.TransactionOngoing, data0))
	r.elect(1, self, peer)
	r.load()
	r.follow(1)
	r.asksToEnd(true, 1, 3)
	r.depose(2)
	same(t, "answer", answer[*wire.EndTxnResponse](r, client).Code, wire.NotCoordinator)
	same(t, "timers", []any{r.armed(txn.TimerExpire), r.armed(txn.TimerMarkers)}, []any{id.Duration(-1), id.Duration(-1)})
	same(t, "requests", []any{r.add(data0, 1, 3), r.verify(data0, 1, 3)}, []any{wire.NotCoordinator, wire.NotCoordinator})
	r.expire()
	r.again()
	silent[*wire.WriteTxnMarkersRequest](r, "deposed")
}

// A coordinator that is deposed while it loads, and elected again, loads anew (KAFKA-18137); a timer of before does no harm.
func TestElectedAgainWhileLoading(t *testing.T) {
	r := newRig(t, entry(3, record.CompleteCommit))
	r.elect(1, self)
	r.depose(2)
	r.load()
	same(t, "deposed", r.add(data0, 1, 3), wire.NotCoordinator)
	r.elect(3, self)
	same(t, "elected", r.add(data0, 1, 3), wire.CoordinatorLoadInProgress)
	r.load()
	r.load()
	same(t, "loaded", r.add(data0, 1, 3), wire.OK)
	same(t, "stored once", r.stored(), []string{"1/3 CompleteCommit>Ongoing 1"})
}

// A clone goes its own way; the state tells what is on its way, and what it waits for is said in words.
func TestCloneAndState(t *testing.T) {
	r := newRig(t, entry(4, record.PrepareCommit, data0, data1))
	waits := func(c *txn.Coordinator) (list []string) {
		c.Waits(func(s string) bool { list = append(list, s); return true })
		return list
	}
	r.elect(1, self)
	same(t, "loading", waits(&r.coord), []string{"the coordinator of __transaction_state-0 is loading"})
	r.load()
	clone := r.coord.Clone()
	before := clone.AppendState(nil)
	same(t, "equal states", bytes.Equal(before, r.coord.AppendState(nil)), true)
	all := r.markers()
	r.written(all[0], wire.OK)
	same(t, "the original waits", waits(&r.coord), []string{"the transaction of producer 1 waits for 1 markers"})
	same(t, "the clone waits", waits(&clone), []string{"the transaction of producer 1 waits for 2 markers"})
	same(t, "the clone's state", bytes.Equal(before, clone.AppendState(nil)), true)
	same(t, "states differ", bytes.Equal(before, r.coord.AppendState(nil)), false)
}
