package choice

import "fmt"

// Key outlives changes of the code better than an index into a stream of numbers: which question, about whom, the
// how-manieth of these, from 0.
type Key struct {
	Label        Label
	Subject, Nth uint32
}

// String is the key as reports print it: label, subject, #nth.
func (k Key) String() string { return fmt.Sprintf("%s %d #%d", k.Label, k.Subject, k.Nth) }

// Deviation is an answer that is not calm: Value is at least 1. A recording is a list of these.
type Deviation struct {
	Key   Key
	Value uint32
}

// String is the deviation as reports print it: label, subject, #nth=value.
func (d Deviation) String() string { return fmt.Sprintf("%s=%d", d.Key, d.Value) }

// Chooser answers questions.
type Chooser interface {
	// Choose answers 0 to n-1; 0 is calm; n is at least 2. When the answer is drawn, odds/65536 is the chance that it is
	// not calm; a chooser that does not draw may ignore the odds.
	Choose(k Key, n uint32, odds uint16) uint32
}
