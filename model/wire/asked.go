package wire

import "mirrorsim/model/id"

// Asked is what tells one request of a node from another one, and to which of them an answer belongs.
type Asked struct {
	API         API          // of the request
	Partition   id.Partition // that it is about, the zero value if about none or several
	Correlation uint32
}

// AskedOf is that of a request, or of the request that an answer answers. Commands of the runner have none.
func AskedOf(b Body) (x Asked, ok bool) {
	if x.API = b.API(); x.API >= ProduceCommandAPI {
		return Asked{}, false
	}
	x.API -= x.API % 2
	for _, of := range [...]func(Body) (uint32, id.Partition, bool){ofClients, ofClusters, ofGroups, ofTopics, ofConfigs} {
		if x.Correlation, x.Partition, ok = of(b); ok {
			return x, true
		}
	}
	return Asked{}, false
}

// ofClients is the correlation of what is sent for reads and writes, and the partition that it is about.
func ofClients(b Body) (correlation uint32, about id.Partition, ok bool) {
	switch b := b.(type) {
	case *ProduceRequest:
		return b.Correlation, b.Partition, true
	case *ProduceResponse:
		return b.Correlation, b.Partition, true
	case *FetchRequest:
		return b.Correlation, b.Partition, true
	case *FetchResponse:
		return b.Correlation, b.Partition, true
	case *ListOffsetsRequest:
		return b.Correlation, b.Partition, true
	case *ListOffsetsResponse:
		return b.Correlation, b.Partition, true
	case *MetadataRequest:
		return b.Correlation, b.Partition, true
	case *MetadataResponse:
		return b.Correlation, b.Partition, true
	case *InitProducerIdRequest:
		return b.Correlation, about, true
	case *InitProducerIdResponse:
		return b.Correlation, about, true
	}
	return 0, about, false
}

// ofClusters is the correlation of what is sent for brokers, controllers and mirrors of a cluster, and the partition that it is about.
func ofClusters(b Body) (correlation uint32, about id.Partition, ok bool) {
	switch b := b.(type) {
	case *AlterPartitionRequest:
		return b.Correlation, b.Partition, true
	case *AlterPartitionResponse:
		return b.Correlation, b.Partition, true
	case *BumpLeaderEpochRequest:
		return b.Correlation, b.Partition, true
	case *BumpLeaderEpochResponse:
		return b.Correlation, b.Partition, true
	case *BrokerHeartbeatRequest:
		return b.Correlation, about, true
	case *BrokerHeartbeatResponse:
		return b.Correlation, about, true
	case *AllocateProducerIdsResponse:
		return b.Correlation, about, true
	case *ControllerHeartbeatRequest:
		return b.Correlation, about, true
	case *ControllerHeartbeatResponse:
		return b.Correlation, about, true
	case *AppendMetadataRequest:
		return b.Correlation, about, true
	case *AppendMetadataResponse:
		return b.Correlation, about, true
	case *MetadataFetchRequest:
		return b.Correlation, about, true
	case *MetadataFetchResponse:
		return b.Correlation, about, true
	case *AllocateProducerIdsRequest:
		return b.Correlation, about, true
	case *LastMirroredPositionRequest:
		return b.Correlation, b.Partition, true
	case *LastMirroredPositionResponse:
		return b.Correlation, b.Partition, true
	case *ReadMirrorStatesRequest:
		return b.Correlation, b.Partition, true
	case *ReadMirrorStatesResponse:
		return b.Correlation, b.Partition, true
	case *WriteMirrorStatesRequest:
		return b.Correlation, b.Record.Partition, true
	case *WriteMirrorStatesResponse:
		return b.Correlation, b.Partition, true
	}
	return 0, about, false
}

