package client

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// transactional is a producer with a transactional id, which knows nothing yet. The coordinator is broker 1 of cluster 0 and
// broker 3 of cluster 1.
func transactional(t testing.TB) *driver {
	return drive(t, NewProducer(ProducerSpec{Clusters: clusters, Transactional: true, Settings: &settings}))
}

func (d *driver) send(c id.Cluster, p id.Partition, count int32) {
	d.command(&wire.ProduceCommand{Cluster: c, Partition: p, Count: count, Batch: 1, Acks: 1, ProducerID: -1})
}

func (d *driver) end(c id.Cluster, commit bool) {
	d.command(&wire.TransactionCommand{Cluster: c, Commit: commit})
}

// finds answers who the coordinator is.
func (d *driver) finds(asked, coordinator id.Node) {
	d.t.Helper()
	f := request[*wire.FindCoordinatorRequest](d, asked)
	d.answer(asked, &wire.FindCoordinatorResponse{Coordinator: coordinator, Correlation: f.Correlation})
}

// inits answers the producer id and epoch.
func (d *driver) inits(from id.Node, pid int64, epoch int16) {
	d.t.Helper()
	i := request[*wire.InitProducerIdRequest](d, from)
	if diff := cmp.Diff(wire.InitProducerIdRequest{Client: self, Transactional: true, ProducerID: -1, ProducerEpoch: -1, Correlation: i.Correlation}, *i); diff != "" {
		d.t.Fatalf("init (-want +got):\n%s", diff)
	}
	d.answer(from, &wire.InitProducerIdResponse{ProducerID: pid, ProducerEpoch: epoch, Correlation: i.Correlation})
}

// adds answers the request to add a partition.
func (d *driver) adds(from id.Node, p id.Partition, code wire.Code) {
	d.t.Helper()
	a := request[*wire.AddPartitionsToTxnRequest](d, from)
	if a.Client != self || a.Partition != p || a.VerifyOnly {
		d.t.Fatalf("adds %+v", a)
	}
	d.answer(from, &wire.AddPartitionsToTxnResponse{Partition: p, Code: code, Correlation: a.Correlation})
}

// ends answers the request to end the transaction, which must be that one.
func (d *driver) ends(from id.Node, commit bool, as identity, code wire.Code, next identity) {
	d.t.Helper()
	e := request[*wire.EndTxnRequest](d, from)
	if diff := cmp.Diff(wire.EndTxnRequest{ProducerID: as.id, ProducerEpoch: as.epoch, Commit: commit, Correlation: e.Correlation}, *e); diff != "" {
		d.t.Fatalf("end (-want +got):\n%s", diff)
	}
	d.answer(from, &wire.EndTxnResponse{Code: code, ProducerID: next.id, ProducerEpoch: next.epoch, Correlation: e.Correlation})
}

// begun is a transactional producer with id 1000 whose first batch is in flight, as returned.
func begun(t testing.TB) (*driver, *wire.ProduceRequest) {
	t.Helper()
	d := transactional(t)
	d.send(0, tp, 1)
	d.leader(0, 0, 3)
	d.finds(0, 1)
	d.inits(1, 1000, 0)
	d.adds(1, tp, wire.OK)
	r := request[*wire.ProduceRequest](d, 0)
	d.lines = nil
	return d, r
}

