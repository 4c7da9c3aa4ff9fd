package sim

import (
	"slices"
	"testing"

	"mirrorsim/model/disk"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

// quiet is a toy of which the monitor hears nothing unless it was sent an even sum.
type quiet struct{ *toy }

func (q quiet) Step(in node.Input, out *node.Effects) {
	if q.toy.Step(in, out); q.sum%2 == 0 {
		out.Events = out.Events[:0]
	}
}

func (q quiet) Clone(d *disk.Disk) node.Node { return quiet{q.toy.Clone(d).(*toy)} }

// whispering is a world of quiet toys in which messages take no time.
func whispering(n int, lead id.Duration, c choice.Chooser) *World {
	s := Spec{Monitor: &watcher{}, Choices: choice.NewSource(c), Quantum: 5 * ms, Lead: lead}
	for range n {
		boot := bootToy(n)
		s.Boot = append(s.Boot, func(self id.Node, d *disk.Disk, out *node.Effects) node.Node {
			return quiet{boot(self, d, out).(*toy)}
		})
		s.Cluster = append(s.Cluster, 0)
	}
	return New(s)
}

// What is Late leads to one state before the calm action and behind it, with what is handled in between; and much is.
func TestLateCommutes(t *testing.T) {
	late, alone, here := 0, 0, 0
	for seed := range uint64(60) {
		w := whispering(6, id.Duration(seed%2)*5*ms, choice.Seeded(seed))
		l := NewLookahead()
		for step := range 150 {
			all := w.Enabled(nil)
			if l.At(w, slices.Clone(all)) {
				for i := 1; i < len(all); i++ {
					x := l.Late(i)
					if !x.OK {
						continue
					}
					late++
					alone += int(id.Bit(x.Alone))
					here += int(id.Bit(all[i].Node == all[0].Node))
					if !orders(w, all[0], all[i], x.Alone) {
						t.Fatalf("seed %d, step %d: %v and the calm %v lead to two states", seed, step, all[i], all[0])
					}
				}
			}
			next := 0
			if len(all) > 1 {
				next = int(choice.Seeded(seed).Choose(choice.Key{Label: choice.Order, Nth: uint32(step)}, uint32(len(all)), 9000))
			}
			w.Take(all[next])
		}
	}
	if late < 1000 || alone == late || alone < 100 {
		t.Errorf("%d actions were late, %d of them alone, %d of the node whose turn it was", late, alone, here)
	}
}

// orders tells whether both orders of two actions lead to one state, alone: at once, else behind some calm actions.
func orders(w *World, calm, e Action, alone bool) bool {
	before, behind := w.Fork(choice.Replay(nil, nil)), w.Fork(choice.Replay(nil, nil))
	before.Take(e)
	behind.Take(calm)
	behind.Take(e)
	for range 40 {
		if before.Next(); before.Key() == behind.Key() {
			return true
		}
		if alone {
			return false
		}
		behind.Next()
	}
	return false
}

// Nothing is Late where the clock moves on, or where a node or a link is hindered.
func TestNothingIsLateWhereTimeCounts(t *testing.T) {
	for name, do := range map[string]func(*World){
		"link":  func(w *World) { w.Cut(0, 1, true) },
		"slow":  func(w *World) { w.Slow(2, ms) },
		"catch": func(w *World) { w.Catch(Catch{Links: [][2]id.Node{{0, 1}}, Nth: 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			w, l := whispering(4, 0, choice.Replay(nil, nil)), NewLookahead()
			for !l.At(w, w.Enabled(nil)) {
				w.Next()
			}
			do(w)
			if l.At(w, w.Enabled(nil)) {
				t.Error("something may be said")
			}
		})
	}
	w, l := whispering(4, 0, choice.Replay(nil, nil)), NewLookahead()
	if all := w.Enabled(nil); all[0].Kind != Fire || l.At(w, all) || l.Late(1).OK {
		t.Error("the first timer moves the clock, and something is late")
	}
}
