package scenarios

import (
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
)

// electing asks a controller for an election of a1.
func (s *stage) electing(controller string) wire.Code {
	s.Helper()
	return ask[*wire.ElectLeadersResponse](s, "x", controller, &wire.ElectLeadersRequest{Partition: s.tp, Target: s.node["a1"],
		Client: id.None}).Code
}

// actives are the controllers that became active, in order.
func (s *stage) actives() (names []string) {
	for _, e := range s.history {
		if e.Kind == event.ControllerElected {
			names = append(names, s.names.Node(e.Peer))
		}
	}
	return names
}

// registrations is how often the registration of A/t-0 has changed.
func (s *stage) registrations() int { return len(s.events(event.PartitionChanged, "a-log")) }

// A request reaches a controller that is behind: it is answered NOT_CONTROLLER, and the admin tries again, at another.
func kafka14154(t *testing.T) {
	codes := func(s *stage, broker string) (list []wire.Code) {
		for _, m := range delivered[*wire.ElectLeadersResponse](s, broker, "a-admin") {
			list = append(list, m.Code)
		}
		return list
	}
	t.Run("it replays", func(t *testing.T) {
		s := newStage(t, staging{controllers: 2})
		s.equal("the answer of the controller that is not active", s.electing("a-c1"), wire.NotController)
		s.play("fault crash a-c0\nfault crash a-c1")
		s.pass(10 * id.Second)
		s.play("fault heal a-c1")
		s.wait("a-c1 is given the role", func() bool { return slices.Equal(s.actives(), []string{"a-c0", "a-c1"}) })
		s.world.Link(s.node["a-log"], s.node["a-c1"], true, 1500*id.Millisecond) // before the records leave
		s.from()
		s.equal("the answer of the controller that replays", s.electing("a-c1"), wire.NotController)
		s.equal("changes of the registration", s.registrations(), 0)
		s.play("elect A/t-0 to=a1\nexpect epoch A/t-0=1\nfault heal a-log>a-c1\nuntil quiet")
		tries := append(codes(s, "a0"), codes(s, "a1")...)
		s.equal("it was refused and done", [2]bool{slices.Contains(tries, wire.NotController), slices.Contains(tries, wire.OK)}, [2]bool{true, true})
		s.equal("changes of the registration", s.registrations(), 1)
	})
	t.Run("another is active", func(t *testing.T) {
		s := newStage(t, staging{controllers: 2})
		s.apart("a-log", "a-c0")
		s.play("fault cut a-log>a0")
		s.wait("a-c1 is active", func() bool { return slices.Equal(s.actives(), []string{"a-c0", "a-c1"}) })
		s.play("elect A/t-0 to=a1\nexpect epoch A/t-0=1")
		s.equal("answers through a0, which has not heard of it", codes(s, "a0"), []wire.Code{wire.NotController})
		s.equal("answers through a1", codes(s, "a1"), []wire.Code{wire.OK})
	})
}

// The answer to an ISR change arrives after newer leadership metadata, and an ISR change asked for under older metadata
// arrives at the controller: partition epochs are compared, and the older one is ignored.
func kafka12686(t *testing.T) {
	t.Run("the answer is late", func(t *testing.T) {
		s := newStage(t, staging{})
		s.play("produce p A/t-0 10\nfault cut a1\nuntil isr A/t-0=1\nfault delay a-c0>a0 by=4s\nfault heal a1\nuntil isr A/t-0=2")
		had := len(delivered[*wire.AlterPartitionResponse](s, "a-c0", "a0"))
		s.lead("a1", false)
		s.lead("a0", false)
		s.play("until quiet\nfault cut a1\nproduce p A/t-0 1 acks=1")
		s.from()
		s.wait("the answer is there", func() bool { return len(delivered[*wire.AlterPartitionResponse](s, "a-c0", "a0")) > had })
		s.pass(id.Second)
		s.equal("changes of the registration", s.registrations(), 0)
		s.play("expect epoch A/t-0=2\nexpect hw A/t-0@a0=10\nexpect leo A/t-0@a0=11\nfault heal a1\nuntil isr A/t-0=2\nuntil quiet\nexpect hw A/t-0@a1=11")
	})
	t.Run("the request is late", func(t *testing.T) {
		s := newStage(t, staging{scripted: []string{"a0"}})
		shrink := func(leaderEpoch, partitionEpoch int32) wire.Code {
			return ask[*wire.AlterPartitionResponse](s, "a0", "a-c0", &wire.AlterPartitionRequest{Partition: s.tp,
				LeaderEpoch: leaderEpoch, PartitionEpoch: partitionEpoch, ISR: id.SetOf(s.node["a0"])}).Code
		}
		s.elect("a1", false)
		s.elect("a0", false)
		s.equal("of the leader epoch before", shrink(0, 2), wire.FencedLeaderEpoch)
		s.equal("of the partition epoch before", shrink(2, 1), wire.InvalidUpdateVersion)
		s.play("expect epoch A/t-0=2\nuntil isr A/t-0=2")
		s.equal("of the present ones", shrink(2, 2), wire.OK)
		s.play("until isr A/t-0=1")
	})
}

