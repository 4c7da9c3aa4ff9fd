package plan

import (
	"fmt"

	"mirrorsim/scenarios"
)

// Report is what a plan comes to, as JSON of the schema mirrorsim.plan/1. Fields may be added within a version, none removed.
type Report struct {
	Schema       string            `json:"schema"`
	Version      string            `json:"version"`
	Plan         string            `json:"plan"`
	File         string            `json:"file"`
	Revision     string            `json:"revision"`
	Set          map[string]string `json:"set"`
	Faults       string            `json:"faults"`
	SeedStart    uint64            `json:"seed_start"`
	Count        int               `json:"count"` // of schedules, as asked for
	Runs         int               `json:"runs"`  // that count: they were done, and began with the numbers of the file
	StoppedEarly bool              `json:"stopped_early"`
	Unmade       int               `json:"unmade"` // runs that did not begin with the numbers of the file, and do not count
	UnmadeWhy    string            `json:"unmade_why,omitempty"`
	Factor       int64             `json:"factor"` // the most records that one of the scenario stands for; 1: every one is kept
	Notes        []string          `json:"notes"`  // what was taken to be so, and what differs from the file
	Answers      []Answer          `json:"answers"`
	Violations   []Violation       `json:"violations"`
	Exit         int               `json:"exit"`
}

// The words of answers.
const (
	Certain     = "certain"      // in every run
	Possible    = "possible"     // in some
	Never       = "never"        // in none of those that were made
	NotAnswered = "not-answered" // the file does not have what it takes, or no run got so far
)

// Answer is the answer to one question: the worst of its items. Of Q5 an item is what is not finished.
type Answer struct {
	Question   string       `json:"question"`
	Text       string       `json:"text"`
	Answer     string       `json:"answer"`
	Sentence   string       `json:"sentence"`
	Bound      *float64     `json:"bound,omitempty"` // never: with 95 % confidence it happens in at most this share of schedules
	Items      []Item       `json:"items"`
	Unanswered []Unanswered `json:"unanswered"` // what part of it is not answered
}

// Item is what was counted of one thing. Offsets and records are the operator's.
type Item struct {
	Subject   string `json:"subject"`
	Topic     string `json:"topic,omitempty"`
	Partition *int   `json:"partition,omitempty"`
	Cluster   string `json:"cluster,omitempty"` // of whose log or mirror it is
	Group     string `json:"group,omitempty"`
	Producer  string `json:"producer,omitempty"`
	Step      int    `json:"step,omitempty"` // from 1
	What      string `json:"what"`           // lost, discarded, skipped, read-again, written, unfinished

	Answer string `json:"answer"`
	Runs   int    `json:"runs"` // in so many
	Of     int    `json:"of"`   // of so many that got so far
	Least  int64  `json:"least"`
	Most   int64  `json:"most"`  // records, in the runs in which there were any
	About  bool   `json:"about"` // some stand within a stretch that was shortened
	Worst  *Worst `json:"worst,omitempty"`

	SourceEnd   *int64     `json:"source_end,omitempty"`
	MirroredEnd *int64     `json:"mirrored_end,omitempty"`
	Beyond      *int64     `json:"beyond,omitempty"`
	AgeUs       *int64     `json:"age_us,omitempty"` // of that knowledge
	Cut         *CutPoint  `json:"cut,omitempty"`
	CopiedAgain int64      `json:"copied_again,omitempty"` // the most that was cut and copied again
	Unexplained int64      `json:"unexplained,omitempty"`  // of the worst: no failover accounts for it
	Before      *int64     `json:"before,omitempty"`       // of the worst: the group's offset on the old cluster
	Resume      *int64     `json:"resume,omitempty"`       // and where it goes on
	BeforePast  bool       `json:"before_past,omitempty"`  // that is the end that the file has: the group has read on from there
	Why         string     `json:"why,omitempty"`
	State       string     `json:"state,omitempty"`
	Ends        []EndState `json:"ends,omitempty"` // of Q5: every state that it ended in
	Sentence    string     `json:"sentence"`
}

// Worst is the run with the most records, the first of them.
type Worst struct {
	Seed         uint64  `json:"seed"`
	Records      int64   `json:"records"`
	Acknowledged int64   `json:"acknowledged"`
	Offsets      []Range `json:"offsets,omitempty"` // of those that the file knows; others were written during the steps
	Command      string  `json:"command"`
}

// CutPoint is where logs were cut, over all runs in which one was.
type CutPoint struct {
	Least int64 `json:"least"`
	Most  int64 `json:"most"`
	About bool  `json:"about"`
	Runs  int   `json:"runs"`
	Anew  int   `json:"anew"` // in so many the log was copied again from its start
}

// EndState is a state with the number of runs that ended in it.
type EndState struct {
	State    string `json:"state"`
	Finished bool   `json:"finished"`
	Runs     int    `json:"runs"`
}

// Unanswered is a part of a question that is not answered, and why.
type Unanswered struct {
	Subject string `json:"subject,omitempty"`
	Why     string `json:"why"`
}

// Violation is a property of the design that fell in some runs.
type Violation struct {
	Property string `json:"property"`
	Runs     int    `json:"runs"`
	Sentence string `json:"sentence"` // by the names of the scenario
	Seed     uint64 `json:"seed"`
	Command  string `json:"command"`
}

// report folds what was done.
func (w *runner) report() *Report {
	p := w.plan
	r := &Report{Schema: "mirrorsim.plan/1", Version: scenarios.Version, Plan: p.Name, File: p.File, Revision: w.design.Revision,
		Set: map[string]string{}, Faults: w.options.Level.String(), SeedStart: w.options.Start, Count: w.options.Count, Factor: 1,
		Notes: []string{}, Violations: []Violation{}}
	for _, x := range w.design.Sets {
		r.Set[x.Name] = x.Token
	}
	a := &answers{runner: w, report: r}
	for _, x := range w.outcomes {
		switch {
		case x == nil:
			r.StoppedEarly = r.StoppedEarly || w.script != nil
		case x.unmade != "":
			if r.Unmade++; r.UnmadeWhy == "" {
				r.UnmadeWhy = fmt.Sprintf("seed %d: %s", x.seed, x.unmade)
			}
		default:
			a.runs = append(a.runs, x)
		}
	}
	r.Runs = len(a.runs)
	if w.script != nil {
		for _, x := range w.script.parts {
			r.Factor = max(r.Factor, x.scales[0].factor(), x.scales[1].factor())
		}
	}
	r.Notes = append(r.Notes, p.notes(w.script)...)
	for _, q := range p.Ask {
		r.Answers = append(r.Answers, a.answer(q))
	}
	a.violations()
	r.Exit = r.exit()
	return r
}

// exit is the exit status: 1 something is certain or possible, or a property fell; 4 something is not answered; else 0.
func (r *Report) exit() int {
	code := 0
	for i := range r.Answers {
		switch a := &r.Answers[i]; {
		case a.Answer == Certain || a.Answer == Possible:
			return 1
		case a.Answer == NotAnswered || len(a.Unanswered) > 0:
			code = 4
		}
	}
	switch {
	case len(r.Violations) > 0:
		return 1
	case r.StoppedEarly:
		return 4
	}
	return code
}
