package scenarios

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/sim/choice"
)

// step makes a move in which a node handles something and, if nodes may crash, the same move once more for each point that is
// reached in it, with a crash there, for good and with a start at once.
func (e *expander) step(s *state, do func(*state)) *state {
	before := s.world.Reached()
	f := e.fork(s, nil)
	e.move(f, do)
	if int(s.crashes) == e.options.Crashes {
		return f
	}
	for i := range int(f.world.Reached() - before) {
		e.crashIn(s, i, false, do)
		e.crashIn(s, i, true, do)
	}
	return f
}

// crashIn makes a move in which a node crashes at the ith point that is reached in it, if it is one that may.
func (e *expander) crashIn(s *state, i int, bounce bool, do func(*state)) {
	c := &crashAt{left: i, answer: 1 + uint32(id.Bit(bounce))}
	f := e.fork(s, c)
	f.crashes++
	turn := f.world.Turns()
	do(f)
	for _, d := range f.world.Choices().Deviations() {
		if d.Key.Label != choice.PointFault || d.Key.Nth != turn+1 {
			continue
		}
		n, _ := choice.Unpair(d.Key.Subject)
		if !slices.Contains(e.nodes, id.Node(n)) {
			return
		}
		if !bounce {
			f.down, f.since = f.down.With(id.Node(n)), turn
		}
	}
	e.arrived(f)
}

// fork is a state that another move goes on from.
func (e *expander) fork(s *state, c choice.Chooser) *state {
	begin := e.price.begin()
	f := s.forked(c)
	f.world.Work(e.space)
	e.price.end(partFork, begin)
	return f
}

// move makes a move on a state that is nobody else's.
func (e *expander) move(s *state, do func(*state)) {
	begin := e.price.begin()
	do(s)
	e.price.end(partStep, begin)
	e.arrived(s)
}

// arrived takes the state that a move led to into the list, judged, unless it is known.
func (e *expander) arrived(s *state) {
	begin := e.price.begin()
	s.id = s.key()
	e.price.end(partPrint, begin)
	e.price.next(s)
	if e.visited.has(s.id, s.departures) && !e.options.Apart {
		e.list = append(e.list, successor{})
		return
	}
	if s.over {
		s.finish()
	}
	y := successor{state: s, broken: s.violates(), failed: len(s.result.Failures) > 0}
	if len(y.broken) > 0 {
		y.schedule = s.world.Choices().Deviations()
	}
	e.list = append(e.list, y)
}

// violates are the properties that a run violates so far and, if it is over, whether an expectation was not met. A wait that did
// not come to its end is none: a node may be down for good.
func (s *state) violates() (list []string) {
	if s.watch().suite.Violated() || s.over {
		for _, v := range s.watch().suite.Verdicts() {
			if v.Status == checkers.Violated {
				list = append(list, v.Property)
			}
		}
	}
	if s.over && slices.ContainsFunc(s.result.Failures, func(f Failure) bool { return isExpectation(f.Text) }) {
		list = append(list, Expectation)
	}
	return list
}
