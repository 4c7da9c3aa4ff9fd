package format

// Describe has the admin of the mirror's destination ask for a partition's desired and actual state, the reason and the
// attempts of a failure, lag and last mirrored position:
//
//	describe B/orders-0 in m
//
// It has completed when the admin has the answer; see `expect described`.
type Describe struct {
	Partition TP
	Mirror    MirrorRef
}

func parseDescribe(l *line) Act {
	a := &Describe{Partition: l.tp()}
	l.keyword("in")
	a.Mirror = l.mirror()
	l.checkDestination(a.Mirror, a.Partition)
	return a
}

// Keyword is describe.
func (a *Describe) Keyword() string { return "describe" }

// AppendText appends the line.
func (a *Describe) AppendText(dst []byte) []byte {
	return append(dst, "describe "+a.Partition.String()+" in "+a.Mirror.String()...)
}

// Simpler is nothing.
func (a *Describe) Simpler() []Act { return nil }
