package scenarios

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

var allLevels = []faults.Level{faults.None, faults.Light, faults.Swarm, faults.Beyond}

// made runs the scenario of a seed as a sweep does.
func made(t *testing.T, seed uint64, level faults.Level) *Result {
	t.Helper()
	return runUnder(t, Generate(seed, level), Options{}.WithLevel(seed, level))
}

func runUnder(t *testing.T, s *format.Scenario, o Options) *Result {
	t.Helper()
	var err error
	if o.Protocol, err = protocol.Revision(DefaultRevision); err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The calm choice everywhere is a failover without a fault, at every level, and it holds under every revision.
func TestTheCalmScenarioHolds(t *testing.T) {
	for _, level := range allLevels {
		for _, revision := range protocol.Revisions() {
			t.Run(level.String()+" "+revision.Name, func(t *testing.T) { calmHolds(t, level, revision.Name) })
		}
	}
}

func calmHolds(t *testing.T, level faults.Level, revision string) {
	s := GenerateFrom(choice.NewSource(choice.Replay(nil, nil)), level)
	d, err := Choose(s, revision, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: d.Config})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			t.Errorf("%s: %s", v.Property, v.Violations[0].Sentence)
		}
	}
	if len(s.Steps) > 12 || len(r.Failures) > 0 || len(r.Deviations) > 0 {
		t.Errorf("%d steps, failures %v, %d deviations in\n%s", len(s.Steps), r.Failures, len(r.Deviations), s.AppendText(nil))
	}
	if d := cmp.Diff(Coverage{FinishedStop: true}, r.Coverage); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// What is printed parses again to the same scenario.
func TestGeneratedScenariosRoundTrip(t *testing.T) {
	alone(t)
	same := cmp.Options{cmpopts.IgnoreFields(format.Pos{}, "Line"), cmpopts.EquateEmpty()}
	for _, level := range allLevels {
		for seed := range uint64(300) {
			want := Generate(seed, level)
			text := want.AppendText(nil)
			got, err := format.Parse("made.scn", text)
			if err != nil {
				t.Fatalf("%v, seed %d: %v in\n%s", level, seed, err, text)
			}
			if d := cmp.Diff(want, got, same); d != "" {
				t.Fatalf("%v, seed %d: (-made +parsed)\n%s\nin\n%s", level, seed, d, text)
			}
		}
	}
}

// Parsed again, and repeated from its deviations in a network that is calm by itself, a run has the same hash.
func TestGeneratedRunsRepeatWithoutTheirSeed(t *testing.T) {
	for _, level := range allLevels {
		for _, seed := range []uint64{3, 1 << 40} {
			t.Run(fmt.Sprint(level, " ", seed), func(t *testing.T) {
				first := made(t, seed, level)
				s, err := format.Parse("made.scn", Generate(seed, level).AppendText(nil))
				if err != nil {
					t.Fatal(err)
				}
				s.Schedule = first.Deviations
				again := runUnder(t, s, Options{})
				if again.Hash != first.Hash || again.Unused > 0 {
					t.Errorf("hash %x, and %x when repeated; %d choices did not apply", first.Hash, again.Hash, again.Unused)
				}
				if len(first.Deviations) == 0 {
					t.Error("the run has no deviation")
				}
			})
		}
	}
}

// sizes are what there is of a scenario.
type sizes struct{ brokers, partitions, clients, records, stops, failbacks, seconds int }

func measure(s *format.Scenario) (m sizes) {
	for _, c := range s.Clusters {
		m.brokers = max(m.brokers, c.Brokers)
	}
	m.partitions, m.clients = s.Topics[0].Partitions, len(s.Clients)
	stopped, started := map[string]int{}, 0
	for _, step := range s.Steps {
		switch a := step.Do.(type) {
		case *format.Produce:
			m.records += a.Count
		case *format.Operate:
			if a.Request == format.StopTopics {
				stopped[a.Mirror.Cluster]++
			} else if a.Request == format.StartTopics && a.Mirror.Cluster == "A" {
				m.failbacks = 1
				started++
			}
		}
	}
	m.stops = min(stopped["B"], 1)
	if started > 0 && stopped["A"] >= started { // one that is started again was stopped by mistake
		m.seconds = 1
	}
	return m
}

