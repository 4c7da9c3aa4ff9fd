package choice

import (
	"fmt"
	"strings"
)

// Label is which question is asked. What the subject of a question is depends on its label.
type Label uint8

// The labels. New ones go to the end: the numbers stand in fuzz inputs.
const (
	NetDrop       Label = iota // is this message lost? Subject: link
	NetDelay                   // by how many steps is this message, and its link with it, late? Subject: link
	NetDuplicate               // by how many steps does a second copy come after it, 0 being no copy? Subject: link
	NetReorder                 // by how many steps is it late while later ones overtake it? Subject: link
	TimerJitter                // by how many steps of its jitter does a timer fire late? Subject: node and timer kind
	PowerLossKeep              // how many unsynced entries of a file does a power loss take? Subject: node and file
	PointFault                 // does a fault fall at this point? Subject: node and point
	Plan                       // what does the adversary plan? Subject: which part of the plan
	Workload                   // what do the clients do? Subject: which part of the workload
	Order                      // which of the enabled things happens in this turn, in calm order? Subject: 0
	NodeFault                  // what befalls this node right before this turn? Subject: node
	Labels        int   = iota
)

var labelNames = [Labels]string{"net-drop", "net-delay", "net-duplicate", "net-reorder", "timer-jitter",
	"power-loss-keep", "point-fault", "plan", "workload", "order", "node-fault"}

// labelDocs say what is asked, and about what.
var labelDocs = [Labels]struct{ asks, subject string }{
	NetDrop:       {"is this message lost?", "link"},
	NetDelay:      {"by how many steps is this message late, and its link with it?", "link"},
	NetDuplicate:  {"by how many steps does a second copy of this message come after it? 0: there is none", "link"},
	NetReorder:    {"by how many steps is this message late, while later ones overtake it?", "link"},
	TimerJitter:   {"by how many steps of its jitter does this timer fire late?", "node and timer kind"},
	PowerLossKeep: {"how many unsynced entries of this file does a power loss take?", "node and file"},
	PointFault: {"does this node crash at this point in this turn, counted from 1? 1: it does, 2: and is started at once. With " +
		"timer-quantum only; elsewhere a fault at a point is planned", "node and point"},
	Plan:     {"what does the adversary plan? Asked before a run, while a scenario is generated", "which part of the plan"},
	Workload: {"what do the clients do? Asked before a run, while a scenario is generated", "which part of the workload"},
	Order: {"which of the things that could happen does in this turn, in calm order? With timer-quantum only: each thing that " +
		"happens is a turn", "0"},
	NodeFault: {"what befalls this node right before this turn? 1: it is started, 2: it crashes, 3: both, the crash first. With " +
		"timer-quantum only", "node"},
}

// Doc says which question is asked, and what its subject is. A link and the two halves of a node and something of it are one
// number, see Pair.
func (l Label) Doc() (asks, subject string) {
	if int(l) < Labels {
		return labelDocs[l].asks, labelDocs[l].subject
	}
	return "", ""
}

// String is the label's name in scenario files and reports, such as "net-drop".
func (l Label) String() string {
	if int(l) < Labels {
		return labelNames[l]
	}
	return "?"
}

// Parse is the label of that name. The error lists the names.
func Parse(s string) (Label, error) {
	for i, n := range labelNames {
		if n == s {
			return Label(i), nil
		}
	}
	return 0, fmt.Errorf("no choice is called %q; there are %s", s, strings.Join(labelNames[:], ", "))
}

// Pair is the subject of a question about two small things: a link's two ends, a node and one of its files.
func Pair(a, b uint8) uint32 { return uint32(a)<<8 | uint32(b) }

// Unpair is the two halves of a subject that Pair made.
func Unpair(subject uint32) (a, b uint8) { return uint8(subject >> 8), uint8(subject) }
