package scenarios

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// Recording is a run that can be repeated event by event, also by a later version of this program: RECORDING.md is the
// format. It holds no seed.
type Recording struct {
	// Scenario is what was run, with its design in protocol and set lines and the schedule as choose lines.
	Scenario *format.Scenario
	Made     int      // deviations when it was recorded; Scenario has fewer when a person took some out
	Hashes   []uint32 // the upper 32 bits of the running hash after every event
}

// Record runs s and records it. o.Protocol is d.Config; o.Listen is called as well. The error is that of Run.
func Record(s *format.Scenario, d *Design, o Options) (*Result, *Recording, error) {
	t := &tracer{}
	o.Listen = both(t.keep, o.Listen)
	r, err := Run(s, o)
	if err != nil {
		return nil, nil, err
	}
	return r, &Recording{Baked(s, d, r), len(r.Deviations), t.hashes}, nil
}

// Baked is s with all that a run of it was given from outside: its design and the choices that were not calm. It runs to
// the same history by itself.
func Baked(s *format.Scenario, d *Design, r *Result) *format.Scenario {
	b := *s
	b.Revision, b.Sets = d.Revision, nil
	for _, x := range d.Sets {
		b.Sets = append(b.Sets, format.Set{Key: x.Name, Token: x.Token})
	}
	b.Schedule = slices.Clone(r.Deviations)
	return &b
}

// Replay is what the replay of a recording came to.
type Replay struct {
	Result  *Result
	Removed int         // deviations that were taken out of the recording
	Unused  int         // deviations that are left and did not apply
	Differs *Difference // the first event that is not as recorded; nil: none
}

// Replay runs the recording. o.Protocol is the configuration of the recording's design; o.Choices and o.Net are not used.
// The error is that of Run.
func (r *Recording) Replay(o Options) (*Replay, error) {
	t := &tracer{want: r.Hashes}
	o.Choices = nil
	o.Listen = both(t.compare, o.Listen)
	result, err := Run(r.Scenario, o)
	if err != nil {
		return nil, err
	}
	return &Replay{result, max(0, r.Made-len(r.Scenario.Schedule)), result.Unused, t.differs(result)}, nil
}

// Difference is the first event in which two runs differ.
type Difference struct {
	Index uint64
	Kind  event.Kind // of the later run's event; 0: that run has ended before it
	At    id.Duration
	Node  string
	Ended bool // the earlier run had ended before it
	// Choices is how many choices the two runs asked, when that is all in which they differ.
	Choices [2]uint64
}

// String is one sentence.
func (d *Difference) String() string {
	switch {
	case d.Choices != [2]uint64{}:
		return fmt.Sprintf("all %d events are equal, but the runs asked %d and %d choices", d.Index, d.Choices[0], d.Choices[1])
	case d.Kind == 0:
		return fmt.Sprintf("event %d is missing: this run ends before it, at %v", d.Index, d.At)
	case d.Ended:
		return fmt.Sprintf("event %d is new: %s at %v on %s, but the run before ended there", d.Index, d.Kind, d.At, d.Node)
	}
	return fmt.Sprintf("event %d differs: now it is %s at %v on %s", d.Index, d.Kind, d.At, d.Node)
}

// tracer folds a history into its running hash and keeps 32 bits of it after every event, or compares them with those of
// an earlier run.
type tracer struct {
	hash   uint64
	hashes []uint32 // kept
	want   []uint32 // compared with
	seen   int
	first  *event.Event // that was not as wanted
}

func (t *tracer) keep(e *event.Event) {
	t.hash = e.Mix(t.hash)
	t.hashes = append(t.hashes, uint32(t.hash>>32))
}

func (t *tracer) compare(e *event.Event) {
	t.hash = e.Mix(t.hash)
	if t.first == nil && (t.seen >= len(t.want) || t.want[t.seen] != uint32(t.hash>>32)) {
		c := *e
		t.first = &c
	}
	t.seen++
}

// differs is the first difference, once the run is over.
func (t *tracer) differs(r *Result) *Difference {
	switch {
	case t.first != nil:
		e := t.first
		return &Difference{Index: e.Index, Kind: e.Kind, At: e.At, Node: r.Names.Node(e.Node),
			Ended: e.Index >= uint64(len(t.want))}
	case t.seen < len(t.want):
		return &Difference{Index: uint64(t.seen), At: r.Virtual}
	}
	return nil
}