// The sizes of generated runs, over many seeds.
func TestSizesOfGeneratedScenarios(t *testing.T) {
	const seeds = 1000
	var failbacks, seconds int
	seen := map[string]bool{}
	for seed := range uint64(seeds) {
		s := Generate(seed, faults.Swarm)
		m := measure(s)
		if m.brokers < 2 || m.brokers > 3 || m.partitions < 1 || m.partitions > 3 || m.clients < 3 || m.clients > 6 ||
			m.records < fewestRecords || m.records > mostRecords || m.stops != 1 {
			t.Fatalf("seed %d has %+v in\n%s", seed, m, s.AppendText(nil))
		}
		if _, ok := s.Steps[len(s.Steps)-1].Do.(*format.Live); !ok {
			t.Fatalf("seed %d does not end with a second phase", seed)
		}
		failbacks, seconds = failbacks+m.failbacks, seconds+m.seconds
		seen[fmt.Sprintf("%d brokers", m.brokers)] = true
		seen[fmt.Sprintf("%d partitions", m.partitions)] = true
		seen[fmt.Sprintf("%d clients", m.clients)] = true
	}
	if failbacks < seeds*87/100 || failbacks > seeds*96/100 || seconds < failbacks*45/100 || seconds > failbacks*58/100 {
		t.Errorf("%d failbacks and %d second failovers in %d runs", failbacks, seconds, seeds)
	}
	for _, want := range []string{"2 brokers", "3 brokers", "1 partitions", "2 partitions", "3 partitions", "3 clients", "6 clients"} {
		if !seen[want] {
			t.Errorf("no seed has %s", want)
		}
	}
}

// What a sweep must meet: in so many of 100 runs, under each level with faults.
func TestGeneratedRunsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("300 runs")
	}
	const seeds = 150
	for _, level := range []faults.Level{faults.Light, faults.Swarm} {
		t.Run(level.String(), func(t *testing.T) {
			t.Parallel()
			got := map[string]int{}
			var deliveries []uint64
			for seed := range uint64(seeds) {
				r := made(t, seed, level)
				if len(r.Failures) > 0 {
					t.Errorf("seed %d fails by its own steps: %v", seed, r.Failures)
				}
				deliveries = append(deliveries, r.Deliveries)
				for name, met := range map[string]bool{"stop": r.Coverage.FinishedStop, "failback": r.Coverage.FinishedFailback,
					"fault": r.Coverage.FaultWhileAligningOrStopping, "lost": r.Coverage.LostAtFailover,
					"permanent": r.Coverage.PermanentFault} {
					if met {
						got[name]++
					}
				}
			}
			for name, want := range map[string]int{"stop": 95, "failback": 75, "fault": 30, "lost": 50, "permanent": 50} {
				if got[name]*100 < want*seeds {
					t.Errorf("%s in %d of %d runs, want %d %%", name, got[name], seeds, want)
				}
			}
			slices.Sort(deliveries)
			if median := deliveries[seeds/2]; median < 10_000 || median > 60_000 {
				t.Errorf("the median run has %d deliveries", median)
			}
		})
	}
}

// Some runs change metadata for mirror-wide work: configs, ACLs, partitions, and a topic that a pattern matches; a run without
// faults never does.
func TestGeneratedChangesOfMetadata(t *testing.T) {
	seen := map[string]int{}
	for _, level := range allLevels {
		for seed := range uint64(200) {
			s := Generate(seed, level)
			for i := range s.Steps {
				switch do := s.Steps[i].Do.(type) {
				case *format.Config, *format.AlterAcl, *format.CreatePartitions, *format.CreateTopics:
					seen[level.String()+" "+do.Keyword()]++
				}
			}
		}
	}
	for _, level := range []string{"light ", "swarm "} {
		for _, act := range []string{"config", "acl", "create-partitions", "create-topics"} {
			if seen[level+act] < 10 {
				t.Errorf("%s%s stands %d times in 200 runs", level, act, seen[level+act])
			}
		}
	}
	if len(seen) != 12 {
		t.Errorf("%v", seen)
	}
}

// Some runs with groups have the cleaner at the offsets that groups have committed, on either side.
func TestGeneratedCompactionOfOffsets(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(600) {
		s := Generate(seed, faults.Swarm)
		for i := range s.Steps {
			if do, ok := s.Steps[i].Do.(*format.Compact); ok && do.Partition.Topic == format.GroupTopic {
				seen[do.Partition.Cluster]++
				if len(do.Keep) > 0 {
					t.Errorf("seed %d keeps %v", seed, do.Keep)
				}
			}
		}
	}
	if seen["A"] < 3 || seen["B"] < 3 {
		t.Errorf("%v", seen)
	}
}
