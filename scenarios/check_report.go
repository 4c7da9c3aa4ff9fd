package scenarios

import (
	"mirrorsim/checkers"
)

// HistoryReport is a checked history as JSON, schema mirrorsim.check/1. Fields may be added within a version, none removed.
type HistoryReport struct {
	Schema       string             `json:"schema"`         // mirrorsim.check/1
	Version      string             `json:"version"`        // of the program
	File         string             `json:"file"`           // that was checked
	About        string             `json:"about"`          // what its header says of it
	Verdict      string             `json:"verdict"`        // holds, violated or unknown
	Complete     bool               `json:"complete"`       // whether the file has the line that ends a history
	SecondPhase  bool               `json:"second_phase"`   // whether it has the line of the second phase; without it no liveness property is judged
	Properties   []ReportProperty   `json:"properties"`     // the verdict on each
	Violations   []HistoryViolation `json:"violations"`     // in their order, of all properties
	NotPromised  []ReportExcuse     `json:"not_promised"`   // properties of which the history was beyond the budget
	Accepted     []string           `json:"accepted"`       // waits that the design accepts (section 13), in words
	Unknown      []HistoryUnknown   `json:"not_understood"` // kinds of events that were passed over
	Events       uint64             `json:"events"`         // entries of the history
	VirtualUs    int64              `json:"virtual_us"`     // the time of the last one, in microseconds
	StoppedEarly bool               `json:"stopped_early"`  // it was interrupted: the file was not read to its end
}

// HistoryViolation is one violation, with the indexes of the events that show it, and their lines in the file; 0 where a fact
// is that something is missing.
type HistoryViolation struct {
	Property string    `json:"property"` // that is violated
	Sentence string    `json:"sentence"` // what contradicts it, with numbers
	Facts    [2]string `json:"facts"`    // the two facts that contradict each other
	Events   [2]uint64 `json:"events"`   // their indexes; 0 where a fact is that something is missing
	Lines    [2]uint64 `json:"lines"`    // their lines in the file
}

// HistoryUnknown is a kind of events that was not understood.
type HistoryUnknown struct {
	Kind   string `json:"kind"`   // its name
	Events uint64 `json:"events"` // how many
}

// Report is the checked history as it is printed in JSON; file is its name.
func (r *CheckedHistory) Report(file string) *HistoryReport {
	rep := &HistoryReport{Schema: "mirrorsim.check/1", Version: Version, File: file, About: r.About, Verdict: r.Verdict(),
		Complete: r.Complete, SecondPhase: r.Lived, Properties: []ReportProperty{}, Violations: []HistoryViolation{},
		NotPromised: []ReportExcuse{}, Accepted: append([]string{}, r.Accepted...), Unknown: []HistoryUnknown{},
		Events: r.Events, VirtualUs: int64(r.Virtual), StoppedEarly: r.Stopped}
	for _, v := range r.Table() {
		rep.Properties = append(rep.Properties, ReportProperty{v.Property, word(v.Status), v.Occasions, v.Count})
		for _, x := range v.Violations {
			rep.Violations = append(rep.Violations, r.violation(v.Property, &x))
		}
		if v.Status == checkers.NotPromised {
			rep.NotPromised = append(rep.NotPromised, ReportExcuse{v.Property, v.Why})
		}
	}
	for _, u := range r.Unknown {
		rep.Unknown = append(rep.Unknown, HistoryUnknown(u))
	}
	return rep
}

func (r *CheckedHistory) violation(property string, x *checkers.Violation) HistoryViolation {
	v := HistoryViolation{Property: property, Sentence: x.Sentence, Facts: x.Facts, Events: x.Events}
	if x.Events != [2]uint64{} {
		v.Lines = [2]uint64{r.Line(x.Events[0]), r.Line(x.Events[1])}
	}
	return v
}
