package node

import (
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
)

// Input is exactly one of a message, a timer that fired, or the leave to go on after a point.
type Input struct {
	Body   wire.Body // a message from From; From is id.None for a command of the runner
	From   id.Node
	Timer  Timer
	Resume bool // go on after Effects.Yield
}

// Timer is the name of a timer: zero is none; arming one that is armed replaces it; a crash drops all.
type Timer struct {
	Kind      uint8
	Partition id.Partition
	Peer      id.Node
}

// Node is a deterministic state machine: equal state and input give equal effects. It reads no clock, draws nothing and
// stores no absolute time: a wait is a timer, and the world draws its jitter. One input is handled at once and whole;
// what may be cut in two by a fault is two steps with a point between them.
type Node interface {
	// Step handles one input. All of its effects happen when it returns.
	Step(in Input, out *Effects)
	// Clone is deep, but for immutable batches and bodies; both sides may go on. The clone keeps its durable state on
	// d, a clone of the disk that this node was booted with.
	Clone(d *disk.Disk) Node
	// AppendState appends the state in a canonical form: no map order, no capacity, no counter that only counts, no
	// durable state (the disk appends its own).
	AppendState(dst []byte) []byte
	// Waits says what each unfinished partition or operation waits for, in words.
	Waits(yield func(what string) bool)
}

// Effects is owned and reused by the world. A step that reaches a point sets Yield and returns. Sends are in order.
type Effects struct {
	Sends  []Send
	Timers []TimerOp
	Events []event.Event
	Yield  point.Point
}

// Send is a message to another node, or to the node itself (which arrives like any other, without delay or fault).
type Send struct {
	To   id.Node
	Body wire.Body
}

// TimerOp arms a timer: it fires After to After+Jitter from now. After < 0 cancels it.
type TimerOp struct {
	Timer         Timer
	After, Jitter id.Duration
}

// Boot makes a node at the start of the run and after every crash, from what its disk kept.
type Boot func(self id.Node, d *disk.Disk, out *Effects) Node

// Send adds a message.
func (e *Effects) Send(to id.Node, b wire.Body) { e.Sends = append(e.Sends, Send{to, b}) }

// Arm arms a timer, replacing the one of that name.
func (e *Effects) Arm(t Timer, after, jitter id.Duration) {
	e.Timers = append(e.Timers, TimerOp{t, after, jitter})
}

// Cancel drops a timer.
func (e *Effects) Cancel(t Timer) { e.Timers = append(e.Timers, TimerOp{t, -1, 0}) }

// Emit adds a slot for an event of that kind, to be filled in by the caller at once. The world sets Index, At and Node.
func (e *Effects) Emit(k event.Kind, p id.Partition) *event.Event {
	e.Events = append(e.Events, event.Event{Kind: k, Partition: p, Peer: id.None})
	return &e.Events[len(e.Events)-1]
}

// Reset empties the effects for the next step and keeps the memory.
func (e *Effects) Reset() {
	clear(e.Sends)
	e.Sends, e.Timers, e.Events, e.Yield = e.Sends[:0], e.Timers[:0], e.Events[:0], point.None
}
