package checkers

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
)

// Coarse is what a partition is like on one cluster, without names and numbers: its mirror state, the step of its stop, and of
// each replica what role it has, whether it knows the present leader epoch, how its log stands against the leader's, whether
// its high watermark is below its log end, and whether it is in the ISR. Worlds that are alike in it are likely to go on
// alike. The zero value is no state.
type Coarse uint64

// relation is how a replica's log stands against the leader's.
type relation uint8

const (
	sameLog  relation = iota // equal, or there is no leader's to compare with
	behind                   // a beginning of it
	ahead                    // it is a beginning of this one
	diverged                 // neither
)

// The bits of a Coarse: one for being a state at all, the mirror state, the stop step, then the replicas.
const (
	coarseStateBits   = 4
	coarseStepBits    = 3
	coarseReplicaBits = 7
	coarseReplicas    = 8 // at most: of more, the ones with the highest codes are told apart
)

// Coarse is the coarse state of p on c; 0 if the partition is not registered there or is one of an internal topic.
func (l *Ledger) Coarse(c id.Cluster, p id.Partition) Coarse {
	pt := l.seek(p)
	if pt == nil || int(c) >= l.clusters || !pt.in[c].registered || l.topics[pt.topic].internal {
		return 0
	}
	cp := pt.in[c]
	x := uint64(1)<<coarseStateBits | uint64(cp.state)
	x = x<<coarseStepBits | uint64(cp.stopStep)
	var codes [id.MaxBrokers]uint64
	list := codes[:0]
	for n, s := range pt.replicas {
		if n < id.MaxBrokers && cp.replicas.Has(id.Node(n)) {
			list = append(list, l.coarseReplica(pt, cp, id.Node(n), s))
		}
	}
	slices.Sort(list) // who they are makes no difference
	for i := len(list) - 1; i >= max(0, len(list)-coarseReplicas); i-- {
		x = x<<coarseReplicaBits | list[i]
	}
	return Coarse(x)
}

// coarseReplica is one replica's part; s is nil where the broker has no log yet.
func (l *Ledger) coarseReplica(pt *part, cp *clusterPart, n id.Node, s *Shadow) uint64 {
	var leader *Shadow
	if int(cp.leader) < len(pt.replicas) {
		leader = pt.replicas[cp.leader]
	}
	if s == nil {
		return uint64(id.Bit(cp.isr.Has(n)))
	}
	x := uint64(s.role)
	x = x<<1 | uint64(id.Bit(s.role != NoRole && s.leaderEpoch == cp.leaderEpoch))
	x = x<<2 | uint64(s.against(leader))
	x = x<<1 | uint64(id.Bit(s.HighWatermark < s.End))
	return x<<1 | uint64(id.Bit(cp.isr.Has(n)))
}

// against is how s stands against the leader's log. Where compaction has removed something it is judged by what stood there
// before.
func (s *Shadow) against(leader *Shadow) relation {
	switch {
	case leader == nil || leader == s:
		return sameLog
	case !s.equal(leader, max(s.Start, leader.Start), min(s.End, leader.End), false):
		return diverged
	case s.End < leader.End:
		return behind
	case s.End > leader.End:
		return ahead
	}
	return sameLog
}

var (
	roleNames     = [...]string{"without a role", "leader", "follower"}
	relationNames = [...]string{"same", "behind", "ahead", "diverged"}
)

// String is the state in words: the mirror state, the step of the stop that was done last, then the replicas.
func (x Coarse) String() string {
	if x == 0 {
		return "no state"
	}
	var list []string
	for ; x>>(1+coarseStateBits+coarseStepBits) > 0; x >>= coarseReplicaBits {
		list = append(list, coarseWords(uint64(x)&(1<<coarseReplicaBits-1)))
	}
	text := record.State(x >> coarseStepBits & (1<<coarseStateBits - 1)).String()
	if step := x & (1<<coarseStepBits - 1); step > 0 {
		text += fmt.Sprintf(" after %s", protocol.Step(step-1))
	}
	return text + ": " + strings.Join(list, "; ")
}

// coarseWords is one replica in words.
func coarseWords(x uint64) string {
	text := roleNames[x>>5&3]
	if x>>4&1 == 0 && x>>5&3 != 0 {
		text += " of an old epoch"
	}
	if r := relation(x >> 2 & 3); r != sameLog {
		text += ", " + relationNames[r]
	}
	if x>>1&1 == 1 {
		text += ", HW below LEO"
	}
	if x&1 == 0 {
		text += ", out of the ISR"
	}
	return text
}
