package format

import (
	"fmt"
	"strings"
)

// EpochIs compares a partition's leader epoch, as the metadata log of its cluster has it:
//
//	expect epoch B/orders-0=1
//	expect epoch B/orders-0>=17
type EpochIs struct {
	TP TP
	Op string // = != < <= > >=
	N  int32
}

// Two characters before one: the first that is found counts.
var comparisons = []string{"!=", "<=", ">=", "=", "<", ">"}

func parseEpochIs(l *line) Expectation {
	w := l.word("TP=N")
	e := EpochIs{}
	for _, op := range comparisons {
		key, value, ok := strings.Cut(w, op)
		if !ok || l.err != nil {
			continue
		}
		e.Op, e.TP = op, l.plainTP(w, key)
		e.N = int32(l.number(w, value, 0, 1<<31-1))
		return e
	}
	l.fail(w, "not a comparison", "TP=N", "TP!=N", "TP<N", "TP<=N", "TP>N", "TP>=N")
	return e
}

// AppendText appends the expectation.
func (e EpochIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "epoch %v%s%d", e.TP, e.Op, e.N)
}

// Check compares the leader epoch.
func (e EpochIs) Check(v View) error {
	n, ok := v.LeaderEpoch(e.TP)
	if !ok {
		return fmt.Errorf("%v does not exist", e.TP)
	}
	var holds bool
	switch e.Op {
	case "=":
		holds = n == e.N
	case "!=":
		holds = n != e.N
	case "<":
		holds = n < e.N
	case "<=":
		holds = n <= e.N
	case ">":
		holds = n > e.N
	case ">=":
		holds = n >= e.N
	}
	if !holds {
		return fmt.Errorf("the leader epoch of %v is %d", e.TP, n)
	}
	return nil
}
