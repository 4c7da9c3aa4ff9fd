package scenarios

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// DefaultShrinkRuns is how many runs a shrinker may take where nothing else is said.
const DefaultShrinkRuns = 3000

// ShrinkOptions say how a failure is shrunk.
type ShrinkOptions struct {
	Design  *Design
	Choices choice.Chooser // of the failing run; nil: the file's choose lines
	Net     sim.Network    // of the failing run
	Runs    int            // at most; 0: DefaultShrinkRuns
	Found   string         // how the failure was found: the command that repeats it
	// Property and Group name the failure that is kept; empty: any, the first one of the run.
	Property, Group string
	Progress        func(ShrinkProgress)
}

// ShrinkProgress is how far a shrinker is.
type ShrinkProgress struct {
	Runs, Most        int // so far; at most
	Steps, Deviations int // of the smallest failing scenario so far, repeats counted out
}

// Shrunk is a failure made small.
type Shrunk struct {
	Scenario      *format.Scenario // runs by itself, and fails by Problem
	Problem       Problem          // of its run
	Runs          int
	Before, After Size
	StoppedEarly  bool // by the context, or by the bound on runs: smaller may be possible
	Interrupted   bool // by the context
}

// Size is how large a failing scenario is.
type Size struct {
	Steps      int `json:"steps"`      // repeats counted out
	Deviations int `json:"deviations"` // from the calm schedule
}

// NoFailureError says that a run does not fail, or not in the way that is asked for.
type NoFailureError struct {
	Name            string
	Property, Group string   // that were asked for; "" any
	Fails           []string // the properties by which the run fails, each once, but for what is left out
	Calm            bool     // expectations on the calm schedule are left out, and one was not met
}

// Error is one sentence.
func (e *NoFailureError) Error() string {
	text := e.Name + " does not fail"
	if e.Property != "" {
		text += " by " + e.Property
	}
	if e.Group != "" {
		text += " in group " + e.Group
	}
	if e.Calm {
		text += " (what is expected on the calm schedule only is not judged)"
	}
	return text
}

// UnrepeatableError says that a failing run, done again, was another one. That is a fault of this program, and what is
// shrunk from it would mean nothing.
type UnrepeatableError struct {
	Name    string
	Differs *Difference
}

// Error is one sentence.
func (e *UnrepeatableError) Error() string {
	return e.Name + " fails but does not repeat, so it is not shrunk: " + e.Differs.String()
}

// Shrink makes a failing scenario small, by delta debugging over its deviations and steps and by simpler acts, smaller
// topology and fewer settings in turn, until none of it gets it any smaller. What is left fails by the same property in
// the same group. When the context is done, the answer is the best so far. The error is a *NoFailureError, an
// *UnrepeatableError, the context's before there was anything to answer, or that of Run.
func Shrink(ctx context.Context, s *format.Scenario, o ShrinkOptions) (*Shrunk, error) {
	k := &shrinker{ctx: ctx, options: o, most: o.Runs, seen: map[uint64]bool{}}
	if k.most == 0 {
		k.most = DefaultShrinkRuns
	}
	first, err := k.begin(s)
	if err != nil {
		return nil, err
	}
	for again := true; again && !k.over(); {
		before := k.taken
		k.deviations()
		k.steps()
		k.acts()
		k.topology()
		k.values()
		again = k.taken > before
	}
	out := &Shrunk{Scenario: k.best, Problem: k.last, Runs: k.runs, Before: first, After: sizeOf(k.best),
		StoppedEarly: k.over(), Interrupted: ctx.Err() != nil}
	out.Scenario.Name, out.Scenario.Story = s.Name+"-shrunk", out.story(o.Found)
	return out, nil
}

// shrinker is a shrinking under way. Everything that it tries is a whole scenario, printed and parsed, so that what it
// answers is one that a file can hold.
type shrinker struct {
	ctx     context.Context
	options ShrinkOptions
	most    int
	runs    int
	taken   int // how often something smaller was found
	seen    map[uint64]bool

	property, group string // what is kept
	best            *format.Scenario
	last            Problem // of best's run
}

