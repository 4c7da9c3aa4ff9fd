package scenarios

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// Reach is which places of the protocol a run has come to, and what has hit it there: how often each.
type Reach struct {
	Points  [point.Points]int                 // reached by a node
	Crashes [point.Points]int                 // of a node at a point, between two effects
	Edges   [record.States][record.States]int // from one state to another that was stored over it; self-edges are left out
	Kinds   []int                             // faults that took effect, by kind
	Pairs   [][record.States]int              // by kind and state: it hit a partition that was in the state, see hit
}

func newReach() Reach {
	n := len(faults.Kinds())
	return Reach{Kinds: make([]int, n), Pairs: make([][record.States]int, n)}
}

// reaching folds the history into a Reach.
type reaching struct {
	Reach
	brokers int         // the nodes below are brokers
	at      point.Point // that the last event was about; None if it was about none
	node    id.Node     // who is there
}

func (x *reaching) clone() reaching {
	c := *x
	c.Kinds, c.Pairs = slices.Clone(x.Kinds), slices.Clone(x.Pairs)
	return c
}

// observe takes in an event that l has folded in already. A fault that waits at a point falls right behind its event; one that
// brings down more than the node that is there, such as a link's, is none of that place.
func (x *reaching) observe(l *checkers.Ledger, cluster []id.Cluster, e *event.Event) {
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
	case event.Caught:
		x.fell(caughtBy(e), l, cluster, e.Node, e.Peer)
	case event.Corrupted:
		if e.To == 1 {
			x.fell(faults.Corrupt, l, cluster, e.Node)
		}
	}
}

// caughtBy is the kind of fault that a message met. Answers of the metadata log are lost to whoever is stale.
func caughtBy(e *event.Event) faults.Kind {
	switch {
	case event.Catch(e.Cause) == event.Late:
		return faults.Late
	case event.Catch(e.Cause) == event.Twice:
		return faults.Twice
	case wire.API(e.To) == wire.MetadataFetch+1:
		return faults.Stale
	}
	return faults.Drop
}

// shows tells whether a fault of that kind is seen in the history when it takes effect, which may be later than it falls, or never.
func shows(k faults.Kind) bool { return k.OfMessages() || k == faults.Stale || k == faults.Corrupt }

// fell notes that a fault has hit those nodes.
func (x *reaching) fell(k faults.Kind, l *checkers.Ledger, cluster []id.Cluster, nodes ...id.Node) {
	x.Kinds[k]++
	var seen [record.States]bool
	for _, p := range l.Partitions() {
		if !slices.ContainsFunc(nodes, func(n id.Node) bool { return int(n) < len(cluster) && x.hits(l, cluster[n], p, n) }) {
			continue
		}
		for c := range slices.Max(cluster) + 1 {
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

// hits tells whether what happens to a node happens to the partition, as a mirror or as what is mirrored: a broker has a replica of
// it, or coordinates mirrors; controllers, the metadata log, admins and clients have to do with all of their cluster.
func (x *reaching) hits(l *checkers.Ledger, c id.Cluster, p id.Partition, n id.Node) bool {
	return int(n) >= x.brokers || l.Replicas(c, p).Has(n) || l.Coordinates(n)
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
