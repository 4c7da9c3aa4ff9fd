package controller_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/wire"
)

// AlterPartition is taken from the leader of the present leader epoch, for the present partition epoch (KAFKA-12686), and
// only with live replicas of the partition, itself among them (KAFKA-9672).
func TestAlterPartition(t *testing.T) {
	for _, test := range []struct {
		name   string
		from   id.Node
		fenced []id.Node
		req    *wire.AlterPartitionRequest
		code   wire.Code
		want   string
	}{
		{"grow", a, nil, alter(0, 0, a, b, c), wire.OK, "a@0 [abc] 1 isr"},
		{"shrink", a, nil, alter(0, 0, a), wire.OK, "a@0 [a] 1 isr"},
		{"not the leader", b, nil, alter(0, 0, a, b, c), wire.FencedLeaderEpoch, "a@0 [ab] 0 created"},
		{"another leader epoch", a, nil, alter(1, 0, a), wire.FencedLeaderEpoch, "a@0 [ab] 0 created"},
		{"an older partition epoch", a, []id.Node{b}, alter(0, 0, a, c), wire.InvalidUpdateVersion, "a@0 [a] 1 isr"},
		{"a later partition epoch", a, nil, alter(0, 1, a), wire.InvalidUpdateVersion, "a@0 [ab] 0 created"},
		{"a fenced broker", a, []id.Node{c}, alter(0, 0, a, b, c), wire.IneligibleReplica, "a@0 [ab] 0 created"},
		{"without the leader", a, nil, alter(0, 0, b), wire.IneligibleReplica, "a@0 [ab] 0 created"},
		{"no replica, KAFKA-9672", a, nil, alter(0, 0, a, b, 8), wire.IneligibleReplica, "a@0 [ab] 0 created"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, plain(false, a, b))
			if r.heartbeat(8, 1, 0); r.heartbeat(8, 1, int64(len(r.records()))).Fenced {
				t.Fatal("broker 8 is fenced")
			}
			for _, n := range test.fenced {
				r.fence(t, n)
			}
			res := call[*wire.AlterPartitionResponse](r, test.from, x, test.req)
			equal(t, "registration", r.registration(), test.want)
			want := wire.AlterPartitionResponse{Partition: tp, Code: test.code, Correlation: 5}
			if test.code == wire.OK {
				want.PartitionEpoch = 1
			}
			equal(t, "answer", *res, want)
		})
	}
	t.Run("an unknown partition", func(t *testing.T) {
		req := alter(0, 0, a)
		req.Partition.Index = 7
		res := call[*wire.AlterPartitionResponse](active(t, plain(false, a, b)), a, x, req)
		equal(t, "code", res.Code, wire.UnknownTopicOrPartition)
	})
}

// A bump raises the leader epoch to max(current, minimum); the leader and the ISR stay.
func TestBumpLeaderEpoch(t *testing.T) {
	for _, test := range []struct {
		name  string
		from  id.Node
		bumps []int32
		code  wire.Code
		epoch int32 // answered
		want  string
	}{
		{"above", a, []int32{12}, wire.OK, 12, "a@12 [ab] 1 bump"},
		{"the present epoch", a, []int32{0}, wire.OK, 0, "a@0 [ab] 0 created"},
		{"a repeat is done already", a, []int32{12, 12}, wire.OK, 12, "a@12 [ab] 1 bump"},
		{"below: it never decreases", a, []int32{12, 3}, wire.OK, 12, "a@12 [ab] 1 bump"},
		{"again", a, []int32{12, 13}, wire.OK, 13, "a@13 [ab] 2 bump"},
		{"not the leader", b, []int32{12}, wire.NotLeaderOrFollower, 0, "a@0 [ab] 0 created"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, plain(false, a, b))
			var res *wire.BumpLeaderEpochResponse
			for _, minimum := range test.bumps {
				res = call[*wire.BumpLeaderEpochResponse](r, test.from, x, bump(minimum))
			}
			equal(t, "answer", *res, wire.BumpLeaderEpochResponse{Partition: tp, Code: test.code,
				LeaderEpoch: test.epoch, Correlation: 5})
			equal(t, "registration", r.registration(), test.want)
		})
	}
	t.Run("an unknown partition", func(t *testing.T) {
		req := bump(3)
		req.Partition.Index = 7
		equal(t, "code", call[*wire.BumpLeaderEpochResponse](active(t, plain(false, a)), a, x, req).Code,
			wire.UnknownTopicOrPartition)
	})
}
