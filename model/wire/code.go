package wire

// Code is Kafka's error code of an answer. OK is NONE.
type Code uint8

// The error codes, by Kafka's names (section 2 of the design).
const (
	OK Code = iota
	UnknownTopicOrPartition
	UnsupportedVersion
	NotController
	NotCoordinator
	CoordinatorLoadInProgress
	RequestTimedOut
	NotLeaderOrFollower
	FencedLeaderEpoch
	UnknownLeaderEpoch
	FencedStateEpoch
	OffsetOutOfRange
	NotEnoughReplicas
	NotEnoughReplicasAfterAppend
	OutOfOrderSequenceNumber
	InvalidProducerEpoch
	UnknownProducerId
	InvalidTxnState
	CorruptMessage
	ReadOnlyTopic
	InvalidClusterMirrorName
	ClusterMirrorAlreadyExists
	UnknownClusterMirror
	ClusterMirrorNotEmpty
	TopicAlreadyInClusterMirror
	TopicNotInClusterMirror
	InvalidClusterMirrorState
	MirrorTopicNotStopped
	MirrorTopicBeingStopped
	MirrorTopicAlreadyPaused
	MirrorTopicNotPaused
	InconsistentTopicId
	TopicAlreadyExists
	InvalidRequest
	ElectionNotNeeded
	EligibleLeadersNotAvailable
	InvalidUpdateVersion
	StaleBrokerEpoch
	LeaderNotAvailable
	IneligibleReplica       // an ISR change names a fenced broker, or one that is not a replica
	LogTruncation           // a consumer without a reset policy found its history truncated (KIP-320)
	CoordinatorNotAvailable // nobody leads the transactional id's partition of __transaction_state, or the group's of __consumer_offsets
	ConcurrentTransactions  // the transaction before is still being ended
	ProducerFenced          // another producer has the transactional id now
	InvalidProducerIdMapping
	TransactionCoordinatorFenced // the marker is of an older coordinator than the newest that the partition has heard
	UnknownMemberId              // the group has another member, or none; or it is active and the commit is foreign
	IllegalGeneration            // the group has had a join since
	InvalidConfig
	KafkaStorageError // the disk of this broker cannot take or read the log
	codes
)

var codeNames = [codes]string{"NONE", "UNKNOWN_TOPIC_OR_PARTITION", "UNSUPPORTED_VERSION", "NOT_CONTROLLER",
	"NOT_COORDINATOR", "COORDINATOR_LOAD_IN_PROGRESS", "REQUEST_TIMED_OUT", "NOT_LEADER_OR_FOLLOWER",
	"FENCED_LEADER_EPOCH", "UNKNOWN_LEADER_EPOCH", "FENCED_STATE_EPOCH", "OFFSET_OUT_OF_RANGE", "NOT_ENOUGH_REPLICAS",
	"NOT_ENOUGH_REPLICAS_AFTER_APPEND", "OUT_OF_ORDER_SEQUENCE_NUMBER", "INVALID_PRODUCER_EPOCH", "UNKNOWN_PRODUCER_ID",
	"INVALID_TXN_STATE", "CORRUPT_MESSAGE", "READ_ONLY_TOPIC", "INVALID_CLUSTER_MIRROR_NAME",
	"CLUSTER_MIRROR_ALREADY_EXISTS", "UNKNOWN_CLUSTER_MIRROR", "CLUSTER_MIRROR_NOT_EMPTY",
	"TOPIC_ALREADY_IN_CLUSTER_MIRROR", "TOPIC_NOT_IN_CLUSTER_MIRROR", "INVALID_CLUSTER_MIRROR_STATE",
	"MIRROR_TOPIC_NOT_STOPPED", "MIRROR_TOPIC_BEING_STOPPED", "MIRROR_TOPIC_ALREADY_PAUSED", "MIRROR_TOPIC_NOT_PAUSED",
	"INCONSISTENT_TOPIC_ID", "TOPIC_ALREADY_EXISTS", "INVALID_REQUEST", "ELECTION_NOT_NEEDED",
	"ELIGIBLE_LEADERS_NOT_AVAILABLE", "INVALID_UPDATE_VERSION", "STALE_BROKER_EPOCH", "LEADER_NOT_AVAILABLE",
	"INELIGIBLE_REPLICA", "LOG_TRUNCATION", "COORDINATOR_NOT_AVAILABLE", "CONCURRENT_TRANSACTIONS", "PRODUCER_FENCED",
	"INVALID_PRODUCER_ID_MAPPING", "TRANSACTION_COORDINATOR_FENCED", "UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "INVALID_CONFIG",
	"KAFKA_STORAGE_ERROR"}

// String is Kafka's name of the code.
func (c Code) String() string {
	if c < codes {
		return codeNames[c]
	}
	return "?"
}

// ParseCode is the code of that name.
func ParseCode(s string) (Code, bool) {
	for i, n := range codeNames {
		if n == s {
			return Code(i), true
		}
	}
	return 0, false
}

// Retriable tells whether a client tries again after this code, as Kafka's clients do.
func (c Code) Retriable() bool {
	switch c {
	case UnknownTopicOrPartition, NotController, NotCoordinator, CoordinatorLoadInProgress, RequestTimedOut,
		NotLeaderOrFollower, FencedLeaderEpoch, UnknownLeaderEpoch, NotEnoughReplicas, NotEnoughReplicasAfterAppend,
		LeaderNotAvailable, StaleBrokerEpoch, CoordinatorNotAvailable, ConcurrentTransactions, KafkaStorageError:
		return true
	}
	return false
}
