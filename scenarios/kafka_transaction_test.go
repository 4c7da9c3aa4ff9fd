package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// withTransactions adds the transactional client y and __transaction_state with one partition on those brokers, the first
// of which leads it.
func withTransactions(brokers string) string {
	return fmt.Sprintf("client y transactional on A\ntopic %s on A partitions=1 replicas=%d min-isr=1 assign=%s\n",
		format.TransactionTopic, 1+strings.Count(brokers, ","), brokers)
}

// pair is a producer id and epoch, or the code with which they are refused.
type pair struct {
	ID    int64
	Epoch int16
	Code  wire.Code
}

func refusedPair(code wire.Code) pair { return pair{record.NoProducer, -1, code} }

// onTransactions has what the test asks and says be of __transaction_state meanwhile.
func (s *stage) onTransactions(do func()) {
	s.Helper()
	tp := s.tp
	_, s.tp = s.partition(format.TP{Cluster: "A", Topic: format.TransactionTopic})
	do()
	s.tp = tp
}

// coordinate elects the transaction coordinator.
func (s *stage) coordinate(name string) {
	s.Helper()
	s.onTransactions(func() { s.lead(name, false) })
}

// plant has a2 take a record of __transaction_state from a1, which is scripted and leads it. a2 does not hear that it is
// committed.
func (s *stage) plant(stored record.Transaction) {
	s.Helper()
	s.onTransactions(func() {
		batch := record.NewTransactions([]record.Transaction{stored}).At(0, 0)
		s.answer("a1", "a2", s.asks("a2", "a1"), wire.FetchResponse{Batches: []*record.Batch{batch}, LogEnd: 1})
		s.wait("a2 has it", func() bool { return s.log("a2").End == 1 })
	})
}

// initializes has x ask for a producer id and epoch.
func (s *stage) initializes(coordinator string) pair {
	s.Helper()
	s.asked++
	res := ask[*wire.InitProducerIdResponse](s, "x", coordinator, &wire.InitProducerIdRequest{Client: s.node["x"], Transactional: true,
		ProducerID: record.NoProducer, ProducerEpoch: -1, Correlation: s.asked})
	return pair{res.ProducerID, res.ProducerEpoch, res.Code}
}

// adds has x add A/t-0 to its transaction.
func (s *stage) adds(coordinator string, as pair) wire.Code {
	s.Helper()
	s.asked++
	return ask[*wire.AddPartitionsToTxnResponse](s, "x", coordinator, &wire.AddPartitionsToTxnRequest{Client: s.node["x"],
		ProducerID: as.ID, ProducerEpoch: as.Epoch, Partition: s.tp, Correlation: s.asked}).Code
}

// ends has x commit or abort its transaction.
func (s *stage) ends(coordinator string, as pair, commit bool) pair {
	s.Helper()
	s.asked++
	res := ask[*wire.EndTxnResponse](s, "x", coordinator, &wire.EndTxnRequest{ProducerID: as.ID, ProducerEpoch: as.Epoch,
		Commit: commit, Correlation: s.asked})
	return pair{res.ProducerID, res.ProducerEpoch, res.Code}
}

// writes has x write the first batch of a transaction to A/t-0, whether or not that was added.
func (s *stage) writes(leader string, as pair) wire.Code {
	s.Helper()
	s.asked++
	batch := record.NewData(as.ID, as.Epoch, 0, []record.Record{{Key: 99, Value: uint64(s.asked)}}).InTransaction()
	return ask[*wire.ProduceResponse](s, "x", leader, &wire.ProduceRequest{Partition: s.tp, Acks: wire.AcksAll, Batch: batch,
		Correlation: s.asked}).Code
}

// stored are the records of a client that coordinators have stored, such as "7/4 Ongoing>PrepareCommit".
func (s *stage) stored(client string) (words []string) {
	for _, e := range s.history[s.mark:] {
		if e.Kind == event.TransactionStored && e.Peer == s.node[client] {
			words = append(words, fmt.Sprintf("%d/%d %v>%v", e.ProducerID, e.BatchEpoch, record.TransactionState(e.From),
				record.TransactionState(e.To)))
		}
	}
	return words
}

