package faults

// Kind is what goes wrong, or is put right.
type Kind uint8

// The kinds of faults.
const (
	Crash           Kind = iota // the process of a node ends; its disk keeps all that was written
	PowerLoss                   // the machine of a node goes down; its disk keeps what a choice says, at least what was synced
	Cut                         // messages on a link are lost
	Delay                       // messages on a link take Amount longer
	Heal                        // a node starts again and nothing hinders it, a link works again without delay
	Pause                       // a node handles nothing, and then at once what has come meanwhile: a stop-the-world pause
	Slow                        // a node handles every input Amount later
	Isolate                     // messages between a cluster, its clients included, and everybody else are lost
	Stale                       // a broker or controller hears nothing new of the metadata log; all else goes on
	MoveController              // another controller of a cluster becomes the active one
	MoveCoordinator             // another in-sync replica becomes the leader of a partition of __mirror_state, and loads it
	Drop                        // a message is lost; if it is an answer, behind the effect of its request
	Late                        // a message, and what follows on its link, comes Amount later
	Twice                       // a message comes a second time, Amount later
	DiskSlow                    // the answers of a node leave Amount later
	DiskFull                    // the disk of a broker takes no batch
	DiskError                   // the log of a partition, or every log of a broker, can be neither read nor written
	Corrupt                     // a bit of a batch turns round on the disk of the partition's leader, under the batch's CRC
	FenceProducer               // another instance of a transactional client's application initialises: the client goes on as a zombie
	RepeatRequest               // the admin of a cluster sends an old mirror request again
	kinds
)

// falls is upon what a fault falls.
type falls uint8

const (
	onNode     falls = iota
	onLinks          // a link, or a node with all of its links
	onMessages       // those of one API, on these
	onCluster
	onEntry         // the coordinator of what is stored of a partition under a mirror
	onBatch         // one of the log of a partition's leader
	onTransactional // a client with a transactional id, on a cluster
)

// lasting is whether a fault is ended by itself.
type lasting uint8

const (
	mayLast lasting = iota
	mustLast
	atOnce
)

// kindRow is how a kind reads, and what it takes.
type kindRow struct {
	name  string
	falls falls
	by    bool // an amount
	lasts lasting
}

var kindRows = [kinds]kindRow{
	Crash:           {name: "crash"},
	PowerLoss:       {name: "power-loss"},
	Cut:             {name: "cut", falls: onLinks},
	Delay:           {name: "delay", falls: onLinks, by: true},
	Heal:            {name: "heal", falls: onLinks, lasts: atOnce},
	Pause:           {name: "pause"},
	Slow:            {name: "slow", by: true},
	Isolate:         {name: "isolate", falls: onCluster},
	Stale:           {name: "stale", lasts: mustLast},
	MoveController:  {name: "move-controller", falls: onCluster, lasts: atOnce},
	MoveCoordinator: {name: "move-coordinator", falls: onEntry, lasts: atOnce},
	Drop:            {name: "drop", falls: onMessages},
	Late:            {name: "late", falls: onMessages, by: true},
	Twice:           {name: "twice", falls: onMessages, by: true},
	DiskSlow:        {name: "disk-slow", by: true},
	DiskFull:        {name: "disk-full"},
	DiskError:       {name: "disk-error"},
	Corrupt:         {name: "corrupt", falls: onBatch},
	FenceProducer:   {name: "fence-producer", falls: onTransactional, lasts: atOnce},
	RepeatRequest:   {name: "repeat-request", falls: onCluster, lasts: atOnce},
}

