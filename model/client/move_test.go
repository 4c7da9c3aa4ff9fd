package client

import (
	"testing"

	"mirrorsim/model/wire"
)

// There is no answer from the old cluster: the batches go to the new one as they are, and those behind them go on from
// their sequences (case T5).
func TestMoveKeepsIdentityAndSequences(t *testing.T) {
	d := idempotent(t)
	old := pinned(d, 2)
	d.command(&wire.MoveCommand{From: 0, To: 1, Partition: tp})
	d.history("returned op1 by 0 REQUEST_TIMED_OUT -1", "returned op2 by 0 REQUEST_TIMED_OUT -1")
	d.leader(2, 3, 5)
	first := request[*wire.ProduceRequest](d, 3)
	wantBatch(t, first, 0, 0, 1)
	d.quiet() // a batch that is sent again waits until it is the oldest one
	d.produced(old[0], wire.OK, 40)
	d.history("called op3 on 1/0 1 records as 7/0@0 acks -1", "sent op3 to 3 #0")
	d.answer(3, &wire.ProduceResponse{Partition: tp, Base: 50, Correlation: first.Correlation})
	wantBatch(t, request[*wire.ProduceRequest](d, 3), 0, 1, 2)
	d.command(&wire.ProduceCommand{Cluster: 1, Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
	wantBatch(t, request[*wire.ProduceRequest](d, 3), 0, 2, 3)
	if d.armed(deliveryTimer) != 2 || d.armed(requestTimer) != 2 {
		t.Errorf("armed are %v", d.timers)
	}
}

// Batches that wait at the new cluster go first; what is moved behind them gets the sequences after theirs.
func TestMoveBehindOthers(t *testing.T) {
	d := idempotent(t)
	pinned(d, 1)
	d.command(&wire.ProduceCommand{Cluster: 1, Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
	d.leader(2, 3, 5)
	wantBatch(t, request[*wire.ProduceRequest](d, 3), 0, 1, 2)
	d.command(&wire.MoveCommand{From: 0, To: 1, Partition: tp})
	wantBatch(t, request[*wire.ProduceRequest](d, 3), 0, 2, 1)
}

func TestMoveOfNothing(t *testing.T) {
	d := idempotent(t)
	before := pinned(d, 1)
	d.command(&wire.MoveCommand{From: 1, To: 0, Partition: tp})
	d.command(&wire.MoveCommand{From: 0, To: 0, Partition: tp})
	d.quiet()
	d.produced(before[0], wire.OK, 4)
	d.history("returned op1 by 0 NONE 4")
}

// A move while the leader is not known and the back-off is on leaves no timer of the old cluster but that of its age.
func TestMoveEndsBackOff(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 1)
	d.produced(r[0], wire.NotLeaderOrFollower, -1)
	d.command(&wire.MoveCommand{From: 0, To: 1, Partition: tp})
	for _, op := range d.timers {
		if k, c := splitKind(op.Timer); c == 0 && k != metadataAgeTimer {
			t.Errorf("the timer %v of the old cluster is armed", op.Timer)
		}
	}
	if d.armed(deliveryTimer) != 1 {
		t.Errorf("armed are %v", d.timers)
	}
}
