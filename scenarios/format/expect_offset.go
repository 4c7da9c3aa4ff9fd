package format

import (
	"fmt"
	"strings"
)

// OffsetIs is that one of a log's offsets is so, or at least so:
//
//	expect leo A/orders-0=5
//	expect leo A/orders-0>=5
//	expect hw A/orders-0@a1=5
//	expect lso B/orders-0=4
//	expect start B/orders-0=0
type OffsetIs struct {
	Which Offset
	TP    TP // without a node: on the present leader
	N     int64

	AtLeast bool // it may be above N
}

// Offset is one of the offsets of a replica's log (section 4 of the design).
type Offset uint8

// The offsets.
const (
	LogEnd Offset = iota
	HighWatermark
	LastStable
	LogStart
)

var (
	offsetWords = []string{"leo", "hw", "lso", "start"}
	offsetNames = []string{"log end offset", "high watermark", "last stable offset", "log start offset"}
)

func parseOffsetIs(l *line) Expectation {
	which := Offset(l.keywordIndex(offsetWords))
	key, value := l.pair("TP=N")
	word := key + "=" + value
	key, atLeast := strings.CutSuffix(key, ">")
	return OffsetIs{which, l.parseTP(word, key), l.number(word, value, 0, 1<<53), atLeast}
}

// AppendText appends the expectation.
func (e OffsetIs) AppendText(dst []byte) []byte {
	op := "="
	if e.AtLeast {
		op = ">="
	}
	return fmt.Appendf(dst, "%s %v%s%d", offsetWords[e.Which], e.TP, op, e.N)
}

// Check compares the offset.
func (e OffsetIs) Check(v View) error {
	log, ok := v.Log(e.TP)
	if !ok {
		return unknownLog(e.TP)
	}
	n := [...]int64{log.End, log.HighWatermark, log.LastStable, log.Start}[e.Which]
	if n != e.N && !(e.AtLeast && n > e.N) {
		return fmt.Errorf("the %s of %v on %s is %d", offsetNames[e.Which], e.TP, log.Node, n)
	}
	return nil
}
