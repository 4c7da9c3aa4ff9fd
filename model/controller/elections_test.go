package controller_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// An election takes the first live ISR member in assignment order; every change of the leader raises the leader epoch by
// one, an ISR change does not.
func TestElections(t *testing.T) {
	for _, test := range []struct {
		name    string
		unclean bool
		isr     []id.Node // the first one leads
		act     func(t *testing.T, r *rig)
		want    string
	}{
		{"the leader dies", false, []id.Node{a, b, c}, func(t *testing.T, r *rig) { r.fence(t, a) }, "b@1 [bc] 1 clean"},
		{"assignment order, not the leader's neighbour", false, []id.Node{b, a, c}, func(t *testing.T,
			r *rig) {
			r.fence(t, b)
		}, "a@1 [ac] 1 clean"},
		{"a follower dies", false, []id.Node{a, b, c}, func(t *testing.T, r *rig) { r.fence(t, b) }, "a@0 [ac] 1 isr"},
		{"a replica outside the ISR dies", false, []id.Node{a, c}, func(t *testing.T, r *rig) { r.fence(t, b) },
			"a@0 [ac] 0 created"},
		{"one outside the ISR is not electable", false, []id.Node{a}, func(t *testing.T, r *rig) { r.fence(t, a) },
			"-@1 [a] 1 none"},
		{"the last ISR member stays", false, []id.Node{a, b}, func(t *testing.T, r *rig) {
			r.fence(t, a)
			r.fence(t,
				b)
		}, "-@2 [b] 2 none"},
		{"it leads again when it is back", false, []id.Node{a, b}, func(t *testing.T, r *rig) {
			r.fence(t, a)
			r.fence(t, b)
			r.unfence(t, a) // not in the ISR: nothing changes
			r.unfence(t, b)
		}, "b@3 [b] 3 clean"},
		{"unclean, as the topic says", true, []id.Node{b}, func(t *testing.T, r *rig) { r.fence(t, b) }, "a@1 [a] 1 unclean"},
		{"clean comes first", true, []id.Node{b, c}, func(t *testing.T, r *rig) { r.fence(t, b) }, "c@1 [c] 1 clean"},
		{"unclean, by the first that is back", true, []id.Node{a}, func(t *testing.T, r *rig) {
			r.fence(t, b)
			r.fence(t, c)
			r.fence(t, a)
			r.unfence(t, c)
		}, "c@2 [c] 2 unclean"},
		{"a fenced broker is not electable", false, []id.Node{a, b, c}, func(t *testing.T, r *rig) {
			r.fence(t,
				b)
			r.fence(t, a)
		}, "c@1 [c] 2 clean"},
		{"who is fenced already is not fenced again", false, []id.Node{a, b, c}, func(t *testing.T, r *rig) {
			r.timers[x][sessionOf(b)] = 1
			r.fence(t, b)
			r.timers[x][sessionOf(b)] = 1
			r.fence(t, b)
		}, "a@0 [ac] 1 isr"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, plain(test.unclean, test.isr...))
			test.act(t, r)
			equal(t, "registration", r.registration(), test.want)
		})
	}
}

