package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/checkers"
)

// Version is the version of this program, as reports carry it.
const Version = "v0.1.0"

// Report is a run as JSON, schema mirrorsim.run/1. Fields may be added within a version, none removed.
type Report struct {
	Schema       string            `json:"schema"`              // mirrorsim.run/1
	Version      string            `json:"version"`             // of the program
	Scenario     string            `json:"scenario"`            // its name
	Seed         *uint64           `json:"seed"`                // null: the calm schedule
	Protocol     ReportProtocol    `json:"protocol"`            // the design of the run
	Faults       string            `json:"faults"`              // the level of faults
	Verdict      string            `json:"verdict"`             // holds, violated, unknown or not-promised
	Properties   []ReportProperty  `json:"properties"`          // the verdict on each
	Violations   []ReportViolation `json:"violations"`          // in their order, of all properties
	NotPromised  []ReportExcuse    `json:"not_promised"`        // properties of which the run was beyond the budget
	Accepted     []string          `json:"accepted"`            // waits that the design accepts (section 13), in words
	Failures     []ReportFailure   `json:"failures"`            // expectations that were not met
	Refused      []ReportRefusal   `json:"refused"`             // steps that were answered with an error that no expect error speaks of
	Assertion    string            `json:"assertion,omitempty"` // of the model: what it says, if one fired
	Deliveries   uint64            `json:"deliveries"`          // inputs that nodes handled
	Events       uint64            `json:"events"`              // entries of the history
	Choices      uint64            `json:"choices"`             // questions that were asked of chance
	Deviations   int               `json:"deviations"`          // answers that were not the calm one
	VirtualUs    int64             `json:"virtual_us"`          // virtual time of the whole run, in microseconds
	Hash         string            `json:"hash"`                // of the whole history: 16 hex digits
	Reproduce    string            `json:"reproduce"`           // the command that repeats it
	StoppedEarly bool              `json:"stopped_early"`       // it was interrupted: nothing of it is judged
	Pictures     []string          `json:"pictures,omitempty"`  // files: pages that show the violations of cross-check, in their order
	Replay       *ReportReplay     `json:"replay,omitempty"`    // of a recording: how it compares
}

// ReportReplay says how a replay compares with its recording.
type ReportReplay struct {
	Same    bool   `json:"same"`              // whether the history is the recorded one
	Differs string `json:"differs,omitempty"` // the first event that differs, in words
	Removed int    `json:"removed"`           // deviations that were taken out of the recording
	Unused  int    `json:"unused"`            // deviations that no longer apply
}

// ReportProtocol is the design of a run.
type ReportProtocol struct {
	Revision string            `json:"revision"` // its name
	Set      map[string]string `json:"set"`      // options that were put in place of the revision's, by the name of the decision
}

// ReportProperty is one property's verdict: holds, violated, not-promised, not-exercised or unknown.
type ReportProperty struct {
	ID         string `json:"id"`         // of the property
	Verdict    string `json:"verdict"`    // holds, violated, not-promised, not-exercised or unknown
	Occasions  uint64 `json:"occasions"`  // on which it could have failed
	Violations uint64 `json:"violations"` // how many
}

// ReportViolation is one violation with the indexes of the events that show it.
type ReportViolation struct {
	Property string    `json:"property"` // that is violated
	Sentence string    `json:"sentence"` // what contradicts it, with numbers
	Events   [2]uint64 `json:"events"`   // indexes of those that show it; 0 where a fact is that something is missing
	Group    string    `json:"group"`    // failures of one group are likely to have one reason
}

// ReportExcuse is a property that the run was beyond the budget of.
type ReportExcuse struct {
	Property string `json:"property"` // that is not promised
	Why      string `json:"why"`      // what was beyond the budget
}

// ReportFailure is an expectation that was not met, or a step that did not complete.
type ReportFailure struct {
	Line   int    `json:"line"`   // of the scenario
	Expect string `json:"expect"` // the line
	Got    string `json:"got"`    // what was so instead
}

