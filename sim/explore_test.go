package sim

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/sim/choice"
)

func TestTakeOfTheFirstIsNext(t *testing.T) {
	for seed := range uint64(100) {
		acts := planOf(seed, 5, 300, unhindered)
		w := toys(5, rough, choice.Seeded(seed))
		x := toys(5, rough, choice.Seeded(seed))
		for i := range 300 {
			drive(w, acts, i, i+1)
			for _, a := range acts {
				if a.step == i {
					a.do(x)
				}
			}
			if enabled := x.Enabled(nil); len(enabled) > 0 {
				x.Take(enabled[0])
			}
			if w.Hash() != x.Hash() || w.Fingerprint() != x.Fingerprint() || w.Now() != x.Now() {
				t.Fatalf("seed %d step %d:\n%s", seed, i, cmp.Diff(outcomeOf(w), outcomeOf(x)))
			}
		}
	}
}

func TestEnabledIsEverything(t *testing.T) {
	w := wired(calm(), Network{}, nodes(relay, note, note)...)
	for i := range 3 {
		w.Inject(0, ping(i))
		w.Next()
	}
	w.Inject(2, ping(9))
	want := []Action{{Deliver, 2, 3}, {Deliver, 1, 1}, {Deliver, 1, 0}, {Deliver, 1, 2}}
	got := w.Enabled([]Action{{Fire, 7, 7}})[1:]
	for i := range want { // slots are not the test's business
		want[i].Slot = got[i].Slot
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	w.Take(got[3])
	w.Take(got[1])
	w.Take(got[2])
	w.Take(got[0])
	if diff := cmp.Diff([]arrival{{2, ms}, {0, ms}, {1, ms}, {9, ms}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
	if rest := w.Enabled(nil); len(rest) != 0 || w.Next() {
		t.Errorf("%v is left", rest)
	}
}

func TestCutMessagesAreNotEnabled(t *testing.T) {
	w := wired(calm(), Network{}, nodes(relay, note)...)
	w.Inject(0, ping(1))
	w.Next()
	a := w.Enabled(nil)
	w.Link(0, 1, false, 0)
	if got := w.Enabled(nil); len(a) != 1 || len(got) != 0 {
		t.Errorf("enabled: %v, after the cut %v", a, got)
	}
	for name, a := range map[string]Action{"cut": a[0], "no such message": {Deliver, 1, 9}, "no such timer": {Fire, 1, 0}} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("was taken")
				}
			}()
			w.Take(a)
		})
	}
}

// A random walk through Take alone neither lets the clock go back nor leaves garbage in the queue.
func TestRandomTakes(t *testing.T) {
	w := toys(4, Network{}, choice.Seeded(1))
	s := choice.NewSource(choice.Seeded(3))
	var enabled []Action
	most, last := 0, id.Duration(0)
	for i := range 30_000 {
		enabled = w.Enabled(enabled[:0])
		again := w.Enabled(nil)
		if !slices.Equal(enabled, again) {
			t.Fatalf("step %d: enabled %v, then %v", i, enabled, again)
		}
		w.Take(enabled[s.Int(choice.Plan, 0, uint32(len(enabled)), 50000)])
		most = max(most, len(w.queue)-2*len(enabled))
		if w.Now() < last {
			t.Fatalf("the clock went from %v to %v", last, w.Now())
		}
		last = w.Now()
	}
	if most > 200 {
		t.Errorf("the queue had %d entries more than twice what was enabled", most)
	}
}
