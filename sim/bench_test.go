package sim

import (
	"encoding/binary"
	"testing"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

// runner is a toy whose own work costs next to nothing: it answers each message with one, arms a timer and reports an
// event, as a broker does. Its only allocation is the body that it sends.
type runner struct {
	self, peers id.Node
	sum         uint64
}

const benchNodes, benchMessages = 10, 50

func (n *runner) Step(in node.Input, out *node.Effects) {
	b, ok := in.Body.(*pingBody)
	if !ok {
		return
	}
	n.sum += b.Payload
	out.Emit(event.HighWatermark, toyPartition).Digest = n.sum
	out.Arm(node.Timer{Kind: 1}, id.Second, 100*id.Millisecond)
	out.Send((n.self+1+id.Node(b.N)%(n.peers-1))%n.peers, &pingBody{N: b.N + 1, Payload: n.sum})
}

func (n *runner) Clone(*disk.Disk) node.Node    { c := *n; return &c }
func (n *runner) AppendState(dst []byte) []byte { return binary.LittleEndian.AppendUint64(dst, n.sum) }
func (n *runner) Waits(func(string) bool)       {}

// adder is a monitor that costs next to nothing.
type adder struct{ sum uint64 }

func (a *adder) Observe(e *event.Event)        { a.sum += e.Digest }
func (a *adder) Clone() Monitor                { c := *a; return &c }
func (a *adder) AppendState(dst []byte) []byte { return binary.LittleEndian.AppendUint64(dst, a.sum) }

// track is a world of ten runners in two clusters with fifty messages under way.
func track(net Network) *World {
	s := Spec{Monitor: &adder{}, Choices: choice.NewSource(choice.Seeded(1)), Net: net,
		LatencyInside: 500 * id.Microsecond, LatencyBetween: 20 * id.Millisecond}
	for i := range benchNodes {
		s.Cluster = append(s.Cluster, id.Cluster(i%2))
		s.Boot = append(s.Boot, func(self id.Node, d *disk.Disk, _ *node.Effects) node.Node {
			d.Create(toyPartition)
			return &runner{self: self, peers: benchNodes}
		})
	}
	w := New(s)
	for i := range benchMessages {
		w.Inject(id.Node(i%benchNodes), &pingBody{N: uint64(i)})
	}
	for range 5000 {
		w.Next()
	}
	return w
}

func BenchmarkDelivery(b *testing.B) {
	for _, c := range []struct {
		name string
		net  Network
	}{{"calm", Network{}}, {"faults", Network{Delay: 600, Reorder: 600, Jitter: 6000, MaxDelay: 20 * ms}}} {
		b.Run(c.name, func(b *testing.B) {
			w := track(c.net)
			before, _, _ := w.Count()
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				w.Next()
			}
			after, _, _ := w.Count()
			b.ReportMetric(float64(after-before)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
}

// BenchmarkQueue is what a delivery cannot do without: one entry pushed and one popped, of as many as a world has.
func BenchmarkQueue(b *testing.B) {
	w := track(Network{})
	q := append(queue(nil), w.queue...)
	seq := w.seq
	b.ReportAllocs()
	for range b.N {
		e := q.pop()
		seq++
		q.push(entry{e.at + 20*ms - id.Duration(seq%7)*ms, seq, e.slot, e.kind})
	}
}

var sink any

func BenchmarkFork(b *testing.B) {
	w := track(Network{})
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			sink = w.Fork(nil)
		}
	})
	b.Run("and step", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			f := w.Fork(nil)
			f.Next()
			sink = f
		}
	})
}

func BenchmarkFingerprint(b *testing.B) {
	b.Run("after a step", func(b *testing.B) {
		w := track(Network{})
		b.ReportAllocs()
		for range b.N {
			b.StopTimer()
			w.Next()
			b.StartTimer()
			w.Fingerprint()
		}
	})
	b.Run("afresh", func(b *testing.B) {
		w := track(Network{})
		b.ReportAllocs()
		for range b.N {
			afresh(w)
		}
	})
}

func TestWorldDoesNotAllocate(t *testing.T) {
	for name, net := range map[string]Network{"calm": {}, "rough but whole": {Delay: 60, Reorder: 60, Jitter: 600}} {
		t.Run(name, func(t *testing.T) {
			w := track(net)
			drive(w, nil, 0, 50_000)
			if n := testing.AllocsPerRun(20_000, func() { w.Next() }); n > 1 {
				t.Errorf("%v allocations a delivery, want 1: the body that the node sends", n)
			}
		})
	}
}
