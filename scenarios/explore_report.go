package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
)

// ExploreReport is an exploration as JSON, schema mirrorsim.explore/1. Fields may be added within a version, none removed.
type ExploreReport struct {
	Schema      string             `json:"schema"`
	Version     string             `json:"version"`
	Scenario    string             `json:"scenario"`
	Protocol    ReportProtocol     `json:"protocol"`
	Departures  int                `json:"departures"`
	Crashes     int                `json:"crashes"`
	Controllers bool               `json:"controllers"` // they may crash too
	From        int                `json:"from"`        // the first step of the window
	To          int                `json:"to"`          // the last one
	Verdict     string             `json:"verdict"`     // holds: complete, and nothing is violated; violated; else unknown
	Complete    bool               `json:"complete"`    // nothing but departures and crashes cut anything
	Cut         string             `json:"cut,omitempty"`
	States      int                `json:"states"` // different ones
	Transitions int                `json:"transitions"`
	Depth       int                `json:"depth"`      // moves of the longest run
	Widest      int                `json:"widest"`     // most states that waited to be expanded
	Ends        int                `json:"ends"`       // states in which a run was over
	Unfinished  int                `json:"unfinished"` // of them: a step did not complete, or an expectation was not met
	Violations  []ExploreViolation `json:"violations"`
	Seconds     float64            `json:"seconds"`
	PerSecond   int                `json:"states_per_second"`
	Jobs        int                `json:"jobs"`
	Prices      ExplorePrices      `json:"prices"`
	Reproduce   string             `json:"reproduce"`
}

// ExploreViolation is the shortest run that violates a property: of those with the fewest departures and crashes the one with the
// fewest moves.
type ExploreViolation struct {
	Property   string   `json:"property"`
	Sentence   string   `json:"sentence"`
	Group      string   `json:"group"`
	Trail      []string `json:"trail"`
	Departures int      `json:"departures"`
	Crashes    int      `json:"crashes"`
	Moves      int      `json:"moves"`
	Scenario   string   `json:"scenario"` // a file that mirrorsim run repeats it from
	Acts       []string `json:"acts"`     // the last before it

	Result *Result `json:"-"` // of the file's run
}

// What cut an exploration.
const (
	cutByStates = "max-states"
	cutByStop   = "stopped"
)

func newExploreReport(x *exploration) *ExploreReport {
	o := &x.options
	return &ExploreReport{Schema: "mirrorsim.explore/1", Version: Version, Scenario: x.scenario.Name, Protocol: o.Design.report(),
		Departures: o.Departures, Crashes: o.Crashes, Controllers: o.Controllers, From: o.From, To: o.To, Complete: true,
		Jobs: o.Jobs, Violations: []ExploreViolation{}, Reproduce: o.Command}
}

// cut notes that not everything was followed to its end.
func (r *ExploreReport) cut(by string) { r.Complete, r.Cut = false, by }

// finish repeats the violations and adds up.
func (x *exploration) finish(took time.Duration) error {
	r := x.report
	for _, f := range x.found {
		v, err := x.repeat(f)
		if err != nil {
			return err
		}
		r.Violations = append(r.Violations, *v)
	}
	slices.SortFunc(r.Violations, func(a, b ExploreViolation) int {
		return cmp.Or(cmp.Compare(a.Departures+a.Crashes, b.Departures+b.Crashes), cmp.Compare(a.Moves, b.Moves),
			cmp.Compare(a.Property, b.Property))
	})
	switch {
	case len(r.Violations) > 0:
		r.Verdict = checkers.Violated.String()
	case r.Complete:
		r.Verdict = checkers.Holds.String()
	default:
		r.Verdict = checkers.Unknown.String()
	}
	r.States, r.Seconds = x.visited.used, took.Seconds()
	r.PerSecond = int(float64(r.States) / max(took.Seconds(), 1e-6))
	r.Prices = medians(x.prices)
	return nil
}

// ExitStatus is 0 if all holds, 1 if something is violated, 4 if it is unknown.
func (r *ExploreReport) ExitStatus() int {
	switch r.Verdict {
	case checkers.Holds.String():
		return 0
	case checkers.Violated.String():
		return 1
	}
	return 4
}

// repeat runs a violation as a scenario of its own, which a file can hold.
func (x *exploration) repeat(f *found) (*ExploreViolation, error) {
	c := *x.scenario
	c.Name, c.Schedule = x.scenario.Name+"-explored", f.schedule
	c.Wrong, c.Revision, c.Sets = nil, x.options.Design.Revision, nil
	for _, s := range x.options.Design.Sets {
		c.Sets = append(c.Sets, format.Set{Key: s.Name, Token: s.Token})
	}
	parsed, err := format.Parse(c.Name+".scn", c.AppendText(nil))
	if err != nil {
		return nil, fmt.Errorf("what was explored cannot be written down: %w", err)
	}
	tail := &Tail{}
	r, err := Run(parsed, Options{Protocol: x.options.Design.Config, Story: tail})
	if err != nil {
		return nil, err
	}
	for _, p := range r.Problems() {
		if p.Property == f.property {
			c.Story = x.story(&p, f)
			return &ExploreViolation{Property: p.Property, Sentence: p.Sentence, Group: p.Group, Trail: p.Trail, Departures: f.departures,
				Crashes: f.crashes, Moves: f.depth, Scenario: string(c.AppendText(nil)), Acts: tail.Rows(), Result: r}, nil
		}
	}
	return nil, &UnrepeatedError{f.property, string(c.AppendText(nil))}
}

// story is the comment at the head of a violation's file.
func (x *exploration) story(p *Problem, f *found) string {
	return fmt.Sprintf("%s: %s.\nFound by an exploration of %s with %s and %s: %s, %s.\n"+
		"The choose lines count the things that happen, each a turn, from 0.", p.Property, p.Sentence, x.scenario.Name,
		counted(x.options.Departures, "departure"), counted(x.options.Crashes, "crash"), counted(f.departures, "departure"),
		counted(f.crashes, "crash"))
}

// UnrepeatedError says that an explored run, done as a scenario, did not violate what it violated. That is a fault of this
// program.
type UnrepeatedError struct{ Property, Scenario string }

// Error is the property and the scenario.
func (e *UnrepeatedError) Error() string {
	return "an explored run violates " + e.Property + ", and as a scenario it does not:\n" + e.Scenario
}

// isExpectation tells an expectation that was not met from a step that did not complete.
func isExpectation(text string) bool { return strings.HasPrefix(text, "expect ") }