// kindDocs say what happens.
var kindDocs = [kinds]string{
	Crash:           "the process of a node ends; its disk keeps all that was written",
	PowerLoss:       "the machine of a node goes down; its disk keeps what was synced, and more or less of the rest by a `choose` line",
	Cut:             "messages on a link are lost",
	Delay:           "messages on a link take `by=` longer",
	Heal:            "a node starts again and nothing hinders it; a link loses and delays nothing any more",
	Pause:           "a node handles nothing, and then at once what has come meanwhile: a stop-the-world pause",
	Slow:            "a node handles every input `by=` later",
	Isolate:         "messages between a cluster, its clients included, and everybody else are lost",
	Stale:           "a broker or controller hears nothing new of the metadata log; all else goes on",
	MoveController:  "another controller of a cluster becomes the active one",
	MoveCoordinator: "another in-sync replica becomes the leader of a partition of `__mirror_state`, and loads it",
	Drop:            "a message is lost; if it is an answer, behind the effect of its request",
	Late:            "a message, and what follows on its link, comes `by=` later",
	Twice:           "a message comes a second time, `by=` later",
	DiskSlow:        "the answers of a node leave `by=` later",
	DiskFull:        "the disk of a broker takes no batch",
	DiskError:       "the log of a partition, or every log of a broker, can be neither read nor written",
	Corrupt:         "a bit of the batch that holds `offset=` turns round on the disk of the partition's leader, under the batch's CRC",
	FenceProducer: "another instance of the application behind a transactional client initialises: the coordinator aborts what is " +
		"open and raises the producer epoch, and the client goes on as a zombie",
	RepeatRequest: "the admin of a cluster sends the last mirror request of a step again, or with `nth=` the nth last: an old script that runs anew",
}

// Doc says what happens, for the page scenarios/REFERENCE.md.
func (k Kind) Doc() string {
	if k < kinds {
		return kindDocs[k]
	}
	return ""
}

func (k Kind) row() *kindRow { return &kindRows[k] }

// String is the word in scenario files.
func (k Kind) String() string {
	if k < kinds {
		return k.row().name
	}
	return "?"
}

// Kinds are the words in scenario files.
func Kinds() []string {
	var names []string
	for k := range kinds {
		names = append(names, k.String())
	}
	return names
}

// ParseKind is the kind of that word.
func ParseKind(s string) (Kind, bool) {
	for k := range kinds {
		if k.String() == s {
			return k, true
		}
	}
	return 0, false
}

// Downs tells whether the fault takes a node down, so that it may be spared.
func (k Kind) Downs() bool { return k == Crash || k == PowerLoss }

// Moves tells whether the fault gives a role to another node.
func (k Kind) Moves() bool { return k == MoveController || k == MoveCoordinator }

// OfCluster tells whether the fault falls upon a whole cluster.
func (k Kind) OfCluster() bool { return k.row().falls == onCluster }

// OfMessages tells whether the fault waits for messages.
func (k Kind) OfMessages() bool { return k.row().falls == onMessages }

// OfAdmin tells whether the fault is a request of a cluster's admin, which whoever runs the scenario sends.
func (k Kind) OfAdmin() bool { return k == MoveCoordinator || k == FenceProducer || k == RepeatRequest }

// OfLinks tells whether the fault may fall upon a link.
func (k Kind) OfLinks() bool { return k.row().falls == onLinks || k.OfMessages() }

// OfDisk tells whether the fault is one of a broker's disk.
func (k Kind) OfDisk() bool { return k == DiskSlow || k == DiskFull || k == DiskError }

// Takes tells whether the fault has an amount of time.
func (k Kind) Takes() bool { return k.row().by }

// targets are the forms of what the fault may fall upon.
func (k Kind) targets() []string {
	roles := []string{"leader TP", "coordinator MIRROR TP", There}
	switch k.row().falls {
	case onCluster:
		return []string{"CLUSTER"}
	case onEntry:
		return []string{"MIRROR TP"}
	case onBatch:
		return []string{"TP"}
	case onTransactional:
		return []string{"CLIENT", "CLIENT on CLUSTER"}
	case onNode:
		return append([]string{"NODE"}, roles...)
	}
	list := append([]string{"NODE", "NODE>NODE"}, roles...)
	if k == Heal {
		list = append(list, "CLUSTER")
	}
	return list
}

// options are the forms of what may follow the target.
func (k Kind) options() []string {
	var list []string
	if k == DiskError {
		list = append(list, "TP")
	}
	if k.Takes() {
		list = append(list, "by=TIME")
	}
	if k.row().falls == onBatch {
		list = append(list, "offset=N")
	}
	if k.OfMessages() {
		list = append(list, "api=MESSAGE", "nth=N")
	}
	if k.Moves() {
		list = append(list, "to=NODE")
	}
	if k.row().falls == onTransactional {
		list = append(list, "on CLUSTER")
	}
	if k == RepeatRequest {
		list = append(list, "nth=N")
	}
	if k.row().lasts != atOnce {
		list = append(list, "for TIME")
	}
	if k.Downs() {
		list = append(list, "if-spared")
	}
	return append(list, "at-point POINT [nth=N] [on=NODE]")
}
