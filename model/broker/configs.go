package broker

import (
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// describeConfigs answers the dynamic configs that this broker's image holds; it may be old. The desired mirror state,
// which the seeds keep as the config mirror.name, is none of them (section 2 of the design).
func (b *Broker) describeConfigs(from id.Node, req *wire.DescribeConfigsRequest, env *replica.Env) {
	res := &wire.DescribeConfigsResponse{Cluster: b.spec.Cluster, Offset: b.image.Offset, Correlation: req.Correlation}
	for _, topic := range req.Topics {
		t := b.image.Topic(topic)
		if t == nil {
			continue
		}
		for _, c := range t.Configs {
			res.Configs = append(res.Configs, wire.TopicConfig{Topic: topic, Key: c.Key.String(), Value: c.Value})
		}
	}
	env.Out.Send(from, res)
}

// describeTopics answers the topics that this broker's image holds, internal ones apart; it may be old.
func (b *Broker) describeTopics(from id.Node, req *wire.DescribeTopicPartitionsRequest, env *replica.Env) {
	res := &wire.DescribeTopicPartitionsResponse{Cluster: b.spec.Cluster, Offset: b.image.Offset, Correlation: req.Correlation}
	for i := range b.image.Topics {
		if t := &b.image.Topics[i]; t.Internal == record.NotInternal {
			res.Topics = append(res.Topics, wire.SourceTopic{Topic: t.Topic, Name: t.Name, Partitions: t.Partitions})
		}
	}
	env.Out.Send(from, res)
}

// configChanged tells the replicas of the topic here, and the mirror manager of those that this broker leads when tiered
// storage was switched.
func (b *Broker) configChanged(t *metadata.Topic, k record.ConfigKey, env *replica.Env) {
	for i := range t.Partitions {
		r := b.find(id.Partition{Topic: t.Topic, Index: i})
		if r == nil {
			continue
		}
		r.SetTopic(t, env)
		if k == record.RemoteStorageEnable && r.IsLeader() {
			b.mirror.StorageChanged(r, t, env)
		}
		b.after(r, env)
	}
}
