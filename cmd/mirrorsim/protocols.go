package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/model/protocol"
	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// protocolsReport is the decision points and revisions as JSON, schema mirrorsim.protocols/1.
type protocolsReport struct {
	Schema    string           `json:"schema"`    // mirrorsim.protocols/1
	Decisions []decisionReport `json:"decisions"` // the decision points of the design
	Revisions []revisionReport `json:"revisions"` // sets of choices that have a name
}

// decisionReport is one decision point.
type decisionReport struct {
	ID      string         `json:"id"`      // such as D7
	Name    string         `json:"name"`    // such as stop-bump
	Doc     string         `json:"doc"`     // what it decides
	Source  string         `json:"source"`  // the text from which it comes
	Options []optionReport `json:"options"` // that may be chosen
}

// optionReport is one option of a decision.
type optionReport struct {
	Token string   `json:"token"` // by which it is chosen
	Doc   string   `json:"doc"`   // what it means
	Built bool     `json:"built"` // whether a run may choose it: true, as every option is built
	In    []string `json:"in"`    // the revisions that choose it
}

// revisionReport is one named set of choices.
type revisionReport struct {
	Name    string         `json:"name"`           // by which it is chosen
	Doc     string         `json:"doc"`            // what it is
	Base    string         `json:"base,omitempty"` // the revision that it changes
	Names   []string       `json:"names"`          // of the requests to start and to stop topics, and the ends of mirror.name
	Changes []changeReport `json:"changes"`        // where it differs from its base, or from the first option where it has none
}

// changeReport is one choice of a revision.
type changeReport struct {
	Decision string `json:"decision"`         // its id
	Name     string `json:"name"`             // of the decision
	Token    string `json:"token"`            // that the revision chooses
	Mark     string `json:"mark,omitempty"`   // *: a reading of the text; –: the text does not ask; +: changed from the base
	Reason   string `json:"reason,omitempty"` // of the choice
}

func protocolsCommand(asJSON *bool) *cobra.Command {
	var explain string
	var states, mermaid bool
	c := &cobra.Command{
		Use:   "protocols",
		Short: "Print the revisions of the design and its decision points",
		Long: "protocols prints the revisions, what each one that is based on another changes and why, and the decision points\n" +
			"with the option that each revision chooses. --explain says all about one decision or one revision. A token with *\n" +
			"is a reading where the revision's text is silent, one with – is chosen though nothing asks, one with + is changed.\n\n" +
			"--states prints the state machine of a mirrored partition instead, with the decisions that its edges depend on;\n" +
			"with --mermaid as a diagram in Mermaid's language.",
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if states || mermaid {
				return printStates(c.OutOrStdout(), explain, states, mermaid, *asJSON)
			}
			rep, err := protocolsOf(explain)
			if err != nil {
				return err
			}
			switch {
			case *asJSON:
				printJSON(c.OutOrStdout(), rep)
			case explain != "":
				printExplained(c.OutOrStdout(), rep)
			default:
				printProtocols(c.OutOrStdout(), rep)
			}
			return nil
		},
	}
	c.Flags().StringVar(&explain, "explain", "", "say all about one decision, by `NAME` or id, or about one revision")
	c.Flags().BoolVar(&states, "states", false, "print the state machine of a mirrored partition")
	c.Flags().BoolVar(&mermaid, "mermaid", false, "with --states: as a Mermaid diagram")
	return c
}

// printStates prints the state machine as a table, as a diagram, or as JSON.
func printStates(out io.Writer, explain string, states, mermaid, asJSON bool) error {
	m := scenarios.States()
	switch {
	case !states:
		return &format.InputError{Word: "--mermaid", Message: "--mermaid is a form of --states", Want: []string{"--states --mermaid"}}
	case explain != "":
		return &format.InputError{Word: "--explain", Message: "--explain says nothing of states", Want: []string{"--states", "--states --mermaid"}}
	case mermaid && asJSON:
		return &format.InputError{Word: "--json", Message: "a diagram is not printed as JSON", Want: []string{"--states --mermaid", "--states --json"}}
	case asJSON:
		printJSON(out, m)
	case mermaid:
		fmt.Fprint(out, m.Mermaid())
	default:
		fmt.Fprint(out, m)
	}
	return nil
}

