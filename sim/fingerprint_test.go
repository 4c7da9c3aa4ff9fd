package sim

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/sim/choice"
)

// base is a world of two quiet toys with a message from 0 to 1 under way and a timer armed.
func base() *World {
	w := toys(2, Network{}, choice.Seeded(1))
	for i := range w.timers.slots {
		w.timers.slots[i].armed = false
	}
	w.send(0, 1, ping(4))
	w.setTimer(0, &node.TimerOp{Timer: node.Timer{Kind: 9}, After: 50})
	return w
}

// instead has another timer armed than base has.
func instead(w *World, n id.Node, name node.Timer) {
	w.setTimer(0, &node.TimerOp{Timer: node.Timer{Kind: 9}, After: -1})
	w.setTimer(n, &node.TimerOp{Timer: name})
}

func TestFingerprintIgnoresTimesAndIndexes(t *testing.T) {
	want := base().Fingerprint()
	for name, change := range map[string]func(*World){
		"nothing":    func(*World) {},
		"the clock":  func(w *World) { w.NextUntil(10) },
		"timer time": func(w *World) { w.setTimer(0, &node.TimerOp{Timer: node.Timer{Kind: 9}, After: 70}) },
		"an event that no verdict depends on": func(w *World) {
			w.report(0, event.Event{Kind: event.LinkSet})
		},
		"a link cut and healed": func(w *World) { w.Link(0, 1, false, 0); w.Link(0, 1, true, 0) },
		"a message's age": func(w *World) {
			w.drop(0)
			w.forget()
			w.send(1, 1, ping(1))
			w.send(0, 1, ping(4))
			w.drop(0)
			w.forget()
		},
		"a cancelled timer": func(w *World) { w.timers.slot(1, node.Timer{Kind: 8}) },
		"deliveries":        func(w *World) { w.deliveries++ },
	} {
		t.Run(name, func(t *testing.T) {
			w := base()
			change(w)
			if w.Fingerprint() != want {
				t.Error("the fingerprint has changed")
			}
		})
	}
}

func TestFingerprintSees(t *testing.T) {
	seen := map[[2]uint64]string{base().Fingerprint(): "the base"}
	lanesSeen := map[uint64]string{}
	for name, change := range map[string]func(*World){
		"no message":          func(w *World) { w.drop(0); w.forget() },
		"another body":        func(w *World) { w.drop(0); w.forget(); w.send(0, 1, ping(5)) },
		"another receiver":    func(w *World) { w.drop(0); w.forget(); w.send(0, 0, ping(4)) },
		"another sender":      func(w *World) { w.drop(0); w.forget(); w.send(1, 1, ping(4)) },
		"from the runner":     func(w *World) { w.drop(0); w.forget(); w.Inject(1, ping(4)) },
		"a message twice":     func(w *World) { w.send(0, 1, ping(4)) },
		"a disk":              func(w *World) { w.own(0).disk.Create(toyPartition).HighWatermark = 7 },
		"the other disk":      func(w *World) { w.own(1).disk.Create(toyPartition).HighWatermark = 7 },
		"an incarnation":      func(w *World) { w.own(1).disk.Incarnation++ },
		"a node":              func(w *World) { w.own(0).node.(*toy).sum = 99 },
		"no timer":            func(w *World) { w.setTimer(0, &node.TimerOp{Timer: node.Timer{Kind: 9}, After: -1}) },
		"a timer's kind":      func(w *World) { instead(w, 0, node.Timer{Kind: 10}) },
		"a timer's node":      func(w *World) { instead(w, 1, node.Timer{Kind: 9}) },
		"a timer's peer":      func(w *World) { instead(w, 0, node.Timer{Kind: 9, Peer: 1}) },
		"a timer's partition": func(w *World) { instead(w, 0, node.Timer{Kind: 9, Partition: toyPartition}) },
		"a link":              func(w *World) { w.Link(0, 1, false, 0) },
		"the way back":        func(w *World) { w.Link(1, 0, false, 0) },
		"a link's delay":      func(w *World) { w.Link(1, 0, true, 8) },
		"a node that is down": func(w *World) { w.Crash(0, nil) },
		"the monitor":         func(w *World) { w.report(0, event.Event{Kind: event.HighWatermark, Digest: 3}) },
		"an armed point":      func(w *World) { w.Arm(point.StateStored, 0, 1, nil) },
		"its nth":             func(w *World) { w.Arm(point.StateStored, 0, 2, nil) },
		"its node":            func(w *World) { w.Arm(point.StateStored, id.None, 1, nil) },
		"the end of the run":  func(w *World) { w.fail(0, "") },
	} {
		w := base()
		w.Fingerprint() // what is remembered must not hide the change
		change(w)
		f := w.Fingerprint()
		if other, ok := seen[f]; ok {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		for i, lane := range f {
			if other, ok := lanesSeen[lane]; ok {
				t.Errorf("%s agrees with %s in lane %d", name, other, i)
			}
			lanesSeen[lane] = name
		}
		if f != afresh(w) {
			t.Errorf("%s: a wrong fingerprint is remembered", name)
		}
		seen[f] = name
	}
}

// Two orders of the same two messages are one world; a fingerprint is not fooled by where a state is cut into words.
func TestFingerprintOfMultisets(t *testing.T) {
	a, b := base(), base()
	a.send(0, 1, ping(1))
	a.send(0, 1, ping(2))
	b.send(0, 1, ping(2))
	b.send(0, 1, ping(1))
	if a.Fingerprint() != b.Fingerprint() {
		t.Error("the order of messages counts")
	}
	seen := map[lanes][]byte{}
	for n := range 40 {
		h := lanes{}
		x := make([]byte, n)
		h.bytes(x)
		if y, ok := seen[h]; ok {
			t.Errorf("%d zero bytes hash like %d", n, len(y))
		}
		seen[h] = x
	}
}
