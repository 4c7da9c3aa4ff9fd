package scenarios

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/scenarios/format"
	"mirrorsim/scenarios/history"
)

// runWithHistory runs a scenario with its history taken down, and answers its events too.
func runWithHistory(t testing.TB, s *format.Scenario, o Options) (*Result, []byte, []event.Event) {
	t.Helper()
	var out bytes.Buffer
	var events []event.Event
	o.History = history.NewWriter(&out, "a test")
	o.Listen = func(e *event.Event) { events = append(events, *e) }
	r, err := Run(s, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.History.Close(); err != nil {
		t.Fatal(err)
	}
	return r, out.Bytes(), events
}

// checkRoundTrip: what is read are the events that were written, and the check says what the run said.
func checkRoundTrip(t *testing.T, s *format.Scenario, o Options) {
	t.Helper()
	r, text, events := runWithHistory(t, s, o)
	sameEvents(t, text, events)
	c, err := CheckHistory(t.Context(), "history", bytes.NewReader(text), o.CrossCheck)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r.Verdicts, c.Verdicts); d != "" {
		t.Errorf("the check says something else (-run +check):\n%s", d)
	}
	if d := cmp.Diff(r.Ledger.LossReports(), c.Ledger.LossReports(), cmp.AllowUnexported(checkers.Failover{})); d != "" {
		t.Errorf("the loss report differs (-run +check):\n%s", d)
	}
	if !slices.Equal(r.Accepted, c.Accepted) || r.Crossed != c.Crossed {
		t.Errorf("the run accepts %v and crosses %v, the check %v and %v", r.Accepted, r.Crossed, c.Accepted, c.Crossed)
	}
	if r.Events != c.Events || r.Virtual != c.Virtual || !c.Complete || len(c.Unknown) > 0 {
		t.Errorf("the run has %d events in %v, the check %d in %v, %v %v", r.Events, r.Virtual, c.Events, c.Virtual, c.Complete, c.Unknown)
	}
}

// sameEvents reads a history, and compares its events with those of the run.
func sameEvents(t *testing.T, text []byte, events []event.Event) {
	t.Helper()
	r, err := history.NewReader("history", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for {
		line, err := r.Next()
		if err != nil {
			if n != len(events) || !r.Ended() {
				t.Fatalf("%d events of %d: %v", n, len(events), err)
			}
			return
		}
		if line.Event == nil {
			continue
		}
		if got, want := line.Event, &events[n]; got.Index != want.Index || got.Undeclared() != "" || got.Mix(0) != want.Mix(0) {
			t.Fatalf("event %d is %+v, and was %+v", n, got, want)
		}
		n++
	}
}

// TestHistoryOfTheCatalogue: each case of the catalogue, also with its wrong choices, is judged from its history as in its run.
func TestHistoryOfTheCatalogue(t *testing.T) {
	alone(t)
	for _, f := range Catalogue() {
		t.Run(f.Name, func(t *testing.T) {
			s, err := f.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range designsOf(t, s) {
				checkRoundTrip(t, s, Options{Protocol: d.Config, CrossCheck: true})
			}
		})
	}
}

// TestHistoryOfTheCorpus: so is what sweeps have found.
func TestHistoryOfTheCorpus(t *testing.T) {
	alone(t)
	files, err := filepath.Glob("corpus/*.scn")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %d files", err, len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := format.Parse(file, source)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range designsOf(t, s) {
				checkRoundTrip(t, s, Options{Protocol: d.Config, CrossCheck: true})
			}
		})
	}
}

// swarmSeeds is how many generated scenarios TestHistoryOfASwarm runs.
const swarmSeeds = 40

// TestHistoryOfASwarm: so is each generated run.
func TestHistoryOfASwarm(t *testing.T) {
	alone(t)
	for seed := range uint64(swarmSeeds) {
		s := Generate(seed, faults.Swarm)
		d, err := Choose(s, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		checkRoundTrip(t, s, Options{Protocol: d.Config, CrossCheck: seed%4 == 0}.WithLevel(seed, faults.Swarm))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
