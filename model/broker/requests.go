package broker

import (
	"mirrorsim/model/id"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

func (b *Broker) fetch(from id.Node, req *wire.FetchRequest, env *replica.Env) {
	r := b.find(req.Partition)
	if r == nil {
		env.Out.Send(from, &wire.FetchResponse{Partition: req.Partition, Code: wire.NotLeaderOrFollower,
			LeaderEpoch: -1, FetchOffset: req.FetchOffset, Correlation: req.Correlation})
		return
	}
	r.Fetch(from, req, env)
	b.after(r, env)
}

// fetched is the answer to a follower's fetch, or to a mirror fetch where this broker leads.
func (b *Broker) fetched(from id.Node, res *wire.FetchResponse, env *replica.Env) {
	r := b.find(res.Partition)
	if r == nil {
		return
	}
	if r.IsLeader() {
		b.mirror.Fetched(from, res, env)
	} else {
		r.Fetched(from, res, env)
	}
	b.after(r, env)
}

// produce refuses client writes to a mirrored topic that is not stopped, and otherwise appends.
func (b *Broker) produce(from id.Node, req *wire.ProduceRequest, env *replica.Env) {
	r := b.find(req.Partition)
	code := wire.OK
	switch {
	case r == nil:
		code = wire.NotLeaderOrFollower
	case r.IsLeader() && !b.mirror.Writable(r, env):
		code = wire.ReadOnlyTopic
	}
	if code == wire.OK {
		if !b.verifier.Hold(from, req, r, env) {
			r.Produce(from, req, env)
			b.after(r, env)
		}
	} else if req.Acks != 0 {
		env.Out.Send(from, &wire.ProduceResponse{Partition: req.Partition, Code: code, Base: -1, Correlation: req.Correlation})
	}
}

func (b *Broker) listOffsets(from id.Node, req *wire.ListOffsetsRequest, env *replica.Env) {
	r := b.find(req.Partition)
	if r == nil {
		env.Out.Send(from, &wire.ListOffsetsResponse{Partition: req.Partition, Code: wire.NotLeaderOrFollower,
			Offset: -1, LeaderEpoch: -1, Correlation: req.Correlation})
		return
	}
	r.ListOffsets(from, req, env)
}

// answerMetadata answers what this broker's image holds of a partition; it may be old.
func (b *Broker) answerMetadata(from id.Node, req *wire.MetadataRequest, env *replica.Env) {
	res := &wire.MetadataResponse{Partition: req.Partition, Cluster: b.spec.Cluster, Leader: id.None, LeaderEpoch: -1,
		Brokers: b.image.Live(), Correlation: req.Correlation}
	switch p := b.image.Partition(req.Partition); {
	case p == nil:
		res.Code = wire.UnknownTopicOrPartition
	case p.Leader == id.None:
		res.Code, res.LeaderEpoch = wire.LeaderNotAvailable, p.LeaderEpoch
	default:
		res.Leader, res.LeaderEpoch = p.Leader, p.LeaderEpoch
	}
	if t := b.image.Topic(req.Partition.Topic); t != nil {
		res.Name, res.Partitions = t.Name, t.Partitions
	}
	env.Out.Send(from, res)
}

// writeState passes a write to the coordinator with the replica of __mirror_state that it would be appended to.
func (b *Broker) writeState(from id.Node, req *wire.WriteMirrorStatesRequest, env *replica.Env) {
	known := int32(-1)
	if p := b.image.Partition(req.Record.Partition); p != nil {
		known = p.LeaderEpoch
	}
	var r *replica.Replica
	if at, ok := b.image.CoordinatorOf(req.Record.Mirror, req.Record.Partition); ok {
		r = b.find(at)
	}
	b.coordinator.Write(from, req, r, known, env)
	b.after(r, env)
}