// protocolsOf is everything, or only what only names.
func protocolsOf(only string) (*protocolsReport, error) {
	rep := &protocolsReport{Schema: "mirrorsim.protocols/1", Decisions: []decisionReport{}, Revisions: []revisionReport{}}
	names := map[string]string{}
	var want []string
	for _, d := range protocol.Decisions() {
		names[d.ID] = d.Name
		want = append(want, d.Name)
		if only != "" && only != d.Name && !strings.EqualFold(only, d.ID) {
			continue
		}
		row := decisionReport{d.ID, d.Name, d.Doc, d.Source, nil}
		for _, o := range d.Options {
			row.Options = append(row.Options, optionReport{o.Token, o.Doc, true, chosenBy(d.Name, o.Token)})
		}
		rep.Decisions = append(rep.Decisions, row)
	}
	for _, p := range protocol.Revisions() {
		want = append(want, p.Name)
		if only != "" && only != p.Name {
			continue
		}
		row := revisionReport{p.Name, p.Doc, p.Base, namesOf(p.Name), nil}
		for _, x := range p.Changes {
			row.Changes = append(row.Changes, changeReport{x.Decision, names[x.Decision], x.Token, x.Mark.String(), x.Reason})
		}
		rep.Revisions = append(rep.Revisions, row)
	}
	if len(rep.Decisions)+len(rep.Revisions) == 0 {
		return nil, &format.InputError{Word: only, Message: fmt.Sprintf("--explain %s: no decision or revision is called so", only), Want: want}
	}
	return rep, nil
}

func namesOf(revision string) []string {
	c, err := protocol.Revision(revision)
	if err != nil {
		panic(err)
	}
	n := c.Names()
	return append([]string{n.Request("StartMirrorTopics"), n.Request("StopMirrorTopics")}, n.ReservedSuffixes()...)
}

func chosenBy(decision, token string) []string {
	list := []string{}
	for _, p := range protocol.Revisions() {
		if c, err := protocol.Revision(p.Name); err == nil && c.Get(decision) == token {
			list = append(list, p.Name)
		}
	}
	return list
}

func printProtocols(out io.Writer, rep *protocolsReport) {
	fmt.Fprintln(out, "Revisions")
	for _, r := range rep.Revisions {
		fmt.Fprintf(out, "  %-11s %s\n", r.Name, r.Doc)
		if r.Base != "" {
			printChanges(out, r)
		}
	}
	fmt.Fprintf(out, "\nDecisions (mirrorsim protocols --explain NAME says more)\n  %-4s %-18s", "", "")
	for _, r := range rep.Revisions {
		fmt.Fprintf(out, " %-24s", r.Name)
	}
	fmt.Fprintln(out)
	for _, d := range rep.Decisions {
		fmt.Fprintf(out, "  %-4s %-18s", d.ID, d.Name)
		for _, r := range rep.Revisions {
			c, err := protocol.Revision(r.Name)
			if err != nil {
				panic(err)
			}
			fmt.Fprintf(out, " %-24s", c.Get(d.Name)+markOf(r, d.ID))
		}
		fmt.Fprintln(out)
	}
}

func markOf(r revisionReport, decision string) string {
	for _, c := range r.Changes {
		if c.Decision == decision {
			return c.Mark
		}
	}
	return ""
}

func printChanges(out io.Writer, r revisionReport) {
	if len(r.Changes) == 0 {
		fmt.Fprintf(out, "    is %s\n", r.Base)
		return
	}
	fmt.Fprintf(out, "    is %s but for:\n", r.Base)
	for _, x := range r.Changes {
		fmt.Fprintf(out, "    %-4s %s=%s: %s\n", x.Decision, x.Name, x.Token, x.Reason)
	}
}

func printExplained(out io.Writer, rep *protocolsReport) {
	for _, d := range rep.Decisions {
		fmt.Fprintf(out, "%s %s: %s\nSource: %s\n", d.ID, d.Name, d.Doc, d.Source)
		for _, o := range d.Options {
			in := ""
			if len(o.In) > 0 {
				in = " [" + strings.Join(o.In, ", ") + "]"
			}
			fmt.Fprintf(out, "  %-24s %s%s\n", o.Token, o.Doc, in)
		}
	}
	for _, r := range rep.Revisions {
		fmt.Fprintf(out, "%s: %s\n  names %s\n", r.Name, r.Doc, strings.Join(r.Names, ", "))
		if r.Base != "" {
			printChanges(out, r)
			continue
		}
		for _, x := range r.Changes {
			fmt.Fprintf(out, "  %-4s %-18s %s%s\n", x.Decision, x.Name, x.Token, x.Mark)
		}
	}
}
