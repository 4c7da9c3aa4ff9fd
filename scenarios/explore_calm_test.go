package scenarios

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
)

// What is explored is the file's run: where nothing departs it has the history that Run makes of the explored world. It is so of every
// file of the project; without -long the test has one in eight, and all in which a fault falls there where a point is reached.
func TestTheCalmRunIsTheFiles(t *testing.T) {
	compared := 0
	for i, file := range projectFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := format.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Schedule) > 0 || i%8 != 0 && !strings.Contains(string(text), " there ") && !*longRuns {
			continue
		}
		for _, revision := range []string{"start-stop", "hardened"} {
			compared += sameCalmRun(t, s, revision)
		}
	}
	if compared < 40 {
		t.Errorf("%d runs were compared", compared)
	}
}

// projectFiles are the files of the catalogue, the findings and the corpus.
func projectFiles(t *testing.T) (files []string) {
	for _, dir := range []string{"catalogue", "findings", "corpus"} {
		list, err := filepath.Glob(dir + "/*.scn")
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v, %d files", dir, err, len(list))
		}
		files = append(files, list...)
	}
	return files
}

// sameCalmRun compares the explored calm run with the run. It answers 0 where there is none: the file chooses what the revision does not
// have, or a node is paused or slow.
func sameCalmRun(t *testing.T, s *format.Scenario, revision string) int {
	d, err := Choose(s, revision, nil)
	if err != nil {
		return 0
	}
	world, err := explorable(s, 0)
	if err != nil {
		return 0
	}
	c, err := begin(world, d)
	if err != nil {
		t.Fatalf("%s under %s: %v", s.Name, revision, err)
	}
	for !c.over {
		c.calmly()
	}
	c.finish()
	r, err := Run(world, Options{Protocol: d.Config})
	if err != nil {
		t.Fatalf("%s under %s: %v", s.Name, revision, err)
	}
	if r.Hash != c.world.Hash() {
		t.Errorf("%s under %s: the explored calm run has another history than the run", s.Name, revision)
	}
	for _, v := range r.Verdicts {
		if v.Property != checkers.NoHotLoop.String() && (v.Status == checkers.Violated) != slices.Contains(c.violates(), v.Property) {
			t.Errorf("%s under %s: %s is %v in the run, and not in the explored one", s.Name, revision, v.Property, v.Status)
		}
	}
	return 1
}

// A fault that falls there where a point is reached falls at the node that has reached it.
func TestExploreKnowsWhoIsThere(t *testing.T) {
	r := exploring(t, `scenario there
setting timer-quantum=1s
setting timer-lead=1s
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A assign=b1,b0
client p producer on A
mirror m from A to B
produce p A/t-0 2
start t in B/m
until leo B/t-0=2
until leo B/t-0@b0=2
fault crash there at-point stop.producers-reset
stop t in B/m
until state B/t-0=STOPPED within 2m or-go-on
`, ExploreOptions{}, "start-stop")
	if found := verdictsOf(r); found["position-durable"] != [2]int{} || len(found) != 1 {
		t.Errorf("the calm run violates %v, want position-durable: the next leader's stop stores what comes of its own reset", found)
	}
}

// What a wait or an expectation asks for is in the key: a mirror's pass that came early is not taken for the calm one's, though
// nothing else tells them apart.
func TestExploreKnowsPasses(t *testing.T) {
	r := exploring(t, `scenario passes
setting state-partitions=1
setting metadata-refresh=1m
setting periodic-scan=1h
setting epoch-check=1h
setting checkpoint=1h
setting timer-quantum=1s
setting timer-lead=2s
cluster A brokers=1
cluster B brokers=2
topic t on A partitions=1 replicas=1
topic t on B partitions=1 replicas=2 id-of=A assign=b0,b1
client p producer on A
mirror m from A to B
produce p A/t-0 1
start t in m
until state B/t-0=MIRRORING
until passes B/m=1
fault crash b1 for 150s
until leo B/t-0=2 within 70s or-go-on
until passes B/m=3
expect isr B/t-0=1
`, ExploreOptions{Departures: 1, From: 6, To: 6})
	if found := verdictsOf(r); found[Expectation] != [2]int{1, 0} {
		t.Errorf("violated are %v, want the expectation with one departure", found)
	}
}

// Forks are worked on at the same time: under the race detector nothing that two of them share is changed, and what comes out does not
// depend on how many there are.
func TestExploreAtTheSameTime(t *testing.T) {
	for name, text := range map[string]string{"a stop and its failback": scenarioOf(t, stopAndFailback), "a mirror that comes again": `scenario again
setting state-partitions=1
setting timer-quantum=1s
cluster A brokers=1
cluster B brokers=1
topic t on A partitions=1 replicas=1
topic t on B partitions=1 replicas=1 id-of=A
client p producer on A
mirror m from A to B
produce p A/t-0 1
start t in m
until state B/t-0=MIRRORING
stop t in m
until state B/t-0=STOPPED
delete m
produce p A/t-0 1
create m from A
start t in m
until leo B/t-0=2 within 20s or-go-on
`} {
		o := ExploreOptions{Departures: 2, Crashes: 1, From: 5, MaxStates: 12000}
		o.Jobs = 1
		alone := exploring(t, text, o)
		o.Jobs = 2
		if both := exploring(t, text, o); both.States != alone.States || both.Transitions != alone.Transitions {
			t.Errorf("%s: one job comes to %d states and %d transitions, two come to %d and %d", name, alone.States, alone.Transitions, both.States,
				both.Transitions)
		}
	}
}
