package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mirrorsim/checkers"
	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// shrinkFlags are the flags of shrink.
type shrinkFlags struct {
	what            runSource
	property, group string
	out             string
	runs            int
	doom, faultsEnd bool
	json            *bool
}

func shrinkCommand(asJSON *bool) *cobra.Command {
	f := &shrinkFlags{json: asJSON}
	c := &cobra.Command{
		Use:   "shrink [SCENARIO]",
		Short: "Make a failing run small: a scenario file that fails by itself in the same way",
		Long: "shrink takes a failing run: of SCENARIO, which is a name of the catalogue, a scenario file or a recording, or of the\n" +
			"generated scenario of a --seed. It drops steps, faults, deviations from the calm schedule, and parts of the topology\n" +
			"as long as the run fails by the same property after the same last points of the protocol. The result is a scenario\n" +
			"file. Ctrl-C leaves the smallest one so far.\n\n" +
			"Exit status: 0 it was shrunk, 1 the failing run does not repeat, 2 bad input or no failure, 3 internal error, 4 it was\n" +
			"stopped early; the file that is left fails all the same.",
		Example: "  mirrorsim shrink --seed 8 --faults light --protocol start-stop -o small.scn\n  mirrorsim shrink F4 --protocol start-stop --set marker=none\n  mirrorsim shrink run.rec",
		Args:    arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.what.take(c.Name(), args); err != nil {
				return err
			}
			return interruptible(c, f.run)
		},
	}
	f.what.add(c, faultsGenerated)
	addFailure(c, &f.property, &f.group, "keep the failure of this group")
	c.Flags().StringVarP(&f.out, "out", "o", "", "`FILE` to write (default: print it)")
	c.Flags().IntVar(&f.runs, "runs", scenarios.DefaultShrinkRuns, "most runs to take")
	c.Flags().BoolVar(&f.doom, "doom", false, "say where the shrunk run was lost, as mirrorsim doom does; with -o or --json")
	addFaultsEnd(c, &f.faultsEnd, "with --doom: ")
	return c
}

// parse checks the flags that can be judged without a run.
func (f *shrinkFlags) parse() error {
	all := append([]string{scenarios.Expectation}, format.Properties()...)
	if err := cmp.Or(fromLeast("runs", f.runs, 1), known("property", f.property, all), isGroup(f.group), creatable("out", f.out)); err != nil {
		return err
	}
	if f.doom && f.out == "" && !*f.json {
		return together("doom", "what is printed is the scenario alone", "with -o FILE", "with --json")
	}
	if f.faultsEnd && !f.doom {
		return endWithoutDoom()
	}
	return nil
}

// shrunkReport is a shrinking as JSON, schema mirrorsim.shrink/1.
type shrunkReport struct {
	Schema       string         `json:"schema"`         // mirrorsim.shrink/1
	Property     string         `json:"property"`       // that is violated
	Group        string         `json:"group"`          // of the failure
	Sentence     string         `json:"sentence"`       // what contradicts the property
	Runs         int            `json:"runs"`           // that it took
	Before       scenarios.Size `json:"before"`         // the size of the scenario as it came
	After        scenarios.Size `json:"after"`          // the size of what is left
	StoppedEarly bool           `json:"stopped_early"`  // interrupted, or out of runs
	File         string         `json:"file,omitempty"` // into which it was written
	Scenario     string         `json:"scenario"`       // what is left, as text; empty where it was interrupted before anything was

	Doom *scenarios.DoomReport `json:"doom,omitempty"` // where the shrunk run was lost, with --doom
}

func (f *shrinkFlags) run(ctx context.Context, out, diag io.Writer) error {
	if err := f.parse(); err != nil {
		return err
	}
	x, err := f.what.load()
	if err != nil {
		return err
	}
	bar := newBar(diag, f.runs, "shrink")
	shrunk, err := scenarios.Shrink(ctx, x.scenario, scenarios.ShrinkOptions{Design: x.design, Choices: x.options.Choices,
		Net: x.options.Net, Runs: f.runs, Found: x.command, Property: f.property, Group: f.group, Progress: func(p scenarios.ShrinkProgress) {
			bar.Describe(fmt.Sprintf("shrink, %d steps, %d deviations", p.Steps, p.Deviations))
			bar.Set(p.Runs)
		}})
	bar.Exit()
	var unrepeatable *scenarios.UnrepeatableError
	switch {
	case errors.As(err, &unrepeatable):
		fmt.Fprintf(diag, "mirrorsim: %v\n", err)
		return status(1)
	case errors.Is(err, context.Canceled):
		if *f.json {
			printJSON(out, shrunkReport{Schema: "mirrorsim.shrink/1", Property: f.property, Group: f.group, StoppedEarly: true})
		}
		fmt.Fprintln(diag, "mirrorsim: stopped before there was anything to leave")
		return status(exitUnknown)
	case err != nil:
		return noFailure(err, "a run that fails")
	}
	var doom *scenarios.DoomReport
	if f.doom && !shrunk.StoppedEarly {
		if doom, err = f.lost(ctx, diag, shrunk, x.design); err != nil {
			return err
		}
	}
	return f.tell(out, diag, shrunk, doom)
}

// lost says where the shrunk run was lost; nil when its failure is not one that continuations are judged by, or when it was stopped.
func (f *shrinkFlags) lost(ctx context.Context, diag io.Writer, x *scenarios.Shrunk, d *scenarios.Design) (*scenarios.DoomReport, error) {
	bar := newBar(diag, scenarios.DefaultDoomRuns, "doom")
	defer bar.Exit()
	r, err := x.Doom(ctx, d, f.faultsEnd, func(runs, about int) {
		bar.ChangeMax(about)
		bar.Set(runs)
	})
	var unjudged *scenarios.NoFailureError
	if errors.As(err, &unjudged) || errors.Is(err, context.Canceled) {
		fmt.Fprintf(diag, "mirrorsim: where it was lost is not known: %v\n", err)
		return nil, nil
	}
	return r, err
}

// tell writes the shrunk scenario to its file, or prints it, and says what it came to.
func (f *shrinkFlags) tell(out, diag io.Writer, x *scenarios.Shrunk, doom *scenarios.DoomReport) error {
	text := string(x.Scenario.AppendText(nil))
	if f.out != "" {
		if err := replace(f.out, text); err != nil {
			return err
		}
	}
	switch {
	case *f.json:
		printJSON(out, shrunkReport{"mirrorsim.shrink/1", x.Problem.Property, x.Problem.Group, x.Problem.Sentence, x.Runs,
			x.Before, x.After, x.StoppedEarly, f.out, text, doom})
	case f.out == "":
		fmt.Fprint(out, text)
	default:
		fmt.Fprintf(out, "%s: %s\nShrunk in %s from %v to %v.\nRun it with: mirrorsim run %s\n", x.Problem.Property,
			x.Problem.Sentence, checkers.Several(x.Runs, "run", "runs"), x.Before, x.After, runnable(f.out))
	}
	if doom != nil && !*f.json {
		fmt.Fprintln(out, "\nWhere it was lost:")
		doom.WriteText(out)
	}
	if x.StoppedEarly {
		fmt.Fprintln(diag, "mirrorsim: stopped early; smaller may be possible")
		return status(exitUnknown)
	}
	return nil
}

// runnable is a file as run takes it on a command line: a name without a point needs a slash.
func runnable(file string) string {
	if !isFile(file) {
		file = "." + string(os.PathSeparator) + file
	}
	return scenarios.Quoted(file)
}
