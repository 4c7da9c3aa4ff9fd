package wire

// codeDocs say when somebody gets each code: a client or admin where nothing else is said.
var codeDocs = [codes]string{
	OK:                           "it is done, or taken",
	UnknownTopicOrPartition:      "the topic, or the partition of it, does not exist there, or the source of a mirror does not have it",
	UnsupportedVersion:           "a stop with patterns in a revision whose stop has none (add-remove)",
	NotController:                "the node asked is not the active controller, or has not replayed to the end yet",
	NotCoordinator:               "the broker asked does not lead the internal topic's partition",
	CoordinatorLoadInProgress:    "the coordinator has not replayed its partition yet",
	RequestTimedOut:              "no answer came in time, and what became of the request is not known",
	NotLeaderOrFollower:          "the broker asked does not lead the partition",
	FencedLeaderEpoch:            "the request is of an older leader epoch than the one asked knows",
	UnknownLeaderEpoch:           "the request is of a newer leader epoch than the one asked knows",
	FencedStateEpoch:             "between brokers: a mirror state is written over one that the writer has not read (D16)",
	OffsetOutOfRange:             "a fetch is below the log start or above the log end",
	NotEnoughReplicas:            "the ISR is below min.insync.replicas, or a transaction cannot be verified yet: nothing is appended",
	NotEnoughReplicasAfterAppend: "the ISR fell below min.insync.replicas after the append, so that the batch may stay or go",
	OutOfOrderSequenceNumber:     "an idempotent batch does not follow the producer's last one",
	InvalidProducerEpoch:         "the producer epoch is below one that the partition or the coordinator knows",
	UnknownProducerId:            "the partition knows nothing of a producer whose sequence is above 0 (D35)",
	InvalidTxnState:              "a transaction is ended the other way than before, or a batch is of none that its cluster's coordinator knows",
	CorruptMessage:               "the batch does not have its CRC",
	ReadOnlyTopic:                "the partition is mirrored here and not STOPPED, so that clients may not write",
	InvalidClusterMirrorName:     "CreateMirror: the name is not legal in this revision",
	ClusterMirrorAlreadyExists:   "CreateMirror: there is a mirror of that name",
	UnknownClusterMirror:         "there is no mirror of that name",
	ClusterMirrorNotEmpty:        "DeleteMirror: a topic of it is not desired to be stopped, or a partition is not STOPPED",
	TopicAlreadyInClusterMirror:  "start: the topic is mirroring already (D47), or belongs to another mirror",
	TopicNotInClusterMirror:      "the topic does not belong to that mirror",
	InvalidClusterMirrorState:    "the topic's state does not allow the request, such as a stop under D18 or a pause on the way to MIRRORING",
	MirrorTopicNotStopped:        "the topic is mirrored: a start of a paused one, or what only a stopped or plain topic allows",
	MirrorTopicBeingStopped:      "pause or resume: the topic is desired to be stopped",
	MirrorTopicAlreadyPaused:     "pause: the topic is paused already (D47); stop: it is paused, and D18 does not take that",
	MirrorTopicNotPaused:         "resume: the topic is not paused",
	InconsistentTopicId:          "start: the topic here has another topic id than the one at the source",
	TopicAlreadyExists:           "the name is taken; or a start finds the source's topic id here under another name",
	InvalidRequest:               "the request makes no sense: a bad pattern, an internal or excluded topic, one topic twice, no more partitions than there are",
	ElectionNotNeeded:            "elect: whoever is to lead leads already",
	EligibleLeadersNotAvailable:  "elect: no other replica may lead, or the broker named may not",
	InvalidUpdateVersion:         "between brokers: the partition, or the committed offset, has changed since it was read",
	StaleBrokerEpoch:             "between brokers: a heartbeat of an earlier incarnation of the broker",
	LeaderNotAvailable:           "the partition has no leader, or no broker is up on which a new one could be placed",
	IneligibleReplica:            "between brokers: an ISR change names a fenced broker, or one that is not a replica",
	LogTruncation:                "a consumer without a reset policy found its history truncated (KIP-320)",
	CoordinatorNotAvailable:      "nobody leads the internal topic's partition",
	ConcurrentTransactions:       "the transaction before is still being ended",
	ProducerFenced:               "another producer has the transactional id now",
	InvalidProducerIdMapping:     "the cluster does not know the transactional id, or knows it with another producer id",
	TransactionCoordinatorFenced: "between brokers: the marker is of an older coordinator than the newest that the partition has heard",
	UnknownMemberId:              "the group has another member, or none; or it is active, and the commit is of an admin or a mirror",
	IllegalGeneration:            "the group has had a join since",
	KafkaStorageError:            "the disk of the broker asked cannot take the batch or read the log: nothing is appended",
	InvalidConfig:                "the model does not know that topic config, or the config does not take the value",
}

// Doc says in a sentence when the code is answered; see scenarios/REFERENCE.md.
func (c Code) Doc() string {
	if c < codes {
		return codeDocs[c]
	}
	return ""
}
