package scenarios

import (
	"fmt"
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/faults"
)

// SweepReport is a sweep as JSON, schema mirrorsim.sweep/1. Fields may be added within a version, none removed. But for
// WallSeconds it is a function of the options, Jobs not among them, unless the sweep was stopped.
type SweepReport struct {
	Schema       string           `json:"schema"`           // mirrorsim.sweep/1
	Version      string           `json:"version"`          // of the program
	Protocol     ReportProtocol   `json:"protocol"`         // the first of Protocols
	Protocols    []ReportProtocol `json:"protocols"`        // dealt over the seeds
	Faults       string           `json:"faults"`           // the level of faults
	SeedStart    uint64           `json:"seed_start"`       // the first seed
	Count        int              `json:"count"`            // as asked for
	Runs         int              `json:"runs"`             // done; a second run of a seed does not count
	Holds        int              `json:"holds"`            // runs in which everything held
	Violated     int              `json:"violated"`         // runs in which something did not
	Unknown      int              `json:"unknown"`          // runs in which a check did not finish
	NotPromised  int              `json:"not_promised"`     // beyond the budget of faults, and not violated
	Compared     int              `json:"compared"`         // seeds that were run twice and compared
	StoppedEarly bool             `json:"stopped_early"`    // interrupted before all runs were done
	Verdict      string           `json:"verdict"`          // holds, violated or unknown
	Properties   []SweepProperty  `json:"properties"`       // each over all runs
	Coverage     []SweepCoverage  `json:"coverage"`         // the situations that the runs must meet
	Arms         []*SweepArm      `json:"arms"`             // of the adversary's strategies; empty where the level of faults deals none
	Reach        []SweepReach     `json:"reach"`            // what the runs hit of the protocol
	Canary       *SweepCanary     `json:"canary,omitempty"` // of a standard sweep: a defect that must be found
	Short        []string         `json:"short"`            // why a sweep without a violation is no pass, in sentences
	Failures     []*SweepFailure  `json:"failures"`         // groups of violations
	Deliveries   uint64           `json:"deliveries"`       // inputs that nodes handled, in all runs
	Events       uint64           `json:"events"`           // entries of the histories of all runs
	WallSeconds  float64          `json:"wall_seconds"`     // that the sweep took; the one field that differs between two equal sweeps

	designs []*Design
	level   faults.Level
	reached reached
	judged  map[uint64][]string // the properties that the first seeds violated, for the canary
}

// SweepProperty is one property over all runs.
type SweepProperty struct {
	ID          string `json:"id"`           // of the property
	Verdict     string `json:"verdict"`      // holds, violated, not-promised, not-exercised or unknown
	Occasions   uint64 `json:"occasions"`    // in all runs
	Violations  uint64 `json:"violations"`   // in all runs
	NotPromised int    `json:"not_promised"` // runs that were beyond its fault budget and violated it or had no occasion
	unknown     bool
	sampled     bool // it is judged in some runs only: none of them need be in a sweep
}

// SweepCoverage is one situation that the runs of a sweep must meet.
type SweepCoverage struct {
	ID      string  `json:"id"`      // of the situation
	Runs    int     `json:"runs"`    // that met it
	Percent float64 `json:"percent"` // of the runs
	Want    int     `json:"want"`    // percent, in a standard sweep
}

// SweepFailure is a group of failures.
type SweepFailure struct {
	Property   string         `json:"property"`              // that is violated
	Group      string         `json:"group"`                 // a hash of property and trail: failures of one group are likely to have one reason
	Trail      []string       `json:"trail"`                 // the last points of the protocol before it
	Runs       int            `json:"runs"`                  // that belong to it
	Arms       map[string]int `json:"arms,omitempty"`        // of the runs, those of each strategy
	Examples   []uint64       `json:"examples"`              // seeds, at most 4
	Sentence   string         `json:"sentence"`              // of the first example, as are the fields below
	Reproduce  string         `json:"reproduce"`             // the command
	Shrunk     string         `json:"shrunk,omitempty"`      // a scenario file that fails by itself
	ShrunkTo   *Size          `json:"shrunk_to,omitempty"`   // the size of the shrunk scenario
	ShrunkRuns int            `json:"shrunk_runs,omitempty"` // that shrinking took

	Doom *DoomReport `json:"doom,omitempty"` // where the shrunk run was lost, with --doom

	design *Design
}

