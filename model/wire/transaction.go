package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// FindCoordinatorRequest asks any broker who coordinates the asker's transactions, the leader of a partition of
// __transaction_state, or a group, that of one of __consumer_offsets.
type FindCoordinatorRequest struct {
	Group       record.Group // without a name: transactions
	Correlation uint32
}

// FindCoordinatorResponse names the coordinator; CoordinatorNotAvailable while there is none.
type FindCoordinatorResponse struct {
	Code        Code
	Coordinator id.Node
	Correlation uint32
}

// AddPartitionsToTxnRequest adds a partition to a client's transaction, or verifies for the partition's leader that it
// was added (KIP-890). Client is the transactional id.
type AddPartitionsToTxnRequest struct {
	Client        id.Node
	ProducerID    int64
	ProducerEpoch int16
	Partition     id.Partition
	VerifyOnly    bool
	Correlation   uint32
}

// AddPartitionsToTxnResponse answers whether the partition is in the transaction; InvalidTxnState where it is not.
type AddPartitionsToTxnResponse struct {
	Partition   id.Partition
	Code        Code
	Correlation uint32
}

// EndTxnRequest commits or aborts the transaction of the asker, who is the transactional id.
type EndTxnRequest struct {
	ProducerID    int64
	ProducerEpoch int16
	Commit        bool
	Correlation   uint32
}

// EndTxnResponse answers with the pair under which the client goes on: every end raises the producer epoch (KIP-890), so
// that a request of the transaction before cannot end the next one.
type EndTxnResponse struct {
	Code          Code
	ProducerID    int64
	ProducerEpoch int16
	Correlation   uint32
}

// WriteTxnMarkersRequest has a partition's leader append a COMMIT or ABORT marker.
type WriteTxnMarkersRequest struct {
	Partition        id.Partition
	ProducerID       int64
	ProducerEpoch    int16
	CoordinatorEpoch int32
	Commit           bool
	Correlation      uint32
}

// WriteTxnMarkersResponse answers once the marker is below the high watermark.
type WriteTxnMarkersResponse struct {
	Partition   id.Partition
	Code        Code
	Correlation uint32
}

// API of each message.
func (*FindCoordinatorRequest) API() API     { return FindCoordinator }
func (*FindCoordinatorResponse) API() API    { return FindCoordinator + 1 }
func (*AddPartitionsToTxnRequest) API() API  { return AddPartitionsToTxn }
func (*AddPartitionsToTxnResponse) API() API { return AddPartitionsToTxn + 1 }
func (*EndTxnRequest) API() API              { return EndTxn }
func (*EndTxnResponse) API() API             { return EndTxn + 1 }
func (*WriteTxnMarkersRequest) API() API     { return WriteTxnMarkers }
func (*WriteTxnMarkersResponse) API() API    { return WriteTxnMarkers + 1 }

// Words of the message; see Body.
func (b *FindCoordinatorRequest) Words(dst []uint64) []uint64 { return b.Group.Words(dst) }

// Words of the message; see Body.
func (b *FindCoordinatorResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.Coordinator))
}

// Words of the message; see Body.
func (b *AddPartitionsToTxnRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Client), uint64(b.ProducerID), uint64(b.ProducerEpoch), uint64(b.Partition.Word()), id.Bit64(b.VerifyOnly))
}

// Words of the message; see Body.
func (b *AddPartitionsToTxnResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code))
}

// Words of the message; see Body.
func (b *EndTxnRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.ProducerID), uint64(b.ProducerEpoch), id.Bit64(b.Commit))
}

// Words of the message; see Body.
func (b *EndTxnResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.ProducerID), uint64(b.ProducerEpoch))
}

// Words of the message; see Body.
func (b *WriteTxnMarkersRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.ProducerID), uint64(b.ProducerEpoch), uint64(b.CoordinatorEpoch), id.Bit64(b.Commit))
}

// Words of the message; see Body.
func (b *WriteTxnMarkersResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code))
}

// Words of the message; see Body.
func (b *TransactionCommand) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Cluster), id.Bit64(b.Commit))
}
