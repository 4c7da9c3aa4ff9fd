package scenarios

import (
	"container/heap"
	"testing"
	"time"

	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
)

// busy is a mirror under load: two clusters, one producer that writes through, a failover and a failback.
const busy = `scenario busy
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=2 replicas=2
topic t on B partitions=2 replicas=2 id-of=A
client p producer on A
client q producer on A
mirror m from A to B
start t in m
until state B/t-0=MIRRORING
repeat 1000
  produce p A/t-0 1000
  produce q A/t-1 1000
end
`

// world is the busy world, warmed up: both partitions are mirrored and both producers write.
func world(b testing.TB) *run {
	s, err := format.Parse("busy", []byte(busy))
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

// feed keeps the producers busy.
func feed(r *run) {
	r.do(4, &format.Produce{Client: "p", To: format.TP{Cluster: "A", Topic: "t"}, Count: 1000, Batch: 1, Acks: -1, PID: -1})
	r.do(5, &format.Produce{Client: "q", To: format.TP{Cluster: "A", Topic: "t", Partition: 1}, Count: 1000, Batch: 1, Acks: -1, PID: -1})
}

// bare is a queue of what the world's queue holds, without a world around it.
type bare [][3]uint64

func (h bare) Len() int           { return len(h) }
func (h bare) Less(i, j int) bool { return h[i][0] < h[j][0] }
func (h bare) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *bare) Push(x any)        { *h = append(*h, x.([3]uint64)) }
func (h *bare) Pop() any          { x := (*h)[len(*h)-1]; *h = (*h)[:len(*h)-1]; return x }

// bareQueue is what a pop and a push of a bare queue of 100 entries take on this machine, now: the library's heap.
func bareQueue() time.Duration {
	const turns = 200_000
	h := &bare{}
	for i := range uint64(100) {
		heap.Push(h, [3]uint64{i * 7919 % 101, i})
	}
	began := time.Now()
	for i := range uint64(turns) {
		x := heap.Pop(h).([3]uint64)
		x[0] += i * 7919 % 101
		heap.Push(h, x)
	}
	return time.Since(began) / turns
}

// BenchmarkDelivery is one delivery of the busy world, its history hashed and checked; queue-ops says how many pops and
// pushes of a bare queue in the same process it is.
func BenchmarkDelivery(b *testing.B) {
	r := world(b)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if i%20000 == 0 {
			b.StopTimer()
			r = world(b)
			feed(r)
			b.StartTimer()
		}
		r.world.Next()
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(bareQueue()), "queue-ops")
}

func BenchmarkFork(b *testing.B) {
	r := world(b)
	feed(r)
	for range 200 {
		r.world.Next()
	}
	b.ReportAllocs()
	for b.Loop() {
		r.world.Fork(nil)
	}
}

func BenchmarkForkAndStep(b *testing.B) {
	r := world(b)
	feed(r)
	for range 200 {
		r.world.Next()
	}
	b.ReportAllocs()
	for b.Loop() {
		r.world.Fork(nil).Next()
	}
}

func BenchmarkFingerprint(b *testing.B) {
	r := world(b)
	feed(r)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if i%20000 == 0 {
			b.StopTimer()
			r = world(b)
			feed(r)
			b.StartTimer()
		}
		r.world.Next()
		r.world.Fingerprint()
	}
}
