package format

import (
	"fmt"
	"strconv"

	"mirrorsim/model/record"
)

// AttemptsAre is that the state of a partition which was stored last says so many failures in a row, or that the failure is
// not retryable (-1):
//
//	expect attempts B/orders-0=3
type AttemptsAre struct {
	TP TP
	N  int
}

func parseAttemptsAre(l *line) Expectation {
	tp, word, value := l.partitionIs("TP=N")
	return AttemptsAre{tp, int(l.number(word, value, -1, 1<<15-1))}
}

// AppendText appends the expectation.
func (e AttemptsAre) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "attempts %v=%d", e.TP, e.N)
}

// Check compares the number.
func (e AttemptsAre) Check(v View) error {
	if _, n := v.Failure(e.TP); n != e.N {
		return fmt.Errorf("the attempts of %v are %d", e.TP, n)
	}
	return nil
}

// ReasonIs is that the state of a partition which was stored last says that reason of its failure, or none:
//
//	expect reason B/orders-0=source-unreachable
type ReasonIs struct {
	TP     TP
	Reason record.Reason
}

func parseReasonIs(l *line) Expectation {
	tp, word, value := l.partitionIs("TP=REASON")
	return ReasonIs{tp, l.reason(word, value)}
}

// AppendText appends the expectation.
func (e ReasonIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "reason %v=%s", e.TP, e.Reason.Token())
}

// Check compares the reason.
func (e ReasonIs) Check(v View) error {
	if r, _ := v.Failure(e.TP); r != e.Reason {
		return fmt.Errorf("the reason of %v is %s", e.TP, r.Token())
	}
	return nil
}

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

// LagWas is that the lag is so many records by the history, or not known. Below 0 the source is behind:
//
//	expect lag B/orders-0=0
//	expect lag B/orders-0=unknown
type LagWas struct {
	TP  TP
	Lag string
}

func parseLagWas(l *line) Expectation {
	tp, word, value := l.partitionIs("TP=N|unknown")
	return LagWas{tp, l.lag(word, value)}
}

// AppendText appends the expectation.
func (e LagWas) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "lag %v=%s", e.TP, e.Lag) }

// Check compares the lag.
func (e LagWas) Check(v View) error {
	if lag := lagText(v.Lag(e.TP)); lag != e.Lag {
		return fmt.Errorf("the lag of %v is %s", e.TP, lag)
	}
	return nil
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
		return fmt.Errorf("%s has read %d records", e.Client, n)
	}
	return nil
}

// Aborted is that so many transactions of a partition ended by an ABORT marker, by the log of the present leader or of the
// replica that is named:
//
//	expect aborted B/orders-0=2
type Aborted struct {
	TP TP
	N  int
}

func parseAborted(l *line) Expectation {
	key, value := l.pair("TP=N")
	word := key + "=" + value
	return Aborted{l.parseTP(word, key), int(l.number(word, value, 0, maxRecords))}
}

// AppendText appends the expectation.
func (e Aborted) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "aborted %v=%d", e.TP, e.N) }

// Check counts the markers.
func (e Aborted) Check(v View) error {
	log, ok := v.Log(e.TP)
	if !ok {
		return unknownLog(e.TP)
	}
	n := 0
	for _, b := range log.Batches {
		if b.Control == record.Abort {
			n++
		}
	}
	if n != e.N {
		return fmt.Errorf("the log of %v on %s has %d ABORT markers", e.TP, log.Node, n)
	}
	return nil
}
