package format

import "slices"

// expectations are their first words with their parsers, in the order of the manual.
var expectations = []struct {
	keyword string
	parse   func(l *line) Expectation
}{
	{"log", parseLogIs},
	{"leo", parseOffsetIs},
	{"hw", parseOffsetIs},
	{"lso", parseOffsetIs},
	{"start", parseOffsetIs},
	{"state", parseExpectState},
	{"epoch", parseEpochIs},
	{"lost", parseReportIs},
	{"discarded", parseReportIs},
	{"cut-by-stop", parseReportIs},
	{"error", parseErrorIs},
	{"position", parsePositionIs},
	{"holds", parseHolds},
}

func expectKeywords() (list []string) {
	for _, e := range expectations {
		list = append(list, e.keyword)
	}
	return list
}

// parseExpect reads an expectation, which may be for the calm schedule only:
//
//	expect leo A/orders-0=5
//	expect epoch B/orders-0=1 on-schedule calm
func parseExpect(l *line) {
	e := Expect{After: len(l.p.s.Steps)}
	e.Do = expectations[l.oneOf("unknown expectation", expectKeywords()...)].parse(l)
	if l.skip("on-schedule") {
		l.keyword("calm")
		e.Calm = true
	}
	e.Pos = l.p.pos()
	l.p.s.Expect = append(l.p.s.Expect, e)
}

func (e *Expect) appendText(dst []byte) []byte {
	dst = e.Do.AppendText(append(dst, "expect "...))
	if e.Calm {
		dst = append(dst, " on-schedule calm"...)
	}
	return dst
}

// String is the expectation as it stands in the file, without its comment.
func (e *Expect) String() string { return string(e.appendText(nil)) }

// keywordIndex is which of the words the expectation began with.
func (l *line) keywordIndex(words []string) int {
	return max(slices.Index(words, l.words[l.next-1]), 0)
}
