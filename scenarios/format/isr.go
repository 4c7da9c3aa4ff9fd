package format

import (
	"fmt"

	"mirrorsim/checkers"
)

// ISRIs is that a partition has so many in-sync replicas:
//
//	isr B/orders-0=2
type ISRIs struct {
	TP TP
	N  int
}

func parseISRIs(l *line) Condition {
	tp, word, value := l.partitionIs("TP=N")
	return ISRIs{tp, int(l.number(word, value, 0, maxBrokers))}
}

// AppendText appends the condition.
func (c ISRIs) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "isr %v=%d", c.TP, c.N) }

// Met compares the number.
func (c ISRIs) Met(v View) (string, bool) {
	n, ok := v.ISR(c.TP)
	return fmt.Sprintf("the ISR of %v has %s", c.TP, checkers.Several(n, "member", "members")), ok && n == c.N
}
