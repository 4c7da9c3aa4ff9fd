package scenarios

import (
	"context"
	"strings"
	"testing"

	"mirrorsim/faults"
)

// A standard sweep finds its canary, says where, and its command repeats it.
func TestCanary(t *testing.T) {
	w := &sweep{options: SweepOptions{Count: standardRuns, Level: faults.Light, Designs: []*Design{hardenedOf(t)}}}
	w.report = newSweepReport(&w.options)
	w.report.Runs = standardRuns
	if err := w.canary(context.Background()); err != nil {
		t.Fatal(err)
	}
	c := w.report.Canary
	if c == nil || c.Seed == nil {
		t.Fatalf("%+v", c)
	}
	if c.Change != "producer-ids=keep" || c.Sentence == "" || !strings.HasSuffix(c.Reproduce, "--protocol hardened --set producer-ids=keep") {
		t.Errorf("%+v", c)
	}
	if c.Tried != int(*c.Seed)+1 {
		t.Errorf("found by seed %d, tried %d", *c.Seed, c.Tried)
	}
	// A property that the seed violates anyway is no sign of it.
	w.report.judged[*c.Seed] = []string{c.Property}
	seed := *c.Seed
	if err := w.canary(context.Background()); err != nil {
		t.Fatal(err)
	}
	if again := w.report.Canary; again.Seed != nil && *again.Seed == seed && again.Property == c.Property {
		t.Errorf("%+v", again)
	}
}

// A sweep that does not find its canary proves nothing.
func TestMissedCanary(t *testing.T) {
	r := newSweepReport(&SweepOptions{Count: 1, Level: faults.Light, Designs: []*Design{designOf(t)}})
	r.Canary = &SweepCanary{Change: "producer-ids=keep", Tried: canarySeeds}
	r.finish(false)
	if r.Verdict != "unknown" || r.ExitStatus() != 4 || !strings.Contains(strings.Join(r.Short, "; "), "the canary was not found: producer-ids=keep") {
		t.Errorf("%s, exit status %d, %q", r.Verdict, r.ExitStatus(), r.Short)
	}
}

// The canary changes what the design does not have already; a short sweep has none.
func TestCanaryChanges(t *testing.T) {
	_, change, err := designOf(t, "producer-ids=keep").mistaken()
	if err != nil || change != "divergence=ignore" {
		t.Errorf("%s, %v", change, err)
	}
	w := &sweep{options: SweepOptions{Count: 10, Level: faults.Light, Designs: []*Design{designOf(t)}}}
	w.report = newSweepReport(&w.options)
	w.report.Runs = 10
	if err := w.canary(context.Background()); err != nil || w.report.Canary != nil {
		t.Errorf("%+v, %v", w.report.Canary, err)
	}
}
