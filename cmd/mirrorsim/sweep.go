package main

import (
	"context"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

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
			"once and reports what was done. What comes out does not depend on --jobs.\n\n" +
			"Exit status: 0 all holds, 1 something is violated, 2 bad input, 3 internal error, 4 unknown: the sweep was stopped, a\n" +
			"property had no occasion to fail, or a sweep of 500 runs or more under faults did not meet what it must.",
		Example: "  mirrorsim sweep --count 2000 --faults light\n  mirrorsim sweep --count 200 --faults swarm --protocol start-stop --json",
		Args:    arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return f.run(ctx, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.design.add(c)
	c.Flags().StringVar(&f.start, "seed-start", "0", "the first seed")
	c.Flags().IntVar(&f.count, "count", 500, "how many seeds")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "runs at the same time (default one a core)")
	addFaults(c, &f.level, "fault level")
	c.Flags().IntVar(&f.shrink, "shrink-runs", sweepShrinkRuns, "most runs to shrink one failure of each group with")
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
	if o.Start, err = parseSeed("seed-start", f.start); err != nil {
		return o, err
	}
	if o.Level, err = scenarios.ParseLevel(f.level); err != nil {
		return o, fmt.Errorf("--faults: %w", err)
	}
	if f.count < 1 || uint64(f.count-1) > maxSeed-o.Start {
		return o, fmt.Errorf("--count %d: a whole number from 1 is accepted, and the last seed is at most %d", f.count, uint64(maxSeed))
	}
	for flag, n := range map[string]int{"jobs": f.jobs, "shrink-runs": f.shrink} {
		if n < 0 {
			return o, fmt.Errorf("--%s %d: a whole number from 0 is accepted", flag, n)
		}
	}
	o.Count, o.Jobs, o.Shrink = f.count, f.jobs, f.shrink
	o.Design, err = scenarios.Choose(&format.Scenario{}, f.design.revision, f.design.sets)
	return o, err
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
	rep, err := scenarios.Sweep(ctx, o)
	bar.Exit()
	if err != nil {
		return err
	}
	if *f.json {
		printJSON(out, rep)
	} else {
		printSweep(out, rep, o.Design)
	}
	if code := rep.ExitStatus(); code != 0 {
		return status(code)
	}
	return nil
}

// printSweep prints what failed, the table of properties, what the runs met, and the verdict.
func printSweep(out io.Writer, r *scenarios.SweepReport, d *scenarios.Design) {
	last := r.SeedStart + uint64(r.Count) - 1
	fmt.Fprintf(out, "sweep: %s, faults %s, seeds %d to %d\n\n", d.Flags(), r.Faults, r.SeedStart, last)
	for _, f := range r.Failures {
		printFailure(out, f)
	}
	for _, p := range r.Properties {
		fmt.Fprintf(out, "  %-22s %-14s %11d occasions", p.ID, p.Verdict, p.Occasions)
		if p.Violations > 0 {
			fmt.Fprintf(out, ", %d violations", p.Violations)
		}
		if p.NotPromised > 0 {
			fmt.Fprintf(out, ", not promised in %d runs", p.NotPromised)
		}
		fmt.Fprintln(out)
	}
	var met []string
	for _, c := range r.Coverage {
		met = append(met, fmt.Sprintf("%s %.1f %% (want %d)", c.ID, c.Percent, c.Want))
	}
	fmt.Fprintf(out, "\nThe runs met: %s\n", strings.Join(met, ", "))
	for _, s := range r.Short {
		fmt.Fprintf(out, "UNKNOWN: %s\n", s)
	}
	fmt.Fprintf(out, "\n%s: %d runs, %d hold, %d violated, %d unknown; %d compared; %d deliveries, %d events, %.1f s\n",
		r.Verdict, r.Runs, r.Holds, r.Violated, r.Unknown, r.Compared, r.Deliveries, r.Events, r.WallSeconds)
}

// printFailure prints one group of failures.
func printFailure(out io.Writer, f *scenarios.SweepFailure) {
	fmt.Fprintf(out, "VIOLATED %s in %d runs, group %s: %s\n", f.Property, f.Runs, f.Group, f.Sentence)
	if len(f.Trail) > 0 {
		fmt.Fprintf(out, "After: %s\n", strings.Join(f.Trail, ", "))
	}
	fmt.Fprintf(out, "Seeds: %s\nRepeat it with: %s\n", strings.Trim(fmt.Sprint(f.Examples), "[]"), f.Reproduce)
	if f.Shrunk != "" {
		fmt.Fprintf(out, "Shrunk to %v in %d runs:\n\n%s", f.ShrunkTo, f.ShrunkRuns, f.Shrunk)
	}
	fmt.Fprintln(out)
}