// both calls the first and, if there is one, the second.
func both(first, second func(*event.Event)) func(*event.Event) {
	if second == nil {
		return first
	}
	return func(e *event.Event) {
		first(e)
		second(e)
	}
}

// The words of the format.
const (
	recordingHead  = "mirrorsim.recording/1"
	deviationsWord = "deviations="
	eventsWord     = "events"
	hashesALine    = 16
)

// AppendText appends the recording as text.
func (r *Recording) AppendText(dst []byte) []byte {
	dst = fmt.Appendf(dst, "%s %s%d\n", recordingHead, deviationsWord, r.Made)
	dst = r.Scenario.AppendText(dst)
	dst = fmt.Appendf(dst, "%s %d\n", eventsWord, len(r.Hashes))
	for i, h := range r.Hashes {
		end := byte(' ')
		if i%hashesALine == hashesALine-1 || i == len(r.Hashes)-1 {
			end = '\n'
		}
		dst = append(fmt.Appendf(dst, "%08x", h), end)
	}
	return dst
}

// IsRecording tells whether a file is meant as a recording, by its first word.
func IsRecording(src []byte) bool { return bytes.HasPrefix(src, []byte(recordingHead)) }

// ParseRecording reads a recording; file is its name for errors, which are of type *format.SyntaxError.
func ParseRecording(file string, src []byte) (*Recording, error) {
	p := &recordingParser{file: file, lines: strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")}
	r := &Recording{Made: p.head()}
	events := slices.IndexFunc(p.lines, func(l string) bool { return strings.HasPrefix(l, eventsWord+" ") })
	if p.err == nil && events < 0 {
		p.fail(len(p.lines), "", "the recording has no events line", eventsWord+" N")
	}
	if p.err != nil {
		return nil, p.err
	}
	s, err := format.Parse(file, []byte(strings.Join(p.lines[1:events], "\n")))
	if syntax, ok := err.(*format.SyntaxError); ok {
		syntax.Line++ // the head stands above
		for _, m := range syntax.More {
			m.Line++
		}
		return nil, syntax
	}
	r.Scenario = s
	r.Hashes = p.hashes(events)
	if p.err != nil {
		return nil, p.err
	}
	return r, nil
}

// recordingParser keeps the first error.
type recordingParser struct {
	file  string
	lines []string
	err   *format.SyntaxError
}

// fail notes an error in a line, counted from 1.
func (p *recordingParser) fail(line int, word, message string, want ...string) {
	if p.err == nil {
		p.err = &format.SyntaxError{File: p.file, Line: line, Word: word, Want: want, Message: message}
	}
}

func (p *recordingParser) number(line int, word, text string) int {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		p.fail(line, word, "not a number that is accepted here", "a whole number from 0 on")
	}
	return int(n)
}

// head reads the first line and answers how many deviations were recorded.
func (p *recordingParser) head() int {
	words := strings.Fields(p.lines[0])
	switch {
	case len(words) == 0 || words[0] != recordingHead:
		p.fail(1, strings.Join(words[:min(len(words), 1)], ""), "not a recording of this version", recordingHead)
		return 0
	case len(words) != 2 || !strings.HasPrefix(words[1], deviationsWord):
		p.fail(1, strings.Join(words[1:], " "), "the number of deviations is missing", deviationsWord+"N")
		return 0
	}
	return p.number(1, words[1], words[1][len(deviationsWord):])
}

// hashes reads what stands from the events line on, which is the line of that index.
func (p *recordingParser) hashes(events int) []uint32 {
	count := strings.TrimSpace(strings.TrimPrefix(p.lines[events], eventsWord))
	want := p.number(events+1, count, count)
	var list []uint32
	for i := events + 1; i < len(p.lines); i++ {
		for word := range strings.FieldsSeq(p.lines[i]) {
			h, err := strconv.ParseUint(word, 16, 32)
			if err != nil || len(word) != 8 {
				p.fail(i+1, word, "not a hash", "8 hexadecimal digits")
			}
			list = append(list, uint32(h))
		}
	}
	if len(list) != want {
		p.fail(events+1, count, fmt.Sprintf("%s", checkers.Several(len(list), "hash follows", "hashes follow")), fmt.Sprint(eventsWord, " ", len(list)))
	}
	return list
}
