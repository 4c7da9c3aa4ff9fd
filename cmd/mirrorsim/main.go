package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// The exit statuses, besides those of a verdict.
const (
	exitBadInput = 2
	exitInternal = 3
	exitUnknown  = 4 // of a command that was stopped before there was a verdict
)

// status is an error that has been told already and only sets the exit status.
type status int

func (s status) Error() string { return fmt.Sprint("exit status ", int(s)) }

func main() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// internal tells whether an error is a fault of this program.
func internal(err error) bool {
	var panicked *scenarios.PanicError
	var unrepeated *scenarios.UnrepeatedError
	return errors.As(err, &panicked) || errors.As(err, &unrepeated)
}

// execute runs one command line and answers its exit status. When the context is done, it is as at Ctrl-C.
func execute(ctx context.Context, args []string, out, diag io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(diag, "mirrorsim: internal error: %v\nThis is a bug of mirrorsim, not of the protocol under test.\n", p)
			code = exitInternal
		}
	}()
	asJSON := new(bool)
	*asJSON = slices.Contains(args, "--json") // also for a command line that does not parse
	root := rootCommand(asJSON)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(diag)
	err := root.ExecuteContext(ctx)
	var told status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &told):
		return int(told)
	case internal(err):
		panic(err)
	}
	tellError(err, *asJSON, out, diag)
	return exitBadInput
}

// rootCommand is the command with all that it has.
func rootCommand(asJSON *bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "mirrorsim",
		Short: "A deterministic testbed for Kafka cluster mirroring (KIP-1279)",
		Long: "mirrorsim runs the mirroring protocol of KIP-1279 in simulated Kafka clusters: failovers and failbacks told step by\n" +
			"step, with checkers that would catch a lost record. To begin with:\n\n" +
			"  mirrorsim run                                        a failover and a failback, told step by step\n" +
			"  mirrorsim scenarios list                             the catalogue of cases; mirrorsim run NAME tells one\n" +
			"  mirrorsim protocols                                  the revisions of the design, and what they choose\n" +
			"  mirrorsim sweep --faults light --protocol hardened   500 generated runs under faults\n" +
			"  mirrorsim plan --example                             a file to ask what a failover of your own will lose\n\n" +
			"Exit status: 0 all holds, 1 something is violated, 2 bad input, 3 internal error, 4 it is not known, as after Ctrl-C.",
		Args:              cobra.ArbitraryArgs, // so that commandMissing sees them
		RunE:              commandMissing,
		PersistentPreRunE: nothingEmpty,
		SilenceErrors:     true,
		SilenceUsage:      true,
	}
	root.PersistentFlags().BoolVar(asJSON, "json", *asJSON, "print JSON instead of text")
	for _, command := range []func(*bool) *cobra.Command{runCommand, checkCommand, sweepCommand, compareCommand, planCommand, exploreCommand,
		shrinkCommand, doomCommand, guideCommand, scenariosCommand, protocolsCommand} {
		root.AddCommand(command(asJSON))
	}
	root.SetFlagErrorFunc(flagError)
	refuseUnknown(root)
	return root
}

// errorReport is an error of the input as JSON, schema mirrorsim.error/1.
type errorReport struct {
	Schema string `json:"schema"` // mirrorsim.error/1
	Exit   int    `json:"exit"`   // the exit status, 2
	inputError
	More []inputError `json:"more,omitempty"` // other errors of the same file, in its order
}

// inputError is one error, with what is known of its place.
type inputError struct {
	File    string   `json:"file,omitempty"` // in which it is
	Line    int      `json:"line,omitempty"` // of the file, from 1
	Word    string   `json:"word,omitempty"` // that is not accepted
	Want    []string `json:"want,omitempty"` // what would be accepted in its place
	Message string   `json:"message"`        // a sentence
}

// inFile is an error of a file, without those that are told with it.
func inFile(e *format.SyntaxError) inputError {
	alone := *e
	alone.More = nil
	return inputError{e.File, e.Line, e.Word, e.Want, alone.Error()}
}

// tellError prints what is wrong with the input and what would be accepted.
func tellError(err error, asJSON bool, out, diag io.Writer) {
	if !asJSON {
		fmt.Fprintln(diag, "mirrorsim: "+err.Error())
		return
	}
	rep := errorReport{Schema: "mirrorsim.error/1", Exit: exitBadInput, inputError: inputError{Message: err.Error()}}
	var syntax *format.SyntaxError
	var input *format.InputError
	switch {
	case errors.As(err, &syntax):
		rep.inputError = inFile(syntax)
		for _, m := range syntax.More {
			rep.More = append(rep.More, inFile(m))
		}
	case errors.As(err, &input):
		rep.Word, rep.Want = input.Word, input.Want
	}
	printJSON(out, rep)
}

func printJSON(out io.Writer, v any) {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
}

// ofScenario is the revision of a command that runs a scenario and is told none.
const ofScenario = "the scenario's, else " + scenarios.DefaultRevision

// designFlags are the flags that choose a design.
type designFlags struct {
	revision string
	sets     []string
}

// add adds them; fallback says which revision it is where none is named.
func (d *designFlags) add(c *cobra.Command, fallback string) {
	c.Flags().StringVar(&d.revision, "protocol", "", "`REVISION` of the design, as mirrorsim protocols lists them (default "+fallback+")")
	c.Flags().StringArrayVar(&d.sets, "set", nil, "choose an option of a decision: `NAME=TOKEN` or ID=TOKEN, such as marker=epoch; may be repeated")
}