// complete waits until the newest transaction of a client has all its markers.
func (s *stage) complete(client string) {
	s.Helper()
	s.wait("the transaction of "+client+" is complete", func() bool {
		words := s.stored(client)
		return len(words) > 0 && strings.Contains(words[len(words)-1], ">Complete")
	})
}

// begin begins an act and waits for nothing; what it answers waits until the act has completed.
func (s *stage) begin(act string) (await func()) {
	s.Helper()
	parsed, err := format.Parse("stage.scn", []byte(s.topology+act+"\n"))
	if err != nil {
		s.Fatal(err)
	}
	list := parsed.Unroll()
	begun := s.do(0, list[len(list)-1].Step.Do)
	return func() {
		s.Helper()
		s.wait("this completes: "+act, func() bool { _, met := begun.met(s.run); return met })
	}
}

// returned is the code of the newest end of y's transaction that has returned.
func (s *stage) returned() wire.Code {
	for _, e := range slices.Backward(s.history) {
		if e.Kind == event.TransactionReturned && e.Node == s.node["y"] {
			return wire.Code(e.To)
		}
	}
	s.Fatal("y has ended no transaction")
	return wire.OK
}

// A transactional producer's batch with sequence 5 arrives before the one with 0 to 4, and its log knows nothing of the
// producer, be the log new or not. 5 is refused, though unknown-producer=accept would take it of another producer; 0 is
// accepted, and 5 when it is sent again.
func kafka18202(t *testing.T) {
	for _, c := range []struct{ name, before, log string }{
		{"a new log", "", "[0-4]@0 5@0"},
		{"a used log", "produce p A/t-0 1", "0@0 [1-5]@0 6@0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, staging{settings: "set unknown-producer=accept", more: withTransactions("a1"), late: late{"y", "a0", 2}})
			if c.before != "" {
				s.play(c.before)
			}
			s.play("produce y A/t-0 6 batch=5\nuntil quiet\nexpect log A/t-0=" + c.log)
			var codes []wire.Code
			for _, a := range delivered[*wire.ProduceResponse](s, "a0", "y") {
				codes = append(codes, a.Code)
			}
			s.equal("the answers", codes, []wire.Code{wire.OutOfOrderSequenceNumber, wire.OK, wire.OK})
			s.play("commit y")
			s.complete("y")
			s.equal("stored", s.stored("y")[2:], []string{"0/1 Ongoing>PrepareCommit", "0/1 PrepareCommit>CompleteCommit"})
		})
	}
}

