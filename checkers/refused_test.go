package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

// A leader that asks for another state may fetch the same a few times more, also when it was refused and waits to ask again; one that
// was refused and asks no more is stuck.
func TestDivergenceWhileAStateIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		name    string
		refused bool
		fetches int
		want    Status
	}{
		{"not answered yet", false, 20, Holds},
		{"refused a moment ago", true, 4, Holds},
		{"refused, and asked for no more", true, 20, Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			b.on(event.StateWriteCalled, b0, event.Event{Mirror: mirrorM, Op: 7, To: uint8(record.UleRecovery)})
			if c.refused {
				b.on(event.StateWriteReturned, b0, event.Event{Mirror: mirrorM, Op: 7, To: uint8(record.UleRecovery), Cause: 4})
			}
			for range c.fetches {
				b.fetch(clusterB, true)
			}
			for _, v := range judge(t, b.events).Verdicts() {
				if v.Property == Convergence.String() && v.Status != c.want {
					t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
				}
			}
		})
	}
}

// An excuse is for one violation: another one of the same property counts, whatever came first.
func TestExcuseIsForOneViolation(t *testing.T) {
	report := func(excused ...bool) Verdict {
		r := &Reporter{}
		r.selected[Durability] = true
		for i, x := range excused {
			r.Violated(Durability, Violation{Sentence: string(rune('a' + i))})
			if x {
				r.Excused(Durability, "unclean election")
				r.Excused(Durability, "again")
			}
		}
		return r.verdict(Durability, true)
	}
	for _, c := range []struct {
		excused []bool
		want    Status
		kept    string
	}{
		{[]bool{false}, Violated, "a"},
		{[]bool{true}, NotPromised, "a"},
		{[]bool{true, true}, NotPromised, "ab"},
		{[]bool{true, false}, Violated, "b"},
		{[]bool{false, true}, Violated, "a"},
	} {
		v := report(c.excused...)
		kept := ""
		for _, x := range v.Violations {
			kept += x.Sentence
		}
		if v.Status != c.want || kept != c.kept || v.Status == NotPromised && v.Why != "unclean election" {
			t.Errorf("%v: %v %q, %q", c.excused, v.Status, kept, v.Why)
		}
	}
}
