package format

import (
	"fmt"
	"math"
	"strconv"

	"mirrorsim/checkers"
)

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
	return fmt.Sprintf("%s has read %s", c.Client, checkers.Several(n, "record", "records")), n >= c.N
}

// ReadsAre is that a consumer has read exactly so many records, over all partitions:
//
//	expect reads r=12
type ReadsAre struct {
	Client string
	N      int64
}

func parseReadsAre(l *line) Expectation {
	key, value := l.pair("CLIENT=N")
	word := key + "=" + value
	l.checkClient(word, key, "read", Consumer, Group)
	return ReadsAre{key, l.number(word, value, 0, 1<<53)}
}

// AppendText appends the expectation.
func (e ReadsAre) AppendText(dst []byte) []byte {
	return append(dst, "reads "+e.Client+"="+strconv.FormatInt(e.N, 10)...)
}

// Check compares the number.
func (e ReadsAre) Check(v View) error {
	if n := v.Read(e.Client); n != e.N {
		return fmt.Errorf("%s has read %s", e.Client, checkers.Several(n, "record", "records"))
	}
	return nil
}
