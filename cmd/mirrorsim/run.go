package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// runFlags are the flags of run.
type runFlags struct {
	what       runSource
	quiet      bool
	print      bool
	recordTo   string
	replayFrom string
	pictureDir string
	historyTo  string
	json       *bool
}

func runCommand(asJSON *bool) *cobra.Command {
	f := &runFlags{json: asJSON}
	c := &cobra.Command{
		Use:   "run [SCENARIO]",
		Short: "Run a scenario, tell it step by step, and check what must hold",
		Long: "run tells a scenario step by step: who did what, and the logs as strips after each step; then the verdict on every\n" +
			"property. SCENARIO is a name of the catalogue (default F1) or a file. Without --seed the schedule is calm:\n" +
			"messages arrive in order and on time. A seed from 0 to 2^53-1 draws another schedule, the same one every time.\n" +
			"With --faults and without a SCENARIO it is the generated scenario of the seed, as a sweep runs it. With a SCENARIO the\n" +
			"fault level adds no fault: it only sets how likely delays and losses are in the seed's schedule.\n" +
			"--history writes down the run's history, event by event; mirrorsim check judges such a file.\n\n" +
			"Exit status: 0 all holds, 1 something is violated, 2 bad input, 3 internal error, 4 unknown or interrupted.",
		Example: "  mirrorsim run\n  mirrorsim run F4 --protocol start-stop --set marker=none\n  mirrorsim run mine.scn --seed 7 --protocol start-stop --json\n" +
			"  mirrorsim run --seed 7 --faults light\n  mirrorsim run F4 --seed 7 --record f4.rec\n  mirrorsim run --replay f4.rec\n" +
			"  mirrorsim run F4 --history f4.jsonl",
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			f.what.name = "F1"
			if len(args) == 1 {
				f.what.name = args[0]
			}
			f.what.generated = len(args) == 0 && c.Flags().Changed("faults")
			if err := f.fit(c, args); err != nil {
				return err
			}
			if f.replayFrom != "" {
				return interruptible(c, f.replay)
			}
			return interruptible(c, f.run)
		},
	}
	f.what.add(c, faultsGenerated)
	c.Flags().BoolVar(&f.quiet, "quiet", false, "do not tell the steps")
	c.Flags().BoolVar(&f.print, "print", false, "print the scenario instead of running it")
	c.Flags().StringVar(&f.historyTo, "history", "", "write the history of the run to this `FILE`, as lines of JSON")
	c.Flags().StringVar(&f.recordTo, "record", "", "write a recording of the run to this `FILE`")
	c.Flags().StringVar(&f.replayFrom, "replay", "", "repeat the recording in this `FILE`")
	c.Flags().StringVar(&f.pictureDir, "pictures", "", "`DIR` for the pages that show violations of cross-check (default: a new\n"+
		"temporary one; with --json none is written)")
	return c
}

// fit refuses what does nothing in a run that is only printed, or in one that repeats a recording.
func (f *runFlags) fit(c *cobra.Command, args []string) error {
	switch {
	case f.print && f.what.generated:
		return only(c, "print", "the scenario is not run", "seed", "faults", "json")
	case f.print:
		return only(c, "print", "the scenario is not run", "json")
	case f.replayFrom != "" && len(args) > 0:
		return &format.InputError{Word: args[0], Message: args[0] + ": the recording of --replay has the scenario", Want: []string{"no SCENARIO"}}
	case f.replayFrom != "":
		err := only(c, "replay", "the recording has the scenario and the schedule", "protocol", "set", "history", "pictures", "quiet", "json")
		return cmp.Or(err, directory("pictures", f.pictureDir))
	}
	return directory("pictures", f.pictureDir)
}

func (f *runFlags) run(ctx context.Context, out, diag io.Writer) error {
	x, err := f.what.load()
	if err != nil {
		return err
	}
	if f.print {
		text := string(x.scenario.AppendText(nil))
		if *f.json {
			printJSON(out, listing{"mirrorsim.scenarios/1", []listed{{Name: x.scenario.Name, Story: x.scenario.Story, Text: text}}})
			return nil
		}
		_, err := io.WriteString(out, text)
		return err
	}
	if err := creatable("record", f.recordTo); err != nil {
		return err
	}
	h, err := f.takeDown(x)
	if err != nil {
		return err
	}
	defer h.drop()
	x.options.Stop = func() bool { return ctx.Err() != nil }
	f.head(out, x)
	r, err := f.make(x)
	switch {
	case err != nil:
		return err
	case r.Stopped:
		return f.stopped(x, r, out, diag)
	}
	if err := h.put(); err != nil {
		return err
	}
	pictures, err := f.pictures(x, r)
	if err != nil {
		return err
	}
	if *f.json {
		rep := x.report(r)
		rep.Pictures = pictures
		printJSON(out, rep)
	} else {
		printVerdict(out, r, x.command, x.tail.Rows(), pictures)
	}
	if code := r.ExitStatus(); code != 0 {
		return status(code)
	}
	return nil
}

