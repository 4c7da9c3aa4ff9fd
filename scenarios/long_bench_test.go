package scenarios

import (
	"flag"
	"runtime"
	"slices"
	"testing"
	"time"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
)

var longRuns = flag.Bool("long", false, "run the benchmarks of ten million events, and the explorations of findings that take long")

// longHead is what the long workloads begin with.
const longHead = `scenario long
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=2 replicas=2
topic __transaction_state on A partitions=1 replicas=2
topic __consumer_offsets on A partitions=1 replicas=2
topic __mirror_state on A partitions=1 replicas=2
topic t on B partitions=2 replicas=2 id-of=A
topic __mirror_state on B partitions=1 replicas=2
topic __consumer_offsets on B partitions=1 replicas=2
client p producer on A
client q producer on B
client x transactional on A
client r consumer on A
client y consumer on B
client g group on A
mirror m from A to B
mirror m from B to A
`

// longWorkloads are rounds of steps, by what goes on in them. Behind each round retention leaves the newest 200 offsets of each
// log, and the cleaner goes through the internal topics.
var longWorkloads = []struct{ name, first, round string }{
	{"mirroring", `start t in B/m
until lag B/t-0=0
consume r A/t-0
consume y B/t-1 read-committed
consume g A/t-1
`, `produce p A/t-0 80
produce p A/t-1 40 batch=4
produce x A/t-1 4
commit x
produce x A/t-1 4
abort x
commit g
elect A/t-0
compact A/__transaction_state-0
compact A/__consumer_offsets-0
compact B/__consumer_offsets-0
until lag B/t-0=0
until lag B/t-1=0
until quiet
`},
	{"switching", `start t in B/m
until lag B/t-0=0
consume r A/t-0
consume y B/t-1 read-committed
`, `produce p A/t-0 40
produce p A/t-1 20
produce x A/t-1 4
commit x
until lag B/t-0=0
stop t in B/m
until state B/t-0=STOPPED
until state B/t-1=STOPPED
produce p A/t-0 2
produce q B/t-0 40
start t in A/m
until lag A/t-0=0
until lag A/t-1=0
stop t in A/m
until state A/t-0=STOPPED
until state A/t-1=STOPPED
start t in B/m
until lag B/t-0=0
until lag B/t-1=0
until quiet
compact A/__transaction_state-0
compact A/__mirror_state-0
compact B/__mirror_state-0
`},
}

// long is a long workload under way, and a judge that is told its events apart from the world, so that only its work is timed.
type long struct {
	*run
	b      *testing.B
	judge  func(*event.Event)
	costs  []float64 // of the judge, in ns an event, by what was timed together
	events int
	chunk  []event.Event
}

// told is how many events are kept until the judge is told, and timedAtOnce how many are timed together.
const told, timedAtOnce = 10_000, 5_000

func newLong(b *testing.B, first string, judge func(checkers.Topology) func(*event.Event)) *long {
	s, err := format.Parse("long", []byte(longHead+first))
	if err != nil {
		b.Fatal(err)
	}
	d, err := Choose(s, "", nil)
	if err != nil {
		b.Fatal(err)
	}
	w, err := wireUp(s, d.Config)
	if err != nil {
		b.Fatal(err)
	}
	x := &long{run: newRun(w, Options{Protocol: d.Config}.WithSeed(1)), b: b}
	x.options.Net = sim.Network{}
	x.judge = judge(w.topology())
	x.options.Listen = func(e *event.Event) {
		if x.chunk = append(x.chunk, *e); len(x.chunk) == told {
			x.tell()
		}
	}
	if err := x.boot(); err != nil {
		b.Fatal(err)
	}
	x.does(s)
	return x
}

// tell has the judge look at what has happened.
func (x *long) tell() {
	for some := range slices.Chunk(x.chunk, timedAtOnce) {
		began := time.Now()
		for i := range some {
			x.judge(&some[i])
		}
		x.costs = append(x.costs, float64(time.Since(began))/float64(len(some)))
	}
	x.events += len(x.chunk)
	clear(x.chunk)
	x.chunk = x.chunk[:0]
}

// does does the steps of s. What steps have asked of clients is forgotten behind them: a run keeps it for its expectations.
func (x *long) does(s *format.Scenario) {
	for _, due := range s.Unroll()[1:] {
		done := x.do(due.Number, due.Step.Do)
		if waits, ok := x.until(done.met, x.world.Now()+done.limit); !ok {
			x.b.Fatalf("%s: %s", due.Step.Do.AppendText(nil), waits)
		}
	}
	w := x.watch()
	w.points = w.points[:0]
	for i := range w.clients {
		w.clients[i] = clientWork{}
	}
}

// retainAll has retention leave the newest 200 offsets of each log.
func (x *long) retainAll() {
	for c, cluster := range x.scenario.Clusters {
		for n := range 2 {
			tp := format.TP{Cluster: cluster.Name, Topic: "t", Partition: n}
			_, p := x.partition(tp)
			leader, _ := x.ledger().Leader(x.clusterOf(x.scenario.Clusters[c].Name), p)
			if hw := x.ledger().Log(leader, p).HighWatermark; hw > 200 {
				x.do(0, &format.Retention{Partition: tp, Before: hw - 200})
			}
		}
	}
}

// lap goes on until so many events have been judged, and answers what the judge has taken for an event since the last lap, and what
// the heap holds. The lower decile is taken, because a busy machine only adds to what is measured.
func (x *long) lap(round *format.Scenario, upto int) (perEvent float64, heap uint64) {
	for x.events < upto {
		x.does(round)
		x.retainAll()
	}
	slices.Sort(x.costs)
	perEvent = x.costs[len(x.costs)/10]
	x.costs = x.costs[:0]
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return perEvent, m.HeapAlloc
}

// BenchmarkLong shows that what a checker does for an event does not grow with the length of a run: in one process, the cost in the
// tenth million of events against that in the first. The heap behind each is that of all of the world: the internal topics, which
// have no log start that moves, with what the cleaner has removed there, the loss report, which is as long as what was lost, and
// the history of what happened to the mirrors.
func BenchmarkLong(b *testing.B) {
	for _, judge := range []struct {
		name string
		make func(checkers.Topology) func(*event.Event)
	}{
		{"checkers", func(t checkers.Topology) func(*event.Event) {
			s, err := checkers.NewSuite(t)
			if err != nil {
				b.Fatal(err)
			}
			return s.Observe
		}},
		{"cross-check", func(t checkers.Topology) func(*event.Event) { return checkers.NewCrossCheck(t).Observe }},
	} {
		for _, w := range longWorkloads {
			b.Run(judge.name+"/"+w.name, func(b *testing.B) {
				if !*longRuns {
					b.Skip("ten million events take some minutes: -long")
				}
				for b.Loop() {
					measureLong(b, w.first, w.round, judge.make)
				}
			})
		}
	}
}

func measureLong(b *testing.B, first, round string, judge func(checkers.Topology) func(*event.Event)) {
	const million = 1_000_000
	x := newLong(b, first, judge)
	s, err := format.Parse("round", []byte(longHead+round))
	if err != nil {
		b.Fatal(err)
	}
	at1, heap1 := x.lap(s, million)
	var at10 float64
	var heap10 uint64
	for n := 2; n <= 10; n++ {
		at10, heap10 = x.lap(s, n*million)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(at1, "ns/event-1M")
	b.ReportMetric(at10, "ns/event-10M")
	b.ReportMetric(at10/at1, "growth")
	b.ReportMetric(float64(heap1)/1e6, "MB-1M")
	b.ReportMetric(float64(heap10)/1e6, "MB-10M")
}
