package format

import (
	"fmt"
	"slices"
	"strconv"

	"mirrorsim/model/wire"
)

// ReportIs is that so many records stand under a heading of the loss report:
//
//	expect lost A/orders-0=2
//	expect discarded A/orders-0=2
//	expect cut-by-stop B/orders-0=0
type ReportIs struct {
	Heading Heading
	TP      TP
	N       int64
}

// Heading is a heading of the loss report.
type Heading uint8

// The headings.
const (
	Lost      Heading = iota // at a failover: acknowledged by the source and never mirrored
	Discarded                // at a failback: cut from the old source
	CutByStop                // cut from the destination by the stop
)

var headings = []string{"lost", "discarded", "cut-by-stop"}

func parseReportIs(l *line) Expectation {
	heading := Heading(l.keywordIndex(headings))
	tp, word, value := l.partitionIs("TP=N")
	return ReportIs{heading, tp, l.number(word, value, 0, 1<<53)}
}

// AppendText appends the expectation.
func (e ReportIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "%s %v=%d", headings[e.Heading], e.TP, e.N)
}

// Check compares the number of records.
func (e ReportIs) Check(v View) error {
	n := [...]func(TP) int64{v.Lost, v.Discarded, v.CutByStop}[e.Heading](e.TP)
	if n != e.N {
		return fmt.Errorf("the loss report has %d records of %v as %s", n, e.TP, headings[e.Heading])
	}
	return nil
}

// ErrorIs is that a step had that result: the first error code that one of its operations returned, NONE if all
// succeeded. Steps are counted from 1, a repeat as one; last is the step above the line:
//
//	expect error 4=READ_ONLY_TOPIC
//	expect error last=NONE
type ErrorIs struct {
	Step int  // from 1
	Last bool // as last, which printing keeps
	Code wire.Code
}

func parseErrorIs(l *line) Expectation {
	key, value := l.pair("STEP=CODE")
	word := key + "=" + value
	steps := l.p.s.Steps
	e := ErrorIs{Step: len(steps), Last: key == "last"}
	switch {
	case l.err != nil:
		return e
	case len(steps) == 0:
		l.fail(word, "there is no step above this line")
		return e
	case !e.Last:
		e.Step = int(l.number(word, key, 1, int64(len(steps))))
	}
	if do := steps[e.Step-1].Do; !answers(do) {
		l.fail(word, "step "+strconv.Itoa(e.Step)+" is "+do.Keyword()+", which has no result",
			"a step with produce, commit, abort, elect or a request for topics")
	}
	c, ok := wire.ParseCode(value)
	if e.Code = c; !ok {
		l.fail(word, "unknown error code", codeNames()...)
	}
	return e
}

// answers tells whether an act is answered with an error code.
func answers(a Act) bool {
	return slices.Contains([]string{"produce", "commit", "abort", "start", "stop", "pause", "resume", "recover", "elect"},
		a.Keyword())
}

func codeNames() (names []string) {
	for c := wire.OK; c.String() != "?"; c++ {
		names = append(names, c.String())
	}
	return names
}

// AppendText appends the expectation.
func (e ErrorIs) AppendText(dst []byte) []byte {
	if e.Last {
		return fmt.Appendf(dst, "error last=%v", e.Code)
	}
	return fmt.Appendf(dst, "error %d=%v", e.Step, e.Code)
}

// Check compares the code.
func (e ErrorIs) Check(v View) error {
	c, ok := v.Code(e.Step)
	if !ok {
		return fmt.Errorf("step %d has no result yet", e.Step)
	}
	if c != e.Code {
		return fmt.Errorf("the result of step %d is %v", e.Step, c)
	}
	return nil
}

// Holds is that a property is not violated so far:
//
//	expect holds durability
type Holds struct{ Property string }

func parseHolds(l *line) Expectation { return Holds{l.property()} }

// AppendText appends the expectation.
func (e Holds) AppendText(dst []byte) []byte { return append(dst, "holds "+e.Property...) }

// Check asks the checkers.
func (e Holds) Check(v View) error {
	if sentence, violated := v.Violated(e.Property); violated {
		return fmt.Errorf("%s is violated: %s", e.Property, sentence)
	}
	return nil
}
