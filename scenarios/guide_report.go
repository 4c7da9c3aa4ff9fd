package scenarios

import (
	"slices"

	"mirrorsim/checkers"
)

// GuideReport is what a guided search came to, as JSON, schema mirrorsim.guide/1. Fields may be added within a version, none
// removed.
type GuideReport struct {
	Schema       string          `json:"schema"`        // mirrorsim.guide/1
	Version      string          `json:"version"`       // of this program
	Protocol     ReportProtocol  `json:"protocol"`      // the design
	Faults       string          `json:"faults"`        // the level of faults
	Blind        bool            `json:"blind"`         // every run was of a new seed
	SeedStart    uint64          `json:"seed_start"`    // the first seed
	Count        int             `json:"count"`         // of runs that were asked for
	Runs         int             `json:"runs"`          // that were made
	Seeds        int             `json:"seeds"`         // of the runs, those of new seeds
	Extended     int             `json:"extended"`      // of the runs, those that extend another one
	Planted      int             `json:"planted"`       // extensions that met one more fault
	Deliveries   uint64          `json:"deliveries"`    // that all runs have handled
	States       int             `json:"states"`        // coarse states that were entered; 0 in a blind search, which does not look
	Violated     int             `json:"violated"`      // of the runs, those that failed
	Failures     []*GuideFailure `json:"failures"`      // by group
	StoppedEarly bool            `json:"stopped_early"` // it was interrupted
	Verdict      string          `json:"verdict"`       // violated, holds, not-promised or unknown
}

// GuideFailure is a group of failures; all but Runs is of the first of its runs.
type GuideFailure struct {
	Property   string   `json:"property"`       // that is violated
	Group      string   `json:"group"`          // failures of one group are likely to have one reason
	Sentence   string   `json:"sentence"`       // what contradicts the property
	Runs       int      `json:"runs"`           // that belong to it
	Run        int      `json:"run"`            // its number
	Deliveries uint64   `json:"deliveries"`     // of the search, up to its end
	Seed       uint64   `json:"seed"`           // of its scenario, and of its choices up to the first branch
	Branches   []Branch `json:"branches"`       // empty: it is the run of the seed
	Scenario   string   `json:"scenario"`       // a file that fails by itself
	File       string   `json:"file,omitempty"` // into which the scenario was written
}

func newGuideReport(o *GuideOptions) *GuideReport {
	return &GuideReport{Schema: "mirrorsim.guide/1", Version: Version, Protocol: o.Design.report(), Faults: o.Level.String(),
		Blind: o.Blind, SeedStart: o.Start, Count: o.Count, Failures: []*GuideFailure{}}
}

// add takes in a run.
func (r *GuideReport) add(g *guide, x *GuidedRun) {
	r.Runs, r.Deliveries = x.Number, x.Total
	if n := len(x.Branches); n == 0 {
		r.Seeds++
	} else {
		r.Extended++
		if len(x.Branches[n-1].Faults) > 0 {
			r.Planted++
		}
	}
	if len(x.Problems) == 0 {
		return
	}
	r.Violated++
	p := x.Problems[0]
	if x.Differs {
		p = Problem{Property: Determinism, Group: groupOf(Determinism, "", nil),
			Sentence: "the file of the run does not run to the same history"}
	}
	i := slices.IndexFunc(r.Failures, func(f *GuideFailure) bool { return f.Property == p.Property && f.Group == p.Group })
	if i < 0 {
		i = len(r.Failures)
		file := x.File(g.options.Design)
		file.Story = p.Property + ": " + p.Sentence + "."
		r.Failures = append(r.Failures, &GuideFailure{Property: p.Property, Group: p.Group, Sentence: p.Sentence, Run: x.Number,
			Deliveries: x.Total, Seed: x.Seed, Branches: append([]Branch{}, x.Branches...), Scenario: string(file.AppendText(nil))})
	}
	r.Failures[i].Runs++
}

// finish judges the search as a whole.
func (r *GuideReport) finish(g *guide) {
	r.States = len(g.seen)
	r.StoppedEarly = g.ctx.Err() != nil
	switch {
	case r.Violated > 0:
		r.Verdict = word(checkers.Violated)
	case r.StoppedEarly:
		r.Verdict = word(checkers.Unknown)
	case !g.options.Level.Promised():
		r.Verdict = word(checkers.NotPromised)
	default:
		r.Verdict = word(checkers.Holds)
	}
}

// ExitStatus is the exit status of a search: 0 holds, 1 violated, 4 unknown or not promised.
func (r *GuideReport) ExitStatus() int {
	switch r.Verdict {
	case word(checkers.Violated):
		return 1
	case word(checkers.Holds):
		return 0
	}
	return 4
}
