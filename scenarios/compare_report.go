package scenarios

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/id"
)

// DesignComparison is a comparison as JSON, schema mirrorsim.compare/1. Fields may be added within a version, none removed. But for
// WallSeconds it is a function of the options, Jobs not among them, unless the comparison was stopped.
type DesignComparison struct {
	Schema       string           `json:"schema"`        // mirrorsim.compare/1
	Version      string           `json:"version"`       // of this program
	Kind         string           `json:"kind"`          // what the columns are: protocols, decision or stop-orders
	Faults       string           `json:"faults"`        // the level
	SeedStart    uint64           `json:"seed_start"`    // the first seed
	Count        int              `json:"count"`         // seeds for each column, as asked for
	StoppedEarly bool             `json:"stopped_early"` // by an interruption: the columns have fewer runs, by up to a block of 50 of each other
	Verdict      string           `json:"verdict"`       // of all columns: violated beats unknown, and unknown beats holds
	Columns      []*CompareColumn `json:"columns"`       // one a design, in the order asked for
	WallSeconds  float64          `json:"wall_seconds"`  // that it took
}

// CompareColumn is what the runs of one design came to.
type CompareColumn struct {
	Name        string         `json:"name"`         // the revision, or the option's token
	Base        bool           `json:"base"`         // the design that the others change one decision of
	Protocol    ReportProtocol `json:"protocol"`     // the design
	Runs        int            `json:"runs"`         // done
	Holds       int            `json:"holds"`        // runs in which nothing is violated
	Violated    int            `json:"violated"`     // runs in which something is
	Unknown     int            `json:"unknown"`      // runs that a check did not come to an end with
	NotPromised int            `json:"not_promised"` // beyond the budget of faults, and not violated
	Properties  []CompareCell  `json:"properties"`   // all, then expectation and determinism
	Stops       CompareTime    `json:"stops"`        // from the request until all partitions of the topic are STOPPED and writable
	Failbacks   CompareTime    `json:"failbacks"`    // from the request until all have lag 0, of a topic that was stopped elsewhere
	CopiedAgain int            `json:"copied_again"` // records that were cut and copied again, in all runs together
	LeaderEpoch int32          `json:"leader_epoch"` // the highest of a mirrored partition in any run
	Deliveries  uint64         `json:"deliveries"`   // messages and timers that a node handled, in all runs together

	design *Design
	level  faults.Level
}

// CompareCell is one property in the runs of one design: in how many it came to what, and the smallest seed that violates it.
type CompareCell struct {
	ID           string  `json:"id"`                  // of a property, or expectation, or determinism
	Verdict      string  `json:"verdict"`             // violated if it is in one run, else unknown, else holds if it does in one
	Holds        int     `json:"holds"`               // runs in which it holds
	Violated     int     `json:"violated"`            // runs that violate it
	NotPromised  int     `json:"not_promised"`        // runs with faults beyond what it is promised for
	Unknown      int     `json:"unknown"`             // runs that its check did not come to an end with
	NotExercised int     `json:"not_exercised"`       // runs in which it had no occasion to fail
	Seed         *uint64 `json:"seed,omitempty"`      // the smallest one that violates it
	Sentence     string  `json:"sentence,omitempty"`  // what contradicts it there
	Reproduce    string  `json:"reproduce,omitempty"` // the command that repeats that run
}

// CompareTime is how long something took in virtual time where it was finished.
type CompareTime struct {
	Finished int   `json:"finished"`  // how often
	MedianUs int64 `json:"median_us"` // 0 where none was finished; of an even number the lower of the two
	MeanUs   int64 `json:"mean_us"`   // 0 where none was finished
	all      []id.Duration
}

func newDesignComparison(o *CompareDesignsOptions) *DesignComparison {
	r := &DesignComparison{Schema: "mirrorsim.compare/1", Version: Version, Kind: o.Kind, Faults: o.Level.String(), SeedStart: o.Start,
		Count: o.Count}
	for i := range o.Columns {
		x := &o.Columns[i]
		c := &CompareColumn{Name: x.Name, Base: x.Base, Protocol: x.Design.report(), LeaderEpoch: -1, design: x.Design,
			level: o.Level}
		for _, p := range checkers.Properties() {
			c.Properties = append(c.Properties, CompareCell{ID: p.ID})
		}
		c.Properties = append(c.Properties, CompareCell{ID: Expectation}, CompareCell{ID: Determinism})
		r.Columns = append(r.Columns, c)
	}
	return r
}

