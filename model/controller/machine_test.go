package controller_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// registrations is the specification that the property test holds the controller against: one partition and its brokers,
// in the words of section 4 of the design.
type registrations struct {
	unclean     bool
	leader      id.Node // id.None if nobody leads
	leaderEpoch int32
	epoch       int32 // the partition epoch
	isr         []id.Node
	live        map[id.Node]bool
	incarnation map[id.Node]uint32
}

var replicas = []id.Node{a, b, c}

// change is a new registration.
func (m *registrations) change(leader id.Node, isr []id.Node, newEpoch int32) {
	m.leader, m.isr, m.leaderEpoch = leader, isr, newEpoch
	m.epoch++
}

// elect picks the first live ISR member in assignment order; without one, and where the topic allows it, the first live
// replica, which becomes the whole ISR; else nobody.
func (m *registrations) elect(isr []id.Node) {
	for _, n := range replicas {
		if m.live[n] && slices.Contains(isr, n) {
			m.change(n, isr, m.leaderEpoch+1)
			return
		}
	}
	for _, n := range replicas {
		if m.live[n] && m.unclean {
			m.change(n, []id.Node{n}, m.leaderEpoch+1)
			return
		}
	}
	if m.leader != id.None {
		m.change(id.None, isr, m.leaderEpoch+1)
	}
}

// gone takes a broker out. The last ISR member stays in the ISR.
func (m *registrations) gone(n id.Node) {
	m.live[n] = false
	isr := without(m.isr, n)
	if len(isr) == 0 {
		isr = m.isr
	}
	switch {
	case m.leader == n:
		m.elect(isr)
	case len(isr) < len(m.isr):
		m.change(m.leader, isr, m.leaderEpoch)
	}
}

func (m *registrations) back(n id.Node) {
	m.live[n] = true
	if m.leader == id.None {
		m.elect(m.isr)
	}
}

// alter is an ISR change that a broker asks for.
func (m *registrations) alter(from id.Node, leaderEpoch, epoch int32, isr []id.Node) wire.Code {
	switch {
	case from != m.leader || leaderEpoch != m.leaderEpoch:
		return wire.FencedLeaderEpoch
	case epoch != m.epoch:
		return wire.InvalidUpdateVersion
	case !slices.Contains(isr, from) || slices.ContainsFunc(isr, func(n id.Node) bool { return !m.live[n] }):
		return wire.IneligibleReplica
	}
	m.change(m.leader, isr, m.leaderEpoch)
	return wire.OK
}

func (m *registrations) bump(from id.Node, minimum int32) wire.Code {
	if from != m.leader {
		return wire.NotLeaderOrFollower
	}
	if minimum > m.leaderEpoch {
		m.change(m.leader, m.isr, minimum)
	}
	return wire.OK
}

// move is an election by command to a named broker.
func (m *registrations) move(to id.Node, unclean bool) wire.Code {
	switch {
	case to == m.leader:
		return wire.ElectionNotNeeded
	case !m.live[to] || !unclean && !slices.Contains(m.isr, to):
		return wire.EligibleLeadersNotAvailable
	case unclean:
		m.change(to, []id.Node{to}, m.leaderEpoch+1)
	default:
		m.change(to, m.isr, m.leaderEpoch+1)
	}
	return wire.OK
}

func without(list []id.Node, n id.Node) []id.Node {
	return slices.DeleteFunc(slices.Clone(list), func(x id.Node) bool { return x == n })
}

// controllerMachine runs random requests against a controller and against the plain model of it.
type controllerMachine struct {
	t     *testing.T
	rig   *rig
	model *registrations
}

func newControllerMachine(t *testing.T, unclean bool) *controllerMachine {
	return &controllerMachine{t, active(t, plain(unclean, a, b)), &registrations{unclean: unclean, leader: a,
		isr:         []id.Node{a, b},
		live:        map[id.Node]bool{a: true, b: true, c: true},
		incarnation: map[id.Node]uint32{a: 1, b: 1, c: 1}}}
}

func broker(t *rapid.T) id.Node { return rapid.SampledFrom(replicas).Draw(t, "broker") }

