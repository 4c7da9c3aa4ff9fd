package scenarios

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"mirrorsim/faults"
	"mirrorsim/sim/choice"
)

// SweepOptions say which generated scenarios are run, and how.
type SweepOptions struct {
	Start uint64 // the first seed; all are at most 2^53-1
	Count int    // of seeds, one after the other
	Jobs  int    // runs at the same time; 0: one a core. What comes out does not depend on it
	Level faults.Level
	// Designs are dealt over the seeds, one after the other: at least one.
	Designs []*Design
	Shrink  int  // most runs to shrink one failure of each group with; 0: nothing is shrunk
	Doom    bool // say of each failure that was shrunk where it was lost
	// FaultsEnd is DoomOptions.FaultsEnd of that.
	FaultsEnd bool

	// Each is called once a seed, in the order of the seeds, with what the run came to; Shrinking when the seeds are
	// done and failures are shrunk. Both may be nil, and are called by one goroutine at a time.
	Each      func(seed uint64, r *Result)
	Shrinking func(group, groups int)

	// choices is what a test puts in place of a seed's choices: second tells the run that is done for comparison.
	choices func(seed uint64, second bool, c choice.Chooser) choice.Chooser
	// block is what a test puts in place of soakBlock.
	block int
}

// PanicError says that the program itself failed in a run: a panic that is no assertion of the model.
type PanicError struct {
	Reproduce string // the command that repeats it
	Reason    any
	Stack     string
}

// Error is the reason, the command and the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("%v\nRepeat it with: %s\n%s", e.Reason, e.Reproduce, e.Stack)
}