// ofGroups is the correlation of what is sent for groups and transactions, and the partition that it is about.
func ofGroups(b Body) (correlation uint32, about id.Partition, ok bool) {
	switch b := b.(type) {
	case *OffsetCommitRequest:
		return b.Correlation, b.Partition, true
	case *OffsetCommitResponse:
		return b.Correlation, b.Partition, true
	case *OffsetFetchRequest:
		return b.Correlation, b.Partition, true
	case *OffsetFetchResponse:
		return b.Correlation, b.Partition, true
	case *BoundOffsetRequest:
		return b.Correlation, b.Partition, true
	case *BoundOffsetResponse:
		return b.Correlation, b.Partition, true
	case *LowerOffsetsRequest:
		return b.Correlation, b.Partition, true
	case *LowerOffsetsResponse:
		return b.Correlation, b.Partition, true
	case *JoinGroupRequest:
		return b.Correlation, about, true
	case *JoinGroupResponse:
		return b.Correlation, about, true
	case *HeartbeatRequest:
		return b.Correlation, about, true
	case *HeartbeatResponse:
		return b.Correlation, about, true
	case *LeaveGroupRequest:
		return b.Correlation, about, true
	case *LeaveGroupResponse:
		return b.Correlation, about, true
	case *ListGroupsResponse:
		return b.Correlation, about, true
	case *ListGroupsRequest:
		return b.Correlation, about, true
	case *AddPartitionsToTxnRequest:
		return b.Correlation, b.Partition, true
	case *AddPartitionsToTxnResponse:
		return b.Correlation, b.Partition, true
	case *WriteTxnMarkersRequest:
		return b.Correlation, b.Partition, true
	case *WriteTxnMarkersResponse:
		return b.Correlation, b.Partition, true
	case *FindCoordinatorRequest:
		return b.Correlation, about, true
	case *FindCoordinatorResponse:
		return b.Correlation, about, true
	case *EndTxnRequest:
		return b.Correlation, about, true
	case *EndTxnResponse:
		return b.Correlation, about, true
	}
	return 0, about, false
}

// ofTopics is the correlation of what is sent for admins for topics and mirrors, and the partition that it is about.
func ofTopics(b Body) (correlation uint32, about id.Partition, ok bool) {
	switch b := b.(type) {
	case *DeleteRecordsRequest:
		return b.Correlation, b.Partition, true
	case *DeleteRecordsResponse:
		return b.Correlation, b.Partition, true
	case *DescribeMirrorsRequest:
		return b.Correlation, b.Partition, true
	case *DescribeMirrorsResponse:
		return b.Correlation, b.Partition, true
	case *ElectLeadersRequest:
		return b.Correlation, b.Partition, true
	case *ElectLeadersResponse:
		return b.Correlation, b.Partition, true
	case *MirrorTopicsRequest:
		return b.Correlation, about, true
	case *MirrorTopicsResponse:
		return b.Correlation, about, true
	case *CreateMirrorRequest:
		return b.Correlation, about, true
	case *CreateMirrorResponse:
		return b.Correlation, about, true
	case *DeleteMirrorRequest:
		return b.Correlation, about, true
	case *DeleteMirrorResponse:
		return b.Correlation, about, true
	case *DeleteTopicsRequest:
		return b.Correlation, about, true
	case *DeleteTopicsResponse:
		return b.Correlation, about, true
	case *CreatePartitionsRequest:
		return b.Correlation, about, true
	case *CreatePartitionsResponse:
		return b.Correlation, about, true
	case *DescribeTopicPartitionsResponse:
		return b.Correlation, about, true
	case *DescribeTopicPartitionsRequest:
		return b.Correlation, about, true
	case *CreateTopicsRequest:
		return b.Correlation, about, true
	case *CreateTopicsResponse:
		return b.Correlation, about, true
	}
	return 0, about, false
}

// ofConfigs is the correlation of what is sent for admins for configs and ACLs, and the partition that it is about.
func ofConfigs(b Body) (correlation uint32, about id.Partition, ok bool) {
	switch b := b.(type) {
	case *IncrementalAlterConfigsRequest:
		return b.Correlation, about, true
	case *IncrementalAlterConfigsResponse:
		return b.Correlation, about, true
	case *DescribeConfigsRequest:
		return b.Correlation, about, true
	case *DescribeConfigsResponse:
		return b.Correlation, about, true
	case *CreateAclsRequest:
		return b.Correlation, about, true
	case *CreateAclsResponse:
		return b.Correlation, about, true
	case *DeleteAclsRequest:
		return b.Correlation, about, true
	case *DeleteAclsResponse:
		return b.Correlation, about, true
	case *DescribeAclsResponse:
		return b.Correlation, about, true
	case *DescribeAclsRequest:
		return b.Correlation, about, true
	}
	return 0, about, false
}
