package scenarios

import (
	"maps"
	"slices"
	"sort"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// run is a scenario under way. It can be forked between any two inputs: what it waits for is data, and what it is to do later
// works on the run that it is given.
type run struct {
	*wiring
	options Options
	lean    bool // it is explored: nobody asks what it covered
	world   *sim.World
	at      progress
	due     []timed         // ends of faults, ordered by time
	doing   *format.Step    // nil before the first one
	turns   uint            // of waits, for Options.Stop
	created map[topicOn]int // create-topics steps so far
	result  *Result

	faultsEnd bool // faults that have not fallen yet never do
}

// progress is how far a run has come in its scenario, and what it waits for.
type progress struct {
	steps []format.Due // of the whole scenario; never changed
	next  int          // the step that is waited for or under way
	phase phase
	wait  done
	limit id.Duration // since the start of the run: when the wait is over
}

// phase is where a run stands with a step.
type phase uint8

const (
	awaited  phase = iota // the step is not due yet
	underWay              // it has begun and not completed
	settling              // the last step has completed, and what is pending goes on
	finished              // nothing is left to do
)

type timed struct {
	at   id.Duration
	line int // of the step that began it; 0: none did
	kind faults.Kind
	do   func(*run)
}

// stepLimit bounds a step that waits for operations of clients: longer than delivery.timeout.ms and the admin's time-out.
const stepLimit = 10 * id.Minute

// settleLimit bounds how long a run goes on behind its last step until nothing is pending.
const settleLimit = 2 * id.Minute

func newRun(w *wiring, o Options) *run {
	return &run{wiring: w, options: o, created: map[topicOn]int{}, result: &Result{Names: &w.names, Unpromised: o.Unpromised}}
}

// runOf is the run that goes on in w.
func runOf(w *sim.World) *run { return w.Host().(*run) }

// fork is a second run that goes on from here, answered by c (nil: the same chooser, which both then share). Nobody listens to
// it, and it takes no history down. It must not be called in the midst of a step.
func (r *run) fork(c choice.Chooser) *run {
	f := new(run)
	*f = *r
	f.options.Deliver, f.options.Listen, f.options.Story, f.options.History = nil, nil, nil, nil
	f.world = r.world.Fork(c)
	f.world.SetHost(f)
	f.due = slices.Clone(r.due)
	f.created = maps.Clone(r.created)
	f.result = new(Result)
	*f.result = *r.result
	f.result.Failures = slices.Clone(r.result.Failures)
	return f
}

// steps does the scenario's steps, and judges the expectations behind each when it has completed. A step that does not
// complete ends the run: what follows was meant to come after it.
func (r *run) steps() {
	for r.begin(); r.turn(); {
	}
}

// turn goes on by what comes next: an input is handled, a fault ends, a step begins, or a wait is given up. It answers false when
// the run is over. Between two turns a run can be forked.
func (r *run) turn() bool {
	if !r.waiting() {
		return false
	}
	if !r.elapse(r.at.limit) {
		r.giveUp()
	}
	return true
}

// begin judges what is expected before the first step.
func (r *run) begin() {
	r.at = progress{steps: r.scenario.Unroll()}
	r.judge(r.at.steps[0].Expect)
	r.await(1)
}

// await waits until the nth step is due; behind the last one the run is over.
func (r *run) await(n int) {
	if n == len(r.at.steps) {
		r.at.phase = finished
		return
	}
	r.at.next, r.at.phase, r.at.wait, r.at.limit = n, awaited, done{met: never}, r.dueAt(r.at.steps[n].Step.When)
}

// dueAt is when a step is due that is the next one now.
func (r *run) dueAt(w format.When) id.Duration {
	switch w.Kind {
	case format.At:
		return max(r.world.Now(), w.Time)
	case format.After:
		return r.world.Now() + w.Time
	}
	return r.world.Now()
}

// waiting tells whether something must happen before the run goes on. Until then it does the steps as far as they go by
// themselves.
func (r *run) waiting() bool {
	for r.at.phase != finished {
		if _, met := r.at.wait.met(r); !met {
			if r.stopped() {
				r.at.phase = finished
			}
			return r.at.phase != finished
		}
		r.completed()
	}
	return false
}

// elapse lets one thing happen, at most at that time: an input is handled, or a fault ends. It answers false when nothing is
// left to happen by then, or nothing at all.
func (r *run) elapse(at id.Duration) bool {
	limit := at
	if len(r.due) > 0 && r.due[0].at < at {
		limit = r.due[0].at
	}
	switch {
	case r.world.NextUntil(limit):
		return true
	case r.failed() || limit == at:
		return false
	}
	d := r.due[0]
	r.due = r.due[1:]
	d.do(r)
	return true
}

// giveUp ends a wait when no more happens in its time. A step that is waited for is due then.
func (r *run) giveUp() {
	step := &r.at.steps[r.at.next]
	switch {
	case r.at.phase == awaited:
		r.start(step)
	case r.at.phase == underWay && (!r.at.wait.orGoOn || r.failed()):
		r.fail(step.Step.Line, string(step.Step.Do.AppendText(nil)), r.waitsFor(r.at.wait.met))
		r.at.phase = finished
	default:
		r.completed()
	}
}

// waitsFor says what is so instead of what is waited for.
func (r *run) waitsFor(met condition) string {
	if text, failed := r.world.Failure(); failed {
		return "an assertion of the model ended the run: " + text
	}
	waits, _ := met(r)
	return waits
}

// start begins a step.
func (r *run) start(step *format.Due) {
	if r.options.Story != nil {
		r.options.Story.step(r, step.Number, step.Step.String())
	}
	r.doing = step.Step
	if _, fault := step.Step.Do.(*format.Fault); fault && r.faultsEnd {
		r.at.wait = atOnce
	} else {
		r.at.wait = r.do(step.Number, step.Step.Do)
	}
	if next := r.at.next + 1; next < len(r.at.steps) && r.at.steps[next].Step.When.Kind == format.At && len(step.Expect) == 0 {
		r.await(next) // it begins at its time, whether or not this one has completed
		return
	}
	r.at.phase, r.at.limit = underWay, r.world.Now()+r.at.wait.limit
}

// completed judges what is expected behind a step and goes on to the next; behind the last one the run comes to rest first, so
// that the end is judged at rest.
func (r *run) completed() {
	last := r.at.next == len(r.at.steps)-1
	if last && r.at.phase == underWay && !r.at.wait.atRest {
		r.at.phase, r.at.wait, r.at.limit = settling, done{met: quiet}, r.world.Now()+settleLimit
		return
	}
	r.judge(r.at.steps[r.at.next].Expect)
	r.await(r.at.next + 1)
}

// until lets things happen until met, at most until that time. If it was not met it says what is so instead.
func (r *run) until(met condition, at id.Duration) (waits string, ok bool) {
	for {
		if waits, ok = met(r); ok || r.stopped() {
			return waits, ok
		}
		if !r.elapse(at) {
			return r.waitsFor(met), false
		}
	}
}

// stopEvery is how many waits lie between two questions whether to stop: far less than a second's work.
const stopEvery = 4096

// stopped tells whether the run is to end at once.
func (r *run) stopped() bool {
	if r.turns++; r.turns%stopEvery == 0 && r.options.Stop != nil && r.options.Stop() {
		r.result.Stopped = true
	}
	return r.result.Stopped
}

func (r *run) failed() bool {
	_, failed := r.world.Failure()
	return failed
}

// after has a fault of that kind ended at a later time of the run, whatever the steps do meanwhile.
func (r *run) after(d id.Duration, of faults.Kind, do func(*run)) {
	t := timed{at: r.world.Now() + d, kind: of, do: do}
	if r.doing != nil {
		t.line = r.doing.Line
	}
	i := sort.Search(len(r.due), func(i int) bool { return r.due[i].at > t.at })
	r.due = slices.Insert(r.due, i, t)
}
