package format

import "strconv"

// Produce has a producer write records to a partition:
//
//	produce p A/orders-0 3
//	produce p A/orders-0 4 acks=1 pid=7 batch=2
//
// It has completed when each of its batches was acknowledged or given up.
type Produce struct {
	Client string
	To     TP
	Count  int   // records, 1 to 1000000
	Acks   int8  // 0, 1, or -1 for all, the default
	PID    int64 // the producer id to use, with epoch 0 from sequence 0 on; -1, the default: the client's own
	Batch  int   // records a batch, 1 by default
}

const maxRecords = 1_000_000

var ackWords = []string{"all", "0", "1"}

func parseProduce(l *line) Act {
	a := &Produce{Client: l.client("produce", Producer, Transactional), To: l.tp(),
		Count: l.count("a number of records", maxRecords), Acks: -1, PID: -1, Batch: 1}
	for l.more() {
		switch key, value := l.option("produce", "acks=0|1|all", "pid=N", "batch=N"); key {
		case "acks":
			a.Acks = l.acks(value)
		case "pid":
			a.PID = l.number("pid="+value, value, 0, 1<<53)
		case "batch":
			a.Batch = int(l.number("batch="+value, value, 1, maxRecords))
		}
	}
	switch c := l.p.s.client(a.Client); {
	case l.err != nil:
	case a.PID >= 0 && c.Plain:
		l.fail("pid="+strconv.FormatInt(a.PID, 10), "a plain producer has no producer id")
	case a.Acks != -1 && c.Kind == Transactional:
		l.fail("acks="+ackWords[a.Acks+1], "a transactional producer waits for all in-sync replicas", "acks=all")
	}
	return a
}

func (l *line) acks(value string) int8 {
	for i, w := range ackWords {
		if w == value {
			return int8(i - 1)
		}
	}
	l.fail("acks="+value, "unknown number of acknowledgements", "acks=0", "acks=1", "acks=all")
	return -1
}

// Keyword is produce.
func (a *Produce) Keyword() string { return "produce" }

// AppendText appends the line.
func (a *Produce) AppendText(dst []byte) []byte {
	dst = append(dst, "produce "+a.Client+" "...)
	dst = append(a.To.AppendText(dst), ' ')
	dst = strconv.AppendInt(dst, int64(a.Count), 10)
	if a.Acks != -1 {
		dst = append(dst, " acks="+ackWords[a.Acks+1]...)
	}
	if a.PID != -1 {
		dst = append(dst, " pid="...)
		dst = strconv.AppendInt(dst, a.PID, 10)
	}
	if a.Batch != 1 {
		dst = appendOption(dst, "batch", a.Batch)
	}
	return dst
}

// Simpler is fewer records, and one record a batch.
func (a *Produce) Simpler() []Act {
	var list []Act
	for _, n := range halves(a.Count) {
		b := *a
		b.Count = n
		list = append(list, &b)
	}
	if a.Batch > 1 {
		b := *a
		b.Batch = 1
		list = append(list, &b)
	}
	return list
}
