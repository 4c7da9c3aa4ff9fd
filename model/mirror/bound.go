package mirror

import (
	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// Bound answers the broker that does the mirror-wide work of a mirror: the offset of a source's group as it may be committed
// here, by the log of the partition, which r leads; r is nil where this broker has no replica (section 9 of the design). A
// bounded offset has the local epoch of the record before it. Where that is not known, as at the log start, one that D19 has
// lowered is not committed; one that D44 has raised to the log start, below which nothing is left to read, has epoch -1.
func (m *Manager) Bound(from id.Node, req *wire.BoundOffsetRequest, r *replica.Replica, env *replica.Env) {
	res := &wire.BoundOffsetResponse{Partition: req.Partition, Offset: -1, Epoch: record.NoPosition, Correlation: req.Correlation}
	switch t := env.Image.Topic(req.Partition.Topic); {
	case r == nil || !r.IsLeader() || t == nil:
		res.Code = wire.NotLeaderOrFollower
	case t.Mirror != req.Mirror || !syncsOffsets(t.Desired, env) || !m.settled(r.ID(), env):
		res.Code = wire.TopicNotInClusterMirror
	default:
		log := r.Log
		most := env.Config.OffsetAtMost(req.Offset, log.End(), log.HighWatermark(), epochEnd(r, req.Offset, req.Epoch))
		if most < 0 {
			res.Code = wire.UnknownLeaderEpoch
			break
		}
		res.Offset = env.Config.OffsetAtLeast(most, log.Start())
		if res.Epoch = req.Epoch; res.Offset != req.Offset {
			res.Epoch = epochBefore(r, res.Offset)
		}
		if res.Epoch == record.NoPosition && res.Offset == most && most < req.Offset {
			res.Code, res.Offset = wire.UnknownLeaderEpoch, -1
		}
	}
	env.Out.Send(from, res)
}

// epochEnd is where the epoch of the record before a source's offset ends in the log, when the log has another record there: it
// is not of the history in which the group has read (D19). -1 stands for an epoch that the log does not know, or has on both
// sides of the offset. Where the log has no record before the offset, an epoch above the leader epoch is one that is not known here.
func epochEnd(r *replica.Replica, offset int64, epoch int32) int64 {
	local := epochBefore(r, offset)
	switch {
	case epoch < 0 || local == epoch:
		return protocol.NoEpochEnd
	case offset <= r.Log.Start() && epoch > r.LeaderEpoch():
		return -1
	case offset <= r.Log.Start():
		return protocol.NoEpochEnd
	}
	_, end, ok := r.Log.EndOffsetFor(epoch)
	if !ok || end >= offset {
		return -1
	}
	return end
}

// syncsOffsets tells whether group offsets of a topic of that desired state are written (section 9 of the design and D32).
// Nothing is for a topic that is paused.
func syncsOffsets(desired record.Desired, env *replica.Env) bool {
	return desired == record.WantMirroring ||
		desired == record.WantStopped && env.Config.OffsetsAfterStop() == protocol.SyncContinues
}

// settled tells whether the partition's leader vouches for its log: with offset-after-stop=fenced it must be MIRRORING, with
// no cut of which the group coordinators do not know yet (D32).
func (m *Manager) settled(x id.Partition, env *replica.Env) bool {
	if env.Config.OffsetsAfterStop() != protocol.SyncFenced {
		return true
	}
	p := m.find(x)
	return p != nil && p.known && p.entered && p.state == record.Mirroring && !p.leaving() && !p.lowers(env)
}
