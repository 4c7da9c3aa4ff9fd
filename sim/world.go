package sim

import (
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// Monitor sees the history as it is made: the checkers' suite, seen from below. It is part of the world's identity when
// worlds are compared.
type Monitor interface {
	// Observe takes the next event. The world reuses the event's memory: what is kept must be copied.
	Observe(*event.Event)
	// Clone is a copy of which neither side sees what the other observes.
	Clone() Monitor
	// AppendState appends all that a later verdict depends on, without indexes and times.
	AppendState(dst []byte) []byte
}

// Shared is a Monitor that knows how many worlds share it, so that the last of them need not clone it.
type Shared interface {
	Monitor
	// Share says that one more world holds it. Clones may be taken by several goroutines at a time until it is owned again.
	Share()
	// Own gives up a hold, and is the monitor itself if nobody else has one, or else a clone.
	Own() Monitor
}

// Spec is what a world is made of.
type Spec struct {
	Boot                          []node.Boot    // by node, at most 255
	Cluster                       []id.Cluster   // by node: messages inside one cluster are faster
	Monitor                       Monitor        // nil: nobody watches
	Choices                       *choice.Source // nil: every answer is calm
	LatencyInside, LatencyBetween id.Duration    // one way, from 0
	Net                           Network
	// Quantum, from 0, cuts time into ticks where it is not 0: timers fire at multiples of it only, and what is due at one time
	// has an order that the state alone decides, see order.go.
	Quantum id.Duration
	// Lead, from 0, bounds with a quantum how much earlier than what is next in calm order a timer may fire: a message is no later than
	// that, and the clock of a node goes no more wrong. 0: however much.
	Lead id.Duration
	// Deliver hears every message right before its receiver handles it; nil: nobody listens. A fork does not inherit it.
	Deliver func(at id.Duration, from, to id.Node, b wire.Body)
}

// World is one run under way. It is not safe for concurrent use; a fork may go on in another goroutine only if what the
// monitors, choosers and boot functions share allows it.
type World struct {
	now         id.Duration
	seq         uint64 // of the last thing that was queued, from 1
	queue       queue
	stale       int // entries of the queue whose message or timer is gone
	messages    []message
	free        int32 // the first free slot of messages, -1 if none
	timers      timers
	nodes       []member
	links       []link // by sender and receiver; shared by forks until one side sets a link
	linksShared bool
	linksDown   int
	flows       []flow // by sender and receiver
	armed       []armedFault
	catches     []catch

	boot          []node.Boot
	host          any
	choices       *choice.Source
	monitor       Monitor
	monitorShared bool
	net           Network
	quantum       id.Duration
	lead          id.Duration
	turns         uint32 // how many things have happened; counted with a quantum only, see order.go
	askedOf       uint32 // the last turn, counted from 1, of which it was asked what befalls the nodes
	reached       uint32 // how often a point was
	deliver       func(at id.Duration, from, to id.Node, b wire.Body)

	space      *Workspace // nil: none yet
	busy       bool       // between the begin of a step and the end of its last resume
	failed     bool
	failure    string
	hash       uint64
	deliveries uint64
	events     uint64
	prints     parts
}

// member is a node as the world keeps it.
type member struct {
	node   node.Node // nil while it is down
	disk   *disk.Disk
	life   uint32 // how often it has crashed
	alive  bool
	shared bool // with a fork: cloned before it changes
	print  part
	asked  []wire.Asked // its newest request of each kind about each partition, with a quantum
	hindrance

	foretold []answered // what a Lookahead has found out of it
}

// New makes a world at time 0 and boots its nodes in order.
func New(s Spec) *World {
	n := len(s.Boot)
	if n != len(s.Cluster) || n > int(id.None) {
		panic("sim: a world has at most 255 nodes, each with a boot function and a cluster")
	}
	w := &World{
		free: -1, timers: newTimers(), nodes: make([]member, n), links: make([]link, n*n), flows: make([]flow, n*n),
		boot: s.Boot, choices: s.Choices, monitor: s.Monitor, net: s.Net, quantum: s.Quantum, lead: s.Lead, deliver: s.Deliver,
	}
	if w.choices == nil {
		w.choices = choice.NewSource(choice.Replay(nil, nil))
	}
	for i := range n * n {
		w.links[i].latency = s.LatencyBetween
		if s.Cluster[i/n] == s.Cluster[i%n] {
			w.links[i].latency = s.LatencyInside
		}
	}
	for i := range w.nodes {
		w.nodes[i] = member{disk: &disk.Disk{}, alive: true}
	}
	for i := range w.nodes {
		w.start(id.Node(i))
	}
	return w
}

// Now is the virtual time since the start of the run.
func (w *World) Now() id.Duration { return w.now }

// Hash is the running hash of the history so far, times included.
func (w *World) Hash() uint64 { return w.hash }

// Count is how many inputs were handled by nodes, how many events the history has, and how many choices were asked.
func (w *World) Count() (deliveries, events, choices uint64) {
	return w.deliveries, w.events, w.choices.Count()
}

// Failure is the text of the model's assertion that ended the run; ok tells whether there is one.
func (w *World) Failure() (text string, ok bool) { return w.failure, w.failed }

// Disk is what n keeps, to be read only: a fork may share it.
func (w *World) Disk(n id.Node) *disk.Disk { return w.nodes[n].disk }

// Node is n itself, to be read only: a fork may share it. It is nil while n is down.
func (w *World) Node(n id.Node) node.Node { return w.nodes[n].node }

// Nodes is how many nodes the world has, up or down.
func (w *World) Nodes() int { return len(w.nodes) }

// Monitor is the world's own monitor, to be read only. After a Fork it must be asked for again: a fork shares the
// monitor until either side observes something, and that side goes on with a clone, or with the monitor if all others have.
func (w *World) Monitor() Monitor { return w.monitor }

// MonitorToChange is the world's own monitor, for a runner that keeps in it what it does itself: no fork shares it any more.
func (w *World) MonitorToChange() Monitor {
	w.ownMonitor()
	return w.monitor
}

// ownMonitor ends the sharing with forks, and forgets the fingerprint of what is about to change.
func (w *World) ownMonitor() {
	if w.monitorShared {
		w.monitorShared = false
		if x, ok := w.monitor.(Shared); ok {
			w.monitor = x.Own()
		} else {
			w.monitor = w.monitor.Clone()
		}
	}
	w.prints.monitor.known = false
}

// Host is what SetHost was called with last; a fork has that of its original until it gets its own.
func (w *World) Host() any { return w.host }

// SetHost names who runs this world, for faults that fall in the midst of a step: what they change outside the world they find
// by Host, so that a fault which falls in a fork changes the fork's runner.
func (w *World) SetHost(h any) { w.host = h }

// Choices is the source that the world asks; the runner and the adversary draw from it as well.
func (w *World) Choices() *choice.Source { return w.choices }

// Waits says what each node that is up waits for, in words.
func (w *World) Waits(yield func(n id.Node, what string) bool) {
	for i := range w.nodes {
		more := true
		if m := w.nodes[i].node; m != nil {
			m.Waits(func(what string) bool {
				more = yield(id.Node(i), what)
				return more
			})
		}
		if !more {
			return
		}
	}
}

// observe puts an event into the history.
func (w *World) observe(n id.Node, e *event.Event) {
	e.Index, e.At, e.Node = w.events, w.now, n
	w.events++
	w.hash = e.Mix(w.hash)
	if w.monitor == nil {
		return
	}
	w.ownMonitor()
	w.monitor.Observe(e)
}

// report puts an event of the world's own into the history.
func (w *World) report(n id.Node, e event.Event) {
	own := &w.work().event
	*own = e
	w.observe(n, own)
}

// notBusy guards what must not happen in the midst of a step.
func (w *World) notBusy(what string) {
	if w.busy {
		panic("sim: " + what + " in the midst of a step")
	}
}
