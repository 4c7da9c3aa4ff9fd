package format

import "fmt"

// LeaderIs is that the metadata log of the cluster names that broker as the partition's leader, or none:
//
//	expect leader B/orders-0=b1
//	expect leader B/orders-0=none
type LeaderIs struct {
	TP   TP
	Node string // none: nobody leads, or the partition does not exist
}

const noLeader = "none"

func parseLeaderIs(l *line) Expectation {
	tp, word, value := l.partitionIs("TP=BROKER")
	if c := l.p.s.cluster(tp.Cluster); l.err == nil && value != noLeader && c.broker(value) < 0 {
		l.fail(word, "cluster "+c.Name+" has no such broker", append(c.brokers(), noLeader)...)
	}
	return LeaderIs{tp, value}
}

// AppendText appends the expectation.
func (e LeaderIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "leader %v=%s", e.TP, e.Node)
}

// Check compares the leader.
func (e LeaderIs) Check(v View) error {
	n, ok := v.Leader(e.TP)
	if !ok {
		n = noLeader
	}
	if n != e.Node {
		return fmt.Errorf("the leader of %v is %s", e.TP, n)
	}
	return nil
}
