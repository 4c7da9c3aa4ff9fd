package group

import (
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// Lower lowers the offsets of a partition that stand above a cut of its log, for the leader that has cut it (D31). Where
// members' offsets are lowered too, the member of an active group that may read the partition is put out of its generation: its
// position may stand above the cut, and would be committed again. It joins anew and goes on from the committed offset. The
// answer says that no such offset above the cut is left.
func (c *Coordinator) Lower(from id.Node, req *wire.LowerOffsetsRequest, r *replica.Replica, env *replica.Env) {
	to := reply{from, req}
	s, code := c.serving(req.Groups)
	if code != wire.OK {
		to.answer(code, env)
		return
	}
	var list []record.GroupRecord
	for i := range s.groups {
		list = s.groups[i].lowered(list, req, env)
	}
	switch {
	case len(list) > 0:
		s.store(list, to, r, env)
	case len(s.pending) > 0: // what was lowered for a request of which the answer is lost may not be stored yet
		s.pending = append(s.pending, write{end: s.pending[len(s.pending)-1].end, reply: to})
	default:
		to.answer(wire.OK, env)
	}
}

// lowered appends what lowers the group's offset of the request's partition. A member that does not read it yet may be about to
// be told the offset that stands above the cut.
func (g *group) lowered(list []record.GroupRecord, req *wire.LowerOffsetsRequest, env *replica.Env) []record.GroupRecord {
	newest := &g.of(req.Partition).newest
	x := newest.record
	if req.All && g.member != 0 && (newest.lives(env) || g.reads.may(req.Partition)) {
		list = append(list, g.membership(g.generation+1, g.member)...)
	}
	if !newest.lives(env) || x.Offset <= req.Offset || !req.All && x.Origin != record.CommitMirror {
		return list
	}
	return append(list, record.GroupRecord{Kind: record.OffsetCommit, Group: g.id, Partition: req.Partition, Generation: -1,
		Offset: req.Offset, Epoch: req.Epoch, Origin: record.CommitLower, Mirror: req.Mirror, CreatedAt: x.CreatedAt})
}

// Removed tells the coordinator that a topic is gone from its broker's image. find answers the replica of a partition of
// __consumer_offsets here.
func (c *Coordinator) Removed(find func(id.Partition) *replica.Replica, env *replica.Env) {
	for _, s := range c.shards {
		s.stale = true
		c.sweep(s, find(s.partition), env)
	}
}

// sweep stores a tombstone for every offset of a topic that was deleted, be it that another has its id now, as Kafka's
// coordinator does. It runs when the image loses a topic and when a new coordinator has loaded; while an append with acks=all is
// refused it is tried again.
func (c *Coordinator) sweep(s *shard, r *replica.Replica, env *replica.Env) {
	if !s.stale || !s.loaded {
		return
	}
	list := s.outlived(env)
	if s.stale = len(list) > 0; !s.stale {
		return
	}
	if r.Refusal(env) != wire.OK {
		env.Out.Arm(sweepTimer(s), env.Settings.RetryBackoffMax, 0)
		return
	}
	s.stale = false
	s.store(list, noReply, r, env)
}

func sweepTimer(s *shard) node.Timer { return node.Timer{Kind: TimerSweep, Partition: s.partition} }

// SweepAgain tries to remove what could not be removed from the partition of __consumer_offsets that r is.
func (c *Coordinator) SweepAgain(r *replica.Replica, env *replica.Env) {
	if s := c.shard(r.ID()); s != nil {
		c.sweep(s, r, env)
	}
}

// outlived are the tombstones of the offsets whose topic is gone.
func (s *shard) outlived(env *replica.Env) []record.GroupRecord {
	var list []record.GroupRecord
	for i := range s.groups {
		g := &s.groups[i]
		for k := range g.offsets {
			if o := &g.offsets[k]; o.newest.exists() && !o.newest.lives(env) {
				list = append(list, record.GroupRecord{Kind: record.OffsetCommit, Group: g.id, Partition: o.partition, Tombstone: true,
					Generation: -1, Offset: -1, Epoch: -1})
			}
		}
	}
	return list
}
