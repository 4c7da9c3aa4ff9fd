package scenarios

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// verdictsOf are the violated properties of a report, each with the departures and crashes of its shortest run.
func verdictsOf(r *ExploreReport) map[string][2]int {
	found := map[string][2]int{}
	for _, v := range r.Violations {
		found[v.Property] = [2]int{v.Departures, v.Crashes}
	}
	return found
}

// ended explores a text and answers the keys of the runs' ends.
func ended(t *testing.T, text string, o ExploreOptions, design ...string) (*ExploreReport, map[[2]uint64]bool) {
	t.Helper()
	ends := map[[2]uint64]bool{}
	o.seen = func(_ *state, id [2]uint64, over bool) {
		if over {
			ends[id] = true
		}
	}
	return exploring(t, text, o, design...), ends
}

// What is left out leads nowhere else: with every move made before the calm one too the same runs end and the same is violated, by as
// many departures and crashes.
func TestNothingIsLeftOutThatLeadsElsewhere(t *testing.T) {
	wrong := []string{"start-stop", "stop-order=fetchers,bump,transactions,reset,record"}
	for name, x := range map[string]struct {
		text   string
		o      ExploreOptions
		design []string
	}{
		"departures":                 {oneStop, ExploreOptions{Departures: 1, From: 4}, nil},
		"two departures":             {oneStop, ExploreOptions{Departures: 2, From: 4}, nil},
		"crashes":                    {oneStop, ExploreOptions{Crashes: 1, From: 4}, nil},
		"both of what is wrong":      {oneStop, ExploreOptions{Departures: 1, Crashes: 1, From: 4, To: 4}, wrong},
		"controllers":                {oneStop, ExploreOptions{Crashes: 1, From: 4, Controllers: true}, nil},
		"departures with a failback": {withoutLead(t), ExploreOptions{Departures: 1, From: 5}, []string{"start-stop"}},
		"two with a failback":        {scenarioOf(t, stopAndFailback), ExploreOptions{Departures: 2, From: 5}, []string{"add-remove"}},
		"both in a stop":             {scenarioOf(t, stopAndFailback), ExploreOptions{Departures: 1, Crashes: 1, From: 5, To: 5}, []string{"aligned"}},
		"crashes with a failback":    {scenarioOf(t, stopAndFailback), ExploreOptions{Crashes: 1, From: 5, To: 6}, []string{"start-stop"}},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("some hundred thousand states")
			}
			r, ends := ended(t, x.text, x.o, x.design...)
			x.o.AllOrders = true
			all, allEnds := ended(t, x.text, x.o, x.design...)
			if diff := cmp.Diff(verdictsOf(all), verdictsOf(r)); diff != "" || r.Verdict != all.Verdict || !r.Complete || !all.Complete {
				t.Errorf("%s, with all orders %s: %s", r.Verdict, all.Verdict, diff)
			}
			if !maps.Equal(ends, allEnds) {
				t.Errorf("%d ends, with all orders %d", len(ends), len(allEnds))
			}
			if r.Ends != len(ends) || all.Ends != len(allEnds) {
				t.Errorf("%d ends are reported of %d, with all orders %d of %d", r.Ends, len(ends), all.Ends, len(allEnds))
			}
			if r.LeftOut == 0 || all.LeftOut != 0 {
				t.Errorf("%d moves left out of %d; %d transitions, with all orders %d", r.LeftOut, r.Transitions, all.Transitions, all.LeftOut)
			}
		})
	}
}

// withoutLead is the stop and its failback, in which any timer may come before any message.
func withoutLead(t *testing.T) string {
	t.Helper()
	text := scenarioOf(t, stopAndFailback)
	const lead = "setting timer-lead=1s\n"
	if !strings.Contains(text, lead) {
		t.Fatalf("%s has no line %s", stopAndFailback, lead)
	}
	return strings.Replace(text, lead, "", 1)
}

// Each move that is left out commutes with the calm one: whichever comes first, what follows calmly meets in one state, all that
// checkers know included.
func TestWhatIsLeftOutCommutes(t *testing.T) {
	for name, x := range map[string]struct {
		text   string
		o      ExploreOptions
		design string
	}{
		"two departures":             {oneStop, ExploreOptions{Departures: 2, From: 4}, "hardened"},
		"departures with a failback": {withoutLead(t), ExploreOptions{Departures: 1, From: 5}, "add-remove"},
		"two with a failback":        {scenarioOf(t, stopAndFailback), ExploreOptions{Departures: 2, From: 5}, "hardened"},
		"crashes with a failback":    {scenarioOf(t, stopAndFailback), ExploreOptions{Crashes: 1, From: 5}, "first"},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("every move is made twice")
			}
			var mutex sync.Mutex
			moves, apart := 0, ""
			x.o.leaves = func(s *state, do func(*state)) {
				before, behind := s.forked(nil), s.forked(nil)
				do(before)
				behind.calmly()
				do(behind)
				met := meets(before, behind)
				mutex.Lock()
				defer mutex.Unlock()
				if moves++; !met {
					apart = fmt.Sprintf("step %d, turn %d: %v and %v", s.at.next, s.world.Turns(), before.world.Choices().Deviations(),
						behind.world.Choices().Deviations())
				}
			}
			exploring(t, x.text, x.o, x.design)
			if moves < 1000 || apart != "" {
				t.Errorf("%d moves were left out; these two never meet: %s", moves, apart)
			}
		})
	}
}

// meets lets two states go on calmly, the first one by one thing more, until they are one.
func meets(before, behind *state) bool {
	for range 40 {
		if !before.over {
			before.calmly()
		}
		if before.key() == behind.key() {
			return true
		}
		if behind.over {
			break
		}
		behind.calmly()
	}
	return false
}
