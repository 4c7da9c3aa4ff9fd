package format

import "fmt"

// Holds is that a property is not violated so far:
//
//	expect holds durability
type Holds struct{ Property string }

func parseHolds(l *line) Expectation { return Holds{l.property()} }

// AppendText appends the expectation.
func (e Holds) AppendText(dst []byte) []byte { return append(dst, "holds "+e.Property...) }

// Check asks the checkers.
func (e Holds) Check(v View) error {
	if sentence, violated := v.Violated(e.Property); violated {
		return fmt.Errorf("%s is violated: %s", e.Property, sentence)
	}
	return nil
}
