package faults

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// echo sends each command on to all others and keeps the arrival times of what it gets in seen.
type echo struct {
	self id.Node
	seen *[]arrival
	now  func() id.Duration
}

type arrival struct {
	From, To id.Node
	At       id.Duration
}

const nodes = 3

func (n *echo) Step(in node.Input, out *node.Effects) {
	switch {
	case in.Body == nil:
	case in.From != id.None:
		*n.seen = append(*n.seen, arrival{in.From, n.self, n.now()})
	default:
		for to := range id.Node(nodes) {
			if to != n.self {
				out.Send(to, in.Body)
			}
		}
	}
}

func (n *echo) Clone(*disk.Disk) node.Node         { c := *n; return &c }
func (n *echo) AppendState(dst []byte) []byte      { return dst }
func (n *echo) Waits(yield func(what string) bool) {}

// causes keeps the causes of crashes.
type causes struct{ list []uint8 }

func (c *causes) Observe(e *event.Event) {
	if e.Kind == event.Crashed {
		c.list = append(c.list, e.Cause)
	}
}
func (c *causes) Clone() sim.Monitor            { return &causes{append([]uint8(nil), c.list...)} }
func (c *causes) AppendState(dst []byte) []byte { return append(dst, c.list...) }

var partition = id.Partition{Topic: 1}

func on(n, peer id.Node) Resolved { return Resolved{Node: n, Peer: peer} }

// world is three nodes that are one millisecond apart, each with one unsynced batch on its disk.
func world(seen *[]arrival, m sim.Monitor, c choice.Chooser) *sim.World {
	var w *sim.World
	boot := func(self id.Node, d *disk.Disk, out *node.Effects) node.Node {
		if d.Incarnation == 1 {
			p := d.Create(partition)
			p.Batches = append(p.Batches, record.NewReset().At(0, 0))
			p.End = 1
		}
		return &echo{self, seen, func() id.Duration { return w.Now() }}
	}
	w = sim.New(sim.Spec{Boot: []node.Boot{boot, boot, boot}, Cluster: make([]id.Cluster, nodes), Monitor: m,
		Choices: choice.NewSource(c), LatencyInside: id.Millisecond})
	return w
}

// ask has every live node send to all others, and answers which messages arrived and how late.
func ask(w *sim.World, seen *[]arrival) map[[2]id.Node]id.Duration {
	*seen = nil
	began := w.Now()
	for n := range id.Node(nodes) {
		w.Inject(n, &wire.ReportCommand{})
	}
	for w.Next() {
	}
	late := map[[2]id.Node]id.Duration{}
	for _, a := range *seen {
		late[[2]id.Node{a.From, a.To}] = a.At - began
	}
	return late
}

func pairs(late id.Duration, list ...[2]id.Node) map[[2]id.Node]id.Duration {
	m := map[[2]id.Node]id.Duration{}
	for _, p := range list {
		m[p] = late
	}
	return m
}

func TestApplyAndEnd(t *testing.T) {
	const ms = id.Millisecond
	all := pairs(ms, [2]id.Node{0, 1}, [2]id.Node{0, 2}, [2]id.Node{1, 0}, [2]id.Node{1, 2}, [2]id.Node{2, 0}, [2]id.Node{2, 1})
	without := pairs(ms, [2]id.Node{1, 2}, [2]id.Node{2, 1})
	oneWay := pairs(ms, [2]id.Node{0, 2}, [2]id.Node{1, 0}, [2]id.Node{1, 2}, [2]id.Node{2, 0}, [2]id.Node{2, 1})
	slow := pairs(ms, [2]id.Node{0, 2}, [2]id.Node{1, 0}, [2]id.Node{1, 2}, [2]id.Node{2, 0}, [2]id.Node{2, 1})
	slow[[2]id.Node{0, 1}] = 8 * ms
	slowNode := pairs(8*ms, [2]id.Node{0, 1}, [2]id.Node{0, 2}, [2]id.Node{1, 0}, [2]id.Node{2, 0})
	slowNode[[2]id.Node{1, 2}], slowNode[[2]id.Node{2, 1}] = ms, ms
	table := []struct {
		name  string
		fault Fault
		on    Resolved
		want  map[[2]id.Node]id.Duration
	}{
		{"crash", Fault{Kind: Crash}, on(0, id.None), without},
		{"power loss", Fault{Kind: PowerLoss}, on(0, id.None), without},
		{"cut of a node", Fault{Kind: Cut}, on(0, id.None), without},
		{"cut of a link", Fault{Kind: Cut}, on(0, 1), oneWay},
		{"delay of a link", Fault{Kind: Delay, Amount: 7000}, on(0, 1), slow},
		{"isolation", Fault{Kind: Isolate}, on(0, 1), oneWay},
		{"slow node", Fault{Kind: Slow, Amount: 7000}, on(0, id.None), slowNode},
		{"slow disk", Fault{Kind: DiskSlow, Amount: 7000}, on(0, id.None), all}, // it answers nothing
		{"pause", Fault{Kind: Pause}, on(0, id.None), without},
	}
	for _, c := range table {
		for _, end := range []string{"End", "Heal"} {
			t.Run(c.name+" and "+end, func(t *testing.T) {
				var seen []arrival
				w := world(&seen, nil, choice.Replay(nil, nil))
				if d := cmp.Diff(all, ask(w, &seen)); d != "" {
					t.Fatalf("before (-want +got):\n%s", d)
				}
				if err := c.fault.Apply(w, c.on); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, ask(w, &seen)); d != "" {
					t.Errorf("under the fault (-want +got):\n%s", d)
				}
				err := c.fault.End(w, c.on)
				ask(w, &seen) // what waited meanwhile is handled
				if end == "Heal" {
					err = errors.Join(err, c.fault.Apply(w, c.on), Fault{Kind: Heal}.Apply(w, c.on))
				}
				if d := cmp.Diff(all, ask(w, &seen)); d != "" || err != nil {
					t.Errorf("afterwards, %v (-want +got):\n%s", err, d)
				}
			})
		}
	}
}

