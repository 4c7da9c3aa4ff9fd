package faults

import (
	"strconv"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
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
//	KIND TARGET [TP] [by=TIME | offset=N] [api=MESSAGE] [nth=N] [to=NODE] [for TIME] [if-spared] [at-point POINT [nth=N] [on=NODE]]
//
// of which each kind takes its own, and looks no name up. An error is an *Error.
func Parse(words []string) (Planned, error) {
	r := reader{words: words}
	var p Planned
	f := &p.Fault
	f.Kind = r.kind()
	f.Target = r.target(f.Kind)
	if f.Kind == DiskError && r.next < len(r.words) && strings.Contains(r.words[r.next], "/") {
		f.TP = r.word("a partition")
	}
	r.amount(f)
	r.message(f)
	r.past(f)
	r.receiver(f)
	r.lasting(f)
	if f.Spare = r.skip("if-spared"); f.Spare && !f.Kind.Downs() {
		r.fail("if-spared", "only a crash or a power loss depends on the ISR")
	}
	if r.skip("at-point") {
		p.When = r.when()
	}
	r.there(&p)
	if r.err == nil && r.next < len(r.words) {
		r.fail(r.words[r.next], "unexpected word in a fault", f.Kind.options()...)
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
	if k.row().falls == onEntry {
		return Target{Role: "coordinator " + r.word("the name of a mirror") + " " + r.word("a partition")}
	}
	if k.row().falls == onBatch {
		return Target{Role: "leader " + r.word("a partition")}
	}
	if k.row().falls == onTransactional {
		return r.client()
	}
	w := r.word("a target")
	if !k.OfCluster() {
		if t, ok := r.role(w); ok {
			return t
		}
	}
	node, peer, link := strings.Cut(w, ">")
	switch {
	case node == "" || link && peer == "" || node == peer:
		r.fail(w, "not a target", k.targets()...)
	case link && !k.OfLinks():
		r.fail(w, k.String()+" falls upon no link", k.targets()...)
	}
	return Target{Node: node, Peer: peer}
}

// client reads a client, and the cluster on which it is meant.
func (r *reader) client() Target {
	t := Target{Node: r.word("a transactional client")}
	if r.skip("on") {
		t.Peer = r.word("a cluster")
	}
	return t
}

// role reads the rest of a role that begins with w, if it is one.
func (r *reader) role(w string) (t Target, ok bool) {
	switch w {
	case There:
		return Target{Role: There}, true
	case "leader":
		return Target{Role: "leader " + r.word("a partition")}, true
	case "coordinator":
		mirror := r.word("the name of a mirror")
		return Target{Role: "coordinator " + mirror + " " + r.word("a partition")}, true
	}
	return Target{}, false
}

// there refuses a fault upon whoever is at a point where there is none, or at which no broker comes for a fault of a broker.
func (r *reader) there(p *Planned) {
	switch f := &p.Fault; {
	case f.Target.Role != There:
	case p.When.Point == point.None:
		r.fail(There, "somebody is there when a point is reached", "at-point POINT")
	case f.TP != "":
		r.fail(f.TP, "whoever is there may have no log of it; without a partition all of its logs are meant")
	case !p.When.Point.OfBroker() && (f.Kind.OfDisk() || f.Kind == Stale):
		r.fail(p.When.Point.String(), f.Kind.String()+" falls upon a broker, and none reaches this point", brokerPoints()...)
	}
}

func brokerPoints() []string {
	var names []string
	for p := point.None + 1; int(p) < point.Points; p++ {
		if p.OfBroker() {
			names = append(names, p.String())
		}
	}
	return names
}

// amount reads by how much something is later, or the offset of what is corrupted.
func (r *reader) amount(f *Fault) {
	if f.Kind.row().falls == onBatch {
		value, ok := r.option("offset=")
		if !ok {
			r.fail("", "what is corrupted has an offset", "offset=N")
		}
		f.Amount = r.offset(value)
		return
	}
	value, ok := r.option("by=")
	switch {
	case ok && !f.Kind.Takes():
		r.fail("by="+value, f.Kind.String()+" takes no amount")
	case !ok && f.Kind.Takes():
		r.fail("", f.Kind.String()+" needs an amount", "by=TIME")
	case ok:
		f.Amount = int64(r.time(value))
	}
}

// message reads for which message a fault waits.
func (r *reader) message(f *Fault) {
	value, ok := r.option("api=")
	if !ok && !f.Kind.OfMessages() {
		return
	}
	switch f.API, ok = wire.ParseAPI(value); {
	case !f.Kind.OfMessages():
		r.fail("api="+value, f.Kind.String()+" waits for no message")
	case value == "":
		r.fail("", f.Kind.String()+" needs to know of which message", "api=MESSAGE")
	case !ok:
		r.fail("api="+value, "unknown message", messages()...)
	}
	if value, ok := r.option("nth="); ok {
		f.Nth = r.nth(value)
	}
}

// past reads which of the old requests is repeated.
func (r *reader) past(f *Fault) {
	if f.Kind != RepeatRequest {
		return
	}
	f.Nth = 1
	if value, ok := r.option("nth="); ok {
		if f.Nth = r.nth(value); f.Nth > MostRepeated {
			r.fail("nth="+value, "so many requests are not remembered", "nth=1 to nth="+strconv.Itoa(MostRepeated))
		}
	}
}

func messages() []string {
	var names []string
	for _, a := range wire.Messages() {
		names = append(names, a.String())
	}
	return names
}

// receiver reads who gets a role.
func (r *reader) receiver(f *Fault) {
	value, ok := r.option("to=")
	switch {
	case ok && !f.Kind.Moves():
		r.fail("to="+value, f.Kind.String()+" gives no role to anybody")
	case ok && value == "":
		r.fail("to=", "not a node", "to=NODE")
	}
	f.To = value
}

// lasting reads how long a fault lasts. One that waits for messages waits for one of them, or for all in a time.
func (r *reader) lasting(f *Fault) {
	if r.skip("for") {
		f.For = r.time(r.word("a time"))
		switch {
		case f.Kind.row().lasts == atOnce:
			r.fail("for", f.Kind.String()+" does not last")
		case f.Nth > 0:
			r.fail("for", "one message is meant, or every one for a time", "nth=N", "for TIME")
		}
		return
	}
	if f.Kind.row().lasts == mustLast {
		r.fail("", f.Kind.String()+" needs its time", "for TIME")
	}
	if f.Kind.OfMessages() && f.Nth == 0 {
		f.Nth = 1
	}
}

// when reads the point at which a fault falls.
func (r *reader) when() When {
	w := When{Point: r.point(), Nth: 1}
	if value, ok := r.option("nth="); ok {
		w.Nth = r.nth(value)
	}
	if value, ok := r.option("on="); ok {
		t, role := r.role(value)
		if !role {
			t.Node = value
		}
		if value == "" {
			r.fail("on=", "not a node", "on=NODE", "on=leader TP", "on=coordinator MIRROR TP")
		}
		w.On = t
	}
	return w
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
