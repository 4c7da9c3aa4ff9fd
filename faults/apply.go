package faults

import (
	"fmt"

	"mirrorsim/model/id"
	"mirrorsim/sim"
)

// Resolved is a target as nodes of the world. Peer is id.None when the target is a node and not a link: a fault of links
// then falls on every link from and to Node. Partition is the one whose leader the target is.
type Resolved struct {
	Node, Peer id.Node
	Partition  id.Partition
}

// lossOdds is the chance, of 65536, that a drawn power loss takes unsynced entries of a file.
const lossOdds = 1 << 15

// Apply has the fault fall upon r. It returns at once; who applies a fault with For ends it with End. An error says that
// the fault does not fit its target; then nothing has happened. A crash of a node that is down changes nothing, nor does
// healing what is well. Of several faults on one link the last one counts.
func (f Fault) Apply(w *sim.World, r Resolved) error {
	if err := f.fits(w, r); err != nil {
		return err
	}
	switch f.Kind {
	case Crash:
		w.Crash(r.Node, nil)
	case PowerLoss:
		w.Crash(r.Node, w.Keep(r.Node, lossOdds))
	case Cut:
		r.links(w, false, 0)
	case Delay:
		r.links(w, true, id.Duration(f.Amount))
	case Heal:
		r.links(w, true, 0)
		if r.Peer == id.None {
			w.Restart(r.Node)
		}
	case Corrupt:
		w.Corrupt(r.Node, r.Partition, f.Amount)
	}
	return nil
}

// End puts right what Apply of f upon r did: it starts the node, heals the links, or turns the bit back. An error is as Apply's.
func (f Fault) End(w *sim.World, r Resolved) error {
	if err := f.fits(w, r); err != nil {
		return err
	}
	switch f.Kind {
	case Crash, PowerLoss:
		w.Restart(r.Node)
	case Cut, Delay:
		r.links(w, true, 0)
	case Corrupt:
		w.Mend(r.Node, r.Partition, f.Amount)
	}
	return nil
}

func (f Fault) fits(w *sim.World, r Resolved) error {
	last := id.Node(w.Nodes() - 1)
	switch {
	case f.Kind >= kinds:
		return fmt.Errorf("there is no kind of fault with number %d", f.Kind)
	case r.Node > last || r.Peer > last && r.Peer != id.None:
		return fmt.Errorf("fault %s: the world has no such node", f.AppendText(nil))
	case r.Node == r.Peer || r.Peer != id.None && (f.Kind == Crash || f.Kind == PowerLoss):
		return fmt.Errorf("fault %s does not fit a link from node %d to node %d", f.AppendText(nil), r.Node, r.Peer)
	}
	return nil
}

// links sets the one link of r, or every link from and to its node.
func (r Resolved) links(w *sim.World, up bool, delay id.Duration) {
	if r.Peer != id.None {
		w.Link(r.Node, r.Peer, up, delay)
		return
	}
	for n := range id.Node(w.Nodes()) {
		if n != r.Node {
			w.Link(r.Node, n, up, delay)
			w.Link(n, r.Node, up, delay)
		}
	}
}
