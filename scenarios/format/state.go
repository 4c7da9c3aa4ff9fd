package format

import (
	"fmt"

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
