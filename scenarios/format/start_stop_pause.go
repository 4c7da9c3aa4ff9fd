package format

import (
	"slices"
	"strings"
)

// Operate is a request of the destination's admin for topics of a mirror:
//
//	start orders in m
//	stop orders payments in B/m
//	stop in m pattern=orders-.*,users
//	pause orders in m
//	resume orders in m
//	recover orders in m
//
// It has completed when the admin has a result for each topic, which says nothing about the partitions' actual state.
type Operate struct {
	Request  Request
	Topics   []string // at least one, or of a stop a pattern
	Mirror   MirrorRef
	Patterns []string // of a stop: literals and RE2 patterns
}

// Request is which of the mirror requests of section 2 of the design an Operate is.
type Request uint8

// The requests, by the newer revision's names.
const (
	StartTopics Request = iota
	StopTopics
	PauseTopics
	ResumeTopics
	RecoverTopics
)

var requests = []string{"start", "stop", "pause", "resume", "recover"}

// String is the word in the file.
func (r Request) String() string { return requests[r] }

func parseOperate(l *line) Act {
	a := &Operate{Request: Request(slices.Index(requests, l.words[l.next-1]))}
	for l.err == nil && !l.skip("in") {
		a.Topics = append(a.Topics, l.word("in MIRROR"))
	}
	a.Mirror = l.mirror()
	if a.Request == StopTopics && l.more() {
		key, value := l.option("stop", "pattern=PATTERN,PATTERN")
		a.Patterns = l.list(key+"="+value, value)
		l.checkPatterns(a.Patterns)
	}
	l.checkTopics(a)
	return a
}

// list reads text, a part of word, as a list of at least one entry. An entry has no comma, as in Kafka's configurations.
func (l *line) list(word, text string) []string {
	list := strings.Split(text, ",")
	for i, entry := range list {
		if l.err == nil && (entry == "" || slices.Contains(list[:i], entry)) {
			l.fail(word, "a list has entries between its commas, each once", "ENTRY,ENTRY")
		}
	}
	return list
}

// checkTopics wants topics that stand on either side of the mirror: a start may create one at the destination.
func (l *line) checkTopics(a *Operate) {
	if l.err != nil {
		return
	}
	m := l.p.s.FindMirror(a.Mirror)
	both := l.p.s.topicsAt(m.To)
	for _, from := range l.p.sourcesOf(m) {
		both = append(both, l.p.s.topicsAt(from)...)
	}
	slices.Sort(both)
	both = slices.Compact(both)
	if len(a.Topics)+len(a.Patterns) == 0 {
		l.fail("in", "the request names no topic", both...)
	}
	for i, t := range a.Topics {
		if !slices.Contains(both, t) {
			l.fail(t, "neither end of the mirror has this topic", both...)
		}
		if slices.Contains(a.Topics[:i], t) {
			l.fail(t, "the request names this topic twice")
		}
	}
}

// Keyword is the request's word.
func (a *Operate) Keyword() string { return a.Request.String() }

// AppendText appends the line.
func (a *Operate) AppendText(dst []byte) []byte {
	dst = append(dst, a.Request.String()...)
	for _, t := range a.Topics {
		dst = append(dst, " "+t...)
	}
	dst = append(dst, " in "+a.Mirror.String()...)
	if len(a.Patterns) > 0 {
		dst = append(dst, " pattern="+strings.Join(a.Patterns, ",")...)
	}
	return dst
}

// Simpler is the same request for one topic or one pattern less.
func (a *Operate) Simpler() []Act {
	if len(a.Topics)+len(a.Patterns) < 2 {
		return nil
	}
	var list []Act
	for i := range a.Topics {
		list = append(list, &Operate{a.Request, slices.Delete(slices.Clone(a.Topics), i, i+1), a.Mirror, a.Patterns})
	}
	for i := range a.Patterns {
		list = append(list, &Operate{a.Request, a.Topics, a.Mirror, slices.Delete(slices.Clone(a.Patterns), i, i+1)})
	}
	return list
}