// TestTransaction: coordinator, producer id, partition, batches with acks=all, end; then the next one under the epoch that the
// end gave, with sequences from 0.
func TestTransaction(t *testing.T) {
	d := transactional(t)
	d.send(0, tp, 2)
	d.leader(0, 0, 3)
	d.finds(0, 1)
	d.inits(1, 1000, 4)
	d.adds(1, tp, wire.OK)
	a, b := request[*wire.ProduceRequest](d, 0), request[*wire.ProduceRequest](d, 0)
	if want := record.NewData(1000, 4, 1, []record.Record{{Key: uint64(self) + 1, Value: 2}}).InTransaction(); !cmp.Equal(want, b.Batch) || b.Acks != wire.AcksAll {
		t.Errorf("second batch (-want +got):\n%s", cmp.Diff(want, b.Batch))
	}
	d.end(0, true)
	d.quiet()
	d.produced(a, wire.OK, 0)
	d.quiet()
	d.produced(b, wire.OK, 1)
	d.ends(1, true, identity{1000, 4}, wire.OK, identity{1000, 5})
	d.history("id 1000/4", "called op1 on 0/0 1 records as 1000/4@0 acks -1", "sent op1 to 0 #0",
		"called op2 on 0/0 1 records as 1000/4@1 acks -1", "sent op2 to 0 #0", "commit op3 on 0 as 1000/4", "returned op1 by 0 NONE 0",
		"returned op2 by 0 NONE 1", "commit op3 returned NONE on 0 as 1000/4")
	d.send(0, tp, 1)
	d.adds(1, tp, wire.OK)
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 5, 0, 3)
	if d.armed(coordinatorTimer)+d.armed(coordinatorRetryTimer) > 0 {
		t.Errorf("timers %v", d.timers)
	}
}

// TestTwoPartitions: each partition is added before its first batch, once a transaction.
func TestTwoPartitions(t *testing.T) {
	d, r := begun(t)
	d.send(0, tp1, 1)
	d.leader(0, 1, 3)
	d.adds(1, tp1, wire.OK)
	other := request[*wire.ProduceRequest](d, 1)
	wantBatch(t, other, 0, 0, 2)
	d.produced(r, wire.OK, 0)
	d.produced(other, wire.OK, 0)
	d.send(0, tp1, 1)
	wantBatch(t, request[*wire.ProduceRequest](d, 1), 0, 1, 3)
	d.quiet()
}

// TestAbort: what was not sent yet is returned at once, what is in flight is waited for.
func TestAbort(t *testing.T) {
	d, r := begun(t)
	d.send(0, tp1, 1)
	d.leader(0, 1, 3)
	d.end(0, false)
	request[*wire.AddPartitionsToTxnRequest](d, 1) // of the batch that is given up
	d.quiet()
	d.produced(r, wire.OK, 0)
	d.quiet() // one request to the coordinator at a time
	d.fire(coordinatorTimer)
	d.fire(coordinatorRetryTimer)
	d.finds(1, 1)
	d.ends(1, false, identity{1000, 0}, wire.OK, identity{1000, 1})
	d.history("abort op2 on 0 as 1000/0", "called op3 on 0/1 1 records as -1/-1@-1 acks -1", "returned op3 by 255 INVALID_TXN_STATE -1",
		"returned op1 by 0 NONE 0", "abort op2 returned NONE on 0 as 1000/0")
}

// TestNothingToEnd: a transaction without a batch is ended at once.
func TestNothingToEnd(t *testing.T) {
	for _, commit := range []bool{true, false} {
		d := transactional(t)
		d.end(0, commit)
		d.quiet()
		if len(d.lines) != 2 || len(waits(d.node)) != 0 {
			t.Errorf("commit %t: %q", commit, d.lines)
		}
	}
}

// TestCommitOfFailedTransaction: a batch fails, so nothing more is sent, what comes is refused, and the commit aborts and
// returns the failure.
func TestCommitOfFailedTransaction(t *testing.T) {
	d, r := begun(t)
	d.produced(r, wire.InvalidTxnState, -1)
	d.send(0, tp, 1)
	d.quiet()
	d.end(0, true)
	d.ends(1, false, identity{1000, 0}, wire.OK, identity{1000, 1})
	d.history("returned op1 by 0 INVALID_TXN_STATE -1", "called op2 on 0/0 1 records as -1/-1@-1 acks -1",
		"returned op2 by 255 INVALID_TXN_STATE -1", "commit op3 on 0 as 1000/0", "commit op3 returned INVALID_TXN_STATE on 0 as 1000/0")
	d.send(0, tp, 1) // the next transaction is another one
	d.adds(1, tp, wire.OK)
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 0, 3)
}

