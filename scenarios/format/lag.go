package format

import (
	"fmt"
	"math"
)

// LagIs is that the lag is known in the present leader epoch and is so many records. At 0 the destination's high
// watermark has reached the source's last heard one:
//
//	lag B/orders-0=0
type LagIs struct {
	TP TP
	N  int64
}

func parseLagIs(l *line) Condition {
	tp, word, value := l.partitionIs("TP=N")
	return LagIs{tp, l.number(word, value, 0, math.MaxInt64)}
}

// AppendText appends the condition.
func (c LagIs) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "lag %v=%d", c.TP, c.N) }

// Met compares the lag; an unknown lag is none.
func (c LagIs) Met(v View) (string, bool) {
	n, known := v.Lag(c.TP)
	if !known {
		return fmt.Sprintf("the lag of %v is unknown", c.TP), false
	}
	return fmt.Sprintf("the lag of %v is %d", c.TP, n), n == c.N
}

// LagWas is that the lag is so many records by the history, or not known. Below 0 the source is behind:
//
//	expect lag B/orders-0=0
//	expect lag B/orders-0=unknown
type LagWas struct {
	TP  TP
	Lag string
}

func parseLagWas(l *line) Expectation {
	tp, word, value := l.partitionIs("TP=N|unknown")
	return LagWas{tp, l.lag(word, value)}
}

// AppendText appends the expectation.
func (e LagWas) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "lag %v=%s", e.TP, e.Lag) }

// Check compares the lag.
func (e LagWas) Check(v View) error {
	if lag := lagText(v.Lag(e.TP)); lag != e.Lag {
		return fmt.Errorf("the lag of %v is %s", e.TP, lag)
	}
	return nil
}
