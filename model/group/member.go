package group

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// Join makes who asks the group's member, in the next generation. One whose member id is not the group's is new, and gets
// the generation as its id, which no other member has had; whoever was the member before finds out by its next request.
func (c *Coordinator) Join(from id.Node, req *wire.JoinGroupRequest, r *replica.Replica, env *replica.Env) {
	s, code := c.route(req.Group, env)
	if code != wire.OK {
		reply{from, req}.answer(code, env)
		return
	}
	g := s.find(req.Group)
	to := &joined{req, g.member, g.generation + 1}
	if req.Member == 0 || req.Member != g.member {
		to.member = uint32(to.generation)
	}
	if s.store(g.membership(to.generation, to.member), reply{from, to}, r, env) {
		g.reads = reads{known: true}
		env.Out.Arm(sessionTimer(s, g), env.Settings.GroupSession, 0)
	}
}

// membership is the record of the group's generation and member.
func (g *group) membership(generation int32, member uint32) []record.GroupRecord {
	return []record.GroupRecord{{Kind: record.GroupMetadata, Group: g.id, Generation: generation, Member: member}}
}

// admits tells whether a request of a member in a generation is of the present ones.
func (g *group) admits(member uint32, generation int32) wire.Code {
	switch {
	case member == 0 || member != g.member:
		return wire.UnknownMemberId
	case generation != g.generation:
		return wire.IllegalGeneration
	}
	return wire.OK
}

// Heartbeat keeps the member in its group.
func (c *Coordinator) Heartbeat(from id.Node, req *wire.HeartbeatRequest, env *replica.Env) {
	s, code := c.route(req.Group, env)
	if code == wire.OK {
		g := s.find(req.Group)
		if code = g.admits(req.Member, req.Generation); code == wire.OK {
			env.Out.Arm(sessionTimer(s, g), env.Settings.GroupSession, 0)
		}
	}
	reply{from, req}.answer(code, env)
}

// Leave takes the member out of its group, which is empty then, in the same generation.
func (c *Coordinator) Leave(from id.Node, req *wire.LeaveGroupRequest, r *replica.Replica, env *replica.Env) {
	to := reply{from, req}
	s, code := c.route(req.Group, env)
	if code == wire.OK {
		g := s.find(req.Group)
		if code = g.admits(req.Member, g.generation); code == wire.OK {
			if s.store(g.membership(g.generation, 0), to, r, env) {
				env.Out.Cancel(sessionTimer(s, g))
			}
			return
		}
	}
	to.answer(code, env)
}

// Expired takes a member out of its group that has sent no heartbeat for session.timeout.ms.
func (c *Coordinator) Expired(client id.Node, r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || !s.loaded {
		return
	}
	for i := range s.groups {
		g := &s.groups[i]
		if g.id.Client == client && g.member != 0 && !s.store(g.membership(g.generation, 0), noReply, r, env) {
			env.Out.Arm(sessionTimer(s, g), env.Settings.RetryBackoffMax, 0)
		}
	}
}
