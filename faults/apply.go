package faults

import (
	"fmt"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
	"mirrorsim/sim"
)

// Resolved is a target as nodes of the world. Peer is id.None when the target is a node and not a link: a fault of links
// then falls on every link from and to Node. Of MoveController Node is the metadata log, and Peer the controller, id.None
// for the next one. Partition is of DiskError the one whose log it is, the zero one for all, and of Corrupt the one whose
// leader the target is.
type Resolved struct {
	Node, Peer id.Node
	Partition  id.Partition
}

// lossOdds is the chance, of 65536, that a drawn power loss takes unsynced entries of a file.
const lossOdds = 1 << 15

// Apply has the fault fall upon all that at names. It returns at once; who applies a fault with For ends it with End. An
// error says that the fault does not fit its target; then nothing has happened. A crash of a node that is down changes
// nothing, nor does healing what is well. A link is cut as long as a cut of it lasts; of several other faults of one kind
// on one link or node the last one counts.
// What is a request of a cluster's admin (Kind.OfAdmin) is not the world's to do.
func (f Fault) Apply(w *sim.World, at ...Resolved) error {
	for _, r := range at {
		if err := f.fits(w, r); err != nil {
			return err
		}
	}
	if f.catches() {
		w.Catch(f.catch(w, at))
		return nil
	}
	for _, r := range at {
		f.fall(w, r)
	}
	return nil
}

func (f Fault) fall(w *sim.World, r Resolved) {
	switch f.Kind {
	case Crash:
		w.Crash(r.Node, nil)
	case PowerLoss:
		w.Crash(r.Node, w.Keep(r.Node, lossOdds))
	case Cut, Isolate:
		r.links(w, func(from, to id.Node) { w.Cut(from, to, true) })
	case Delay:
		r.links(w, func(from, to id.Node) { w.Delay(from, to, id.Duration(f.Amount)) })
	case Heal:
		r.links(w, func(from, to id.Node) { w.Link(from, to, true, 0) })
		if r.Peer == id.None {
			Mend(w, r.Node)
			w.Restart(r.Node)
		}
	case Pause:
		w.Pause(r.Node, true)
	case Slow:
		w.Slow(r.Node, id.Duration(f.Amount))
	case DiskSlow:
		w.SlowAnswers(r.Node, id.Duration(f.Amount))
	case DiskFull:
		w.FillDisk(r.Node, true)
	case DiskError:
		w.BreakDisk(r.Node, r.Partition)
	case MoveController:
		w.Inject(r.Node, &wire.MoveControllerCommand{To: r.Peer})
	case Corrupt:
		w.Corrupt(r.Node, r.Partition, f.Amount)
	}
}

// End puts right what Apply of f upon the same did, and nothing else. An error is as Apply's.
func (f Fault) End(w *sim.World, at ...Resolved) error {
	for _, r := range at {
		if err := f.fits(w, r); err != nil {
			return err
		}
	}
	if f.catches() {
		w.Release(f.catch(w, at))
		return nil
	}
	for _, r := range at {
		f.end(w, r)
	}
	return nil
}

func (f Fault) end(w *sim.World, r Resolved) {
	switch f.Kind {
	case Crash, PowerLoss:
		w.Restart(r.Node)
	case Cut, Isolate:
		r.links(w, func(from, to id.Node) { w.Cut(from, to, false) })
	case Delay:
		r.links(w, func(from, to id.Node) { w.Delay(from, to, 0) })
	case Pause:
		w.Pause(r.Node, false)
	case Slow:
		w.Slow(r.Node, 0)
	case DiskSlow:
		w.SlowAnswers(r.Node, 0)
	case DiskFull:
		w.FillDisk(r.Node, false)
	case DiskError:
		w.MendDisk(r.Node)
	case Corrupt:
		w.Mend(r.Node, r.Partition, f.Amount)
	}
}

// Mend ends all that hinders a node. One whose logs were broken starts again.
func Mend(w *sim.World, n id.Node) {
	w.Pause(n, false)
	w.Slow(n, 0)
	w.SlowAnswers(n, 0)
	w.MendDisk(n)
}

// catches tells whether the fault waits for messages.
func (f Fault) catches() bool { return f.Kind == Stale || f.Kind.OfMessages() }

// catch is what a fault of messages waits for. A node without a peer stands for all of its links; what is stale gets no
// answer to what it asks the metadata log.
func (f Fault) catch(w *sim.World, at []Resolved) sim.Catch {
	c := sim.Catch{API: f.API, Nth: f.Nth, By: id.Duration(f.Amount)}
	switch f.Kind {
	case Stale:
		c.API = wire.MetadataFetch + 1
	case Late:
		c.Effect = event.Late
	case Twice:
		c.Effect = event.Twice
	}
	for _, r := range at {
		if r.Peer != id.None {
			c.Links = append(c.Links, [2]id.Node{r.Node, r.Peer})
			continue
		}
		for n := range id.Node(w.Nodes()) {
			if n != r.Node {
				c.Links = append(c.Links, [2]id.Node{n, r.Node})
			}
			if n != r.Node && f.Kind != Stale {
				c.Links = append(c.Links, [2]id.Node{r.Node, n})
			}
		}
	}
	return c
}

func (f Fault) fits(w *sim.World, r Resolved) error {
	last := id.Node(w.Nodes() - 1)
	switch {
	case f.Kind >= kinds:
		return fmt.Errorf("there is no kind of fault with number %d", f.Kind)
	case r.Node > last || r.Peer > last && r.Peer != id.None:
		return fmt.Errorf("fault %s: the world has no such node", f.AppendText(nil))
	case r.Node == r.Peer || r.Peer != id.None && f.Kind.row().falls == onNode:
		return fmt.Errorf("fault %s does not fit a link from node %d to node %d", f.AppendText(nil), r.Node, r.Peer)
	}
	return nil
}

// links does something to the one link of r, or to every link from and to its node.
func (r Resolved) links(w *sim.World, do func(from, to id.Node)) {
	if r.Peer != id.None {
		do(r.Node, r.Peer)
		return
	}
	for n := range id.Node(w.Nodes()) {
		if n != r.Node {
			do(r.Node, n)
			do(n, r.Node)
		}
	}
}
