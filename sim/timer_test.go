package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

// clock is a node whose timers a test sets by commands; each that fires arrives as its kind.
type clock struct{ ops [][]node.TimerOp }

func (c *clock) boot() node.Boot {
	return nodes(func(n *scripted, in node.Input, out *node.Effects) {
		if b, ok := in.Body.(*pingBody); ok {
			out.Timers = append(out.Timers, c.ops[b.N]...)
			return
		}
		note(n, node.Input{Body: ping(int(in.Timer.Kind))}, out)
	})[0]
}

func arm(kind uint8, after id.Duration) node.TimerOp {
	return node.TimerOp{Timer: node.Timer{Kind: kind}, After: after}
}

func TestTimers(t *testing.T) {
	for _, c := range []struct {
		name string
		ops  [][]node.TimerOp // one list a millisecond, from 0
		want []arrival
	}{
		{"in order of time, then of age", [][]node.TimerOp{{arm(1, 5), arm(2, 3), arm(3, 5)}}, []arrival{{2, 3}, {1, 5}, {3, 5}}},
		{"armed anew, later", [][]node.TimerOp{{arm(1, 5000)}, {arm(1, 5000)}}, []arrival{{1, 6000}}},
		{"armed anew, earlier", [][]node.TimerOp{{arm(1, 5000)}, {arm(1, 100)}}, []arrival{{1, 1100}}},
		{"armed anew for the same time it is younger", [][]node.TimerOp{{arm(1, 5000), arm(2, 5000)}, {arm(1, 4000)}},
			[]arrival{{2, 5000}, {1, 5000}}},
		{"earlier, then later again", [][]node.TimerOp{{arm(1, 5000)}, {arm(1, 100), arm(1, 3000)}}, []arrival{{1, 4000}}},
		{"cancelled", [][]node.TimerOp{{arm(1, 5000)}, {arm(1, -1), arm(2, -1)}}, nil},
		{"cancelled and armed again", [][]node.TimerOp{{arm(1, 5000)}, {arm(1, -1), arm(1, 100)}}, []arrival{{1, 1100}}},
		{"at once", [][]node.TimerOp{{arm(1, 0)}}, []arrival{{1, 0}}},
		{"again after it fired", [][]node.TimerOp{{arm(1, 100)}, {arm(1, 100)}}, []arrival{{1, 100}, {1, 1100}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := wired(calm(), Network{}, (&clock{c.ops}).boot())
			for i := range c.ops {
				for w.NextUntil(id.Duration(i) * ms) {
				}
				w.Inject(0, ping(i))
				w.Next()
			}
			finish(t, w)
			if diff := cmp.Diff(c.want, arrivals(w)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTimersAreKnownByTheirWholeName(t *testing.T) {
	var ops []node.TimerOp
	for i := range 200 {
		name := node.Timer{Kind: uint8(i%5 + 1), Peer: id.Node(i / 5 % 4)}
		name.Partition = id.Partition{Topic: id.Topic(i / 20), Index: uint16(i % 3)}
		ops = append(ops, node.TimerOp{Timer: name, After: id.Duration(i)})
	}
	w := wired(calm(), Network{}, (&clock{[][]node.TimerOp{ops, ops}}).boot())
	w.Inject(0, ping(0))
	w.Inject(0, ping(1)) // replaces all of them
	finish(t, w)
	if got := len(arrivals(w)); got != 200 {
		t.Errorf("%d timers fired, want 200", got)
	}
}

func TestJitter(t *testing.T) {
	ops := [][]node.TimerOp{{{Timer: node.Timer{Kind: 3}, After: 100, Jitter: 160}}}
	for value, want := range map[uint32]id.Duration{0: 100, 1: 110, 16: 260} {
		k := choice.Key{Label: choice.TimerJitter, Subject: choice.Pair(0, 3)}
		w := wired(choice.Replay([]choice.Deviation{{Key: k, Value: value}}, nil), Network{}, (&clock{ops}).boot())
		w.Inject(0, ping(0))
		finish(t, w)
		if diff := cmp.Diff([]arrival{{3, want}}, arrivals(w)); diff != "" {
			t.Errorf("jitter %d:\n%s", value, diff)
		}
	}
}

func TestZeroTimerIsRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the zero timer was armed")
		}
	}()
	w := wired(calm(), Network{}, (&clock{[][]node.TimerOp{{arm(0, 1)}}}).boot())
	w.Inject(0, ping(0))
	w.Next()
}

func TestAPostponedTimerCostsOneEntry(t *testing.T) {
	w := wired(calm(), Network{}, (&clock{[][]node.TimerOp{{arm(1, id.Second)}}}).boot())
	for i := range 1000 {
		w.Inject(0, ping(0))
		for w.NextUntil(id.Duration(i+1) * 10 * ms) {
		}
		if len(w.queue) != 1 {
			t.Fatalf("the queue has %d entries after message %d", len(w.queue), i)
		}
	}
	finish(t, w)
	if diff := cmp.Diff([]arrival{{1, 999*10*ms + id.Second}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
}

// A timer that every message moves, to and fro, leaves no garbage.
func TestQueueDoesNotGrow(t *testing.T) {
	later, earlier := arm(1, 30*id.Second), arm(1, 20*id.Second)
	w := wired(calm(), Network{}, (&clock{[][]node.TimerOp{{later}, {earlier}, {later, earlier, later}}}).boot())
	most := 0
	for i := range 10_000 {
		w.Inject(0, ping(i%3))
		w.NextUntil(id.Duration(i))
		most = max(most, len(w.queue))
	}
	if most > 200 {
		t.Errorf("the queue had %d entries for one timer", most)
	}
}
