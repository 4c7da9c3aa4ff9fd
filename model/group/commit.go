package group

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// Commit stores an offset: a member's in its generation, which is a heartbeat too, or a foreign one, which is refused while
// the group is active (Kafka's validateOffsetCommit). A mirror's that says what is stored already is not stored again, so that
// an idle pass writes nothing (section 9 of the design); one that expects another commit than the newest is refused (D32). What
// is of another topic that had the id before is refused; a member that has a position of that joins again.
func (c *Coordinator) Commit(from id.Node, req *wire.OffsetCommitRequest, r *replica.Replica, env *replica.Env) {
	to := reply{from, req}
	s, code := c.route(req.Group, env)
	if code != wire.OK {
		to.answer(code, env)
		return
	}
	g := s.find(req.Group)
	newest := &g.of(req.Partition).newest
	foreign := req.Origin != record.CommitMember
	t := env.Image.Topic(req.Partition.Topic)
	switch {
	case env.Image.Partition(req.Partition) == nil, req.CreatedAt != 0 && req.CreatedAt != t.CreatedAt:
		code = wire.UnknownTopicOrPartition
	case foreign && g.member != 0:
		code = wire.UnknownMemberId
	case !foreign:
		if code = g.admits(req.Member, req.Generation); code == wire.OK && g.reads.another(req.Partition, t.CreatedAt) {
			code = wire.IllegalGeneration
		}
	case req.Expected != wire.AnyVersion && req.Expected != newest.version:
		code = wire.InvalidUpdateVersion
	case req.Origin == record.CommitMirror && newest.lives(env) && newest.record.Offset == req.Offset && newest.record.Epoch == req.Epoch:
		to.answer(wire.OK, env)
		return
	}
	if code != wire.OK {
		to.answer(code, env)
		return
	}
	if !foreign {
		env.Out.Arm(sessionTimer(s, g), env.Settings.GroupSession, 0)
	}
	s.store([]record.GroupRecord{{Kind: record.OffsetCommit, Group: req.Group, Partition: req.Partition, Generation: req.Generation,
		Offset: req.Offset, Epoch: req.Epoch, Origin: req.Origin, Mirror: req.Mirror,
		CreatedAt: t.CreatedAt}}, to, r, env)
}

// Fetch answers what a group has committed of a partition, below the high watermark. Its member reads the partition from there on.
func (c *Coordinator) Fetch(from id.Node, req *wire.OffsetFetchRequest, env *replica.Env) {
	res := &wire.OffsetFetchResponse{Group: req.Group, Partition: req.Partition, Offset: -1, Epoch: -1, Correlation: req.Correlation}
	s, code := c.route(req.Group, env)
	if res.Code = code; code == wire.OK {
		g := s.find(req.Group)
		g.reading(req.Member, req.Partition, env)
		stored := &g.of(req.Partition).stored
		res.Version = stored.version
		if stored.lives(env) {
			res.Offset, res.Epoch = stored.record.Offset, stored.record.Epoch
		}
	}
	env.Out.Send(from, res)
}