// add takes in the run of a seed.
func (c *CompareColumn) add(seed uint64, x *Result) {
	for i := range x.Verdicts {
		v := &x.Verdicts[i]
		c.cell(v.Property).add(v.Status)
		if v.Status == checkers.Violated {
			c.violated(v.Property, seed, v.Violations[0].Sentence)
		}
	}
	if len(x.Failures) > 0 {
		c.cell(Expectation).Violated++
		c.violated(Expectation, seed, unmet(x.Failures[0]).Sentence)
	}
	c.Stops.all = append(c.Stops.all, x.Cost.Stops...)
	c.Failbacks.all = append(c.Failbacks.all, x.Cost.Failbacks...)
	c.CopiedAgain += x.Cost.CopiedAgain
	c.LeaderEpoch = max(c.LeaderEpoch, x.Cost.LeaderEpoch)
}

func (c *CompareColumn) cell(property string) *CompareCell {
	i := slices.IndexFunc(c.Properties, func(x CompareCell) bool { return x.ID == property })
	return &c.Properties[i]
}

func (x *CompareCell) add(s checkers.Status) {
	switch s {
	case checkers.Holds:
		x.Holds++
	case checkers.Violated:
		x.Violated++
	case checkers.NotPromised:
		x.NotPromised++
	case checkers.Unknown:
		x.Unknown++
	case checkers.NotExercised:
		x.NotExercised++
	}
}

// violated keeps the first seed, which is the smallest, as the runs come in the order of the seeds.
func (c *CompareColumn) violated(property string, seed uint64, sentence string) {
	if x := c.cell(property); x.Seed == nil {
		x.Seed, x.Sentence = &seed, sentence
	}
}

// sum takes in what a sweep of some seeds says of its runs as a whole.
func (c *CompareColumn) sum(r *SweepReport) {
	c.Runs += r.Runs
	c.Holds += r.Holds
	c.Violated += r.Violated
	c.Unknown += r.Unknown
	c.NotPromised += r.NotPromised
	c.Deliveries += r.Deliveries
	for _, f := range r.Failures {
		if f.Property == Determinism {
			c.cell(Determinism).Violated += f.Runs
			c.violated(Determinism, f.Examples[0], f.Sentence)
		}
	}
}

func (t *CompareTime) finish() {
	if t.Finished = len(t.all); t.Finished == 0 {
		return
	}
	slices.Sort(t.all)
	var total id.Duration
	for _, d := range t.all {
		total += d
	}
	t.MedianUs, t.MeanUs = int64(median(t.all)), int64(total)/int64(t.Finished)
}

// finish judges what was counted.
func (r *DesignComparison) finish() {
	for _, c := range r.Columns {
		r.StoppedEarly = r.StoppedEarly || c.Runs < r.Count
		for i := range c.Properties {
			x := &c.Properties[i]
			x.Verdict = word(x.status())
			if x.Seed != nil {
				x.Reproduce = ReproduceSeed(c.design, *x.Seed, c.level)
			}
		}
		c.Stops.finish()
		c.Failbacks.finish()
	}
	r.Verdict = word(r.status())
}

// status is what the runs come to: a property that is not promised in one of them is judged by the others.
func (x *CompareCell) status() checkers.Status {
	switch {
	case x.Violated > 0:
		return checkers.Violated
	case x.Unknown > 0:
		return checkers.Unknown
	case x.Holds > 0:
		return checkers.Holds
	case x.NotPromised > 0:
		return checkers.NotPromised
	}
	return checkers.NotExercised
}

func (r *DesignComparison) status() checkers.Status {
	status := checkers.Holds
	for _, c := range r.Columns {
		switch {
		case c.Violated > 0:
			return checkers.Violated
		case c.Unknown > 0 || r.StoppedEarly:
			status = checkers.Unknown
		case c.NotPromised > 0 && status == checkers.Holds:
			status = checkers.NotPromised
		}
	}
	return status
}

// ExitStatus is the exit status of a comparison: 0 all designs hold, 1 one of them is violated, 4 unknown or not promised.
func (r *DesignComparison) ExitStatus() int {
	switch r.status() {
	case checkers.Violated:
		return 1
	case checkers.Unknown, checkers.NotPromised:
		return 4
	}
	return 0
}
