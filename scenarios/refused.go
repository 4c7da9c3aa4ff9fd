package scenarios

import (
	"cmp"
	"fmt"
	"slices"

	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// Refusal is a step that was answered with an error of which no expect error of the scenario speaks.
type Refusal struct {
	Step int       // as expect error counts them, from 1: a repeat is one
	Line int       // of the scenario
	Text string    // the line
	Code wire.Code // the first error of the step
}

// refusals are those of the run so far, in the order of the file: of a step that is repeated, once.
func (r *run) refusals() []Refusal {
	var list []Refusal
	for _, c := range r.watch().clients {
		for _, s := range c.steps {
			if s.of != nil && s.code != wire.OK && !r.expectsError(s.step) {
				list = append(list, Refusal{s.step, s.of.Line, string(s.of.Do.AppendText(nil)), s.code})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Refusal) int { return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Line, b.Line)) })
	return slices.CompactFunc(list, func(a, b Refusal) bool { return a.Step == b.Step && a.Line == b.Line && a.Text == b.Text })
}

// expectsError tells whether an expectation of the scenario speaks of a step's result.
func (r *run) expectsError(step int) bool {
	return slices.ContainsFunc(r.scenario.Expect, func(e format.Expect) bool {
		x, ok := e.Do.(format.ErrorIs)
		return ok && x.Step == step
	})
}

// toldRefusals is how many refusals a failure is told with, the last ones before it.
const toldRefusals = 3

// refused says which steps before a failure were refused, to stand behind it; "" for none.
func (r *run) refused() string {
	var text string
	list := r.refusals()
	for _, x := range list[max(len(list)-toldRefusals, 0):] {
		text += fmt.Sprintf("; step %d, `%s`, was answered %v", x.Step, x.Text, x.Code)
	}
	return text
}

// AtLine says at which line of its file something stands, to stand before it; nothing of what was generated and has no file.
func AtLine(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", line)
}
