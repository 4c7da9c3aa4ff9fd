package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// intentObeyed: once PAUSING, PAUSED, STOPPING or STOPPED is stored and its action has run, the broker that ran it appends
// no mirrored batch any more, until another state is stored. The action has run when the fetchers step of the stop is done,
// or when the leader has entered one of the others. A broker that lost the leadership meanwhile begins anew.
//
// Between a leader's sight of the intent and that moment appends are legal, for at most intentBound while its coordinator
// can be reached. No event says that, so the time is counted from the last thing that may have delayed it: a node, a link,
// a registration or a controller that changed, and a request to the coordinator that was refused or repeated.
type intentObeyed struct {
	halts  []halt // by slot of the partition and cluster
	sights []sight
}

// intentBound is how long a leader that sees a pause or a stop may go on mirroring while nothing goes wrong: four times
// what a request that is lost costs.
const intentBound = 120 * id.Second

// halt is what is known of a pause or a stop of one partition on one cluster.
type halt struct {
	stored   record.State // if isStored
	isStored bool
	storedAt uint64
	ran      bool // the action, by node
	node     id.Node
	asked    bool // the leader waits for its coordinator
	trouble  id.Duration
}

// sight is that a broker sees a topic that is not to be mirrored.
type sight struct {
	node  id.Node
	topic id.Topic
	at    id.Duration
	index uint64
}

// Properties are those that this checker judges.
func (*intentObeyed) Properties() []ID { return []ID{IntentObeyed} }

// Kinds are the events that it looks at.
func (*intentObeyed) Kinds() []event.Kind {
	return []event.Kind{event.IntentSeen, event.StateStored, event.StateEntered, event.StopStepDone, event.BecameFollower,
		event.Crashed, event.StateReadCalled, event.StateWriteCalled, event.PositionWriteCalled, event.StateReadReturned,
		event.StateWriteReturned, event.PositionWriteReturned, event.Appended}
}

// Finish has nothing left to judge.
func (*intentObeyed) Finish(*Ledger, *Reporter) {}

// Clone copies what is known of the partitions.
func (c *intentObeyed) Clone() Checker {
	return &intentObeyed{halts: slices.Clone(c.halts), sights: slices.Clone(c.sights)}
}

// AppendState appends what is stored and what has run.
func (c *intentObeyed) AppendState(dst []byte) []byte {
	for i := range c.halts {
		h := &c.halts[i]
		dst = append(dst, byte(h.stored), id.Bit(h.isStored)|id.Bit(h.ran)<<1|id.Bit(h.asked)<<2, byte(h.node))
	}
	for _, x := range c.sights {
		dst = words(dst, uint64(x.node)<<16|uint64(x.topic))
	}
	return dst
}

// halts tells whether a state is one in which nothing is mirrored.
func halts(s record.State) bool {
	return s == record.Pausing || s == record.Paused || s == record.Stopping || s == record.Stopped
}

// Observe judges e.
func (c *intentObeyed) Observe(l *Ledger, e *event.Event, r *Reporter) {
	switch e.Kind {
	case event.Appended:
		if event.Origin(e.Cause) == event.FromMirror {
			c.appended(l, e, r)
		}
		return
	case event.IntentSeen:
		c.seen(e)
		return
	case event.Crashed:
		c.sights = slices.DeleteFunc(c.sights, func(x sight) bool { return x.node == e.Node })
		for i := range c.halts {
			c.halts[i].ran = c.halts[i].ran && c.halts[i].node != e.Node
		}
		return
	}
	cl := l.cluster(e.Node)
	if cl == noCluster {
		return
	}
	h := c.halt(l, l.part(e.Partition), cl)
	switch e.Kind {
	case event.StateStored:
		c.stored(l, h, cl, e, r)
	case event.StateEntered:
		if s := record.State(e.To); s != record.Stopping {
			h.run(e.Node, halts(s), r)
		}
	case event.StopStepDone:
		if e.To == stepFetchers {
			h.run(e.Node, true, r)
		}
	case event.BecameFollower:
		h.ran = h.ran && h.node != e.Node
	default:
		h.ask(e)
	}
}

// stepFetchers is the step of the stop sequence that removes the fetcher, by its number in a StopStepDone event.
const stepFetchers = 0

func (c *intentObeyed) halt(l *Ledger, pt *part, cl id.Cluster) *halt {
	k := int(pt.slot)*l.clusters + int(cl)
	for len(c.halts) <= k {
		c.halts = append(c.halts, halt{node: id.None})
	}
	return &c.halts[k]
}

func (c *intentObeyed) seen(e *event.Event) {
	want := record.Desired(e.To)
	is := func(x sight) bool { return x.node == e.Node && x.topic == e.Partition.Topic }
	switch i := slices.IndexFunc(c.sights, is); {
	case want != record.WantPaused && want != record.WantStopped:
		c.sights = slices.DeleteFunc(c.sights, is)
	case i < 0:
		c.sights = append(c.sights, sight{e.Node, e.Partition.Topic, e.At, e.Index})
	}
}

// stored takes a state as stored. A coordinator that was deposed may append what nobody will hear of.
func (c *intentObeyed) stored(l *Ledger, h *halt, cl id.Cluster, e *event.Event, r *Reporter) {
	if l.deposedCoordinator(cl, e.Node) {
		return
	}
	s := record.State(e.To)
	h.stored, h.isStored, h.storedAt = s, halts(s), e.Index
	if h.isStored && h.ran {
		r.Exercised(IntentObeyed)
	}
}

// run notes that node has, or has not, run the action of a pause or a stop.
func (h *halt) run(node id.Node, ran bool, r *Reporter) {
	if ran && h.isStored {
		r.Exercised(IntentObeyed)
	}
	h.ran, h.node = ran, node
}

// ask follows the requests to the coordinator: one that is called again before it has returned was lost.
func (h *halt) ask(e *event.Event) {
	switch e.Kind {
	case event.StateReadCalled, event.StateWriteCalled, event.PositionWriteCalled:
		if h.asked {
			h.trouble = e.At
		}
		h.asked = true
	default:
		if e.Cause != codeOK {
			h.trouble = e.At
		}
		h.asked = false
	}
}

// appended judges a mirrored batch.
func (c *intentObeyed) appended(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	cl := l.cluster(e.Node)
	h := c.halt(l, pt, cl)
	if h.isStored && h.ran && h.node == e.Node {
		r.Violated(IntentObeyed, complaint(l.replica(pt, e.Node)+" appended "+spell(e.Batch)+" from its mirror in leader epoch "+
			num(int64(e.LeaderEpoch))+", though "+h.stored.String()+" is stored and its action has run",
			h.stored.String()+" is stored, and "+l.name(e.Node)+" has removed its fetcher",
			l.name(e.Node)+" appended "+spell(e.Batch)+" from its mirror", h.storedAt, e))
	}
	for i := range c.sights {
		x := &c.sights[i]
		if x.node != e.Node || x.topic != pt.id.Topic {
			continue
		}
		if since := max(x.at, l.calm, h.trouble); e.At-since > intentBound {
			r.Violated(IntentObeyed, complaint(l.replica(pt, e.Node)+" appended "+spell(e.Batch)+" from its mirror "+
				(e.At-x.at).String()+" after it saw that the topic is "+l.topics[pt.topic].seen[e.Node].String()+
				", with nothing in the way",
				l.name(e.Node)+" saw that the topic is "+l.topics[pt.topic].seen[e.Node].String(),
				l.name(e.Node)+" still appends "+spell(e.Batch)+" from its mirror", x.index, e))
		}
	}
}
