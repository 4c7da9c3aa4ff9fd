package txn_test

import (
	"fmt"
	"math"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/txn"
	"mirrorsim/model/wire"
)

// EndTxn in each state, by the rules of KIP-890: an end raises the epoch, and its repeat carries the one before.
func TestEnd(t *testing.T) {
	ongoing, prepared := entry(3, record.TransactionOngoing, data0), entry(4, record.PrepareCommit, data0)
	done, empty := entry(4, record.CompleteCommit), entry(4, record.TransactionEmpty)
	for _, row := range []struct {
		name   string
		stored *record.Transaction
		commit bool
		pid    int64
		epoch  int16
		want   string
		append string
	}{
		{"a commit", &ongoing, true, 1, 3, "1/4", "1/4 Ongoing>PrepareCommit 1"},
		{"an abort", &ongoing, false, 1, 3, "1/4", "1/4 Ongoing>PrepareAbort 1"},
		{"by a producer that was fenced", &ongoing, true, 1, 2, "PRODUCER_FENCED", ""},
		{"by another id", &ongoing, true, 2, 3, "INVALID_PRODUCER_ID_MAPPING", ""},
		{"of an unknown transactional id", nil, true, 1, 3, "INVALID_PRODUCER_ID_MAPPING", ""},
		{"its repeat, while it is prepared", &prepared, true, 1, 3, "CONCURRENT_TRANSACTIONS", ""},
		{"the other end, while it is prepared", &prepared, false, 1, 3, "INVALID_TXN_STATE", ""},
		{"an end of the next transaction, which comes early (KAFKA-18464)", &prepared, false, 1, 4, "CONCURRENT_TRANSACTIONS", ""},
		{"of a still older epoch, while it is prepared", &prepared, true, 1, 2, "PRODUCER_FENCED", ""},
		{"its repeat, when it is done (KAFKA-17754)", &done, true, 1, 3, "1/4", ""},
		{"the other end, when it is done", &done, false, 1, 3, "INVALID_TXN_STATE", ""},
		{"a commit of nothing", &done, true, 1, 4, "INVALID_TXN_STATE", ""},
		{"an abort of nothing raises the epoch (KAFKA-18464)", &done, false, 1, 4, "1/5", "1/5 CompleteCommit>PrepareAbort 0"},
		{"an abort of nothing, before anything was added", &empty, false, 1, 4, "1/5", "1/5 Empty>PrepareAbort 0"},
		{"a late end of the producer before", &empty, true, 1, 3, "PRODUCER_FENCED", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var stored []record.Transaction
			if row.stored != nil {
				stored = append(stored, *row.stored)
			}
			r := lead(t, stored...)
			same(t, "answer", r.end(row.commit, row.pid, row.epoch), row.want)
			got := r.stored()
			if row.append == "" {
				same(t, "stored", got, []string(nil))
			} else {
				same(t, "stored first", got[:1], []string{row.append})
			}
		})
	}
}

// The end of the last epoch goes on under another producer id, and 0 is one like any other.
func TestEndOfTheLastEpoch(t *testing.T) {
	for _, next := range []int64{0, fresh} {
		r := lead(t, entry(math.MaxInt16-1, record.TransactionOngoing, data0))
		r.number++
		needs := r.coord.End(client, &wire.EndTxnRequest{ProducerID: 1, ProducerEpoch: math.MaxInt16 - 1, Commit: true, Correlation: r.number},
			next, r.replica, r.env())
		r.after()
		res := answer[*wire.EndTxnResponse](r, client)
		same(t, "answer", []any{needs, res.Code, res.ProducerID, res.ProducerEpoch}, []any{false, wire.OK, next, int16(0)})
		for _, m := range r.markers() {
			same(t, "the marker's producer", m.ProducerID, int64(1))
			r.written(m, wire.OK)
		}
		stored := r.stored()
		same(t, "stored last", stored[len(stored)-1], fmt.Sprintf("%d/0 PrepareCommit>CompleteCommit 0", next))
	}
}

// The markers carry the raised epoch and the coordinator epoch, one to each partition; the end is complete when all are written.
func TestMarkers(t *testing.T) {
	r := lead(t, entry(3, record.TransactionOngoing, data0, data1))
	r.end(true, 1, 3)
	all := r.markers()
	same(t, "how many", len(all), 2)
	same(t, "sent behind the point", r.points, []point.Point{point.EndPrepared})
	m, n := all[0], all[1]
	same(t, "the first", []any{m.Partition, m.ProducerID, m.ProducerEpoch, m.CoordinatorEpoch, m.Commit}, []any{data0, int64(1), int16(4), int32(1), true})
	same(t, "time-out", []any{r.armed(txn.TimerExpire), r.armed(txn.TimerMarkers)}, []any{id.Duration(-1), r.setting.RetryBackoffMax})
	r.written(m, wire.OK)
	same(t, "a new transaction", r.add(data0, 1, 4), wire.ConcurrentTransactions)
	r.again()
	same(t, "sent again, with the correlation", r.markers(), []wire.WriteTxnMarkersRequest{n})
	r.written(m, wire.OK) // a second time: it is none of those that are missing
	r.written(n, wire.OK)
	same(t, "stored", r.stored(), []string{"1/4 Ongoing>PrepareCommit 2", "1/4 PrepareCommit>CompleteCommit 0"})
	same(t, "sent no more", r.armed(txn.TimerMarkers), id.Duration(-1))
	same(t, "a new transaction", r.add(data0, 1, 4), wire.OK)
}

