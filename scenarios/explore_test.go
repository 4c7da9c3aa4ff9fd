package scenarios

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// oneStop is a stop of one broker a side, in which every wait comes to its end in a few ticks.
const oneStop = `scenario one-stop
setting state-partitions=1
setting broker-heartbeat=30s
setting broker-session=31s
setting fetch-max-wait=40s
setting fetch-timeout=41s
setting request-timeout=2s
setting periodic-scan=1h
setting epoch-check=1h
setting metadata-refresh=1h
setting checkpoint=1h
setting timer-quantum=1s
cluster A brokers=1
cluster B brokers=1
topic t on A partitions=1 replicas=1
topic t on B partitions=1 replicas=1 id-of=A
client p producer on A
mirror m from A to B
produce p A/t-0 2
start t in m
until leo B/t-0=2
stop t in m
until state B/t-0=STOPPED within 5s or-go-on
expect log B/t-0=0-1@0 2:reset@1 on-schedule calm
`

// exploring is an exploration of a text.
func exploring(t *testing.T, text string, o ExploreOptions, design ...string) *ExploreReport {
	t.Helper()
	s, o := exploredUnder(t, text, o, design...)
	r, err := Explore(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// exploredUnder is what Explore is to be given; design is a revision and sets.
func exploredUnder(t *testing.T, text string, o ExploreOptions, design ...string) (*format.Scenario, ExploreOptions) {
	t.Helper()
	s, err := format.Parse("explored.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	revision := ""
	if len(design) > 0 {
		revision, design = design[0], design[1:]
	}
	if o.Design, err = Choose(s, revision, design); err != nil {
		t.Fatal(err)
	}
	return s, o
}

// scenarioOf is the text of a file.
func scenarioOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// stopAndFailback is what explore is measured by.
const stopAndFailback = "explore/stop-and-failback.scn"

// Without departures and crashes there is one run, the calm one.
func TestExploreNothingIsTheCalmRun(t *testing.T) {
	r := exploring(t, oneStop, ExploreOptions{AllOrders: true})
	if r.Ends != 1 || r.States != r.Transitions+1 || r.Depth != r.Transitions || !r.Complete || r.Verdict != "holds" || r.Unfinished != 0 {
		t.Errorf("%+v", r)
	}
}

// The merging is right: a run without it comes to the same keys and the same verdict. Where moves are left out, and where runs of
// which nothing is left to decide are not looked up behind each move, these are the keys of the runs' ends.
func TestMergingLosesNothing(t *testing.T) {
	for name, o := range map[string]ExploreOptions{
		"departures": {Departures: 1, From: 4}, "crashes": {Crashes: 1, From: 4}, "controllers": {Crashes: 1, From: 4, Controllers: true},
	} {
		for _, all := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, all orders %v", name, all), func(t *testing.T) {
				o, keys := o, [2]map[[2]uint64]bool{{}, {}}
				o.AllOrders = all
				var reports [2]*ExploreReport
				for i := range keys {
					o.Apart = i == 1
					o.seen = func(_ *state, id [2]uint64, over bool) {
						if all || over {
							keys[i][id] = true
						}
					}
					reports[i] = exploring(t, oneStop, o)
				}
				merged, apart := reports[0], reports[1]
				if diff := cmp.Diff(verdictsOf(merged), verdictsOf(apart)); diff != "" || merged.Verdict != apart.Verdict {
					t.Errorf("%s, without merging %s: %s", merged.Verdict, apart.Verdict, diff)
				}
				if !maps.Equal(keys[0], keys[1]) || merged.Transitions >= apart.Transitions || all && merged.States != apart.States {
					t.Errorf("%d keys, without merging %d; %d and %d transitions", len(keys[0]), len(keys[1]), merged.Transitions, apart.Transitions)
				}
			})
		}
	}
}

