package format

import (
	"slices"
	"strings"
)

// Operate is a request of the destination's admin for topics of a mirror:
//
//	start orders in m
//	stop orders payments in B/m
//	pause orders in m
//	resume orders in m
//	recover orders in m
//
// It has completed when the admin has a result for each topic, which says nothing about the partitions' actual state.
type Operate struct {
	Request Request
	Topics  []string
	Mirror  MirrorRef
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
	l.checkTopics(a)
	return a
}

// checkTopics wants topics that stand on either side of the mirror: a start may create one at the destination.
func (l *line) checkTopics(a *Operate) {
	if l.err != nil {
		return
	}
	m := l.p.s.FindMirror(a.Mirror)
	both := append(l.p.s.topicsOn(m.From), l.p.s.topicsOn(m.To)...)
	slices.Sort(both)
	both = slices.Compact(both)
	if len(a.Topics) == 0 {
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
	return append(dst, a.Request.String()+" "+strings.Join(a.Topics, " ")+" in "+a.Mirror.String()...)
}

// Simpler is the same request for one topic less.
func (a *Operate) Simpler() []Act {
	if len(a.Topics) < 2 {
		return nil
	}
	var list []Act
	for i := range a.Topics {
		list = append(list, &Operate{a.Request, slices.Delete(slices.Clone(a.Topics), i, i+1), a.Mirror})
	}
	return list
}
