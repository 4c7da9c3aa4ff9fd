package scenarios

import (
	"context"
	"fmt"
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/faults"
)

// SweepCanary is a mistake that a sweep makes on purpose, to show that it would have found one: ordinary seeds of the sweep are
// run again with one option changed, until one violates a property that it does not violate otherwise.
type SweepCanary struct {
	Change    string  `json:"change"`              // NAME=TOKEN
	Seed      *uint64 `json:"seed,omitempty"`      // where it was found; none if it was not
	Property  string  `json:"property,omitempty"`  // that it violates there
	Sentence  string  `json:"sentence,omitempty"`  // what contradicts the property
	Reproduce string  `json:"reproduce,omitempty"` // the command
	Tried     int     `json:"tried"`               // seeds
}

// canaries are the changes, the first that is one of a design being taken. Each violates a property in one run of seven or more.
var canaries = []Set{{"producer-ids", "keep"}, {"divergence", "ignore"}}

// canarySeeds is how many seeds are tried at most: with one in seven that fails, one sweep in 20,000 misses.
const canarySeeds = 64

// canary looks for the mistake in a standard sweep that was not stopped.
func (w *sweep) canary(ctx context.Context) error {
	r, o := w.report, &w.options
	if r.Runs < standardRuns || r.level == faults.None || ctx.Err() != nil {
		return nil
	}
	c := &SweepCanary{}
	for seed := o.Start; seed < o.Start+canarySeeds && c.Seed == nil; seed++ {
		wrong, change, err := o.designOf(seed).mistaken()
		if err != nil {
			return err
		}
		c.Change = change
		c.Tried++
		run, err := w.again(ctx, seed, wrong)
		if err != nil {
			return err
		}
		if run.Stopped {
			return nil
		}
		for _, id := range run.violates() {
			if !slices.Contains(r.judged[seed], id) {
				c.found(seed, id, run, ReproduceSeed(wrong, seed, o.Level))
				break
			}
		}
	}
	r.Canary = c
	return nil
}

// again is the run of a seed under another design.
func (w *sweep) again(ctx context.Context, seed uint64, d *Design) (*Result, error) {
	o := Options{Protocol: d.Config, Stop: func() bool { return ctx.Err() != nil }}.WithLevel(seed, w.options.Level)
	return Run(Generate(seed, w.options.Level), o)
}

// mistaken is the design with one option changed, and the change.
func (d *Design) mistaken() (wrong *Design, change string, err error) {
	for _, x := range canaries {
		if d.Config.Get(x.Name) == x.Token {
			continue
		}
		wrong = &Design{Config: d.Config, Revision: d.Revision, Sets: slices.Clone(d.Sets)}
		return wrong, x.Name + "=" + x.Token, wrong.set(x.Name, x.Token)
	}
	panic("scenarios: two canaries change two decisions, or one of them to two options")
}

func (c *SweepCanary) found(seed uint64, property string, r *Result, command string) {
	c.Seed, c.Property, c.Reproduce = &seed, property, command
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Property == property {
			c.Sentence = v.Violations[0].Sentence
		}
	}
}

// missed says why a sweep without its canary proves nothing.
func (c *SweepCanary) missed() string {
	return fmt.Sprintf("the canary was not found: %s violates nothing in the first %s, so this sweep would not find what it is to find",
		c.Change, checkers.Several(c.Tried, "seed", "seeds"))
}

// violates are the ids of the properties that the run violates.
func (r *Result) violates() (list []string) {
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Status == checkers.Violated {
			list = append(list, v.Property)
		}
	}
	return list
}
