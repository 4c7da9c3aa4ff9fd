package controller

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// createTopics creates topics with the replicas that the request names, those on live brokers in sync; the first of these
// leads.
func (c *Controller) createTopics(q request, req *wire.CreateTopicsRequest, out *node.Effects) {
	res := &wire.CreateTopicsResponse{Client: req.Client, Correlation: req.Correlation}
	var records []record.Metadata
	taken := map[string]bool{}
	for _, t := range req.Topics {
		var list []record.Metadata
		code := wire.TopicAlreadyExists
		if !taken[t.Record.Name] && c.image.Topic(t.Record.Topic) == nil && c.image.TopicNamed(t.Record.Name) == nil {
			list, code = c.newTopic(t)
		}
		taken[t.Record.Name] = true
		res.Results = append(res.Results, wire.TopicResult{Topic: t.Record.Topic, Code: code})
		records = append(records, list...)
	}
	c.commit(q, records, res, out)
}

// newTopic are the records of a topic with its first registrations.
func (c *Controller) newTopic(t wire.NewTopic) ([]record.Metadata, wire.Code) {
	list := []record.Metadata{t.Record}
	for i, replicas := range t.Replicas {
		isr := id.SetOf(replicas...) & c.image.Live()
		if isr == 0 {
			return nil, wire.LeaderNotAvailable
		}
		list = append(list, &record.PartitionRecord{Partition: id.Partition{Topic: t.Record.Topic, Index: uint16(i)}, Replicas: replicas,
			ISR: isr, Leader: first(replicas, isr), Cause: uint8(event.PartitionCreated)})
	}
	return list, wire.OK
}