// Sweep runs the generated scenario of every seed. Some seeds, chosen by their own hash, and every failing one are run
// twice and compared before anything else is made of them. When the context is done it stops within a moment and reports
// what was done. The error says that something cannot be run, or is a *PanicError.
func Sweep(ctx context.Context, o SweepOptions) (*SweepReport, error) {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	began := time.Now()
	w := &sweep{options: o, report: newSweepReport(&o), pending: map[int]*swept{}}
	group, inner := errgroup.WithContext(ctx)
	for range min(o.Jobs, o.Count) {
		group.Go(func() error { return w.work(inner) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	w.merge(true)
	if err := w.shrink(ctx); err != nil {
		return nil, err
	}
	if err := w.canary(ctx); err != nil {
		return nil, err
	}
	w.report.finish(ctx.Err() != nil)
	w.report.WallSeconds = time.Since(began).Seconds()
	return w.report, nil
}

// sweep is a sweep under way. Runs end in any order; they are merged into the report in the order of the seeds.
type sweep struct {
	options SweepOptions
	taken   atomic.Int64 // how many seeds have a worker

	mutex   sync.Mutex
	report  *SweepReport
	next    int            // the seed that is merged next, counted from Start
	pending map[int]*swept // done, but not merged yet: at most a few a worker
}

// swept is what the runs of one seed came to.
type swept struct {
	seed     uint64
	design   *Design
	arm      faults.Arm
	acts     []string // the keywords of its scenario's steps
	result   *Result
	problems []Problem
	compared bool // it was run twice
}

// designOf is the design that a seed is dealt.
func (o *SweepOptions) designOf(seed uint64) *Design { return o.Designs[seed%uint64(len(o.Designs))] }

// work runs seeds until none is left.
func (w *sweep) work(ctx context.Context) error {
	for ctx.Err() == nil {
		i := int(w.taken.Add(1)) - 1
		if i >= w.options.Count {
			return nil
		}
		x, err := w.seed(ctx, w.options.Start+uint64(i))
		if err != nil {
			return err
		}
		if x == nil {
			return nil // stopped in the midst of a run
		}
		w.mutex.Lock()
		w.pending[i] = x
		w.merge(false)
		w.mutex.Unlock()
	}
	return nil
}

// merge puts what is done into the report; at the end of the sweep also what stands behind a seed that was not done.
func (w *sweep) merge(end bool) {
	for i := w.next; len(w.pending) > 0; i++ {
		x := w.pending[i]
		if x == nil {
			if end {
				continue
			}
			return
		}
		delete(w.pending, i)
		w.next = i + 1
		w.report.add(x)
		if w.options.Each != nil {
			w.options.Each(x.seed, x.result)
		}
	}
}

// seed does the runs of one seed; nil when the context was done before they were.
func (w *sweep) seed(ctx context.Context, seed uint64) (x *swept, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{ReproduceSeed(w.options.designOf(seed), seed, w.options.Level), p, string(debug.Stack())}
		}
	}()
	s, design := Generate(seed, w.options.Level), w.options.designOf(seed)
	o := Options{Protocol: design.Config, CrossCheck: seed%crossedEvery == 0}.WithLevel(seed, w.options.Level)
	t := w.twice(ctx, seed)
	r, differs, err := t.run(s, o)
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	if r.Stopped {
		return nil, nil
	}
	x = &swept{seed: seed, design: design, arm: armOf(seed), acts: operations(s), result: r, problems: r.Problems(),
		compared: t.always || r.Violated()}
	if differs != nil {
		p := Problem{Property: Determinism, Sentence: differs.String(), Group: groupOf(Determinism, "", nil)}
		x.problems = []Problem{p} // no other failure of such a run means anything
	}
	return x, nil
}

// crossedEvery: one seed in so many gets the second opinion of porcupine, and so does every one that fails.
const crossedEvery = 16

// twice says how a seed is run twice.
func (w *sweep) twice(ctx context.Context, seed uint64) *twice {
	t := &twice{ctx: ctx, always: comparedAnyway(seed)}
	if w.options.choices != nil {
		t.choices = func(second bool, c choice.Chooser) choice.Chooser { return w.options.choices(seed, second, c) }
	}
	return t
}

// comparedAnyway tells whether a seed is one of the 5 % that are run twice whether they fail or not. It depends on the
// seed alone, so it is the same ones in every sweep.
func comparedAnyway(seed uint64) bool {
	const percent = 5
	h := (seed + 1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32) * 0x9e3779b97f4a7c15
	return (h>>32)*100>>32 < percent
}

// shrunkGroups bounds how many groups are shrunk: with more of them there is something wrong that a few will show.
const shrunkGroups = 8

// shrink makes one failure of each group small. An example that does not fail again, or not by itself, stays as it is.
func (w *sweep) shrink(ctx context.Context) error {
	list := w.report.Failures[:min(len(w.report.Failures), shrunkGroups)]
	if w.options.Shrink <= 0 || len(list) == 0 {
		return nil
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(w.options.Jobs)
	begun := 0
	for i := range list {
		if list[i].Property == Determinism {
			continue
		}
		group.Go(func() error {
			w.mutex.Lock()
			begun++
			if w.options.Shrinking != nil {
				w.options.Shrinking(begun, len(list))
			}
			w.mutex.Unlock()
			return w.shrinkOne(inner, list[i])
		})
	}
	return group.Wait()
}

func (w *sweep) shrinkOne(ctx context.Context, f *SweepFailure) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{f.Reproduce, p, string(debug.Stack())}
		}
	}()
	seed := f.Examples[0]
	o := Options{}.WithLevel(seed, w.options.Level)
	x, err := Shrink(ctx, Generate(seed, w.options.Level), ShrinkOptions{Design: w.options.designOf(seed), Choices: o.Choices,
		Net: o.Net, Runs: w.options.Shrink, Found: f.Reproduce, Property: f.Property, Group: f.Group})
	var none *NoFailureError
	var unrepeatable *UnrepeatableError
	switch {
	case errors.As(err, &none), errors.As(err, &unrepeatable), ctx.Err() != nil && x == nil:
		return nil
	case err != nil:
		return err
	}
	size := x.After
	f.Shrunk, f.ShrunkTo, f.ShrunkRuns = string(x.Scenario.AppendText(nil)), &size, x.Runs
	if w.options.Doom && ctx.Err() == nil {
		f.Doom, err = x.Doom(ctx, w.options.designOf(seed), w.options.FaultsEnd, nil)
	}
	if errors.As(err, &none) || ctx.Err() != nil {
		return nil
	}
	return err
}
