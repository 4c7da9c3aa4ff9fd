package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/checkers"
	"mirrorsim/scenarios"
)

// guideFlags are the flags of guide.
type guideFlags struct {
	design  designFlags
	start   string
	count   int
	level   string
	dir     string
	compare int
	json    *bool
}

func guideCommand(asJSON *bool) *cobra.Command {
	f := &guideFlags{json: asJSON}
	c := &cobra.Command{
		Use:   "guide",
		Short: "Search for failures by extending generated runs from states that were rarely seen",
		Long: "guide runs generated scenarios as sweep does, and keeps snapshots of runs that enter a coarse state which at most one\n" +
			"run in a hundred has entered. A coarse state is of one partition on one cluster: its mirror state, the step of its stop,\n" +
			"and of each replica its role, whether its leader epoch is the present one, whether its log is the same as the leader's,\n" +
			"behind it, ahead of it or diverged from it, whether its high watermark is below its log end, and whether it is in the ISR. About every second\n" +
			"run extends a snapshot by new choices; half of these meet one more fault. The rest are runs of new seeds.\n\n" +
			"A failing run is a scenario file with choose lines that fails by itself: --out DIR writes one of each group. It has been\n" +
			"run once, and compared. Equal input gives equal output. scenarios/GUIDANCE.md says what it is worth.\n\n" +
			"--compare N makes N pairs of searches for each design, one blind and one guided, which ends when it has handled as many\n" +
			"deliveries, and prints when each saw each property violated first, as a table in Markdown.\n\n" +
			"Exit status: 0 no run failed, 1 something is violated, 2 bad input, 3 internal error, 4 unknown: it was stopped early, or\n" +
			"what is promised is not promised at this level of faults. With --compare: 0 compared, 4 stopped early.",
		Example: "  mirrorsim guide --protocol start-stop --count 200 --out .\n  mirrorsim guide --protocol aligned,first --count 300 --compare 5",
		Args:    arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			return interruptible(c, f.run)
		},
	}
	f.design.add(c, scenarios.DefaultRevision)
	c.Flags().StringVar(&f.start, "seed-start", "0", "the first `SEED`")
	c.Flags().IntVar(&f.count, "count", 500, "how many runs; with --compare, of each blind search")
	c.Flags().StringVar(&f.dir, "out", "", "`DIR` that exists: write a failing run of each group there, as PROPERTY-GROUP.scn")
	c.Flags().IntVar(&f.compare, "compare", 0, "compare with blind searches: so many pairs for each design")
	addFaults(c, &f.level, "")
	c.Flags().Lookup("faults").DefValue, f.level = "swarm", "swarm"
	return c
}

// parse reads the flags as those of a sweep, which has them too.
func (f *guideFlags) parse() (o scenarios.SweepOptions, err error) {
	s := &sweepFlags{design: f.design, start: f.start, count: f.count, level: f.level}
	if o, err = s.parse(); err != nil {
		return o, err
	}
	switch {
	case f.compare < 0:
		return o, fromLeast("compare", f.compare, 0)
	case f.compare == 0 && len(o.Designs) > 1:
		return o, wrongValue("protocol", f.design.revision, "a search is of one design", "one revision", "several with --compare N")
	case f.compare > 0 && f.dir != "":
		return o, together("out", "a comparison writes no files", "--out DIR", "--compare N")
	}
	return o, directory("out", f.dir)
}

func (f *guideFlags) run(ctx context.Context, out, diag io.Writer) error {
	o, err := f.parse()
	if err != nil {
		return err
	}
	if f.compare > 0 {
		return f.compared(ctx, o, out, diag)
	}
	bar := newBar(diag, o.Count, "guide")
	r, err := scenarios.Guide(ctx, scenarios.GuideOptions{Start: o.Start, Count: o.Count, Level: o.Level, Design: o.Designs[0],
		Each: func(*scenarios.GuidedRun) { bar.Add(1) }})
	bar.Exit()
	if err == nil {
		err = f.write(r)
	}
	if err != nil {
		return err
	}
	if *f.json {
		printJSON(out, r)
	} else {
		printGuide(out, r, o.Designs[0])
	}
	if code := r.ExitStatus(); code != 0 {
		return status(code)
	}
	return nil
}

