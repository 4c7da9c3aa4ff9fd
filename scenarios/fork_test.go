package scenarios

import (
	"fmt"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

const forked = `scenario forked
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
client p producer on A
client q consumer on B
mirror m from A to B
mirror m from B to A
`

// lively is a world of brokers under way with the choices of a seed, on a bad network: a mirror starts, a producer writes,
// a consumer reads, and, by the seed, the mirror is stopped or a broker crashes.
func lively(t *testing.T, seed uint64) *run {
	s, err := format.Parse("forked", []byte(forked))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, []string{"start-stop", "add-remove"}[seed%2], nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wireUp(s, d.Config)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Protocol: d.Config}.WithSeed(seed)
	o.Net.Drop, o.Net.Duplicate, o.Net.Reorder = 1<<9, 1<<10, 1<<10
	r := newRun(w, o)
	if err := r.boot(); err != nil {
		t.Fatal(err)
	}
	tp := format.TP{Cluster: "A", Topic: "t"}
	m := format.MirrorRef{Cluster: "B", Name: "m"}
	r.do(1, &format.Produce{Client: "p", To: tp, Count: 30, Batch: 1 + int(seed%3), Acks: -1, PID: -1})
	r.do(2, &format.Operate{Request: format.StartTopics, Topics: []string{"t"}, Mirror: m})
	r.do(3, &format.Consume{Client: "q", From: format.TP{Cluster: "B", Topic: "t"}})
	for i := uint64(0); i < 200+seed%200 && r.world.Next(); i++ {
	}
	if seed%3 == 0 {
		r.do(4, &format.Operate{Request: format.StopTopics, Topics: []string{"t"}, Mirror: m})
	}
	if seed%5 == 0 {
		n := id.Node(seed % 4)
		r.world.Crash(n, r.world.Keep(n, 1<<14))
		r.world.Restart(n)
	}
	return r
}

func advance(w *sim.World, n uint64) {
	for i := uint64(0); i < n && w.Next(); i++ {
	}
}

// summary is what two worlds that went the same way have in common: history, state, and what is open.
func summary(w *sim.World) string {
	deliveries, events, choices := w.Count()
	return fmt.Sprintf("%016x %x %v %d %d %d", w.Hash(), w.Fingerprint(), w.Now(), deliveries, events, choices)
}

// A thousand worlds of brokers at random steps: a fork that goes on with equal choices comes to an equal hash and an equal
// fingerprint, and nothing that is done to a fork shows in its original.
func TestThousandWorldsFork(t *testing.T) {
	alone(t)
	for seed := range uint64(1000) {
		at, on := seed*7919%400, 100+seed%100
		alone := lively(t, seed).world
		advance(alone, at+on)

		w := lively(t, seed).world
		advance(w, at)
		equal, other := w.Fork(nil), w.Fork(choice.Seeded(seed+1))
		other.Inject(id.Node(w.Nodes()-1), &wire.ReportCommand{})
		other.Crash(id.Node(seed%4), other.Keep(id.Node(seed%4), 1<<15))
		advance(other, on)
		other.Restart(id.Node(seed % 4))
		advance(other, on)
		advance(equal, on)
		advance(w, on)
		want := summary(alone)
		if got := summary(w); got != want {
			t.Fatalf("seed %d, step %d: the original came to\n%s, alone it comes to\n%s", seed, at, got, want)
		}
		if got := summary(equal); got != want {
			t.Fatalf("seed %d, step %d: the fork came to\n%s, the original to\n%s", seed, at, got, want)
		}
		if summary(other) == want {
			t.Fatalf("seed %d: a fork whose broker crashed came to the same end", seed)
		}
	}
}
