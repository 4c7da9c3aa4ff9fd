package faults

import (
	"slices"
	"testing"

	"mirrorsim/sim/choice"
)

// Of many draws each kind that the budget pays for comes, each draw being one fault.
func TestDrawOne(t *testing.T) {
	for l := range levels {
		kinds := map[Kind]int{}
		for seed := range uint64(2000) {
			plan := DrawOne(choice.NewSource(choice.Seeded(seed)), l.Budget(), field())
			if again := DrawOne(choice.NewSource(choice.Seeded(seed)), l.Budget(), field()); !slices.Equal(plan, again) {
				t.Fatalf("%v, seed %d: %v, then %v", l, seed, plan, again)
			}
			for i, p := range plan {
				kinds[p.Fault.Kind]++
				if p.Fault.Kind != Heal && p.Fault.Kind != plan[0].Fault.Kind || p.When.At >= field().End || i > 0 && p.When.At < plan[i-1].When.At {
					t.Fatalf("%v, seed %d: %v", l, seed, plan)
				}
			}
		}
		all := []Kind{Crash, Cut, Delay}
		if l > Light {
			all = append(all, PowerLoss, Pause, Slow, Isolate, Stale, MoveController, MoveCoordinator, Drop, Late, Twice, DiskSlow, DiskFull, DiskError, Corrupt)
		}
		for _, k := range all {
			if l == None && kinds[k] > 0 || l > None && kinds[k] == 0 {
				t.Errorf("%v: %d of %v", l, kinds[k], k)
			}
		}
	}
}

func TestDrawOneKeepsToTheBudget(t *testing.T) {
	b := Budget{Pauses: 1, MaxPause: Swarm.Budget().MaxPause}
	for seed := range uint64(100) {
		plan := DrawOne(choice.NewSource(choice.Seeded(seed)), b, field())
		if len(plan) != 1 || plan[0].Fault.Kind != Pause || plan[0].Fault.For > b.MaxPause {
			t.Errorf("seed %d: %v", seed, plan)
		}
	}
}
