package scenarios

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// Noise is what a seed may do to the network of a scenario run: messages are late, and all behind them on their link, as
// on a connection; timers fire late. Nothing is lost, doubled or overtaken on its link; that takes a fault.
var Noise = sim.Network{Delay: 1 << 12, Jitter: 1 << 14, MaxDelay: 100 * id.Millisecond}

// WithSeed are o with the choices of a seed, from 0 to 2^53-1.
func (o Options) WithSeed(seed uint64) Options {
	o.Choices, o.Net = choice.Seeded(seed), Noise
	return o
}

// Check is one run of a verification.
type Check struct {
	Scenario string
	Seed     *uint64 // nil: calm
	Wrong    string  // the wrong line under which it ran, "" for none
	Problem  string  // "" if it came out as the file says
	Command  string  // that repeats it
	Result   *Result
	Mended   *Result // under a wrong line that says what mends it; nil under others
}

// Verify runs a scenario as its file means it: on the calm schedule and under seeds 0 to seeds-1 nothing may fail, and
// under each wrong line the property that it names must be violated, and no other safety property than those that the wrong
// lines of the same choices name; where the line says what mends that, it may not be violated then, nor any that was not violated
// before. name is how a command names the scenario. When the context is done, the answer is the runs that were made by then. The
// error says that it cannot be run.
func Verify(ctx context.Context, name string, s *format.Scenario, d *Design, seeds int) ([]Check, error) {
	var list []Check
	options, calm := Options{Protocol: d.Config, CrossCheck: true, Stop: func() bool { return ctx.Err() != nil }}, true
	for i := -1; i < seeds; i++ {
		o, seed := options, (*uint64)(nil)
		if i >= 0 {
			n := uint64(i)
			o, seed = options.WithSeed(n), &n
		}
		r, err := Run(s, o)
		if err != nil || r.Stopped || ctx.Err() != nil {
			return list, err
		}
		c := Check{Scenario: name, Seed: seed, Command: Reproduce(name, d, seed), Result: r}
		if r.Violated() {
			c.Problem = r.Summary()
			if calm = calm && i >= 0; calm && r.onlyExpected() {
				c.Problem += "; it is so on the calm schedule: if it may be otherwise on another, it is expected on-schedule calm"
			}
		}
		list = append(list, c)
	}
	for i := range s.Wrong {
		c, err := verifyWrong(name, s, d, &s.Wrong[i])
		if err != nil || ctx.Err() != nil {
			return list, err
		}
		list = append(list, c)
	}
	return list, nil
}

// verifyWrong runs s under a wrong line.
func verifyWrong(name string, s *format.Scenario, d *Design, w *format.Wrong) (Check, error) {
	if w.Defect != "" {
		return Check{}, &format.SyntaxError{File: name, Line: w.Line, Word: "defect", Want: []string{"set DECISION=TOKEN"},
			Message: "a defect of the code cannot be put in place here"}
	}
	broken, err := d.under(w)
	if err != nil {
		return Check{}, err
	}
	r, err := Run(s, Options{Protocol: broken.Config, CrossCheck: true})
	if err != nil {
		return Check{}, err
	}
	c := Check{Scenario: name, Wrong: w.String(), Command: Reproduce(name, broken, nil), Result: r}
	if c.Problem = notViolated(r, w.Property); c.Problem == "" {
		c.Problem = violatedToo(r, named(s, d, broken.Config))
	}
	if len(w.Mend) == 0 || c.Problem != "" {
		return c, nil
	}
	mended, err := broken.with(w.Mend)
	if err != nil {
		return Check{}, err
	}
	if c.Mended, err = Run(s, Options{Protocol: mended.Config, CrossCheck: true}); err != nil {
		return Check{}, err
	}
	if c.Problem = notMended(c.Mended, w.Property, named(s, d, broken.Config)); c.Problem != "" {
		c.Command = Reproduce(name, mended, nil)
	}
	return c, nil
}

// notMended says what is violated in a run under what is said to mend a property: that one, or one that was not violated without
// it; "" if nothing such is. The others have mends of their own.
func notMended(r *Result, property string, before []string) string {
	for _, id := range r.violates() {
		switch {
		case id == property:
			return id + " is violated, but the file says that this is mended"
		case !slices.Contains(before, id):
			return id + " is violated by what mends " + property
		}
	}
	return ""
}

// under is the design of a wrong line of a file whose own is d.
func (d *Design) under(w *format.Wrong) (*Design, error) {
	if w.Revision == "" {
		return d.with(w.Sets)
	}
	config, err := protocol.Revision(w.Revision)
	if err != nil {
		return nil, err
	}
	return (&Design{Config: config, Revision: w.Revision}).with(w.Sets)
}

// with is the design with these decisions in it.
func (d *Design) with(sets []format.Set) (*Design, error) {
	c := *d
	c.Sets = slices.Clone(d.Sets)
	for _, x := range sets {
		if err := c.set(x.Key, x.Token); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// notViolated says what is so of a property that is to be violated; "" if it is.
func notViolated(r *Result, property string) string {
	for _, v := range r.Verdicts {
		if v.Property == property && v.Status == checkers.Violated {
			return ""
		}
		if v.Property == property {
			return fmt.Sprintf("%s %s, but the file says that it is violated", v.Property, v.Status)
		}
	}
	return property + " is not judged, but the file says that it is violated" // a second phase that is not reached, say
}

// named are the properties that are violated under these choices, by the file's wrong lines.
func named(s *format.Scenario, d *Design, under protocol.Config) (list []string) {
	for i := range s.Wrong {
		if c, err := s.Wrong[i].Config(d.Config); err == nil && c == under {
			list = append(list, s.Wrong[i].Property)
		}
	}
	return list
}

// violatedToo says which safety property is violated besides those; "" if none is.
func violatedToo(r *Result, named []string) string {
	live := map[string]bool{}
	for _, p := range checkers.Properties() {
		live[p.ID] = p.Liveness
	}
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated && !live[v.Property] && !slices.Contains(named, v.Property) {
			return fmt.Sprintf("%s is violated too, which no wrong line with these choices says: %s", v.Property, v.Violations[0].Sentence)
		}
	}
	return ""
}

// onlyExpected tells whether a run failed by an expectation, and not by a property or a step that did not complete.
func (r *Result) onlyExpected() bool {
	violated := slices.ContainsFunc(r.Verdicts, func(v checkers.Verdict) bool { return v.Status == checkers.Violated })
	return !violated && len(r.Failures) > 0 && strings.HasPrefix(r.Failures[0].Text, "expect ")
}

// Summary is what failed first, in one sentence: an assertion, a property, or an expectation.
func (r *Result) Summary() string {
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			return v.Property + ": " + v.Violations[0].Sentence
		}
	}
	for _, f := range r.Failures {
		return AtLine(f.Line) + f.Text + ": " + f.Got
	}
	return ""
}
