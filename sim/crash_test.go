package sim

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/sim/choice"
)

func TestCrashDropsMemoryTimersAndMessages(t *testing.T) {
	boots := nodes(relay, func(n *scripted, in node.Input, out *node.Effects) {
		note(n, in, out)
		if in.Body != nil {
			n.disk.Create(toyPartition).End++
			out.Arm(node.Timer{Kind: 1}, 5*ms, 0)
			return
		}
		out.Emit(event.Appended, id.Partition{}).Offset = 1000 // the timer fired
	})
	w := wired(calm(), Network{}, boots...)
	w.Inject(0, ping(1))
	w.NextUntil(ms)
	w.NextUntil(ms) // 1 has arrived, the timer is armed
	w.Inject(0, ping(2))
	w.Next() // 2 is on its way
	w.Crash(1, nil)
	if w.nodes[1].alive || w.Node(1) != nil || w.Disk(1).Find(toyPartition).End != 1 {
		t.Fatalf("alive %v, disk %+v", w.nodes[1].alive, w.Disk(1).Find(toyPartition))
	}
	w.Inject(0, ping(3)) // sent while it is down
	w.Inject(1, ping(4))
	w.Next()
	w.Restart(1)
	w.Inject(0, ping(5))
	w.Next()
	if !w.nodes[1].alive || w.Disk(1).Incarnation != 2 || w.Disk(0).Incarnation != 1 {
		t.Fatalf("alive %v, incarnation %d", w.nodes[1].alive, w.Disk(1).Incarnation)
	}
	finish(t, w)
	if diff := cmp.Diff([]arrival{{1, ms}, {5, 2 * ms}, {1000, 7 * ms}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
	if got := w.Disk(1).Find(toyPartition).End; got != 2 {
		t.Errorf("the disk has %d entries, want 2", got)
	}
}

func TestCrashAndRestartAreReported(t *testing.T) {
	w := wired(calm(), Network{}, nodes(note)...)
	w.Restart(0) // is up
	w.Crash(0, nil)
	w.Crash(0, w.Keep(0, 0)) // is down
	w.Restart(0)
	w.Crash(0, w.Keep(0, 0))
	want := []event.Event{
		{Index: 0, Kind: event.Started, Peer: id.None, Sequence: 1},
		{Index: 1, Kind: event.Crashed, Peer: id.None, Cause: uint8(event.ProcessCrash)},
		{Index: 2, Kind: event.Started, Peer: id.None, Sequence: 2},
		{Index: 3, Kind: event.Crashed, Peer: id.None, Cause: uint8(event.PowerLoss)},
	}
	if diff := cmp.Diff(want, w.Monitor().(*watcher).events); diff != "" {
		t.Error(diff)
	}
}

func TestPowerLossKeepsWhatWasSynced(t *testing.T) {
	lengths := map[int]bool{}
	for seed := range uint64(200) {
		w := wired(choice.Seeded(seed), Network{}, nodes(func(n *scripted, in node.Input, _ *node.Effects) {
			p := n.disk.Create(toyPartition)
			p.Batches = append(p.Batches, &record.Batch{Base: p.End, Last: p.End})
			p.End++
			if p.End == 4 {
				p.Sync()
			}
		})...)
		for range 10 {
			w.Inject(0, ping(0))
		}
		finish(t, w)
		w.Crash(0, w.Keep(0, 50000))
		p := w.Disk(0).Find(toyPartition)
		if k := len(p.Batches); k < 4 || k > 10 || p.End != int64(k) {
			t.Fatalf("seed %d: %d batches are left, log end %d", seed, k, p.End)
		}
		lengths[len(p.Batches)] = true
		if d := w.Choices().Deviations(); (len(p.Batches) == 10) != (len(d) == 0) {
			t.Fatalf("seed %d: %d batches are left after the choices %v", seed, len(p.Batches), d)
		}
	}
	if len(lengths) != 7 {
		t.Errorf("lengths seen: %v, want each from 4 to 10", lengths)
	}
}

func TestAssertionEndsTheRun(t *testing.T) {
	fails := func(_ *scripted, in node.Input, out *node.Effects) {
		out.Emit(event.Appended, id.Partition{})
		out.Send(1, in.Body)
		assert.That(in.Timer.Kind != 0, "epochs rise")
	}
	w := wired(calm(), Network{}, nodes(fails, note)...)
	w.Inject(0, ping(1))
	w.Inject(1, ping(2))
	if _, ok := w.Failure(); ok || !w.Next() {
		t.Fatal("failed before the step")
	}
	text, ok := w.Failure()
	if !ok || text != "epochs rise" || w.Next() || len(w.Enabled(nil)) != 0 || w.NextUntil(id.Second) {
		t.Errorf("failure %q %v, or the run goes on", text, ok)
	}
	want := []event.Kind{event.Started, event.Started, event.Asserted}
	if diff := cmp.Diff(want, kinds(w)); diff != "" {
		t.Error(diff)
	}
}

func TestAssertionInABoot(t *testing.T) {
	boots := nodes(note, note)
	boots[0] = func(_ id.Node, d *disk.Disk, _ *node.Effects) node.Node {
		assert.That(d.Incarnation == 1, "the log is readable")
		return &scripted{do: note}
	}
	w := wired(calm(), Network{}, boots...)
	w.Crash(0, nil)
	w.Restart(0)
	if text, ok := w.Failure(); !ok || text != "the log is readable" || w.Next() {
		t.Errorf("failure %q, %v", text, ok)
	}
}

func TestOtherPanicsGoOn(t *testing.T) {
	mistake := errors.New("a mistake in the model")
	defer func() {
		if got := recover(); got != mistake {
			t.Errorf("recovered %v", got)
		}
	}()
	w := wired(calm(), Network{}, nodes(func(*scripted, node.Input, *node.Effects) { panic(mistake) })...)
	w.Inject(0, ping(1))
	w.Next()
	t.Error("the panic was swallowed")
}

// A message that was late and is lost with its receiver does not hold back those of the new connection.
func TestRestartHasNewConnections(t *testing.T) {
	list := []choice.Deviation{{Key: choice.Key{Label: choice.NetDelay, Subject: choice.Pair(0, 1)}, Value: steps}}
	w := wired(choice.Replay(list, nil), Network{MaxDelay: id.Second}, nodes(relay, note)...)
	w.Inject(0, ping(1))
	w.Next()
	w.Crash(1, nil)
	w.Restart(1)
	w.Inject(0, ping(2))
	finish(t, w)
	if diff := cmp.Diff([]arrival{{2, ms}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
}
