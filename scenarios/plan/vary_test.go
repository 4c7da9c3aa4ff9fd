package plan

import (
	"testing"

	"mirrorsim/faults"
)

// No fault is needed for a producer that runs at a stop to lose what it has under way: in half of the schedules it has something.
func TestProducerRunsAtTheStop(t *testing.T) {
	r := answered(t, load(t, "producer-runs"), Options{Count: 20, Level: faults.None})
	x := find(t, r, counted{question: "Q1", subject: "orders-0", what: "lost"})
	if x.Answer != Possible || x.Runs < 5 || x.Most > 10 {
		t.Errorf("%s, up to %d in %d of %d runs", x.Answer, x.Most, x.Runs, x.Of)
	}
}
