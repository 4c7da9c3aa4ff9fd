package format

import (
	"fmt"
	"math"
	"strings"
)

// CommittedIs is that a group has committed that offset of a partition on its cluster, with that leader epoch of the record
// before it where one is named; -1 stands for an offset without an epoch:
//
//	expect committed g B/orders-0=12
//	expect committed g B/orders-0=12@1
//	expect committed g B/orders-0=none
type CommittedIs struct {
	Client string
	TP     TP
	Offset int64 // -1: none
	Epoch  int32
	Exact  bool // Epoch counts
}

// noOffset stands for a group that has committed nothing.
const noOffset = "none"

func parseCommittedIs(l *line) Expectation {
	e := CommittedIs{Client: l.client("commit", Group), Offset: -1}
	tp, word, value := l.partitionIs("TP=N")
	e.TP = tp
	if value == noOffset {
		return e
	}
	offset, epoch, exact := strings.Cut(value, "@")
	e.Offset, e.Exact = l.number(word, offset, 0, math.MaxInt64), exact
	if exact {
		e.Epoch = int32(l.number(word, epoch, -1, math.MaxInt32))
	}
	return e
}

// AppendText appends the expectation.
func (e CommittedIs) AppendText(dst []byte) []byte {
	dst = fmt.Appendf(dst, "committed %s %v=", e.Client, e.TP)
	switch {
	case e.Offset < 0:
		return append(dst, noOffset...)
	case e.Exact:
		return fmt.Appendf(dst, "%d@%d", e.Offset, e.Epoch)
	}
	return fmt.Appendf(dst, "%d", e.Offset)
}

// Check compares the offset and the epoch.
func (e CommittedIs) Check(v View) error {
	offset, epoch, ok := v.Committed(e.Client, e.TP)
	switch {
	case !ok && e.Offset < 0, ok && offset == e.Offset && (!e.Exact || epoch == e.Epoch):
		return nil
	case !ok:
		return fmt.Errorf("%s has committed nothing of %v", e.Client, e.TP)
	}
	return fmt.Errorf("%s has committed %d@%d of %v", e.Client, offset, epoch, e.TP)
}