// What a fault that waits for messages waits for, and what of the history says that it fell.
func TestFaultsOfMessages(t *testing.T) {
	const ms = id.Millisecond
	link, node := []Resolved{on(0, 1)}, []Resolved{on(0, id.None)}
	for _, c := range []struct {
		name  string
		fault Fault
		on    []Resolved
		want  int // of six messages, those that arrive in time
		last  id.Duration
	}{
		{"drop of a link", Fault{Kind: Drop, API: wire.ReportCommandAPI, Nth: 1}, link, 5, ms},
		{"drop of the fourth of a node", Fault{Kind: Drop, API: wire.ReportCommandAPI, Nth: 4}, node, 5, ms},
		{"drop of the fifth of a node", Fault{Kind: Drop, API: wire.ReportCommandAPI, Nth: 5}, node, 6, ms},
		{"drop of all of a node", Fault{Kind: Drop, API: wire.ReportCommandAPI}, node, 2, ms},
		{"drop of others", Fault{Kind: Drop, API: wire.Fetch}, node, 6, ms},
		{"late", Fault{Kind: Late, API: wire.ReportCommandAPI, Nth: 1, Amount: 7000}, link, 6, 8 * ms},
		{"twice", Fault{Kind: Twice, API: wire.ReportCommandAPI, Nth: 1, Amount: 7000}, link, 7, 8 * ms},
		{"stale", Fault{Kind: Stale}, node, 6, ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen []arrival
			w := world(&seen, nil, choice.Replay(nil, nil))
			if err := c.fault.Apply(w, c.on...); err != nil {
				t.Fatal(err)
			}
			began := w.Now()
			ask(w, &seen)
			if last := seen[len(seen)-1].At - began; len(seen) != c.want || last != c.last {
				t.Errorf("%d arrived, the last after %v", len(seen), last)
			}
			if err := c.fault.End(w, c.on...); err != nil {
				t.Fatal(err)
			}
			if ask(w, &seen); len(seen) != 6 {
				t.Errorf("afterwards %d arrived", len(seen))
			}
		})
	}
}

// A full disk and a broken one are the disk's own state; a broker whose logs were broken starts again.
func TestFaultsOfDisks(t *testing.T) {
	var seen []arrival
	w := world(&seen, nil, choice.Replay(nil, nil))
	full, all, one := Fault{Kind: DiskFull}, Fault{Kind: DiskError}, Fault{Kind: DiskError, TP: "B/t-0"}
	other := id.Partition{Topic: 2}
	state := func() [3]bool {
		d := w.Disk(0)
		return [3]bool{d.Full, d.Breaks(partition), d.Breaks(other)}
	}
	for _, c := range []struct {
		fault       Fault
		on          Resolved
		want        [3]bool
		incarnation uint32
	}{
		{full, on(0, id.None), [3]bool{true, false, false}, 1},
		{all, on(0, id.None), [3]bool{false, true, true}, 2},
		{one, Resolved{0, id.None, partition}, [3]bool{false, true, false}, 3},
	} {
		before := w.Fingerprint()
		if err := c.fault.Apply(w, c.on); err != nil || state() != c.want {
			t.Errorf("%s: full and broken are %v, %v", c.fault.AppendText(nil), state(), err)
		}
		if w.Fingerprint() == before {
			t.Errorf("%s does not show in the fingerprint", c.fault.AppendText(nil))
		}
		if err := c.fault.End(w, c.on); err != nil || state() != [3]bool{} || w.Disk(0).Incarnation != c.incarnation {
			t.Errorf("behind %s: full and broken are %v, incarnation %d, %v", c.fault.AppendText(nil), state(), w.Disk(0).Incarnation, err)
		}
	}
}

