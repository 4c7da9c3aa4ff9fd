package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// MirrorAction is which of the mirror requests of section 2 a MirrorTopicsRequest is.
type MirrorAction uint8

// The mirror requests; each has two names, the older and the newer revision's.
const (
	StartMirrorTopics   MirrorAction = iota // AddTopicsToMirror
	StopMirrorTopics                        // RemoveTopicsFromMirror
	PauseMirrorTopics                       // the same in both
	ResumeMirrorTopics                      // the same in both
	RecoverMirrorTopics                     // of the later design
	mirrorActions
)

// String is the newer revision's name.
func (a MirrorAction) String() string {
	if a < mirrorActions {
		return [...]string{"StartMirrorTopics", "StopMirrorTopics", "PauseMirrorTopics", "ResumeMirrorTopics", "RecoverMirrorTopics"}[a]
	}
	return "?"
}

// MirrorTopicsRequest changes the desired state of topics. Any broker forwards it to the active controller; Actual is
// what that broker read of the partitions' actual states before it forwarded (D48), by topic.
type MirrorTopicsRequest struct {
	Action      MirrorAction
	Mirror      id.Mirror
	Topics      []id.Topic
	Patterns    []string      // of a stop: they leave mirror.topics.include and join mirror.topics.exclude
	Actual      []ActualState // of every partition of the topics; nil when nobody asks for them (D48)
	Sources     []SourceTopic // of a start: what the source says of the topics; one that it did not tell of is missing
	Deleted     bool          // of a stop: the partition's leader asks, as the source has deleted the topic (D24)
	Discovered  bool          // of a start: mirror-wide work asks, as mirror.topics.include matches
	Number      uint32        // of the admin's request, growing, the same in every attempt (D47); 0: a broker asks
	Client      id.Node       // who asked first; None until a broker forwards it
	Correlation uint32
}

// ActualState is one partition's actual state as a broker read it from its coordinator.
type ActualState struct {
	Partition id.Partition
	State     record.State
}

// SourceTopic is what the source says of a topic that is to be mirrored: its name and its number of partitions.
type SourceTopic struct {
	Topic      id.Topic
	Name       string
	Partitions uint16 // 0: the source has no such topic
}

// MirrorTopicsResponse has one result per topic, in the order of the request. Code is for the request as a whole.
type MirrorTopicsResponse struct {
	Code        Code
	Results     []TopicResult
	Client      id.Node
	Correlation uint32
}

// TopicResult is what became of one topic of a request.
type TopicResult struct {
	Topic id.Topic
	Code  Code
}

// CreateMirrorRequest creates the resource MIRROR/<name> on the cluster that is asked. Any broker forwards it to the
// active controller.
type CreateMirrorRequest struct {
	Mirror      *record.MirrorRecord
	Client      id.Node // who asked first; None until a broker forwards it
	Correlation uint32
}

// CreateMirrorResponse answers InvalidClusterMirrorName or ClusterMirrorAlreadyExists where it is refused.
type CreateMirrorResponse struct {
	Code        Code
	Client      id.Node
	Correlation uint32
}

// DeleteMirrorRequest deletes a mirror of which every topic is stopped and every partition STOPPED. The broker that takes
// it reads the actual states before it forwards it.
type DeleteMirrorRequest struct {
	Mirror      id.Mirror
	Actual      []ActualState
	Client      id.Node // who asked first; None until a broker forwards it
	Correlation uint32
}

// DeleteMirrorResponse answers UnknownClusterMirror or ClusterMirrorNotEmpty where it is refused.
type DeleteMirrorResponse struct {
	Code        Code
	Client      id.Node
	Correlation uint32
}

// DeleteTopicsRequest deletes topics; one that is mirrored and not stopped is refused with MirrorTopicNotStopped, the
// others of the request are not affected. Any broker forwards it.
type DeleteTopicsRequest struct {
	Topics      []id.Topic
	Client      id.Node // who asked first; None until a broker forwards it
	Correlation uint32
}

