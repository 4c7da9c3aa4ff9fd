package plan

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// Options say over which schedules a plan is answered.
type Options struct {
	Start uint64 // the first seed; all are at most 2^53-1
	Count int    // of seeds, at least 1
	Jobs  int    // runs at the same time; 0: one a core. What comes out does not depend on it
	Level scenarios.Level
	Each  func() // called once a seed, by one goroutine at a time; nil: not
}

// Override has what a command line says take the place of what the file says: the revision, unless it is empty, and decisions
// of the form NAME=TOKEN. The error says what would be accepted.
func (p *Plan) Override(revision string, sets []string) error {
	if revision != "" {
		p.Protocol, p.overridden = revision, "--protocol "+revision
	}
	for _, x := range sets {
		p.overridden = strings.TrimSpace(p.overridden + " --set " + x)
	}
	d, err := p.design(sets)
	if err != nil {
		return err
	}
	p.Sets = nil
	for _, x := range d.Sets {
		p.Sets = append(p.Sets, Setting{Key: x.Name, Value: x.Token})
	}
	return nil
}

// design is the protocol that the plan runs under.
func (p *Plan) design(sets []string) (*scenarios.Design, error) {
	var all []string
	for _, x := range p.Sets {
		all = append(all, x.Key+"="+x.Value)
	}
	return scenarios.Choose(&format.Scenario{}, p.revision(), append(all, sets...))
}

// Scenario is the plan as a scenario file for a schedule. It is empty where no partition can be in one.
func (p *Plan) Scenario(v Schedule) string {
	s := p.write()
	if s == nil {
		return ""
	}
	return s.text(v).text
}

// Run runs the plan on every schedule and answers its questions. When the context is done it stops within a moment, and answers
// from what was done. The error is a *scenarios.PanicError, or says that the plan cannot be run.
func (p *Plan) Run(ctx context.Context, o Options) (*PlanReport, error) {
	d, err := p.design(nil)
	if err != nil {
		return nil, err
	}
	w := &runner{plan: p, design: d, options: o, script: p.write(), outcomes: make([]*outcome, o.Count)}
	if w.script != nil {
		if o.Jobs <= 0 {
			o.Jobs = runtime.GOMAXPROCS(0)
		}
		group, inner := errgroup.WithContext(ctx)
		for range min(o.Jobs, o.Count) {
			group.Go(func() error { return w.work(inner) })
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
	}
	return w.report(), nil
}

// runner is a plan that is being run.
type runner struct {
	plan     *Plan
	design   *scenarios.Design
	options  Options
	script   *script
	taken    atomic.Int64
	mutex    sync.Mutex
	outcomes []*outcome // by seed, from Start on; nil: not done
}

func (w *runner) work(ctx context.Context) error {
	for ctx.Err() == nil {
		i := int(w.taken.Add(1)) - 1
		if i >= w.options.Count {
			return nil
		}
		x, err := w.seed(ctx, w.options.Start+uint64(i))
		if err != nil {
			return err
		}
		if x.stopped {
			return nil
		}
		w.mutex.Lock()
		w.outcomes[i] = x
		if w.options.Each != nil {
			w.options.Each()
		}
		w.mutex.Unlock()
	}
	return nil
}

// seed runs the schedule of a seed.
func (w *runner) seed(ctx context.Context, seed uint64) (x *outcome, err error) {
	v := Schedule{&seed, w.options.Level}
	defer func() {
		if p := recover(); p != nil {
			err = &scenarios.PanicError{Reproduce: w.command(seed), Reason: p, Stack: string(debug.Stack())}
		}
	}()
	s, lines, err := w.script.scenario(v)
	if err != nil {
		return nil, fmt.Errorf("seed %d: the plan makes no scenario: %w", seed, err)
	}
	o := w.script.observer(s.Nodes())
	options := scenarios.Options{Protocol: w.design.Config, Look: o.look, Stop: func() bool { return ctx.Err() != nil }}
	if w.options.Level == scenarios.NoFaults {
		options = options.WithSeed(seed) // as mirrorsim run does
	} else {
		options = options.WithLevel(seed, w.options.Level)
	}
	r, err := scenarios.Run(s, options)
	if err != nil {
		return nil, err
	}
	return w.script.folded(seed, r, o, lines), nil
}

// command is how somebody sees the run of a seed for himself.
func (w *runner) command(seed uint64) string {
	flags, level := "", fmt.Sprintf(" --faults %v", w.options.Level)
	if w.plan.overridden != "" {
		flags = " " + w.plan.overridden
	}
	again := level
	if w.options.Level == scenarios.NoFaults {
		again = ""
	}
	return fmt.Sprintf("mirrorsim plan %s%s --show --seed %d%s > %d.scn && mirrorsim run %d.scn --seed %d%s", scenarios.Quoted(w.plan.File), flags,
		seed, level, seed, seed, seed, again)
}