// a0 leads A/t-0 and does not answer the first marker of the coordinator a1. Coordinator a2 completes that transaction; the
// next one is prepared when a1 coordinates again, and now the answer to the old marker comes, with
// TRANSACTION_COORDINATOR_FENCED. The newer transaction completes. So does the one of another client, whose marker is under way
// when the third of this one is dropped for such an answer to its own marker.
func kafka16352(t *testing.T) {
	s := newStage(t, staging{brokers: 3, replicas: 1, scripted: []string{"a0"},
		more: withTransactions("a1,a2") + "topic u on A partitions=1 replicas=1 assign=a2"})
	written := func(coordinator string, m *wire.WriteTxnMarkersRequest, code wire.Code) {
		s.say("a0", coordinator, &wire.WriteTxnMarkersResponse{Partition: m.Partition, Code: code, Correlation: m.Correlation})
		s.pass(id.Second / 10)
	}
	marker := func(coordinator string) *wire.WriteTxnMarkersRequest {
		t.Helper()
		return hears[*wire.WriteTxnMarkersRequest](s, "a0", coordinator)
	}
	as := s.initializes("a1")
	s.equal("add", s.adds("a1", as), wire.OK)
	as = s.ends("a1", as, true)
	old := marker("a1")
	s.coordinate("a2")
	written("a2", marker("a2"), wire.OK)
	s.equal("add to the second", s.adds("a2", as), wire.OK)
	as = s.ends("a2", as, true)
	s.coordinate("a1")
	newer := marker("a1")
	written("a1", old, wire.TransactionCoordinatorFenced)
	written("a1", newer, wire.OK)
	s.equal("epochs of the coordinators", []int32{old.CoordinatorEpoch, newer.CoordinatorEpoch}, []int32{0, 2})
	s.equal("stored", s.stored("x")[1:], []string{"0/0 Empty>Ongoing", "0/1 Ongoing>PrepareCommit", "0/1 PrepareCommit>CompleteCommit",
		"0/1 CompleteCommit>Ongoing", "0/2 Ongoing>PrepareCommit", "0/2 PrepareCommit>CompleteCommit"})

	s.play("produce y A/u-0 1")
	s.equal("add to the third", s.adds("a1", as), wire.OK)
	s.ends("a1", as, true)
	third := marker("a1")
	s.play("fault delay a1>a2 by=1s\ncommit y") // its marker is under way
	written("a1", third, wire.TransactionCoordinatorFenced)
	sent := len(delivered[*wire.WriteTxnMarkersRequest](s, "a1", "a0"))
	s.play("fault heal a1>a2")
	s.complete("y")
	s.play("expect log A/u-0=0@0 1:commit@0")
	s.pass(5 * id.Second)
	s.equal("markers of the third", len(delivered[*wire.WriteTxnMarkersRequest](s, "a1", "a0"))-sent, 0)
}

// A producer initialises while its transaction is open: that is aborted with one epoch bump, and what the producer is given
// then can be used. At the last epochs that is a new producer id with epoch 0.
func kafka19367(t *testing.T) {
	for _, c := range []struct {
		name  string
		epoch int16
		want  pair
	}{
		{"an ordinary epoch", 5, pair{ID: 7, Epoch: 7}},
		{"32765", math.MaxInt16 - 2, pair{ID: 0, Epoch: 0}},
		{"32766", math.MaxInt16 - 1, pair{ID: 0, Epoch: 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, staging{brokers: 3, replicas: 1, scripted: []string{"a1"}, more: withTransactions("a1,a2")})
			s.plant(record.Transaction{Client: s.node["x"], ProducerID: 7, ProducerEpoch: c.epoch, State: record.TransactionOngoing,
				Partitions: []id.Partition{s.tp}, Next: record.NoProducer, Previous: record.NoProducer})
			s.coordinate("a2")
			s.play("until isr A/__transaction_state-0=1") // what a2 stores is committed at once
			s.equal("write", s.writes("a0", pair{ID: 7, Epoch: c.epoch}), wire.OK)
			s.from()
			s.equal("the answer while it is open", s.initializes("a2"), refusedPair(wire.ConcurrentTransactions))
			s.complete("x")
			as := s.initializes("a2")
			s.equal("the answer then", as, c.want)
			s.equal("add and write", []wire.Code{s.adds("a2", as), s.writes("a0", as)}, []wire.Code{wire.OK, wire.OK})
			s.equal("commit", s.ends("a2", as, true), pair{ID: as.ID, Epoch: as.Epoch + 1})
			s.complete("x")
			s.equal("stored", s.stored("x")[:3], []string{
				fmt.Sprintf("7/%d Ongoing>PrepareAbort", int(c.epoch)+1), fmt.Sprintf("7/%d PrepareAbort>CompleteAbort", int(c.epoch)+1),
				fmt.Sprintf("%d/%d CompleteAbort>Empty", as.ID, as.Epoch)})
			s.equal("log", batches(s.log("a0").Batches()),
				fmt.Sprintf("data/%d abort/%d data/%d commit/%d", c.epoch, int(c.epoch)+1, as.Epoch, as.Epoch+1))
		})
	}
}

