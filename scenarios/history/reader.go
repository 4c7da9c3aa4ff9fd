package history

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// maxLine bounds a line, in bytes.
const maxLine = 4 << 20

// Reader reads a history line by line. It keeps nothing of an event but the batch that the event holds.
type Reader struct {
	file     string
	lines    *bufio.Scanner
	number   int // of the line, from 1
	header   *Header
	topology *checkers.Topology
	names    *names
	line     line
	event    event.Event
	events   uint64
	now      id.Duration
	lived    bool
	ended    bool
	unknown  []Unknown
}

// Unknown is a kind of events that this version does not know.
type Unknown struct {
	Kind   string
	Events uint64
}

// Live is the line that the second phase is over: see Writer.Live.
type Live struct {
	Core  id.Set
	Bound id.Duration
	Waits []string
}

// End is the line that the history is over.
type End struct{ Assertion string }

// Line is one line behind the header; all are nil for an event of an unknown kind. Event is good until the next line.
type Line struct {
	Event *event.Event
	Live  *Live
	End   *End
}

// NewReader reads the header of a history. file is its name for errors, which are of type *format.SyntaxError, or those of
// src.
func NewReader(file string, src io.Reader) (*Reader, error) {
	r := &Reader{file: file, lines: bufio.NewScanner(src)}
	r.lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	text, err := r.next()
	if err == io.EOF {
		return nil, r.at(problem("", "the file is empty", "a header of schema "+Schema), 1)
	}
	if err != nil {
		return nil, err
	}
	header, bad := parseHeader(text)
	if bad == nil {
		r.header = header
		r.topology, r.names, bad = header.topology()
	}
	if bad != nil {
		return nil, r.at(bad, 1)
	}
	return r, nil
}

// Topology is what the header says.
func (r *Reader) Topology() checkers.Topology { return *r.topology }

// About is where the history is from, in the words of its header.
func (r *Reader) About() string { return r.header.About }

// Unknown are the kinds of events that were not understood, in the order in which they came; beyond 32 the last one stands for
// all others.
func (r *Reader) Unknown() []Unknown { return r.unknown }

// Events is how many events there were so far, those of unknown kinds too, and Now the time of the last line.
func (r *Reader) Events() (n uint64, now id.Duration) { return r.events, r.now }

// Ended tells whether the line was read that says that the history is whole.
func (r *Reader) Ended() bool { return r.ended }

// next is the next line of the file.
func (r *Reader) next() ([]byte, error) {
	if r.lines.Scan() {
		r.number++
		return r.lines.Bytes(), nil
	}
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, r.at(problem("", "the line is too long", fmt.Sprintf("at most %d bytes", maxLine)), r.number+1)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.file, err)
	}
	return nil, io.EOF
}

func (r *Reader) at(x *format.SyntaxError, line int) *format.SyntaxError {
	x.File, x.Line = r.file, line
	return x
}

// Next is the next line; io.EOF behind the last one.
func (r *Reader) Next() (Line, error) {
	text, err := r.next()
	if err != nil {
		return Line{}, err
	}
	l, bad := r.parse(text)
	if bad != nil {
		return Line{}, r.at(bad, r.number)
	}
	return l, nil
}

// fieldError says what is wrong with a field of the line.
func fieldError(kind, name string, raw jsontext.Value, bad *refusal) *format.SyntaxError {
	const shown = 40
	word := string(raw)
	if text, err := jsontext.AppendUnquote(nil, raw); err == nil {
		word = string(text)
	}
	if len(word) > shown {
		word = strings.ToValidUTF8(word[:shown], "") + "..."
	}
	return &format.SyntaxError{Word: word, Message: "field " + name + " of " + kind + ": " + bad.message, Want: bad.want}
}

func missing(kind, name, accepts string) *format.SyntaxError {
	return problem(name, "the field is missing: "+kind+" needs it", accepts)
}

// parse reads one line.
func (r *Reader) parse(text []byte) (Line, *format.SyntaxError) {
	if r.ended {
		return Line{}, problem("", "a line stands behind the end", "nothing behind the line of kind "+endKind)
	}
	if bad := r.line.split(text); bad != nil {
		return Line{}, bad
	}
	raw := r.line.take("kind")
	if raw == nil {
		return Line{}, missing("every line", "kind", "the kind of an event")
	}
	word, ok := r.names.text(raw)
	if !ok || len(word) == 0 {
		return Line{}, fieldError("a line", "kind", raw, refuse("not a kind", "a string"))
	}
	k, known := kinds[string(word)]
	kind := k.String()
	if !known {
		kind = string(word)
	}
	if bad := r.time(kind); bad != nil {
		return Line{}, bad
	}
	switch {
	case kind == liveKind:
		return r.live()
	case kind == endKind:
		return r.end()
	case !known:
		r.events++
		r.count(kind)
		return Line{}, nil
	}
	if bad := r.fill(k); bad != nil {
		return Line{}, bad
	}
	r.events++
	return Line{Event: &r.event}, nil
}

// time takes the time of the line. It never goes back.
func (r *Reader) time(kind string) *format.SyntaxError {
	raw := r.line.take("us")
	if raw == nil {
		return missing(kind, "us", duration.accepts)
	}
	v, bad := duration.take(raw, r.names)
	if bad == nil && id.Duration(v) < r.now {
		bad = refuse("the line is out of order: the one before it is later", fmt.Sprintf("microseconds from %d", int64(r.now)))
	}
	if bad != nil {
		return fieldError(kind, "us", raw, bad)
	}
	r.now = id.Duration(v)
	return nil
}

