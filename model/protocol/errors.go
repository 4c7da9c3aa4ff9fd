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
