package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// runSource is what the command line says of a run: of which scenario, under which design, on which schedule.
type runSource struct {
	design    designFlags
	name      string // of a scenario or a file
	generated bool   // the generated scenario of the seed instead
	seed      string // empty: the calm schedule
	level     string
}

// What a fault level means to a command that runs a scenario of its own, and to one that runs generated scenarios too.
const (
	faultsNamed     = "\n(the faults are those of the scenario: it only sets how likely delays and losses are)"
	faultsGenerated = "\n(without a SCENARIO that of the seed's generated scenario; with one it only sets how likely delays and losses are)"
)

// add adds the flags; faults is what the fault level means to the command.
func (f *runSource) add(c *cobra.Command, faults string) {
	f.design.add(c, ofScenario)
	c.Flags().StringVar(&f.seed, "seed", "", "`SEED` of the schedule, 0 to 2^53-1 (default: the calm schedule)")
	addFaults(c, &f.level, faults)
}

// source is a run that can be made.
type source struct {
	scenario *format.Scenario
	name     string
	design   *scenarios.Design
	options  scenarios.Options
	seed     *uint64 // nil: the calm schedule
	level    scenarios.Level
	made     bool           // the scenario is generated, with the faults of the level
	command  string         // that repeats it
	tail     scenarios.Tail // the last acts of a run that is not told
}

// take reads the argument of a command that takes a failing run: a scenario, or none and a seed of which one is generated.
func (f *runSource) take(command string, args []string) error {
	if f.generated = len(args) == 0; !f.generated {
		f.name = args[0]
	} else if f.seed == "" {
		return &format.InputError{Word: command, Message: command + " is told no run",
			Want: []string{"the name of a scenario", "a file: a scenario or a recording", "--seed N --faults LEVEL, the generated scenario of a seed"}}
	}
	return nil
}

// addFailure adds the flags of a command that says which failure of a run is meant.
func addFailure(c *cobra.Command, property, group *string, only string) {
	c.Flags().StringVar(property, "property", "", "the failure that is meant, by its `PROPERTY` (default: the first one of the run)")
	c.Flags().StringVar(group, "group", "", only+", as sweep and run --json name it: `HEX` digits (default: any of the property)")
}

// noFailure says what is accepted in place of a run that does not fail in the way that is meant: what it fails by, or want.
func noFailure(err error, want string) error {
	var none *scenarios.NoFailureError
	if !errors.As(err, &none) {
		return err
	}
	x := &format.InputError{Word: cmp.Or(none.Group, none.Property, none.Name), Message: err.Error(), Want: []string{want}}
	for i, p := range none.Fails {
		if i == 0 {
			x.Message, x.Want = x.Message+", but otherwise", nil
		}
		x.Want = append(x.Want, "--property "+p)
	}
	return x
}

// load finds the scenario and makes the options of the run.
func (f *runSource) load() (*source, error) {
	x := &source{name: f.name, made: f.generated}
	var err error
	if x.level, err = parseLevel("faults", f.level); err != nil {
		return nil, err
	}
	if f.seed != "" {
		n, err := parseSeed("seed", f.seed)
		if err != nil {
			return nil, err
		}
		x.seed = &n
	}
	switch {
	case f.generated && x.seed == nil:
		return nil, wrongValue("faults", f.level, "without a SCENARIO it means the generated scenario of a seed", "with --seed N", "with a SCENARIO")
	case f.generated:
		x.scenario = scenarios.Generate(*x.seed, x.level)
		x.name = x.scenario.Name
	case x.level != scenarios.NoFaults && x.seed == nil:
		return nil, wrongValue("faults", f.level, "on the calm schedule no message is late", "with --seed N", "none")
	default:
		if x.scenario, err = load(f.name); err != nil {
			return nil, err
		}
		if !isFile(f.name) {
			x.name = x.scenario.Name // as the catalogue writes it
		}
	}
	if x.design, err = scenarios.Choose(x.scenario, f.design.revision, f.design.sets); err != nil {
		return nil, err
	}
	if err := scenarios.Runnable(x.scenario, x.design.Config); err != nil {
		return nil, err
	}
	x.options = scenarios.Options{Protocol: x.design.Config, CrossCheck: true}
	x.command = scenarios.Reproduce(x.name, x.design, x.seed)
	switch {
	case f.generated:
		x.options = x.options.WithLevel(*x.seed, x.level)
		x.command = scenarios.ReproduceSeed(x.design, *x.seed, x.level)
	case x.level != scenarios.NoFaults:
		x.options = x.options.WithLevel(*x.seed, x.level)
		x.command += " --faults " + x.level.String()
	case x.seed != nil:
		x.options = x.options.WithSeed(*x.seed)
	}
	return x, nil
}

// report is a run of x as JSON.
func (x *source) report(r *scenarios.Result) *scenarios.Report {
	rep := r.Report(x.name, x.design, x.seed)
	rep.Faults, rep.Reproduce = x.level.String(), x.command
	return rep
}

// isFile tells whether a name is that of a file, and not of a scenario of the catalogue.
func isFile(name string) bool { return strings.ContainsAny(name, "/.") }

// load is the scenario of that name from the catalogue, or from a file when the name looks like a path. The file may be a
// recording: then its scenario with its choose lines.
func load(name string) (*format.Scenario, error) {
	if !isFile(name) {
		f, err := scenarios.Find(name)
		var unknown *format.InputError
		if errors.As(err, &unknown) {
			unknown.Want = append([]string{"a file, such as mine.scn or ./mine"}, unknown.Want...)
		}
		if err != nil {
			return nil, err
		}
		return f.Scenario()
	}
	src, err := read(name, "a scenario file, a recording, or a name that mirrorsim scenarios list has")
	if err != nil {
		return nil, err
	}
	if scenarios.IsRecording(src) {
		rec, err := scenarios.ParseRecording(name, src)
		if err != nil {
			return nil, err
		}
		return rec.Scenario, nil
	}
	return format.Parse(name, src)
}
