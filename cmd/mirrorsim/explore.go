package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// exploreFlags are the flags of explore.
type exploreFlags struct {
	design  designFlags
	o       scenarios.ExploreOptions
	quantum string
	out     string
	json    *bool
}

func exploreCommand(asJSON *bool) *cobra.Command {
	f := &exploreFlags{json: asJSON}
	c := &cobra.Command{
		Use:   "explore SCENARIO",
		Short: "Follow every run of a scenario that departs from the calm one a few times, with a few crashes",
		Long: "explore follows every run of SCENARIO, which is a name of the catalogue or a file, that departs from the calm schedule in\n" +
			"at most --departures things that happen (another message or timer comes first than the calm one) with at most --crashes\n" +
			"crashes: of each broker at every step and at every point of the protocol that a step reaches, each for good, with a start\n" +
			"at once, or with one at any later step. It goes breadth first and merges states with the same future.\n\n" +
			"The scenario is explored in a world of its own: messages take no time, and timers fire at multiples of --quantum, unless\n" +
			"the file has settings for that. Runs depart and nodes crash between the begin of the step --from and the end of the\n" +
			"step --to; before and behind they are calm. Steps are counted from 1, a repeat as one. A wait that does not come to its\n" +
			"end is no violation, since a node may be down for good: say or-go-on there, or end with live.\n\n" +
			"Of each violated property the shortest run is printed as a scenario that mirrorsim run repeats; -o writes the first\n" +
			"that is no expectation, or else the first; without any it leaves FILE as it is.\n" +
			"It is complete if nothing but --departures and --crashes cut anything; of two moves that lead to one state in either order,\n" +
			"one order is enough, unless --all-orders is given. With the setting timer-lead a timer comes before something else only if it is\n" +
			"due no more than that later: then it is complete within that lead. Ctrl-C stops and reports what was done. What comes out\n" +
			"does not depend on --jobs. scenarios/EXPLORE.md says what it finds and costs.\n\n" +
			"Exit status: 0 it is complete and all holds, 1 something is violated, 2 bad input, 3 internal error, 4 unknown: it is not\n" +
			"complete.",
		Example: "  mirrorsim explore scenarios/explore/stop-and-failback.scn --from 5 --departures 0 --crashes 1\n" +
			"  mirrorsim explore F1 --departures 1 --protocol start-stop --set marker=none -o found.scn",
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return interruptible(c, func(ctx context.Context, out, diag io.Writer) error { return f.run(ctx, args[0], out, diag) })
		},
	}
	f.design.add(c, ofScenario)
	flags := c.Flags()
	flags.BoolVar(&f.o.AllOrders, "all-orders", false, "make every move before the calm one too, even if that leads nowhere else")
	flags.IntVar(&f.o.Departures, "departures", 1, "most departures of a run from the calm schedule")
	flags.IntVar(&f.o.Crashes, "crashes", 0, "most crashes of a run")
	flags.BoolVar(&f.o.Controllers, "controllers", false, "controllers may crash too, not brokers only")
	flags.IntVar(&f.o.MaxStates, "max-states", 40_000_000, "stop when about so many states are known; 0: no bound. One takes 32 to 64 bytes, and\nwhile it waits some 50 KB: those that wait grow with --crashes")
	flags.IntVar(&f.o.From, "from", 1, "the first step in which runs depart and nodes crash")
	flags.IntVar(&f.o.To, "to", 0, "the last such step (default the last one)")
	flags.StringVar(&f.quantum, "quantum", "", "timers fire at multiples of this `TIME`, unless the file has timer-quantum (default "+scenarios.DefaultQuantum.String()+")")
	flags.IntVar(&f.o.Jobs, "jobs", 0, "states expanded at the same time (default one a core)")
	flags.StringVarP(&f.out, "out", "o", "", "`FILE` to write the shortest violation to, an expectation only if nothing else is violated")
	return c
}

func (f *exploreFlags) run(ctx context.Context, name string, out, diag io.Writer) error {
	if err := f.parse(); err != nil {
		return err
	}
	s, err := explorable(name)
	if err != nil {
		return err
	}
	if isFile(name) {
		f.o.File = name
	}
	if f.o.Design, err = scenarios.Choose(s, f.design.revision, f.design.sets); err != nil {
		return err
	}
	f.o.Command = f.command(name)
	bar := newBar(diag, -1, "explore")
	f.o.Progress = func(p scenarios.ExploreProgress) {
		bar.Describe(fmt.Sprintf("explore, depth %d, %d states wait", p.Depth, p.Frontier))
		bar.Set(p.States)
	}
	rep, err := scenarios.Explore(ctx, s, f.o)
	bar.Exit()
	if err != nil {
		return err
	}
	return f.tell(out, diag, rep)
}

// explorable is load of what can be explored: no recording of a run that was not calm, as none departs from its choices.
func explorable(name string) (*format.Scenario, error) {
	if !isFile(name) {
		return load(name)
	}
	want := []string{"a scenario file without choose lines", "a name that mirrorsim scenarios list has"}
	src, err := read(name, strings.Join(want, ", or "))
	if err != nil {
		return nil, err
	}
	if !scenarios.IsRecording(src) {
		return format.Parse(name, src)
	}
	s, err := load(name)
	if err == nil && len(s.Schedule) > 0 {
		err = &format.InputError{Word: name, Message: name + " is the recording of a run that was not calm, and runs depart from a calm one", Want: want}
	}
	return s, err
}

