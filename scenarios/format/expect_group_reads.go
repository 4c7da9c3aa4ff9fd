package format

import (
	"fmt"
	"math"

	"mirrorsim/checkers"
)

// GroupReadIs is how many records of a partition a group has read on its cluster that it had read before, on whichever
// cluster, or has passed over there by resuming from a committed offset:
//
//	expect read-again g B/orders-0=3
//	expect passed-over g B/orders-0=0
type GroupReadIs struct {
	PassedOver bool
	Client     string
	TP         TP
	N          int64
}

var groupReadWords = []string{"read-again", "passed-over"}

func parseGroupReadIs(l *line) Expectation {
	e := GroupReadIs{PassedOver: l.keywordIndex(groupReadWords) == 1, Client: l.client("be read", Group)}
	tp, word, value := l.partitionIs("TP=N")
	e.TP, e.N = tp, l.number(word, value, 0, math.MaxInt64)
	return e
}

// AppendText appends the expectation.
func (e GroupReadIs) AppendText(dst []byte) []byte {
	word := groupReadWords[0]
	if e.PassedOver {
		word = groupReadWords[1]
	}
	return fmt.Appendf(dst, "%s %s %v=%d", word, e.Client, e.TP, e.N)
}

// Check compares the number.
func (e GroupReadIs) Check(v View) error {
	n, passed := v.GroupReads(e.Client, e.TP)
	what := "read %s of %v again"
	if e.PassedOver {
		n, what = passed, "passed over %s of %v"
	}
	if n != e.N {
		return fmt.Errorf("%s has "+what, e.Client, checkers.Several(n, "record", "records"), e.TP)
	}
	return nil
}
