package checkers

import (
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// compact has the cleaner of n remove the batches at these offsets, or leave one record of each.
func (b *builder) compact(n id.Node, leave int, offsets ...int64) {
	for _, o := range offsets {
		i := slices.IndexFunc(b.logs[n], func(x *record.Batch) bool { return x.Base == o })
		x := b.logs[n][i]
		left := x.Compact(func(i int) bool { return i < leave })
		b.logs[n] = slices.Clone(b.logs[n])
		if b.logs[n][i] = left; leave == 0 {
			b.logs[n], left = slices.Delete(b.logs[n], i, i+1), nil
		}
		e := b.on(event.Compacted, n, event.Event{Offset: o, End: x.Last + 1, Batch: left})
		if left != nil {
			e.Sequence = int32(left.Size())
		}
	}
}

// five is five batches of two records on A, which its leader, or both replicas, have compacted to the first and the last.
func five(b *builder, both bool) {
	b.boot()
	for i := range 5 {
		b.produce(p1, clusterA, b.data(p1, 2, 7, int32(2*i)))
	}
	for _, n := range []id.Node{a0, a1} {
		if n == a0 || both {
			b.compact(n, 0, 2, 6)
			b.compact(n, 1, 4)
		}
	}
}

// copyOf has B copy what A's leader holds, but for the batches at these offsets.
func copyOf(b *builder, without ...int64) {
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.fetch(clusterB, false)
	for _, x := range b.logs[a0] {
		if !slices.Contains(without, x.Base) {
			b.append(b0, x, event.FromMirror)
		}
	}
	b.replicate(clusterB)
	b.fetch(clusterB, false)
}

// What compaction removed, on one replica or on all, is no difference between logs, on either side of a mirror, before or
// after it was copied; nothing that was acknowledged is missed.
func TestCompactedLogsMatch(t *testing.T) {
	for name, build := range map[string]func(b *builder){
		"the source": func(b *builder) { five(b, true); copyOf(b) },
		"its leader": func(b *builder) { five(b, false); copyOf(b) },
		"the source, and a new leader": func(b *builder) {
			five(b, true)
			copyOf(b)
			b.elect(clusterA, a1, event.CleanElection)
			b.elect(clusterB, b1, event.CleanElection)
			b.fetch(clusterB, false)
		},
		"the source, of which another replica begins above": func(b *builder) {
			five(b, true)
			b.elect(clusterA, a1, event.CleanElection)
			b.on(event.StartMoved, a0, event.Event{Offset: 8})
			b.starts[a0], b.logs[a0] = 8, b.logs[a0][len(b.logs[a0])-1:]
			b.start(clusterB, false, 0, event.AlignedToLME)
			b.catchUp(clusterB)
		},
		"both, one after the other": func(b *builder) { five(b, true); copyOf(b); b.compact(b0, 0, 4); b.fetch(clusterB, false) },
		"the source, again": func(b *builder) {
			five(b, true)
			copyOf(b)
			b.compact(a0, 0, 4)
			b.fetch(clusterB, false)
			b.elect(clusterB, b1, event.CleanElection)
			b.fetch(clusterB, false)
		},
		"the copy alone": func(b *builder) {
			b.boot()
			for i := range 3 {
				b.produce(p1, clusterA, b.data(p1, 1, 7, int32(i)))
			}
			copyOf(b)
			b.compact(b0, 0, 0, 1)
			b.fetch(clusterB, false)
			b.elect(clusterB, b1, event.CleanElection)
			b.fetch(clusterB, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := &builder{}
			build(b)
			b.report(event.ReportEnd, b0)
			for _, property := range []ID{LogMatching, MirrorPrefix, Convergence, ExactCut, Durability, LossAccounted, LinearizableLog,
				EpochOrder} {
				if v := b.verdict(t, topology, property); v.Status == Violated {
					t.Errorf("%s", v.Violations[0].Sentence)
				}
			}
			if v := b.verdict(t, topology, MirrorPrefix); v.Occasions == 0 {
				t.Error("mirror-prefix had no occasion")
			}
		})
	}
}

func TestCompactionDefectsAreReported(t *testing.T) {
	history := func(build func(b *builder)) func(*testing.T) []event.Event {
		return func(*testing.T) []event.Event {
			b := &builder{}
			build(b)
			return b.events
		}
	}
	for _, d := range []defect{
		{"a gap that compaction does not explain", MirrorPrefix, []string{"B/t-0@b0 has nothing at offsets 2 to 7", "something stood there"},
			history(func(b *builder) { five(b, true); copyOf(b, 4) })},
		{"and the logs differ", LogMatching, []string{"the logs differ"},
			history(func(b *builder) { five(b, true); copyOf(b, 4) })},
		{"above the last stable offset", Durability, []string{"A/t-0@a0's cleaner removed records up to 4, beyond its last stable offset 2"},
			history(func(b *builder) {
				b.boot()
				b.produce(p1, clusterA, b.data(p1, 2, 7, 0))
				b.append(a0, b.data(p1, 2, 7, 2), event.FromClient)
				b.compact(a0, 1, 2)
			})},
		{"a read that shows what was removed", LinearizableLog, []string{"unseen"},
			history(func(b *builder) {
				five(b, true)
				b.logs[a0][1] = b.logs[a0][0] // not what is left
				b.consume(r1, clusterA, 0)
			})},
	} {
		t.Run(d.name, d.run)
	}
}
