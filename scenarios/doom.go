package scenarios

import (
	"context"
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// DefaultDoomRuns is how many continuations a moment is measured by where nothing else is said.
const DefaultDoomRuns = 40

// DoomOptions say of which failing run it is looked for where it was lost, and how.
type DoomOptions struct {
	Design  *Design
	Choices choice.Chooser // of the failing run; nil: the file's choose lines
	Net     sim.Network    // of the failing run
	// Noise is the network of the continuations; nil: that of the failing run, or the package's Noise where that one is calm.
	Noise *sim.Network
	// FaultsEnd has continuations go without the faults of the scenario that have not fallen yet.
	FaultsEnd bool
	Runs      int // continuations of a moment, from 1; 0: DefaultDoomRuns
	// Property names the failure that is meant; empty: the first one of the run. Group has those count only that are of this group
	// too; empty: every violation of the property counts.
	Property, Group string
	Progress        func(runs, about int) // how many continuations are done, of about how many
}

// noise is the network of the continuations.
func (o *DoomOptions) noise() sim.Network {
	switch {
	case o.Noise != nil:
		return *o.Noise
	case o.Net == sim.Network{}:
		return Noise
	}
	return o.Net
}

// Doom looks for the moments of a failing run between which its failure became inevitable. Each moment that it looks at is
// measured: forks of the run go on from there, each answered by its own seed, and those count that fail by the same property. The
// moments are found by halving what lies between one where few fail and one where all do. When the context is done, the answer is
// what is known by then. The error is a *NoFailureError, the context's, or that of Run.
func Doom(ctx context.Context, name string, s *format.Scenario, o DoomOptions) (*DoomReport, error) {
	d, err := newDooming(ctx, name, s, o)
	if err != nil {
		return nil, err
	}
	d.overview()
	d.narrow()
	return d.report(), nil
}

// Doom is Doom of the shrunk run, under the design that it was shrunk under; faultsEnd is DoomOptions.FaultsEnd. Progress may be nil.
func (x *Shrunk) Doom(ctx context.Context, d *Design, faultsEnd bool, progress func(runs, about int)) (*DoomReport, error) {
	return Doom(ctx, x.Scenario.Name, x.Scenario, DoomOptions{Design: d, Property: x.Problem.Property, FaultsEnd: faultsEnd, Progress: progress})
}

// dooming is a search under way. Moments are known by their place in list, from the start of the run on; the last entry, which
// cannot be measured, is the failure itself.
type dooming struct {
	ctx     context.Context
	name    string
	options DoomOptions
	run     Options        // of the run and its continuations
	chooser choice.Chooser // of the failing run
	noise   sim.Network
	problem Problem
	number  checkers.ID // of the problem's property; not of an expectation

	list     []moment
	kept     []*run // forks of the failing run, by turns
	turns    []int  // after which each of them was made, ascending
	measured map[int]*sample
	runs     int // continuations so far
	// An edge did not stand up to a second measuring: from then on one measuring is not enough.
	doubtDoomed, doubtSafe bool
	// count has continuations n to m-1 of a moment go to their ends, and counts those that fail; ok is false when the context was
	// done before. It is goOn but in tests.
	count func(at, n, m int) (fail, group int, ok bool)
}

// sample is what continuations of one moment came to.
type sample struct {
	fail, group int // of the continuations: those that failed; those that failed in the same group
	again       int // of as many others, where the moment was measured again: those that failed
	twice       bool
}

// Judged are the ids of the properties that continuations can be judged by, and Expectation.
func Judged() []string {
	all := []string{Expectation}
	for _, p := range checkers.Properties() {
		if !p.Sampled {
			all = append(all, p.ID)
		}
	}
	return all
}

// newDooming runs the failing run twice: for its failure, then for its moments.
func newDooming(ctx context.Context, name string, s *format.Scenario, o DoomOptions) (*dooming, error) {
	d := &dooming{ctx: ctx, name: name, options: o, chooser: o.Choices, noise: o.noise(), measured: map[int]*sample{}}
	d.count = d.goOn
	if d.chooser == nil {
		d.chooser = choice.Replay(s.Schedule, nil)
	}
	if d.options.Runs == 0 {
		d.options.Runs = DefaultDoomRuns
	}
	d.run = Options{Protocol: o.Design.Config, Choices: d.chooser, Net: o.Net, Stop: func() bool { return ctx.Err() != nil }}
	r, err := Run(s, d.run)
	if err != nil {
		return nil, err
	}
	if r.Stopped {
		return nil, ctx.Err()
	}
	leftOut := func(p *Problem) bool { return p.Property == Expectation && calmOnly(s, r, p) }
	if !d.choose(r, leftOut) {
		return nil, r.notFailed(name, o.Property, o.Group, leftOut)
	}
	if err := d.pass(s); err != nil {
		return nil, err
	}
	return d, ctx.Err()
}

// choose finds the failure that is meant among those of the run that are not left out.
func (d *dooming) choose(r *Result, leftOut func(*Problem) bool) bool {
	p, found := r.meant(d.options.Property, d.options.Group, leftOut)
	if found {
		d.problem = p
		d.number = checkers.ID(slices.IndexFunc(checkers.Properties(), func(x checkers.Property) bool { return x.ID == p.Property }))
	}
	return found
}

// calmOnly tells whether an expectation that was not met is asked of the calm schedule alone.
func calmOnly(s *format.Scenario, r *Result, p *Problem) bool {
	return slices.ContainsFunc(r.Failures, func(f Failure) bool {
		calm := func(e format.Expect) bool { return e.Line == f.Line && e.Calm }
		return unmet(f).Group == p.Group && slices.ContainsFunc(s.Expect, calm)
	})
}

// failed tells whether the run has failed so far in the way that counts.
func (d *dooming) failed(r *run) bool {
	if d.problem.Property == Expectation {
		return slices.ContainsFunc(r.result.Failures, func(f Failure) bool { return unmet(f).Group == d.problem.Group })
	}
	suite := r.watch().suite
	if suite.Count(d.number) == 0 || d.options.Group == "" {
		return suite.Count(d.number) > 0
	}
	_, events, _ := r.world.Count()
	so := &Result{Verdicts: suite.Verdicts(), Events: events, Names: &r.names, points: r.watch().points, cluster: r.cluster}
	so.Assertion, _ = r.world.Failure()
	_, found := so.find(d.problem.Property, d.options.Group)
	return found
}

// at is the failing run after so many turns. It is forked from the latest one before that is kept.
func (d *dooming) at(turn int) *run {
	i, found := slices.BinarySearch(d.turns, turn)
	if !found {
		r := d.kept[i-1].fork(nil)
		for range turn - d.turns[i-1] {
			r.turn()
		}
		d.kept, d.turns = slices.Insert(d.kept, i, r), slices.Insert(d.turns, i, turn)
	}
	return d.kept[i]
}

// continued is a fork of the failing run that goes on from the moment, answered by c. Where that is in the midst of a turn, the
// turn is done again up to there by the failing run's own choices.
func (d *dooming) continued(m *moment, c choice.Chooser) *run {
	if m.nth == 0 {
		f := d.at(m.turn).fork(c)
		d.anew(f)
		return f
	}
	turn := &turning{now: d.chooser}
	f := d.at(m.turn - 1).fork(turn)
	left := m.nth
	f.watchToChange().listen = func(e *event.Event) {
		if e.Kind != event.PointReached {
			return
		}
		if left--; left == 0 {
			turn.now = c
			d.anew(f)
		}
	}
	return f
}

// anew has a fork go on as continuations do.
func (d *dooming) anew(f *run) {
	f.world.SetNetwork(d.noise)
	if d.options.FaultsEnd {
		f.faultsEnd = true
		f.world.Disarm()
	}
}

// turning asks one chooser and, from some moment on, another.
type turning struct{ now choice.Chooser }

// Choose has whoever's turn it is answer.
func (t *turning) Choose(k choice.Key, n uint32, odds uint16) uint32 { return t.now.Choose(k, n, odds) }

// continuation is the seed of a continuation, beyond the seeds that a command takes. It is the same at each moment, so that two
// moments differ by what lies between them and by little else.
func continuation(n int) choice.Chooser {
	const beyond = 1 << 60
	return choice.Seeded(beyond + uint64(n))
}

// goOn counts as dooming.count says.
func (d *dooming) goOn(at, n, m int) (fail, group int, ok bool) {
	for ; n < m; n++ {
		if d.ctx.Err() != nil {
			return 0, 0, false
		}
		f := d.continued(&d.list[at], continuation(n))
		for f.turn() {
		}
		f.finish()
		if f.result.Stopped {
			return 0, 0, false
		}
		d.runs++
		if d.options.Progress != nil {
			d.options.Progress(d.runs, d.about())
		}
		_, same := f.result.find(d.problem.Property, d.problem.Group)
		if same {
			group++
		}
		if same || d.options.Group == "" && f.result.failsBy(d.problem) {
			fail++
		}
	}
	return fail, group, true
}

// failsBy tells whether the run failed by the property of a problem; of expectations it must be the same one.
func (r *Result) failsBy(p Problem) bool {
	return p.Property != Expectation && slices.Contains(r.violates(), p.Property)
}