func (m *controllerMachine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"session ends": func(t *rapid.T) {
			if n := broker(t); m.model.live[n] {
				m.rig.fence(m.t, n)
				m.model.gone(n)
			}
		},
		"heartbeat": func(t *rapid.T) {
			n := broker(t)
			caughtUp := rapid.Bool().Draw(t, "caught up")
			offset := int64(0)
			if caughtUp {
				offset = int64(len(m.rig.records()))
			}
			res := m.rig.heartbeat(n, m.model.incarnation[n], offset)
			if !m.model.live[n] && caughtUp {
				m.model.back(n)
			}
			if res == nil || res.Code != wire.OK || res.Fenced == m.model.live[n] {
				t.Fatalf("broker %d, live %v, is answered %+v", n, m.model.live[n], res)
			}
		},
		"restart": func(t *rapid.T) {
			n := broker(t)
			m.model.incarnation[n]++
			m.model.gone(n)
			if res := m.rig.heartbeat(n, m.model.incarnation[n], 0); res == nil || !res.Fenced {
				t.Fatalf("a new incarnation of broker %d is answered %+v", n, res)
			}
			if res := m.rig.heartbeat(n, m.model.incarnation[n]-1, 0); res == nil || res.Code != wire.StaleBrokerEpoch {
				t.Fatalf("the old incarnation of broker %d is answered %+v", n, res)
			}
		},
		"alter": m.alter,
		"bump": func(t *rapid.T) {
			from := broker(t)
			minimum := m.model.leaderEpoch + rapid.Int32Range(-1, 10).Draw(t, "above")
			want := m.model.bump(from, minimum)
			res := call[*wire.BumpLeaderEpochResponse](m.rig, from, x, &wire.BumpLeaderEpochRequest{Partition: tp, Minimum: minimum})
			answered(t, "BumpLeaderEpoch", res.Code, want)
			if want == wire.OK && res.LeaderEpoch != m.model.leaderEpoch {
				t.Fatalf("a bump to %d is answered with leader epoch %d, want %d", minimum, res.LeaderEpoch, m.model.leaderEpoch)
			}
		},
		"elect": func(t *rapid.T) {
			to, unclean := broker(t), rapid.Bool().Draw(t, "unclean")
			want := m.model.move(to, unclean)
			res := call[*wire.ElectLeadersResponse](m.rig, admin, x, &wire.ElectLeadersRequest{Partition: tp, Unclean: unclean,
				Target: to, Client: admin})
			answered(t, "ElectLeaders", res.Code, want)
		},
		"controller restarts": func(*rapid.T) {
			m.rig.boot(x)
			m.rig.run()
		},
		"": m.check,
	}
}

// alter asks for an ISR change, often as the leader and seldom with an epoch of the past.
func (m *controllerMachine) alter(t *rapid.T) {
	from := broker(t)
	if rapid.Bool().Draw(t, "by the leader") && m.model.leader != id.None {
		from = m.model.leader
	}
	leaderEpoch := m.model.leaderEpoch - rapid.Int32Range(0, 3).Draw(t, "leader epochs behind")/3
	epoch := m.model.epoch - rapid.Int32Range(0, 3).Draw(t, "partition epochs behind")/3
	isr := rapid.SliceOfNDistinct(rapid.SampledFrom(replicas), 1, 3, rapid.ID[id.Node]).Draw(t, "isr")
	want := m.model.alter(from, leaderEpoch, epoch, isr)
	res := call[*wire.AlterPartitionResponse](m.rig, from, x, &wire.AlterPartitionRequest{Partition: tp,
		LeaderEpoch: leaderEpoch, PartitionEpoch: epoch, ISR: id.SetOf(isr...)})
	answered(t, "AlterPartition", res.Code, want)
}

func answered(t *rapid.T, what string, got, want wire.Code) {
	if got != want {
		t.Fatalf("%s is answered %v, want %v", what, got, want)
	}
}

// check compares the newest registration in the metadata log with the model, and looks for what must be so of any.
func (m *controllerMachine) check(t *rapid.T) {
	p := m.rig.partition()
	want := &record.PartitionRecord{Partition: tp, Replicas: replicas, ISR: id.SetOf(m.model.isr...), Leader: m.model.leader,
		LeaderEpoch: m.model.leaderEpoch, PartitionEpoch: m.model.epoch, Cause: p.Cause}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Fatalf("registration (-want +got):\n%s", diff)
	}
	if p.ISR == 0 || p.Leader != id.None && !p.ISR.Has(p.Leader) {
		t.Fatalf("the leader %d is not in the ISR %b", p.Leader, p.ISR)
	}
}

// TestControllerAgainstPlainModel: elections, ISR changes, bumps and sessions, with controllers that restart between them.
func TestControllerAgainstPlainModel(t *testing.T) {
	for name, unclean := range map[string]bool{"clean": false, "unclean allowed": true} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) { r.Repeat(newControllerMachine(t, unclean).actions()) })
		})
	}
}