// nameAssertion puts what an assertion of the model says behind the sentence that one fired, which the history alone cannot tell.
func nameAssertion(verdicts []checkers.Verdict, text string) {
	for i := range verdicts {
		v := &verdicts[i]
		if text == "" || v.Property != checkers.Assertion.String() {
			continue
		}
		v.Violations = slices.Clone(v.Violations)
		for k := range v.Violations {
			v.Violations[k].Sentence += ": " + text
		}
	}
}

// ReportRefusal is a step that was answered with an error that no expect error speaks of.
type ReportRefusal struct {
	Step int    `json:"step"` // from 1, as expect error counts them
	Line int    `json:"line"` // of the scenario
	Text string `json:"text"` // the line
	Code string `json:"code"` // the first error of the step
}

// Verdict is what a run comes to. Violated beats unknown, and unknown beats holds. A run beyond the fault budget never holds.
func (r *Result) Verdict() string {
	switch {
	case r.Stopped:
		return checkers.Unknown.String()
	case r.Violated():
		return checkers.Violated.String()
	case r.unknown():
		return checkers.Unknown.String()
	case r.Unpromised:
		return checkers.NotPromised.String()
	}
	return checkers.Holds.String()
}

func (r *Result) unknown() bool {
	return anyIs(r.Verdicts, checkers.Unknown)
}

// anyIs tells whether one of the verdicts is of that status.
func anyIs(verdicts []checkers.Verdict, s checkers.Status) bool {
	return slices.ContainsFunc(verdicts, func(v checkers.Verdict) bool { return v.Status == s })
}

// ExitStatus is the exit status of a run: 0 holds, 1 violated, 4 unknown or not promised.
func (r *Result) ExitStatus() int {
	switch {
	case r.Stopped:
		return 4
	case r.Violated():
		return 1
	case r.unknown() || r.Unpromised:
		return 4
	}
	return 0
}

// Report is the run as it is printed in JSON. name is how the command named the scenario; seed is nil on the calm schedule.
func (r *Result) Report(name string, d *Design, seed *uint64) *Report {
	rep := &Report{Schema: "mirrorsim.run/1", Version: Version, Scenario: name, Seed: seed, Faults: "none", Verdict: r.Verdict(),
		Protocol:   d.report(),
		Properties: []ReportProperty{}, Violations: []ReportViolation{}, NotPromised: []ReportExcuse{},
		Accepted: []string{}, Failures: []ReportFailure{}, Refused: []ReportRefusal{}, Assertion: r.Assertion,
		Deliveries: r.Deliveries, Events: r.Events, Choices: r.Choices, Deviations: len(r.Deviations),
		VirtualUs: int64(r.Virtual), Hash: fmt.Sprintf("%016x", r.Hash), Reproduce: Reproduce(name, d, seed), StoppedEarly: r.Stopped}
	if rep.StoppedEarly {
		return rep
	}
	for _, v := range r.Verdicts {
		rep.Properties = append(rep.Properties, ReportProperty{v.Property, word(v.Status), v.Occasions, v.Count})
		for _, x := range v.Violations {
			rep.Violations = append(rep.Violations, ReportViolation{v.Property, x.Sentence, x.Events, r.problem(&v, &x).Group})
		}
		if v.Status == checkers.NotPromised {
			rep.NotPromised = append(rep.NotPromised, ReportExcuse{v.Property, v.Why})
		}
	}
	rep.Accepted = append(rep.Accepted, r.Accepted...)
	for _, f := range r.Failures {
		rep.Failures = append(rep.Failures, ReportFailure{f.Line, f.Text, f.Got})
	}
	for _, x := range r.Refused {
		rep.Refused = append(rep.Refused, ReportRefusal{x.Step, x.Line, x.Text, x.Code.String()})
	}
	return rep
}

// word is a status as JSON has it: without a blank.
func word(s checkers.Status) string { return strings.ReplaceAll(s.String(), " ", "-") }

// Reproduce is the command that repeats a run.
func Reproduce(name string, d *Design, seed *uint64) string {
	text := "mirrorsim run " + Quoted(name)
	if seed != nil {
		text += fmt.Sprint(" --seed ", *seed)
	}
	return text + " " + d.Flags()
}
