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
		w.Inject(n, &wire.PingBody{})
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
	table := []struct {
		name  string
		fault Fault
		on    Resolved
		want  map[[2]id.Node]id.Duration
	}{
		{"crash", Fault{Kind: Crash}, Resolved{Node: 0, Peer: id.None}, without},
		{"power loss", Fault{Kind: PowerLoss}, Resolved{Node: 0, Peer: id.None}, without},
		{"cut of a node", Fault{Kind: Cut}, Resolved{Node: 0, Peer: id.None}, without},
		{"cut of a link", Fault{Kind: Cut}, Resolved{Node: 0, Peer: 1}, oneWay},
		{"delay of a link", Fault{Kind: Delay, Amount: 7000}, Resolved{Node: 0, Peer: 1}, slow},
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

func TestEndLeavesOtherFaultsAlone(t *testing.T) {
	var seen []arrival
	w := world(&seen, nil, choice.Replay(nil, nil))
	crash, cut := Fault{Kind: Crash}, Fault{Kind: Cut}
	on := Resolved{Node: 0, Peer: id.None}
	for _, f := range []Fault{crash, cut} {
		if err := f.Apply(w, on); err != nil {
			t.Fatal(err)
		}
	}
	if err := crash.End(w, on); err != nil || !w.Alive(0) {
		t.Fatalf("the node is alive: %v, %v", w.Alive(0), err)
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
		if err := f.Apply(w, Resolved{Node: id.Node(n), Peer: id.None}); err != nil {
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
	f, on := Fault{Kind: Corrupt, Amount: 0, For: id.Second}, Resolved{Node: 1, Peer: id.None, Partition: partition}
	intact := func() bool { return w.Disk(1).Find(partition).Batches[0].Intact() }
	if err := f.Apply(w, on); err != nil || intact() {
		t.Fatalf("intact %v, %v", intact(), err)
	}
	if err := f.End(w, on); err != nil || !intact() {
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
		{"no such kind", Fault{Kind: 99}, Resolved{Node: 0, Peer: id.None}, "there is no kind of fault with number 99"},
		{"no such node", Fault{Kind: Crash, Target: Target{Node: "x"}}, Resolved{Node: 3, Peer: id.None},
			"fault crash x: the world has no such node"},
		{"no such peer", Fault{Kind: Cut, Target: Target{Node: "x", Peer: "y"}}, Resolved{Node: 0, Peer: 3},
			"fault cut x>y: the world has no such node"},
		{"crash of a link", Fault{Kind: Crash, Target: Target{Node: "x"}}, Resolved{Node: 0, Peer: 1},
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
