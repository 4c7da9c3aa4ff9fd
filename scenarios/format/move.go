package format

// Move has a producer go on against another cluster with what it has under way for a partition, as one does whose bootstrap
// address leads elsewhere from now on: it keeps its producer id and its sequences:
//
//	move p A/orders-0 to B/orders-0
//
// It has completed when each of those batches was acknowledged there or given up. The step that they are of then has the
// result REQUEST_TIMED_OUT: what became of them at the old cluster is not known.
type Move struct {
	Client   string
	From, To TP
}

func parseMove(l *line) Act {
	a := &Move{Client: l.client("move", Producer), From: l.tp()}
	l.keyword("to")
	a.To = l.tp()
	if l.err != nil {
		return a
	}
	switch {
	case a.From.Cluster == a.To.Cluster:
		l.fail(a.To.String(), "a producer moves to another cluster")
	case a.From.Partition != a.To.Partition || l.p.s.idOf(a.From) != l.p.s.idOf(a.To):
		l.fail(a.To.String(), "not the same partition, by topic id and index, as "+a.From.String())
	}
	return a
}

// idOf is the topic statement that made the topic id of tp.
func (s *Scenario) idOf(tp TP) *Topic {
	t := s.TopicOf(tp.Cluster, tp.Topic)
	for t != nil && t.IDOf != "" {
		t = s.topic(t.IDOf, t.Name)
	}
	return t
}

// Keyword is move.
func (a *Move) Keyword() string { return "move" }

// AppendText appends the line.
func (a *Move) AppendText(dst []byte) []byte {
	return append(dst, "move "+a.Client+" "+a.From.String()+" to "+a.To.String()...)
}

// Simpler is nothing.
func (a *Move) Simpler() []Act { return nil }
