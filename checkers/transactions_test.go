package checkers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// inTransaction is a batch of one new record of a transactional producer.
func (b *builder) inTransaction(producer int64, epoch int16, sequence int32) *record.Batch {
	x := b.data(p1, 1, producer, sequence)
	x.ProducerEpoch = epoch
	return x.InTransaction()
}

// marker is a COMMIT or ABORT of the coordinator of cluster c.
func (b *builder) marker(c id.Cluster, kind record.Control, producer int64, epoch int16) *record.Batch {
	x := b.append(b.leader[c], record.NewMarker(kind, producer, epoch, 0), event.FromCoordinator)
	b.replicate(c)
	return x
}

// committed is what p1 hears of its transaction.
func (b *builder) committed(c id.Cluster, producer int64, epoch int16) {
	b.ops++
	op := event.OpOf(uint8(p1), b.ops)
	x := event.Event{Partition: id.Partition{}, Op: op, ProducerID: producer, BatchEpoch: int32(epoch), From: uint8(c)}
	call, ret := x, x
	call.Kind, call.Node, call.To = event.TransactionCalled, p1, 1
	ret.Kind, ret.Node, ret.Cause = event.TransactionReturned, p1, 1
	b.emit(call)
	b.emit(ret)
}

// coordinates is a state that the transaction coordinator of cluster c stores for p1.
func (b *builder) coordinates(c id.Cluster, producer int64, epoch int16, state record.TransactionState) {
	b.emit(event.Event{Kind: event.TransactionStored, Node: brokers(c)[0], Peer: p1, ProducerID: producer,
		BatchEpoch: int32(epoch), To: uint8(state)})
}

// abortByStop appends the ABORT markers of the stop on cluster c.
func (b *builder) abortByStop(c id.Cluster, producers ...int64) func() {
	return func() {
		for _, p := range producers {
			b.append(b.leader[c], record.NewMarker(record.Abort, p, 0, 0), event.FromStop)
		}
	}
}

// consumeCommitted is a read_committed read of offsets from to to that was given the batches of those offsets.
func (b *builder) consumeCommitted(c id.Cluster, from, to int64, given ...int64) *event.Event {
	n := b.leader[c]
	b.on(event.FetchAnswered, n, event.Event{Peer: r1, LeaderEpoch: b.epoch[c], Offset: from, End: b.end(n),
		From: uint8(event.Consumer)})
	var h uint64
	epoch := int32(-1)
	for _, x := range b.logs[n] {
		for _, o := range given {
			if x.Base == o {
				h = event.MixBatch(h, x)
			}
		}
		if x.Last < to {
			epoch = x.LeaderEpoch
		}
	}
	return b.on(event.ConsumerRead, r1, event.Event{Peer: n, From: uint8(c), To: 1, Offset: from, End: to, LeaderEpoch: epoch,
		Digest: h})
}

// transactions is a committed, an aborted and an open transaction on A, and a plain record: 0, 1 committed by producer 5 (2),
// 3 aborted by producer 6 (4), 5 plain, 6 open of producer 7.
func transactions() *builder {
	b := &builder{}
	b.boot()
	b.produce(p1, clusterA, b.inTransaction(5, 0, 0))
	b.produce(p1, clusterA, b.inTransaction(5, 0, 1))
	b.marker(clusterA, record.Commit, 5, 0)
	b.committed(clusterA, 5, 0)
	b.produce(p1, clusterA, b.inTransaction(6, 0, 0))
	b.marker(clusterA, record.Abort, 6, 0)
	b.produce(p2, clusterA, b.data(p2, 1, -1, -1))
	b.produce(p1, clusterA, b.inTransaction(7, 0, 0))
	return b
}

// mirroredTransactions is transactions, mirrored to B.
func mirroredTransactions() *builder {
	b := transactions()
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
	return b
}

