package scenarios

import (
	"slices"
	"sort"

	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// deviations drops choose lines.
func (k *shrinker) deviations() {
	whole := true
	sim.Shrink(k.best.Schedule, func(list []choice.Deviation) bool {
		if whole { // it is known to fail
			whole = false
			return true
		}
		c := *k.best
		c.Schedule = list
		return k.try(&c)
	})
}

// values makes the answers of the choose lines that are left smaller: 1, or half.
func (k *shrinker) values() {
	for i := 0; i < len(k.best.Schedule); {
		n := len(k.best.Schedule)
		smaller := false
		for _, v := range []uint32{1, k.best.Schedule[i].Value / 2} {
			if v == 0 || v >= k.best.Schedule[i].Value {
				continue
			}
			c := *k.best
			c.Schedule = slices.Clone(c.Schedule)
			c.Schedule[i].Value = v
			if smaller = k.try(&c); smaller {
				break
			}
		}
		if !smaller || len(k.best.Schedule) < n {
			i++
		}
	}
}

// steps drops steps, faults among them. The expectation that is kept stays behind what is left of the steps before it.
func (k *shrinker) steps() {
	from := k.best
	all := make([]int, len(from.Steps))
	for i := range all {
		all[i] = i
	}
	whole := true
	sim.Shrink(all, func(keep []int) bool {
		if whole {
			whole = false
			return true
		}
		c := withSteps(from, keep)
		if c == nil {
			return false
		}
		c.Schedule = k.best.Schedule
		return k.try(c)
	})
}

// withSteps is s with only the steps of those indexes; nil if an expectation is about a step that is gone.
func withSteps(s *format.Scenario, keep []int) *format.Scenario {
	c := *s
	c.Steps = nil
	for _, at := range keep {
		c.Steps = append(c.Steps, s.Steps[at])
	}
	return withExpect(&c, func(steps int) (int, bool) {
		left := sort.SearchInts(keep, steps)
		return left, left > 0 && keep[left-1] == steps-1
	})
}

// withExpect puts the expectations of s where they belong when its steps have changed: moved answers how many steps now
// stand in place of the first n, and whether the n-th of them is there still. nil if one is about a step that is gone.
func withExpect(s *format.Scenario, moved func(n int) (int, bool)) *format.Scenario {
	s.Expect = slices.Clone(s.Expect)
	for i := range s.Expect {
		e := &s.Expect[i]
		e.After, _ = moved(e.After)
		if x, ok := e.Do.(format.ErrorIs); ok {
			if x.Step, ok = moved(x.Step); !ok {
				return nil
			}
			e.Do = x
		}
	}
	return s
}

// acts tries each step's simpler forms: an act with less in it, no time, a repeat as the steps that it repeats.
func (k *shrinker) acts() {
	for i := 0; i < len(k.best.Steps); {
		if !k.simplerStep(i) {
			i++
		}
	}
}

// simplerStep tries the forms of one step and takes the first that fails.
func (k *shrinker) simplerStep(i int) bool {
	step := k.best.Steps[i]
	var forms [][]format.Step
	if step.When != (format.When{}) {
		forms = append(forms, []format.Step{{Do: step.Do}})
	}
	if r, ok := step.Do.(*format.Repeat); ok && r.Count <= maxUnrolled {
		forms = append(forms, slices.Repeat(r.Body, r.Count))
	}
	for _, act := range step.Do.Simpler() {
		forms = append(forms, []format.Step{{When: step.When, Do: act}})
	}
	for _, form := range forms {
		c := *k.best
		c.Steps = slices.Replace(slices.Clone(c.Steps), i, i+1, form...)
		moved := withExpect(&c, func(n int) (int, bool) {
			if n > i {
				n += len(form) - 1
			}
			return n, true
		})
		if k.try(moved) {
			return true
		}
	}
	return false
}

// maxUnrolled bounds the repeats that are written out, so that single steps of them can go.
const maxUnrolled = 20
