package scenarios

import (
	"testing"

	"mirrorsim/sim/choice"
)

// With several crashes every run can be written down and repeated: in one turn at most one thing befalls a node, and what befalls
// several comes in the order of their numbers, as in a replay. Replayed, the deviations of such a run lead to the state it led to.
func TestSeveralCrashesCanBeWrittenDown(t *testing.T) {
	alone(t)
	s, o := exploredUnder(t, oneStop, ExploreOptions{Crashes: 2, From: 4, MaxStates: 20_000})
	together, wrong := 0, 0
	o.seen = func(s *state, key [2]uint64, _ bool) {
		if s == nil || s.run == nil || s.fell.turn > s.world.Turns() { // known, gone on at once, or with more to befall it in this turn
			return
		}
		list := s.world.Choices().Deviations()
		several, ordered := inOneTurn(list)
		if !several {
			return
		}
		if together++; !ordered || replayed(t, s, list).key() != key {
			if wrong++; wrong == 1 {
				t.Errorf("turn %d: %v; in the order of the nodes: %v; if so, a replay leads elsewhere", s.world.Turns(), list, ordered)
			}
		}
	}
	x, first, err := newExploration(s, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.search(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if together < 100 || wrong > 0 {
		t.Errorf("%d of %d runs in which two things befall nodes in one turn are not as they are written down", wrong, together)
	}
}

// inOneTurn tells whether several things befall nodes in one turn, and whether they do in the order of the nodes' numbers.
func inOneTurn(list []choice.Deviation) (several, ordered bool) {
	var last choice.Key
	ordered = true
	for _, d := range list {
		if d.Key.Label == choice.NodeFault && last.Label == choice.NodeFault && last.Nth == d.Key.Nth {
			several, ordered = true, ordered && last.Subject < d.Key.Subject
		}
		last = d.Key
	}
	return several, ordered
}

// replayed is where a replay stands before the turn before which s stands; what the exploration has noted of s it is told.
func replayed(t *testing.T, s *state, list []choice.Deviation) *state {
	t.Helper()
	w, err := wireUp(s.scenario, s.options.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(w, Options{Protocol: s.options.Protocol, Choices: choice.Replay(list, nil)})
	r.lean = true
	if err := r.boot(); err != nil {
		t.Fatal(err)
	}
	r.begin()
	again := &state{run: r, crashes: s.crashes, down: s.down, since: s.since, fell: s.fell}
	for again.settle(); !again.over && r.world.Turns() < s.world.Turns(); again.settle() {
		r.elapse(again.nextOwn())
	}
	return again
}
