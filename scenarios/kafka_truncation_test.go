package scenarios

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
)

// L and F hold records 0 and 1; L's high watermark is 2, F's still 1, and F restarts. It keeps record 1, whether L lives or
// F must lead: it asks for the end of epoch 0 and does not cut to its high watermark.
func kip101a(t *testing.T) {
	restarted := func(t *testing.T) *stage {
		s := newStage(t, staging{settings: "setting checkpoint=1s"})
		s.play("produce p A/t-0 1\nuntil quiet")
		s.pass(2 * id.Second)
		s.send(1, wire.AcksAll)
		s.wait("L's high watermark is 2 and F's is 1", func() bool { return s.log("a0").HighWatermark == 2 })
		s.from()
		s.play("fault crash a1\nfault heal a1\nexpect log A/t-0@a1=0-1@0")
		s.equal("F's high watermark when it is back", s.marks("a1"), []int64{1})
		return s
	}
	t.Run("L lives", func(t *testing.T) {
		s := restarted(t)
		s.play("until isr A/t-0=1\nuntil isr A/t-0=2\nuntil quiet\nexpect log A/t-0@a1=0-1@0\nexpect hw A/t-0@a1=2")
		s.equal("F's cuts", s.cuts("a1"), []string(nil))
	})
	t.Run("L dies", func(t *testing.T) {
		s := restarted(t)
		s.play("fault cut a0>a1\nfault crash a0")
		s.pass(3 * id.Second)
		s.lead("a1", true)
		s.play("expect log A/t-0@a1=0-1@0\nexpect hw A/t-0@a1=2")
		s.equal("F's cuts", s.cuts("a1"), []string(nil))
	})
}

// A power cut leaves X 0@0 1@0 and Y 0@0. Y leads epoch 1 and writes 1@1. X comes back with high watermark 2, asks for the
// end of epoch 0, cuts to 1 and fetches 1@1.
func kip101b(t *testing.T) {
	s := newStage(t, staging{settings: "setting checkpoint=1s"})
	s.play("produce p A/t-0 2\nuntil quiet")
	s.pass(2 * id.Second)
	s.losePower("a0", 2, 1)
	s.losePower("a1", 1, 1)
	s.play("fault heal a1\nuntil isr A/t-0=1\nexpect log A/t-0@a1=0@0")
	s.pass(4 * id.Second)
	s.lead("a1", true)
	s.play("produce p A/t-0 1 acks=1\nexpect log A/t-0@a1=0@0 1@1")
	s.from()
	s.play("fault heal a0\nuntil isr A/t-0=2\nuntil quiet\nexpect log A/t-0@a0=0@0 1@1\nexpect log A/t-0@a1=0@0 1@1")
	s.equal("X's high watermarks", s.marks("a0"), []int64{2, 1, 2})
	s.equal("Y's answers", s.refusals("a1", "a0"), []string{"2@0 diverges: (0, 1)"})
	s.equal("X's cuts", s.cuts("a0"), []string{"2→1"})
}

// A new leader takes epoch 5 at log end 10 with the cache 3→0 and writes nothing. F holds 10 to 12 of epoch 4 and asks for
// epoch 4: the cache has 5→10 at once, so that the answer is (3, 10). Where 5→10 is the first entry it is (4, 10), and
// epoch 6 is above all.
func kafka7415(t *testing.T) {
	t.Run("a cache with 3", func(t *testing.T) {
		s := newStage(t, staging{epoch: 3})
		s.play("produce p A/t-0 10\nuntil quiet")
		s.lead("a1", false)
		s.apart("a0", "a1")
		s.play("produce p A/t-0 3 acks=1\nexpect log A/t-0@a1=0-9@3 10-12@4")
		s.lead("a0", true)
		s.equal("the new leader's cache", s.epochs("a0"), " 3→0 5→10")
		s.from()
		s.together("a0", "a1")
		s.play("until isr A/t-0=2\nexpect log A/t-0@a0=0-9@3\nexpect log A/t-0@a1=0-9@3")
		s.equal("its answers", s.refusals("a0", "a1"), []string{"13@4 diverges: (3, 10)"})
		s.equal("F's cuts", s.cuts("a1"), []string{"13→10"})
	})
	t.Run("the first entry", func(t *testing.T) {
		s := newStage(t, staging{epoch: 4, scripted: []string{"a0"}, settings: "set fetch-above=out-of-range"}) // Kafka's
		req := s.asks("a1", "a0")
		s.answer("a0", "a1", req, wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 10, LogEnd: 10})
		s.lead("a1", false)
		s.equal("the new leader's cache", s.epochs("a1"), " 5→10")
		s.from()
		s.fetch("a0", "a1", 12, 4)
		s.fetch("a0", "a1", 10, 6)
		s.equal("its answers", s.refusals("a1", "a0"), []string{"12@4 diverges: (4, 10)", "10@6 OFFSET_OUT_OF_RANGE"})
	})
}

