package controller

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// alterPartition changes an ISR, as the leader asks. Only live replicas of the partition may be in it (KAFKA-9672).
func (c *Controller) alterPartition(q request, req *wire.AlterPartitionRequest, out *node.Effects) {
	res := &wire.AlterPartitionResponse{Partition: req.Partition, Correlation: req.Correlation}
	p := c.image.Partition(req.Partition)
	var records []record.Metadata
	switch {
	case p == nil:
		res.Code = wire.UnknownTopicOrPartition
	case q.from != p.Leader || req.LeaderEpoch != p.LeaderEpoch:
		res.Code = wire.FencedLeaderEpoch
	case req.PartitionEpoch != p.PartitionEpoch:
		res.Code = wire.InvalidUpdateVersion
	case req.ISR&^(c.image.Live()&id.SetOf(p.Replicas...)&^p.Offline) != 0 || !req.ISR.Has(p.Leader):
		res.Code = wire.IneligibleReplica
	default:
		n := changed(p, event.IsrChange)
		n.ISR = req.ISR
		res.PartitionEpoch = n.PartitionEpoch
		records = append(records, n)
	}
	c.commit(q, records, res, out)
}

// bumpLeaderEpoch raises the leader epoch to at least the minimum; the leader stays. A repeat of a bump that is done is
// answered as done (section 5 of the design).
func (c *Controller) bumpLeaderEpoch(q request, req *wire.BumpLeaderEpochRequest, out *node.Effects) {
	res := &wire.BumpLeaderEpochResponse{Partition: req.Partition, Correlation: req.Correlation}
	p := c.image.Partition(req.Partition)
	var records []record.Metadata
	switch {
	case p == nil:
		res.Code = wire.UnknownTopicOrPartition
	case q.from != p.Leader:
		res.Code = wire.NotLeaderOrFollower
	case req.Minimum <= p.LeaderEpoch:
		res.LeaderEpoch = p.LeaderEpoch
	default:
		n := changed(p, event.EpochBump)
		n.LeaderEpoch = req.Minimum
		res.LeaderEpoch = n.LeaderEpoch
		records = append(records, n)
	}
	c.commit(q, records, res, out)
}
