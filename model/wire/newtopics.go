package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// CreateTopicsRequest creates topics with the replicas that it names. Any broker forwards it to the active controller.
type CreateTopicsRequest struct {
	Topics      []NewTopic
	Client      id.Node // who asked first; None until a broker forwards it
	Correlation uint32
}

// NewTopic is a topic to be created.
type NewTopic struct {
	Record   *record.TopicRecord
	Replicas [][]id.Node // by partition, in assignment order
}

// CreateTopicsResponse has one result per topic, in the order of the request. Code is for the request as a whole.
type CreateTopicsResponse struct {
	Code        Code
	Results     []TopicResult // TopicAlreadyExists; LeaderNotAvailable: no replica of a partition is on a live broker
	Client      id.Node
	Correlation uint32
}

// API of each message.
func (*CreateTopicsRequest) API() API  { return CreateTopics }
func (*CreateTopicsResponse) API() API { return CreateTopics + 1 }

// Words of the message; see Body.
func (b *CreateTopicsRequest) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Client), uint64(len(b.Topics)))
	for _, t := range b.Topics {
		dst = t.Record.Words(dst)
		for _, replicas := range t.Replicas {
			dst = append(dst, uint64(id.SetOf(replicas...)))
		}
	}
	return dst
}

// Words of the message; see Body.
func (b *CreateTopicsResponse) Words(dst []uint64) []uint64 {
	return resultWords(append(dst, uint64(b.Code), uint64(b.Client)), b.Results)
}
