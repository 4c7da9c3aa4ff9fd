package faults

import (
	"strconv"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
)

// Target is upon whom a fault falls, by name: a node with all of its links (Node), the link from one node to another
// (Node and Peer), or whoever has a role when the fault falls (Role). At an end of a link, and where a fault falls upon a
// cluster, Node and Peer may be a cluster. Of FenceProducer Node is the client, and Peer the cluster, empty for its home.
type Target struct {
	Node, Peer string
	Role       string // "leader TP", "coordinator MIRROR TP", or There
}

// There is the role of the node that has reached the point at which the fault falls.
const There = "there"

// Leader is the partition, as text, whose leader the target is.
func (t Target) Leader() (tp string, ok bool) {
	return strings.CutPrefix(t.Role, "leader ")
}

// Coordinator is the mirror and the partition, as text, whose coordinator the target is.
func (t Target) Coordinator() (mirror, tp string, ok bool) {
	rest, ok := strings.CutPrefix(t.Role, "coordinator ")
	mirror, tp, _ = strings.Cut(rest, " ")
	return mirror, tp, ok
}

// AppendText appends the target as it stands in a scenario file.
func (t Target) AppendText(dst []byte) []byte {
	if t.Role != "" {
		return append(dst, t.Role...)
	}
	dst = append(dst, t.Node...)
	if t.Peer != "" {
		dst = append(dst, ">"+t.Peer...)
	}
	return dst
}

// MostRepeated is how far back an old request may lie that RepeatRequest repeats: who runs a scenario remembers no more.
const MostRepeated = 16

// Fault is one fault.
type Fault struct {
	Kind   Kind
	Target Target
	TP     string      // of DiskError: the partition whose log it is; empty: of all
	For    id.Duration // after so long it is healed; 0: when a heal says so
	Amount int64       // of kinds that take one: by how much something is later, in microseconds, at least 1; of Corrupt: an offset of the batch; otherwise 0
	API    wire.API    // of kinds that wait for messages: of which
	Nth    uint32      // of the same: the how-manieth of them from now on, from 1; 0 with For: all until then. Of RepeatRequest: the how-manieth last, 1 to MostRepeated
	To     string      // of MoveController and MoveCoordinator: to whom; empty: to the next one
	Spare  bool        // of Crash and PowerLoss: it falls only if every partition keeps a good ISR member without the node
}

// AppendText appends the fault as it stands in a scenario file: kind, target, partition, by= or offset=, api=, nth=, to=, for,
// if-spared. The target of Corrupt is the partition alone, and that of MoveCoordinator the mirror and the partition.
func (f Fault) AppendText(dst []byte) []byte {
	dst = append(dst, f.Kind.String()+" "...)
	mirror, tp, entry := f.Target.Coordinator()
	led, leads := f.Target.Leader()
	switch falls := f.Kind.row().falls; {
	case falls == onEntry && entry:
		dst = append(dst, mirror+" "+tp...)
	case falls == onBatch && leads:
		dst = strconv.AppendInt(append(dst, led+" offset="...), f.Amount, 10)
	case falls == onTransactional && f.Target.Peer != "":
		dst = append(dst, f.Target.Node+" on "+f.Target.Peer...)
	default:
		dst = f.Target.AppendText(dst)
	}
	if f.TP != "" {
		dst = append(dst, " "+f.TP...)
	}
	if f.Kind.Takes() {
		dst = append(dst, " by="+id.Duration(f.Amount).String()...)
	}
	if f.Kind.OfMessages() {
		dst = append(dst, " api="+f.API.String()...)
	}
	if f.Nth > 1 {
		dst = strconv.AppendUint(append(dst, " nth="...), uint64(f.Nth), 10)
	}
	if f.To != "" {
		dst = append(dst, " to="+f.To...)
	}
	if f.For != 0 {
		dst = append(dst, " for "+f.For.String()...)
	}
	if f.Spare {
		dst = append(dst, " if-spared"...)
	}
	return dst
}

// When says when a fault falls: at a time since the start of the run, or at a point of the protocol.
type When struct {
	At    id.Duration // since the start of the run; with a Point, from when on it counts. Not part of the text
	Point point.Point
	Nth   uint32 // falls when Point is reached for the Nth time from now on, counted from 1
	On    Target // by that node, or by whoever has that role then; the zero value: by any node
}

// Planned is a fault and when it falls.
type Planned struct {
	When  When
	Fault Fault
}

// AppendText appends the fault and its point. A time is not part of it: it stands before the act of a scenario file.
func (p Planned) AppendText(dst []byte) []byte {
	dst = p.Fault.AppendText(dst)
	if p.When.Point == point.None {
		return dst
	}
	dst = append(dst, " at-point "+p.When.Point.String()...)
	if p.When.Nth != 1 {
		dst = append(dst, " nth="...)
		dst = strconv.AppendUint(dst, uint64(p.When.Nth), 10)
	}
	if p.When.On != (Target{}) {
		dst = p.When.On.AppendText(append(dst, " on="...))
	}
	return dst
}