// DeleteTopicsResponse has one result per topic, in the order of the request. Code is for the request as a whole.
type DeleteTopicsResponse struct {
	Code        Code
	Results     []TopicResult
	Client      id.Node
	Correlation uint32
}

// CreatePartitionsRequest grows topics to Partitions partitions; as DeleteTopicsRequest it leaves mirrored ones alone, unless
// the mirror-wide work of their mirror asks.
type CreatePartitionsRequest struct {
	Topics      []id.Topic
	Partitions  uint16
	Mirror      id.Mirror // 0, or whose mirror-wide work asks: then only topics that it is to mirror are grown
	Client      id.Node   // who asked first; None until a broker forwards it
	Correlation uint32
}

// CreatePartitionsResponse has one result per topic, in the order of the request. Code is for the request as a whole.
type CreatePartitionsResponse struct {
	Code        Code
	Results     []TopicResult
	Client      id.Node
	Correlation uint32
}

// DeleteRecordsRequest asks a partition's leader to move the log start to Offset; -1 is the high watermark.
type DeleteRecordsRequest struct {
	Partition   id.Partition
	Offset      int64
	Correlation uint32
}

// DeleteRecordsResponse answers the log start.
type DeleteRecordsResponse struct {
	Partition   id.Partition
	Code        Code
	LogStart    int64
	Correlation uint32
}

// DescribeMirrorsRequest asks any broker for one mirrored partition. A broker that does not lead the partition passes it
// to the one that does, which knows the lag.
type DescribeMirrorsRequest struct {
	Mirror      id.Mirror
	Partition   id.Partition
	Client      id.Node // who asked first; None until a broker passes it on
	Correlation uint32
}

// DescribeMirrorsResponse is the desired state by the broker's image, and the actual one, with the reason and the
// attempts of FAILED and the last mirrored position, by the coordinator. LagKnown is false before the source answered in
// the present leader epoch, and where nobody leads: lag is unknown then, never 0.
type DescribeMirrorsResponse struct {
	Partition   id.Partition
	Code        Code
	Desired     record.Desired
	State       record.MirrorState
	HasPosition bool
	Position    record.MirrorState
	Lag         int64 // by D43
	LagKnown    bool
	Client      id.Node
	Correlation uint32
}

// ElectLeadersRequest moves a partition's leadership: clean to the next live ISR member in assignment order, or unclean
// to the first live replica that is not the leader. Any broker forwards it.
type ElectLeadersRequest struct {
	Partition   id.Partition
	Unclean     bool
	Target      id.Node // None: the next in assignment order
	Client      id.Node // who asked first; None until a broker forwards it
	Correlation uint32
}

// ElectLeadersResponse answers who leads now and in which leader epoch.
type ElectLeadersResponse struct {
	Partition   id.Partition
	Code        Code
	Leader      id.Node
	LeaderEpoch int32
	Client      id.Node
	Correlation uint32
}

// API of each message.
func (*MirrorTopicsRequest) API() API      { return MirrorTopics }
func (*MirrorTopicsResponse) API() API     { return MirrorTopics + 1 }
func (*CreateMirrorRequest) API() API      { return CreateMirror }
func (*CreateMirrorResponse) API() API     { return CreateMirror + 1 }
func (*DeleteMirrorRequest) API() API      { return DeleteMirror }
func (*DeleteMirrorResponse) API() API     { return DeleteMirror + 1 }
func (*DeleteTopicsRequest) API() API      { return DeleteTopics }
func (*DeleteTopicsResponse) API() API     { return DeleteTopics + 1 }
func (*CreatePartitionsRequest) API() API  { return CreatePartitions }
func (*CreatePartitionsResponse) API() API { return CreatePartitions + 1 }
func (*DeleteRecordsRequest) API() API     { return DeleteRecords }
func (*DeleteRecordsResponse) API() API    { return DeleteRecords + 1 }
func (*DescribeMirrorsRequest) API() API   { return DescribeMirrors }
func (*DescribeMirrorsResponse) API() API  { return DescribeMirrors + 1 }
func (*ElectLeadersRequest) API() API      { return ElectLeaders }
func (*ElectLeadersResponse) API() API     { return ElectLeaders + 1 }
