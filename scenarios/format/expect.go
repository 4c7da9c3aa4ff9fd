package format

import (
	"errors"
	"slices"
)

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
	{"state", func(l *line) Expectation { return Now{parseStateIs(l)} }},
	{"attempts", parseAttemptsAre},
	{"reason", parseReasonIs},
	{"described", parseDescribedIs},
	{"lag", parseLagWas},
	{"leader", parseLeaderIs},
	{"isr", func(l *line) Expectation { return Now{parseISRIs(l)} }},
	{"epoch", parseEpochIs},
	{"position", parsePositionIs},
	{"committed", parseCommittedIs},
	{"config", parseConfigIs},
	{"asked", parseAskedIs},
	{"acl", parseAclIs},
	{"no-acl", parseAclIs},
	{"lost", parseReportIs},
	{"after", parseReportIs},
	{"cut-by-stop", parseReportIs},
	{"discarded", parseReportIs},
	{"trimmed", parseReportIs},
	{"copied-again", parseReportIs},
	{"followed", parseReportIs},
	{"unexplained", parseReportIs},
	{"duplicates", parseReportIs},
	{"turned-round", parseReportIs},
	{"hanging", parseReportIs},
	{"read-again", parseGroupReadIs},
	{"passed-over", parseGroupReadIs},
	{"aborted", parseAborted},
	{"reads", parseReadsAre},
	{"error", parseErrorIs},
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

// Now expects that a condition is met:
//
//	expect state B/orders-0=STOPPED
//	expect isr B/orders-0=2
type Now struct{ Condition }

// Check says what is so instead.
func (e Now) Check(v View) error {
	if what, ok := e.Met(v); !ok {
		return errors.New(what)
	}
	return nil
}

// String is the expectation as it stands in the file, without its comment.
func (e *Expect) String() string { return string(e.appendText(nil)) }

// keywordIndex is which of the words the expectation began with.
func (l *line) keywordIndex(words []string) int {
	return max(slices.Index(words, l.words[l.next-1]), 0)
}