// F follows X in epoch 1 to 12 and is cut off while Z is elected (epoch 2) and X again (epoch 3). X was cut to 10 and
// wrote 10@3. F finds that out though the leader's name is the same.
func kafka7164(t *testing.T) {
	s := newStage(t, staging{brokers: 3, epoch: 1})
	s.play("produce p A/t-0 10\nuntil quiet")
	s.apart("a2", "a0")
	s.play("produce p A/t-0 2 acks=1")
	s.wait("F has 12 records", func() bool { return s.log("a1").End == 12 })
	s.play("fault cut a1")
	s.lead("a2", true)
	s.together("a2", "a0")
	s.play("until isr A/t-0=2\nexpect log A/t-0@a0=0-9@1\nexpect log A/t-0@a1=0-11@1")
	s.lead("a0", false)
	s.play("produce p A/t-0 1\nexpect log A/t-0@a0=0-9@1 10@3")
	s.from()
	s.play("fault heal a1\nuntil isr A/t-0=3\nexpect log A/t-0@a1=0-9@1 10@3")
	s.equal("X's answers", s.refusals("a0", "a1"), []string{"12@1 diverges: (1, 10)"})
	s.equal("F's cuts", s.cuts("a1"), []string{"12→10"})
}

// The new leader's log ends at 10, all of it committed, and its high watermark is still 5. Y, whose log ends at 5, is not
// taken into the ISR before it has reached the start of the new leader's epoch. The leader's high watermark cannot rise, for
// another ISR member is cut off from it.
func kafka7128(t *testing.T) {
	s := newStage(t, staging{brokers: 4})
	s.play("produce p A/t-0 5\nuntil quiet")
	s.apart("a0", "a2")
	s.play("until isr A/t-0=3")
	s.send(5, wire.AcksAll)
	s.wait("all is committed", func() bool { return s.log("a0").HighWatermark == 10 })
	s.play("expect leo A/t-0@a1=10\nexpect hw A/t-0@a1=5\nexpect leo A/t-0@a2=5")
	s.apart("a1", "a3")
	s.from()
	s.play("fault delay a1>a2 by=1s\nfault cut a0>a1\nfault crash a0")
	s.wait("Y is in the ISR", func() bool {
		if y := s.log("a2"); s.inSync("a2") && y.End < 10 {
			s.Fatalf("Y is in the ISR with log end %d", y.End)
		}
		return s.inSync("a2")
	})
	s.equal("Y's fetches before", s.fetches("a1", "a2"), []int64{5})
	s.play("expect hw A/t-0@a1=5\nexpect leo A/t-0@a2=10\nfault heal a3\nuntil quiet\nexpect hw A/t-0@a1=10")
}

// An answer carries the divergence (1, 10) and high watermark 13. F's log ends at 14. It is cut to 10 first; the high
// watermark stays what it was until the next answer. After an unclean election F's was 12, and it is 10.
func kafka14704(t *testing.T) {
	table := []struct {
		name  string
		hw    int64 // F's before
		write func(s *stage)
		marks []int64
	}{
		{"an ordinary election", 9, func(s *stage) {
			s.play("produce p A/t-0 9\nuntil quiet\nproduce p A/t-0 1 acks=1")
			s.wait("F holds record 9", func() bool { return s.log("a1").End == 10 })
			s.apart("a0", "a1")
			s.lead("a1", false)
			s.play("produce p A/t-0 4 acks=1")
		}, []int64{13}},
		{"an unclean election", 12, func(s *stage) {
			s.play("produce p A/t-0 10\nuntil quiet")
			s.apart("a0", "a1")
			s.lead("a1", true)
			s.play("until isr A/t-0=2\nproduce p A/t-0 2")
			s.apart("a1", "a2")
			s.play("produce p A/t-0 2 acks=1")
		}, []int64{10, 13}},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, staging{brokers: 3, epoch: 1})
			c.write(s)
			s.play(fmt.Sprintf("expect log A/t-0@a1=0-9@1 10-13@2\nexpect hw A/t-0@a1=%d", c.hw))
			s.play("fault cut a2")
			s.lead("a0", true)
			s.play("produce p A/t-0 3 acks=1\nexpect log A/t-0@a0=0-9@1 10-12@3\nexpect hw A/t-0@a0=13")
			s.from()
			s.together("a0", "a1")
			s.wait("F is cut", func() bool { return len(s.cuts("a1")) > 0 })
			s.play(fmt.Sprintf("expect leo A/t-0@a1=10\nexpect hw A/t-0@a1=%d", min(c.hw, 10)))
			s.wait("F has caught up", func() bool { return s.log("a1").End == 13 })
			s.equal("the leader's answers", s.refusals("a0", "a1"), []string{"14@2 diverges: (1, 10)"})
			s.equal("F's high watermarks", s.marks("a1"), c.marks)
		})
	}
}

