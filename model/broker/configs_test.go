package broker_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func config(k record.ConfigKey, value string) record.Metadata {
	return &record.TopicConfigRecord{Topic: tp.Topic, Key: k, Value: value}
}

// TestDescribeConfigs: any broker answers what its own image holds, without the desired mirror state.
func TestDescribeConfigs(t *testing.T) {
	r := running(t)
	r.meta(config(record.RetentionMs, "5"), config(record.CleanupPolicy, "compact"), want(record.WantMirroring))
	r.message(client, &wire.DescribeConfigsRequest{Topics: []id.Topic{other, tp.Topic, 99}, Correlation: 7})
	res, to := take[*wire.DescribeConfigsResponse](r)
	same(t, "to", to, client)
	same(t, "answer", *res, wire.DescribeConfigsResponse{Offset: r.length, Correlation: 7, Configs: []wire.TopicConfig{
		{Topic: tp.Topic, Key: "cleanup.policy", Value: "compact"}, {Topic: tp.Topic, Key: "retention.ms", Value: "5"}}})
}

// TestMinInsyncReplicasByConfig: the leader holds the high watermark by the value that is set now.
func TestMinInsyncReplicasByConfig(t *testing.T) {
	r := running(t)
	r.meta(config(record.MinInsyncReplicas, "2"), &record.BrokerRecord{Broker: b1, Incarnation: 1, Fenced: true}, &record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0),
		Leader: b0, PartitionEpoch: 1, Cause: uint8(event.IsrChange)})
	before := r.count(event.HighWatermark)
	one := record.NewData(record.NoProducer, -1, record.NoSequence, []record.Record{{Key: 1, Value: 1}})
	r.message(client, &wire.ProduceRequest{Partition: tp, Acks: 1, Batch: one, Correlation: 1})
	same(t, "the high watermark waits", r.count(event.HighWatermark), before)
	r.message(client, &wire.ProduceRequest{Partition: tp, Acks: wire.AcksAll, Batch: one, Correlation: 2})
	take[*wire.ProduceResponse](r)
	res, _ := take[*wire.ProduceResponse](r)
	same(t, "acks=all", res.Code, wire.NotEnoughReplicas)
	r.meta(config(record.MinInsyncReplicas, ""))
	same(t, "it moves at once", r.count(event.HighWatermark), before+1)
}

// TestDescribeTopicsAndAcls: they are what the broker's image holds, internal topics apart.
func TestDescribeTopicsAndAcls(t *testing.T) {
	r := running(t)
	acl := record.Acl{Name: "t", Principal: "alice"}
	r.meta(&record.AclRecord{Acl: acl})
	r.message(client, &wire.DescribeTopicPartitionsRequest{Correlation: 7})
	topics, to := take[*wire.DescribeTopicPartitionsResponse](r)
	same(t, "topics to", to, client)
	same(t, "topics", *topics, wire.DescribeTopicPartitionsResponse{Offset: r.length, Correlation: 7, Topics: []wire.SourceTopic{
		{Topic: tp.Topic, Name: "t", Partitions: 2}, {Topic: other, Name: "other", Partitions: 1}}})
	r.message(client, &wire.DescribeAclsRequest{Correlation: 8})
	acls, to := take[*wire.DescribeAclsResponse](r)
	same(t, "ACLs to", to, client)
	same(t, "ACLs", *acls, wire.DescribeAclsResponse{Offset: r.length, Acls: []record.Acl{acl}, Correlation: 8})
}
