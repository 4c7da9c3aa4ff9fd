package checkers

import "mirrorsim/model/event"

// plain is a checker that keeps nothing of its own: all that it needs is in the ledger.
type plain struct{}

// Finish has nothing left to judge.
func (plain) Finish(*Ledger, *Reporter) {}

// AppendState has nothing to add to the ledger's.
func (plain) AppendState(dst []byte) []byte { return dst }

// assertion: the model asserts only what holds under every setting of every decision, so one that fires is a violation.
// A node that was started has had its occasions.
type assertion struct{ plain }

// Properties are those that this checker judges.
func (*assertion) Properties() []ID { return []ID{Assertion} }

// Kinds are the events that it looks at.
func (*assertion) Kinds() []event.Kind { return []event.Kind{event.Started, event.Asserted} }

// Observe judges e.
func (*assertion) Observe(l *Ledger, e *event.Event, r *Reporter) {
	r.Exercised(Assertion)
	if e.Kind == event.Asserted {
		name := l.name(e.Node)
		r.Violated(Assertion, complaint("an assertion of the model fired on "+name,
			"the model asserts what holds under every setting", "an assertion fired on "+name, 0, e))
	}
}

// Clone is the checker itself, which keeps nothing.
func (c *assertion) Clone() Checker { return c }
