package scenarios

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
)

// idleWorld is a cluster with so many partitions that nobody writes to, and a mirror under load beside them, warmed up.
func idleWorld(b testing.TB, idle int) *run {
	text := fmt.Sprintf(`scenario idle
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=2 replicas=2
topic t on B partitions=2 replicas=2 id-of=A
topic idle on A partitions=%d replicas=2
client p producer on A
client q producer on A
mirror m from A to B
start t in m
until state B/t-0=MIRRORING
`, idle)
	s, err := format.Parse("idle", []byte(text))
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
	r := newRun(w, Options{Protocol: d.Config}.WithSeed(1))
	r.options.Net = sim.Network{}
	if err := r.boot(); err != nil {
		b.Fatal(err)
	}
	for _, due := range s.Unroll()[1:3] {
		r.until(r.do(due.Number, due.Step.Do).met, id.Minute)
	}
	return r
}

// idleFactor is how many times what a delivery may cost with 1,000 idle partitions that it costs with 4.
const idleFactor = 1.5

// perDelivery is what a delivery takes in the next n, while producers write.
func perDelivery(r *run, n int) time.Duration {
	began := time.Now()
	for range n {
		r.world.Next()
	}
	return time.Since(began) / time.Duration(n)
}

// BenchmarkIdlePartitions holds the cost of a delivery with 1,000 idle partitions against that with 4, in one process and turn
// about: the median over many short turns, so that what else the machine does meanwhile counts for both. A partition to which
// nothing happens is to cost nothing but its own fetches.
func BenchmarkIdlePartitions(b *testing.B) {
	const turns, deliveries = 101, 2000
	few, many := idleWorld(b, 4), idleWorld(b, 1000)
	for b.Loop() {
		var ratios []float64
		for range turns {
			feed(few)
			feed(many)
			with4 := perDelivery(few, deliveries)
			ratios = append(ratios, float64(perDelivery(many, deliveries))/float64(with4))
		}
		slices.Sort(ratios)
		ratio := ratios[turns/2]
		b.ReportMetric(ratio, "idle-ratio")
		if ratio > idleFactor {
			b.Errorf("a delivery with 1,000 idle partitions takes %.2f times as long as with 4; %.1f are allowed", ratio, idleFactor)
		}
	}
}
