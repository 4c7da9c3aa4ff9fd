package scenarios

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
)

// Reach is which places of the protocol a run has come to, and what has hit it there: how often each.
type Reach struct {
	Points  [point.Points]int                 // reached by a node
	Crashes [point.Points]int                 // of a node at a point, between two effects
	Edges   [record.States][record.States]int // from one state to another that was stored over it; self-edges are left out
	Kinds   []int                             // faults that fell, by kind
	Pairs   [][record.States]int              // by kind and state: a fault fell while a partition was in the state on some cluster
}

func newReach() Reach {
	n := len(faults.Kinds())
	return Reach{Kinds: make([]int, n), Pairs: make([][record.States]int, n)}
}

// reaching folds the history into a Reach.
type reaching struct {
	Reach
	at   point.Point // that the last event was about; None if it was about none
	node id.Node     // who is there
}

func (x *reaching) clone() reaching {
	c := *x
	c.Kinds, c.Pairs = slices.Clone(x.Kinds), slices.Clone(x.Pairs)
	return c
}

// observe takes in an event. A fault that waits at a point falls right behind its event; one that brings down more than the node
// that is there, such as a link's, is none of that place.
func (x *reaching) observe(e *event.Event) {
	was, node := x.at, x.node
	x.at = point.None
	switch e.Kind {
	case event.PointReached:
		x.at, x.node = point.Point(e.To), e.Node
		x.Points[x.at]++
	case event.Crashed:
		if was != point.None && node == e.Node {
			x.Crashes[was]++
		}
	case event.StateStored:
		if e.From != e.To {
			x.Edges[e.From][e.To]++
		}
	}
}

// fell notes that a fault has fallen.
func (x *reaching) fell(k faults.Kind, l *checkers.Ledger, clusters int) {
	x.Kinds[k]++
	var seen [record.States]bool
	for _, p := range l.Partitions() {
		for c := range id.Cluster(clusters) {
			if l.Desired(c, p) != record.WantNone {
				seen[l.State(c, p)] = true
			}
		}
	}
	for s, in := range seen {
		if in {
			x.Pairs[k][s]++
		}
	}
}

// add counts what another run has reached.
func (x *Reach) add(r *Reach) {
	for i := range r.Points {
		x.Points[i] += r.Points[i]
		x.Crashes[i] += r.Crashes[i]
	}
	for i := range r.Edges {
		for k := range r.Edges[i] {
			x.Edges[i][k] += r.Edges[i][k]
		}
	}
	for k := range r.Kinds {
		x.Kinds[k] += r.Kinds[k]
		for s := range r.Pairs[k] {
			x.Pairs[k][s] += r.Pairs[k][s]
		}
	}
}
