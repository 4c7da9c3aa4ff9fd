package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Words of the message; see Body.
func (b *MirrorTopicsRequest) Words(dst []uint64) []uint64 {
	dst = topicWords(append(dst, uint64(b.Action), uint64(b.Mirror), uint64(b.Number)<<8|uint64(b.Client), id.Bit64(b.Deleted), id.Bit64(b.Discovered)), b.Topics)
	dst = actualWords(record.TextWords(dst, b.Patterns), b.Actual)
	return sourceWords(dst, b.Sources)
}

// Words of the message; see Body.
func (b *MirrorTopicsResponse) Words(dst []uint64) []uint64 {
	return resultWords(append(dst, uint64(b.Code), uint64(b.Client)), b.Results)
}

// Words of the message; see Body.
func (b *CreateMirrorRequest) Words(dst []uint64) []uint64 {
	return b.Mirror.Words(append(dst, uint64(b.Client)))
}

// Words of the message; see Body.
func (b *CreateMirrorResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.Client))
}

// Words of the message; see Body.
func (b *DeleteMirrorRequest) Words(dst []uint64) []uint64 {
	return actualWords(append(dst, uint64(b.Mirror), uint64(b.Client)), b.Actual)
}

// Words of the message; see Body.
func (b *DeleteMirrorResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.Client))
}

// Words of the message; see Body.
func (b *DeleteTopicsRequest) Words(dst []uint64) []uint64 {
	return topicWords(append(dst, uint64(b.Client)), b.Topics)
}

// Words of the message; see Body.
func (b *DeleteTopicsResponse) Words(dst []uint64) []uint64 {
	return resultWords(append(dst, uint64(b.Code), uint64(b.Client)), b.Results)
}

// Words of the message; see Body.
func (b *CreatePartitionsRequest) Words(dst []uint64) []uint64 {
	return topicWords(append(dst, uint64(b.Client), uint64(b.Partitions), uint64(b.Mirror)), b.Topics)
}

// Words of the message; see Body.
func (b *CreatePartitionsResponse) Words(dst []uint64) []uint64 {
	return resultWords(append(dst, uint64(b.Code), uint64(b.Client)), b.Results)
}

// Words of the message; see Body.
func (b *DeleteRecordsRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Offset))
}

// Words of the message; see Body.
func (b *DeleteRecordsResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.LogStart))
}

// Words of the message; see Body.
func (b *DescribeMirrorsRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Mirror), uint64(b.Partition.Word()), uint64(b.Client))
}

// Words of the message; see Body.
func (b *DescribeMirrorsResponse) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.Desired), id.Bit64(b.HasPosition), uint64(b.Lag),
		id.Bit64(b.LagKnown), uint64(b.Client))
	return stateWords(stateWords(dst, &b.State), &b.Position)
}

// Words of the message; see Body.
func (b *ElectLeadersRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), id.Bit64(b.Unclean), uint64(b.Target), uint64(b.Client))
}

// Words of the message; see Body.
func (b *ElectLeadersResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.Leader), uint64(b.LeaderEpoch), uint64(b.Client))
}

func topicWords(dst []uint64, topics []id.Topic) []uint64 {
	for _, t := range topics {
		dst = append(dst, uint64(t))
	}
	return append(dst, uint64(len(topics)))
}

func actualWords(dst []uint64, list []ActualState) []uint64 {
	for _, x := range list {
		dst = append(dst, uint64(x.Partition.Word()), uint64(x.State))
	}
	return append(dst, uint64(len(list)))
}

func resultWords(dst []uint64, list []TopicResult) []uint64 {
	for _, x := range list {
		dst = append(dst, uint64(x.Topic), uint64(x.Code))
	}
	return append(dst, uint64(len(list)))
}