// Two states of one key have the same future: what is one move away from a state is so whichever way led to it.
func TestEqualKeysHaveEqualFutures(t *testing.T) {
	for name, o := range map[string]ExploreOptions{"departures": {Departures: 1, From: 4}, "crashes": {Crashes: 1, From: 4}} {
		t.Run(name, func(t *testing.T) {
			s, o := exploredUnder(t, oneStop, o)
			o.Apart, o.AllOrders, o.Jobs = true, true, 1
			x, first, err := newExploration(s, o)
			if err != nil {
				t.Fatal(err)
			}
			first.id = first.key()
			e := expander{exploration: x, price: &x.prices[0], ahead: x.ahead[0], left: &x.left[0]}
			type place struct {
				id   [2]uint64
				left uint8
			}
			after, again := map[place][][2]uint64{}, 0
			for layer := []*state{first}; len(layer) > 0; {
				s := layer[len(layer)-1]
				layer = layer[:len(layer)-1]
				at := place{s.id, s.departures}
				var keys [][2]uint64
				list := e.expand(s)
				for i := range list {
					keys = append(keys, list[i].id)
				}
				if before, ok := after[at]; ok {
					if again++; !slices.Equal(before, keys) {
						t.Fatalf("step %d, turn %d: %d moves lead to other states than %d before", s.at.next, s.world.Turns(), len(keys), len(before))
					}
					continue
				}
				after[at] = keys
				for i := range list {
					if !list[i].over {
						layer = append(layer, list[i].state)
					}
				}
			}
			if again < 100 {
				t.Errorf("only %d states were reached again", again)
			}
		})
	}
}

// What comes out does not depend on the number of jobs.
func TestExploreJobs(t *testing.T) {
	var reports []*ExploreReport
	for _, jobs := range []int{1, 3} {
		r := exploring(t, oneStop, ExploreOptions{Departures: 1, Crashes: 1, From: 5, Jobs: jobs}, "start-stop", "stop-order=fetchers,bump,transactions,reset,record")
		r.Seconds, r.PerSecond, r.Prices, r.Jobs = 0, 0, ExplorePrices{}, 0
		reports = append(reports, r)
	}
	if diff := cmp.Diff(reports[0], reports[1], cmpopts.IgnoreFields(ExploreViolation{}, "Result")); diff != "" {
		t.Error(diff)
	}
}

// randomly departs and crashes as a seed says, at most so often: it is asked by a run, which looks into the queue of its world.
type randomly struct {
	*rand.Rand
	departures, crashes int
	brokers             uint32
	down                int // a node that is down, or -1
	window              func() bool
}

func (c *randomly) Choose(k choice.Key, n uint32, _ uint16) uint32 {
	if !c.window() {
		return 0
	}
	switch {
	case k.Label == choice.Order && c.departures > 0 && c.IntN(20) == 0:
		c.departures--
		return uint32(c.IntN(int(n)-1)) + 1
	case k.Label == choice.NodeFault && k.Subject < c.brokers && c.crashes > 0 && c.IntN(40) == 0:
		c.crashes--
		c.down = int(k.Subject)
		return 2
	case k.Label == choice.NodeFault && c.down == int(k.Subject) && c.IntN(20) == 0:
		c.down = -1
		return 1
	case k.Label == choice.PointFault && c.crashes > 0 && k.Subject>>8 < c.brokers && c.IntN(5) == 0:
		c.crashes--
		return 2
	}
	return 0
}

// No run gets where the exploration has not been: each state of random runs with as many departures and crashes is one of its.
func TestRandomRunsLieInWhatIsExplored(t *testing.T) {
	alone(t)
	deviations, missing := wanderAll(t, ExploreOptions{Departures: 1, Crashes: 1, From: 4, AllOrders: true}, 100)
	if missing != "" || deviations < 100 {
		t.Errorf("%d deviations; %s", deviations, missing)
	}
}

