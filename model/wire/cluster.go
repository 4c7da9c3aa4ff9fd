package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// AlterPartitionRequest asks the controller for another ISR.
type AlterPartitionRequest struct {
	Partition      id.Partition
	LeaderEpoch    int32
	PartitionEpoch int32
	ISR            id.Set
	Correlation    uint32
}

// AlterPartitionResponse refuses, or accepts; the change itself arrives through the metadata log.
type AlterPartitionResponse struct {
	Partition      id.Partition
	Code           Code // FencedLeaderEpoch, InvalidUpdateVersion, NotController
	PartitionEpoch int32
	Correlation    uint32
}

// BumpLeaderEpochRequest asks the controller for a leader epoch of at least Minimum; the leader stays. Only the leader asks.
// One that is answered late, or sent twice, finds the epoch there already, and succeeds.
type BumpLeaderEpochRequest struct {
	Partition   id.Partition
	Minimum     int32
	Correlation uint32
}

// BumpLeaderEpochResponse answers the leader epoch after the bump.
type BumpLeaderEpochResponse struct {
	Partition   id.Partition
	Code        Code // FencedLeaderEpoch, NotController
	LeaderEpoch int32
	Correlation uint32
}

// BrokerHeartbeatRequest registers a broker's incarnation and keeps its session with the active controller.
type BrokerHeartbeatRequest struct {
	Incarnation    uint32
	MetadataOffset int64 // how far the broker has replayed
	// Offline are the replicas whose log directory has failed (OfflineLogDirs of KIP-858).
	Offline     []id.Partition
	Correlation uint32
}

// BrokerHeartbeatResponse tells the broker whether it is fenced.
type BrokerHeartbeatResponse struct {
	Code        Code // NotController, StaleBrokerEpoch
	Fenced      bool
	Correlation uint32
}

// AllocateProducerIdsRequest asks the controller for a block of producer ids.
type AllocateProducerIdsRequest struct{ Correlation uint32 }

// AllocateProducerIdsResponse gives the ids from Start to Start+Count-1.
type AllocateProducerIdsResponse struct {
	Code        Code
	Start       int64
	Count       int32
	Correlation uint32
}

// ControllerHeartbeatRequest keeps a controller's session with the metadata log, and asks for the active role when that
// is free. Epoch is the controller epoch in which it believes to be active, 0 if it does not: an active controller that
// has restarted gets a new epoch, so that nothing it sent before can be taken for what it sends after.
type ControllerHeartbeatRequest struct {
	Epoch       int32
	Correlation uint32
}

// ControllerHeartbeatResponse says who is active, in which controller epoch.
type ControllerHeartbeatResponse struct {
	Active      id.Node
	Epoch       int32
	End         int64 // of the metadata log
	Correlation uint32
}

// AppendMetadataRequest appends records at offset Base. The log takes records of the highest controller epoch only.
type AppendMetadataRequest struct {
	Epoch       int32
	Base        int64
	Records     []record.Metadata
	Correlation uint32
}

// AppendMetadataResponse answers the end of the log; NotController when the epoch is not the highest.
type AppendMetadataResponse struct {
	Code        Code
	End         int64
	Correlation uint32
}

// MetadataFetchRequest reads the metadata log from Offset; parked until there is something, or a controller of a higher
// controller epoch than the asker knows.
type MetadataFetchRequest struct {
	Offset          int64
	ControllerEpoch int32
	Correlation     uint32
}

// MetadataFetchResponse carries records from Base on, and who the active controller is.
type MetadataFetchResponse struct {
	Base            int64
	Records         []record.Metadata
	Controller      id.Node
	ControllerEpoch int32
	Correlation     uint32
}

// API of each message.
func (*AlterPartitionRequest) API() API       { return AlterPartition }
func (*AlterPartitionResponse) API() API      { return AlterPartition + 1 }
func (*BumpLeaderEpochRequest) API() API      { return BumpLeaderEpoch }
func (*BumpLeaderEpochResponse) API() API     { return BumpLeaderEpoch + 1 }
func (*BrokerHeartbeatRequest) API() API      { return BrokerHeartbeat }
func (*BrokerHeartbeatResponse) API() API     { return BrokerHeartbeat + 1 }
func (*AllocateProducerIdsRequest) API() API  { return AllocateProducerIds }
func (*AllocateProducerIdsResponse) API() API { return AllocateProducerIds + 1 }
func (*ControllerHeartbeatRequest) API() API  { return ControllerHeartbeat }
func (*ControllerHeartbeatResponse) API() API { return ControllerHeartbeat + 1 }
func (*AppendMetadataRequest) API() API       { return AppendMetadata }
func (*AppendMetadataResponse) API() API      { return AppendMetadata + 1 }
func (*MetadataFetchRequest) API() API        { return MetadataFetch }
func (*MetadataFetchResponse) API() API       { return MetadataFetch + 1 }
