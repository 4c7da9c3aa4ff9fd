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
	Convergence
	Durability
	LossAccounted
	AckOffset
	ReadOnly
	ProducerReset
	FreshProducer
	LegalState
	Assertion
	LinearizableLog
	ReachesDesired
	LagDrains
	BecomesWritable
	IsrHeals
	Crossed
	properties int = iota
)

// Property is one row of the table of properties.
type Property struct {
	ID       string
	Doc      string // what is promised, in one sentence
	Liveness bool   // judged in the second phase of a run; without one there is no verdict on it
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
	Convergence: {ID: "convergence",
		Doc: "with the source quiet and lag 0, both ends of a mirror are equal and the logs match"},
	Durability: {ID: "durability",
		Doc: "a record acknowledged with acks=all stays in the leader's log until retention or an alignment " +
			"removes it"},
	LossAccounted: {ID: "loss-accounted",
		Doc: "what disappears at a failover or failback is exactly what the loss report lists"},
	AckOffset: {ID: "ack-offset",
		Doc: "an acknowledged base offset is not below the log end at the first send, that batch stands there, and " +
			"an idempotent one there only"},
	ReadOnly: {ID: "read-only",
		Doc: "no broker takes a client batch for a topic that it knows as mirrored, unless it has read STOPPED and " +
			"nothing newer"},
	ProducerReset: {ID: "producer-reset",
		Doc: "a replica whose log end is above a reset holds no producer entry from below it, and its entries are " +
			"those of its log"},
	FreshProducer: {ID: "fresh-producer",
		Doc: "a producer id that starts at sequence 0 after a reset is accepted, its retries are deduplicated, its " +
			"records are stored once"},
	LegalState: {ID: "legal-state",
		Doc: "only legal edges are stored, reads of a mirror state are linearizable, and no write of a lower leader " +
			"epoch takes effect after a higher one"},
	Assertion: {ID: "assertion",
		Doc: "no assertion of the model fires"},
	LinearizableLog: {ID: "linearizable-log",
		Doc: "every acknowledged append stands at its offset with its bytes, offsets follow real time, and a read " +
			"shows the prefix that the log has"},
	ReachesDesired: {ID: "reaches-desired", Liveness: true,
		Doc: "after the last fault every partition reaches the state that is desired of it, or FAILED"},
	LagDrains: {ID: "lag-drains", Liveness: true,
		Doc: "after the last fault the lag of every mirroring partition returns to 0"},
	BecomesWritable: {ID: "becomes-writable", Liveness: true,
		Doc: "after the last fault every stopped partition becomes writable, also when its source is lost"},
	IsrHeals: {ID: "isr-heals", Liveness: true,
		Doc: "after the last fault every partition has a leader, and every live replica is in its ISR again"},
	Crossed: {ID: "cross-check", Sampled: true,
		Doc: "porcupine finds an order that explains the operations on each log, mirror state and desired state"},
}

// String is the property's id.
func (p ID) String() string { return table[p].ID }

// Properties is the table of properties, in the order in which verdicts are given.
func Properties() []Property { return append([]Property(nil), table[:]...) }
