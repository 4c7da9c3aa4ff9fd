package client

import (
	"slices"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// GroupSpec is how the only member of a group is configured: a consumer that commits its positions.
type GroupSpec struct {
	ConsumerSpec
	Name string // group.id
}

// groupConsumer is a consumer in a group of its own. It may be in the group of that id on several clusters: they do not
// know of each other. Its partitions are those that commands have named.
type groupConsumer struct {
	consumer
	name    string
	members []*member // by cluster
}

// NewGroup boots the member of a group. It takes *wire.ConsumeCommand, *wire.GroupCommand and *wire.ReportCommand.
func NewGroup(spec GroupSpec) node.Boot {
	return func(self id.Node, _ *disk.Disk, _ *node.Effects) node.Node {
		return &groupConsumer{consumer: consumer{base: newBase(self, spec.Clusters, spec.Settings)}, name: spec.Name}
	}
}

// Step handles a command, an answer or a timer.
func (g *groupConsumer) Step(in node.Input, out *node.Effects) {
	switch body := in.Body.(type) {
	case *wire.ConsumeCommand:
		g.assign(body, out)
	case *wire.GroupCommand:
		g.command(body, out)
	case *wire.ReportCommand:
		g.consumer.Step(in, out)
		for _, m := range g.members {
			g.giveUp(m, out)
		}
	case nil:
		if k, c := splitKind(in.Timer); k >= groupTimer {
			g.firedMember(g.member(c), k, out)
			return
		}
		g.consumer.Step(in, out)
	default:
		if !g.coordinatorAnswered(body, out) {
			g.consumer.Step(in, out)
		}
	}
}

// assign adds a partition to those of the member; the group is joined for the first one. It is read from the committed
// offset on, also where it was being read already.
func (g *groupConsumer) assign(cmd *wire.ConsumeCommand, out *node.Effects) {
	r := g.reader(cmd.Cluster, cmd.Partition)
	r.stop(out)
	*r = reader{metadata: r.metadata, committed: cmd.ReadCommitted, reset: cmd.Reset, phase: resuming, peer: id.None, epoch: -1}
	out.Emit(event.ConsumerAssigned, cmd.Partition).From = uint8(cmd.Cluster)
	m := g.member(cmd.Cluster)
	if !slices.Contains(m.partitions, cmd.Partition) {
		m.partitions = append(m.partitions, cmd.Partition)
	}
	g.advance(m, out)
}

// command begins to commit the member's positions on a cluster, and to leave the group where that is asked for. What it
// reads there ends with the leave.
func (g *groupConsumer) command(cmd *wire.GroupCommand, out *node.Effects) {
	m := g.member(cmd.Cluster)
	o := groupOp{op: g.nextOp(), leave: cmd.Leave}
	e := out.Emit(event.GroupCalled, id.Partition{})
	e.Op, e.From, e.To = o.op, uint8(m.cluster), uint8(flags(o.leave))
	m.ops = append(m.ops, o)
	if len(m.ops) == 1 {
		g.armDeadline(m, out)
	}
	g.advance(m, out)
}

// armDeadline bounds the first command: a commit takes at most default.api.timeout.ms, 60 s where request.timeout.ms is 30 s,
// and a leave, which is a close(), 30 s, behind which the member is gone for itself and its session runs out.
func (g *groupConsumer) armDeadline(m *member, out *node.Effects) {
	limit := g.settings.RequestTimeout
	if !m.ops[0].leave {
		limit *= 2
	}
	out.Arm(m.timer(groupDeadlineTimer), limit, 0)
}

// member is the membership on a cluster, made when there is none.
func (g *groupConsumer) member(c id.Cluster) *member {
	i, found := slices.BinarySearchFunc(g.members, c, func(m *member, c id.Cluster) int { return int(m.cluster) - int(c) })
	if !found {
		g.members = slices.Insert(g.members, i, &member{cluster: c, coordinator: id.None})
	}
	return g.members[i]
}

// resume goes on from the committed offset. Without one the reset policy says where reading starts. Its epoch is the last
// that the consumer has seen, and goes into the next fetch, by which the leader finds a truncation (KIP-320).
func (g *groupConsumer) resume(r *reader, res *wire.OffsetFetchResponse, out *node.Effects) {
	e := out.Emit(event.OffsetFetched, r.metadata.partition)
	e.From, e.Offset, e.BatchEpoch = uint8(r.metadata.cluster), res.Offset, res.Epoch
	switch {
	case res.Offset >= 0:
		r.position, r.epoch, r.phase = res.Offset, res.Epoch, fetching
		r.saved, r.savedEpoch = res.Offset, res.Epoch
		r.metadata.seen(res.Epoch)
		r.moved(wire.OK, out)
	case r.reset == wire.NoReset: // Kafka's NoOffsetForPartitionException
		r.phase = stopped
		r.moved(wire.OffsetOutOfRange, out)
	default:
		r.saved, r.phase, r.latest = -1, locating, r.reset == wire.ResetLatest
	}
	g.ask(r, out)
}

// halt ends what is under way for the member's partitions; they go on from the committed offsets once it has joined again.
func (g *groupConsumer) halt(m *member, out *node.Effects) {
	for _, p := range m.partitions {
		if r := g.reader(m.cluster, p); r.phase != stopped {
			r.stop(out)
			r.phase = resuming
		}
	}
}

func (g *groupConsumer) group() record.Group { return record.Group{Client: g.self, Name: g.name} }

// Clone is a deep copy. A client keeps nothing on its disk.
func (g *groupConsumer) Clone(*disk.Disk) node.Node {
	d := *g
	d.readers = slices.Clone(g.readers)
	d.members = make([]*member, len(g.members))
	for i, m := range g.members {
		c := *m
		c.partitions, c.todo, c.ops = slices.Clone(m.partitions), slices.Clone(m.todo), slices.Clone(m.ops)
		d.members[i] = &c
	}
	return &d
}

// AppendState appends all that the member's future depends on, without correlations.
func (g *groupConsumer) AppendState(dst []byte) []byte {
	dst = g.consumer.AppendState(dst)
	for _, m := range g.members {
		dst = m.appendState(dst)
	}
	return dst
}

// Waits says what the partitions and the memberships wait for.
func (g *groupConsumer) Waits(yield func(what string) bool) {
	more := true
	g.consumer.Waits(func(what string) bool {
		more = yield(what)
		return more
	})
	for _, m := range g.members {
		what := m.waitsFor()
		if more && what != "" {
			more = yield("the group waits for " + what)
		}
	}
}
