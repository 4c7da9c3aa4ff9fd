package scenarios

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// A replica without producer state receives sequence 7 by replication: it is accepted, and as a leader the replica goes on
// from there.
func kafka6003(t *testing.T) {
	s := newStage(t, staging{scripted: []string{"a0"}})
	batch := func(sequence int32) *record.Batch {
		return record.NewData(5, 0, sequence, []record.Record{{Key: 99, Value: uint64(sequence)}})
	}
	s.answer("a0", "a1", s.asks("a1", "a0"), wire.FetchResponse{Batches: []*record.Batch{batch(7).At(0, 0)}, LogEnd: 1})
	s.wait("it is appended", func() bool { return s.log("a1").End == 1 })
	s.lead("a1", false)
	for _, c := range []struct {
		sequence int32
		code     wire.Code
		base     int64
	}{{7, wire.OK, 0}, {10, wire.OutOfOrderSequenceNumber, -1}, {8, wire.OK, 1}, {8, wire.OK, 1}} {
		s.asked++
		res := ask[*wire.ProduceResponse](s, "x", "a1", &wire.ProduceRequest{Partition: s.tp, Acks: 1, Batch: batch(c.sequence), Correlation: s.asked})
		s.equal(fmt.Sprintf("the answer to sequence %d", c.sequence), []any{res.Code, res.Base}, []any{c.code, c.base})
	}
	s.play("expect log A/t-0@a1=0@0 1@1")
}

// Retention removed all records of a producer: its state outlives them, on leader and follower, also when their brokers have
// restarted, so that the next sequence is accepted and a retry is known.
func kafka7190(t *testing.T) {
	s := newStage(t, staging{settings: "set unknown-producer=reject"})
	s.play("produce i A/t-0 5 batch=5\nproduce p A/t-0 2\nuntil quiet\nretention A/t-0 before=5\nuntil start A/t-0@a1=5")
	s.play("expect log A/t-0@a0=5-6@0\nexpect log A/t-0@a1=5-6@0\nproduce i A/t-0 1\nuntil quiet")
	s.play("retention A/t-0 before=8\nuntil start A/t-0@a1=8\nfault crash a1\nfault heal a1")
	s.pass(id.Second)
	s.play("until isr A/t-0=2\nfault crash a0\nfault heal a0")
	s.pass(id.Second)
	s.play("until isr A/t-0=2")
	s.play("until leader A/t-0=a1\nproduce i A/t-0 1\nuntil quiet")
	s.lead("a0", false)
	s.play("produce i A/t-0 1\nuntil quiet")
	for _, e := range s.events(event.ProduceReturned, "i") {
		s.equal("what the producer hears", wire.Code(e.To), wire.OK)
	}
	last := s.log("a0").Batches()[0]
	s.equal("the sequence behind the restarts", last.BaseSequence, int32(6))
	retry := *last
	retry.Base, retry.Last, retry.LeaderEpoch = 0, 0, -1
	s.asked++
	res := ask[*wire.ProduceResponse](s, "x", "a0", &wire.ProduceRequest{Partition: s.tp, Acks: 1, Batch: &retry, Correlation: s.asked})
	s.equal("the answer to a retry", []any{res.Code, res.Base}, []any{wire.OK, last.Base})
}

// An idempotent producer's batch with sequence 5 arrives before the one with 0 to 4, at an empty log. Under accept 5 stands,
// and 0 is refused until its delivery times out: it is reported as lost. Under accept-unless-log-never-used 5 is refused and
// tried again behind 0.
func kafka15591(t *testing.T) {
	for _, c := range []struct {
		option, log string
		codes       []wire.Code // in the order in which the client hears of its batches
		refused     int         // sequences 5 and 0
	}{
		{"accept", "0@0", []wire.Code{wire.OK, wire.RequestTimedOut}, 0},
		{"accept-unless-log-never-used", "[0-4]@0 5@0", []wire.Code{wire.OK, wire.OK}, 1},
	} {
		t.Run(c.option, func(t *testing.T) {
			s := newStage(t, staging{settings: "set unknown-producer=" + c.option, late: late{"i", "a0", 2}})
			s.play("produce i A/t-0 6 batch=5\nuntil quiet\nexpect log A/t-0=" + c.log)
			var codes []wire.Code
			for _, e := range s.events(event.ProduceReturned, "i") {
				codes = append(codes, wire.Code(e.To))
			}
			s.equal("what the client hears", codes, c.codes)
			answers := delivered[*wire.ProduceResponse](s, "a0", "i")
			s.equal("the first answer is a refusal", answers[0].Code == wire.OutOfOrderSequenceNumber, c.refused == 1)
		})
	}
}