// An exploration that forgets one kind of what is enabled, such as the messages on one link or one timer, is found out by random runs.
func TestRandomRunsFindWhatIsForgotten(t *testing.T) {
	alone(t)
	for name, forget := range map[string]func(*state, sim.Action) bool{
		"timers of a broker": func(s *state, a sim.Action) bool { return a.Kind == sim.Fire && int(a.Node) == s.brokers-1 },
		"messages to the controller": func(s *state, a sim.Action) bool {
			return a.Kind == sim.Deliver && a.Node == s.node[s.scenario.Clusters[1].Controller(0)]
		},
		"messages": func(_ *state, a sim.Action) bool { return a.Kind == sim.Deliver },
	} {
		t.Run(name, func(t *testing.T) {
			if _, missing := wanderAll(t, ExploreOptions{Departures: 1, From: 4, AllOrders: true, avoid: forget}, 300); missing == "" {
				t.Error("300 random runs found nothing that is missing")
			}
		})
	}
}

// wanderAll explores the small scenario and goes so many random ways through it; it answers how often they departed from the calm
// one, and where one was that the exploration has not been.
func wanderAll(t *testing.T, o ExploreOptions, ways uint64) (deviations int, missing string) {
	t.Helper()
	known := map[[2]uint64]bool{}
	o.seen = func(_ *state, id [2]uint64, _ bool) { known[id] = true }
	s, o := exploredUnder(t, oneStop, o)
	if _, err := Explore(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	world, err := explorable(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range ways {
		n, where := wander(t, world, o, seed, known)
		if deviations += n; where != "" {
			return deviations, where
		}
	}
	return deviations, ""
}

// wander goes one random way, until it is where nothing is known.
func wander(t *testing.T, world *format.Scenario, o ExploreOptions, seed uint64, known map[[2]uint64]bool) (deviations int, missing string) {
	t.Helper()
	w, err := wireUp(world, o.Design.Config)
	if err != nil {
		t.Fatal(err)
	}
	c := &randomly{Rand: rand.New(rand.NewPCG(seed, 9)), departures: o.Departures, crashes: o.Crashes, brokers: uint32(w.brokers), down: -1}
	r := newRun(w, Options{Protocol: o.Design.Config, Choices: c})
	r.lean = true
	x := &exploration{options: ExploreOptions{From: o.From, To: len(world.Steps)}}
	s := &state{run: r}
	c.window = func() bool { return r.at.steps != nil && x.window(s) }
	if err := r.boot(); err != nil {
		t.Fatal(err)
	}
	r.begin()
	for s.settle(); !s.over; s.settle() {
		s.crashes = uint8(o.Crashes - c.crashes)
		if s.down = 0; c.down >= 0 {
			s.down = s.down.With(id.Node(c.down))
		}
		if r.world.Turns() > 0 && !known[s.key()] {
			return 0, fmt.Sprintf("seed %d: turn %d is nowhere in what was explored; deviations %v", seed, r.world.Turns(), r.world.Choices().Deviations())
		}
		r.elapse(s.nextOwn())
	}
	return len(r.world.Choices().Deviations()), ""
}

// What cuts an exploration makes it incomplete, and what was not seen is unknown.
func TestExploreIsCut(t *testing.T) {
	r := exploring(t, oneStop, ExploreOptions{Departures: 2, MaxStates: 1000})
	if r.Complete || r.Cut != "max-states" || r.Verdict != "unknown" || r.ExitStatus() != 4 || r.States < 1000 {
		t.Errorf("%+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, o := exploredUnder(t, oneStop, ExploreOptions{Departures: 2})
	r, err := Explore(ctx, s, o)
	if err != nil || r.Complete || r.Cut != "stopped" || r.ExitStatus() != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}

// What cannot be explored is refused.
func TestExploreRefuses(t *testing.T) {
	for _, x := range []struct{ name, text, want string }{
		{"schedule", oneStop + "choose net-drop 1 #0=1\n", "one-stop has a schedule of its own"},
		{"pause", strings.Replace(oneStop, "stop t in m\n", "fault pause b0 for 1s\nstop t in m\n", 1), "one-stop:22: \"pause\": what waits at a node that is paused"},
	} {
		t.Run(x.name, func(t *testing.T) {
			s, o := exploredUnder(t, x.text, ExploreOptions{})
			if _, err := Explore(t.Context(), s, o); err == nil || !strings.HasPrefix(err.Error(), x.want) {
				t.Errorf("%v, want %s", err, x.want)
			}
		})
	}
	for _, o := range []ExploreOptions{{From: 6}, {From: 3, To: 2}, {To: 9}, {Departures: 15}, {Departures: -1}, {Crashes: -1}, {Crashes: 256}} {
		s, o := exploredUnder(t, oneStop, o)
		if _, err := Explore(t.Context(), s, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// Every violation, run as a file, violates the same property.
func TestExploredViolationsRun(t *testing.T) {
	r := exploring(t, scenarioOf(t, stopAndFailback), ExploreOptions{Departures: 1, From: 5}, "start-stop")
	if len(r.Violations) == 0 {
		t.Fatal("start-stop holds")
	}
	for _, v := range r.Violations {
		s, err := format.Parse("found.scn", []byte(v.Scenario))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Choose(s, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		run, err := Run(s, Options{Protocol: d.Config})
		if err != nil || !slices.Contains(run.violates(), v.Property) {
			t.Errorf("%v: %v are violated, not %s, by\n%s", err, run.violates(), v.Property, v.Scenario)
		}
		if again := string(s.AppendText(nil)); again != v.Scenario {
			t.Errorf("the file is not as it is printed: %s", cmp.Diff(v.Scenario, again))
		}
	}
}

// A panic that is no assertion of the model names the command that repeats it.
func TestExplorePanics(t *testing.T) {
	s, o := exploredUnder(t, oneStop, ExploreOptions{Command: "mirrorsim explore one-stop"})
	x, _, err := newExploration(s, o)
	if err != nil {
		t.Fatal(err)
	}
	var panicked *PanicError
	if err := x.block([]*state{nil}, 1); !errors.As(err, &panicked) || panicked.Reproduce != "mirrorsim explore one-stop" {
		t.Errorf("got %v", err)
	}
}

// The set of visited keys is a map of keys to the fewest departures.
func TestVisited(t *testing.T) {
	alone(t)
	v, want := newVisited(), map[[2]uint64]uint8{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		key := [2]uint64{r.Uint64N(4) << 60, r.Uint64N(3000) << 4}
		departures := uint8(r.IntN(mostDepartures + 1))
		before, known := want[key]
		if known != v.has(key, mostDepartures) || known && v.fewest(key) != before {
			t.Fatalf("%x: known %v with %d", key, known, before)
		}
		if fewer := !known || departures < before; v.add(key, departures) != fewer {
			t.Fatalf("%x with %d: new or fewer: %v", key, departures, fewer)
		} else if fewer {
			want[key] = departures
		}
		if v.used != len(want) {
			t.Fatalf("%d keys, want %d", v.used, len(want))
		}
	}
}

// What a decision is there for is found where a run departs once or one node crashes, and not without the option.
func TestExploreFindsOptions(t *testing.T) {
	for _, x := range []struct {
		name, wrong, right, property string
		departures, crashes          int
		revision                     string
		to                           int
	}{
		{"marker-rerun", "marker-rerun=overwrite", "marker-rerun=keep-first", "position-durable", 0, 1, "first", 6},
		{"leader-cut", "leader-cut=keep", "leader-cut=forget", "log-matching", 1, 0, "start-stop", 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("some hundred thousand states")
			}
			for option, falls := range map[string]bool{x.wrong: true, x.right: false} {
				o := ExploreOptions{Departures: x.departures, Crashes: x.crashes, From: 5, To: x.to}
				r := exploring(t, scenarioOf(t, stopAndFailback), o, x.revision, option)
				found := slices.ContainsFunc(r.Violations, func(v ExploreViolation) bool {
					return v.Property == x.property && v.Departures+v.Crashes == 1
				})
				if found != falls || !r.Complete {
					t.Errorf("%s: %s found %v, complete %v, of %d states", option, x.property, found, r.Complete, r.States)
				}
			}
		})
	}
}
