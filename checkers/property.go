package checkers

// ID is a property's place in the table; ID.String is the name by which output, scenario files and the command line
// know it.
type ID uint8

// The properties that are judged.
const (
	EpochOrder ID = iota
	LeaderEpoch
	EraBoundary
	LogMatching
	MirrorPrefix
	Convergence
	ExactCut
	ReplicasAligned
	Durability
	LossAccounted
	CleanSwitch
	AckOffset
	ReadOnly
	StopKeepsMirrored
	IntentObeyed
	OneWritableSide
	NoLoop
	TopicIdentity
	MetadataSync
	ClientEpoch
	GroupOffset
	ProducerReset
	FreshProducer
	NoOpenTransaction
	TransactionIsolation
	LegalState
	PositionDurable
	NoHotLoop
	Assertion
	LinearizableLog
	ReachesDesired
	LagDrains
	BecomesWritable
	IsrHeals
	ConsumerProgress
	FaultIsolation
	Crossed
	properties int = iota
)

// Property is one row of the table of properties.
type Property struct {
	ID       string
	Doc      string // what is promised, in one sentence
	Asked    string // of a liveness property: of what it is asked, and when it is met
	Liveness bool   // judged in the second phase of a run; without one there is no verdict on it
	Beside   bool   // judged only where a partition cannot go on, which few runs meet: a sweep may have no occasion
	Sampled  bool   // judged by a CrossCheck, in the runs that ask for it; in others there is no verdict on it
}

