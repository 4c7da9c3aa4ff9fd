package scenarios

import (
	"context"

	"mirrorsim/model/event"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// twice runs a scenario, and again when the first run failed or it always does, and compares the two event by event.
type twice struct {
	ctx    context.Context // when it is done, runs end at once
	always bool
	// choices is what a test puts in place of the choices of a run; nil outside of tests.
	choices func(second bool, c choice.Chooser) choice.Chooser
}

// run answers the first run. The difference is nil when the second run was the same, or was not made. When either run was
// stopped, the answer is the stopped one.
func (t *twice) run(s *format.Scenario, o Options) (*Result, *Difference, error) {
	o.Stop = func() bool { return t.ctx.Err() != nil }
	first := &tracer{}
	r, err := t.once(s, o, first.keep, false)
	if err != nil || r.Stopped || !t.always && !r.Violated() {
		return r, nil, err
	}
	second := &tracer{want: first.hashes}
	o.CrossCheck = o.CrossCheck || r.Violated() // a failing run gets its second opinion
	again, err := t.once(s, o, second.compare, true)
	if err != nil {
		return nil, nil, err
	}
	if again.Stopped {
		return again, nil, nil
	}
	if n := len(again.Verdicts); n > len(r.Verdicts) {
		r.Verdicts, r.Crossed = append(r.Verdicts, again.Verdicts[n-1]), again.Crossed
	}
	differs := second.differs(again)
	if differs == nil && again.Choices != r.Choices {
		differs = &Difference{Index: again.Events, At: again.Virtual, Choices: [2]uint64{r.Choices, again.Choices}}
	}
	return r, differs, nil
}

func (t *twice) once(s *format.Scenario, o Options, listen func(*event.Event), second bool) (*Result, error) {
	o.Listen = listen
	if t.choices != nil {
		o.Choices = t.choices(second, o.Choices)
	}
	return Run(s, o)
}