// A broker that is none of the replicas fetches, up to date: it never comes into the ISR, and the controller refuses one
// who asks for that.
func kafka9672(t *testing.T) {
	t.Run("it fetches", func(t *testing.T) {
		s := newStage(t, staging{brokers: 3, replicas: 2, scripted: []string{"a2"}})
		s.play("produce p A/t-0 10\nuntil quiet")
		for range 2 {
			s.equal("the leader's answer", s.fetch("a2", "a0", 10, 0).Code, wire.UnknownTopicOrPartition)
		}
		s.play("fault cut a1\nuntil isr A/t-0=1\nproduce p A/t-0 1\nfault heal a1\nuntil isr A/t-0=2")
		s.fetch("a2", "a0", 11, 0)
		s.pass(id.Minute)
		s.equal("it is in the ISR", s.inSync("a2"), false)
	})
	t.Run("the leader asks for it", func(t *testing.T) {
		s := newStage(t, staging{brokers: 3, replicas: 2, scripted: []string{"a0"}})
		res := ask[*wire.AlterPartitionResponse](s, "a0", "a-c0", &wire.AlterPartitionRequest{Partition: s.tp,
			ISR: id.SetOf(s.node["a0"], s.node["a1"], s.node["a2"])})
		s.equal("the controller's answer", res.Code, wire.IneligibleReplica)
		s.equal("it is in the ISR", s.inSync("a2"), false)
	})
}

// A controller that is cut from its quorum stops acting: what it was asked in between is refused when its session is over,
// and so is all later; the other controller acts.
func kafka15489(t *testing.T) {
	s := newStage(t, staging{controllers: 2})
	s.apart("a-log", "a-c0")
	s.from()
	s.equal("the answer of the one that is cut off", s.electing("a-c0"), wire.NotController)
	s.wait("the other is active", func() bool { return slices.Equal(s.actives(), []string{"a-c0", "a-c1"}) })
	s.equal("its answer then", s.electing("a-c0"), wire.NotController)
	s.together("a-log", "a-c0")
	s.pass(20 * id.Second)
	s.equal("its answer when it has its quorum again", s.electing("a-c0"), wire.NotController)
	s.equal("changes of the registration", s.registrations(), 0)
	s.equal("who has been active", s.actives(), []string{"a-c0", "a-c1"})
	s.equal("the answer of the other", s.electing("a-c1"), wire.OK)
	s.play("until quiet\nexpect epoch A/t-0=1")
}

// The logs end at 10, 5 and 2, the high watermark is 2, and every record was acknowledged with acks=1. The last replica is
// elected uncleanly: the history shows 8 records, 2 to 9, that were acknowledged and are gone; the others are cut by 8 and
// by 3.
func kafka10751(t *testing.T) {
	s := newStage(t, staging{brokers: 3})
	s.play("produce p A/t-0 2 acks=1\nuntil quiet")
	s.apart("a0", "a2")
	s.play("produce p A/t-0 3 acks=1")
	s.wait("a1 holds 5", func() bool { return s.log("a1").End == 5 })
	s.apart("a0", "a1")
	s.play("produce p A/t-0 5 acks=1\nexpect leo A/t-0@a0=10\nexpect leo A/t-0@a1=5\nexpect leo A/t-0@a2=2\nexpect hw A/t-0@a0=2")
	s.from()
	s.lead("a2", true)
	s.together("a0", "a2")
	s.play("until isr A/t-0=3\nuntil quiet\nexpect log A/t-0@a0=0-1@0\nexpect log A/t-0@a1=0-1@0\nexpect log A/t-0@a2=0-1@0")
	s.equal("a0's cuts", s.cuts("a0"), []string{"10→2"})
	s.equal("a1's cuts", s.cuts("a1"), []string{"5→2"})
	s.mark = 0
	var gone []int64
	for _, e := range s.events(event.ProduceReturned, "p") {
		if e.To == 0 && e.Offset >= s.log("a2").End {
			gone = append(gone, e.Offset)
		}
	}
	s.equal("acknowledged and gone", gone, []int64{2, 3, 4, 5, 6, 7, 8, 9})
}
