package format

import "math"

// ResetOffset has a cluster's admin set the committed offset of a group, as AlterConsumerGroupOffsets does:
//
//	reset-offset g B/orders-0 to=20
//
// It has completed when the admin has the result, which is UNKNOWN_MEMBER_ID while the group is active on that cluster.
type ResetOffset struct {
	Client    string // the group
	Partition TP
	To        int64
}

func parseResetOffset(l *line) Act {
	a := &ResetOffset{Client: l.client("have its offset reset", Group), Partition: l.tp()}
	key, value := l.option("reset-offset", "to=N")
	a.To = l.number(key+"="+value, value, 0, math.MaxInt64)
	return a
}

// Keyword is reset-offset.
func (a *ResetOffset) Keyword() string { return "reset-offset" }

// AppendText appends the line.
func (a *ResetOffset) AppendText(dst []byte) []byte {
	dst = a.Partition.AppendText(append(dst, "reset-offset "+a.Client+" "...))
	return appendOption(dst, "to", int(a.To))
}

// Simpler is nothing.
func (a *ResetOffset) Simpler() []Act { return nil }
