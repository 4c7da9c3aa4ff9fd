package scenarios

import (
	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/scenarios/history"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// Options say how a scenario is run.
type Options struct {
	Protocol protocol.Config
	Choices  choice.Chooser // nil: the file's choose lines, and calm where there is none
	Net      sim.Network    // what the choices may do to messages; the zero value is a calm network
	// Deliver hears every message right before its receiver handles it, Listen every event, and Story tells the run. Nil:
	// nobody listens.
	Deliver func(at id.Duration, from, to id.Node, b wire.Body)
	Listen  func(*event.Event)
	Story   Narrator
	// Look hears every event with the ledger that has folded it in; it must not keep the ledger. Nil: nobody looks.
	Look func(*checkers.Ledger, *event.Event)
	// CrossCheck has porcupine look at the operations too; the run then has a verdict on cross-check. It costs about as
	// much as the run itself.
	CrossCheck bool
	// Unpromised: the run's faults are beyond the budget, so that it does not hold, whatever it comes to.
	Unpromised bool
	// History takes the history down, from the header to the end; the caller closes it. Nil: nobody does.
	History *history.Writer
	// Stop is asked every few thousand inputs whether the run is to end at once; nil: it never is.
	Stop func() bool
}

// Result is what a run came to.
type Result struct {
	Verdicts   []checkers.Verdict
	Failures   []Failure // expectations and waits that were not met, in order
	Refused    []Refusal // steps that were answered with an error nobody expected, in order
	Assertion  string    // of the model; "" if none fired
	Hash       uint64
	Deviations []choice.Deviation
	Unused     int  // choose lines that did not apply
	Stopped    bool // by Options.Stop: no verdict of the run counts
	Unpromised bool // Options.Unpromised

	Deliveries, Events, Choices uint64
	Virtual                     id.Duration
	Coverage                    Coverage
	Reach                       Reach
	Cost                        Cost
	Crossed                     checkers.CrossCounts // with Options.CrossCheck
	Pictures                    []*checkers.Picture  // of the violations of cross-check, in their order
	Accepted                    []string             // waits that the design accepts, found by the second phase; in words
	Waits                       []string             // with Options.Look, what the nodes wait for at the end: NODE says: WHAT

	Names   *id.Names
	Ledger  *checkers.Ledger
	points  []pointReached // in order, for the groups of failures
	cluster []id.Cluster   // by node
}

// Failure is an expectation that was not met, or a step that did not complete.
type Failure struct {
	Line int    // of the scenario
	Text string // the line
	Got  string // what was so instead, and which steps before it were refused
}

// Violated tells whether the run violated a property or an expectation.
func (r *Result) Violated() bool {
	return anyIs(r.Verdicts, checkers.Violated) || len(r.Failures) > 0
}

// Runnable is nil when s can be run under config, and otherwise the error that Run would answer.
func Runnable(s *format.Scenario, config protocol.Config) error {
	_, err := wireUp(s, config)
	return err
}

// Run runs a scenario to its end. The error says that it cannot be run: a bad setting.
func Run(s *format.Scenario, o Options) (*Result, error) {
	w, err := wireUp(s, o.Protocol)
	if err != nil {
		return nil, err
	}
	r := newRun(w, o)
	if o.Story != nil {
		o.Story.listen(r)
	}
	if o.History != nil {
		t := r.topology()
		o.History.Begin(&t, r.roles)
		r.alsoListen(o.History.Event)
	}
	if o.Look != nil {
		r.alsoListen(func(e *event.Event) {
			if r.world != nil { // which it is not while its nodes are booted
				o.Look(r.ledger(), e)
			}
		})
	}
	if err := r.boot(); err != nil {
		return nil, err
	}
	r.steps()
	if o.Story != nil {
		o.Story.end(r)
	}
	r.finish()
	return r.result, nil
}

// boot makes the world.
func (r *run) boot() error {
	chooser := r.options.Choices
	if chooser == nil {
		chooser = choice.Replay(r.scenario.Schedule, &r.result.Unused)
	}
	suite, err := checkers.NewSuite(r.topology(), r.properties()...)
	if err != nil {
		return err
	}
	w := &watch{suite: suite, lean: r.lean, cover: newCovering(r.cluster), reach: reaching{Reach: newReach(), brokers: r.brokers},
		cost: costing{cluster: r.cluster}, cluster: r.cluster, clients: make([]clientWork, len(r.boots)), listen: r.options.Listen, bare: r.bareName}
	r.created = map[topicOn]int{}
	if r.options.CrossCheck {
		w.cross = checkers.NewCrossCheck(r.topology())
	}
	r.world = sim.New(sim.Spec{Boot: r.boots, Cluster: r.cluster, Choices: choice.NewSource(chooser), Net: r.options.Net,
		Deliver: r.options.Deliver, Monitor: w,
		LatencyInside: r.settings.LatencyInside, LatencyBetween: r.settings.LatencyBetween,
		Quantum: r.settings.TimerQuantum, Lead: r.settings.TimerLead})
	r.world.SetHost(r)
	return nil
}

// watch is to be read only: a fork may share it.
func (r *run) watch() *watch            { return r.world.Monitor().(*watch) }
func (r *run) ledger() *checkers.Ledger { return r.watch().suite.Ledger() }

// watchToChange is the watch for what the run itself notes there.
func (r *run) watchToChange() *watch { return r.world.MonitorToChange().(*watch) }

// finish has every replica report its state and every client close what it has open, and asks for the verdicts.
func (r *run) finish() {
	for n := range r.boots {
		r.world.Inject(id.Node(n), &wire.ReportCommand{})
	}
	next := r.world.NextUntil
	if r.lean {
		next = r.world.Calm
	}
	for next(r.world.Now()) {
	}
	r.watchToChange().suite.Finish()
	res := r.result
	if r.options.Look != nil {
		res.Waits = r.waits()
	}
	res.Coverage = r.watch().cover.Coverage
	res.Reach = r.watch().reach.Reach
	res.Cost = r.watch().cost.total(r.ledger())
	res.Coverage.LostAtFailover = lost(r.ledger())
	res.Verdicts, res.Ledger, res.Hash = r.watch().suite.Verdicts(), r.ledger(), r.world.Hash()
	res.Assertion, _ = r.world.Failure()
	nameAssertion(res.Verdicts, res.Assertion)
	if r.options.History != nil && !res.Stopped {
		r.options.History.End(r.world.Now(), res.Assertion)
	}
	res.Refused = r.refusals()
	res.points, res.cluster = r.watch().points, r.cluster
	res.Deviations, res.Virtual = r.world.Choices().Deviations(), r.world.Now()
	res.Deliveries, res.Events, res.Choices = r.world.Count()
	if cross := r.watch().cross; cross != nil {
		v, counts := cross.Verdict(res.Events)
		res.Verdicts, res.Crossed, res.Pictures = append(res.Verdicts, v), counts, cross.Pictures()
	}
}

// judge judges expectations at the present moment.
func (r *run) judge(list []*format.Expect) {
	calm := len(r.world.Choices().Deviations()) == 0
	for _, e := range list {
		if e.Calm && !calm {
			continue
		}
		if err := e.Do.Check(view{r}); err != nil {
			r.fail(e.Line, e.String(), err.Error())
		}
	}
}

func (r *run) fail(line int, text, got string) {
	r.result.Failures = append(r.result.Failures, Failure{line, text, got + r.refused()})
}
