package protocol

import (
	"fmt"
	"strings"
)

// UnknownError says that a word names no decision, no option of a decision, or no revision.
type UnknownError struct {
	Kind string   // "decision", "option" or "revision"
	Of   string   // with Kind "option" the name of the decision, otherwise ""
	Word string   // what was given
	Want []string // what would be accepted
	All  bool     // all of Want would be accepted, in any order and separated by commas, instead of one of it
}

// Error names the word and what would be accepted.
func (e *UnknownError) Error() string {
	want := strings.Join(e.Want, ", ")
	switch {
	case e.All:
		return fmt.Sprintf("%q is no option of %s; it takes all of %s in any order, separated by commas",
			e.Word, e.Of, want)
	case e.Kind == "option":
		return fmt.Sprintf("%q is no option of %s; there are %s", e.Word, e.Of, want)
	}
	return fmt.Sprintf("no %s is called %q; there are %s", e.Kind, e.Word, want)
}

// UnbuiltChoice is one chosen option that a run would consult and that is not built.
type UnbuiltChoice struct {
	ID, Name string   // of the decision
	Token    string   // the chosen option; "" where the field holds none
	Built    []string // the options that a run accepts
}

// UnbuiltError lists every chosen option that is not built. A run with such a choice does not begin.
type UnbuiltError struct{ Choices []UnbuiltChoice }

// Error names each decision, the option that is chosen, and the options that are built.
func (e *UnbuiltError) Error() string {
	var lines []string
	for _, c := range e.Choices {
		line := fmt.Sprintf("%s=%s (%s) is not built; built are %s", c.Name, c.Token, c.ID, strings.Join(c.Built, ", "))
		if c.Token == "" {
			line = fmt.Sprintf("%s (%s) has no option chosen; built are %s", c.Name, c.ID, strings.Join(c.Built, ", "))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