var table = [properties]Property{
	EpochOrder: {ID: "epoch-order",
		Doc: "batch epochs never decrease with the offset, and the leader-epoch cache is strictly increasing and " +
			"names the epoch of every batch"},
	LeaderEpoch: {ID: "leader-epoch",
		Doc: "a partition's leader epoch never decreases, and one broker at most appends as leader in one epoch"},
	EraBoundary: {ID: "era-boundary",
		Doc: "the first batch appended locally after a stop has an epoch above every batch below it, and no two " +
			"eras of a cluster use one epoch"},
	LogMatching: {ID: "log-matching",
		Doc: "a log that was fetched without divergence equals the log that answered, below the fetch offset; ISR " +
			"members equal the leader below its high watermark"},
	MirrorPrefix: {ID: "mirror-prefix",
		Doc: "what a mirror holds below its high watermark stood at the same offset below its source's, without a gap"},
	Convergence: {ID: "convergence",
		Doc: "with the source quiet and lag 0, both ends of a mirror are equal and the logs match"},
	ExactCut: {ID: "exact-cut",
		Doc: "an alignment cuts a log to the longest common prefix with its source: nothing that differs stays, nothing " +
			"common is cut"},
	ReplicasAligned: {ID: "replicas-aligned",
		Doc: "no in-sync replica of a mirror holds below the high watermark what an alignment or a divergence removed"},
	Durability: {ID: "durability",
		Doc: "a record acknowledged with acks=all stays in the leader's log until retention or an alignment " +
			"removes it"},
	LossAccounted: {ID: "loss-accounted",
		Doc: "what disappears at a failover or failback is exactly what the loss report lists"},
	CleanSwitch: {ID: "clean-switch",
		Doc: "a stop with the source quiet, lag 0 and the ISR caught up loses nothing, and its failback cuts nothing"},
	AckOffset: {ID: "ack-offset",
		Doc: "an acknowledged base offset is not below the log end at the first send, that batch stands there, and " +
			"an idempotent one there only"},
	ReadOnly: {ID: "read-only",
		Doc: "no broker takes a client batch for a topic that it knows as mirrored, unless it has read STOPPED and " +
			"nothing newer"},
	StopKeepsMirrored: {ID: "stop-keeps-mirrored",
		Doc: "a stop removes nothing below the high watermark but what belongs to an open transaction"},
	IntentObeyed: {ID: "intent-obeyed",
		Doc: "once a pause or a stop is stored in the leader's epoch and its action has run, no mirrored batch is " +
			"appended; and that comes in bounded time while the coordinator can be reached"},
	OneWritableSide: {ID: "one-writable-side",
		Doc: "once one side of a mirror is fenced by being made a mirror of the other, only the other is writable"},
	NoLoop: {ID: "no-loop",
		Doc: "no record is mirrored back to the partition it came from while it is still mirrored from there"},
	TopicIdentity: {ID: "topic-identity",
		Doc: "records of two topic ids never meet in one log"},
	MetadataSync: {ID: "metadata-sync",
		Doc: "a mirrored topic gets its source's partitions, configs and included ACLs in bounded time, nothing is written " +
			"twice, and nothing of a topic that is paused or stopped; the time is two intervals, judged where no message needs be " +
			"lost: after four passes, or five intervals and 30 s where passes do not end"},
	ClientEpoch: {ID: "client-epoch",
		Doc: "the epoch that a consumer takes from a cluster, and that of a committed offset, is at or below the leader epoch in " +
			"its metadata log"},
	GroupOffset: {ID: "group-offset",
		Doc: "a mirror's commit for a group stands within the log, with the epoch of the record before it, and replaces none that " +
			"was made after STOPPED; what is taken for committed is below the high watermark; a group that resumes passes over no record"},
	ProducerReset: {ID: "producer-reset",
		Doc: "a replica whose log end is above a reset holds no producer entry from below it, and its entries are " +
			"those of its log"},
	FreshProducer: {ID: "fresh-producer",
		Doc: "a producer id that starts at sequence 0 after a reset is accepted, its retries are deduplicated, its " +
			"records are stored once"},
	NoOpenTransaction: {ID: "no-open-transaction",
		Doc: "once STOPPED is stored, no transaction from below the reset is open on an ISR member, and the last " +
			"stable offset passes the reset"},
	TransactionIsolation: {ID: "transaction-isolation",
		Doc: "a read_committed consumer receives no record of an open or aborted transaction, and every one of a " +
			"committed one"},
	LegalState: {ID: "legal-state",
		Doc: "only legal edges are stored, reads of a mirror state are linearizable, and no write of a lower leader " +
			"epoch takes effect after a higher one"},
	PositionDurable: {ID: "position-durable",
		Doc: "when STOPPED is visible the last mirrored position is stored, is the boundary, and stays until the next stop"},
	NoHotLoop: {ID: "no-hot-loop",
		Doc: "no partition is tried, cut, read or elected again and again without a pause: such events stay under a bound " +
			"in every virtual second"},
	Assertion: {ID: "assertion",
		Doc: "no assertion of the model fires"},
	LinearizableLog: {ID: "linearizable-log",
		Doc: "every acknowledged append stands at its offset with its bytes, offsets follow real time, and a read " +
			"shows the prefix that the log has"},
	ReachesDesired: {ID: "reaches-desired", Liveness: true,
		Asked: "each mirrored partition: the committed state is the one that is desired of it, or FAILED with a way out",
		Doc:   "after the last fault every partition reaches the state that is desired of it, or FAILED with a reason and a way out"},
	LagDrains: {ID: "lag-drains", Liveness: true,
		Asked: "each partition that is to be mirroring and is not FAILED: its lag is known, and 0",
		Doc:   "after the last fault the lag of every mirroring partition returns to 0"},
	BecomesWritable: {ID: "becomes-writable", Liveness: true,
		Asked: "each partition that is to be stopped: its leader takes the writes of clients, also when the source is lost",
		Doc:   "after the last fault every stopped partition becomes writable, also when its source is lost"},
	IsrHeals: {ID: "isr-heals", Liveness: true,
		Asked: "each partition, those of internal topics too: it has a leader, and every replica in the core is in sync",
		Doc:   "after the last fault every partition has a leader, and every live replica is in its ISR again"},
	ConsumerProgress: {ID: "consumer-progress", Liveness: true,
		Asked: "each partition that a consumer reads: it is at the high watermark; in read_committed no transaction keeps it below",
		Doc:   "after the last fault every consumer reads up to the end of its log, read_committed ones too"},
	FaultIsolation: {ID: "fault-isolation", Liveness: true, Beside: true,
		Asked: "each partition that is to be mirroring, on a cluster where another one cannot go on (a corrupt batch or a deleted " +
			"topic at its source, FAILED, waiting for a replica that is down for good, or for a partition of __consumer_offsets without a leader): its lag is known, and 0, and it is not FAILED " +
			"for what is wrong with the other",
		Doc: "beside a partition that cannot go on, every other one's lag still returns to 0, and none is FAILED for it"},
	Crossed: {ID: "cross-check", Sampled: true,
		Doc: "porcupine finds an order that explains the operations on each log, mirror state and desired state"},
}

// String is the property's id.
func (p ID) String() string { return table[p].ID }

// Properties is the table of properties, in the order in which verdicts are given.
func Properties() []Property { return append([]Property(nil), table[:]...) }
