package scenarios

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// ExploreOptions say what is explored.
type ExploreOptions struct {
	Design      *Design
	Departures  int  // at most, of one run; up to 14
	Crashes     int  // at most, of one run
	Controllers bool // crash controllers too, not brokers only
	From, To    int  // the steps between whose begins and ends runs depart and nodes crash, from 1; To 0: the last one
	MaxStates   int  // 0: no bound
	Jobs        int  // 0: one a core. What comes out does not depend on it
	AllOrders   bool // what commutes with the calm move is made before it too
	Apart       bool // equal states are not merged: for tests of the merging
	Quantum     id.Duration
	Progress    func(ExploreProgress)
	Command     string // that repeats the exploration
	File        string // of the scenario, for errors; empty: its name stands for it

	avoid  func(*state, sim.Action) bool // for tests: no run departs by what it names; nil: by whatever is enabled
	seen   func(*state, [2]uint64, bool) // hears of every state that is reached, its key, and whether it is an end; nil: nobody asks
	leaves func(*state, func(*state))    // hears of each move that is left out
}

// ExploreProgress is how far an exploration is.
type ExploreProgress struct{ States, Depth, Frontier int }

// exploration is one under way. It goes breadth first: all states of one depth, which is how many moves led to them, then those of
// the next. A layer is worked on in blocks, whose states are expanded at the same time and merged one after the other in their
// order, so that what comes out does not depend on the number of jobs.
type exploration struct {
	options  ExploreOptions
	scenario *format.Scenario // as it is explored, with its world
	visited  *visited
	next     []*state
	report   *ExploreReport
	nodes    []id.Node // that may crash
	found    map[string]*shortest
	prices   []prices
	ahead    []*sim.Lookahead // by core
	spaces   []sim.Workspace  // by core
	left     []int            // moves that were left out, by core
}

// shortest is the shortest run so far that violates a property.
type shortest struct {
	property   string
	departures int
	crashes    int
	depth      int
	schedule   []choice.Deviation
}

// blockSize is how many states are expanded before their successors are merged: it bounds what is forked in vain.
const blockSize = 512

// gcPercent lets the heap grow further than Go does unless said: what is live is small beside what the moves leave behind. With many
// states that wait it is not, and the heap then grows up to memoryLimit bytes only.
const (
	gcPercent   = 800
	memoryLimit = 6 << 30
)

