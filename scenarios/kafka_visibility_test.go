package scenarios

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// The high watermark is 10 and records are appended while consumers read: nothing at or above it is returned, and no batch
// that reaches it.
func kafka9835(t *testing.T) {
	s := newStage(t, staging{scripted: []string{"a1"}})
	s.play("produce p A/t-0 8 acks=1\nproduce p A/t-0 4 acks=1 batch=4\nexpect log A/t-0=0-7@0 [8-11]@0")
	s.fetch("a1", "a0", 10, 0)
	s.play("consume r A/t-0\nuntil read r=8\nexpect hw A/t-0=10")
	s.play("produce p A/t-0 2 acks=1")
	s.pass(id.Second)
	s.equal("consumer's records", view{s.run}.Read("r"), int64(8))
	s.equal("batches from 5 on", len(s.fetch("x", "a0", 5, 0).Batches), 3)
	s.equal("batches from 8 on", len(s.fetch("x", "a0", 8, 0).Batches), 0)
	s.equal("batches for the follower", len(s.fetch("a1", "a0", 10, 0).Batches), 3)
	s.fetch("a1", "a0", 14, 0)
	s.play("until read r=14\nexpect hw A/t-0=14")
}

// A zombie leader of epoch 1 serves a client that knows epoch 2: UNKNOWN_LEADER_EPOCH on the first fetch and on the later
// ones, and a client that knows less than the leader hears FENCED_LEADER_EPOCH.
func kafka9338(t *testing.T) {
	s := newStage(t, staging{epoch: 1})
	s.play("produce p A/t-0 8\nuntil quiet\nfault cut a-log>a0")
	s.apart("a0", "a1")
	s.lead("a1", false)
	knows := func(epoch int32) func(*wire.FetchRequest) {
		return func(r *wire.FetchRequest) { r.CurrentLeaderEpoch = epoch }
	}
	for _, offset := range []int64{0, 8, 8} {
		s.equal("the zombie's answer", s.fetch("x", "a0", offset, -1, knows(2)).Code, wire.UnknownLeaderEpoch)
	}
	s.equal("the leader's answer to epoch 1", s.fetch("x", "a1", 8, 1, knows(1)).Code, wire.FencedLeaderEpoch)
	s.equal("the leader's answer to epoch 2", s.fetch("x", "a1", 0, -1, knows(2)).Code, wire.OK)
	s.from()
	s.play("fault heal a0")
	s.wait("the zombie has heard of it", func() bool { return len(s.events(event.BecameFollower, "a0")) > 0 })
	s.equal("the answer of the one who follows", s.fetch("x", "a0", 8, 1, knows(2)).Code, wire.NotLeaderOrFollower)
}

// Consumers stand at 12 behind a record of epoch 3. After an unclean election epoch 3 ends at 10. Without a reset policy a
// consumer stops with an error that carries (10, epoch 3); with one, whichever, it goes on at 10. None goes to the start or
// the end of the log, and none stays at 12.
func kip320(t *testing.T) {
	s := newStage(t, staging{epoch: 3})
	s.play("produce p A/t-0 10\nuntil quiet\nfault cut a1\nproduce p A/t-0 2 acks=1\nuntil isr A/t-0=1\nexpect log A/t-0@a0=0-11@3")
	s.play("consume r A/t-0 reset=none\nconsume s A/t-0\nconsume u A/t-0 reset=latest\nuntil read r=12\nuntil read s=12\nuntil read u=12")
	s.play("fault crash a0\nfault heal a1")
	s.pass(3 * id.Second)
	s.from()
	s.lead("a1", true)
	s.play("produce p A/t-0 5\nexpect log A/t-0=0-9@3 10-14@4\nuntil read s=17\nuntil read u=17")
	s.equal("without a policy", s.moves("r"), []string{"10@3 LOG_TRUNCATION"})
	s.equal("with earliest", s.moves("s"), []string{"10@3"})
	s.equal("with latest", s.moves("u"), []string{"10@3"})
	s.equal("records read without a policy", view{s.run}.Read("r"), int64(12))
}

// A consumer stands at 12 behind a record of epoch 3 and asks a broker that believes to lead epoch 2 and knows of no epoch
// 3. It is answered UNKNOWN_LEADER_EPOCH, looks for the leader and asks again, and never moves. To a fetcher that names no
// current epoch the answer is undefined: OFFSET_OUT_OF_RANGE, and no divergence.
func kafka9840(t *testing.T) {
	s := newStage(t, staging{epoch: 2})
	s.play("produce p A/t-0 10\nuntil quiet\nfault cut a-log>a0")
	s.apart("a0", "p") // it would take the records, and acknowledge them
	s.lead("a1", false)
	s.play("produce p A/t-0 2 acks=1\nuntil isr A/t-0=1\nexpect log A/t-0@a1=0-9@2 10-11@3")
	s.play("consume r A/t-0\nuntil read r=12")
	s.equal("the answer to one who names no current epoch", s.fetch("x", "a0", 12, 3).Code, wire.OffsetOutOfRange)
	s.elect("a0", true)
	s.from()
	s.wait("the consumer has asked the zombie three times", func() bool { return len(s.refusals("a0", "r")) == 3 })
	s.equal("the zombie's answers", s.refusals("a0", "r"),
		[]string{"12@3 UNKNOWN_LEADER_EPOCH", "12@3 UNKNOWN_LEADER_EPOCH", "12@3 UNKNOWN_LEADER_EPOCH"})
	s.lead("a1", true)
	s.play("produce p A/t-0 1\nuntil read r=13\nfault heal a0\nuntil isr A/t-0=2\nexpect log A/t-0@a0=0-9@2 10-11@3 12@5")
	s.equal("where the consumer was moved to", s.moves("r"), []string(nil))
}

// An append fails half-way: of six batches the broker has written three when it fails. (A batch is whole or not there: a
// step of the model is atomic.) The replica is offline until recovery; then there is no gap and no duplicate, whether it
// follows or leads.
func kafka10778(t *testing.T) {
	t.Run("a follower", func(t *testing.T) {
		s := newStage(t, staging{})
		s.play("produce i A/t-0 6\nuntil quiet")
		s.losePower("a1", 3, 1)
		s.from()
		s.play("fault heal a1")
		s.equal("log end after recovery", s.events(event.Recovered, "a1")[0].End, int64(3))
		s.play("until isr A/t-0=1\nuntil isr A/t-0=2\nexpect log A/t-0@a1=0-5@0")
		s.equal("fetches", s.fetches("a0", "a1")[0], int64(3))
	})
	t.Run("a leader", func(t *testing.T) {
		s := newStage(t, staging{})
		s.world.Inject(s.node["i"], &wire.ProduceCommand{Partition: s.tp, Count: 6, Batch: 1, Acks: wire.AcksAll, ProducerID: record.NoProducer})
		s.wait("it has appended what may be in flight", func() bool { return s.log("a0").End == 5 })
		s.losePower("a0", 3, 1)
		s.from()
		s.wait("the other leads", func() bool { return len(s.events(event.BecameLeader, "a1")) > 0 })
		s.play("fault heal a0\nuntil isr A/t-0=2\nuntil quiet")
		s.equal("log end after recovery", s.events(event.Recovered, "a0")[0].End, int64(3))
		s.equal("both logs end alike", [2]int64{s.log("a0").End, s.log("a1").End}, [2]int64{6, 6})
		var records []uint64
		for _, b := range s.log("a1").Batches() {
			records = append(records, b.Records[0].Value)
		}
		s.equal("records", records, []uint64{1, 2, 3, 4, 5, 6})
	})
}
