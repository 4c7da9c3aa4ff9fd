package scenarios

import (
	"testing"

	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// richScenario is a failover and a failback with something of everything: producers of both kinds, consumers, elections on
// both sides and of a coordinator, a crash in the midst of a stop, a machine that loses power, and links that are cut.
const richScenario = `scenario rich

cluster A brokers=2
cluster B brokers=3
topic t on A partitions=2 replicas=2
topic t on B partitions=2 replicas=3 id-of=A
client p producer on A
client u producer on A plain
client q producer on B
client r consumer on B
mirror m from A to B
mirror m from B to A

produce p A/t-0 6 batch=2
consume r B/t-0
start t in B/m
at 100ms produce u A/t-0 8
at 150ms produce u A/t-1 8 acks=1
at 500ms elect A/t-0
at 900ms elect B/t-0
at 2s fault cut A>B for 3s
at 3s produce p A/t-1 9 batch=3
at 8s elect coordinator B/m B/t-0
until lag B/t-0=0 within 30s or-go-on
at 20s fault crash leader B/t-0 for 12s at-point stop.position-recorded
at 20005ms produce p A/t-1 5
at 20010ms stop t in B/m
until state B/t-0=STOPPED within 1m or-go-on
until state B/t-1=STOPPED within 1m or-go-on
produce q B/t-0 6
produce p A/t-0 4
at 80s fault power-loss leader A/t-1 for 5s if-spared
at 81s start t in A/m
at 82s produce q B/t-1 4
until lag A/t-0=0 within 40s or-go-on
at 110s fault cut a0 for 4s
at 111s stop t in A/m
until state A/t-0=STOPPED within 1m or-go-on
until state A/t-1=STOPPED within 1m or-go-on
produce p A/t-0 3
`

// FuzzWorld runs one rich scenario under the deviations that the input spells, 8 bytes each, at most 64: no assertion of the
// model may fire, no safety property may be violated, and nothing may panic. Minimizing an input costs hundreds of runs, so
// fuzz with -fuzzminimizetime 1x.
func FuzzWorld(f *testing.F) {
	rich, err := format.Parse("rich.scn", []byte(richScenario))
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := *rich
		s.Schedule = choice.FromBytes(data[:min(len(data), mostDeviations*choice.Size)])
		mustBeSafe(t, &s, false) // the goroutines of porcupine would make every run look like new coverage
	})
}

// The fuzzer's scenario is as rich as it says: calm, it has a stop and a failback, and what its faults are to hit was hit.
func TestRichScenario(t *testing.T) {
	s, err := format.Parse("rich.scn", []byte(richScenario))
	if err != nil {
		t.Fatal(err)
	}
	r := runUnder(t, s, Options{CrossCheck: true})
	if list := wrongs(r); len(list) > 0 || len(r.Failures) > 0 {
		t.Fatalf("calm it violates %v, and fails %v", list, r.Failures)
	}
	if c := r.Coverage; !c.FinishedStop || !c.FinishedFailback || !c.LostAtFailover || !c.FaultWhileAligningOrStopping {
		t.Errorf("it has %+v", c)
	}
	if r.Crossed.Windows < 8 || r.Crossed.Operations < 50 {
		t.Errorf("it gives porcupine %+v", r.Crossed)
	}
}
