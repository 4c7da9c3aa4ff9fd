package faults

import (
	"cmp"
	"slices"

	"mirrorsim/sim/choice"
)

// DrawOne has c draw one fault of the kinds that the budget pays for, each equally likely: one entry or, of a cut or a delay
// between several ends, some that fall at one moment. The calm one is a crash. A budget that pays for nothing gives none.
func DrawOne(c *choice.Source, b Budget, f Field) []Planned {
	d := &adversary{c: c, b: b, f: f}
	list := d.shares()
	if len(list) == 0 {
		return nil
	}
	list[d.ask(kindOf, len(list))].fall()
	slices.SortStableFunc(d.plan, func(x, y Planned) int { return cmp.Compare(x.When.At, y.When.At) })
	return d.plan
}
