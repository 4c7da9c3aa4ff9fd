package format

import (
	"fmt"

	"mirrorsim/model/record"
)

// AttemptsAre is that the state of a partition which was stored last says so many failures in a row, or that the failure is
// not retryable (-1):
//
//	expect attempts B/orders-0=3
type AttemptsAre struct {
	TP TP
	N  int
}

func parseAttemptsAre(l *line) Expectation {
	tp, word, value := l.partitionIs("TP=N")
	return AttemptsAre{tp, int(l.number(word, value, -1, 1<<15-1))}
}

// AppendText appends the expectation.
func (e AttemptsAre) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "attempts %v=%d", e.TP, e.N)
}

// Check compares the number.
func (e AttemptsAre) Check(v View) error {
	if _, n := v.Failure(e.TP); n != e.N {
		return fmt.Errorf("the attempts of %v are %d", e.TP, n)
	}
	return nil
}

// ReasonIs is that the state of a partition which was stored last says that reason of its failure, or none:
//
//	expect reason B/orders-0=source-unreachable
type ReasonIs struct {
	TP     TP
	Reason record.Reason
}

func parseReasonIs(l *line) Expectation {
	tp, word, value := l.partitionIs("TP=REASON")
	return ReasonIs{tp, l.reason(word, value)}
}

// AppendText appends the expectation.
func (e ReasonIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "reason %v=%s", e.TP, e.Reason.Token())
}

// Check compares the reason.
func (e ReasonIs) Check(v View) error {
	if r, _ := v.Failure(e.TP); r != e.Reason {
		return fmt.Errorf("the reason of %v is %s", e.TP, r.Token())
	}
	return nil
}
