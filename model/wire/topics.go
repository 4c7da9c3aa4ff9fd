package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// DescribeTopicPartitionsRequest asks any broker for the topics of its cluster.
type DescribeTopicPartitionsRequest struct{ Correlation uint32 }

// DescribeTopicPartitionsResponse lists the topics that the broker's image holds at Offset, internal ones apart; it may be old.
type DescribeTopicPartitionsResponse struct {
	Cluster     id.Cluster
	Offset      int64 // of the metadata log: how far the broker has replayed it
	Topics      []SourceTopic
	Correlation uint32
}

// API of each message.
func (*DescribeTopicPartitionsRequest) API() API  { return DescribeTopicPartitions }
func (*DescribeTopicPartitionsResponse) API() API { return DescribeTopicPartitions + 1 }

// Words of the message; see Body.
func (b *DescribeTopicPartitionsRequest) Words(dst []uint64) []uint64 { return dst }

// Words of the message; see Body.
func (b *DescribeTopicPartitionsResponse) Words(dst []uint64) []uint64 {
	return sourceWords(append(dst, uint64(b.Cluster), uint64(b.Offset)), b.Topics)
}

func sourceWords(dst []uint64, list []SourceTopic) []uint64 {
	for _, x := range list {
		dst = append(dst, uint64(x.Topic), record.TextWord(x.Name), uint64(x.Partitions))
	}
	return append(dst, uint64(len(list)))
}