// keptExamples bounds the examples of a group.
const keptExamples = 4

// standardRuns is from how many runs under faults a sweep must meet the situations as often as they want.
const standardRuns = 500

// situations are what the runs of a standard sweep must meet, and in how many percent of them.
var situations = []struct {
	id   string
	want int
	met  func(*Coverage) bool
}{
	{"finished-stop", 95, func(c *Coverage) bool { return c.FinishedStop }},
	{"finished-failback", 75, func(c *Coverage) bool { return c.FinishedFailback }},
	{"fault-while-aligning-or-stopping", 30, func(c *Coverage) bool { return c.FaultWhileAligningOrStopping }},
	{"lost-at-failover", 50, func(c *Coverage) bool { return c.LostAtFailover }},
	{"permanent-fault", 50, func(c *Coverage) bool { return c.PermanentFault }},
}

func newSweepReport(o *SweepOptions) *SweepReport {
	r := &SweepReport{Schema: "mirrorsim.sweep/1", Version: Version, Faults: o.Level.String(), SeedStart: o.Start,
		Count: o.Count, Short: []string{}, Arms: []*SweepArm{}, Failures: []*SweepFailure{}, designs: o.Designs, level: o.Level,
		reached: newReached(), judged: map[uint64][]string{}}
	for _, d := range o.Designs {
		r.Protocols = append(r.Protocols, d.report())
	}
	r.Protocol = r.Protocols[0]
	if o.Level.Budget().Portfolio {
		for _, a := range faults.Arms() {
			r.Arms = append(r.Arms, &SweepArm{Name: a.String()})
		}
	}
	for _, p := range checkers.Properties() {
		r.Properties = append(r.Properties, SweepProperty{ID: p.ID, sampled: p.Sampled || p.Beside})
	}
	for _, s := range situations {
		r.Coverage = append(r.Coverage, SweepCoverage{ID: s.id, Want: s.want})
	}
	return r
}

// add takes in the runs of one seed.
func (r *SweepReport) add(x *swept) {
	r.Runs++
	switch {
	case len(x.problems) > 0:
		r.Violated++
	case x.result.unknown():
		r.Unknown++
	case x.result.Unpromised:
		r.NotPromised++
	default:
		r.Holds++
	}
	if x.compared {
		r.Compared++
	}
	r.Deliveries += x.result.Deliveries
	r.Events += x.result.Events
	for i := range x.result.Verdicts {
		r.Properties[i].add(&x.result.Verdicts[i])
	}
	for i := range situations {
		if situations[i].met(&x.result.Coverage) {
			r.Coverage[i].Runs++
		}
	}
	r.reached.take(x)
	if len(r.Arms) > 0 {
		r.Arms[x.arm].add(x)
	}
	if r.Runs <= canarySeeds {
		r.judged[x.seed] = x.result.violates()
	}
	if len(x.problems) > 0 {
		r.group(x)
	}
}

func (p *SweepProperty) add(v *checkers.Verdict) {
	p.Occasions += v.Occasions
	switch v.Status {
	case checkers.Violated:
		p.Violations += v.Count
	case checkers.NotPromised:
		p.NotPromised++
	case checkers.Unknown:
		p.unknown = true
	}
}

