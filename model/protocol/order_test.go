package protocol_test

import (
	"slices"
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

// orders are the tokens of all orders that D3 can take.
func orders() []string { return permutations("fetchers", "record", "bump", "transactions", "reset") }

// permutations are the words in every order, each with commas between them.
func permutations(words ...string) []string {
	if len(words) == 1 {
		return words
	}
	var all []string
	for i, first := range words {
		for _, rest := range permutations(slices.Delete(slices.Clone(words), i, i+1)...) {
			all = append(all, first+","+rest)
		}
	}
	return all
}

func TestOrders(t *testing.T) {
	seen := map[protocol.Order]bool{}
	for _, token := range orders() {
		c := revision(t, "start-stop")
		if err := c.Set("stop-order", token); err != nil || c.StopOrder.String() != token || c.StopOrder.N != 5 {
			t.Errorf("%s: %v, and the order is %v", token, err, c.StopOrder)
		}
		seen[c.StopOrder] = true
	}
	if len(seen) != 120 {
		t.Errorf("there are %d orders, want 5! = 120", len(seen))
	}
	if got := protocol.Step(5).String(); got != "?" {
		t.Errorf("a step that is none prints as %q", got)
	}
}
