package sim

import (
	"testing"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// scripted is a node that does what a test says. It has no state but the script's own, and cannot be cloned.
type scripted struct {
	self id.Node
	disk *disk.Disk
	do   func(n *scripted, in node.Input, out *node.Effects)
}

func (n *scripted) Step(in node.Input, out *node.Effects) { n.do(n, in, out) }
func (n *scripted) Clone(*disk.Disk) node.Node            { panic("a scripted node has no clone") }
func (n *scripted) AppendState(dst []byte) []byte         { return dst }
func (n *scripted) Waits(func(string) bool)               {}

// nodes are the boots of scripted nodes, which do nothing at the boot.
func nodes(scripts ...func(*scripted, node.Input, *node.Effects)) []node.Boot {
	var boots []node.Boot
	for _, do := range scripts {
		boots = append(boots, func(self id.Node, d *disk.Disk, _ *node.Effects) node.Node {
			return &scripted{self, d, do}
		})
	}
	return boots
}

// pingBody is the message of the tests' nodes.
type pingBody struct{ N, Payload uint64 }

func (*pingBody) API() wire.API                 { return wire.ReportCommandAPI }
func (b *pingBody) Words(dst []uint64) []uint64 { return append(dst, b.N, b.Payload) }

// ping is the body that carries n.
func ping(n int) *pingBody { return &pingBody{N: uint64(n)} }

// relay sends on to node 1 what the runner tells it.
func relay(_ *scripted, in node.Input, out *node.Effects) { out.Send(1, in.Body) }

// note reports the number in every message that arrives.
func note(_ *scripted, in node.Input, out *node.Effects) {
	if b, ok := in.Body.(*pingBody); ok {
		out.Emit(event.Appended, id.Partition{}).Offset = int64(b.N)
	}
}

// wired is a world of one cluster of scripted nodes, its latency 1 ms.
func wired(c choice.Chooser, net Network, boots ...node.Boot) *World {
	return New(Spec{Boot: boots, Cluster: make([]id.Cluster, len(boots)), Monitor: &watcher{},
		Choices: choice.NewSource(c), Net: net, LatencyInside: id.Millisecond, LatencyBetween: id.Second})
}

// calm answers every choice with 0.
func calm() choice.Chooser { return choice.Replay(nil, nil) }

// arrival is a number that arrived, and when.
type arrival struct {
	N  int64
	At id.Duration
}

func arrivals(w *World) []arrival {
	var list []arrival
	for _, e := range w.Monitor().(*watcher).events {
		if e.Kind == event.Appended {
			list = append(list, arrival{e.Offset, e.At})
		}
	}
	return list
}

func kinds(w *World) []event.Kind {
	var list []event.Kind
	for _, e := range w.Monitor().(*watcher).events {
		list = append(list, e.Kind)
	}
	return list
}

// finish lets the world go on until nothing is left, for at most a thousand steps.
func finish(t *testing.T, w *World) {
	t.Helper()
	for range 1000 {
		if !w.Next() {
			return
		}
	}
	t.Fatal("the world does not come to an end")
}
