package controller

import (
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// alterConfigs sets and deletes dynamic configs of topics, in one append. The answer has one result per topic, and a topic
// that is refused does not affect the others. What is so already is not written.
func (c *Controller) alterConfigs(q request, req *wire.IncrementalAlterConfigsRequest, out *node.Effects) {
	res := &wire.IncrementalAlterConfigsResponse{Client: req.Client, Correlation: req.Correlation}
	var records []record.Metadata
	for _, t := range req.Topics() {
		list, code := c.validateConfigs(req, t)
		res.Results = append(res.Results, wire.TopicResult{Topic: t, Code: code})
		records = append(records, list...)
	}
	c.commit(q, records, res, out)
}

// validateConfigs answers the records of what a request changes of a topic. Mirror-wide work changes only topics that its
// mirror is to mirror: it halts for a paused topic, and ends with a stop (section 9 of the design).
func (c *Controller) validateConfigs(req *wire.IncrementalAlterConfigsRequest, t id.Topic) ([]record.Metadata, wire.Code) {
	topic := c.image.Topic(t)
	switch {
	case topic == nil:
		return nil, wire.UnknownTopicOrPartition
	case topic.Internal != record.NotInternal:
		return nil, wire.InvalidRequest
	case req.Mirror != 0 && !synchronised(topic, req.Mirror):
		return nil, wire.TopicNotInClusterMirror
	}
	var records []record.Metadata
	var named [record.ConfigKeys]bool
	for _, change := range req.Changes {
		if change.Topic != t {
			continue
		}
		k, known := record.ParseConfigKey(change.Key)
		if !known {
			return nil, wire.InvalidConfig
		}
		v, takes := record.ParseConfig(k, change.Value)
		switch {
		case change.Value != "" && !takes:
			return nil, wire.InvalidConfig
		case named[k]:
			return nil, wire.InvalidRequest
		case change.Value == "":
			v = record.ConfigValue{}
		}
		named[k] = true
		if now, _ := topic.Config(k); now == v.Text {
			continue
		}
		records = append(records, &record.TopicConfigRecord{Topic: t, Key: k, Value: v.Text, Mirror: req.Mirror})
		if k == record.UncleanElection && v.Text != "" && v.Number == 1 {
			records = append(records, c.electUncleanly(topic)...)
		}
	}
	return records, wire.OK
}

// synchronised tells whether the mirror-wide work of x is for the topic: its desired state is mirroring, in that mirror.
func synchronised(t *metadata.Topic, x id.Mirror) bool {
	return t.Mirror == x && t.Desired == record.WantMirroring
}

// electUncleanly gives the partitions of a topic that have no leader one, now that unclean elections are allowed.
func (c *Controller) electUncleanly(t *metadata.Topic) []record.Metadata {
	var records []record.Metadata
	for i := range t.Partitions {
		p := c.image.Partition(id.Partition{Topic: t.Topic, Index: i})
		if p.Leader == id.None {
			if e := c.elect(p, p.ISR, c.image.Live(), true); e != nil {
				records = append(records, e)
			}
		}
	}
	return records
}
