package wire

// Body is a request, a response or a command of the runner.
type Body interface {
	API() API
	// Words are the body's fields as numbers, in a fixed order, appended to dst: what a fingerprint or a hash of the
	// message mixes. Correlations are left out.
	Words(dst []uint64) []uint64
}

// API is which message it is.
type API uint8

// The messages. A response's API is its request's + 1.
const (
	Produce API = 2 * iota
	Fetch
	ListOffsets
	Metadata
	InitProducerId
	ElectLeaders
	MirrorTopics
	CreateMirror
	DeleteMirror
	DescribeMirrors
	DeleteTopics
	CreatePartitions
	DeleteRecords
	FindCoordinator
	AddPartitionsToTxn
	EndTxn
	WriteTxnMarkers
	JoinGroup
	Heartbeat
	LeaveGroup
	OffsetCommit
	OffsetFetch
	ListGroups
	BoundOffset
	LowerOffsets
	LastMirroredPosition
	ReadMirrorStates
	WriteMirrorStates
	AlterPartition
	BumpLeaderEpoch
	BrokerHeartbeat
	AllocateProducerIds
	ControllerHeartbeat
	AppendMetadata
	MetadataFetch
	IncrementalAlterConfigs
	DescribeConfigs
	DescribeTopicPartitions
	CreateAcls
	DeleteAcls
	DescribeAcls
	CreateTopics
	ProduceCommandAPI
	ConsumeCommandAPI
	MoveCommandAPI
	TransactionCommandAPI
	GroupCommandAPI
	AdminCommandAPI
	RetentionCommandAPI
	CompactCommandAPI
	ReportCommandAPI
	MoveControllerCommandAPI
	apis
)

var apiNames = [apis / 2]string{"Produce", "Fetch", "ListOffsets", "Metadata", "InitProducerId", "ElectLeaders",
	"MirrorTopics", "CreateMirror", "DeleteMirror", "DescribeMirrors", "DeleteTopics", "CreatePartitions", "DeleteRecords",
	"FindCoordinator", "AddPartitionsToTxn", "EndTxn", "WriteTxnMarkers", "JoinGroup", "Heartbeat",
	"LeaveGroup", "OffsetCommit", "OffsetFetch", "ListGroups", "BoundOffset", "LowerOffsets", "LastMirroredPosition", "ReadMirrorStates", "WriteMirrorStates", "AlterPartition",
	"BumpLeaderEpoch", "BrokerHeartbeat", "AllocateProducerIds", "ControllerHeartbeat", "AppendMetadata", "MetadataFetch",
	"IncrementalAlterConfigs", "DescribeConfigs", "DescribeTopicPartitions", "CreateAcls", "DeleteAcls", "DescribeAcls", "CreateTopics",
	"ProduceCommand", "ConsumeCommand", "MoveCommand", "TransactionCommand", "GroupCommand", "AdminCommand", "RetentionCommand", "CompactCommand", "ReportCommand", "MoveControllerCommand"}

// Answer tells whether it is a response.
func (a API) Answer() bool { return a < ProduceCommandAPI && a%2 == 1 }

// Messages are the requests and responses: all but the commands of the runner.
func Messages() []API {
	var list []API
	for a := range ProduceCommandAPI {
		list = append(list, a)
	}
	return list
}

// ParseAPI is the request or response of that name.
func ParseAPI(s string) (API, bool) {
	for a := range ProduceCommandAPI {
		if a.String() == s {
			return a, true
		}
	}
	return 0, false
}

// String is Kafka's name: "FetchRequest", "FetchResponse"; a command's is its own.
func (a API) String() string {
	if a >= apis {
		return "?"
	}
	name := apiNames[a/2]
	switch {
	case a >= ProduceCommandAPI:
		return name
	case a%2 == 0:
		return name + "Request"
	}
	return name + "Response"
}
