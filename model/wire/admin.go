package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// MirrorAction is which of the mirror requests of section 2 a MirrorTopicsRequest is.
type MirrorAction uint8

// The mirror requests; each has two names, the older and the newer revision's.
const (
	StartMirrorTopics  MirrorAction = iota // AddTopicsToMirror
	StopMirrorTopics                       // RemoveTopicsFromMirror
	PauseMirrorTopics                      // the same in both
	ResumeMirrorTopics                     // the same in both
)

// String is the newer revision's name.
func (a MirrorAction) String() string {
	return [...]string{"StartMirrorTopics", "StopMirrorTopics", "PauseMirrorTopics", "ResumeMirrorTopics"}[a&3]
}

// MirrorTopicsRequest changes the desired state of topics. Any broker forwards it to the active controller; Actual is
// what that broker read of the partitions' actual states before it forwarded (D48), by topic.
type MirrorTopicsRequest struct {
	Action      MirrorAction
	Mirror      id.Mirror
	Topics      []id.Topic
	Actual      []ActualState // of every partition of the topics; nil when D48 says desired
	Client      id.Node       // who asked first; None until a broker forwards it
	Correlation uint32
}

// ActualState is one partition's actual state as a broker read it from its coordinator.
type ActualState struct {
	Partition id.Partition
	State     record.State
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

// DescribeMirrorsRequest asks a broker for what it knows of one mirrored partition.
type DescribeMirrorsRequest struct {
	Mirror      id.Mirror
	Partition   id.Partition
	Correlation uint32
}

// DescribeMirrorsResponse is the desired state by the broker's image and the actual one by the coordinator. LagKnown is
// false before the source answered in the present leader epoch: lag is unknown then, never 0.
type DescribeMirrorsResponse struct {
	Partition   id.Partition
	Code        Code
	Desired     record.Desired
	Actual      record.State
	Lag         int64
	LagKnown    bool
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
func (*MirrorTopicsRequest) API() API     { return MirrorTopics }
func (*MirrorTopicsResponse) API() API    { return MirrorTopics + 1 }
func (*DescribeMirrorsRequest) API() API  { return DescribeMirrors }
func (*DescribeMirrorsResponse) API() API { return DescribeMirrors + 1 }
func (*ElectLeadersRequest) API() API     { return ElectLeaders }
func (*ElectLeadersResponse) API() API    { return ElectLeaders + 1 }
