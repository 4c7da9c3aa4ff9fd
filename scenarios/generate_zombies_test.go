package scenarios

import (
	"testing"

	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// What generated runs have of zombies, over many seeds; a run without faults has none.
func TestGeneratedZombies(t *testing.T) {
	const seeds = 400
	for _, level := range allLevels {
		seen := map[string]int{}
		for seed := range uint64(seeds) {
			has := map[string]bool{}
			for _, step := range Generate(seed, level).Steps {
				note := func(what string, so bool) { has[what] = has[what] || so }
				switch a := step.Do.(type) {
				case *format.Fault:
					f := a.Plan.Fault
					note("a fence", f.Kind == faults.FenceProducer)
					note("a fence on the other cluster", f.Kind == faults.FenceProducer && f.Target.Peer != "")
					note("a fence while an end is prepared", f.Kind == faults.FenceProducer && a.Plan.When.Point == point.EndPrepared)
					note("a repeat", f.Kind == faults.RepeatRequest)
					note("an old repeat", f.Kind == faults.RepeatRequest && f.Nth > 2)
				case *format.CreateTopics:
					note("a topic created anew", a.Topics[0] == "u")
				case *format.CreateMirror:
					note("another source", a.From == "C")
				case *format.DeleteTopics:
					note("a copy given up", a.Topics[0] == "t")
				}
			}
			for what, so := range has {
				if so {
					seen[what]++
				}
			}
		}
		for what, least := range map[string]int{"a fence": 30, "a fence on the other cluster": 8, "a fence while an end is prepared": 8, "a repeat": 40,
			"an old repeat": 15, "a topic created anew": 5, "another source": 5, "a copy given up": 2} {
			if n := seen[what]; level == faults.None && n > 0 || level != faults.None && n < least {
				t.Errorf("%v: %s in %d of %d runs, want %d", level, what, n, seeds, least)
			}
		}
	}
}

// Zombies of generated runs have effects: producers are fenced, requests come again and are accepted and refused, and a start brings
// a topic that was created anew.
func TestGeneratedZombiesShow(t *testing.T) {
	if testing.Short() {
		t.Skip("150 runs")
	}
	seen := map[string]int{}
	for seed := range uint64(150) {
		s := Generate(seed, faults.Light)
		zombies := map[faults.Kind]bool{}
		for _, step := range s.Steps {
			if f, ok := step.Do.(*format.Fault); ok {
				zombies[f.Plan.Fault.Kind] = true
			}
		}
		if !zombies[faults.FenceProducer] && !zombies[faults.RepeatRequest] {
			continue
		}
		fences := map[uint32]bool{}
		runUnder(t, s, Options{Listen: func(e *event.Event) {
			code := wire.Code(e.To)
			switch fenced := code == wire.ProducerFenced || code == wire.InvalidProducerEpoch; {
			case (e.Kind == event.ProduceReturned || e.Kind == event.TransactionReturned) && fenced && zombies[faults.FenceProducer]:
				seen["a zombie is refused"]++
			case e.Kind == event.AdminCalled && e.To == uint8(wire.InitProducerId):
				fences[e.Op] = true
			case e.Kind == event.AdminReturned && fences[e.Op]:
				seen["a fence is answered "+code.String()]++
			}
		}}.WithLevel(seed, faults.Light))
	}
	if seen["a zombie is refused"] < 5 || seen["a fence is answered NONE"] < 10 {
		t.Errorf("%v", seen)
	}
	t.Log(seen)
}