func TestStaleWaitsForTheLogsAnswers(t *testing.T) {
	w := world(nil, nil, choice.Replay(nil, nil))
	c := Fault{Kind: Stale}.catch(w, []Resolved{on(1, id.None)})
	want := sim.Catch{Links: [][2]id.Node{{0, 1}, {2, 1}}, API: wire.MetadataFetch + 1}
	if d := cmp.Diff(want, c); d != "" {
		t.Error(d)
	}
}

func TestEndLeavesOtherFaultsAlone(t *testing.T) {
	var seen []arrival
	w := world(&seen, nil, choice.Replay(nil, nil))
	crash, cut := Fault{Kind: Crash}, Fault{Kind: Cut}
	upon := on(0, id.None)
	for _, f := range []Fault{crash, cut} {
		if err := f.Apply(w, upon); err != nil {
			t.Fatal(err)
		}
	}
	if err := crash.End(w, upon); err != nil || w.Node(0) == nil {
		t.Fatalf("the node is alive: %v, %v", w.Node(0) != nil, err)
	}
	if got := ask(w, &seen); len(got) != 2 {
		t.Errorf("the end of the crash healed the cut: %v", got)
	}
}

func TestCrashKeepsTheDiskAndPowerLossAsks(t *testing.T) {
	var seen []arrival
	m := &causes{}
	lose := choice.Deviation{Key: choice.Key{Label: choice.PowerLossKeep, Subject: choice.Pair(1, uint8(disk.LogFile))}, Value: 1}
	w := world(&seen, m, choice.Replay([]choice.Deviation{lose}, nil))
	for n, f := range []Fault{{Kind: Crash}, {Kind: PowerLoss}, {Kind: PowerLoss}} {
		if err := f.Apply(w, on(id.Node(n), id.None)); err != nil {
			t.Fatal(err)
		}
	}
	var kept []int
	for n := range id.Node(nodes) {
		kept = append(kept, len(w.Disk(n).Find(partition).Batches))
	}
	if d := cmp.Diff([]int{1, 0, 1}, kept); d != "" {
		t.Errorf("batches on the disks (-want +got):\n%s", d)
	}
	want := []uint8{uint8(event.ProcessCrash), uint8(event.PowerLoss), uint8(event.PowerLoss)}
	if d := cmp.Diff(want, m.list); d != "" {
		t.Errorf("causes of crashes (-want +got):\n%s", d)
	}
}

func TestCorruptTurnsABitAndEndTurnsItBack(t *testing.T) {
	var seen []arrival
	w := world(&seen, nil, choice.Replay(nil, nil))
	f, leader := Fault{Kind: Corrupt, Amount: 0, For: id.Second}, Resolved{Node: 1, Peer: id.None, Partition: partition}
	intact := func() bool { return w.Disk(1).Find(partition).Batches[0].Intact() }
	if err := f.Apply(w, leader); err != nil || intact() {
		t.Fatalf("intact %v, %v", intact(), err)
	}
	if err := f.End(w, leader); err != nil || !intact() {
		t.Errorf("after the end intact %v, %v", intact(), err)
	}
}

func TestApplyRefuses(t *testing.T) {
	table := []struct {
		name  string
		fault Fault
		on    Resolved
		want  string
	}{
		{"no such kind", Fault{Kind: 99}, on(0, id.None), "there is no kind of fault with number 99"},
		{"no such node", Fault{Kind: Crash, Target: Target{Node: "x"}}, on(3, id.None),
			"fault crash x: the world has no such node"},
		{"no such peer", Fault{Kind: Cut, Target: Target{Node: "x", Peer: "y"}}, on(0, 3),
			"fault cut x>y: the world has no such node"},
		{"crash of a link", Fault{Kind: Crash, Target: Target{Node: "x"}}, on(0, 1),
			"fault crash x does not fit a link from node 0 to node 1"},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			var seen []arrival
			w := world(&seen, nil, choice.Replay(nil, nil))
			before := w.Fingerprint()
			for what, err := range map[string]error{"Apply": c.fault.Apply(w, c.on), "End": c.fault.End(w, c.on)} {
				if err == nil || err.Error() != c.want {
					t.Errorf("%s gives %v, want %s", what, err, c.want)
				}
			}
			if w.Fingerprint() != before {
				t.Error("a refused fault changed the world")
			}
		})
	}
}
