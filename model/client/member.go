package client

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// member is a group's membership on one cluster. It has one request to the coordinator under way at a time.
type member struct {
	cluster    id.Cluster
	partitions []id.Partition // that it reads, in the order of the commands
	joined     bool
	id         uint32 // that the coordinator gave, 0 before
	generation int32
	beat       bool           // a heartbeat is due
	todo       []id.Partition // whose positions are to be committed, in order
	ops        []groupOp      // commands, in order; the first one is under way

	coordinator id.Node // None: not known
	asking      uint32  // the correlation of the request under way, 0 if there is none
	waiting     bool    // back-off before the next request
	tries       uint8
	turn        uint8
}

// groupOp is a command to commit, or to leave.
type groupOp struct {
	op    uint32
	leave bool
	begun bool      // its positions are in todo, or were
	code  wire.Code // the first failure of them
}

// advance sends the next request that the membership needs, unless one is under way. Commands without anything left to ask
// for have come to their end.
func (g *groupConsumer) advance(m *member, out *node.Effects) {
	if m.asking != 0 || m.waiting {
		return
	}
	for len(m.ops) > 0 {
		if !m.joined && (m.ops[0].leave || len(m.partitions) == 0) {
			g.ended(m, out) // nobody is to leave, or nothing is read
			continue
		}
		if m.joined && !m.ops[0].begun {
			g.begin(m, out)
		}
		if !m.joined || len(m.todo) > 0 || m.ops[0].leave {
			break
		}
		g.ended(m, out)
	}
	body := g.next(m)
	if body == nil {
		return
	}
	to := m.coordinator
	if to == id.None {
		body, to = &wire.FindCoordinatorRequest{Group: g.group(), Correlation: g.correlation + 1}, g.bootstrap(m.cluster, &m.turn)
	}
	m.asking = g.nextCorrelation()
	out.Send(to, body)
	out.Arm(m.timer(groupTimer), g.settings.RequestTimeout, 0)
}

// begin has the positions committed for the first command. One that leaves reads nothing more.
func (g *groupConsumer) begin(m *member, out *node.Effects) {
	m.ops[0].begun = true
	m.todo = g.unsaved(m)
	if m.ops[0].leave {
		for _, p := range m.partitions {
			g.reader(m.cluster, p).stop(out)
		}
	}
}

// unsaved are the partitions whose position is known and is not the one that was committed last.
func (g *groupConsumer) unsaved(m *member) (list []id.Partition) {
	for _, p := range m.partitions {
		if r := g.reader(m.cluster, p); r.phase == fetching && (r.position != r.saved || r.epoch != r.savedEpoch) {
			list = append(list, p)
		}
	}
	return list
}

// next is what the coordinator is to be asked next, nil if nothing; it carries the next correlation.
func (g *groupConsumer) next(m *member) wire.Body {
	n := g.correlation + 1
	switch {
	case len(m.partitions) == 0:
		return nil
	case !m.joined:
		return &wire.JoinGroupRequest{Group: g.group(), Member: m.id, Correlation: n}
	case len(m.todo) > 0:
		r := g.reader(m.cluster, m.todo[0])
		r.asked, r.askedEpoch = r.position, r.epoch
		return &wire.OffsetCommitRequest{Group: g.group(), Member: m.id, Generation: m.generation, Partition: m.todo[0],
			Offset: r.position, Epoch: r.epoch, Expected: wire.AnyVersion, Correlation: n}
	case len(m.ops) > 0 && m.ops[0].leave:
		return &wire.LeaveGroupRequest{Group: g.group(), Member: m.id, Correlation: n}
	}
	for _, p := range m.partitions {
		if g.reader(m.cluster, p).phase == resuming {
			return &wire.OffsetFetchRequest{Group: g.group(), Member: m.id, Partition: p, Correlation: n}
		}
	}
	if m.beat {
		return &wire.HeartbeatRequest{Group: g.group(), Member: m.id, Generation: m.generation, Correlation: n}
	}
	return nil
}