// TestBatchesOfTransaction: which refusals fail the transaction, and after which the batch is sent again.
func TestBatchesOfTransaction(t *testing.T) {
	for code, again := range map[wire.Code]bool{
		wire.NotEnoughReplicas: true, wire.ConcurrentTransactions: true, wire.NotLeaderOrFollower: true,
		wire.InvalidTxnState: false, wire.InvalidProducerEpoch: false, wire.ReadOnlyTopic: false,
		wire.OutOfOrderSequenceNumber: false, // it is the next one, so the broker has lost what came before
	} {
		d, r := begun(t)
		d.produced(r, code, -1)
		if got := d.armed(retryTimer) == 1; got != again {
			t.Errorf("%v: sent again %t, want %t", code, got, again)
		}
		if epoch := d.node.(*producer).as.epoch; epoch != 0 {
			t.Errorf("%v: the producer raised its epoch by itself", code)
		}
	}
}

// TestKAFKA18202: 5 overtakes 0 to 4 on a partition that knows nothing of the producer. It is sent again.
func TestKAFKA18202(t *testing.T) {
	d, r := begun(t)
	d.send(0, tp, 1)
	later := request[*wire.ProduceRequest](d, 0)
	d.produced(later, wire.OutOfOrderSequenceNumber, -1)
	d.produced(r, wire.OK, 0)
	d.fire(retryTimer)
	again := request[*wire.ProduceRequest](d, 0)
	if again.Batch != later.Batch {
		t.Error("another batch is sent")
	}
	d.produced(again, wire.OK, 1)
	d.end(0, true)
	d.ends(1, true, identity{1000, 0}, wire.OK, identity{1000, 1})
}

// TestCoordinatorCodes: what each answer of the coordinator makes of a transaction whose batch it was asked to take.
func TestCoordinatorCodes(t *testing.T) {
	for _, row := range []struct {
		code   wire.Code
		again  bool // the request is sent again
		lookUp bool // to a coordinator that is looked for anew
		fatal  bool // the producer cannot go on
	}{
		{wire.ConcurrentTransactions, true, false, false},
		{wire.CoordinatorLoadInProgress, true, false, false},
		{wire.NotCoordinator, true, true, false},
		{wire.CoordinatorNotAvailable, true, true, false},
		{wire.InvalidProducerIdMapping, false, false, false},
		{wire.ProducerFenced, false, false, true},
		{wire.InvalidTxnState, false, false, true},
	} {
		t.Run(row.code.String(), func(t *testing.T) {
			d, r := begun(t)
			d.produced(r, wire.OK, 0)
			d.send(0, tp1, 1)
			d.leader(0, 1, 3)
			d.adds(1, tp1, row.code)
			if row.again {
				d.fire(coordinatorRetryTimer)
				if row.lookUp {
					d.finds(1, 0)
					d.adds(0, tp1, wire.OK)
				} else {
					d.adds(1, tp1, wire.OK)
				}
				return
			}
			d.end(0, true)
			if !row.fatal {
				d.ends(1, false, identity{1000, 0}, wire.OK, identity{1000, 1})
			}
			d.quiet()
			if last := d.lines[len(d.lines)-1]; last != "commit op3 returned "+row.code.String()+" on 0 as 1000/0" {
				t.Errorf("the commit: %s", last)
			}
			if as := d.node.(*producer).as; (as == noIdentity) != row.fatal {
				t.Errorf("goes on as %v", as)
			}
		})
	}
}

// TestFailedTransactionSendsNothingAgain: what is in flight when the transaction fails is returned with its own answer.
func TestFailedTransactionSendsNothingAgain(t *testing.T) {
	d, r := begun(t)
	d.send(0, tp, 1)
	second := request[*wire.ProduceRequest](d, 0)
	d.produced(r, wire.InvalidTxnState, -1)
	d.produced(second, wire.NotEnoughReplicas, -1)
	d.history("called op2 on 0/0 1 records as 1000/0@1 acks -1", "sent op2 to 0 #0", "returned op1 by 0 INVALID_TXN_STATE -1",
		"returned op2 by 0 NOT_ENOUGH_REPLICAS -1")
	if d.armed(retryTimer) > 0 {
		t.Error("a batch is to be sent again")
	}
}

