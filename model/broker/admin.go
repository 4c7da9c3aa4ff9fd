package broker

import (
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// receiveAdmin takes the requests of admins: some are answered by the partition's leader, all others are forwarded to the
// active controller, and its answers go back to the client (section 2 of the design).
func (b *Broker) receiveAdmin(from id.Node, body wire.Body, env *replica.Env) {
	switch m := body.(type) {
	case *wire.MirrorTopicsRequest, *wire.DeleteMirrorRequest:
		b.mirror.Check(from, body, env)
	case *wire.CreateMirrorRequest, *wire.DeleteTopicsRequest, *wire.CreatePartitionsRequest, *wire.ElectLeadersRequest,
		*wire.IncrementalAlterConfigsRequest, *wire.CreateTopicsRequest, *wire.CreateAclsRequest, *wire.DeleteAclsRequest:
		mirror.Forward(from, body, env)
	case *wire.DescribeMirrorsRequest:
		b.describe(from, m, env)
	case *wire.DeleteRecordsRequest:
		b.deleteRecords(from, m, env)
	case *wire.DescribeConfigsRequest:
		b.describeConfigs(from, m, env)
	case *wire.DescribeConfigsResponse:
		b.mirror.ConfigsTold(m, env)
	case *wire.DescribeTopicPartitionsRequest:
		b.describeTopics(from, m, env)
	case *wire.DescribeTopicPartitionsResponse:
		b.mirror.TopicsTold(m, env)
	case *wire.DescribeAclsRequest:
		env.Out.Send(from, &wire.DescribeAclsResponse{Cluster: b.spec.Cluster, Offset: b.image.Offset, Acls: b.image.Acls,
			Correlation: m.Correlation})
	case *wire.DescribeAclsResponse:
		b.mirror.AclsTold(m, env)
	case *wire.MirrorTopicsResponse, *wire.CreateMirrorResponse, *wire.DeleteMirrorResponse, *wire.DeleteTopicsResponse,
		*wire.CreatePartitionsResponse, *wire.ElectLeadersResponse, *wire.DescribeMirrorsResponse,
		*wire.IncrementalAlterConfigsResponse, *wire.CreateTopicsResponse, *wire.CreateAclsResponse, *wire.DeleteAclsResponse:
		// An answer to this broker's own request needs nobody: its metadata show what came of it.
		if client := wire.ClientOf(body); client != id.None && client != b.self {
			env.Out.Send(client, wire.ForClient(body, id.None))
		}
	}
}

// describe has the partition's leader answer, which knows the lag. Where nobody leads, this broker reads the coordinator
// itself, and the lag is unknown. A broker to which the request was passed in error does not pass it on.
func (b *Broker) describe(from id.Node, req *wire.DescribeMirrorsRequest, env *replica.Env) {
	code := wire.OK
	t, reg := b.image.Topic(req.Partition.Topic), b.image.Partition(req.Partition)
	switch {
	case b.image.Mirror(req.Mirror) == nil:
		code = wire.UnknownClusterMirror
	case t == nil || reg == nil:
		code = wire.UnknownTopicOrPartition
	case t.Desired == record.WantNone || t.Mirror != req.Mirror:
		code = wire.TopicNotInClusterMirror
	}
	if code != wire.OK {
		env.Out.Send(from, wire.Refuse(req, code))
		return
	}
	switch r := b.find(req.Partition); {
	case r != nil && r.IsLeader() || reg.Leader == id.None:
		b.mirror.Describe(from, req, env)
	case req.Client != id.None || reg.Leader == b.self:
		env.Out.Send(from, wire.Refuse(req, wire.NotLeaderOrFollower))
	default:
		env.Out.Send(reg.Leader, wire.ForClient(req, from))
	}
}

// deleteRecords moves the log start of a partition that this broker leads. The log of a mirrored topic that is not STOPPED
// is the source's, its start too, and nobody deletes from an internal topic.
func (b *Broker) deleteRecords(from id.Node, req *wire.DeleteRecordsRequest, env *replica.Env) {
	res := &wire.DeleteRecordsResponse{Partition: req.Partition, LogStart: -1, Correlation: req.Correlation}
	t, r := b.image.Topic(req.Partition.Topic), b.find(req.Partition)
	switch {
	case t == nil || r == nil || !r.IsLeader():
		res.Code = wire.NotLeaderOrFollower
	case t.Internal != record.NotInternal:
		res.Code = wire.InvalidRequest
	case !b.mirror.Writable(r, env):
		res.Code = wire.MirrorTopicNotStopped
	default:
		res.LogStart = r.DeleteRecords(req.Offset, env)
	}
	env.Out.Send(from, res)
}