// stopped tells of a run that was interrupted: it is not judged, and no file of it is whole.
func (f *runFlags) stopped(x *source, r *scenarios.Result, out, diag io.Writer) error {
	if *f.json {
		printJSON(out, x.report(r))
	}
	fmt.Fprintf(diag, "mirrorsim: the run was interrupted after %s: it is not judged\n", checkers.Several(r.Deliveries, "delivery", "deliveries"))
	for _, file := range []string{f.recordTo, f.historyTo} {
		if file != "" {
			fmt.Fprintf(diag, "mirrorsim: %s is not written\n", file)
		}
	}
	return status(exitUnknown)
}

// make runs x, and records it when that is asked for.
func (f *runFlags) make(x *source) (*scenarios.Result, error) {
	if f.recordTo != "" {
		return f.record(x)
	}
	return scenarios.Run(x.scenario, x.options)
}

// head prints what is run, and has the run tell its story.
func (f *runFlags) head(out io.Writer, x *source) {
	if *f.json {
		return
	}
	if x.design.Override != "" {
		fmt.Fprintln(out, "The command line overrides the file:", x.design.Override)
	}
	printHead(out, x.name, x.scenario.Story, x.design, x.schedule())
	if x.options.Story = &x.tail; !f.quiet {
		x.options.Story = scenarios.NewStory(out)
	}
}

// schedule says which schedule a run of x has, and what the fault level does to it.
func (x *source) schedule() string {
	switch n := len(x.scenario.Schedule); {
	case x.made:
		return fmt.Sprintf("seed %d, faults %v", *x.seed, x.level)
	case x.level != scenarios.NoFaults:
		return fmt.Sprintf("seed %d, delays and losses as under faults %v", *x.seed, x.level)
	case x.seed != nil:
		return fmt.Sprintf("seed %d", *x.seed)
	case n > 0:
		return checkers.Several(n, "deviation", "deviations") + " from the calm schedule"
	}
	return "calm schedule"
}

func printHead(out io.Writer, name, story string, d *scenarios.Design, schedule string) {
	fmt.Fprintf(out, "%s: %s, %s\n", name, d.Flags(), schedule)
	if story != "" {
		fmt.Fprintf(out, "\n%s\n", story)
	}
}

// printVerdict prints what the run came to: what failed in sentences, the command that repeats it and, of a run that was
// not told, the acts before it; then the table. pictures are the files that show the violations of cross-check, in their order.
func printVerdict(out io.Writer, r *scenarios.Result, command string, acts, pictures []string) {
	fmt.Fprintln(out)
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			for i, x := range v.Violations {
				fmt.Fprintf(out, "VIOLATED %s: %s\n", v.Property, x.Sentence)
				if v.Property == checkers.Crossed.String() && i < len(pictures) {
					fmt.Fprintf(out, "  picture for a browser: %s\n", pictures[i])
				}
			}
		}
	}
	for _, x := range r.Failures {
		fmt.Fprintf(out, "FAILED %s%s: %s\n", scenarios.AtLine(x.Line), x.Text, x.Got)
	}
	for _, x := range r.Refused {
		fmt.Fprintf(out, "REFUSED step %d: %v: %s%s\n", x.Step, x.Code, scenarios.AtLine(x.Line), x.Text)
	}
	for _, x := range r.Accepted {
		fmt.Fprintf(out, "ACCEPTED LIMIT %s\n", x)
	}
	if r.Violated() {
		fmt.Fprintf(out, "Repeat it with: %s\n\n", command)
		if len(acts) > 0 {
			fmt.Fprintf(out, "The last acts before it:\n%s\n\n", strings.Join(acts, "\n"))
		}
	}
	printTable(out, r.Verdicts, r.Ledger, r.Names)
	fmt.Fprintf(out, "\n%s: %s, %s, %.3f s of virtual time, hash %016x\n", r.Verdict(), checkers.Several(r.Deliveries, "delivery", "deliveries"),
		checkers.Several(r.Events, "event", "events"),
		float64(r.Virtual)/float64(id.Second), r.Hash)
}

// printTable prints the verdict on each property, and what was lost of each partition.
func printTable(out io.Writer, verdicts []checkers.Verdict, l *checkers.Ledger, n *id.Names) {
	for _, v := range verdicts {
		fmt.Fprintf(out, "  %-22s %-14s %7d %s\n", v.Property, v.Status, v.Occasions, checkers.Noun(v.Occasions, "occasion", "occasions"))
	}
	for _, report := range l.LossReports() {
		fmt.Fprintf(out, "\n%s", report.AppendText(nil, n))
	}
}
