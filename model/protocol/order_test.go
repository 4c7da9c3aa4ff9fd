package protocol_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/protocol"
)

func TestStopStep(t *testing.T) {
	cases := []struct {
		revision string
		want     []protocol.Step
	}{
		{"add-remove", []protocol.Step{protocol.StepFetchers, protocol.StepBump, protocol.StepTransactions, protocol.StepRecord,
			protocol.StepReset}},
		{"start-stop", []protocol.Step{protocol.StepFetchers, protocol.StepRecord, protocol.StepBump, protocol.StepTransactions,
			protocol.StepReset}},
	}
	for _, tc := range cases {
		t.Run(tc.revision, func(t *testing.T) {
			c := revision(t, tc.revision)
			var got []protocol.Step
			for i := range 10 { // twice as many as there are
				step, ok := c.StopStep(i)
				if ok != (i < 5) {
					t.Errorf("StopStep(%d) answers %v", i, ok)
				}
				if ok {
					got = append(got, step)
				}
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("steps (-want +got):\n%s", d)
			}
		})
	}
	var zero protocol.Config
	for _, i := range []int{-1, 0} {
		if step, ok := zero.StopStep(i); ok {
			t.Errorf("the zero Config has %v as step %d", step, i)
		}
	}
}

func TestOrders(t *testing.T) {
	orders := protocol.Orders()
	if len(orders) != 120 {
		t.Fatalf("there are %d orders, want 5! = 120", len(orders))
	}
	seen := map[protocol.Order]bool{}
	for _, o := range orders {
		if seen[o] {
			t.Errorf("%v comes twice", o)
		}
		seen[o] = true
		steps := map[protocol.Step]bool{}
		for _, s := range o.Steps[:o.N] {
			steps[s] = true
		}
		if len(steps) != 5 {
			t.Errorf("%v has %d different steps", o, len(steps))
		}
	}
	if got, want := orders[0].String(), "fetchers,record,bump,transactions,reset"; got != want {
		t.Errorf("the first order is %s, want %s", got, want)
	}
	if got := protocol.Step(5).String(); got != "?" {
		t.Errorf("a step that is none prints as %q", got)
	}
}
