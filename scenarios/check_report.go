package scenarios

import (
	"mirrorsim/checkers"
)

// HistoryReport is a checked history as JSON, schema mirrorsim.check/1. Fields may be added within a version, none removed.
type HistoryReport struct {
	Schema      string             `json:"schema"`
	Version     string             `json:"version"`
	File        string             `json:"file"`
	About       string             `json:"about"`
	Verdict     string             `json:"verdict"`
	Complete    bool               `json:"complete"`
	SecondPhase bool               `json:"second_phase"`
	Properties  []ReportProperty   `json:"properties"`
	Violations  []HistoryViolation `json:"violations"`
	NotPromised []ReportExcuse     `json:"not_promised"`
	Accepted    []string           `json:"accepted"`
	Unknown     []HistoryUnknown   `json:"not_understood"`
	Events      uint64             `json:"events"`
	VirtualUs   int64              `json:"virtual_us"`
}

// HistoryViolation is one violation, with the indexes of the events that show it, and their lines in the file; 0 where a fact
// is that something is missing.
type HistoryViolation struct {
	Property string    `json:"property"`
	Sentence string    `json:"sentence"`
	Facts    [2]string `json:"facts"`
	Events   [2]uint64 `json:"events"`
	Lines    [2]uint64 `json:"lines"`
}

// HistoryUnknown is a kind of events that was not understood.
type HistoryUnknown struct {
	Kind   string `json:"kind"`
	Events uint64 `json:"events"`
}

// Report is the checked history as it is printed in JSON; file is its name.
func (r *CheckedHistory) Report(file string) *HistoryReport {
	rep := &HistoryReport{Schema: "mirrorsim.check/1", Version: Version, File: file, About: r.About, Verdict: r.Verdict(),
		Complete: r.Complete, SecondPhase: r.Lived, Properties: []ReportProperty{}, Violations: []HistoryViolation{},
		NotPromised: []ReportExcuse{}, Accepted: append([]string{}, r.Accepted...), Unknown: []HistoryUnknown{},
		Events: r.Events, VirtualUs: int64(r.Virtual)}
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
