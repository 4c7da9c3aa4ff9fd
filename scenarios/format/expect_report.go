package format

import "fmt"

// ReportIs is that so many records, of the last two headings transactions, stand under a heading of the loss report:
//
//	expect lost A/orders-0=2
//	expect discarded A/orders-0=2
//	expect cut-by-stop B/orders-0=0
//	expect copied-again A/orders-0=10
//	expect turned-round B/orders-0=1
type ReportIs struct {
	Heading Heading
	TP      TP
	N       int64
}

// Heading is a heading of the loss report.
type Heading uint8

// The headings, as package checkers defines them.
const (
	Lost        Heading = iota // at a failover: in the source's log, and not mirrored
	TakenAfter                 // taken by an old source after its failover, and still there only
	CutByStop                  // cut from the destination by the stop
	Discarded                  // at a failback: cut from the old source, and the new one does not have them
	Trimmed                    // cut when a log was copied anew, and below the new source's log start
	CopiedAgain                // cut, and the new source or the cluster in charge has it
	Followed                   // cut from a mirror's copy, because the source did not have them any more
	Unexplained                // cut when a log was aligned, and no failover accounts for it
	Duplicates                 // twice in the log, on both sides of a producer reset
	TurnedRound                // transactions that this cluster's stop has aborted and the source has committed
	Hanging                    // transactions that are open in the log, and that no coordinator is going to end
)

var headings = []string{"lost", "after", "cut-by-stop", "discarded", "trimmed", "copied-again", "followed", "unexplained",
	"duplicates", "turned-round", "hanging"}

var headingDocs = [...]string{
	Lost:        "at a failover: in the source's log, and not mirrored",
	TakenAfter:  "taken by an old source after its failover, and still there only",
	CutByStop:   "cut from the destination by the stop",
	Discarded:   "at a failback: cut from the old source, and the new one does not have them",
	Trimmed:     "cut when a log was copied anew, and below the new source's log start",
	CopiedAgain: "cut, and the new source or the cluster in charge has it",
	Followed:    "cut from a mirror's copy, because the source did not have them any more",
	Unexplained: "cut when a log was aligned, and no failover accounts for it",
	Duplicates:  "twice in the log of the cluster in charge, on both sides of a producer reset",
	TurnedRound: "transactions that this cluster's stop has aborted and the source has committed",
	Hanging:     "transactions that are open in the log, and that no coordinator is going to end",
}

// String is the heading's word.
func (h Heading) String() string { return headings[h] }

// Doc says what stands under the heading: records, where nothing else is said.
func (h Heading) Doc() string { return headingDocs[h] }

// Headings are all headings, in the order of the loss report.
func Headings() (list []Heading) {
	for h := range headings {
		list = append(list, Heading(h))
	}
	return list
}

func parseReportIs(l *line) Expectation {
	heading := Heading(l.keywordIndex(headings))
	tp, word, value := l.partitionIs("TP=N")
	return ReportIs{heading, tp, l.number(word, value, 0, 1<<53)}
}

// AppendText appends the expectation.
func (e ReportIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "%v %v=%d", e.Heading, e.TP, e.N)
}

// Check compares the number of records.
func (e ReportIs) Check(v View) error {
	n := v.Listed(e.Heading, e.TP)
	if n != e.N {
		what := "records"
		if e.Heading >= TurnedRound {
			what = "transactions"
		}
		return fmt.Errorf("the loss report has %d %s of %v as %v", n, what, e.TP, e.Heading)
	}
	return nil
}
