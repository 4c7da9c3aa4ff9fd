package controller

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// deleteTopics deletes topics. One that is mirrored and not stopped is refused, the others of the request are not affected
// (section 2 of the design).
func (c *Controller) deleteTopics(q request, req *wire.DeleteTopicsRequest, out *node.Effects) {
	res := &wire.DeleteTopicsResponse{Client: req.Client, Correlation: req.Correlation}
	var records []record.Metadata
	for i, t := range req.Topics {
		_, code := c.alterable(req.Topics[:i], t)
		if code == wire.OK {
			records = append(records, &record.RemoveTopicRecord{Topic: t})
		}
		res.Results = append(res.Results, wire.TopicResult{Topic: t, Code: code})
	}
	c.commit(q, records, res, out)
}

// createPartitions grows topics, under the same conditions; what a mirror is to mirror its mirror-wide work grows, and nothing
// else (section 9 of the design). The new partitions have as many replicas as the first one.
func (c *Controller) createPartitions(q request, req *wire.CreatePartitionsRequest, out *node.Effects) {
	res := &wire.CreatePartitionsResponse{Client: req.Client, Correlation: req.Correlation}
	var records []record.Metadata
	for i, t := range req.Topics {
		topic, code := c.growable(req, i)
		switch {
		case code != wire.OK:
		case req.Partitions <= topic.Partitions:
			code = wire.InvalidRequest
		case c.image.Live() == 0:
			code = wire.LeaderNotAvailable
		default:
			factor := len(c.image.Partition(id.Partition{Topic: t}).Replicas)
			records = append(records, &record.TopicPartitionsRecord{Topic: t, Partitions: req.Partitions, Mirror: req.Mirror})
			records = append(records, c.created(t, topic.Partitions, req.Partitions, factor)...)
		}
		res.Results = append(res.Results, wire.TopicResult{Topic: t, Code: code})
	}
	c.commit(q, records, res, out)
}

// growable is the i-th topic of the request, if it may be grown, and otherwise why not.
func (c *Controller) growable(req *wire.CreatePartitionsRequest, i int) (*metadata.Topic, wire.Code) {
	topic := c.image.Topic(req.Topics[i])
	switch {
	case req.Mirror == 0 || topic == nil || slices.Contains(req.Topics[:i], req.Topics[i]):
		return c.alterable(req.Topics[:i], req.Topics[i])
	case !synchronised(topic, req.Mirror):
		return nil, wire.TopicNotInClusterMirror
	}
	return topic, wire.OK
}

// alterable is the topic, if a user may change it, and otherwise why not. before are the topics that the request has named
// already.
func (c *Controller) alterable(before []id.Topic, t id.Topic) (*metadata.Topic, wire.Code) {
	topic := c.image.Topic(t)
	switch {
	case slices.Contains(before, t):
		return nil, wire.InvalidRequest
	case topic == nil:
		return nil, wire.UnknownTopicOrPartition
	case topic.Internal != record.NotInternal:
		return nil, wire.InvalidRequest
	case topic.FollowsSource():
		return nil, wire.MirrorTopicNotStopped
	}
	return topic, wire.OK
}
