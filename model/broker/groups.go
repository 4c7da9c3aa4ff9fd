package broker

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

func (b *Broker) isGroups(p id.Partition) bool {
	return b.image.GroupTopic != nil && b.image.GroupTopic.Topic == p.Topic
}

// groupsOf is the replica here of the partition of __consumer_offsets that group g is placed on, nil if there is none.
func (b *Broker) groupsOf(g record.Group) *replica.Replica {
	if at, ok := b.image.GroupsOf(g); ok {
		return b.find(at)
	}
	return nil
}

// receiveGroup passes on what concerns groups; false if the message does not.
func (b *Broker) receiveGroup(from id.Node, body wire.Body, env *replica.Env) bool {
	switch m := body.(type) {
	case *wire.JoinGroupRequest:
		if b.group.Fresh(from, m.Correlation) {
			r := b.groupsOf(m.Group)
			b.group.Join(from, m, r, env)
			b.after(r, env)
		}
	case *wire.HeartbeatRequest:
		if b.group.Fresh(from, m.Correlation) {
			b.group.Heartbeat(from, m, env)
		}
	case *wire.LeaveGroupRequest:
		if b.group.Fresh(from, m.Correlation) {
			r := b.groupsOf(m.Group)
			b.group.Leave(from, m, r, env)
			b.after(r, env)
		}
	case *wire.OffsetCommitRequest:
		b.commitOffset(from, m, env)
	case *wire.OffsetFetchRequest:
		b.group.Fetch(from, m, env)
	case *wire.ListGroupsRequest:
		env.Out.Send(from, &wire.ListGroupsResponse{Groups: b.group.List(), Correlation: m.Correlation})
	case *wire.LowerOffsetsRequest:
		r := b.find(m.Groups)
		b.group.Lower(from, m, r, env)
		b.after(r, env)
	default:
		return false
	}
	return true
}

// commitOffset passes a commit to the group coordinator. Those of clients and admins come once and in order; a broker has
// several under way, which concern different groups or partitions.
func (b *Broker) commitOffset(from id.Node, req *wire.OffsetCommitRequest, env *replica.Env) {
	if req.Origin != record.CommitMirror && !b.group.Fresh(from, req.Correlation) {
		return
	}
	r := b.groupsOf(req.Group)
	b.group.Commit(from, req, r, env)
	b.after(r, env)
}
