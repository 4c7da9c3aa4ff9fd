package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/checkers"
	"mirrorsim/scenarios"
)

// doomFlags are the flags of doom.
type doomFlags struct {
	what            runSource
	property, group string
	noise           string
	faultsEnd       bool
	runs            int
	json            *bool
}

func doomCommand(asJSON *bool) *cobra.Command {
	f := &doomFlags{json: asJSON}
	c := &cobra.Command{
		Use:   "doom [SCENARIO]",
		Short: "Say where a failing run was lost: from which moment on its failure was inevitable",
		Long: "doom takes a failing run: of SCENARIO, which is a name of the catalogue, a scenario file or a recording, or of the\n" +
			"generated scenario of a --seed. It forks the run at moments all over it, has 40 random continuations go on from each,\n" +
			"counts those that fail by the same property, and halves what lies between the moments where few do and those where all\n" +
			"do. A moment is the end of a turn, in which one input was handled or one step began, or a point of the protocol that\n" +
			"was reached in the midst of one. Named are the last moment that was safe, where at most a tenth fails, and the first that\n" +
			"was doomed, where all fail; both are measured twice.\n\n" +
			"A continuation keeps the steps that are left, faults included, and draws the choices anew. --faults-end leaves out the\n" +
			"faults that have not fallen yet: then it shows after which fault there was no way back.\n" +
			"Equal input gives equal output. scenarios/DOOM.md says how to read it, and what its JSON means.\n\n" +
			"Exit status: 0 it was measured, 2 bad input or no such failure, 3 internal error, 4 it was stopped early.",
		Example: "  mirrorsim doom --seed 8 --faults light --protocol start-stop\n" +
			"  mirrorsim doom F4 --protocol start-stop --set marker=none --property log-matching\n" +
			"  mirrorsim doom small.scn --noise swarm --json",
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.what.take(c.Name(), args); err != nil {
				return err
			}
			return interruptible(c, f.run)
		},
	}
	f.what.add(c, faultsGenerated)
	addFailure(c, &f.property, &f.group, "count only failures of this group")
	c.Flags().StringVar(&f.noise, "noise", "", "fault `LEVEL` of whose runs the continuations have the network: "+strings.Join(scenarios.Levels(), ", ")+
		"\n(default: the network of the run; of one without a seed, that of run SCENARIO --seed N)")
	addFaultsEnd(c, &f.faultsEnd, "")
	c.Flags().IntVar(&f.runs, "runs", scenarios.DefaultDoomRuns, "continuations of each moment")
	return c
}

// addFaultsEnd adds the flag that leaves out faults of continuations; when is when it may be given.
func addFaultsEnd(c *cobra.Command, end *bool, when string) {
	c.Flags().BoolVar(end, "faults-end", false, when+"continuations go without the faults of the scenario that have not fallen yet")
}

// endWithoutDoom refuses that flag where there are no continuations.
func endWithoutDoom() error {
	return together("faults-end", "without --doom there are no continuations", "--doom --faults-end")
}

// options reads the flags.
func (f *doomFlags) options(x *source) (o scenarios.DoomOptions, err error) {
	o = scenarios.DoomOptions{Design: x.design, Choices: x.options.Choices, Net: x.options.Net, Runs: f.runs, Group: f.group,
		Property: f.property, FaultsEnd: f.faultsEnd}
	if err := cmp.Or(fromLeast("runs", f.runs, 1), known("property", f.property, scenarios.Judged()), isGroup(f.group)); err != nil {
		return o, err
	}
	if f.noise == "" {
		return o, nil
	}
	level, err := parseLevel("noise", f.noise)
	if err != nil {
		return o, err
	}
	seed := uint64(0)
	if x.seed != nil {
		seed = *x.seed
	}
	net := level.Network(seed)
	o.Noise = &net
	return o, nil
}

func (f *doomFlags) run(ctx context.Context, out, diag io.Writer) error {
	x, err := f.what.load()
	if err != nil {
		return err
	}
	o, err := f.options(x)
	if err != nil {
		return err
	}
	bar := newBar(diag, f.runs, "doom")
	o.Progress = func(runs, about int) {
		bar.ChangeMax(about)
		bar.Set(runs)
	}
	r, err := scenarios.Doom(ctx, x.name, x.scenario, o)
	bar.Exit()
	switch {
	case errors.Is(err, context.Canceled):
		if *f.json {
			printJSON(out, scenarios.UnmeasuredDoom(x.name, o, x.command))
		}
		fmt.Fprintln(diag, "mirrorsim: stopped before anything was measured")
		return status(exitUnknown)
	case err != nil:
		return noFailure(err, "a run that fails by anything but "+checkers.Crossed.String()+", which judges whole runs only, and what is expected on the calm schedule")
	}
	r.Reproduce = x.command
	if *f.json {
		printJSON(out, r)
	} else {
		printHead(out, x.name, "", x.design, x.schedule())
		r.WriteText(out)
	}
	if r.StoppedEarly {
		fmt.Fprintln(diag, "mirrorsim: stopped early; the moments are not found yet")
		return status(exitUnknown)
	}
	return nil
}