// count counts an event of an unknown kind.
func (r *Reader) count(kind string) {
	const most, longest = 32, 64
	if len(kind) > longest {
		kind = strings.ToValidUTF8(kind[:longest], "") + "..."
	}
	i := slices.IndexFunc(r.unknown, func(u Unknown) bool { return u.Kind == kind })
	if i < 0 && len(r.unknown) == most {
		r.unknown = append(r.unknown, Unknown{Kind: "other kinds"})
	}
	if i < 0 && len(r.unknown) > most {
		i = most
	}
	if i < 0 {
		i = len(r.unknown)
		r.unknown = append(r.unknown, Unknown{Kind: kind})
	}
	r.unknown[i].Events++
}

// fill makes the event of the line.
func (r *Reader) fill(k event.Kind) *format.SyntaxError {
	row, kind := &rows[k], k.String()
	e := &r.event
	*e = event.Event{Index: r.events, At: r.now, Kind: k, Peer: id.None}
	raw := r.line.take("node")
	if raw == nil {
		return missing(kind, "node", "a node of the header")
	}
	v, bad := anyNode.take(raw, r.names)
	if bad == nil && !row.comesFrom(r.names.role[v]) {
		bad = refuse("such an event does not come from a "+r.names.role[v].String(), row.roles()...)
	}
	if bad != nil {
		return fieldError(kind, "node", raw, bad)
	}
	e.Node = id.Node(v)
	for i := range row.fields {
		f := &row.fields[i]
		raw := r.line.take(f.name)
		switch {
		case raw != nil:
			if bad := r.value(f, raw); bad != nil {
				return fieldError(kind, f.name, raw, bad)
			}
		case !f.optional:
			return missing(kind, f.name, f.form.accepts)
		case f.slot != batchSlot:
			f.slot.set(e, f.none)
		}
	}
	if name, ok := r.line.left(); ok {
		return &format.SyntaxError{Word: name, Message: kind + " has no such field", Want: row.names()}
	}
	if k == event.TopicCreated || k == event.TopicGrown {
		t := e.Partition.Topic
		r.names.partitions[t] = max(r.names.partitions[t], int64(e.Sequence))
	}
	return nil
}

// value puts the value of a field into the event.
func (r *Reader) value(f *field, raw jsontext.Value) *refusal {
	e := &r.event
	switch {
	case f.slot == batchSlot:
		b, bad := takeBatch(raw, r.names)
		if bad == nil && e.Kind == event.Compacted {
			bad = setCompacted(e, b)
		} else if bad == nil {
			setAppended(e, b)
		}
		return bad
	case f.form.take == nil:
		return takeConfig(raw, r.names, e)
	}
	v, bad := f.form.take(raw, r.names)
	if bad == nil {
		f.slot.set(e, v)
	}
	return bad
}

// live reads the line that the second phase is over.
func (r *Reader) live() (Line, *format.SyntaxError) {
	if r.lived {
		return Line{}, problem(liveKind, "the second phase is over already", "one such line")
	}
	x := &Live{}
	for _, f := range []struct {
		name string
		form form
		set  func(int64)
	}{
		{"core", brokers, func(v int64) { x.Core = id.Set(v) }},
		{"bound_us", duration, func(v int64) { x.Bound = id.Duration(v) }},
	} {
		raw := r.line.take(f.name)
		if raw == nil {
			return Line{}, missing(liveKind, f.name, f.form.accepts)
		}
		v, bad := f.form.take(raw, r.names)
		if bad != nil {
			return Line{}, fieldError(liveKind, f.name, raw, bad)
		}
		f.set(v)
	}
	if raw := r.line.take("waits"); raw != nil && !each(raw, func(v jsontext.Value) bool {
		text, ok := r.names.text(v)
		x.Waits = append(x.Waits, string(text))
		return ok
	}) {
		return Line{}, fieldError(liveKind, "waits", raw, refuse("not a list of strings", "what nodes wait for, in words"))
	}
	if name, ok := r.line.left(); ok {
		return Line{}, problem(name, liveKind+" has no such field", "us", "kind", "core", "bound_us", "waits")
	}
	r.lived = true
	return Line{Live: x}, nil
}

// end reads the line that the history is over.
func (r *Reader) end() (Line, *format.SyntaxError) {
	x := &End{}
	raw := r.line.take("events")
	if raw == nil {
		return Line{}, missing(endKind, "events", "how many events there are")
	}
	v, bad := offset.take(raw, r.names)
	if bad == nil && uint64(v) != r.events {
		bad = refuse(fmt.Sprintf("there %s %s before it", checkers.Noun(r.events, "is", "are"), checkers.Several(r.events, "event", "events")), fmt.Sprint(r.events))
	}
	if bad != nil {
		return Line{}, fieldError(endKind, "events", raw, bad)
	}
	if raw := r.line.take("assertion"); raw != nil {
		text, ok := r.names.text(raw)
		if !ok {
			return Line{}, fieldError(endKind, "assertion", raw, refuse("not a text", "a string"))
		}
		x.Assertion = string(text)
	}
	if name, ok := r.line.left(); ok {
		return Line{}, problem(name, endKind+" has no such field", "us", "kind", "events", "assertion")
	}
	r.ended = true
	return Line{End: x}, nil
}

// roles are those that such an event comes from.
func (r *row) roles() (list []string) {
	for _, x := range r.from {
		list = append(list, x.String())
	}
	return list
}

// names are the fields of such an event.
func (r *row) names() []string {
	list := []string{"us", "kind", "node"}
	for i := range r.fields {
		list = append(list, r.fields[i].name)
	}
	return list
}
