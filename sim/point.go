package sim

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
)

// armedFault is a fault that waits at a point.
type armedFault struct {
	point point.Point
	node  id.Node                    // id.None: any node
	on    func(*World, id.Node) bool // nil: any node
	left  uint32                     // how often the point must still be reached
	then  func(*World)
}

// Arm has then called once, when node n (id.None: any node) has reached the point p for the nth time from now, from 1.
// The step that reached it is whole by then and the node is not resumed yet: if then crashes it, it never is. then works
// on the world that it is given, which may be a fork, on that world's host, and on nothing else that changes; it must not
// call Next, Take or Fork.
func (w *World) Arm(p point.Point, n id.Node, nth uint32, then func(*World)) {
	w.armed = append(w.armed, armedFault{p, n, nil, max(nth, 1), then})
}

// ArmOn is Arm for the nodes for which on holds when they reach the point: for who has a role then. A world's fingerprint
// does not tell one on from another.
func (w *World) ArmOn(p point.Point, on func(*World, id.Node) bool, nth uint32, then func(*World)) {
	w.armed = append(w.armed, armedFault{p, id.None, on, max(nth, 1), then})
}

// Disarm has nothing wait at any point any more.
func (w *World) Disarm() { w.armed = nil }

// reach reports the point, calls what waits there in the order in which it was armed, and tells whether the node goes on. One
// that is paused there goes on when its pause ends.
func (w *World) reach(n id.Node, p point.Point) bool {
	life := w.nodes[n].life
	w.report(n, event.Event{Kind: event.PointReached, Peer: id.None, To: uint8(p)})
	w.reached++
	if w.quantum > 0 {
		w.befallAt(n, p)
	}
	if len(w.armed) > 0 {
		was := w.busy
		w.busy = true
		for _, then := range w.due(n, p) {
			then(w)
		}
		w.busy = was
	}
	m := &w.nodes[n]
	m.suspended = m.life == life && m.paused
	return !w.failed && m.life == life && !m.suspended
}

// due takes out what waits no longer.
func (w *World) due(n id.Node, p point.Point) []func(*World) {
	var due []func(*World)
	rest := w.armed[:0]
	for _, a := range w.armed {
		if a.point == p && (a.node == n || a.node == id.None) && (a.on == nil || a.on(w, n)) {
			a.left--
		}
		if a.left == 0 {
			due = append(due, a.then)
		} else {
			rest = append(rest, a)
		}
	}
	clear(w.armed[len(rest):])
	w.armed = rest
	return due
}