// TestCommitBeforeProducerID: a commit waits for the batches of a producer that has no id yet.
func TestCommitBeforeProducerID(t *testing.T) {
	d := transactional(t)
	d.send(0, tp, 1)
	d.end(0, true)
	d.history("commit op1 on 0 as -1/-1")
	d.leader(0, 0, 3)
	d.finds(0, 1)
	d.inits(1, 1000, 0)
	d.adds(1, tp, wire.OK)
	d.produced(request[*wire.ProduceRequest](d, 0), wire.OK, 0)
	d.ends(1, true, identity{1000, 0}, wire.OK, identity{1000, 1})
}

// TestAbortOfFencedProducer: nothing is aborted under a pair that another has taken over, and the command says so.
func TestAbortOfFencedProducer(t *testing.T) {
	d, r := begun(t)
	d.produced(r, wire.OK, 0)
	d.send(0, tp1, 1)
	d.leader(0, 1, 3)
	d.adds(1, tp1, wire.ProducerFenced)
	d.end(0, false)
	d.quiet()
	if last := d.lines[len(d.lines)-1]; last != "abort op3 returned PRODUCER_FENCED on 0 as 1000/0" {
		t.Errorf("the abort: %s", last)
	}
}

// TestEndFails: an end that is refused is returned, and the next transaction initialises anew.
func TestEndFails(t *testing.T) {
	for _, code := range []wire.Code{wire.ProducerFenced, wire.InvalidTxnState, wire.InvalidProducerIdMapping, wire.InvalidProducerEpoch} {
		for commit, word := range map[bool]string{true: "commit", false: "abort"} {
			d, r := begun(t)
			d.produced(r, wire.OK, 0)
			d.end(0, commit)
			d.ends(1, commit, identity{1000, 0}, code, noIdentity)
			if last := d.lines[len(d.lines)-1]; last != word+" op2 returned "+code.String()+" on 0 as 1000/0" {
				t.Errorf("the %s: %s", word, last)
			}
			d.send(0, tp, 1)
			d.inits(1, 1000, 2)
		}
	}
}

// TestEndIsRepeated: an end without an answer is asked again, at a coordinator that is looked for anew, under the same epoch,
// so that it is the same end.
func TestEndIsRepeated(t *testing.T) {
	d, r := begun(t)
	d.produced(r, wire.OK, 0)
	d.end(0, true)
	lost := request[*wire.EndTxnRequest](d, 1)
	d.fire(coordinatorTimer)
	d.fire(coordinatorRetryTimer)
	d.finds(1, 0)
	d.answer(1, &wire.EndTxnResponse{ProducerID: 5, ProducerEpoch: 5, Correlation: lost.Correlation}) // too late
	d.ends(0, true, identity{1000, 0}, wire.ConcurrentTransactions, noIdentity)
	d.fire(coordinatorRetryTimer)
	d.ends(0, true, identity{1000, 0}, wire.OK, identity{1000, 1})
	if last := d.lines[len(d.lines)-1]; last != "commit op2 returned NONE on 0 as 1000/0" {
		t.Errorf("the commit: %s", last)
	}
}

// TestCommandsWaitForEnd: the application calls nothing while its transaction is being ended.
func TestCommandsWaitForEnd(t *testing.T) {
	d, r := begun(t)
	d.end(0, true)
	d.send(0, tp, 1)
	d.end(0, false)
	d.quiet()
	before := d.state()
	d.produced(r, wire.OK, 0)
	if bytes.Equal(before, d.state()) {
		t.Error("an answer does not show in the state")
	}
	d.ends(1, true, identity{1000, 0}, wire.OK, identity{1000, 1})
	d.history("commit op2 on 0 as 1000/0", "returned op1 by 0 NONE 0", "commit op2 returned NONE on 0 as 1000/0",
		"abort op3 on 0 as 1000/1", "called op4 on 0/0 1 records as -1/-1@-1 acks -1", "returned op4 by 255 INVALID_TXN_STATE -1")
	request[*wire.AddPartitionsToTxnRequest](d, 1)
}

