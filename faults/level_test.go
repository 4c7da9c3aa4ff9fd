package faults

import (
	"testing"

	"mirrorsim/sim"
)

func TestLevelsReadBack(t *testing.T) {
	for l := range levels {
		if got, err := ParseLevel(l.String()); err != nil || got != l {
			t.Errorf("%v reads as %v, %v", l, got, err)
		}
	}
	if len(Levels()) != int(levels) {
		t.Errorf("there are %d levels and %d words", levels, len(Levels()))
	}
	_, err := ParseLevel("heavy")
	if want := `no level of faults is called "heavy"; there are none, light, swarm, beyond`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A recording is replayed in a calm network: what was chosen must mean the same there. Light faults lose, double and
// reorder nothing.
func TestNetworks(t *testing.T) {
	kinds := map[string]int{}
	for l := range levels {
		for seed := range uint64(200) {
			n := l.Network(seed)
			if n.MaxDelay != 0 {
				t.Fatalf("%v has a longest delay of its own, %v", l, n.MaxDelay)
			}
			if l < Swarm && (n.Drop != 0 || n.Duplicate != 0 || n.Reorder != 0) {
				t.Fatalf("%v under seed %d has the network %+v", l, seed, n)
			}
			if n != l.Network(seed) {
				t.Fatalf("%v has two networks under seed %d", l, seed)
			}
			if l == Swarm {
				count(kinds, n)
			}
		}
	}
	for _, kind := range []string{"drop", "delay", "duplicate", "reorder", "jitter"} {
		if n := kinds[kind]; n < 60 || n > 140 {
			t.Errorf("%s is in %d of 200 swarms, want about half", kind, n)
		}
	}
}

func count(kinds map[string]int, n sim.Network) {
	for kind, odds := range map[string]uint16{"drop": n.Drop, "delay": n.Delay, "duplicate": n.Duplicate, "reorder": n.Reorder,
		"jitter": n.Jitter} {
		if odds > 0 {
			kinds[kind]++
		}
	}
}