// The answer to a fetch made in epoch 6 holds a batch of epoch 7, for the leader was cut while it served. What is of epoch
// 6 is appended; that batch and all after it are skipped and fetched again.
func kafka18723(t *testing.T) {
	s := newStage(t, staging{epoch: 6, scripted: []string{"a0"}})
	answer := append(append(batchesFrom(0, 2, 6), batchesFrom(2, 1, 7)...), batchesFrom(3, 1, 6)...)
	s.answer("a0", "a1", s.asks("a1", "a0"), wire.FetchResponse{Batches: answer, LogEnd: 4})
	req := s.asks("a1", "a0")
	s.equal("fetched again at", req.FetchOffset, int64(2))
	s.play("expect log A/t-0@a1=0-1@6")
	s.answer("a0", "a1", req, wire.FetchResponse{Batches: answer[2:3], LogEnd: 3})
	s.equal("fetched again at", s.asks("a1", "a0").FetchOffset, int64(2))
	bump := ask[*wire.BumpLeaderEpochResponse](s, "a0", "a-c0", &wire.BumpLeaderEpochRequest{Partition: s.tp, Minimum: 7})
	s.equal("leader epoch", bump.LeaderEpoch, int32(7))
	s.wait("F follows in epoch 7", func() bool { req = s.asks("a1", "a0"); return req.CurrentLeaderEpoch == 7 })
	s.answer("a0", "a1", req, wire.FetchResponse{Batches: answer[2:3], LogEnd: 3})
	s.wait("F holds it", func() bool { return s.log("a1").End == 3 })
	s.play("expect log A/t-0@a1=0-1@6 2@7")
}

// A divergence arrives when this broker has been elected since it fetched: it is ignored, also when the broker follows
// again.
func kafka13207(t *testing.T) {
	for _, again := range []bool{false, true} {
		t.Run(fmt.Sprintf("follows again %v", again), func(t *testing.T) {
			s := newStage(t, staging{epoch: 1, scripted: []string{"a0"}})
			s.answer("a0", "a1", s.asks("a1", "a0"), wire.FetchResponse{Batches: batchesFrom(0, 10, 1), LogEnd: 10})
			late := s.asks("a1", "a0")
			s.equal("fetched at", late.FetchOffset, int64(10))
			s.lead("a1", false)
			if again {
				s.elect("a0", false)
				s.asks("a1", "a0")
			}
			s.answer("a0", "a1", late, wire.FetchResponse{Diverging: true, DivergingEpoch: 1, DivergingOffset: 4})
			s.pass(id.Second)
			s.play("expect log A/t-0@a1=0-9@1")
			s.equal("F's cuts", s.cuts("a1"), []string(nil))
		})
	}
}

// F at 100 asks a new leader whose log ends at 95: F is cut to 95 and goes on from there, never to the leader's log start.
func kafka2143(t *testing.T) {
	t.Run("a divergence", func(t *testing.T) {
		s := newStage(t, staging{brokers: 3})
		s.play("produce p A/t-0 95\nuntil quiet")
		s.apart("a0", "a1")
		s.play("produce p A/t-0 5 acks=1")
		s.wait("F holds 100 records", func() bool { return s.log("a2").End == 100 })
		s.lead("a1", true)
		s.play("produce p A/t-0 1\nuntil isr A/t-0=2\nexpect log A/t-0@a2=0-94@0 95@1")
		s.equal("F's cuts", s.cuts("a2"), []string{"100→95"})
	})
	t.Run("OFFSET_OUT_OF_RANGE", func(t *testing.T) {
		s := newStage(t, staging{scripted: []string{"a0"}})
		s.answer("a0", "a1", s.asks("a1", "a0"), wire.FetchResponse{Batches: batchesFrom(0, 100, 0), LogEnd: 100})
		s.answer("a0", "a1", s.asks("a1", "a0"), wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 20, LogEnd: 95})
		s.equal("fetched again at", s.asks("a1", "a0").FetchOffset, int64(95))
		s.play("expect log A/t-0@a1=0-94@0\nexpect start A/t-0@a1=0")
	})
}