// write writes a failing run of each group.
func (f *guideFlags) write(r *scenarios.GuideReport) error {
	for _, x := range r.Failures {
		if f.dir == "" {
			return nil
		}
		x.File = filepath.Join(f.dir, x.Property+"-"+x.Group+".scn")
		if err := replace(x.File, x.Scenario); err != nil {
			return err
		}
	}
	return nil
}

// printGuide prints what failed and how the runs came there, then what the search has done.
func printGuide(out io.Writer, r *scenarios.GuideReport, d *scenarios.Design) {
	fmt.Fprintf(out, "guide: %s, faults %s, from seed %d on\n\n", d.Flags(), r.Faults, r.SeedStart)
	for _, x := range r.Failures {
		fmt.Fprintf(out, "VIOLATED %s in %s, group %s, first in run %d: %s\n", x.Property, checkers.Several(x.Runs, "run", "runs"), x.Group, x.Run, x.Sentence)
		fmt.Fprintf(out, "  the run of seed %d\n", x.Seed)
		for _, b := range x.Branches {
			fmt.Fprintf(out, "  from turn %d on by choices of its own, number %d, where a partition was %s\n", b.Turn, b.Seed, b.State)
			for _, fault := range b.Faults {
				fmt.Fprintf(out, "    with: %s\n", fault)
			}
		}
		switch {
		case x.File != "":
			fmt.Fprintf(out, "Repeat it with: mirrorsim run %s\n\n", runnable(x.File))
		case len(x.Branches) == 0:
			fmt.Fprintf(out, "Repeat it with: mirrorsim run --seed %d --faults %s %s\n\n", x.Seed, r.Faults, d.Flags())
		default:
			fmt.Fprint(out, "Repeat it with the file that --out DIR writes.\n\n")
		}
	}
	if r.StoppedEarly {
		fmt.Fprintf(out, "UNKNOWN: stopped early, when %d of %d runs were made\n", r.Runs, r.Count)
	}
	fmt.Fprintf(out, "%s: %s, %d of new seeds, %s, %d of them with one more fault; %d violated; %s; %s\n", r.Verdict,
		checkers.Several(r.Runs, "run", "runs"), r.Seeds, checkers.Several(r.Extended, "extension", "extensions"), r.Planted, r.Violated,
		checkers.Several(r.States, "coarse state", "coarse states"), checkers.Several(r.Deliveries, "delivery", "deliveries"))
}

// compared compares guided searches with blind ones.
func (f *guideFlags) compared(ctx context.Context, o scenarios.SweepOptions, out, diag io.Writer) error {
	bar := newBar(diag, f.compare*len(o.Designs), "compare")
	c, err := scenarios.MeasureGuidance(ctx, scenarios.GuidanceOptions{Designs: o.Designs, Level: o.Level, Start: o.Start, Bases: f.compare,
		Runs: o.Count, Each: func() { bar.Add(1) }})
	bar.Exit()
	if err != nil {
		return err
	}
	if *f.json {
		printJSON(out, c)
	} else {
		f.printCompared(out, c, o.Designs)
	}
	if c.StoppedEarly {
		fmt.Fprintf(diag, "mirrorsim: stopped early, when %d of %s were made\n", c.Pairs, checkers.Several(f.compare*len(o.Designs), "pair", "pairs"))
		return status(exitUnknown)
	}
	return nil
}

// printCompared prints the table of what was compared, and what it comes to.
func (f *guideFlags) printCompared(out io.Writer, c *scenarios.Guidance, designs []*scenarios.Design) {
	var flags []string
	for _, d := range designs {
		flags = append(flags, d.Flags())
	}
	fmt.Fprintf(out, "%s, faults %s: %s each, from seed %d on; a blind one is %s\n\n", strings.Join(flags, ", "), c.Faults,
		checkers.Several(c.Bases, "pair of searches", "pairs of searches"), c.Start, checkers.Several(c.Runs, "run", "runs"))
	c.WriteMarkdown(out)
	sooner, later, same := c.Tally()
	fmt.Fprintf(out, "\nOf what a blind search does not find within its first few runs, guidance found %d sooner, %d later and %d "+
		"neither,\nby the median of deliveries. The guided searches made %s, the blind ones %d, of %.1f and %.1f million deliveries.\n", sooner, later,
		same, checkers.Several(c.Guided.Runs, "run", "runs"), c.Blind.Runs, float64(c.Guided.Deliveries)/1e6, float64(c.Blind.Deliveries)/1e6)
}
