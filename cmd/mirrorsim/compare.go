package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	design      designFlags
	protocols   string
	decision    string
	stopOrders  bool
	start       string
	count, jobs int
	level       string
	markdown    bool
	json        *bool
}

// What compare compares unless it is said, and how many seeds it runs of each.
const (
	comparedRevisions = "add-remove,start-stop,aligned,hardened"
	comparedBase      = "hardened"
	comparedSeeds     = 200
	comparedOrders    = 10 // of each order: there are 120
)

func compareCommand(asJSON *bool) *cobra.Command {
	f := &compareFlags{json: asJSON}
	c := &cobra.Command{
		Use:   "compare",
		Short: "Run the same generated scenarios under several designs, and print what falls under each",
		Long: "compare runs the generated scenario of every seed from --seed-start on under each of several designs, and prints for\n" +
			"each property and design in how many runs it holds, in how many it is violated, with the smallest seed and what that\n" +
			"violates, and in how many it is not promised. The designs are the revisions of --protocols; or with --decision NAME\n" +
			"every option of that decision, or with --stop-orders every order of the five steps of a stop, each put into\n" +
			"--protocol, which is hardened unless said. --set is put into all of them.\n\n" +
			"It also prints what an operator feels: the median and the mean virtual time of a stop and of a failback, and the records\n" +
			"that are copied again. Runs are made as sweep makes them; nothing is shrunk. Ctrl-C prints what was done.\n\n" +
			"Exit status: 0 all designs hold, 1 something is violated under one of them (which one is in the table and in the JSON:\n" +
			"a design that falls is no error of the command), 2 bad input, 3 internal error, 4 unknown: it was stopped, or the\n" +
			"faults are beyond the budget.",
		Example: "  mirrorsim compare --protocols add-remove,start-stop,aligned,hardened --count 300 --faults swarm\n" +
			"  mirrorsim compare --decision marker --faults light --markdown\n  mirrorsim compare --stop-orders --faults light --json",
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			return interruptible(c, f.run)
		},
	}
	f.design.add(c, comparedBase)
	c.Flags().StringVar(&f.protocols, "protocols", "", "`REVISIONS` with commas between them (default "+comparedRevisions+")")
	c.Flags().StringVar(&f.decision, "decision", "", "compare the options of this decision, by `NAME` or id, in --protocol")
	c.Flags().BoolVar(&f.stopOrders, "stop-orders", false, "compare the orders of the steps of a stop in --protocol")
	c.Flags().StringVar(&f.start, "seed-start", "0", "the first `SEED`")
	c.Flags().IntVar(&f.count, "count", 0,
		fmt.Sprintf("how many seeds of each design (default %d, of --stop-orders %d)", comparedSeeds, comparedOrders))
	c.Flags().IntVar(&f.jobs, "jobs", 0, "runs at the same time (default one a core)")
	addFaults(c, &f.level, "")
	c.Flags().BoolVar(&f.markdown, "markdown", false, "print Markdown instead of text")
	c.PreRun = func(c *cobra.Command, _ []string) {
		if !c.Flags().Changed("count") {
			if f.count = comparedSeeds; f.stopOrders {
				f.count = comparedOrders
			}
		}
	}
	return c
}

// parse reads the flags.
func (f *compareFlags) parse() (o scenarios.CompareDesignsOptions, err error) {
	if err = f.excludes(); err != nil {
		return o, err
	}
	if o.Start, o.Level, err = parseSeeds(f.start, f.level, f.count); err != nil {
		return o, err
	}
	if err = fromLeast("jobs", f.jobs, 0); err != nil {
		return o, err
	}
	o.Count, o.Jobs = f.count, f.jobs
	if f.decision == "" && !f.stopOrders {
		o.Kind = scenarios.CompareProtocols
		revisions := f.protocols
		if revisions == "" {
			revisions = comparedRevisions
		}
		designs, err := designsOf("protocols", revisions, f.design.sets)
		for _, d := range designs {
			o.Columns = append(o.Columns, scenarios.CompareDesign{Name: d.Revision, Design: d})
		}
		return o, err
	}
	revision := f.design.revision
	if revision == "" {
		revision = comparedBase
	}
	base, err := scenarios.Choose(&format.Scenario{}, revision, f.design.sets)
	if err != nil {
		return o, err
	}
	if f.stopOrders {
		o.Kind = scenarios.CompareStopOrders
		o.Columns, err = scenarios.CompareOrdersOf(base)
		return o, err
	}
	o.Kind = scenarios.CompareDecision
	o.Columns, err = scenarios.CompareOptionsOf(base, f.decision)
	return o, err
}

// excludes refuses flags that say different things.
func (f *compareFlags) excludes() error {
	one := f.decision != "" || f.stopOrders
	switch {
	case f.decision != "" && f.stopOrders:
		return together("stop-orders", "--decision says another thing to compare", "--decision NAME", "--stop-orders")
	case one && f.protocols != "":
		return together("protocols", "the designs themselves, which --decision and --stop-orders make of one",
			"with --decision and --stop-orders: --protocol, the one design that they change")
	case !one && f.design.revision != "":
		return together("protocol", "the design that --decision and --stop-orders change", "without them: --protocols, the designs that are compared")
	case f.markdown && *f.json:
		return together("markdown", "--json is another form", "--markdown", "--json")
	}
	return nil
}

func (f *compareFlags) run(ctx context.Context, out, diag io.Writer) error {
	o, err := f.parse()
	if err != nil {
		return err
	}
	bar := newBar(diag, o.Count*len(o.Columns), "compare")
	failed := 0
	o.Each = func(violated bool) {
		if violated {
			failed++
			bar.Describe(fmt.Sprintf("compare, %d failed", failed))
		}
		bar.Add(1)
	}
	rep, err := scenarios.CompareDesigns(ctx, o)
	bar.Exit()
	if err != nil {
		return err
	}
	switch {
	case *f.json:
		printJSON(out, rep)
	case f.markdown:
		fmt.Fprint(out, rep.Markdown())
	default:
		fmt.Fprint(out, rep.Text())
	}
	if code := rep.ExitStatus(); code != 0 {
		return status(code)
	}
	return nil
}
