package scenarios

import (
	"testing"

	"mirrorsim/sim/choice"
)

// With several crashes every run can be written down and repeated: in one turn at most one thing befalls a node, and what befalls
// several comes in the order of their numbers, as in a replay.
func TestSeveralCrashesCanBeWrittenDown(t *testing.T) {
	alone(t)
	o, together := ExploreOptions{Crashes: 2, From: 4, MaxStates: 20_000}, 0
	o.seen = func(s *state, _ [2]uint64, _ bool) {
		if s == nil || s.run == nil { // what a run went on to at once, or what is known
			return
		}
		var last choice.Key
		for i, d := range s.world.Choices().Deviations() {
			if d.Key.Label != choice.NodeFault {
				continue
			}
			if i > 0 && last.Nth == d.Key.Nth && last.Label == d.Key.Label {
				if together++; last.Subject >= d.Key.Subject {
					t.Fatalf("in turn %d something befalls node %d behind node %d", d.Key.Nth, d.Key.Subject, last.Subject)
				}
			}
			last = d.Key
		}
	}
	if exploring(t, oneStop, o); together < 100 {
		t.Errorf("only %d runs have two such things in one turn", together)
	}
}