// begin runs the failure twice, finds what it fails by, and makes it a scenario of its own.
func (k *shrinker) begin(s *format.Scenario) (Size, error) {
	if err := k.ctx.Err(); err != nil {
		return Size{}, err
	}
	o := Options{Protocol: k.options.Design.Config, Choices: k.options.Choices, Net: k.options.Net, CrossCheck: true}
	first, differs, err := (&twice{ctx: k.ctx}).run(s, o)
	switch {
	case err != nil:
		return Size{}, err
	case first.Stopped:
		return Size{}, k.ctx.Err()
	case first.Violated() && differs != nil:
		return Size{}, &UnrepeatableError{s.Name, differs}
	}
	problem, ok := first.meant(k.options.Property, k.options.Group, nil)
	if !ok {
		return Size{}, first.notFailed(s.Name, k.options.Property, k.options.Group, nil)
	}
	k.property, k.group, k.last = problem.Property, problem.Group, problem
	k.best = Baked(s, k.options.Design, first)
	k.best.Wrong, k.best.ScheduleNote, k.best.EndNote = nil, "", ""
	k.runs = 2
	size := sizeOf(k.best)
	k.onlyExpect(first)
	return size, nil
}

// onlyExpect drops every expectation but the one that is kept as the failure.
func (k *shrinker) onlyExpect(r *Result) {
	all := k.best.Expect
	k.best.Expect = nil
	for _, f := range r.Failures {
		at := slices.IndexFunc(all, func(e format.Expect) bool { return e.Line == f.Line && e.String() == f.Text })
		if k.property == Expectation && at >= 0 && unmet(f).Group == k.group {
			k.best.Expect = all[at : at+1]
			return
		}
	}
}

// over tells whether nothing more is tried.
func (k *shrinker) over() bool { return k.runs >= k.most || k.ctx.Err() != nil }

// try runs a candidate and takes it when it still fails in the same way.
func (k *shrinker) try(c *format.Scenario) bool {
	if k.over() {
		return false
	}
	parsed, text := reread(c)
	if parsed == nil || k.known(text, parsed.Schedule) {
		return false
	}
	k.runs++
	r, err := Run(parsed, Options{Protocol: k.options.Design.Config, CrossCheck: k.property == checkers.Crossed.String(),
		Stop: func() bool { return k.ctx.Err() != nil }})
	failed := false
	if err == nil && !r.Stopped {
		var problem Problem
		if problem, failed = r.find(k.property, k.group); failed {
			parsed.Schedule = r.Deviations // without those that did not apply
			k.best, k.last = parsed, problem
			k.taken++
		}
	}
	if k.options.Progress != nil {
		size := sizeOf(k.best)
		k.options.Progress(ShrinkProgress{k.runs, k.most, size.Steps, size.Deviations})
	}
	return failed
}

// reread prints a scenario and parses it: nil when it names something that it does not have.
func reread(c *format.Scenario) (*format.Scenario, []byte) {
	bare := *c
	bare.Schedule = nil
	text := bare.AppendText(nil)
	parsed, err := format.Parse(c.Name, text)
	if err != nil {
		return nil, nil
	}
	parsed.Schedule = c.Schedule
	return parsed, text
}

// known tells whether this candidate was tried before.
func (k *shrinker) known(text []byte, schedule []choice.Deviation) bool {
	h := fnv.New64a()
	h.Write(text)
	for _, d := range schedule {
		fmt.Fprintln(h, d)
	}
	sum := h.Sum64()
	was := k.seen[sum]
	k.seen[sum] = true
	return was
}

// sizeOf is how large a scenario is.
func sizeOf(s *format.Scenario) Size { return Size{len(s.Unroll()) - 1, len(s.Schedule)} }

// story is what stands at the head of the shrunk file.
func (x *Shrunk) story(found string) string {
	text := fmt.Sprintf("%s: %s.\n", x.Problem.Property, x.Problem.Sentence)
	if found != "" {
		text += "Found by: " + found + "\n"
	}
	return text + fmt.Sprintf("Shrunk in %s from %v to %v.", checkers.Several(x.Runs, "run", "runs"), x.Before, x.After)
}

// String is the size in words.
func (s Size) String() string {
	return fmt.Sprintf("%s and %s", checkers.Several(s.Steps, "step", "steps"), checkers.Several(s.Deviations, "deviation", "deviations"))
}
