package plan

import (
	"fmt"

	"mirrorsim/scenarios"
)

// PlanReport is what a plan comes to, as JSON, schema mirrorsim.plan/1. Fields may be added within a version, none removed.
type PlanReport struct {
	Schema       string            `json:"schema"`               // mirrorsim.plan/1
	Version      string            `json:"version"`              // of the program
	Plan         string            `json:"plan"`                 // its name
	File         string            `json:"file"`                 // that it stands in
	Revision     string            `json:"revision"`             // of the design
	Set          map[string]string `json:"set"`                  // decisions over the revision, by name: the token of the option
	Faults       string            `json:"faults"`               // the level of faults
	SeedStart    uint64            `json:"seed_start"`           // the first seed
	Count        int               `json:"count"`                // of schedules, as asked for
	Runs         int               `json:"runs"`                 // that count: they were done, and began with the numbers of the file
	StoppedEarly bool              `json:"stopped_early"`        // not all were done
	Unmade       int               `json:"unmade"`               // runs that did not begin with the numbers of the file, and do not count
	UnmadeWhy    string            `json:"unmade_why,omitempty"` // why the first of them did not
	Factor       int64             `json:"factor"`               // the most records that one of the scenario stands for; 1: every one is kept
	Notes        []string          `json:"notes"`                // what was taken to be so, and what differs from the file, in words
	Answers      []Answer          `json:"answers"`              // to the questions that were asked, in order
	Violations   []Violation       `json:"violations"`           // properties of the design that fell
	Exit         int               `json:"exit"`                 // the exit status
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
	Question   string       `json:"question"`        // Q1 to Q5
	Text       string       `json:"text"`            // the question in words
	Answer     string       `json:"answer"`          // certain, possible, never or not-answered
	Sentence   string       `json:"sentence"`        // the answer in words
	Bound      *float64     `json:"bound,omitempty"` // of never: with 95 % confidence it happens in at most this share of schedules
	Items      []Item       `json:"items"`           // what was counted, one thing each
	Unanswered []Unanswered `json:"unanswered"`      // what part of it is not answered
}

// Item is what was counted of one thing. Offsets and records are the operator's.
type Item struct {
	Subject   string `json:"subject"`             // what it is about, in words
	Topic     string `json:"topic,omitempty"`     // of the partition
	Partition *int   `json:"partition,omitempty"` // its number
	Cluster   string `json:"cluster,omitempty"`   // of whose log or mirror it is, or where a group went
	Group     string `json:"group,omitempty"`     // of Q3
	Producer  string `json:"producer,omitempty"`  // of Q4
	Step      int    `json:"step,omitempty"`      // of Q5, from 1: a step that was answered with an error, or did not end
	What      string `json:"what"`                // lost, discarded, skipped, read-again, written, unfinished

	Answer string `json:"answer"`          // certain, possible or never
	Runs   int    `json:"runs"`            // in how many there was something to count
	Of     int    `json:"of"`              // how many got so far
	Least  int64  `json:"least"`           // records, of the runs in which there were any
	Most   int64  `json:"most"`            // likewise
	About  bool   `json:"about"`           // some records stand within a stretch that was shortened
	Worst  *Worst `json:"worst,omitempty"` // the run with the most

	SourceEnd   *int64     `json:"source_end,omitempty"`   // of Q1: the log end of the source by the file
	MirroredEnd *int64     `json:"mirrored_end,omitempty"` // to where it is mirrored
	Beyond      *int64     `json:"beyond,omitempty"`       // records between the two
	AgeUs       *int64     `json:"age_us,omitempty"`       // how old that knowledge is, in microseconds
	Cut         *CutPoint  `json:"cut,omitempty"`          // of Q2: where the log was cut
	CopiedAgain int64      `json:"copied_again,omitempty"` // the most records that were cut and copied again
	Unexplained int64      `json:"unexplained,omitempty"`  // records of the worst that no failover accounts for
	Before      *int64     `json:"before,omitempty"`       // of Q3: the group's offset on the old cluster, in the worst run
	BeforePast  bool       `json:"before_past,omitempty"`  // that is the end by the file, and the group had read on from there
	Resume      *int64     `json:"resume,omitempty"`       // where it goes on on the new one
	Why         string     `json:"why,omitempty"`          // of Q1 and Q2 what else is among the records, of Q3 how the two stand to each other, of Q5 what is waited for
	State       string     `json:"state,omitempty"`        // of Q5: the first state that is not finished
	Ends        []EndState `json:"ends,omitempty"`         // every state that it ended in
	Sentence    string     `json:"sentence"`               // all of it in words
}

// Worst is the run with the most records, the first of them.
type Worst struct {
	Seed         uint64  `json:"seed"`              // of its schedule
	Records      int64   `json:"records"`           // how many
	Acknowledged int64   `json:"acknowledged"`      // of these, of Q1 and Q2
	Offsets      []Range `json:"offsets,omitempty"` // of those that the file knows; others were written during the steps
	Command      string  `json:"command"`           // that repeats it
}

// Range is offsets, both ends included.
type Range struct {
	First int64 `json:"first"` // the lowest
	Last  int64 `json:"last"`  // the highest
}

// CutPoint is where a log was cut, over all runs in which it was.
type CutPoint struct {
	Least int64 `json:"least"` // the lowest offset
	Most  int64 `json:"most"`  // the highest
	About bool  `json:"about"` // one of them is within a stretch that was shortened
	Runs  int   `json:"runs"`  // in which it was cut
	Anew  int   `json:"anew"`  // in so many the log was copied again from its start
}

// EndState is a state with the number of runs that ended in it.
type EndState struct {
	State    string `json:"state"`    // of the mirrored partition
	Finished bool   `json:"finished"` // it is the one that is wanted, and nothing is pending
	Runs     int    `json:"runs"`     // how many
}

// Unanswered is a part of a question that is not answered.
type Unanswered struct {
	Subject string `json:"subject,omitempty"` // a partition or a group; without one it is the whole question
	Why     string `json:"why"`               // what is missing
}

// Violation is a property of the design that fell in some runs.
type Violation struct {
	Property string `json:"property"` // by its name
	Runs     int    `json:"runs"`     // in how many
	Sentence string `json:"sentence"` // what contradicts it, by the names of the file; offsets are those of the scenario
	Seed     uint64 `json:"seed"`     // of the first
	Command  string `json:"command"`  // that repeats it
}

// report folds what was done.
func (w *runner) report() *PlanReport {
	p := w.plan
	r := &PlanReport{Schema: "mirrorsim.plan/1", Version: scenarios.Version, Plan: p.Name, File: p.File, Revision: w.design.Revision,
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
func (r *PlanReport) exit() int {
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
