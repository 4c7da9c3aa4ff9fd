package format

import "strings"

// Acts by their first word, in the order of the manual.
var acts = []struct {
	keyword string
	parse   func(l *line) Act
}{
	{"produce", parseProduce},
	{"move", parseMove},
	{"consume", parseConsume},
	{"commit", parseCommit},
	{"abort", parseAbort},
	{"leave", parseLeave},
	{"start", parseOperate},
	{"stop", parseOperate},
	{"pause", parseOperate},
	{"resume", parseOperate},
	{"recover", parseOperate},
	{"create", parseCreateMirror},
	{"delete", parseDeleteMirror},
	{"describe", parseDescribe},
	{"create-topics", parseCreateTopics},
	{"delete-topics", parseDeleteTopics},
	{"create-partitions", parseCreatePartitions},
	{"delete-records", parseDeleteRecords},
	{"retention", parseRetention},
	{"compact", parseCompact},
	{"reset-offset", parseResetOffset},
	{"config", parseConfig},
	{"acl", parseAlterAcl},
	{"elect", parseElect},
	{"fault", parseFault},
	{"live", parseLive},
}

func isAct(w string) bool {
	for _, k := range actKeywords() {
		if k == w {
			return true
		}
	}
	return false
}

// parseTimed reads an act, with its time if it has one:
//
//	produce p A/orders-0 3
//	at 10s fault crash b1
//	after 500ms stop orders in m
func parseTimed(l *line) {
	var when When
	l.next = 1
	switch l.words[0] {
	case "at":
		when.Kind = At
	case "after":
		when.Kind = After
	default:
		l.next = 0
	}
	if when.Kind != Then {
		w := l.word("a time")
		when.Time = l.time(w, w)
	}
	l.addStep(when, l.act())
}

// act reads an act from its first word on.
func (l *line) act() Act {
	w := l.word("an act")
	if l.err != nil {
		return nil
	}
	for _, a := range acts {
		if a.keyword == w {
			return a.parse(l)
		}
	}
	l.fail(w, "unknown act", actKeywords()...)
	return nil
}

// Acts are the keywords of all acts.
func Acts() []string { return actKeywords() }

func actKeywords() (list []string) {
	for _, a := range acts {
		list = append(list, a.keyword)
	}
	return list
}

// maxSteps bounds the steps of a run, repeats counted out.
const maxSteps = 100_000

// addStep adds a step where it belongs: to the scenario, or to the innermost open repeat.
func (l *line) addStep(when When, do Act) {
	if l.err != nil {
		return
	}
	l.end()
	if n := len(l.p.s.Steps); n > 0 && l.err == nil {
		if _, ok := l.p.s.Steps[n-1].Do.(*Live); ok {
			l.fail(l.words[0], "no step follows the second phase", "expect", "choose", "wrong")
		}
	}
	step := Step{l.p.pos(), when, do}
	times := 1
	for _, r := range l.p.open {
		times *= r.Do.(*Repeat).Count
	}
	if l.p.steps += times; l.p.steps > maxSteps {
		l.fail(l.words[0], "with all repeats there are more than 100000 steps")
	}
	if n := len(l.p.open); n > 0 {
		r := l.p.open[n-1].Do.(*Repeat)
		r.Body = append(r.Body, step)
		return
	}
	l.p.s.Steps = append(l.p.s.Steps, step)
}

func (s *Step) appendText(dst []byte, indent string) []byte {
	dst = appendNote(dst, s.Note, indent)
	dst = append(dst, indent...)
	if r, ok := s.Do.(*Repeat); ok {
		return r.appendText(dst, indent)
	}
	return s.Do.AppendText(s.When.appendText(dst))
}

func (w When) appendText(dst []byte) []byte {
	switch w.Kind {
	case At:
		dst = append(dst, "at "+w.Time.String()+" "...)
	case After:
		dst = append(dst, "after "+w.Time.String()+" "...)
	}
	return dst
}

// String is the step as it stands in the file, without its comment.
func (s *Step) String() string {
	bare := *s
	bare.Note = ""
	return strings.TrimSpace(string(bare.appendText(nil, "")))
}