// The commit of a producer to coordinator a1 is three minutes on its way, and times out. The producer goes on: a2 coordinates
// meanwhile and commits, and the next transaction has a record when the late request arrives, at a1, which coordinates
// again. That transaction goes on, and is aborted as its producer wants.
func kafka17754(t *testing.T) {
	s := newStage(t, staging{settings: "setting transaction-timeout=10m", brokers: 3, replicas: 1, more: withTransactions("a1,a2")})
	s.play("consume r A/t-0 read-committed\nproduce y A/t-0 1\nfault delay y>a1 by=3m")
	began := s.world.Now()
	committed := s.begin("commit y")
	s.pass(id.Second)
	s.play("fault heal y>a1")
	s.coordinate("a2")
	committed()
	s.equal("commit", s.returned(), wire.OK)
	s.equal("ends that a1 has had", len(delivered[*wire.EndTxnRequest](s, "y", "a1")), 0)
	s.play("produce y A/t-0 1")
	s.coordinate("a1")
	s.from()
	s.pass(began + 181*id.Second - s.world.Now())
	late := delivered[*wire.EndTxnRequest](s, "y", "a1")
	s.equal("the late one", []any{len(late), late[0].Commit, late[0].ProducerEpoch}, []any{1, true, int16(0)})
	answer := delivered[*wire.EndTxnResponse](s, "a1", "y")
	s.equal("its answer", []any{len(answer), answer[0].Code}, []any{1, wire.ProducerFenced})
	s.equal("stored for it", len(s.stored("y")), 0)
	s.play("abort y")
	s.complete("y")
	s.pass(id.Second)
	s.equal("log", batches(s.log("a0").Batches()), "data/0 commit/1 data/1 abort/2")
	s.equal("records read", view{s.run}.Read("r"), int64(1))
}

// A transaction to which nothing was added is aborted: by a producer whose request to add did not arrive, and behind a commit
// whose marker is under way. The producer is not fenced, the transaction before it is committed, and the next one is an
// ordinary one.
func kafka18464(t *testing.T) {
	t.Run("lost request", func(t *testing.T) {
		s := newStage(t, staging{more: withTransactions("a1")})
		s.play("produce y A/t-0 1\ncommit y")
		s.complete("y")
		s.play("fault cut y>a1")
		s.from()
		written := s.begin("produce y A/t-0 1")
		s.pass(id.Second / 2)
		aborted := s.begin("abort y")
		s.play("fault heal y>a1")
		written()
		aborted()
		s.equal("abort", s.returned(), wire.OK)
		s.complete("y")
		s.play("produce y A/t-0 1\ncommit y")
		s.complete("y")
		s.equal("stored", s.stored("y"), []string{"0/2 CompleteCommit>PrepareAbort", "0/2 PrepareAbort>CompleteAbort",
			"0/2 CompleteAbort>Ongoing", "0/3 Ongoing>PrepareCommit", "0/3 PrepareCommit>CompleteCommit"})
		s.equal("log", batches(s.log("a0").Batches()), "data/0 commit/1 data/2 commit/3")
	})
	t.Run("marker under way", func(t *testing.T) {
		s := newStage(t, staging{more: withTransactions("a1")})
		as := s.initializes("a1")
		as = s.ends("a1", as, false)
		s.equal("after initialisation", as, pair{ID: 0, Epoch: 1})
		s.complete("x")
		s.equal("add and write", []wire.Code{s.adds("a1", as), s.writes("a0", as)}, []wire.Code{wire.OK, wire.OK})
		s.play("fault delay a1>a0 by=3s")
		as = s.ends("a1", as, true)
		s.equal("behind the commit", s.ends("a1", as, false), refusedPair(wire.ConcurrentTransactions))
		s.play("fault heal a1>a0")
		s.complete("x")
		s.equal("behind its marker", s.ends("a1", as, false), pair{ID: 0, Epoch: 3})
		s.complete("x")
		as.Epoch = 3
		s.equal("add and write again", []wire.Code{s.adds("a1", as), s.writes("a0", as)}, []wire.Code{wire.OK, wire.OK})
		s.equal("commit", s.ends("a1", as, true), pair{ID: 0, Epoch: 4})
		s.complete("x")
		s.equal("log", batches(s.log("a0").Batches()), "data/1 commit/2 data/3 commit/4")
	})
}

