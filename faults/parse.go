package faults

import (
	"strconv"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
)

// Error says at which word a text is no fault, and what would be accepted there. Word is empty at the end of the text.
type Error struct {
	Word, Message string
	Want          []string
}

// Error is one sentence.
func (e *Error) Error() string {
	text := e.Message
	if e.Word != "" {
		text = strconv.Quote(e.Word) + ": " + text
	}
	if len(e.Want) > 0 {
		text += "; accepted: " + strings.Join(e.Want, ", ")
	}
	return text
}

// Parse reads words of the form
//
//	KIND TARGET [by=TIME | offset=N] [for TIME] [if-spared] [at-point POINT [nth=N]]
//
// and looks no name up. An error is an *Error.
func Parse(words []string) (Planned, error) {
	r := reader{words: words}
	var p Planned
	p.Fault.Kind = r.kind()
	p.Fault.Target = r.target(p.Fault.Kind)
	r.amount(&p.Fault)
	if r.skip("for") {
		p.Fault.For = r.time(r.word("a time"))
	}
	if p.Fault.Spare = r.skip("if-spared"); p.Fault.Spare && p.Fault.Kind != Crash && p.Fault.Kind != PowerLoss {
		r.fail("if-spared", "only a crash or a power loss depends on the ISR")
	}
	if r.skip("at-point") {
		p.When.Point, p.When.Nth = r.point(), 1
		if value, ok := r.option("nth="); ok {
			p.When.Nth = r.nth(value)
		}
	}
	if r.err == nil && r.next < len(r.words) {
		r.fail(r.words[r.next], "unexpected word in a fault", "by=TIME", "offset=N", "for TIME", "if-spared", "at-point POINT [nth=N]")
	}
	if r.err == nil && p.Fault.Kind == Heal && p.Fault.For != 0 {
		r.fail("for", "what is healed stays so")
	}
	if r.err != nil {
		return Planned{}, r.err
	}
	return p, nil
}

// reader reads words; after the first error everything answers zero values.
type reader struct {
	words []string
	next  int
	err   *Error
}

func (r *reader) fail(word, message string, want ...string) {
	if r.err == nil {
		r.err = &Error{word, message, want}
	}
}

func (r *reader) word(what string) string {
	if r.err != nil {
		return ""
	}
	if r.next == len(r.words) {
		r.fail("", "the fault ends too early", what)
		return ""
	}
	r.next++
	return r.words[r.next-1]
}

func (r *reader) skip(word string) bool {
	if r.err != nil || r.next == len(r.words) || r.words[r.next] != word {
		return false
	}
	r.next++
	return true
}

// option reads the next word if it begins with that prefix.
func (r *reader) option(prefix string) (value string, ok bool) {
	if r.err != nil || r.next == len(r.words) || !strings.HasPrefix(r.words[r.next], prefix) {
		return "", false
	}
	r.next++
	return r.words[r.next-1][len(prefix):], true
}

func (r *reader) kind() Kind {
	w := r.word("a kind of fault")
	k, ok := ParseKind(w)
	if !ok {
		r.fail(w, "unknown kind of fault", Kinds()...)
	}
	return k
}

func (r *reader) target(k Kind) Target {
	if k == Corrupt {
		return Target{Role: "leader " + r.word("a partition")}
	}
	switch w := r.word("a target"); w {
	case "leader":
		return Target{Role: "leader " + r.word("a partition")}
	case "coordinator":
		mirror := r.word("the name of a mirror")
		return Target{Role: "coordinator " + mirror + " " + r.word("a partition")}
	default:
		node, peer, link := strings.Cut(w, ">")
		if node == "" || link && peer == "" || node == peer {
			r.fail(w, "not a target", "NODE", "NODE>NODE", "leader TP", "coordinator MIRROR TP")
		}
		if link && (k == Crash || k == PowerLoss) {
			r.fail(w, "a "+k.String()+" falls upon a node", "NODE", "leader TP", "coordinator MIRROR TP")
		}
		return Target{Node: node, Peer: peer}
	}
}

// amount reads the extra latency of a delay, or the offset of what is corrupted.
func (r *reader) amount(f *Fault) {
	if f.Kind == Corrupt {
		value, ok := r.option("offset=")
		if !ok {
			r.fail("", "what is corrupted has an offset", "offset=N")
		}
		f.Amount = r.offset(value)
		return
	}
	value, ok := r.option("by=")
	if ok != (f.Kind == Delay) && r.err == nil {
		if ok {
			r.fail("by="+value, "only a delay has an amount")
		} else {
			r.fail("", "a delay needs its amount", "by=TIME")
		}
	}
	if ok {
		f.Amount = int64(r.time(value))
	}
}

func (r *reader) time(w string) id.Duration {
	d, err := id.ParseDuration(w)
	if err != nil || d == 0 {
		r.fail(w, "not a time above 0", "a whole number and us, ms, s, m or h, such as 500ms")
	}
	return d
}

func (r *reader) point() point.Point {
	w := r.word("a point of the protocol")
	p, err := point.Parse(w)
	if err != nil {
		r.fail(w, "unknown point", Points()...)
	}
	return p
}

func (r *reader) nth(value string) uint32 {
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil || n == 0 {
		r.fail("nth="+value, "not a number that is accepted here", "a whole number from 1 on")
	}
	return uint32(n)
}

func (r *reader) offset(value string) int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		r.fail("offset="+value, "not a number that is accepted here", "a whole number from 0 on")
	}
	return n
}

// Points are the names of the points at which a fault may fall.
func Points() []string {
	var names []string
	for p := point.None + 1; int(p) < point.Points; p++ {
		names = append(names, p.String())
	}
	return names
}
