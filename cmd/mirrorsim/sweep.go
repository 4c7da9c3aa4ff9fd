package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	design      designFlags
	start       string
	count, jobs int
	level       string
	shrink      int
	doom        bool
	faultsEnd   bool
	resume      string
	json        *bool
}

// sweepShrinkRuns is how many runs a sweep takes to shrink one failure, unless said.
const sweepShrinkRuns = 600

func sweepCommand(asJSON *bool) *cobra.Command {
	f := &sweepFlags{json: asJSON}
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Run many generated scenarios under faults, and group and shrink what fails",
		Long: "sweep runs the generated scenario of every seed from --seed-start on: a topology, clients, failovers and failbacks,\n" +
			"and faults of that level. 5 % of the seeds and every failing one are run twice and compared. Failures are grouped\n" +
			"by their property and the last points of the protocol before them; one of each group is shrunk. Ctrl-C stops at\n" +
			"once and reports what was done. What comes out does not depend on --jobs. Several revisions, as in\n" +
			"--protocol add-remove,aligned, are dealt over the seeds, one after the other.\n\n" +
			"Under swarm faults each seed is dealt one of five strategies, which the report compares: faults of every kind equally\n" +
			"often, by weights of the run's own, half of the kinds switched off, nodes that work by changing priorities, and faults\n" +
			"at points of the protocol only. All stay within what the properties are promised for. beyond is swarm beyond that:\n" +
			"no run holds then, at best it is not promised.\n\n" +
			"A sweep of 500 runs or more under faults also runs its first seeds with one option changed for the worse, the canary,\n" +
			"until that is found; and under swarm faults one of 2,000 runs or more must hit every state transition, crashes between\n" +
			"all steps of a stop, and every kind of fault in every state that matters, at least 20 times in 2,000 runs.\n\n" +
			"With --resume FILE each 1,000 seeds are noted in the file when they are done; the same command goes on from there after an\n" +
			"interruption, and reports on all of them. A program that was built of other sources refuses the file.\n\n" +
			"Exit status: 0 all holds, 1 something is violated, 2 bad input, 3 internal error, 4 unknown: the sweep was stopped or is\n" +
			"beyond the budget, a property had no occasion to fail, the canary was not found, or the runs did not meet what they must.",
		Example: "  mirrorsim sweep --count 20000 --faults swarm --protocol hardened --resume soak.jsonl\n  mirrorsim sweep --count 2000 --faults light\n  mirrorsim sweep --count 200 --faults swarm --protocol start-stop --json\n" +
			"  mirrorsim sweep --count 2000 --faults swarm --protocol add-remove,start-stop,aligned --no-shrink",
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("no-shrink") && c.Flags().Changed("shrink-runs") {
				return together("no-shrink", "--shrink-runs says how far to shrink", "--no-shrink", "--shrink-runs N")
			}
			return interruptible(c, f.run)
		},
	}
	f.design.add(c, scenarios.DefaultRevision)
	c.Flags().StringVar(&f.start, "seed-start", "0", "the first `SEED`")
	c.Flags().IntVar(&f.count, "count", 500, "how many seeds")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "runs at the same time (default one a core)")
	addFaults(c, &f.level, "")
	c.Flags().IntVar(&f.shrink, "shrink-runs", sweepShrinkRuns, "most runs to shrink one failure of each group with")
	c.Flags().StringVar(&f.resume, "resume", "", "note every 1,000 seeds in this `FILE`, and go on behind those that it has from before")
	c.Flags().BoolVar(&f.doom, "doom", false, "say of each failure that was shrunk where it was lost, as mirrorsim doom does")
	addFaultsEnd(c, &f.faultsEnd, "with --doom: ")
	c.Flags().Bool("no-shrink", false, "do not shrink failures")
	c.PreRun = func(c *cobra.Command, _ []string) {
		if off, _ := c.Flags().GetBool("no-shrink"); off {
			f.shrink = 0
		}
	}
	return c
}

// parse reads the flags.
func (f *sweepFlags) parse() (o scenarios.SweepOptions, err error) {
	if o.Start, o.Level, err = parseSeeds(f.start, f.level, f.count); err != nil {
		return o, err
	}
	if err = cmp.Or(fromLeast("jobs", f.jobs, 0), fromLeast("shrink-runs", f.shrink, 0), creatable("resume", f.resume)); err != nil {
		return o, err
	}
	if f.doom && f.shrink == 0 {
		return o, together("doom", "it is said of failures that were shrunk", "without --no-shrink and --shrink-runs 0")
	}
	if f.doom && f.resume != "" {
		return o, together("doom", "what --resume notes has no runs that could be continued", "--doom", "--resume FILE")
	}
	if f.faultsEnd && !f.doom {
		return o, endWithoutDoom()
	}
	o.Count, o.Jobs, o.Shrink, o.Doom, o.FaultsEnd = f.count, f.jobs, f.shrink, f.doom, f.faultsEnd
	o.Designs, err = designsOf("protocol", f.design.revision, f.design.sets)
	return o, err
}

// designsOf are the designs of a flag's value: revisions with commas between them, each with the same decisions chosen. Without a
// value it is the default revision.
func designsOf(flag, value string, sets []string) (list []*scenarios.Design, err error) {
	var seen []string
	for revision := range strings.SplitSeq(value, ",") {
		if slices.Contains(seen, revision) || revision == "" && value != "" {
			return nil, wrongValue(flag, value, fmt.Sprintf("%q is empty or stands there twice", revision), "revisions with commas between them, each once")
		}
		seen = append(seen, revision)
		d, err := scenarios.Choose(&format.Scenario{}, revision, sets)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// sweep sweeps, in blocks that are noted in a file where one is given.
func (f *sweepFlags) sweep(ctx context.Context, o scenarios.SweepOptions) (*scenarios.SweepReport, error) {
	if f.resume != "" {
		return scenarios.Soak(ctx, o, f.resume)
	}
	return scenarios.Sweep(ctx, o)
}

func (f *sweepFlags) run(ctx context.Context, out, diag io.Writer) error {
	o, err := f.parse()
	if err != nil {
		return err
	}
	bar := newBar(diag, o.Count, "sweep")
	failed := 0
	o.Each = func(_ uint64, r *scenarios.Result) {
		if r.Violated() {
			failed++
			bar.Describe(fmt.Sprintf("sweep, %d failed", failed))
		}
		bar.Add(1)
	}
	o.Shrinking = func(group, groups int) {
		bar.Describe(fmt.Sprintf("shrinking failure %d of %d", group, groups))
	}
	rep, err := f.sweep(ctx, o)
	bar.Exit()
	if err != nil {
		return err
	}
	if *f.json {
		printJSON(out, rep)
	} else {
		printSweep(out, rep, o.Designs)
	}
	if code := rep.ExitStatus(); code != 0 {
		return status(code)
	}
	return nil
}
