package wire

import "mirrorsim/model/id"

// ProduceCommand has a producer client write Count records to a partition. The runner sends it, from id.None.
type ProduceCommand struct {
	Cluster    id.Cluster
	Partition  id.Partition
	Count      int32
	Batch      int32 // records a batch, at least 1
	Acks       int8
	ProducerID int64 // -1: ask the cluster for one; otherwise use this one, epoch 0 (the id of another life)
}

// ConsumeCommand has a consumer read a partition from its log start on, for good.
type ConsumeCommand struct {
	Cluster       id.Cluster
	Partition     id.Partition
	ReadCommitted bool
	Reset         Reset
}

// Reset is a consumer's auto.offset.reset.
type Reset uint8

// The reset policies. NoReset reports an error when the position is not valid any more.
const (
	NoReset Reset = iota
	ResetEarliest
	ResetLatest
)

// MoveCommand has a producer go on against another cluster with the batches for a partition that have not returned, as one
// does whose bootstrap address leads elsewhere from now on: their producer id, epoch and sequences stay. A mirrored
// partition is the same on both clusters.
type MoveCommand struct {
	From, To  id.Cluster
	Partition id.Partition
}

// TransactionCommand has a transactional producer end its transaction on a cluster: commit it, or abort it.
type TransactionCommand struct {
	Cluster id.Cluster
	Commit  bool
}

// GroupCommand has a group's member commit its positions on a cluster now, and then leave the group there.
type GroupCommand struct {
	Cluster id.Cluster
	Leave   bool
}

// AdminCommand has the admin client send a request to its cluster, with retries and the request time-out of Kafka's
// admin. Request is a one of those of admin.go.
type AdminCommand struct{ Request Body }

// RetentionCommand is the moment at which what lies below Before is old enough, or too much, in the log of a partition's
// leader: what a segment's roll and retention.ms or retention.bytes bring about in Kafka.
type RetentionCommand struct {
	Partition id.Partition
	Before    int64 // an offset
}

// CompactCommand is a pass of a broker's log cleaner over its replica of a partition.
type CompactCommand struct {
	Partition id.Partition
	Keep      []int64 // the offsets of the records that stay; nil: the newest of each key
}

// MoveControllerCommand has a metadata log give the active role to another controller, as when the present one resigns.
type MoveControllerCommand struct{ To id.Node }

// ReportCommand has a broker report the state of its replicas into the history, and a client give up what it still has
// under way.
type ReportCommand struct{}

// API of each message.
func (*ProduceCommand) API() API        { return ProduceCommandAPI }
func (*ConsumeCommand) API() API        { return ConsumeCommandAPI }
func (*MoveCommand) API() API           { return MoveCommandAPI }
func (*TransactionCommand) API() API    { return TransactionCommandAPI }
func (*GroupCommand) API() API          { return GroupCommandAPI }
func (*AdminCommand) API() API          { return AdminCommandAPI }
func (*RetentionCommand) API() API      { return RetentionCommandAPI }
func (*CompactCommand) API() API        { return CompactCommandAPI }
func (*ReportCommand) API() API         { return ReportCommandAPI }
func (*MoveControllerCommand) API() API { return MoveControllerCommandAPI }
