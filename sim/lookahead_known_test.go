package sim

import (
	"fmt"
	"strings"
	"testing"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// forgetful is a toy that arms a timer later with each input, and its fingerprint says nothing of that.
type forgetful struct {
	quiet
	handled int
}

func (f *forgetful) Step(in node.Input, out *node.Effects) {
	if f.quiet.Step(in, out); f.handled > 0 {
		out.Arm(node.Timer{Kind: expire, Peer: 1}, id.Duration(f.handled)*ms, 0)
	}
	f.handled++
}

func (f *forgetful) Clone(d *disk.Disk) node.Node {
	return &forgetful{f.quiet.Clone(d).(quiet), f.handled}
}

// again is a toy that sends a batch once more with each input, and its fingerprint says nothing of how often.
type again struct {
	quiet
	attempts int32
}

func (a *again) Step(in node.Input, out *node.Effects) {
	a.quiet.Step(in, out)
	out.Emit(event.ProduceSent, id.Partition{}).Sequence = a.attempts
	a.attempts++
}

func (a *again) Clone(d *disk.Disk) node.Node { return &again{a.quiet.Clone(d).(quiet), a.attempts} }

// doubted is what a lookahead says that has found something out again of such nodes and been surprised, or "<nil>".
func doubted(of func(quiet) node.Node) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	l := NewLookahead()
	for seed := range uint64(50) {
		w := whispering(6, 0, choice.Seeded(seed))
		for n := range w.nodes {
			w.own(id.Node(n)).node = of(w.nodes[n].node.(quiet))
		}
		for range 150 {
			if all := w.Enabled(nil); l.At(w, all) {
				for i := range all {
					l.Late(i)
				}
			}
			w.Next()
		}
	}
	return said
}

// What is known of a node is found out again from time to time: a fingerprint that says too little does not go unnoticed, but how
// often a batch was sent before is nobody's business.
func TestDoubts(t *testing.T) {
	if said := doubted(func(q quiet) node.Node { return &forgetful{quiet: q} }); !strings.Contains(said, "does not do what another one did that had its fingerprint") {
		t.Errorf("of nodes whose fingerprint says too little: %s", said)
	}
	if said := doubted(func(q quiet) node.Node { return &again{quiet: q} }); said != "<nil>" {
		t.Errorf("of nodes that count their attempts: %s", said)
	}
}

// reply is an answer to the request with that number.
type reply struct{ request int }

func (*reply) API() wire.API               { return wire.Fetch + 1 }
func (*reply) Words(dst []uint64) []uint64 { return dst }

// asker waits for the answer to one request, and says so to node 1 when it comes.
type asker struct{ waits int }

func (a *asker) Step(in node.Input, out *node.Effects) {
	if r, ok := in.Body.(*reply); ok && r.request == a.waits {
		out.Send(1, ping(1))
	}
}
func (a *asker) Clone(*disk.Disk) node.Node  { return &asker{a.waits} }
func (*asker) AppendState(dst []byte) []byte { return dst }
func (*asker) Waits(yield func(string) bool) {}

// An answer may be too late, and in no fingerprint: what one node did with it is not taken for what another one does.
func TestAnswersTooLate(t *testing.T) {
	l := NewLookahead()
	for i, row := range []struct{ waits, answered int }{{7, 7}, {7, 6}, {6, 7}, {6, 6}} {
		boot := func(id.Node, *disk.Disk, *node.Effects) node.Node { return &asker{row.waits} }
		w := New(Spec{Boot: append([]node.Boot{boot}, nodes(note)...), Cluster: make([]id.Cluster, 2), Quantum: ms})
		w.send(1, 0, &reply{row.answered})
		for range 2 { // the second time it is known
			if !l.At(w, w.Enabled(nil)) {
				t.Fatal("nothing can be said")
			}
			if got := l.CalmSends().Has(1); got != (row.waits == row.answered) {
				t.Errorf("%d: a node that waits for the answer to %d was answered %d: it sends something: %v", i, row.waits, row.answered, got)
			}
		}
	}
}
