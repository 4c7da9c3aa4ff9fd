package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// TopicConfig is a dynamic config of a topic by its names: what is to be set, or what is set.
type TopicConfig struct {
	Topic id.Topic
	Key   string
	Value string // empty: to be deleted
}

// IncrementalAlterConfigsRequest sets dynamic configs of topics, and deletes them. Any broker forwards it to the active
// controller. What it asks of one topic is done as a whole or not at all.
type IncrementalAlterConfigsRequest struct {
	Changes     []TopicConfig
	Mirror      id.Mirror // 0, or whose mirror-wide work asks: then only topics that it is to mirror are changed
	Client      id.Node   // who asked first; None until a broker forwards it
	Correlation uint32
}

// IncrementalAlterConfigsResponse has one result per topic, in the order in which the request names them first. Code is for
// the request as a whole.
type IncrementalAlterConfigsResponse struct {
	Code        Code
	Results     []TopicResult // InvalidConfig: there is no such config, or it does not take the value
	Client      id.Node
	Correlation uint32
}

// DescribeConfigsRequest asks any broker for the dynamic configs of topics.
type DescribeConfigsRequest struct {
	Topics      []id.Topic
	Correlation uint32
}

// DescribeConfigsResponse is what the broker's image holds at Offset; it may be old. A topic that it lacks has none.
type DescribeConfigsResponse struct {
	Cluster     id.Cluster
	Offset      int64 // of the metadata log: how far the broker has replayed it
	Configs     []TopicConfig
	Correlation uint32
}

// API of each message.
func (*IncrementalAlterConfigsRequest) API() API  { return IncrementalAlterConfigs }
func (*IncrementalAlterConfigsResponse) API() API { return IncrementalAlterConfigs + 1 }
func (*DescribeConfigsRequest) API() API          { return DescribeConfigs }
func (*DescribeConfigsResponse) API() API         { return DescribeConfigs + 1 }

// Topics are those that the request names, in the order in which it names them first.
func (b *IncrementalAlterConfigsRequest) Topics() []id.Topic {
	var list []id.Topic
	for _, c := range b.Changes {
		known := false
		for _, t := range list {
			known = known || t == c.Topic
		}
		if !known {
			list = append(list, c.Topic)
		}
	}
	return list
}

// Words of the message; see Body.
func (b *IncrementalAlterConfigsRequest) Words(dst []uint64) []uint64 {
	return configWords(append(dst, uint64(b.Mirror), uint64(b.Client)), b.Changes)
}

// Words of the message; see Body.
func (b *IncrementalAlterConfigsResponse) Words(dst []uint64) []uint64 {
	return resultWords(append(dst, uint64(b.Code), uint64(b.Client)), b.Results)
}

// Words of the message; see Body.
func (b *DescribeConfigsRequest) Words(dst []uint64) []uint64 { return topicWords(dst, b.Topics) }

// Words of the message; see Body.
func (b *DescribeConfigsResponse) Words(dst []uint64) []uint64 {
	return configWords(append(dst, uint64(b.Cluster), uint64(b.Offset)), b.Configs)
}

func configWords(dst []uint64, list []TopicConfig) []uint64 {
	for _, x := range list {
		dst = append(dst, uint64(x.Topic), record.TextWord(x.Key), record.TextWord(x.Value))
	}
	return append(dst, uint64(len(list)))
}