// A broker registers each start of it. The start before is taken out, whatever its session says, and the new one is
// unfenced once it has replayed its own registration.
func TestBrokerHeartbeat(t *testing.T) {
	r := active(t, plain(false, a, b))
	end := int64(len(r.records()))
	equal(t, "session", r.timers[x][sessionOf(a)], r.settings.BrokerSession)
	delete(r.timers[x], sessionOf(a))
	equal(t, "a heartbeat", *r.heartbeat(a, 1, end), wire.BrokerHeartbeatResponse{Correlation: 1})
	equal(t, "session after it", r.timers[x][sessionOf(a)], r.settings.BrokerSession)
	equal(t, "a new start", *r.heartbeat(a, 2, 0), wire.BrokerHeartbeatResponse{Fenced: true, Correlation: 2})
	equal(t, "registration", r.registration(), "b@1 [b] 1 clean")
	equal(t, "a late heartbeat of the start before", r.heartbeat(a, 1, end).Code, wire.StaleBrokerEpoch)
	equal(t, "not caught up: fenced", r.heartbeat(a, 2, end).Fenced, true)
	equal(t, "caught up", r.heartbeat(a, 2, end+1).Fenced, false)
	records := len(r.records())
	equal(t, "unfenced already", r.heartbeat(a, 2, end+1).Fenced, false)
	equal(t, "records of a heartbeat that changes nothing", len(r.records()), records)
	equal(t, "a broker that was never seen", r.heartbeat(7, 1, 0).Fenced, true)
	r.fence(t, b)
	equal(t, "registration when b is gone", r.registration(), "-@2 [b] 2 none")
	equal(t, "b restarts: fenced", r.heartbeat(b, 2, 0).Fenced, true)
	equal(t, "registration as before", r.registration(), "-@2 [b] 2 none")
	equal(t, "b has caught up", r.heartbeat(b, 2, int64(len(r.records()))).Fenced, false)
	equal(t, "registration", r.registration(), "b@3 [b] 3 clean")
}

// A replica of which its broker says that its log directory has failed leaves the ISR, is not elected and cannot join, until
// its broker starts anew without saying so (KIP-858).
func TestOfflineReplicas(t *testing.T) {
	offline := func(r *rig, n id.Node, incarnation uint32, list ...id.Partition) {
		r.sequence++
		call[*wire.BrokerHeartbeatResponse](r, n, x, &wire.BrokerHeartbeatRequest{Incarnation: incarnation, Offline: list,
			MetadataOffset: int64(len(r.records())), Correlation: r.sequence})
	}
	r := active(t, plain(false, a, b, c))
	offline(r, b, 1, tp)
	equal(t, "a follower", r.registration(), "a@0 [ac] 1 isr")
	records := len(r.records())
	offline(r, b, 1, tp)
	equal(t, "records of a repeat", len(r.records()), records)
	equal(t, "it joins", call[*wire.AlterPartitionResponse](r, a, x, alter(0, 1, a, b, c)).Code, wire.IneligibleReplica)
	equal(t, "it is to lead", call[*wire.ElectLeadersResponse](r, a, x, &wire.ElectLeadersRequest{Partition: tp, Target: b, Client: id.None}).Code,
		wire.EligibleLeadersNotAvailable)
	offline(r, a, 1, tp)
	equal(t, "the leader", r.registration(), "c@1 [c] 2 clean")
	offline(r, c, 1, tp, id.Partition{Topic: 77})
	equal(t, "the last ISR member stays", r.registration(), "-@2 [c] 3 none")
	offline(r, c, 2, tp)
	offline(r, c, 2)
	equal(t, "it starts with the same disk", r.registration(), "-@2 [c] 3 none")
	offline(r, c, 3)
	equal(t, "another disk, fenced", r.registration(), "-@2 [c] 4 isr")
	offline(r, c, 3)
	equal(t, "unfenced", r.registration(), "c@3 [c] 5 clean")
	equal(t, "offline", r.partition().Offline, id.SetOf(a, b))
}

func sessionOf(n id.Node) node.Timer { return node.Timer{Kind: sessionTimer, Peer: n} }

// A new active controller gives every broker a full session before it fences it.
func TestSessionsOfANewController(t *testing.T) {
	r := active(t, plain(false, a, b, c))
	r.fence(t, c)
	r.fire(t, log, sessionTimer, x)
	r.boot(y)
	r.run()
	for n, want := range map[id.Node]id.Duration{a: r.settings.BrokerSession, b: r.settings.BrokerSession, c: 0} {
		equal(t, "session", r.timers[y][sessionOf(n)], want)
	}
	r.fire(t, y, sessionTimer, a)
	equal(t, "registration", r.registration(), "b@1 [b] 2 clean")
}