// Explore follows every run of a scenario that departs from the calm one at most so often with at most so many crashes. The error
// is one of the scenario or of the options. When the context is done, the report says what was done until then.
func Explore(ctx context.Context, s *format.Scenario, o ExploreOptions) (*ExploreReport, error) {
	x, first, err := newExploration(s, o)
	if err != nil {
		return nil, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	began := time.Now()
	if err := x.search(ctx, first); err != nil {
		return nil, err
	}
	return x.report, x.finish(time.Since(began))
}

// newExploration is one that has not begun, and the state before the first turn. The error is one of the scenario or of the options.
func newExploration(s *format.Scenario, o ExploreOptions) (x *exploration, first *state, err error) {
	world, err := explorable(s, o.Quantum)
	if syntax, ok := err.(*format.SyntaxError); ok && o.File != "" {
		syntax.File = o.File
	}
	if err != nil {
		return nil, nil, err
	}
	if first, err = begin(world, o.Design); err != nil {
		return nil, nil, err
	}
	x = &exploration{options: o, scenario: world, visited: newVisited(), found: map[string]*shortest{}}
	return x, first, x.bounds(first)
}

// begin is the state before the first turn.
func begin(s *format.Scenario, d *Design) (*state, error) {
	w, err := wireUp(s, d.Config)
	if err != nil {
		return nil, err
	}
	r := newRun(w, Options{Protocol: d.Config, Choices: calm{}})
	r.lean = true
	if err := r.boot(); err != nil {
		return nil, err
	}
	r.begin()
	first := &state{run: r}
	first.settle()
	return first, nil
}

// within wants the options to be what a scenario of so many steps has.
func (o *ExploreOptions) within(steps int) error {
	for _, n := range []struct {
		flag               string
		value, least, most int
		what               string
	}{{"--from", o.From, 1, steps, "the number of a step"}, {"--to", o.To, o.From, steps, "the number of a step from --from on"},
		{"--departures", o.Departures, 0, mostDepartures, "a number of departures"}, {"--crashes", o.Crashes, 0, mostCrashes, "a number of crashes"}} {
		if n.value < n.least || n.value > n.most {
			return &format.InputError{Word: strconv.Itoa(n.value), Message: fmt.Sprintf("%s %d: not %s", n.flag, n.value, n.what),
				Want: []string{fmt.Sprintf("a whole number from %d to %d", n.least, n.most)}}
		}
	}
	return nil
}

// bounds checks the options against the scenario and sets out the report.
func (x *exploration) bounds(first *state) error {
	o := &x.options
	steps := len(x.scenario.Steps)
	if o.To == 0 {
		o.To = steps
	}
	if o.From == 0 {
		o.From = 1
	}
	if err := o.within(steps); err != nil {
		return err
	}
	for n := range first.brokers {
		x.nodes = append(x.nodes, id.Node(n))
	}
	if o.Controllers {
		for c := range x.scenario.Clusters {
			for i := range x.scenario.Clusters[c].Controllers {
				n := first.node[x.scenario.Clusters[c].Controller(i)]
				if n >= id.MaxBrokers {
					return &format.InputError{Word: "--controllers", Message: "--controllers: the world has too many nodes for controllers to crash",
						Want: []string{fmt.Sprintf("a scenario of at most %d brokers and controllers", id.MaxBrokers)}}
				}
				x.nodes = append(x.nodes, n)
			}
		}
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	x.prices = make([]prices, o.Jobs)
	x.left, x.spaces = make([]int, o.Jobs), make([]sim.Workspace, o.Jobs)
	for range o.Jobs {
		x.ahead = append(x.ahead, sim.NewLookahead())
	}
	x.report = newExploreReport(x)
	if lead := first.settings.TimerLead; lead > 0 {
		x.report.TimerLead = lead.String()
	}
	return nil
}

// search goes from layer to layer.
func (x *exploration) search(ctx context.Context, first *state) error {
	first.id = first.key()
	x.visited.add(first.id, 0)
	o := &x.options
	layer := []*state{first}
	for depth := 1; len(layer) > 0; depth++ {
		x.next = nil
		for block := range slices.Chunk(layer, blockSize) {
			switch {
			case ctx.Err() != nil:
				x.report.cut(cutByStop)
				return nil
			case o.MaxStates > 0 && x.visited.used >= o.MaxStates:
				x.report.cut(cutByStates)
				return nil
			}
			if err := x.block(block, depth); err != nil {
				return err
			}
			clear(block)
			if x.options.Progress != nil {
				x.options.Progress(ExploreProgress{x.visited.used, depth, len(x.next)})
			}
		}
		layer = x.next
		x.report.Widest = max(x.report.Widest, len(layer))
	}
	return nil
}

// block expands some states of a layer and merges what follows. The error is a *PanicError.
func (x *exploration) block(block []*state, depth int) error {
	after := make([][]successor, len(block))
	var g errgroup.Group
	for job := range x.options.Jobs {
		g.Go(func() (err error) {
			e := expander{exploration: x, price: &x.prices[job], ahead: x.ahead[job], space: &x.spaces[job], left: &x.left[job]}
			defer func() {
				if p := recover(); p != nil {
					err = &PanicError{x.options.Command, p, string(debug.Stack())}
				}
			}()
			for i := job; i < len(block); i += x.options.Jobs {
				after[i] = e.expand(block[i])
				for k := range after[i] {
					e.runAhead(&after[i][k])
				}
				rest(after[i])
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, list := range after {
		for i := range list {
			x.merge(&list[i], depth)
		}
	}
	return nil
}

// rest takes away from the worlds that wait what they need only while something happens.
func rest(list []successor) {
	for i := range list {
		if s := list[i].state; s != nil && s.run != nil {
			s.world.Work(nil)
		}
	}
}

// merge takes a successor into the next layer, unless its state is known.
func (x *exploration) merge(y *successor, depth int) {
	x.report.Transitions += 1 + y.ran
	if y.state == nil || !x.reached(y, y.id, y.broken, y.over && y.trail == nil, depth) {
		return
	}
	if y.trail == nil && !y.over {
		x.next = append(x.next, y.state)
		return
	}
	for i := range y.trail {
		t := &y.trail[i]
		if !x.reached(y, t.id, t.broken, t.over, depth+t.moves) {
			return
		}
	}
}

// reached takes in that a run came to a state, and tells whether that is new.
func (x *exploration) reached(y *successor, id [2]uint64, broken []string, over bool, depth int) bool {
	x.report.Depth = max(x.report.Depth, depth)
	first := !x.visited.has(id, mostDepartures)
	known := !x.visited.add(id, y.departures)
	if x.options.seen != nil {
		x.options.seen(y.state, id, over)
	}
	for _, p := range broken {
		x.violated(p, y, depth)
	}
	if known && !x.options.Apart {
		return false
	}
	if over && (first || x.options.Apart) {
		x.report.Ends++
		if y.failed {
			x.report.Unfinished++
		}
	}
	return true
}

// violated keeps the shortest run that violates a property: of those that were found with the fewest departures and crashes the one
// with the fewest moves.
func (x *exploration) violated(property string, y *successor, depth int) {
	f := &shortest{property: property, departures: int(y.departures), crashes: int(y.crashes), depth: depth, schedule: y.schedule}
	best := x.found[property]
	if best == nil || f.less(best) {
		x.found[property] = f
	}
}

func (f *shortest) less(best *shortest) bool {
	n, m := f.departures+f.crashes, best.departures+best.crashes
	return n < m || n == m && f.depth < best.depth
}

// window tells whether a state lies between the steps where runs depart and nodes crash. One that violates a property goes on
// calmly, to see what else it violates.
func (x *exploration) window(s *state) bool {
	if s.watch().suite.Violated() {
		return false
	}
	n := s.at.steps[s.at.next].Number
	return n <= x.options.To && n >= x.options.From && s.at.phase != settling && (n > x.options.From || s.at.phase == underWay)
}

// expander expands states on one core.
type expander struct {
	*exploration
	price   *prices
	ahead   *sim.Lookahead
	space   *sim.Workspace
	left    *int // moves that were left out
	enabled []sim.Action
	list    []successor
	held    func(*state) // a move that is still to be made
}

// successor is what a move led to. Of a state that is known it has only that there was a move.
type successor struct {
	*state
	broken   []string           // the properties that it violates
	schedule []choice.Deviation // if anything is violated
	trail    []passed           // where the run went on to, if nothing was left to decide
	ran      int                // moves there
	failed   bool               // the run is over, and a step did not complete or an expectation was not met
}

// expand makes every move of a state but those that may as well come behind the calm one.
func (e *expander) expand(s *state) []successor {
	e.list = nil
	if !e.options.Apart && e.visited.fewest(s.id) < s.departures {
		return nil // it was reached with fewer departures in the meantime
	}
	s.world.Work(e.space)
	left, crash := int(s.departures) < e.options.Departures, int(s.crashes) < e.options.Crashes
	if !e.window(s) || !left && !crash && s.down == 0 {
		e.move(s, func(s *state) { s.calmly() })
		return e.list
	}
	e.enabled = s.world.Enabled(e.enabled[:0])
	if len(e.enabled) == 1 && !crash && s.down == 0 {
		e.move(s, func(s *state) { s.calmly() })
		return e.list
	}
	o := e.orderOf(s, e.enabled)
	first := crash || o.sees()
	if first {
		o.saw(e.step(s, func(s *state) { s.calmly() }))
	}
	if left {
		e.depart(s, &o)
	}
	e.start(s, &o)
	if crash {
		e.crash(s, &o)
	}
	if !first {
		e.put(s, func(s *state) { s.calmly() })
	}
	if e.held != nil {
		e.move(s, e.held)
		e.held = nil
	}
	return e.list
}

// put has a move made on a fork, unless it is the last one: that is made on the state itself, which nothing needs any more.
func (e *expander) put(s *state, do func(*state)) {
	if e.held != nil {
		e.move(e.fork(s, nil), e.held)
	}
	e.held = do
}

// depart takes another enabled action than the calm one.
func (e *expander) depart(s *state, o *order) {
	for i := 1; i < len(e.enabled); i++ {
		a := e.enabled[i]
		if e.options.avoid != nil && e.options.avoid(s, a) {
			continue
		}
		do := func(s *state) { s.depart(i, a) }
		switch {
		case o.departs(i):
			e.leave(s, do)
		case o.crash:
			e.step(s, do)
		default:
			e.put(s, do)
		}
	}
}

// start starts a node that is down.
func (e *expander) start(s *state, o *order) {
	if s.down == 0 || !s.mayStart() {
		return
	}
	for n := range id.Node(id.MaxBrokers) {
		if s.down.Has(n) && s.mayFall(n) {
			e.make(s, o.starts(n), func(s *state) { e.falls(s, n); s.restart(n) })
		}
	}
}

// crash takes down a node that is up, for good and to start it at once.
func (e *expander) crash(s *state, o *order) {
	for _, n := range e.nodes {
		if s.world.Node(n) != nil && s.mayFall(n) {
			e.make(s, o.crashes(n), func(s *state) { e.falls(s, n); s.crash(n, false) })
			e.make(s, o.starts(n), func(s *state) { e.falls(s, n); s.crash(n, true) })
		}
	}
}

// falls notes a crash or a start, where another one may follow in the same turn: with one crash none does.
func (e *expander) falls(s *state, n id.Node) {
	if e.options.Crashes > 1 {
		s.fell = fell{n, s.world.Turns() + 1}
	}
}

// make makes a move, unless it may come behind the calm one.
func (e *expander) make(s *state, late bool, do func(*state)) {
	if late {
		e.leave(s, do)
	} else {
		e.put(s, do)
	}
}

// leave leaves out a move.
func (e *expander) leave(s *state, do func(*state)) {
	*e.left++
	if e.options.leaves != nil {
		e.options.leaves(s, do)
	}
}