// ended returns the first command. With a leave the membership is over.
func (g *groupConsumer) ended(m *member, out *node.Effects) {
	o := m.ops[0]
	m.ops = slices.Delete(m.ops, 0, 1)
	if out.Cancel(m.timer(groupDeadlineTimer)); len(m.ops) > 0 {
		g.armDeadline(m, out)
	}
	e := out.Emit(event.GroupReturned, id.Partition{})
	e.Op, e.From, e.To, e.Cause = o.op, uint8(m.cluster), uint8(o.code), uint8(flags(o.leave))
	if !o.leave {
		return
	}
	for _, p := range m.partitions {
		r := g.reader(m.cluster, p)
		r.stop(out)
		r.metadata.stop(out)
	}
	m.partitions, m.todo, m.joined, m.id = m.partitions[:0], m.todo[:0], false, 0
	out.Cancel(m.timer(heartbeatTimer))
	out.Cancel(m.timer(commitTimer))
}

// giveUp returns the commands with an unknown outcome, at the end of a run, and asks nothing more.
func (g *groupConsumer) giveUp(m *member, out *node.Effects) {
	for _, k := range []timerKind{groupTimer, groupRetryTimer, heartbeatTimer, commitTimer} {
		out.Cancel(m.timer(k))
	}
	m.asking, m.waiting, m.joined, m.partitions = 0, false, false, nil
	for len(m.ops) > 0 {
		m.ops[0].code = wire.RequestTimedOut
		g.ended(m, out)
	}
}

// firedMember handles a timer of a membership.
func (g *groupConsumer) firedMember(m *member, k timerKind, out *node.Effects) {
	switch k {
	case groupTimer:
		m.asking = 0
		g.coordinatorFailed(m, nil, wire.RequestTimedOut, out)
	case groupRetryTimer:
		m.waiting = false
	case heartbeatTimer:
		m.beat = true
		out.Arm(m.timer(heartbeatTimer), g.settings.GroupSession/heartbeats, 0)
	case groupDeadlineTimer:
		m.ops[0].code, m.todo = wire.RequestTimedOut, nil
		if m.asking != 0 {
			m.asking, m.coordinator = 0, id.None
			out.Cancel(m.timer(groupTimer))
		}
		g.ended(m, out)
	case commitTimer:
		if m.joined && len(m.ops) == 0 && len(m.todo) == 0 {
			m.todo = g.unsaved(m)
		}
		out.Arm(m.timer(commitTimer), g.settings.GroupCommit, 0)
	}
	g.advance(m, out)
}

// heartbeats is how many fall into a session: heartbeat.interval.ms is 3 s where session.timeout.ms is 45 s.
const heartbeats = 15

func (m *member) timer(k timerKind) node.Timer { return timer(k, m.cluster, id.Partition{}, 0) }

func (m *member) appendState(dst []byte) []byte {
	dst = word(dst, uint64(m.cluster)<<48|uint64(m.coordinator)<<40|uint64(m.tries)<<32|uint64(m.turn)<<24|
		flags(m.joined, m.beat, m.asking != 0, m.waiting))
	dst = word(dst, uint64(m.id)<<32|uint64(uint32(m.generation)))
	dst = word(dst, uint64(len(m.partitions))<<32|uint64(len(m.todo))<<16|uint64(len(m.ops)))
	for _, p := range m.partitions {
		dst = word(dst, uint64(p.Word()))
	}
	for _, p := range m.todo {
		dst = word(dst, uint64(p.Word()))
	}
	for _, o := range m.ops {
		dst = word(dst, uint64(o.code)<<8|flags(o.leave, o.begun))
	}
	return dst
}

func (m *member) waitsFor() string {
	switch {
	case m.asking != 0 && m.coordinator == id.None:
		return "a coordinator to be known"
	case m.asking != 0:
		return "the answer of " + describeNode(m.coordinator)
	case m.waiting:
		return "its back-off"
	}
	return ""
}
