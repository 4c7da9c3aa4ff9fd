package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Words of the message; see Body.
func (b *ProduceRequest) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Partition.Word()), uint64(b.Acks))
	dst = batchWords(dst, b.Batch)
	return dst
}

// Words of the message; see Body.
func (b *ProduceResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.Base))
}

// Words of the message; see Body.
func (b *FetchRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Replica), uint64(b.CurrentLeaderEpoch), uint64(b.LastFetchedEpoch), uint64(b.FetchOffset), uint64(b.MaxWait), id.Bit64(b.ReadCommitted), id.Bit64(b.Mirror), uint64(b.CreatedAt), uint64(b.Cut))
}

// Words of the message; see Body.
func (b *FetchResponse) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.LeaderEpoch), uint64(b.FetchOffset), id.Bit64(b.Diverging), uint64(b.DivergingEpoch), uint64(b.DivergingOffset), uint64(b.HighWatermark), uint64(b.LastStable), uint64(b.LogStart), uint64(b.LogEnd), uint64(b.Cut))
	for _, x := range b.Batches {
		dst = batchWords(dst, x)
	}
	for _, x := range b.Aborted {
		dst = append(dst, uint64(x.ProducerID), uint64(x.First))
	}
	return dst
}

// Words of the message; see Body.
func (b *ListOffsetsRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), id.Bit64(b.Earliest), id.Bit64(b.ReadCommitted))
}

// Words of the message; see Body.
func (b *ListOffsetsResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.Offset), uint64(b.LeaderEpoch))
}

// Words of the message; see Body.
func (b *MetadataRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()))
}

// Words of the message; see Body.
func (b *MetadataResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.Leader), uint64(b.LeaderEpoch), uint64(b.Partitions), uint64(b.Cluster), uint64(b.Brokers), record.TextWord(b.Name))
}

// Words of the message; see Body.
func (b *InitProducerIdResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.ProducerID), uint64(b.ProducerEpoch))
}

// Words of the message; see Body.
func (b *LastMirroredPositionRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Asker), uint64(b.Mirror), uint64(b.Partition.Word()), uint64(b.Trace), id.Bit64(b.Own))
}

// Words of the message; see Body.
func (b *LastMirroredPositionResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Cluster), uint64(b.Partition.Word()), uint64(b.Code), id.Bit64(b.Lacks), id.Bit64(b.Found), uint64(b.Epoch), uint64(b.Offset))
}

// Words of the message; see Body.
func (b *ReadMirrorStatesRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Mirror), uint64(b.Partition.Word()), uint64(b.Life))
}

// Words of the message; see Body.
func (b *ReadMirrorStatesResponse) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Mirror), uint64(b.Partition.Word()), uint64(b.Code), id.Bit64(b.HasPosition))
	dst = stateWords(dst, &b.State)
	dst = stateWords(dst, &b.Position)
	return dst
}

// Words of the message; see Body.
func (b *WriteMirrorStatesRequest) Words(dst []uint64) []uint64 {
	dst = append(dst, id.Bit64(b.KeepFirst))
	dst = stateWords(dst, &b.Record)
	return dst
}

// Words of the message; see Body.
func (b *WriteMirrorStatesResponse) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Mirror), uint64(b.Partition.Word()), uint64(b.Code))
	dst = stateWords(dst, &b.Stored)
	return dst
}

// Words of the message; see Body.
func (b *AlterPartitionRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.LeaderEpoch), uint64(b.PartitionEpoch), uint64(b.ISR))
}

// Words of the message; see Body.
func (b *AlterPartitionResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.PartitionEpoch))
}

// Words of the message; see Body.
func (b *BumpLeaderEpochRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Minimum))
}

// Words of the message; see Body.
func (b *BumpLeaderEpochResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.LeaderEpoch))
}

// Words of the message; see Body.
func (b *BrokerHeartbeatRequest) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Incarnation), uint64(b.MetadataOffset))
	for _, p := range b.Offline {
		dst = append(dst, uint64(p.Word()))
	}
	return dst
}

// Words of the message; see Body.
func (b *BrokerHeartbeatResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), id.Bit64(b.Fenced))
}

// Words of the message; see Body.
func (b *AllocateProducerIdsResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.Start), uint64(b.Count))
}

// Words of the message; see Body.
func (b *ControllerHeartbeatResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Active), uint64(b.Epoch), uint64(b.End))
}

// Words of the message; see Body.
func (b *AppendMetadataRequest) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Epoch), uint64(b.Base))
	for _, x := range b.Records {
		dst = x.Words(dst)
	}
	return dst
}

// Words of the message; see Body.
func (b *AppendMetadataResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.End))
}

// Words of the message; see Body.
func (b *MetadataFetchRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Offset), uint64(b.ControllerEpoch))
}

// Words of the message; see Body.
func (b *MetadataFetchResponse) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Base), uint64(b.Controller), uint64(b.ControllerEpoch))
	for _, x := range b.Records {
		dst = x.Words(dst)
	}
	return dst
}

// Words of the message; see Body.
func (b *ProduceCommand) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Cluster), uint64(b.Partition.Word()), uint64(b.Count), uint64(b.Batch), uint64(b.Acks), uint64(b.ProducerID))
}

// Words of the message; see Body.
func (b *ConsumeCommand) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Cluster), uint64(b.Partition.Word()), id.Bit64(b.ReadCommitted), uint64(b.Reset))
}

// Words of the message; see Body.
func (b *MoveCommand) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.From), uint64(b.To), uint64(b.Partition.Word()))
}

func batchWords(dst []uint64, b *record.Batch) []uint64 {
	return append(dst, uint64(b.Base), uint64(b.Last), uint64(b.LeaderEpoch), uint64(b.CRC))
}

func stateWords(dst []uint64, s *record.MirrorState) []uint64 {
	return append(dst, uint64(s.Kind), uint64(s.Mirror), uint64(s.Partition.Word()), id.Bit64(s.Tombstone), uint64(s.Run), uint64(s.Life),
		uint64(s.Epoch), uint64(s.Offset), uint64(s.State), uint64(s.Previous), uint64(s.Reason),
		uint64(s.Attempts), uint64(s.Recovery), uint64(s.LeaderEpoch), uint64(s.StateEpoch), uint64(s.Aligned), id.Bit64(s.Agreed))
}

// Words of the message; see Body.
func (b *InitProducerIdRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Client), id.Bit64(b.Transactional), uint64(b.ProducerID), uint64(b.ProducerEpoch))
}

// Words of the message; see Body.
func (*AllocateProducerIdsRequest) Words(dst []uint64) []uint64 { return dst }

// Words of the message; see Body.
func (b *ControllerHeartbeatRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Epoch))
}

// Words of the message; see Body.
func (b *RetentionCommand) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Before))
}

// Words of the message; see Body.
func (b *CompactCommand) Words(dst []uint64) []uint64 {
	dst = append(dst, uint64(b.Partition.Word()), id.Bit64(b.Keep != nil), uint64(len(b.Keep)))
	for _, offset := range b.Keep {
		dst = append(dst, uint64(offset))
	}
	return dst
}

// Words of the message; see Body.
func (*ReportCommand) Words(dst []uint64) []uint64 { return dst }

// Words of the message; see Body.
func (b *MoveControllerCommand) Words(dst []uint64) []uint64 { return append(dst, uint64(b.To)) }

// Words of the message; see Body.
func (b *AdminCommand) Words(dst []uint64) []uint64 {
	return b.Request.Words(append(dst, uint64(b.Request.API())))
}
