package scenarios

import (
	"context"
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// GuideOptions say which runs a guided search makes.
type GuideOptions struct {
	Start  uint64 // the first seed; all are at most 2^53-1
	Count  int    // of runs, from 1: those of new seeds and extensions
	Level  faults.Level
	Design *Design
	Blind  bool // every run is of a new seed: what a sweep does, counted in the same way
	// Deliveries ends the search when so many were handled; 0: only Count does.
	Deliveries uint64
	// Each is called after each run; it may be nil.
	Each func(x *GuidedRun)

	unchecked bool // failing runs are not done again from their files
}

// GuidedRun is one run of a guided search: that of a seed, or an extension of an earlier run from a moment of it on.
type GuidedRun struct {
	Number     int    // of the search, from 1
	Seed       uint64 // of the generated scenario, and of its choices up to the first branch
	Branches   []Branch
	Deliveries uint64 // that this run itself has handled
	Total      uint64 // of the search so far
	Problems   []Problem
	Differs    bool // the file of a failing run did not run to the same history
	scenario   *format.Scenario
	result     *Result
}

// Branch is where an extension leaves the run that it extends.
type Branch struct {
	Turn   int      `json:"turn"`   // of the run, from 1: what follows it is new
	Seed   uint64   `json:"seed"`   // of the choices from there on, which are no generated scenario's; up to 2^53-1
	Faults []string `json:"faults"` // what the adversary has added, as steps of the scenario
	State  string   `json:"state"`  // the coarse state that had been entered
}

// guide is a guided search under way. It is one goroutine's: what it does next depends on all that it has seen.
type guide struct {
	ctx     context.Context
	options GuideOptions
	rules   Options
	seed    uint64 // the next new one
	seen    map[checkers.Coarse]int
	pool    pool
	runs    int
	total   uint64
}

// Guide makes runs of generated scenarios, keeps snapshots of those that enter a coarse state that was rarely seen, and has about
// every second run extend one of these by new choices instead of beginning anew; half of the extensions meet one more fault. It
// ends early when the context is done. Equal options give equal runs. The error is that of Run.
func Guide(ctx context.Context, o GuideOptions) (*GuideReport, error) {
	g := &guide{ctx: ctx, options: o, seed: o.Start, seen: map[checkers.Coarse]int{},
		rules: Options{Protocol: o.Design.Config, Stop: func() bool { return ctx.Err() != nil }}}
	rep := newGuideReport(&o)
	for g.runs < o.Count && (o.Deliveries == 0 || g.total < o.Deliveries) && ctx.Err() == nil {
		x, err := g.next()
		if err != nil {
			return nil, err
		}
		if x == nil {
			break
		}
		rep.add(g, x)
		if o.Each != nil {
			o.Each(x)
		}
	}
	rep.finish(g)
	return rep, nil
}

// next makes one run; nil when the context was done in its midst.
func (g *guide) next() (*GuidedRun, error) {
	g.runs++
	var p *path
	var err error
	if from := g.pick(); from != nil {
		p = g.extend(from)
	} else if p, err = g.begin(); err != nil {
		return nil, err
	}
	for p.turn() {
	}
	p.run.finish()
	r := p.run.result
	if r.Stopped {
		return nil, nil
	}
	x := &GuidedRun{Number: g.runs, Seed: p.seed, Branches: p.branches, Deliveries: r.Deliveries - p.before,
		scenario: p.run.scenario, result: r}
	g.total += x.Deliveries
	x.Total = g.total
	for _, problem := range r.Problems() {
		if !slices.Contains(p.known, problem.Property) {
			x.Problems = append(x.Problems, problem)
		}
	}
	g.learn(p)
	if len(x.Problems) > 0 && !g.options.unchecked {
		x.Differs, err = g.differs(x)
	}
	return x, err
}

// pick is the snapshot that is extended next; nil: a new seed's turn. Which it is depends on the run's number alone, so that half
// of the runs look elsewhere, however promising the pool is.
func (g *guide) pick() *snapshot {
	if g.options.Blind || g.runs%2 == 1 {
		return nil
	}
	return g.pool.pick(g.seen)
}

// begin is the run of a new seed.
func (g *guide) begin() (*path, error) {
	seed := g.seed
	g.seed++
	w, err := wireUp(Generate(seed, g.options.Level), g.rules.Protocol)
	if err != nil {
		return nil, err
	}
	r := newRun(w, g.rules.WithLevel(seed, g.options.Level))
	r.result.Unpromised = r.options.Unpromised
	if err := r.boot(); err != nil {
		return nil, err
	}
	r.begin()
	return g.path(r, seed), nil
}

// extend is a run that leaves a snapshot by the choices of a seed that only this run has.
func (g *guide) extend(s *snapshot) *path {
	s.used++
	number := extension(s.seed, g.runs)
	seed := aboveSeeds + number
	f := s.run.fork(choice.Seeded(seed))
	f.options.Net = g.options.Level.Network(seed)
	f.world.SetNetwork(f.options.Net)
	c := choice.NewSource(choice.Seeded(seed))
	added := []string{} // a list in JSON too
	if c.Int(choice.Workload, uint32(branchOf), 2, 1<<15) == 1 {
		added = append(added, f.plant(c, g.options.Level)...)
	}
	p := g.path(f, s.seed)
	p.turns = s.turns
	p.branches = append(slices.Clip(s.branches), Branch{s.turns, number, added, s.state.String()})
	p.before, _, _ = f.world.Count()
	p.known = f.violates()
	return p
}

// branchOf is the subject of the question whether an extension meets one more fault. It is the first question of its source.
const branchOf work = 1 << 16

// aboveSeeds lies above all seeds that a command takes, and so do those of extensions: no generated run has the same choices.
const aboveSeeds = 1 << 53

// extension is the number of an extension, which is below aboveSeeds as every number is that JSON holds exactly: of the run of a
// seed, and of how many runs there were before it.
func extension(seed uint64, runs int) uint64 { return (seed<<20 + uint64(runs)) % aboveSeeds }

// violates are the properties that are violated by now.
func (r *run) violates() []string {
	so := &Result{Verdicts: r.watch().suite.Verdicts()}
	return so.violates()
}

// plant puts one more fault of the level before the steps that are left, so that the changed scenario, run from its start,
// comes to this moment in the same way: no step that has begun, and none that has looked at the one behind it, learns of it.
// What was added is answered as text; nothing is where there is no room, or no fault.
func (r *run) plant(c *choice.Source, level faults.Level) (added []string) {
	end := r.at.steps[len(r.at.steps)-1].Step.When.Time // the second phase
	now := r.world.Now()
	if end <= now {
		return nil
	}
	budget := level.Budget()
	budget.PowerLosses = 0 // those that the run is promised for are in its scenario
	g := &generator{s: r.scenario, moments: []id.Duration{now}, now: end}
	for _, p := range faults.DrawOne(c, budget, g.field()) {
		at := max(p.When.At, now)
		p.When.At = 0
		step := format.Step{When: format.When{Kind: format.At, Time: at}, Do: &format.Fault{Plan: p}}
		if r.insert(step) {
			added = append(added, step.String())
		}
	}
	return added
}

// insert puts a step before the first one that has a later time and is not looked at yet. It answers false if there is none.
func (r *run) insert(step format.Step) bool {
	steps := r.at.steps
	for i := r.at.next + 2; i < len(steps); i++ {
		n, w := steps[i].Number, steps[i].Step.When
		if w.Kind != format.At || w.Time <= step.When.Time || steps[i-1].Number >= n {
			continue
		}
		changed := *r.scenario
		changed.Steps = slices.Insert(slices.Clone(changed.Steps), n-1, step)
		rewired := *r.wiring
		rewired.scenario = &changed
		r.wiring, r.at.steps = &rewired, changed.Unroll()
		return true
	}
	return false
}

// differs has a failing run's file run from its start, and tells whether it comes to another history.
func (g *guide) differs(x *GuidedRun) (bool, error) {
	s, _ := reread(x.File(g.options.Design))
	if s == nil {
		return true, nil
	}
	again, err := Run(s, Options{Protocol: g.options.Design.Config})
	if err != nil {
		return false, err
	}
	return again.Hash != x.result.Hash || again.Unused > 0, nil
}

// File is the run as a scenario of its own: with all faults that were added, and with its choices as choose lines.
func (x *GuidedRun) File(d *Design) *format.Scenario { return Baked(x.scenario, d, x.result) }

// path is a run of a search under way, with the coarse states that it enters.
type path struct {
	g        *guide
	run      *run
	seed     uint64
	branches []Branch
	turns    int
	before   uint64   // deliveries of the run that it extends
	known    []string // properties that were violated before it left that run

	touched []placeOn // partitions of which something has changed in this turn
	last    map[placeOn]checkers.Coarse
	entered map[checkers.Coarse]bool
	fresh   []*snapshot
}

// placeOn is a partition on a cluster.
type placeOn struct {
	cluster   id.Cluster
	partition id.Partition
}

// path is a run that is to be followed.
func (g *guide) path(r *run, seed uint64) *path {
	p := &path{g: g, run: r, seed: seed, last: map[placeOn]checkers.Coarse{}, entered: map[checkers.Coarse]bool{}}
	for _, at := range r.ledger().Partitions() {
		for c := range r.names.Clusters {
			on := placeOn{id.Cluster(c), at}
			p.last[on] = r.ledger().Coarse(on.cluster, at)
		}
	}
	p.hear()
	return p
}

// hear has the path hear the run's events. A fork ends that for both sides.
func (p *path) hear() {
	if !p.g.options.Blind {
		p.run.watchToChange().listen = p.event
	}
}

// event notes the partitions whose coarse state an event may change.
func (p *path) event(e *event.Event) {
	switch e.Kind {
	case event.PartitionChanged, event.Recovered, event.BecameLeader, event.BecameFollower, event.Appended, event.Truncated,
		event.StartMoved, event.HighWatermark, event.ReplicaRemoved, event.ReplicaFailed, event.StateCommitted,
		event.StopStepDone, event.EntryRemoved:
		p.touch(placeOn{p.run.cluster[e.Node], e.Partition})
	case event.Crashed, event.CoordinatorLoaded, event.TopicRemoved: // many at once
		for _, at := range p.run.ledger().Partitions() {
			p.touch(placeOn{p.run.cluster[e.Node], at})
		}
	}
}

func (p *path) touch(on placeOn) {
	if !slices.Contains(p.touched, on) {
		p.touched = append(p.touched, on)
	}
}

// turn is the next turn of the run, and looks which coarse states it has entered.
func (p *path) turn() bool {
	p.touched = p.touched[:0]
	if !p.run.turn() {
		return false
	}
	p.turns++
	for _, on := range p.touched {
		x := p.run.ledger().Coarse(on.cluster, on.partition)
		changed := x != p.last[on]
		p.last[on] = x
		if changed && x != 0 && !p.entered[x] {
			p.entered[x] = true
			p.keep(x)
		}
	}
	return true
}

// keptOfARun is how many snapshots one run adds to the pool at most.
const keptOfARun = 6

// keep takes a snapshot where a state is rare, and nothing of the second phase.
func (p *path) keep(x checkers.Coarse) {
	if p.run.watch().cover.over || len(p.fresh) == keptOfARun || !p.g.rare(x) {
		return
	}
	s := &snapshot{run: p.run.fork(nil), seed: p.seed, branches: p.branches, turns: p.turns, state: x}
	p.fresh = append(p.fresh, s)
	p.hear()
}

// rare: no more than one in a hundred runs so far has entered the state.
func (g *guide) rare(x checkers.Coarse) bool { return g.seen[x]*100 <= g.runs }

// learn counts the states that a run has entered, once each, and takes its snapshots into the pool.
func (g *guide) learn(p *path) {
	for x := range p.entered {
		g.seen[x]++
	}
	for _, s := range p.fresh {
		g.pool.add(s, g.seen)
	}
}