// What a leader may answer to a marker.
func TestMarkerAnswers(t *testing.T) {
	for _, row := range []struct {
		code  wire.Code
		done  bool // the end is complete
		again bool // the marker is sent again
	}{
		{wire.OK, true, false},
		{wire.ReadOnlyTopic, true, false}, // it follows a source, in whose log the end stands
		{wire.NotLeaderOrFollower, false, true},
		{wire.NotEnoughReplicas, false, true},
		{wire.InvalidProducerEpoch, false, false},
		{wire.TransactionCoordinatorFenced, false, false},
	} {
		t.Run(row.code.String(), func(t *testing.T) {
			r := lead(t, entry(3, record.TransactionOngoing, data0))
			r.end(false, 1, 3)
			m := r.markers()[0]
			r.written(m, row.code)
			same(t, "complete", len(r.stored()) == 2, row.done)
			r.again()
			same(t, "again", len(r.markers()) == 1, row.again)
		})
	}
}

// A late answer to a marker of the transaction before ends nothing of this one (KAFKA-16352).
func TestLateMarkerAnswer(t *testing.T) {
	r := lead(t, entry(3, record.TransactionOngoing, data0))
	r.end(true, 1, 3)
	first := r.markers()[0]
	r.written(first, wire.OK)
	r.add(data0, 1, 4)
	r.end(true, 1, 4)
	r.stored()
	second := r.markers()[0]
	r.written(first, wire.InvalidProducerEpoch)
	r.written(first, wire.OK)
	same(t, "stored", r.stored(), []string(nil))
	r.written(second, wire.OK)
	same(t, "stored", r.stored(), []string{"1/5 PrepareCommit>CompleteCommit 0"})
}

// A partition without a leader gets its marker later; one of a topic that was deleted needs none.
func TestMarkersWithoutLeader(t *testing.T) {
	r := lead(t, entry(3, record.TransactionOngoing, data0))
	nobody := record.PartitionRecord{Partition: data0, Replicas: []id.Node{leader}, ISR: id.SetOf(leader), Leader: id.None, LeaderEpoch: 1,
		PartitionEpoch: 1}
	r.image.Apply(&nobody)
	r.end(true, 1, 3)
	same(t, "nobody to send it to", len(r.markers()), 0)
	same(t, "tried again", r.armed(txn.TimerMarkers), r.setting.RetryBackoffMax)
	r.image.Apply(&record.RemoveTopicRecord{Topic: data0.Topic})
	r.again()
	same(t, "stored", r.stored(), []string{"1/4 Ongoing>PrepareCommit 1", "1/4 PrepareCommit>CompleteCommit 0"})
}

// The epoch before the last: the end takes the last one, and the client goes on under another id with epoch 0 (KAFKA-19367).
func TestEndNearTheLastEpoch(t *testing.T) {
	r := lead(t, entry(math.MaxInt16-1, record.TransactionOngoing, data0))
	needs := r.coord.End(client, &wire.EndTxnRequest{ProducerID: 1, ProducerEpoch: math.MaxInt16 - 1, Commit: true}, record.NoProducer,
		r.replica, r.env())
	same(t, "needs an id", needs, true)
	same(t, "stored", r.stored(), []string(nil))
	same(t, "answer", r.end(true, 1, math.MaxInt16-1), "5000/0")
	r.written(r.markers()[0], wire.OK)
	same(t, "stored", r.stored(), []string{"1/32767 Ongoing>PrepareCommit 1", "5000/0 PrepareCommit>CompleteCommit 0"})
	same(t, "its repeat", r.end(true, 1, math.MaxInt16-1), "5000/0")
	same(t, "the other end", r.end(false, 1, math.MaxInt16-1), "INVALID_TXN_STATE")
	same(t, "the next transaction", r.add(data0, 5000, 0), wire.OK)
}

// A transaction that has lasted too long is aborted under the next epoch, which the producer does not have.
func TestExpired(t *testing.T) {
	r := lead(t, entry(3, record.TransactionOngoing, data0))
	same(t, "armed by the load", r.armed(txn.TimerExpire), r.setting.TxnTimeout)
	r.expire()
	same(t, "stored", r.stored(), []string{"1/4 Ongoing>PrepareAbort 1"})
	m := r.markers()
	same(t, "markers", []any{len(m), m[0].ProducerEpoch, m[0].Commit}, []any{1, int16(4), false})
	same(t, "the producer's commit", r.end(true, 1, 3), "INVALID_TXN_STATE")
	r.written(m[0], wire.OK)
	same(t, "and then", r.end(true, 1, 3), "INVALID_TXN_STATE")
	r.expire()
	same(t, "stored", r.stored(), []string{"1/4 PrepareAbort>CompleteAbort 0"})
}

// Where the ISR is too small for the abort, or a record is on its way, it is tried again.
func TestExpiredIsTriedAgain(t *testing.T) {
	r := lead(t, entry(3, record.TransactionOngoing, data0))
	r.needs(2)
	r.expire()
	same(t, "too small an ISR", []any{r.stored(), r.armed(txn.TimerExpire)}, []any{[]string(nil), r.setting.RetryBackoffMax})
	r = lead(t, entry(3, record.TransactionOngoing, data0))
	r.elect(2, self, peer)
	r.load()
	r.follow(1)
	r.asksToEnd(true, 1, 3)
	r.out.Timers = nil
	r.expire()
	same(t, "an end on its way", []any{r.stored(), r.armed(txn.TimerExpire)}, []any{[]string{"1/4 Ongoing>PrepareCommit 1"}, r.setting.RetryBackoffMax})
}
