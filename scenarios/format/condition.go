package format

import (
	"fmt"
	"math"

	"mirrorsim/model/record"
)

// StateIs is that the actual mirror state of a partition, as committed by its coordinator, is that one:
//
//	state B/orders-0=MIRRORING
type StateIs struct {
	TP    TP
	State record.State
}

func parseStateIs(l *line) Condition {
	tp, word, value := l.partitionIs("TP=STATE")
	return StateIs{tp, l.state(word, value)}
}

// state reads text, a part of word, as a partition state.
func (l *line) state(word, text string) record.State {
	s, ok := record.ParseState(text)
	if !ok {
		l.fail(word, "unknown state", stateNames()...)
	}
	return s
}

func stateNames() (names []string) {
	for i := range record.States {
		names = append(names, record.State(i).String())
	}
	return names
}

// AppendText appends the condition.
func (c StateIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "state %v=%v", c.TP, c.State)
}

// Met compares the state.
func (c StateIs) Met(v View) (string, bool) {
	s := v.State(c.TP)
	return fmt.Sprintf("the state of %v is %v", c.TP, s), s == c.State
}

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
	return fmt.Sprintf("the ISR of %v has %d members", c.TP, n), ok && n == c.N
}

// ReadIs is that a consumer has read at least so many records, over all partitions:
//
//	read r=12
type ReadIs struct {
	Client string
	N      int64
}

func parseReadIs(l *line) Condition {
	key, value := l.pair("CLIENT=N")
	word := key + "=" + value
	l.checkClient(word, key, "read", Consumer, Group)
	return ReadIs{key, l.number(word, value, 0, math.MaxInt64)}
}

// AppendText appends the condition.
func (c ReadIs) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "read %s=%d", c.Client, c.N) }

// Met compares the number. More than asked for meets it: answers carry several records.
func (c ReadIs) Met(v View) (string, bool) {
	n := v.Read(c.Client)
	return fmt.Sprintf("%s has read %d records", c.Client, n), n >= c.N
}

// Quiet is that nothing is pending: no request of a client or admin; every live ISR member at the leader's log end and
// high watermark; every mirrored partition in the state that its desired state asks for, with lag 0 while MIRRORING:
//
//	quiet
type Quiet struct{}

// AppendText appends the condition.
func (Quiet) AppendText(dst []byte) []byte { return append(dst, "quiet"...) }

// Met asks the history.
func (Quiet) Met(v View) (string, bool) { return v.Quiet() }
