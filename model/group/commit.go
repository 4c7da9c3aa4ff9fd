package group

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// Commit stores an offset: a member's in its generation, which is a heartbeat too, or a foreign one, which is refused while
// the group is active (Kafka's validateOffsetCommit). A mirror's that says what is stored already is not stored again, so that
// an idle pass writes nothing (section 9 of the design); one that expects another commit than the newest is refused (D32).
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
	switch {
	case env.Image.Partition(req.Partition) == nil:
		code = wire.UnknownTopicOrPartition
	case foreign && g.member != 0:
		code = wire.UnknownMemberId
	case !foreign:
		code = g.admits(req.Member, req.Generation)
	case req.Expected != wire.AnyVersion && req.Expected != newest.version:
		code = wire.InvalidUpdateVersion
	case req.Origin == record.CommitMirror && newest.exists() && newest.record.Offset == req.Offset && newest.record.Epoch == req.Epoch:
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
		Offset: req.Offset, Epoch: req.Epoch, Origin: req.Origin, Mirror: req.Mirror}}, to, r, env)
}

// Fetch answers what a group has committed of a partition, below the high watermark.
func (c *Coordinator) Fetch(from id.Node, req *wire.OffsetFetchRequest, env *replica.Env) {
	res := &wire.OffsetFetchResponse{Group: req.Group, Partition: req.Partition, Offset: -1, Epoch: -1, Correlation: req.Correlation}
	s, code := c.route(req.Group, env)
	if res.Code = code; code == wire.OK {
		stored := &s.find(req.Group).of(req.Partition).stored
		res.Version = stored.version
		if stored.exists() {
			res.Offset, res.Epoch = stored.record.Offset, stored.record.Epoch
		}
	}
	env.Out.Send(from, res)
}