// TestT6: the producer crosses the failover in the middle of its transaction. It keeps its id and epoch, does not add again
// what it has added, its batch is refused, and its commit fails. Then it initialises at the other cluster.
func TestT6(t *testing.T) {
	for _, refuses := range []bool{true, false} {
		d, r := begun(t)
		d.produced(r, wire.OK, 0)
		d.send(1, tp, 1)
		d.leader(2, 2, 5)
		b := request[*wire.ProduceRequest](d, 2)
		wantBatch(t, b, 0, 1, 2)
		if code := wire.InvalidTxnState; refuses {
			d.produced(b, code, -1)
		} else {
			d.produced(b, wire.OK, 1) // verification is off
		}
		d.end(1, true)
		d.finds(3, 3)
		d.ends(3, !refuses, identity{1000, 0}, wire.InvalidProducerIdMapping, noIdentity)
		if last := d.lines[len(d.lines)-1]; last != "commit op3 returned INVALID_PRODUCER_ID_MAPPING on 1 as 1000/0" {
			t.Errorf("the commit: %s", last)
		}
		d.send(1, tp, 1)
		d.inits(3, 1000, 0) // the allocator of the other cluster gives the same id
		d.adds(3, tp, wire.OK)
		wantBatch(t, request[*wire.ProduceRequest](d, 2), 0, 0, 3)
	}
}

// TestOtherCluster: between two transactions a producer that is pointed elsewhere initialises there.
func TestOtherCluster(t *testing.T) {
	d, r := begun(t)
	d.produced(r, wire.OK, 0)
	d.end(0, true)
	d.ends(1, true, identity{1000, 0}, wire.OK, identity{1000, 1})
	d.send(1, tp, 1)
	d.leader(2, 2, 5)
	d.finds(3, 3)
	d.inits(3, 2000, 0)
	d.adds(3, tp, wire.OK)
	wantBatch(t, request[*wire.ProduceRequest](d, 2), 0, 0, 2)
}

// TestDeliveryFailsTransaction: a batch that is given up fails the transaction.
func TestDeliveryFailsTransaction(t *testing.T) {
	d, _ := begun(t)
	d.fire(deliveryTimer)
	d.end(0, true)
	d.ends(1, false, identity{1000, 0}, wire.OK, identity{1000, 1})
	d.history("returned op1 by 0 REQUEST_TIMED_OUT -1", "commit op2 on 0 as 1000/0", "commit op2 returned REQUEST_TIMED_OUT on 0 as 1000/0")
}

// TestReportEndsTransaction: at the end of a run the command under way has an unknown outcome.
func TestReportEndsTransaction(t *testing.T) {
	d, r := begun(t)
	d.produced(r, wire.OK, 0)
	d.end(0, true)
	if w := waits(d.node); len(w) != 1 || w[0] != "the end of the transaction waits for the answer of node1" {
		t.Errorf("waits: %q", w)
	}
	d.command(&wire.ReportCommand{})
	d.history("returned op1 by 0 NONE 0", "commit op2 on 0 as 1000/0", "commit op2 returned REQUEST_TIMED_OUT on 0 as 1000/0")
	if d.armed(coordinatorTimer) > 0 {
		t.Error("the request is still waited for")
	}
}

// TestTransactionClone: a clone in the middle of a transaction goes on by itself.
func TestTransactionClone(t *testing.T) {
	d, r := begun(t)
	before := d.state()
	e := drive(t, NewProducer(ProducerSpec{Clusters: clusters, Transactional: true, Settings: &settings}))
	e.node = d.node.Clone(nil)
	if !bytes.Equal(before, e.state()) {
		t.Fatal("a clone has another state")
	}
	d.send(0, tp1, 1)
	d.leader(0, 1, 3)
	d.adds(1, tp1, wire.OK)
	d.end(0, true)
	if !bytes.Equal(before, e.state()) {
		t.Error("what is done to the original shows in the clone")
	}
	e.node.Step(node.Input{From: 0, Body: &wire.ProduceResponse{Partition: tp, Correlation: r.Correlation}}, &e.out)
	if len(e.node.(*producer).transaction.added) != 1 {
		t.Error("the clone has the original's partition")
	}
}
