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
	Schema      string             `json:"schema"`               // mirrorsim.explore/1
	Version     string             `json:"version"`              // of the program
	Scenario    string             `json:"scenario"`             // its name
	Protocol    ReportProtocol     `json:"protocol"`             // the design
	Departures  int                `json:"departures"`           // of one run from the calm schedule, at most
	Crashes     int                `json:"crashes"`              // of one run, at most
	Controllers bool               `json:"controllers"`          // they may crash too
	From        int                `json:"from"`                 // the first step of the window
	To          int                `json:"to"`                   // the last one
	Verdict     string             `json:"verdict"`              // holds: complete, and nothing is violated; violated; else unknown
	Complete    bool               `json:"complete"`             // nothing but departures and crashes cut anything, and timer_lead if there is one
	TimerLead   string             `json:"timer_lead,omitempty"` // the world's: how much earlier than what is next a timer may fire; without one, however much
	Cut         string             `json:"cut,omitempty"`        // what else did: max-states or stopped
	Stopped     bool               `json:"stopped_early"`        // it was interrupted
	States      int                `json:"states"`               // different ones that were looked up: where nothing is left to decide, not behind each move
	Transitions int                `json:"transitions"`          // moves from one state to another, known ones included
	LeftOut     int                `json:"left_out"`             // moves that may as well come behind the calm one, and were not made before it
	Depth       int                `json:"depth"`                // moves of the longest run
	Widest      int                `json:"widest"`               // most states that waited to be expanded
	Ends        int                `json:"ends"`                 // states in which a run was over
	Unfinished  int                `json:"unfinished"`           // of them: a step did not complete, or an expectation was not met
	Violations  []ExploreViolation `json:"violations"`           // the shortest of each property, the shortest of all first
	Seconds     float64            `json:"seconds"`              // of wall-clock time
	PerSecond   int                `json:"states_per_second"`    // on all cores
	Jobs        int                `json:"jobs"`                 // states that were expanded at the same time
	Prices      ExplorePrices      `json:"prices"`               // of the parts of a move
	Reproduce   string             `json:"reproduce"`            // the command that repeats the exploration
}

// ExploreViolation is the shortest run that violates a property: one with the fewest departures and crashes, and of those with few
// moves.
type ExploreViolation struct {
	Property   string   `json:"property"`   // that is violated
	Sentence   string   `json:"sentence"`   // what contradicts it, with numbers
	Group      string   `json:"group"`      // failures of one group are likely to have one reason
	Trail      []string `json:"trail"`      // the last points of the protocol before it
	Departures int      `json:"departures"` // of this run
	Crashes    int      `json:"crashes"`    // of this run
	Moves      int      `json:"moves"`      // that led to it: things that happened, crashes and starts
	Scenario   string   `json:"scenario"`   // a file that mirrorsim run repeats it from
	Acts       []string `json:"acts"`       // the last before it

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
func (r *ExploreReport) cut(by string) { r.Complete, r.Cut, r.Stopped = false, by, by == cutByStop }

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
	for i := range x.left {
		r.LeftOut += x.left[i]
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
func (x *exploration) repeat(f *shortest) (*ExploreViolation, error) {
	c := *x.scenario
	c.Name, c.Schedule = x.scenario.Name+"-explored", f.schedule
	c.Wrong, c.Revision, c.Sets = nil, x.options.Design.Revision, nil
	for _, s := range x.options.Design.Sets {
		c.Sets = append(c.Sets, format.Set{Key: s.Name, Token: s.Token})
	}
	parsed, err := format.Parse(c.Name+".scn", c.AppendText(nil))
	if err != nil {
		return nil, &UnrepeatedError{f.property, "it cannot be written down: " + err.Error(), x.options.Command, string(c.AppendText(nil))}
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
	return nil, &UnrepeatedError{f.property, "as a scenario it does not", x.options.Command, string(c.AppendText(nil))}
}

// story is the comment at the head of a violation's file.
func (x *exploration) story(p *Problem, f *shortest) string {
	bounds := func(departures, crashes int, and string) string {
		return checkers.Several(departures, "departure", "departures") + and + checkers.Several(crashes, "crash", "crashes")
	}
	return fmt.Sprintf("%s: %s.\nFound by an exploration of %s with %s: %s.\n"+
		"The choose lines count the things that happen, each a turn, from 0.", p.Property, p.Sentence, x.scenario.Name,
		bounds(x.options.Departures, x.options.Crashes, " and "), bounds(f.departures, f.crashes, ", "))
}

// UnrepeatedError says that an explored run, done as a scenario, did not violate what it violated, or is none. That is a fault of
// this program.
type UnrepeatedError struct{ Property, Why, Command, Scenario string }

// Error is the property, the command that repeats the exploration, and the scenario.
func (e *UnrepeatedError) Error() string {
	return "an explored run violates " + e.Property + ", but " + e.Why + "\nRepeat it with: " + e.Command + "\n" + e.Scenario
}

// isExpectation tells an expectation that was not met from a step that did not complete.
func isExpectation(text string) bool { return strings.HasPrefix(text, "expect ") }
