package faults

import (
	"strconv"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
)

// Kind is what goes wrong, or is put right.
type Kind uint8

// The kinds of faults.
const (
	Crash     Kind = iota // the process of a node ends; its disk keeps all that was written
	PowerLoss             // the machine of a node goes down; its disk keeps what a choice says, at least what was synced
	Cut                   // messages on a link are lost
	Delay                 // messages on a link take Amount longer
	Heal                  // a node starts again, a link works again without delay
	Corrupt               // a bit of a batch turns round on the disk of the partition's leader, under the batch's CRC
	kinds
)

var kindNames = [kinds]string{"crash", "power-loss", "cut", "delay", "heal", "corrupt"}

// String is the word in scenario files.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "?"
}

// Kinds are the words in scenario files.
func Kinds() []string { return kindNames[:] }

// ParseKind is the kind of that word.
func ParseKind(s string) (Kind, bool) {
	for i, n := range kindNames {
		if n == s {
			return Kind(i), true
		}
	}
	return 0, false
}

// Target is upon whom a fault falls, by name: a node with all of its links (Node), the link from one node to another
// (Node and Peer), or whoever has a role when the fault falls (Role).
type Target struct {
	Node, Peer string
	Role       string // "leader TP" or "coordinator MIRROR TP"
}

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

// Fault is one fault.
type Fault struct {
	Kind   Kind
	Target Target
	For    id.Duration // after so long it is healed; 0: when a heal says so
	Amount int64       // of Delay: the extra latency in microseconds, at least 1; of Corrupt: an offset of the batch; otherwise 0
	Spare  bool        // of Crash and PowerLoss: it falls only if every partition keeps a good ISR member without the node
}

// AppendText appends the fault as it stands in a scenario file: kind, target, by= or offset=, for, if-spared. The target of
// Corrupt is the partition alone.
func (f Fault) AppendText(dst []byte) []byte {
	dst = append(dst, f.Kind.String()+" "...)
	if tp, ok := f.Target.Leader(); ok && f.Kind == Corrupt {
		dst = strconv.AppendInt(append(dst, tp+" offset="...), f.Amount, 10)
	} else if dst = f.Target.AppendText(dst); f.Amount != 0 {
		dst = append(dst, " by="+id.Duration(f.Amount).String()...)
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
	Nth   uint32 // falls when any node reaches Point for the Nth time from now on, counted from 1
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
	return dst
}
