package scenarios

// A run in which nothing is left to decide has one future. It goes on at once, in one job and with nothing kept of it but keys,
// until it comes to a state that is known. It is looked up behind each of its first moves, as most runs meet another one soon, and
// then where few messages are on their way: one that comes from elsewhere comes through these states too.
const (
	closeMoves  = 4
	fewMessages = 2
)

// passed is a state that a run came through in which nothing was left to decide.
type passed struct {
	id     [2]uint64
	moves  int // since the state from which on nothing was left
	over   bool
	broken []string // the properties that it violates, if it violates more than the state before
}

// settled tells whether nothing is left to decide: what comes is calm.
func (x *exploration) settled(s *state) bool {
	o := &x.options
	return s.watch().suite.Violated() || s.at.steps[s.at.next].Number > o.To || s.at.phase == settling ||
		int(s.departures) == o.Departures && int(s.crashes) == o.Crashes && s.down == 0
}

// runAhead has the run of a successor go on if nothing is left to decide, and notes where it comes through.
func (e *expander) runAhead(y *successor) {
	s := y.state
	if s == nil || s.over || !e.settled(s) {
		return
	}
	for known := false; !s.over && !known; {
		fallen := s.watch().suite.Fallen()
		s.calmly()
		y.ran++
		breaks := s.watch().suite.Fallen() > fallen
		if !s.over && !breaks && !e.options.AllOrders && y.ran > closeMoves && s.world.OnTheWay(fewMessages+1) > fewMessages {
			continue
		}
		t := passed{id: s.key(), moves: y.ran, over: s.over}
		known = e.visited.has(t.id, s.departures) && !e.options.Apart
		if s.over && !known {
			s.finish()
		}
		if breaks || s.over && !known {
			t.broken = s.violates()
		}
		if len(t.broken) > 0 && y.schedule == nil {
			y.schedule = s.world.Choices().Deviations()
		}
		y.trail = append(y.trail, t)
	}
	y.failed = len(s.result.Failures) > 0
	y.state = &state{departures: s.departures, crashes: s.crashes, id: y.id}
}