// a2 is elected coordinator and loads: it does not know yet that the one record that it has is committed. It is deposed
// before it does, and elected again. Now the other replica has fetched the record; a2 loads, and knows the transaction.
func kafka18137(t *testing.T) {
	s := newStage(t, staging{brokers: 3, replicas: 1, scripted: []string{"a1"}, more: withTransactions("a1,a2")})
	s.plant(record.Transaction{Client: s.node["x"], ProducerID: 7, ProducerEpoch: 3, State: record.CompleteCommit,
		Next: record.NoProducer, Previous: record.NoProducer})
	again := func() pair { return s.ends("a2", pair{ID: 7, Epoch: 2}, true) }
	s.coordinate("a2")
	s.pass(id.Second)
	s.equal("loading", again(), refusedPair(wire.CoordinatorLoadInProgress))
	s.onTransactions(func() {
		s.elect("a1", false)
		s.wait("a2 follows", func() bool { return len(s.events(event.BecameFollower, "a2")) > 1 })
	})
	s.equal("deposed", again(), refusedPair(wire.NotCoordinator))
	s.coordinate("a2")
	s.pass(id.Second)
	s.equal("loading again", again(), refusedPair(wire.CoordinatorLoadInProgress))
	s.onTransactions(func() { s.fetch("a1", "a2", 1, 0) })
	s.equal("loaded", again(), pair{ID: 7, Epoch: 3})
}

// Verification is off, and a batch of a transaction to which its partition was not added is taken behind three others: no
// coordinator is going to end that. The loss report says which it is. With verification it is refused, and nothing hangs.
func kip664(t *testing.T) {
	begun := func(t *testing.T, verification string) (*stage, pair) {
		s := newStage(t, staging{settings: "setting transaction-verification=" + verification, more: withTransactions("a1")})
		s.play("produce p A/t-0 3\nconsume r A/t-0 read-committed\nuntil quiet")
		s.initializes("a1")
		return s, s.initializes("a1")
	}
	t.Run("off", func(t *testing.T) {
		s, as := begun(t, "0")
		s.equal("pair", as, pair{ID: 0, Epoch: 1})
		s.equal("write", s.writes("a0", as), wire.OK)
		at := s.events(event.Appended, "a0")
		s.play("produce p A/t-0 2")
		s.pass(5 * id.Minute)
		s.play("expect hanging A/t-0=1\nexpect lso A/t-0=3")
		s.equal("records read", view{s.run}.Read("r"), int64(3))
		reports := s.ledger().LossReports()
		s.equal("reports", len(reports), 1)
		s.equal("partition", reports[0].Partition, s.tp)
		age := s.history[len(s.history)-1].At - at[len(at)-1].At
		s.equal("hanging", reports[0].Hanging, []checkers.HangingTransaction{{Cluster: 0, ProducerID: 0, Epoch: 1, First: 3, Age: age}})
		s.equal("about five minutes", age > 5*id.Minute-id.Second, true)
		const line = "A t-0 producer 0 epoch 1 from 3, for "
		if text := string(reports[0].AppendText(nil, &s.names)); !strings.Contains(text, line) {
			t.Errorf("the report does not say %q:\n%s", line, text)
		}
	})
	t.Run("on", func(t *testing.T) {
		s, as := begun(t, "1")
		s.equal("write", s.writes("a0", as), wire.InvalidTxnState)
		s.play("produce p A/t-0 2\nuntil quiet\nexpect hanging A/t-0=0\nexpect lso A/t-0=5")
		s.equal("reports", len(s.ledger().LossReports()), 0)
	})
}
