package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
)

// stop is a node that goes through three points for every message: it writes 1, 10 and 100 to its disk, each before a
// point, and reports what the disk has at the end.
func stop() node.Boot {
	return nodes(func(n *scripted, in node.Input, out *node.Effects) {
		p := n.disk.Create(toyPartition)
		switch {
		case !in.Resume:
			p.End++
			out.Yield = point.FetcherRemoved
		case p.End%100 < 10:
			p.End += 10
			out.Yield = point.PositionRecorded
		default:
			p.End += 90
			out.Emit(event.Appended, toyPartition).Offset = p.End
		}
	})[0]
}

func stopped(w *World) (ends []int64) {
	for n := range w.Nodes() {
		end := int64(0)
		if p := w.Disk(id.Node(n)).Find(toyPartition); p != nil {
			end = p.End
		}
		ends = append(ends, end)
	}
	return ends
}

func TestPoints(t *testing.T) {
	crash := func(n id.Node) func(*World) { return func(w *World) { w.Crash(n, nil) } }
	for _, c := range []struct {
		name string
		arm  func(*World)
		want []int64 // on the disks of both nodes after three messages to each
	}{
		{"nothing waits", func(*World) {}, []int64{303, 303}},
		{"crash at the first", func(w *World) { w.Arm(point.FetcherRemoved, 0, 1, crash(0)) }, []int64{1, 303}},
		{"crash at the second", func(w *World) { w.Arm(point.PositionRecorded, 0, 1, crash(0)) }, []int64{11, 303}},
		{"nth is counted from the arming", func(w *World) { w.Arm(point.FetcherRemoved, 1, 3, crash(1)) }, []int64{303, 203}},
		{"any node", func(w *World) { w.Arm(point.PositionRecorded, id.None, 2, crash(1)) }, []int64{303, 11}},
		{"another node falls", func(w *World) { w.Arm(point.FetcherRemoved, 0, 2, crash(1)) }, []int64{303, 101}},
		{"nobody comes there", func(w *World) { w.Arm(point.EpochBumped, id.None, 1, crash(0)) }, []int64{303, 303}},
		{"crash and restart: the new life is not resumed", func(w *World) {
			w.Arm(point.FetcherRemoved, 0, 1, func(w *World) { w.Crash(0, nil); w.Restart(0) })
		}, []int64{203, 303}},
		{"armed once, called once", func(w *World) {
			w.Arm(point.FetcherRemoved, 0, 2, func(w *World) { w.Inject(1, ping(9)) })
		}, []int64{303, 404}},
		{"disarmed", func(w *World) { w.Arm(point.FetcherRemoved, 0, 1, crash(0)); w.Disarm() }, []int64{303, 303}},
		{"in order of arming", func(w *World) {
			w.Arm(point.FetcherRemoved, 0, 1, func(w *World) { w.Crash(1, nil) })
			w.Arm(point.FetcherRemoved, 0, 1, func(w *World) { w.Restart(1) })
		}, []int64{303, 202}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := wired(calm(), Network{}, stop(), stop())
			c.arm(w)
			for i := range 3 {
				w.Inject(0, ping(i))
				w.Inject(1, ping(i))
				w.NextUntil(0)
				w.NextUntil(0)
				w.NextUntil(id.Duration(i) * ms)
			}
			finish(t, w)
			if diff := cmp.Diff(c.want, stopped(w)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPointIsReportedBeforeTheResume(t *testing.T) {
	w := wired(calm(), Network{}, stop())
	w.Inject(0, ping(1))
	w.Next()
	got := w.Monitor().(*watcher).events
	want := []event.Event{
		{Index: 0, Kind: event.Started, Peer: id.None, Sequence: 1},
		{Index: 1, Kind: event.PointReached, Peer: id.None, To: uint8(point.FetcherRemoved)},
		{Index: 2, Kind: event.PointReached, Peer: id.None, To: uint8(point.PositionRecorded)},
		{Index: 3, Kind: event.Appended, Peer: id.None, Partition: toyPartition, Offset: 101},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n, _, _ := w.Count(); n != 3 {
		t.Errorf("%d inputs were handled, want 3", n)
	}
}

// A boot may yield as a step may: it is resumed, unless a fault falls there.
func TestBootYields(t *testing.T) {
	boot := func(self id.Node, d *disk.Disk, out *node.Effects) node.Node {
		out.Yield = point.StateStored
		return &scripted{self, d, func(n *scripted, in node.Input, _ *node.Effects) {
			if in.Resume {
				n.disk.Create(toyPartition).End++
			}
		}}
	}
	w := wired(calm(), Network{}, boot, stop())
	if diff := cmp.Diff([]int64{1, 0}, stopped(w)); diff != "" {
		t.Error(diff)
	}
	w.Crash(0, nil)
	w.Arm(point.StateStored, 0, 1, func(w *World) { w.Crash(0, nil) })
	w.Restart(0)
	if w.nodes[0].alive || stopped(w)[0] != 1 {
		t.Errorf("alive %v, disk %d: the node was resumed after it crashed", w.nodes[0].alive, stopped(w)[0])
	}
	w.Arm(point.FetcherRemoved, 1, 1, func(w *World) { w.Restart(0) }) // boots inside the other's step
	w.Inject(1, ping(1))
	finish(t, w)
	if diff := cmp.Diff([]int64{2, 101}, stopped(w)); diff != "" {
		t.Error(diff)
	}
}

// A node that is paused at a point stays there; what came meanwhile is handled behind what follows the point.
func TestPausedAtAPoint(t *testing.T) {
	for name, crash := range map[string]bool{"goes on": false, "crashes meanwhile": true} {
		w := wired(calm(), Network{}, stop())
		w.Arm(point.FetcherRemoved, 0, 1, func(w *World) { w.Pause(0, true) })
		w.Inject(0, ping(1))
		w.Inject(0, ping(2))
		until(w, 5*ms)
		if got := stopped(w); got[0] != 1 {
			t.Errorf("%s: at the point the disk has %v", name, got)
		}
		if crash {
			w.Crash(0, nil)
			w.Restart(0)
		}
		w.Pause(0, false)
		want := int64(101)
		if crash {
			want = 1
		}
		if got := stopped(w); got[0] != want {
			t.Errorf("%s: behind the pause the disk has %v, want %d", name, got, want)
		}
		if finish(t, w); !crash {
			want = 202
		}
		if got := stopped(w); got[0] != want {
			t.Errorf("%s: in the end the disk has %v, want %d", name, got, want)
		}
	}
}

// Only nodes for which it is asked count.
func TestArmOn(t *testing.T) {
	w := wired(calm(), Network{}, stop(), stop())
	asked := 0
	w.ArmOn(point.FetcherRemoved, func(_ *World, n id.Node) bool { asked++; return n == 1 }, 2, func(w *World) { w.Crash(1, nil) })
	before := w.Fingerprint()
	for i := range 3 {
		w.Inject(0, ping(i))
		w.Inject(1, ping(i))
	}
	finish(t, w)
	if diff := cmp.Diff([]int64{303, 102}, stopped(w)); diff != "" || asked != 4 {
		t.Errorf("asked %d times: %s", asked, diff)
	}
	if w.Disarm(); w.Fingerprint() == before {
		t.Error("the fingerprint is that of before")
	}
}

func TestYieldForEverEndsTheRun(t *testing.T) {
	w := wired(calm(), Network{}, nodes(func(_ *scripted, _ node.Input, out *node.Effects) {
		out.Yield = point.StateStored
	})...)
	w.Inject(0, ping(1))
	w.Next()
	if text, ok := w.Failure(); !ok || text != "an input is resumed at most 1000 times" {
		t.Errorf("failure %q, %v", text, ok)
	}
}

func TestNoNextForkOrTakeAtAPoint(t *testing.T) {
	for name, do := range map[string]func(*World){
		"Next": func(w *World) { w.Next() },
		"Fork": func(w *World) { w.Fork(nil) },
		"Take": func(w *World) { w.Take(Action{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("was allowed in the midst of a step")
				}
			}()
			w := wired(calm(), Network{}, stop())
			w.Arm(point.FetcherRemoved, 0, 1, do)
			w.Inject(0, ping(1))
			w.Next()
		})
	}
}