func TestTransactionsHold(t *testing.T) {
	b := mirroredTransactions()
	b.consumeCommitted(clusterA, 0, 6, 0, 1, 5)
	b.stopWith(clusterB, b.abortByStop(clusterB, 7))
	b.consumeCommitted(clusterB, 0, b.end(b0), 0, 1, 5)
	s := judge(t, b.events)
	wantClean(t, s)
	for _, p := range []ID{NoOpenTransaction, TransactionIsolation} {
		if v := verdictOf(t, s, p.String()); v.Status != Holds {
			t.Errorf("%s: %v", p, v.Status)
		}
	}
}

// Whatever is appended and cut, the transactions of a log are those of the batches that it holds.
func TestTransactionsAreThoseOfTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := Topology{ResetClosesTransactions: rapid.Bool().Draw(t, "closes")}
		s := newShadow()
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			producer := rapid.Int64Range(5, 7).Draw(t, "producer")
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1, 2, 3:
				s.append(record.NewData(producer, 0, 0, make([]record.Record, 1)).InTransaction().At(s.End, 0), 0, 0, &rules)
			case 4, 5:
				s.append(record.NewMarker(record.Commit, producer, 0, 0).At(s.End, 0), 0, 0, &rules)
			case 6:
				s.append(record.NewMarker(record.Abort, producer, 0, 0).At(s.End, 0), 0, 0, &rules)
			case 7:
				s.append(record.NewReset().At(s.End, 0), 0, 0, &rules)
			case 8:
				s.truncate(rapid.Int64Range(0, s.End).Draw(t, "to"))
			case 9:
				s.HighWatermark = rapid.Int64Range(s.HighWatermark, s.End).Draw(t, "high watermark")
			}
		}
		again := newShadow()
		for _, b := range s.Batches() {
			again.append(b, 0, 0, &rules)
		}
		again.HighWatermark = s.HighWatermark
		if d := cmp.Diff(again.open, s.open, cmp.AllowUnexported(txn{}), cmpopts.EquateEmpty()) +
			cmp.Diff(again.ended, s.ended, cmp.AllowUnexported(txn{}), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("-of the batches +followed\n%s", d)
		}
		for _, b := range s.Batches() {
			if !b.IsData() {
				continue
			}
			if x := s.transactionOf(b); x == nil || x.producer != b.ProducerID || x.first > b.Base ||
				x.marker >= 0 && x.marker < b.Base {
				t.Fatalf("the transaction of the batch at %d is %+v", b.Base, x)
			}
		}
	})
}

func TestTransactionsBelowTheLogStart(t *testing.T) {
	s := newShadow()
	for i, x := range []*record.Batch{
		record.NewData(5, 0, 0, make([]record.Record, 1)).InTransaction(),
		record.NewData(6, 0, 0, make([]record.Record, 1)).InTransaction(),
		record.NewMarker(record.Abort, 6, 0, 0), record.NewData(7, 0, 0, make([]record.Record, 1))} {
		s.append(x.At(int64(i), 0), 0, 0, &Topology{})
	}
	s.HighWatermark = 4
	s.moveStart(3)
	if len(s.ended) != 0 || len(s.open) != 1 || s.lastStable() != 3 {
		t.Errorf("ended %v, open %v, last stable offset %d; want the one of producer 5, and the log start", s.ended, s.open,
			s.lastStable())
	}
}

