package format

import (
	"fmt"

	"mirrorsim/model/record"
)

// PositionIs is that the last mirrored epoch is that one; -1 that no position is stored. Under marker=offset, which
// records no epoch, it is the recorded offset:
//
//	expect position B/orders-0=0
type PositionIs struct {
	TP TP // on the cluster that stopped mirroring
	N  int64
}

func parsePositionIs(l *line) Expectation {
	tp, word, value := l.partitionIs("TP=N")
	return PositionIs{tp, l.number(word, value, record.NoPosition, 1<<53)}
}

// AppendText appends the expectation.
func (e PositionIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "position %v=%d", e.TP, e.N)
}

// Check compares the position.
func (e PositionIs) Check(v View) error {
	n := int64(record.NoPosition)
	epoch, offset, ok := v.Position(e.TP)
	if ok && epoch != record.NoPosition {
		n = int64(epoch)
	} else if ok {
		n = offset
	}
	if n == e.N {
		return nil
	}
	if !ok {
		return fmt.Errorf("no last mirrored position of %v is stored", e.TP)
	}
	return fmt.Errorf("the last mirrored position of %v is epoch %d, offset %d", e.TP, epoch, offset)
}
