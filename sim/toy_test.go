package sim

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// toy is a node that uses everything a node may use: it gossips for ever, writes to its disk, keeps timers with jitter,
// yields at points, reports what it has, and remembers all of it in sum.
type toy struct {
	self  id.Node
	peers uint64
	disk  *disk.Disk
	count uint64
	sum   uint64
	held  []uint64 // what it sends when it is resumed
}

var toyPartition = id.Partition{Topic: 1}

const (
	tick   = 1 // for ever
	expire = 2 // one a peer, armed anew by every message of that peer
)

func bootToy(peers int) node.Boot {
	return func(self id.Node, d *disk.Disk, out *node.Effects) node.Node {
		n := &toy{self: self, peers: uint64(peers), disk: d, sum: uint64(d.Incarnation)}
		out.Arm(node.Timer{Kind: tick}, 5*id.Millisecond, 5*id.Millisecond)
		if d.Incarnation%2 == 0 {
			out.Yield = point.StateStored
		}
		n.report(out)
		return n
	}
}

func (n *toy) Step(in node.Input, out *node.Effects) {
	n.count++
	switch {
	case in.Resume:
		for _, x := range n.held {
			n.gossip(x, out)
		}
		n.held = nil
	case in.Timer.Kind == tick:
		out.Arm(in.Timer, 20*id.Millisecond, 8*id.Millisecond)
		n.gossip(3, out)
	case in.Timer.Kind == expire:
		n.sum += uint64(in.Timer.Peer)
		out.Send(n.self, &pingBody{Payload: n.sum}) // to itself
	default:
		n.receive(in.From, in.Body.(*pingBody), out)
	}
	n.report(out)
}

func (n *toy) receive(from id.Node, b *pingBody, out *node.Effects) {
	n.sum = event.Mix(n.sum, b.Payload+uint64(from))
	out.Arm(node.Timer{Kind: expire, Peer: from}, 30*id.Millisecond, 0)
	p := n.disk.Create(toyPartition)
	switch n.sum % 8 {
	case 0:
		p.Sync()
	case 1, 2, 3:
		p.Batches = append(p.Batches, &record.Batch{Base: p.End, Last: p.End, CRC: uint32(n.sum)})
		p.End++
	case 4:
		if k := len(p.Batches); k > p.BatchesSynced {
			p.Batches = p.Batches[: k-1 : k-1]
			p.End--
		}
	case 5:
		out.Cancel(node.Timer{Kind: expire, Peer: from})
	}
	if b.N == 0 {
		return
	}
	if n.sum%5 == 0 {
		n.held = append(n.held, b.N-1)
		out.Yield = point.PositionRecorded
		return
	}
	n.gossip(b.N-1, out)
}

func (n *toy) gossip(left uint64, out *node.Effects) {
	to := (uint64(n.self) + 1 + n.sum%(n.peers-1)) % n.peers
	out.Send(id.Node(to), &pingBody{N: left, Payload: n.sum})
}

func (n *toy) report(out *node.Effects) {
	e := out.Emit(event.HighWatermark, toyPartition)
	e.Digest, e.Offset = n.sum, n.disk.Create(toyPartition).End
}

func (n *toy) Clone(d *disk.Disk) node.Node {
	c := *n
	c.disk, c.held = d, slices.Clone(n.held)
	return &c
}

func (n *toy) AppendState(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, n.sum)
	for _, x := range n.held {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	return dst
}

func (n *toy) Waits(yield func(string) bool) {
	if len(n.held) > 0 {
		yield("to be resumed")
	}
}

// watcher is a monitor that keeps the history.
type watcher struct {
	events []event.Event
	digest uint64
}

func (m *watcher) Observe(e *event.Event) {
	m.events = append(m.events, *e)
	m.digest += e.Digest
}

func (m *watcher) Clone() Monitor { return &watcher{slices.Clone(m.events), m.digest} }

func (m *watcher) AppendState(dst []byte) []byte {
	return binary.LittleEndian.AppendUint64(dst, m.digest)
}

// rough is a network in which everything happens.
var rough = Network{Drop: 2000, Delay: 3000, Duplicate: 2000, Reorder: 3000, Jitter: 20000, MaxDelay: 30 * id.Millisecond}

// toys is a world of that many toys in two clusters.
func toys(n int, net Network, c choice.Chooser) *World {
	s := Spec{Monitor: &watcher{}, Choices: choice.NewSource(c), Net: net,
		LatencyInside: 500 * id.Microsecond, LatencyBetween: 20 * id.Millisecond}
	for i := range n {
		s.Boot = append(s.Boot, bootToy(n))
		s.Cluster = append(s.Cluster, id.Cluster(i%2))
	}
	return New(s)
}

// act is something that the runner does after that many steps.
type act struct {
	step int
	do   func(*World)
}

// plan is a deterministic list of what a runner does to a world of n toys in that many steps: everything that disturb knows.
func plan(seed uint64, n, steps int) []act { return planOf(seed, n, steps, 12) }

// planOf is a plan of the first kinds of disturbances. From unhindered on they hinder nodes or wait for messages.
func planOf(seed uint64, n, steps, kinds int) []act {
	r := rand.New(rand.NewPCG(seed, 77))
	var acts []act
	for i := range steps {
		if r.IntN(12) != 0 {
			continue
		}
		a, b, k := id.Node(r.IntN(n)), id.Node(r.IntN(n)), r.IntN(kinds)
		acts = append(acts, act{i, func(w *World) { disturb(w, a, b, k) }})
	}
	return acts
}

const unhindered = 7

func disturb(w *World, a, b id.Node, k int) {
	switch k {
	case 0:
		w.Crash(a, nil)
	case 1:
		w.Crash(a, w.Keep(a, 40000))
	case 2, 3:
		w.Restart(a)
		w.Restart(b)
	case 4:
		w.Link(a, b, false, 0)
	case 5:
		w.Link(a, b, true, id.Duration(b)*id.Millisecond)
	case 6:
		w.Inject(a, &pingBody{N: 5, Payload: uint64(b)})
		w.Arm(point.PositionRecorded, id.None, 2, func(w *World) {
			w.Crash(b, nil)
			w.Restart(b)
		})
	case 7:
		w.Pause(a, true)
	case 8:
		w.Pause(a, false)
		w.Pause(b, false)
	case 9:
		w.Slow(a, id.Duration(b)*10*id.Millisecond)
	case 10:
		w.SlowAnswers(a, id.Duration(b)*10*id.Millisecond)
	case 11:
		w.Catch(Catch{Links: [][2]id.Node{{a, b}}, API: wire.ReportCommandAPI, Nth: 1 + uint32(b), Effect: event.Catch(a % 3), By: id.Millisecond})
	}
}

// drive goes from step to step, and does what the plan says before each.
func drive(w *World, acts []act, from, to int) {
	for i := from; i < to; i++ {
		for len(acts) > 0 && acts[0].step <= i {
			if acts[0].step == i {
				acts[0].do(w)
			}
			acts = acts[1:]
		}
		w.Next()
	}
}