// parse reads the flags that can be judged without the scenario.
func (f *exploreFlags) parse() error {
	if err := cmp.Or(fromLeast("max-states", f.o.MaxStates, 0), fromLeast("jobs", f.o.Jobs, 0), fromLeast("from", f.o.From, 1),
		creatable("out", f.out)); err != nil {
		return err
	}
	if f.quantum != "" {
		q, err := id.ParseDuration(f.quantum)
		if err != nil || q <= 0 {
			return wrongValue("quantum", f.quantum, "not a time above 0", "a whole number and us, ms, s, m or h, such as 500ms")
		}
		f.o.Quantum = q
	}
	return nil
}

// command is the command line that repeats the exploration.
func (f *exploreFlags) command(name string) string {
	o := &f.o
	text := fmt.Sprintf("mirrorsim explore %s --departures %d --crashes %d --max-states %d --from %d", scenarios.Quoted(name), o.Departures, o.Crashes, o.MaxStates, o.From)
	if o.To != 0 {
		text += fmt.Sprintf(" --to %d", o.To)
	}
	if o.Controllers {
		text += " --controllers"
	}
	if o.AllOrders {
		text += " --all-orders"
	}
	if f.quantum != "" {
		text += " --quantum " + f.quantum
	}
	return text + " " + o.Design.Flags()
}

func (f *exploreFlags) tell(out, diag io.Writer, r *scenarios.ExploreReport) error {
	kept := shortest(r)
	if f.out != "" && kept >= 0 {
		if err := replace(f.out, r.Violations[kept].Scenario); err != nil {
			return err
		}
	}
	if *f.json {
		printJSON(out, r)
	} else {
		f.print(out, r, kept)
	}
	if f.out != "" && kept < 0 {
		fmt.Fprintf(diag, "mirrorsim: %s\n", unwritten(f.out))
	}
	if code := r.ExitStatus(); code != 0 {
		return status(code)
	}
	return nil
}

// shortest is the violation that goes into the file, by its place: the shortest one of a property, as an expectation may be one of
// the calm schedule, by which doom does not judge; without one the shortest of all. It is -1 if there is none.
func shortest(r *scenarios.ExploreReport) int {
	property := func(v scenarios.ExploreViolation) bool { return v.Property != scenarios.Expectation }
	if i := slices.IndexFunc(r.Violations, property); i >= 0 || len(r.Violations) == 0 {
		return i
	}
	return 0
}

// unwritten says that there was nothing to write into a file. One that stands there is left, as it may be that of another run.
func unwritten(file string) string {
	text := "nothing that is violated was found, so nothing was written to " + file
	if _, err := os.Stat(file); err == nil {
		text += "; what stands there is not of this run"
	}
	return text
}

// print prints the violations, each with what leads to it, and what was explored. The one at kept is in the file.
func (f *exploreFlags) print(out io.Writer, r *scenarios.ExploreReport, kept int) {
	fmt.Fprintf(out, "explore %s: %s, steps %d to %d, departures up to %d, crashes up to %d\n\n", r.Scenario, f.o.Design.Flags(), r.From, r.To,
		r.Departures, r.Crashes)
	for i := range r.Violations {
		v := &r.Violations[i]
		fmt.Fprintf(out, "VIOLATED %s, departures %d, crashes %d, moves %d, group %s: %s\n", v.Property, v.Departures, v.Crashes, v.Moves,
			v.Group, v.Sentence)
		if len(v.Trail) > 0 {
			fmt.Fprintf(out, "After: %s\n", strings.Join(v.Trail, ", "))
		}
		if i == kept && f.out != "" {
			fmt.Fprintf(out, "Repeat it with: mirrorsim run %s\n\n", runnable(f.out))
		} else {
			fmt.Fprintf(out, "The scenario that repeats it:\n\n%s\n", v.Scenario)
		}
		fmt.Fprintf(out, "The last acts before it:\n%s\n\n", strings.Join(v.Acts, "\n"))
	}
	fmt.Fprintf(out, "  %-12s %12d  different ones, %d a second with %s\n", "states", r.States, r.PerSecond, checkers.Several(r.Jobs, "job", "jobs"))
	fmt.Fprintf(out, "  %-12s %12d\n", "transitions", r.Transitions)
	fmt.Fprintf(out, "  %-12s %12d  moves that may as well come behind the calm one\n", "left out", r.LeftOut)
	fmt.Fprintf(out, "  %-12s %12d  moves of the longest run; at most %s waited\n", "depth", r.Depth, checkers.Several(r.Widest, "state", "states"))
	fmt.Fprintf(out, "  %-12s %12d  states in which a run was over; %d of them with a step that did not\n"+
		"%28scomplete, or an expectation that was not met\n", "ends", r.Ends, r.Unfinished, "")
	p := &r.Prices
	fmt.Fprintf(out, "  a move takes %.1f us for the fork, %.1f for the step and %.1f for the fingerprint; measured apart, a clone and\n"+
		"  a print of the monitor take %.1f: step and fingerprint have them within where a fork shares the monitor\n\n",
		p.Fork, p.Step, p.Fingerprint, p.Monitor)
	complete := "complete"
	if !r.Complete {
		complete = "not complete (" + r.Cut + ")"
	}
	if r.TimerLead != "" {
		complete += " within a timer lead of " + r.TimerLead
	}
	fmt.Fprintf(out, "%s: %s, %.1f s\n", r.Verdict, complete, r.Seconds)
	if len(r.Violations) > 0 {
		fmt.Fprintf(out, "Repeat it with: %s\n", r.Reproduce)
	}
}
