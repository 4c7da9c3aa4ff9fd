package format

import (
	"fmt"
	"strings"
)

// SyntaxError says what is wrong with a scenario file: where, at which word, and what would be accepted there. It maps
// to the JSON of mirrorsim.error/1 field by field.
type SyntaxError struct {
	File    string
	Line    int            // from 1
	Word    string         // as written; empty at the end of a line
	Want    []string       // what would be accepted, in the order of the manual; may be empty
	Message string         // one clause without the word
	More    []*SyntaxError // others of the same file, behind this one and at most 9; they have none themselves
}

// Error is a line for the error and one for each of More: file, line, word, message, and what would be accepted.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	e.write(&b)
	for _, m := range e.More {
		b.WriteByte('\n')
		m.write(&b)
	}
	return b.String()
}

func (e *SyntaxError) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s:%d: ", e.File, e.Line)
	if e.Word != "" {
		fmt.Fprintf(b, "%q: ", e.Word)
	}
	b.WriteString(e.Message + accepted(e.Word, e.Want))
}
