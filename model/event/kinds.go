package event

// Kind is what happened.
type Kind uint8

// The kinds. Schemas says which fields each one fills.
const (
	_ Kind = iota

	// The world.
	Started      // a node booted
	Crashed      // a node lost its memory; Cause is a CrashCause
	LinkSet      // a link went up or down, or changed its delay
	NodeSet      // something began, or ceased, to hinder a node that is up; Cause is a Hindrance
	Caught       // a message met a fault that waited for it; Cause is a Catch
	Corrupted    // a bit of a batch turned round on a disk, or back
	PointReached // a step yielded at a point of the protocol
	Asserted     // an assertion of the model fired; the run ends

	// The metadata log of a cluster; Node is the log.
	TopicCreated
	PartitionChanged // created, elected, bumped or ISR altered: Cause is a ChangeCause
	TopicRemoved
	TopicGrown    // CreatePartitions; the registrations of the new partitions follow
	MirrorCreated // or its lists of topics changed
	MirrorRemoved
	IntentChanged // the desired state of a topic; RecoverMirrorTopics asks for the same one again
	AclChanged    // an ACL binding was added or removed
	ConfigChanged // a dynamic config of a topic was set or deleted
	BrokerChanged // registered, fenced or unfenced
	ControllerElected

	// One replica's log; Node is the broker.
	Recovered
	BecameLeader
	BecameFollower
	Appended
	Truncated
	StartMoved
	Compacted // the cleaner removed records of a batch, or the batch
	HighWatermark
	EpochAdded     // the leader-epoch cache got an entry
	ProducersReset // a MIRROR_PID_RESET was appended, and the producer entries went
	FetchAnswered  // a leader answered a follower, mirror fetcher or consumer
	ReplicaRemoved // the topic was deleted
	ReplicaFailed  // its log directory has failed: it is offline until the broker starts again
	ReplicaReported
	EpochReported    // one entry of the leader-epoch cache, after ReplicaReported
	ProducerReported // one producer entry, after ReplicaReported
	IntentSeen       // this broker's image shows another desired state of a topic

	// The mirror state machine and its coordinator.
	StateReadCalled
	StateReadReturned
	StateWriteCalled
	StateWriteReturned
	PositionWriteCalled
	PositionWriteReturned
	StateStored    // the coordinator accepted and appended a state
	StateCommitted // it is below the high watermark of __mirror_state
	PositionStored
	PositionCommitted
	EntryRemoved // the mirror was deleted: a tombstone is stored
	CoordinatorLoaded
	StateEntered     // the partition's leader begins the state's action
	PositionRecalled // this cluster's own coordinators have told what its last stop recorded (D22)
	LookupReturned
	Aligned // every replica that alignment waits for has followed
	MirrorFetchStarted
	MirrorFetched // the answer of a mirror fetch was applied
	MirrorFetchStopped
	StopStepDone
	WritableChanged // this leader begins or ends to accept client writes
	MirrorSynced    // a pass of mirror-wide work over topics has heard from the source all it asked for
	// The transaction coordinator; Node is the broker.
	TransactionStored // appended to __transaction_state
	// The group coordinator; Node is the broker.
	GroupStored     // the group's member or generation was appended to __consumer_offsets
	OffsetStored    // a committed offset was appended to __consumer_offsets
	OffsetCommitted // it is below the high watermark

	// Clients; Node is the client.
	ProducerIdReceived
	ProduceCalled
	ProduceSent
	ProduceReturned
	ConsumerRead
	ConsumerMoved       // the position was reset or the consumer stopped with an error
	TransactionCalled   // the client asks to commit or abort
	TransactionReturned // it has the answer
	ConsumerAssigned    // a group's member is to read a partition, and has no position yet
	GroupJoined         // a group's member is in its group
	GroupCalled         // the client is to commit its group's positions, or to leave the group
	GroupReturned       // that is done
	OffsetFetched       // the committed offset that the client goes on from
	AdminCalled
	AdminReturned   // one per topic of the request
	MirrorDescribed // the answer to DescribeMirrors, before its AdminReturned

	Kinds int = iota
)

// Origin says by whom a batch was appended: the Cause of Appended.
type Origin uint8

// The origins of a batch on one replica.
const (
	FromClient      Origin = iota // by a leader, for a producer
	FromMirror                    // by a destination leader, from a mirror fetch
	FromStop                      // by a leader in STOPPING: an ABORT marker or the reset
	FromLeader                    // by a follower, from its leader
	FromInternal                  // by a leader, for a coordinator
	FromCoordinator               // by a leader, for the transaction coordinator: a COMMIT or ABORT marker
)

// TruncateCause is the Cause of Truncated.
type TruncateCause uint8

// Why a log was truncated.
const (
	Diverged        TruncateCause = iota // a fetch was answered with a diverging epoch
	AlignedToLME                         // PREPARING cut it at the last mirrored position
	CutToLastStable                      // STOPPING cut it to the last stable offset
	BeyondLeader                         // OFFSET_OUT_OF_RANGE: the log was longer than the leader's
	RestartedAt                          // fully truncated, and started at the leader's log start
)

// ChangeCause is the Cause of PartitionChanged.
type ChangeCause uint8

// Why a partition's registration changed.
const (
	PartitionCreated ChangeCause = iota
	CleanElection
	UncleanElection
	NoLeader
	EpochBump
	IsrChange
)

// ReportCause is the Cause of ReplicaReported.
type ReportCause uint8

// When replicas report.
const (
	ReportStopped ReportCause = iota
	ReportAligned
	ReportEnd
)

// CrashCause is the Cause of Crashed.
type CrashCause uint8

// How a node went down.
const (
	ProcessCrash CrashCause = iota
	PowerLoss
)

// Hindrance is the Cause of NodeSet.
type Hindrance uint8

// What hinders a node.
const (
	Paused      Hindrance = iota // it handles nothing
	SlowInputs                   // it handles every input later
	SlowAnswers                  // its answers leave later
	DiskFull                     // no batch can be appended to its logs
	DiskBroken                   // the log of the partition, or every log, can be neither read nor written
	Hindrances  int       = iota
)

// Catch is the Cause of Caught.
type Catch uint8

// What became of a message that was caught.
const (
	Lost Catch = iota
	Late
	Twice // it comes a second time, later
)

// Fetcher is who fetches: From of FetchAnswered.
type Fetcher uint8

// The kinds of fetchers.
const (
	Follower Fetcher = iota
	MirrorFetcher
	Consumer
)

// OpOf is the Op of the n-th operation of a node.
func OpOf(node uint8, n uint32) uint32 { return uint32(node)<<24 | n&0xffffff }