// The power goes after a truncation to 20 and before the leader-epoch checkpoint is on disk. The cache is rebuilt from the
// batches, never empty over a full log: the broker answers a fetcher as before.
func kafka16541(t *testing.T) {
	for kept := range int64(3) {
		t.Run(fmt.Sprintf("%d entries kept", kept), func(t *testing.T) {
			s := newStage(t, staging{scripted: nil})
			s.play("produce p A/t-0 20\nuntil quiet")
			s.apart("a0", "a1")
			s.lead("a1", true)
			s.play("produce p A/t-0 5 acks=1\nexpect log A/t-0@a1=0-19@0 20-24@1")
			s.lead("a0", true)
			s.play("produce p A/t-0 3 acks=1")
			s.together("a0", "a1")
			s.play("until isr A/t-0=2\nuntil quiet\nexpect log A/t-0@a1=0-19@0 20-22@2")
			s.equal("F's cuts", s.cuts("a1"), []string{"25→20"})
			s.losePower("a1", 23, kept)
			s.from()
			s.play("fault heal a1\nuntil isr A/t-0=1\nuntil isr A/t-0=2")
			s.equal("entries that are rebuilt", len(s.events(event.EpochAdded, "a1")), int(2-kept))
			s.lead("a1", false)
			s.fetch("x", "a1", 24, 1)
			s.equal("its answers", s.refusals("a1", "x"), []string{"24@1 diverges: (0, 20)"})
		})
	}
}

// A follower without epochs asks for -1: that is undefined, never the log end. It gets the log from its own log end on, and
// beyond the leader's OFFSET_OUT_OF_RANGE.
func kafka6857(t *testing.T) {
	s := newStage(t, staging{brokers: 3, scripted: []string{"a2"}})
	s.fetch("a2", "a0", 0, -1)
	s.play("produce p A/t-0 10 acks=1")
	s.from()
	for offset, want := range map[int64]int{0: 10, 4: 6, 14: 0} {
		s.equal(fmt.Sprintf("batches from %d on", offset), len(s.fetch("a2", "a0", offset, -1).Batches), want)
	}
	s.equal("what else is answered", s.refusals("a0", "a2"), []string{"14@-1 OFFSET_OUT_OF_RANGE"})
	s.losePower("a1", 0, 0)
	s.play("fault heal a1")
	s.wait("F holds all again", func() bool { return s.log("a1").End == 10 })
	s.equal("the answers to a follower that has lost everything", s.refusals("a0", "a1"), []string(nil))
	s.play("expect log A/t-0@a1=0-9@0")
}

// The leader has 0→0 and 3→10 and ends at 11, F 0→0 and 2→3 and ends at 5. F asks for epoch 2 and is answered (0, 10): it
// cuts to 3, its own end of epoch 0, and fetches again.
func kip279(t *testing.T) {
	s := newStage(t, staging{brokers: 3})
	s.play("produce p A/t-0 3\nuntil quiet")
	s.apart("a0", "a1")
	s.apart("a0", "a2")
	s.play("produce p A/t-0 7 acks=1")
	s.lead("a2", true)
	s.lead("a1", true)
	s.play("produce p A/t-0 2 acks=1\nexpect log A/t-0@a1=0-2@0 3-4@2")
	s.lead("a0", true)
	s.play("produce p A/t-0 1 acks=1\nexpect log A/t-0@a0=0-9@0 10@3")
	s.equal("the leader's cache", s.epochs("a0"), " 0→0 3→10")
	s.equal("F's cache", s.epochs("a1"), " 0→0 2→3")
	s.from()
	s.together("a0", "a1")
	s.play("until isr A/t-0=2\nexpect log A/t-0@a1=0-9@0 10@3")
	s.equal("the leader's answers", s.refusals("a0", "a1"), []string{"5@2 diverges: (0, 10)"})
	s.equal("F's cuts", s.cuts("a1"), []string{"5→3"})
}

