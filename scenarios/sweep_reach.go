package scenarios

import (
	"cmp"
	"fmt"
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/coordinator"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// SweepReach is one sort of things that runs can come to, and how often the runs of a sweep did.
type SweepReach struct {
	ID    string       `json:"id"`    // point, crash-at, transition, fault, fault-in-state, operation or option
	Hits  []ReachCount `json:"hits"`  // each thing that was hit, with how often
	Never []string     `json:"never"` // that were not
}

// ReachCount is how often one thing was hit.
type ReachCount struct {
	Name  string `json:"name"`           // of the thing
	Count int    `json:"count"`          // how often it was hit
	Want  int    `json:"want,omitempty"` // in a standard sweep of so many runs; 0: no number is asked for
}

// reached is what the runs of a sweep have come to so far.
type reached struct {
	Reach
	acts    map[string]int // operations, by keyword
	designs map[*Design]int
}

func newReached() reached {
	return reached{newReach(), map[string]int{}, map[*Design]int{}}
}

func (x *reached) take(s *swept) {
	x.add(&s.result.Reach)
	x.designs[s.design]++
	for _, a := range s.acts {
		x.acts[a]++
	}
}

// uncleanElection is an elect of which an unclean one is asked, apart from the others.
const uncleanElection = "elect unclean"

// notOperations are acts that ask nobody for anything.
var notOperations = []string{"fault", "until", "live", "repeat"}

// operations are the keywords of what clients, operators and brokers are asked to do in s.
func operations(s *format.Scenario) (list []string) {
	for i := range s.Steps {
		name := s.Steps[i].Do.Keyword()
		if e, ok := s.Steps[i].Do.(*format.Elect); ok && e.Unclean {
			name = uncleanElection
		}
		if !slices.Contains(notOperations, name) {
			list = append(list, name)
		}
	}
	return list
}

// MustHitRuns is to how many runs MustHit refers, and how many a sweep must have to be judged by it.
const MustHitRuns = 2000

// MustHit is how often so many runs must come to each thing that must be hit.
const MustHit = 20

// report lists what was reached, for runs of these designs. Where must is set, what must be hit is marked.
func (x *reached) report(designs []*Design, must bool) []SweepReach {
	want := func(yes bool) int {
		if must && yes {
			return MustHit
		}
		return 0
	}
	points := &tally{SweepReach: SweepReach{ID: "point"}}
	crashes := &tally{SweepReach: SweepReach{ID: "crash-at"}}
	for p := point.None + 1; int(p) < point.Points; p++ {
		points.count(p.String(), x.Points[p], want(true))
		crashes.count(p.String(), x.Crashes[p], want(p.OfStop()))
	}
	edges := &tally{SweepReach: SweepReach{ID: "transition"}}
	var possible [][record.States][record.States]bool
	for _, d := range designs {
		possible = append(possible, coordinator.Taken(&d.Config))
	}
	for _, row := range coordinator.Machine() {
		for _, e := range row.From {
			taken := slices.ContainsFunc(possible, func(p [record.States][record.States]bool) bool { return p[e.State][row.State] })
			edges.count(e.State.String()+" > "+row.State.String(), x.Edges[e.State][row.State], want(taken))
		}
	}
	kinds := &tally{SweepReach: SweepReach{ID: "fault"}}
	pairs := &tally{SweepReach: SweepReach{ID: "fault-in-state"}}
	for k, name := range faults.Kinds() {
		kinds.count(name, x.Kinds[k], want(true))
		for s := range record.States {
			must := mustMeet(record.State(s)) && faults.Kind(k) != faults.Heal
			pairs.count(name+" in "+record.State(s).String(), x.Pairs[k][s], want(must))
		}
	}
	acts := &tally{SweepReach: SweepReach{ID: "operation"}}
	for _, name := range append(format.Acts(), uncleanElection) {
		if !slices.Contains(notOperations, name) {
			acts.count(name, x.acts[name], 0)
		}
	}
	return []SweepReach{points.done(), crashes.done(), edges.done(), kinds.done(), pairs.done(), acts.done(), x.options().done()}
}

// mustMeet tells whether every kind of fault but heal must fall while a partition is in s: there it parts what belongs together, or
// finds a topic that has just become writable.
func mustMeet(s record.State) bool {
	return s == record.Preparing || s == record.Mirroring || s == record.Stopping || s == record.Stopped
}

// options counts runs by the options of their designs.
func (x *reached) options() *tally {
	list := &tally{SweepReach: SweepReach{ID: "option"}}
	for _, d := range protocol.Decisions() {
		for _, o := range d.Options {
			n := 0
			for design, runs := range x.designs {
				if design.Config.Get(d.ID) == o.Token {
					n += runs
				}
			}
			list.count(d.Name+"="+o.Token, n, 0)
		}
	}
	return list
}

// tally is a SweepReach that is being made.
type tally struct{ SweepReach }

func (t *tally) count(name string, n, want int) {
	if n > 0 || want > 0 {
		t.Hits = append(t.Hits, ReachCount{name, n, want})
	}
	if n == 0 {
		t.Never = append(t.Never, name)
	}
}

func (t *tally) done() SweepReach {
	if t.Hits == nil {
		t.Hits = []ReachCount{}
	}
	if t.Never == nil {
		t.Never = []string{}
	}
	return t.SweepReach
}

// short are sentences about what was hit less often than it must be.
func (s *SweepReach) short(runs int) (list []string) {
	for _, h := range s.Hits {
		if h.Count*MustHitRuns < h.Want*runs {
			list = append(list, fmt.Sprintf("%s %s was hit %s in %s, want at least %d", s.ID, h.Name, checkers.Several(h.Count, "time", "times"), checkers.Several(runs, "run", "runs"),
				h.Want*runs/MustHitRuns))
		}
	}
	return list
}

// Rarest are the things that were hit the least often, at most n, without those that never were.
func (s *SweepReach) Rarest(n int) []ReachCount {
	list := slices.DeleteFunc(slices.Clone(s.Hits), func(c ReachCount) bool { return c.Count == 0 })
	slices.SortStableFunc(list, func(a, b ReachCount) int { return cmp.Compare(a.Count, b.Count) })
	return list[:min(n, len(list))]
}