func TestIsolationDefectsAreReported(t *testing.T) {
	read := func(from, to int64, given ...int64) func(*testing.T) []event.Event {
		return func(*testing.T) []event.Event {
			b := transactions()
			b.consumeCommitted(clusterA, from, to, given...)
			return b.events
		}
	}
	for _, d := range []defect{
		{"a record of an aborted transaction", TransactionIsolation, []string{"r1 read offsets 0 to 6 of A/t-0@a0",
			"3@0 (record 7/3), which it was given, is of the transaction of producer 6, epoch 0, from offset 3, which is aborted"},
			read(0, 6, 0, 1, 3, 5)},
		{"a record of an open transaction", TransactionIsolation, []string{"the last stable offset was 6 when a0 answered",
			"the transaction of producer 7, epoch 0, from offset 6 was open", "it read up to 7"}, read(0, 7, 0, 1, 5, 6)},
		{"a record of a committed transaction is left out", TransactionIsolation,
			[]string{"1@0 (record 7/2), which it was not given, is of the transaction of producer 5, epoch 0, from offset 0, " +
				"which is committed"}, read(0, 6, 0, 5)},
		{"nothing that one transaction explains", TransactionIsolation,
			[]string{"between 0 and 6 the log holds transactional records"}, read(0, 6, 0, 3)},
		{"a control batch is given", TransactionIsolation, []string{"has another digest"}, read(0, 6, 0, 1, 2, 5)},
		{"a committed record is skipped", TransactionIsolation,
			[]string{"its position was 1, where 1@0 (record 7/2) of a committed transaction stands"},
			func(*testing.T) []event.Event {
				b := transactions()
				b.consumeCommitted(clusterA, 0, 1, 0)
				b.consumeCommitted(clusterA, 3, 6, 5)
				return b.events
			}},
		{"open when it was answered, and committed when it arrives", TransactionIsolation,
			[]string{"the last stable offset was 6 when a0 answered", "it read up to 7"}, func(*testing.T) []event.Event {
				b := transactions()
				read := *b.consumeCommitted(clusterA, 5, 7, 5, 6)
				b.events = b.events[:len(b.events)-1]
				b.marker(clusterA, record.Commit, 7, 0)
				b.emit(read)
				return b.events
			}},
		{"what a reset has dropped is given", TransactionIsolation, []string{"which is dropped by a reset"},
			func(*testing.T) []event.Event {
				b := mirroredTransactions()
				b.stopMirror(clusterB)
				b.consumeCommitted(clusterB, 0, b.end(b0), 0, 1, 5, 6)
				return b.events
			}},
	} {
		t.Run(d.name, func(t *testing.T) {
			rules := topology
			rules.ResetClosesTransactions = d.name == "what a reset has dropped is given"
			wantViolated(t, judgeBy(t, rules, d.build(t)), d.property.String(), d.words...)
		})
	}
}

// judgeBy is judge under other rules.
func judgeBy(t *testing.T, rules Topology, events []event.Event) *Suite {
	t.Helper()
	s, err := NewSuite(rules)
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		s.Observe(&events[i])
	}
	s.Finish()
	return s
}

func TestIsolationIsNotExercised(t *testing.T) {
	for name, build := range map[string]func(b *builder){
		"no transactional batch": func(b *builder) {
			b.consumeCommitted(clusterA, 5, 6, 5)
		},
		"read_uncommitted": func(b *builder) {
			b.consume(r1, clusterA, 0)
		},
		"the serving log was cut since it answered": func(b *builder) {
			read := *b.consumeCommitted(clusterA, 0, 6, 3)
			b.events = b.events[:len(b.events)-1]
			b.truncate(a0, 6, event.Diverged)
			b.emit(read)
		},
	} {
		b := transactions()
		build(b)
		if v := verdictOf(t, judge(t, b.events), TransactionIsolation.String()); v.Status != NotExercised {
			t.Errorf("%s: %v %v", name, v.Status, v.Violations)
		}
	}
}

func TestOpenTransactionDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"left open at the stop", NoOpenTransaction, []string{
			"STOPPED is stored for B/t-0, with the log end of the stop at 7, and on ISR member b0 " +
				"the transaction of producer 7, epoch 0, from offset 6 is open"},
			func(*testing.T) []event.Event {
				b := mirroredTransactions()
				b.stopMirror(clusterB)
				return b.events
			}},
		{"open on a follower only", NoOpenTransaction, []string{"on ISR member b1 the transaction of producer 7"},
			func(t *testing.T) []event.Event {
				b := mirroredTransactions()
				b.stopWith(clusterB, b.abortByStop(clusterB, 7))
				i := find(t, b.events, 0, func(e *event.Event) bool {
					return e.Kind == event.Appended && e.Node == b1 && e.Batch.Control == record.Abort && e.Batch.ProducerID == 7
				})
				other := record.NewMarker(record.Abort, 8, 0, 0)
				b.events[i].Batch = other.At(b.events[i].Batch.Base, b.events[i].Batch.LeaderEpoch)
				return b.events
			}},
		{"open on a replica that joins the ISR later", NoOpenTransaction, []string{"on ISR member b1 the transaction of producer 7"},
			func(*testing.T) []event.Event {
				b := mirroredTransactions()
				b.stopWith(clusterB, func() {
					b.register(clusterB, event.IsrChange, id.SetOf(b0))
					b.abortByStop(clusterB, 7)()
				})
				b.truncate(b1, 7, event.Diverged)
				b.register(clusterB, event.IsrChange, id.SetOf(b0, b1))
				return b.events
			}},
		{"the last stable offset does not pass", NoOpenTransaction, []string{
			"the last stable offset of B/t-0@b0 is 5, 200s after STOPPED was stored, and has not passed the stop at 8"},
			func(*testing.T) []event.Event {
				b := mirroredTransactions()
				b.stopWith(clusterB, b.abortByStop(clusterB, 7))
				return append(b.events, b.highWatermarkAfter(b0, 5, 200*id.Second))
			}},
	} {
		t.Run(d.name, d.run)
	}
}

// highWatermarkAfter is a high watermark, which no log has a reason for, so long after STOPPED was stored.
func (b *builder) highWatermarkAfter(n id.Node, to int64, after id.Duration) event.Event {
	e := event.Event{Kind: event.HighWatermark, Node: n, Partition: t0, LeaderEpoch: b.epoch[clusterOf(n)], Offset: to, End: b.end(n)}
	for i := range b.events {
		if x := &b.events[i]; x.Kind == event.StateStored && record.State(x.To) == record.Stopped {
			e.At = x.At + after
		}
	}
	return e
}

func TestOpenTransactionIsNotReported(t *testing.T) {
	for _, c := range []struct {
		name   string
		closes bool
		want   Status
		build  func(b *builder)
	}{
		{"the reset closes it (D21)", true, Holds, func(b *builder) { b.stopMirror(clusterB) }},
		{"it is begun above the reset", false, Holds, func(b *builder) {
			b.stopWith(clusterB, b.abortByStop(clusterB, 7))
			b.produce(p2, clusterB, b.inTransaction(7, 0, 0))
			b.register(clusterB, event.IsrChange, id.SetOf(b0, b1))
		}},
		{"an unclean election took the marker", false, NotPromised, func(b *builder) {
			b.stopWith(clusterB, b.abortByStop(clusterB, 7))
			b.truncate(b1, 7, event.Diverged)
			b.elect(clusterB, b1, event.UncleanElection)
			b.register(clusterB, event.IsrChange, id.SetOf(b1))
		}},
		{"the topic is started again", false, Holds, func(b *builder) {
			b.stopWith(clusterB, b.abortByStop(clusterB, 7))
			b.start(clusterB, true, 7, event.Diverged)
			b.register(clusterB, event.IsrChange, id.SetOf(b0, b1))
		}},
		{"it was never stopped", false, NotExercised, func(*builder) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirroredTransactions()
			c.build(b)
			rules := topology
			rules.ResetClosesTransactions = c.closes
			if v := verdictOf(t, judgeBy(t, rules, b.events), NoOpenTransaction.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}

// A reset has left a transaction open below it, and its producer id has begun another one: both are ended one after the other, and
// a batch is of the one that began last before it.
func TestTwoTransactionsOfOneProducer(t *testing.T) {
	s := newShadow()
	data := func() *record.Batch { return record.NewData(5, 0, 0, make([]record.Record, 1)).InTransaction() }
	for i, x := range []*record.Batch{data(), record.NewReset(), data(), data(), record.NewMarker(record.Abort, 5, 0, 0),
		record.NewMarker(record.Commit, 5, 0, 0)} {
		s.append(x.At(int64(i), 0), 0, 0, &Topology{})
	}
	for base, first := range map[int64]int64{0: 0, 2: 2, 3: 2} {
		if x := s.transactionOf(s.at(base).batch); x == nil || x.first != first {
			t.Errorf("the transaction of the batch at %d is %+v", base, x)
		}
	}
}