// F's fetch at 14 is answered with a divergence. The leader does not count 14 as F's log end: its high watermark stays, F
// does not join the ISR. (An alignment, which waits for its followers, does not go on either: model/mirror.)
func kafka13141(t *testing.T) {
	s := newStage(t, staging{epoch: 1, scripted: []string{"a1"}})
	s.play("produce p A/t-0 10 acks=1")
	s.fetch("a1", "a0", 0, -1)
	s.fetch("a1", "a0", 5, 1)
	s.play("expect hw A/t-0=5")
	s.elect("a1", false)
	s.lead("a0", false)
	s.from()
	s.fetch("a1", "a0", 14, 1)
	s.pass(id.Second)
	s.equal("the leader's high watermarks", s.marks("a0"), []int64(nil))
	s.play("until isr A/t-0=1")
	s.fetch("a1", "a0", 14, 1)
	s.pass(id.Second)
	s.equal("F is in the ISR", s.inSync("a1"), false)
	s.equal("the leader's answers", s.refusals("a0", "a1"), []string{"14@1 diverges: (1, 10)", "14@1 diverges: (1, 10)"})
	s.fetch("a1", "a0", 10, 1)
	s.play("until isr A/t-0=2")
}

// F's log is cut to 30 while its checkpoint remembers the high watermark 50, and is longer again before the next
// checkpoint. It restarts with 30.
func kafka3330(t *testing.T) {
	s := newStage(t, staging{brokers: 3, settings: "setting checkpoint=40s"})
	s.play("produce p A/t-0 30\nuntil quiet")
	s.apart("a0", "a2")
	s.play("produce p A/t-0 20 acks=1\nuntil isr A/t-0=2\nuntil quiet\nexpect hw A/t-0@a1=50\n")
	s.until(func(*run) (string, bool) { return "", false }, 41*id.Second)
	s.lead("a2", true)
	s.play("until isr A/t-0=2\nexpect hw A/t-0@a1=30\nproduce p A/t-0 40\nuntil quiet\nexpect log A/t-0@a1=0-29@0 30-69@1")
	s.equal("F's cuts", s.cuts("a1"), []string{"50→30"})
	s.from()
	s.play("fault crash a1\nfault heal a1\nexpect leo A/t-0@a1=70")
	s.equal("F's high watermark when it is back", s.marks("a1"), []int64{30})
}

// A segment that has offsets above the high watermark cannot go, on the leader where retention would have all of it; and the
// leader's log start is 11, the high watermark 6, and the follower's log start becomes 6.
func kafka5634(t *testing.T) {
	t.Run("a leader", func(t *testing.T) {
		s := newStage(t, staging{})
		s.play("produce p A/t-0 6 batch=3\nuntil quiet")
		s.apart("a0", "a1")
		s.play("produce p A/t-0 3 acks=1 batch=3\nexpect hw A/t-0=6\nretention A/t-0 before=9\nexpect start A/t-0=6")
		s.play("expect log A/t-0=[6-8]@0\nretention A/t-0 before=8\nexpect log A/t-0=[6-8]@0")
		s.together("a0", "a1")
		s.play("until hw A/t-0=9\nretention A/t-0 before=8\nexpect start A/t-0=6\nretention A/t-0 before=9")
		s.play("until start A/t-0@a1=9\nexpect log A/t-0=empty\nexpect log A/t-0@a1=empty")
	})
	t.Run("a follower", kafka5634Follower)
}

func kafka5634Follower(t *testing.T) {
	s := newStage(t, staging{scripted: []string{"a0"}})
	answer := wire.FetchResponse{LogStart: 0, LogEnd: 12, HighWatermark: 6}
	for i := range int64(3) {
		answer.Batches = append(answer.Batches, dataBatch(4, uint64(i)<<8).At(4*i, 0))
	}
	s.answer("a0", "a1", s.asks("a1", "a0"), answer)
	s.answer("a0", "a1", s.asks("a1", "a0"), wire.FetchResponse{LogStart: 11, LogEnd: 12, HighWatermark: 6})
	s.asks("a1", "a0")
	s.play("expect start A/t-0@a1=6\nexpect hw A/t-0@a1=6\nexpect log A/t-0@a1=[4-7]@0 [8-11]@0")
	s.answer("a0", "a1", s.asks("a1", "a0"), wire.FetchResponse{LogStart: 11, LogEnd: 12, HighWatermark: 12})
	s.asks("a1", "a0")
	s.play("expect start A/t-0@a1=11\nexpect log A/t-0@a1=[8-11]@0")
}
