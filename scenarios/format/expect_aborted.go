package format

import (
	"fmt"

	"mirrorsim/model/record"
)

// Aborted is that so many transactions of a partition ended by an ABORT marker, by the log of the present leader or of the
// replica that is named:
//
//	expect aborted B/orders-0=2
type Aborted struct {
	TP TP
	N  int
}

func parseAborted(l *line) Expectation {
	key, value := l.pair("TP=N")
	word := key + "=" + value
	return Aborted{l.parseTP(word, key), int(l.number(word, value, 0, maxRecords))}
}

// AppendText appends the expectation.
func (e Aborted) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "aborted %v=%d", e.TP, e.N) }

// Check counts the markers.
func (e Aborted) Check(v View) error {
	log, ok := v.Log(e.TP)
	if !ok {
		return unknownLog(e.TP)
	}
	n := 0
	for _, b := range log.Batches {
		if b.Control == record.Abort {
			n++
		}
	}
	if n != e.N {
		return fmt.Errorf("the log of %v on %s has %d ABORT markers", e.TP, log.Node, n)
	}
	return nil
}
