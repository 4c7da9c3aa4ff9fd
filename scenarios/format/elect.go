package format

// Elect is a request of the cluster's admin to move a partition's leadership:
//
//	elect B/orders-0
//	elect B/orders-0 to=b1
//	elect A/orders-0 unclean
//	elect coordinator m B/orders-0 to=b2
//
// Without to= it goes to the next live ISR member in assignment order; with unclean to the first live replica that is
// not the leader, in the ISR or not. With coordinator it is the partition of __mirror_state that holds the mirror's
// entries of that partition. It has completed when the admin has the result.
type Elect struct {
	Partition   TP
	Coordinator MirrorRef // of that mirror, for Partition; no name: of the partition itself
	To          string    // a broker; empty: by the rule
	Unclean     bool
}

func parseElect(l *line) Act {
	a := &Elect{}
	if l.skip("coordinator") {
		a.Coordinator = l.mirror()
	}
	a.Partition = l.tp()
	if a.Coordinator.Name != "" {
		l.checkDestination(a.Coordinator, a.Partition)
	}
	for l.more() {
		switch key, value := l.option("elect", "to=BROKER", "unclean"); key {
		case "to":
			a.To = value
			if c := l.p.s.cluster(a.Partition.Cluster); c.broker(value) < 0 {
				l.fail("to="+value, "cluster "+c.Name+" has no such broker", c.brokers()...)
			}
		case "unclean":
			a.Unclean = true
		}
	}
	return a
}

// checkDestination wants a partition on the mirror's destination.
func (l *line) checkDestination(r MirrorRef, tp TP) {
	if m := l.p.s.FindMirror(r); l.err == nil && m.To != tp.Cluster {
		l.fail(tp.String(), "the mirror leads to cluster "+m.To, m.To+"/"+tp.Topic+"-"+itoa(tp.Partition))
	}
}

// Keyword is elect.
func (a *Elect) Keyword() string { return "elect" }

// AppendText appends the line.
func (a *Elect) AppendText(dst []byte) []byte {
	dst = append(dst, "elect "...)
	if a.Coordinator.Name != "" {
		dst = append(dst, "coordinator "+a.Coordinator.String()+" "...)
	}
	dst = a.Partition.AppendText(dst)
	if a.To != "" {
		dst = append(dst, " to="+a.To...)
	}
	if a.Unclean {
		dst = append(dst, " unclean"...)
	}
	return dst
}

// Simpler is an election by the rule instead of to a named broker.
func (a *Elect) Simpler() []Act {
	if a.To == "" {
		return nil
	}
	b := *a
	b.To = ""
	return []Act{&b}
}
