package scenarios

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// state is one place of an exploration: a run that stands right before its next turn, and what it took to come there.
type state struct {
	*run
	departures, crashes uint8
	id                  [2]uint64 // its key
	down                id.Set    // what the exploration has taken down, and not started again
	since               uint32    // the turn at whose begin the last crash fell: what is down is started in a later one
	fell                fell      // the last crash or start, if several may fall in one turn
	over                bool      // the run is over
}

// calm answers every question calmly. Unlike a replay it keeps nothing, so that forks of one run may ask it at the same time.
type calm struct{}

func (calm) Choose(choice.Key, uint32, uint16) uint32 { return 0 }

// crashAt answers that the node crashes at the point that is asked for next but so many, and is calm before and afterwards.
type crashAt struct {
	left   int
	answer uint32
}

func (c *crashAt) Choose(k choice.Key, _ uint32, _ uint16) uint32 {
	if k.Label != choice.PointFault || c.left < 0 {
		return 0
	}
	c.left--
	if c.left >= 0 {
		return 0
	}
	return c.answer
}

// nextOwn is when the run does something by itself, if nothing happens before.
func (r *run) nextOwn() id.Duration {
	if len(r.due) > 0 && r.due[0].at < r.at.limit {
		return r.due[0].at
	}
	return r.at.limit
}

// settle has a run do what it does by itself, until it stands before a turn or is over.
func (s *state) settle() {
	for s.waiting() {
		if s.stands() {
			return
		}
	}
	s.over = true
}

// stands tells whether the run stands before a turn; if not, it does one thing by itself.
func (s *state) stands() bool {
	if s.world.Ready(s.nextOwn()) {
		return true
	}
	if !s.elapse(s.at.limit) {
		s.giveUp()
	}
	return false
}

// forked is a state from which another move goes on.
func (s *state) forked(c choice.Chooser) *state {
	f := *s
	f.run = s.fork(c)
	return &f
}

// calmly lets the next thing happen in calm order.
func (s *state) calmly() {
	s.world.Calm(s.nextOwn())
	s.settle()
}

// depart lets the ith of the enabled actions happen, from 1.
func (s *state) depart(i int, a sim.Action) {
	s.departures++
	s.world.Depart(i, a)
	s.settle()
}

// crash takes a node down, for good or to start it again at once.
func (s *state) crash(n id.Node, bounce bool) {
	s.crashes++
	if s.world.CrashNow(n, bounce); !bounce {
		s.down, s.since = s.down.With(n), s.world.Turns()
	}
	s.afterFault()
}

// fell is a crash or a start right before a turn.
type fell struct {
	node id.Node
	turn uint32 // 1 more than it, so that zero is none
}

// mayFall tells whether a node may still crash or start in this turn. A schedule says one thing of each node and turn, and a replay
// goes by the numbers of the nodes (sim.World.CrashNow): in any other order the run could not be written down.
func (s *state) mayFall(n id.Node) bool { return s.fell.turn != s.world.Turns()+1 || n > s.fell.node }

// mayStart tells whether what is down may be started in this turn.
func (s *state) mayStart() bool { return s.world.Turns() > s.since }

// restart starts a node that the exploration took down.
func (s *state) restart(n id.Node) {
	s.down = s.down.Without(n)
	s.world.StartNow(n)
	s.afterFault()
}

// afterFault is settle behind something that fell right before a turn: what the run waits for is not looked at in between, as in
// a replay, in which the turn begins with it.
func (s *state) afterFault() {
	if !s.stands() {
		s.settle()
	}
}

// key is equal for two states with the same future.
func (s *state) key() [2]uint64 {
	h := s.world.Key()
	now := s.world.Now()
	mix := func(x uint64) { h[0], h[1] = event.Mix(h[0], x), event.Mix(h[1]^x, x>>32|1) }
	mix(uint64(s.at.next)<<16 | uint64(s.at.phase)<<8 | uint64(s.crashes))
	mix(uint64(s.at.limit - now))
	mix(uint64(s.down))
	if s.down != 0 && !s.mayStart() {
		mix(2)
	}
	if s.fell.turn == s.world.Turns()+1 {
		mix(uint64(s.fell.node)<<8 | 4)
	}
	for i := range s.due {
		mix(uint64(s.due[i].kind)<<56 ^ uint64(s.due[i].line)<<40 ^ uint64(s.due[i].at-now))
	}
	for _, f := range s.result.Failures {
		mix(uint64(f.Line) << 32)
	}
	if s.over {
		mix(1)
	}
	return h
}

// properties are those that a run is judged by; none means all. Of an explored run noHotLoop is not asked: between two ticks no
// time passes, so that a second has as many events as the ticks in it have work.
func (r *run) properties() (ids []string) {
	if !r.lean {
		return nil
	}
	for _, p := range checkers.Properties() {
		if p.ID != checkers.NoHotLoop.String() {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// DefaultQuantum is the tick of an explored world whose scenario says none.
const DefaultQuantum = 500 * id.Millisecond

// explorable is the scenario in a world that is made for exploration: messages take no time, and timers fire at ticks. The error
// is of what cannot be explored.
func explorable(s *format.Scenario, quantum id.Duration) (*format.Scenario, error) {
	if len(s.Schedule) > 0 {
		return nil, &format.InputError{Word: s.Name, Message: s.Name + " has a schedule of its own, which would be departed from",
			Want: []string{"a scenario without choose lines"}}
	}
	for _, due := range s.Unroll()[1:] {
		if a, ok := due.Step.Do.(*format.Fault); ok && (a.Plan.Fault.Kind == faults.Pause || a.Plan.Fault.Kind == faults.Slow) {
			return nil, &format.SyntaxError{File: s.Name, Line: due.Step.Line, Word: a.Plan.Fault.Kind.String(),
				Message: "what waits at a node that is paused or slow is in no fingerprint", Want: []string{"every fault but pause and slow"}}
		}
	}
	c := *s
	c.Settings = slices.Clone(s.Settings)
	if quantum == 0 {
		quantum = DefaultQuantum
	}
	for _, x := range []format.Set{{Key: "latency-inside", Token: "0us"}, {Key: "latency-between", Token: "0us"},
		{Key: "timer-quantum", Token: quantum.String()}} {
		if !slices.ContainsFunc(c.Settings, func(y format.Set) bool { return y.Key == x.Key }) {
			c.Settings = append(c.Settings, x)
		}
	}
	return &c, nil
}