// A leadership is moved by command: clean to the next live ISR member in assignment order, unclean to the first live
// replica that is not the leader, which then is the whole ISR.
func TestElectLeaders(t *testing.T) {
	for _, test := range []struct {
		name    string
		isr     []id.Node
		fenced  []id.Node
		unclean bool
		target  id.Node
		code    wire.Code
		want    string
	}{
		{"clean, the next", []id.Node{a, b, c}, nil, false, id.None, wire.OK, "b@1 [abc] 1 clean"},
		{"clean, the next but one", []id.Node{a, c}, nil, false, id.None, wire.OK, "c@1 [ac] 1 clean"},
		{"clean, round the end", []id.Node{c, a}, nil, false, id.None, wire.OK, "a@1 [ac] 1 clean"},
		{"clean, a named one", []id.Node{a, b, c}, nil, false, c, wire.OK, "c@1 [abc] 1 clean"},
		{"clean, named outside the ISR", []id.Node{a, b}, nil, false, c, wire.EligibleLeadersNotAvailable,
			"a@0 [ab] 0 created"},
		{"clean, nobody else", []id.Node{a}, nil, false, id.None, wire.EligibleLeadersNotAvailable, "a@0 [a] 0 created"},
		{"clean, the leader itself", []id.Node{a, b}, nil, false, a, wire.ElectionNotNeeded, "a@0 [ab] 0 created"},
		{"unclean, the first that is not the leader", []id.Node{b, c}, nil, true, id.None, wire.OK, "a@1 [a] 1 unclean"},
		{"unclean, the first is the leader", []id.Node{a}, nil, true, id.None, wire.OK, "b@1 [b] 1 unclean"},
		{"unclean, a fenced one is passed over", []id.Node{a}, []id.Node{b}, true, id.None, wire.OK, "c@1 [c] 1 unclean"},
		{"unclean, a named one", []id.Node{a}, nil, true, c, wire.OK, "c@1 [c] 1 unclean"},
		{"unclean, named and fenced", []id.Node{a}, []id.Node{c}, true, c, wire.EligibleLeadersNotAvailable,
			"a@0 [a] 0 created"},
		{"unclean, nobody leads", []id.Node{b}, []id.Node{b}, true, id.None, wire.OK, "a@2 [a] 2 unclean"},
		{"clean, nobody leads", []id.Node{b}, []id.Node{b}, false, id.None, wire.EligibleLeadersNotAvailable,
			"-@1 [b] 1 none"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, plain(false, test.isr...))
			for _, n := range test.fenced {
				r.fence(t, n)
			}
			res := call[*wire.ElectLeadersResponse](r, a, x, &wire.ElectLeadersRequest{Partition: tp,
				Unclean: test.unclean, Target: test.target,
				Client: admin, Correlation: 5})
			equal(t, "registration", r.registration(), test.want)
			p := r.partition()
			equal(t, "answer", *res, wire.ElectLeadersResponse{Partition: tp, Code: test.code, Leader: p.Leader,
				LeaderEpoch: p.LeaderEpoch, Client: admin, Correlation: 5})
		})
	}
	t.Run("clean, the next and the next after that", func(t *testing.T) {
		r := active(t, plain(false, a, b, c))
		for i, want := range []string{"b@1 [abc] 1 clean", "c@2 [abc] 2 clean", "a@3 [abc] 3 clean"} {
			call[*wire.ElectLeadersResponse](r, a, x, &wire.ElectLeadersRequest{Partition: tp, Target: id.None, Client: admin,
				Correlation: uint32(i + 5)})
			equal(t, "registration", r.registration(), want)
		}
	})
	t.Run("an unknown partition", func(t *testing.T) {
		r := active(t, plain(false, a))
		other := id.Partition{Topic: topic, Index: 7}
		res := call[*wire.ElectLeadersResponse](r, a, x, &wire.ElectLeadersRequest{Partition: other, Target: id.None,
			Client: admin})
		equal(t, "answer", *res, wire.ElectLeadersResponse{Partition: other, Code: wire.UnknownTopicOrPartition,
			Leader: id.None, Client: admin})
	})
}
