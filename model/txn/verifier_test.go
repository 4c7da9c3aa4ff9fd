package txn_test

import (
	"bytes"
	"testing"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/txn"
	"mirrorsim/model/wire"
)

// own is a data partition that this broker leads.
var own = id.Partition{Topic: id.NewTopic(0, 3)}

// verifying is a rig whose broker leads own, with the peer as the coordinator of every client.
type verifying struct {
	*rig
	verifier txn.Verifier
	data     *replica.Replica
}

func newVerifying(t *testing.T) *verifying {
	t.Helper()
	v := &verifying{rig: newRig(t)}
	v.depose(0)
	reg := &record.PartitionRecord{Partition: own, Replicas: []id.Node{self}, ISR: id.SetOf(self), Leader: self}
	v.image.Apply(&record.TopicRecord{Topic: own.Topic, Name: "u", Partitions: 1, MinISR: 1})
	v.image.Apply(reg)
	v.data = replica.Open((&disk.Disk{}).Create(own), v.env())
	v.data.SetTopic(v.image.Topic(own.Topic), v.env())
	v.data.SetRegistration(reg, v.env())
	v.verifier.Start(100)
	v.out.Reset()
	return v
}

// batch is a client's batch of a transaction, and hold hands it in.
func batch(epoch int16, sequence int32) *record.Batch {
	b := record.NewData(1, epoch, sequence, []record.Record{{Key: 1, Value: uint64(sequence)}})
	b.Transactional = true
	return b
}

func (v *verifying) hold(b *record.Batch) bool {
	v.number++
	return v.verifier.Hold(client, &wire.ProduceRequest{Partition: own, Acks: wire.AcksAll, Batch: b, Correlation: v.number}, v.data, v.env())
}

func (v *verifying) verified(correlation uint32, code wire.Code) (id.Node, []*wire.ProduceRequest) {
	return v.verifier.Verified(&wire.AddPartitionsToTxnResponse{Partition: own, Code: code, Correlation: correlation}, v.env())
}

// The first batch waits for the coordinator, and those that come behind it wait with it, in their order.
func TestHold(t *testing.T) {
	v := newVerifying(t)
	same(t, "held", []bool{v.hold(batch(0, 0)), v.hold(batch(0, 1))}, []bool{true, true})
	q := answer[*wire.AddPartitionsToTxnRequest](v.rig, peer)
	same(t, "question", *q, wire.AddPartitionsToTxnRequest{Client: client, ProducerID: 1, Partition: own, VerifyOnly: true, Correlation: 101})
	silent[*wire.AddPartitionsToTxnRequest](v.rig, "it is asked once")
	to, requests := v.verified(100, wire.OK)
	same(t, "another answer", []any{to, len(requests)}, []any{id.None, 0})
	to, requests = v.verified(101, wire.OK)
	same(t, "go on", []any{to, requests[0].Batch.BaseSequence, requests[1].Batch.BaseSequence, len(requests)}, []any{client, int32(0), int32(1), 2})
	same(t, "timer", v.out.Timers[len(v.out.Timers)-1],
		node.TimerOp{Timer: node.Timer{Kind: txn.TimerVerify, Partition: own, Peer: client}, After: -1})
	to, _ = v.verified(101, wire.OK)
	same(t, "twice", to, id.None)
}

// What needs no confirmation: a batch without a transaction, of one that is open here, with verification off, and what a
// follower refuses anyway.
func TestNotHeld(t *testing.T) {
	v := newVerifying(t)
	plain := batch(0, 0)
	plain.Transactional = false
	same(t, "no transaction", v.hold(plain), false)
	v.setting.TxnVerify = 0
	same(t, "verification is off", v.hold(batch(0, 0)), false)
	v.setting.TxnVerify = 1
	v.data.Log.AppendAsIs(batch(0, 0).At(0, 0), 0, event.FromClient, &v.out)
	same(t, "open here", v.hold(batch(0, 1)), false)
	same(t, "open in another epoch", v.hold(batch(1, 0)), true)
	v.data.SetRegistration(&record.PartitionRecord{Partition: own, Replicas: []id.Node{self, peer}, ISR: id.SetOf(self, peer), Leader: peer,
		LeaderEpoch: 1, PartitionEpoch: 1}, v.env())
	same(t, "a follower", v.hold(batch(2, 0)), false)
}

// What the producer hears when the coordinator does not confirm.
func TestRefused(t *testing.T) {
	for code, want := range map[wire.Code]wire.Code{
		wire.InvalidTxnState:           wire.InvalidTxnState,
		wire.InvalidProducerIdMapping:  wire.InvalidTxnState,
		wire.ProducerFenced:            wire.InvalidProducerEpoch,
		wire.ConcurrentTransactions:    wire.ConcurrentTransactions,
		wire.NotCoordinator:            wire.NotEnoughReplicas,
		wire.CoordinatorLoadInProgress: wire.NotEnoughReplicas,
		wire.CoordinatorNotAvailable:   wire.NotEnoughReplicas,
	} {
		t.Run(code.String(), func(t *testing.T) {
			v := newVerifying(t)
			v.hold(batch(0, 0))
			to, requests := v.verified(101, code)
			same(t, "nothing goes on", []any{to, len(requests)}, []any{id.None, 0})
			same(t, "answer", *answer[*wire.ProduceResponse](v.rig, client),
				wire.ProduceResponse{Partition: own, Code: want, Base: -1, Correlation: v.number})
		})
	}
}

// Other ends of the wait: the coordinator is silent, nobody coordinates, the leader epoch changes, the client's next
// transaction comes.
func TestHeldEnds(t *testing.T) {
	v := newVerifying(t)
	code := func() wire.Code { return answer[*wire.ProduceResponse](v.rig, client).Code }
	v.hold(batch(0, 0))
	v.verifier.TimedOut(own, peer, v.env())
	silent[*wire.ProduceResponse](v.rig, "another client's timer")
	v.verifier.TimedOut(own, client, v.env())
	same(t, "the coordinator is silent", code(), wire.NotEnoughReplicas)
	v.hold(batch(0, 0))
	v.verifier.Lost(data0, v.env())
	silent[*wire.ProduceResponse](v.rig, "another partition's leader epoch")
	v.verifier.Lost(own, v.env())
	same(t, "the leader epoch has changed", code(), wire.NotLeaderOrFollower)
	v.hold(batch(0, 0))
	v.hold(batch(1, 0))
	same(t, "the next transaction", code(), wire.NotEnoughReplicas)
	to, requests := v.verified(104, wire.OK)
	same(t, "it goes on", []any{to, len(requests), requests[0].Batch.ProducerEpoch}, []any{client, 1, int16(1)})
	v.register(id.None, 5, peer)
	v.hold(batch(2, 0))
	same(t, "nobody coordinates", code(), wire.NotEnoughReplicas)
	same(t, "nothing waits", v.verifier.AppendState(nil), []byte(nil))
}

func TestVerifierClone(t *testing.T) {
	v := newVerifying(t)
	v.hold(batch(0, 0))
	clone := v.verifier.Clone()
	before := clone.AppendState(nil)
	v.hold(batch(0, 1))
	same(t, "the clone's state", bytes.Equal(before, clone.AppendState(nil)), true)
	same(t, "the original's differs", bytes.Equal(before, v.verifier.AppendState(nil)), false)
}
