package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// ProduceRequest appends one batch. It carries no leader epoch: a deposed leader that does not know it yet takes it.
type ProduceRequest struct {
	Partition   id.Partition
	Acks        int8 // 0, 1 or -1 (all)
	Batch       *record.Batch
	Correlation uint32
}

// AcksAll is the acks of a producer that waits for the whole ISR.
const AcksAll int8 = -1

// ProduceResponse answers with the base offset of the batch. With acks=0 none is sent.
type ProduceResponse struct {
	Partition   id.Partition
	Code        Code
	Base        int64
	Correlation uint32
}

// FetchRequest reads one partition: a follower, a mirror fetcher or a consumer.
type FetchRequest struct {
	Partition          id.Partition
	Replica            id.Node // None: a consumer or a mirror fetcher
	CurrentLeaderEpoch int32   // -1: not known, not checked
	LastFetchedEpoch   int32   // -1: the fetcher's log is empty
	FetchOffset        int64
	MaxWait            id.Duration // how long the leader may hold the request when there is nothing to read
	ReadCommitted      bool        // bounded by the last stable offset
	Mirror             bool        // a mirror fetcher's; the source treats it as a consumer's
	CreatedAt          int64       // of a follower: where its metadata log created the topic; 0: not said. The id may come again
	Cut                uint32      // the newest cut of the leader's own log that the follower has heard of (FetchResponse.Cut)
	Correlation        uint32
}

// FetchResponse answers data, or a divergence, or an error. Batches is a view of the leader's log, never written to.
type FetchResponse struct {
	Partition       id.Partition
	Code            Code
	LeaderEpoch     int32 // of the answering leader
	FetchOffset     int64 // echoed: what the batches continue
	Diverging       bool
	DivergingEpoch  int32 // the leader's answer to endOffsetFor(last fetched epoch)
	DivergingOffset int64
	HighWatermark   int64
	LastStable      int64
	LogStart        int64
	LogEnd          int64
	Cut             uint32 // how often this leader has truncated its own log since it was elected
	Batches         []*record.Batch
	Aborted         []AbortedTransaction // in what is read, for a reader in read_committed
	Correlation     uint32
}

// AbortedTransaction tells a reader in read_committed to skip a producer's transactional batches from First on, up to its
// ABORT marker.
type AbortedTransaction struct {
	ProducerID int64
	First      int64
}

// ListOffsetsRequest asks for an end of the log.
type ListOffsetsRequest struct {
	Partition     id.Partition
	Earliest      bool // the log start; otherwise the end that ReadCommitted names
	ReadCommitted bool
	Correlation   uint32
}

// ListOffsetsResponse answers the offset and the leader epoch of the record before it, -1 if there is none.
type ListOffsetsResponse struct {
	Partition   id.Partition
	Code        Code
	Offset      int64
	LeaderEpoch int32
	Correlation uint32
}

// MetadataRequest asks any broker for what it believes of one partition.
type MetadataRequest struct {
	Partition   id.Partition
	Correlation uint32
}

// MetadataResponse is what the broker's image holds; it may be old.
type MetadataResponse struct {
	Partition   id.Partition
	Code        Code // UnknownTopicOrPartition, LeaderNotAvailable
	Leader      id.Node
	LeaderEpoch int32
	Partitions  uint16 // of the topic
	Name        string // of the topic
	Cluster     id.Cluster
	Brokers     id.Set // the live ones
	Correlation uint32
}

// InitProducerIdRequest asks any broker for a producer id, or the coordinator of a transactional id for the id and the
// epoch under which its transactions go on; ProducerID and ProducerEpoch are then those that the client has, -1 at first. Client
// is the transactional id where it is Transactional: the asker, or who an admin fences (Kafka's Admin.fenceProducers, KIP-588),
// as another instance of the same application would.
type InitProducerIdRequest struct {
	Client        id.Node
	Transactional bool
	ProducerID    int64
	ProducerEpoch int16
	Correlation   uint32
}

// InitProducerIdResponse gives a producer id of the cluster's own allocator with producer epoch 0, or the pair of a
// transactional id.
type InitProducerIdResponse struct {
	Code          Code
	ProducerID    int64
	ProducerEpoch int16
	Correlation   uint32
}

// API of each message.
func (*ProduceRequest) API() API         { return Produce }
func (*ProduceResponse) API() API        { return Produce + 1 }
func (*FetchRequest) API() API           { return Fetch }
func (*FetchResponse) API() API          { return Fetch + 1 }
func (*ListOffsetsRequest) API() API     { return ListOffsets }
func (*ListOffsetsResponse) API() API    { return ListOffsets + 1 }
func (*MetadataRequest) API() API        { return Metadata }
func (*MetadataResponse) API() API       { return Metadata + 1 }
func (*InitProducerIdRequest) API() API  { return InitProducerId }
func (*InitProducerIdResponse) API() API { return InitProducerId + 1 }
