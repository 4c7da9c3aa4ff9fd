package scenarios

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mirrorsim/faults"
	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// CompareDesignsOptions say which designs are compared, and on which seeds: the same ones for each.
type CompareDesignsOptions struct {
	Kind    string // of the constants below
	Start   uint64 // the first seed; all are at most 2^53-1
	Count   int    // of seeds for each design, one after the other
	Jobs    int    // as SweepOptions.Jobs
	Level   faults.Level
	Columns []CompareDesign // at least one

	// Each is called after each run, by one goroutine at a time. It may be nil.
	Each func(violated bool)

	choices func(seed uint64, second bool, c choice.Chooser) choice.Chooser // as SweepOptions.choices
	block   int                                                             // what a test puts in place of compareBlock
}

// CompareDesign is one of the designs that are compared.
type CompareDesign struct {
	Name   string // a revision, or the token of an option
	Base   bool   // the design that the others change one decision of
	Design *Design
}

// What the designs of a comparison have to do with each other.
const (
	CompareProtocols  = "protocols"   // they are revisions
	CompareDecision   = "decision"    // the options of one decision, in one revision
	CompareStopOrders = "stop-orders" // the orders of the steps of a stop, in one revision
)

// compareBlock is how many seeds each design runs before the next one has its turn, so that a comparison that is stopped has
// run nearly the same seeds of all.
const compareBlock = 50

// CompareDesigns sweeps the same seeds under each of the designs. When the context is done it stops within a moment and reports what
// was done. The error is one of Sweep.
func CompareDesigns(ctx context.Context, o CompareDesignsOptions) (*DesignComparison, error) {
	began := time.Now()
	r := newDesignComparison(&o)
	if o.block == 0 {
		o.block = compareBlock
	}
	for done := 0; done < o.Count && ctx.Err() == nil; done += o.block {
		block := min(o.block, o.Count-done)
		for i := range o.Columns {
			if ctx.Err() != nil {
				break
			}
			column := r.Columns[i]
			s := SweepOptions{Start: o.Start + uint64(done), Count: block, Jobs: o.Jobs, Level: o.Level,
				Designs: []*Design{o.Columns[i].Design}, choices: o.choices,
				Each: func(seed uint64, x *Result) {
					column.add(seed, x)
					if o.Each != nil {
						o.Each(x.Violated())
					}
				}}
			rep, err := Sweep(ctx, s)
			if err != nil {
				return nil, err
			}
			column.sum(rep)
		}
	}
	r.finish()
	r.WallSeconds = time.Since(began).Seconds()
	return r, nil
}

// CompareOptionsOf are the options of a decision, an id or a name, put one after the other into a revision. The error is a
// *format.InputError.
func CompareOptionsOf(base *Design, key string) (list []CompareDesign, err error) {
	for _, d := range protocol.Decisions() {
		if d.Name != decisionName(key) {
			continue
		}
		if d.All {
			return nil, &format.InputError{Word: key, Message: fmt.Sprintf("--decision %s: %s is a list of all its steps and has no single options",
				key, d.Name), Want: []string{"--stop-orders, which compares the lists"}}
		}
		for _, o := range d.Options {
			x, err := base.chosen(d.Name, o.Token)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	}
	c := base.Config
	return nil, format.Unknown("--decision "+key+": ", c.Set(key, "")) // which says what there is
}

// CompareOrdersOf are all orders of the steps of a stop, put one after the other into a revision.
func CompareOrdersOf(base *Design) (list []CompareDesign, err error) {
	for _, d := range protocol.Decisions() {
		if !d.All {
			continue
		}
		for _, order := range orders(d.Tokens()) {
			x, err := base.chosen(d.Name, strings.Join(order, ","))
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
	}
	return list, nil
}

// orders are all orders of the words, that of the words themselves first.
func orders(words []string) (list [][]string) {
	if len(words) <= 1 {
		return [][]string{words}
	}
	for i, w := range words {
		var rest []string
		rest = append(append(rest, words[:i]...), words[i+1:]...)
		for _, o := range orders(rest) {
			list = append(list, append([]string{w}, o...))
		}
	}
	return list
}

// chosen is the design with one option, named by it. With the option that it has already it is the base.
func (d *Design) chosen(name, token string) (CompareDesign, error) {
	x := CompareDesign{Name: token, Base: d.Config.Get(name) == token, Design: d}
	if x.Base {
		return x, nil
	}
	changed, err := d.with([]format.Set{{Key: name, Token: token}})
	x.Design = changed
	return x, err
}