// group files a failing run under what it failed by first: what came later may only follow from it.
func (r *SweepReport) group(x *swept) {
	p := &x.problems[0]
	i := slices.IndexFunc(r.Failures, func(f *SweepFailure) bool {
		return f.Property == p.Property && f.Group == p.Group && f.design == x.design
	})
	if i < 0 {
		i = len(r.Failures)
		r.Failures = append(r.Failures, &SweepFailure{Property: p.Property, Group: p.Group, Trail: append([]string{}, p.Trail...),
			Sentence: p.Sentence, Reproduce: ReproduceSeed(x.design, x.seed, r.level), design: x.design})
	}
	f := r.Failures[i]
	f.Runs++
	if len(f.Examples) < keptExamples {
		f.Examples = append(f.Examples, x.seed)
	}
	if len(r.Arms) > 0 {
		if f.Arms == nil {
			f.Arms = map[string]int{}
		}
		f.Arms[x.arm.String()]++
	}
}

// finish judges the sweep as a whole.
func (r *SweepReport) finish(interrupted bool) {
	r.Reach = r.reached.report(r.designs, r.level.Budget().Portfolio)
	r.conclude(interrupted)
}

// conclude judges what was counted.
func (r *SweepReport) conclude(interrupted bool) {
	r.StoppedEarly = interrupted && r.Runs < r.Count
	if r.StoppedEarly {
		r.Short = append(r.Short, fmt.Sprintf("the sweep was stopped after %d of %s", r.Runs, checkers.Several(r.Count, "run", "runs")))
	} else if r.Runs < r.Count {
		r.Short = append(r.Short, fmt.Sprintf("%d of %s made", r.Runs, checkers.Several(r.Count, "run was", "runs were")))
	}
	for i := range r.Properties {
		p := &r.Properties[i]
		p.Verdict = word(p.status())
		if p.status() == checkers.Holds && p.NotPromised > 0 && !r.level.Promised() {
			p.Verdict = word(checkers.NotPromised)
		}
		if p.Occasions == 0 && r.Runs > 0 && !p.sampled {
			r.Short = append(r.Short, fmt.Sprintf("%s had no occasion to fail in %s", p.ID, checkers.Several(r.Runs, "run", "runs")))
		}
	}
	standard := r.Runs >= standardRuns && r.level != faults.None
	for i := range r.Coverage {
		c := &r.Coverage[i]
		c.Percent = float64(c.Runs) * 100 / float64(max(r.Runs, 1))
		if standard && c.Runs*100 < c.Want*r.Runs {
			r.Short = append(r.Short, fmt.Sprintf("%s in %.1f %% of the runs, want at least %d %%", c.ID, c.Percent, c.Want))
		}
	}
	for i := range r.Reach {
		if r.Runs >= MustHitRuns {
			r.Short = append(r.Short, r.Reach[i].short(r.Runs)...)
		}
	}
	r.countGroups()
	if c := r.Canary; c != nil && c.Seed == nil {
		r.Short = append(r.Short, c.missed())
	}
	r.Verdict = word(r.status())
}

func (p *SweepProperty) status() checkers.Status {
	switch {
	case p.Violations > 0:
		return checkers.Violated
	case p.unknown:
		return checkers.Unknown
	case p.Occasions == 0:
		return checkers.NotExercised
	}
	return checkers.Holds
}

func (r *SweepReport) status() checkers.Status {
	switch {
	case r.Violated > 0:
		return checkers.Violated
	case r.Unknown > 0 || len(r.Short) > 0:
		return checkers.Unknown
	case !r.level.Promised():
		return checkers.NotPromised
	}
	return checkers.Holds
}

// ExitStatus is the exit status of a sweep: 0 holds, 1 violated, 4 unknown or not promised.
func (r *SweepReport) ExitStatus() int {
	switch r.status() {
	case checkers.Violated:
		return 1
	case checkers.Unknown, checkers.NotPromised:
		return 4
	}
	return 0
}

// ReproduceSeed is the command that repeats the run of a seed of a sweep.
func ReproduceSeed(d *Design, seed uint64, level faults.Level) string {
	return fmt.Sprintf("mirrorsim run --seed %d --faults %v %s", seed, level, d.Flags())
}
