package history

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// The kinds of the two lines that are no events.
const (
	liveKind = "second-phase-over"
	endKind  = "end"
)

// Writer writes a history as a run goes on. It keeps the first error, and writes nothing after it.
type Writer struct {
	out    *bufio.Writer
	about  string
	names  *names
	buf    []byte
	events uint64
	err    error
}

// NewWriter writes to out; about says for people where the history is from.
func NewWriter(out io.Writer, about string) *Writer {
	return &Writer{out: bufio.NewWriterSize(out, 1<<16), about: about}
}

// Begin writes the header of a run whose nodes have these roles. Call it once, before the first event.
func (w *Writer) Begin(t *checkers.Topology, roles []Role) {
	h := HeaderOf(t, roles, w.about)
	_, n, bad := h.topology()
	if bad != nil {
		w.fail(fmt.Errorf("the history's header cannot be written: %w", bad))
		return
	}
	n.of = t.Names
	w.names = n
	text, err := json.Marshal(h)
	w.fail(err)
	w.buf = append(w.buf[:0], text...)
	w.flushLine()
}

// Event writes an event.
func (w *Writer) Event(e *event.Event) {
	if w.err != nil {
		return
	}
	w.events++
	w.head(e.At, e.Kind.String(), w.names.of.Node(e.Node))
	for i := range rows[e.Kind].fields {
		if f := &rows[e.Kind].fields[i]; !f.absent(e) {
			w.buf = append(append(append(w.buf, `,"`...), f.name...), `":`...)
			if !w.put(f, e) {
				w.fail(fmt.Errorf("event %d of the history, %s: %s has no text", e.Index, e.Kind, f.name))
				return
			}
		}
	}
	w.buf = append(w.buf, '}')
	w.flushLine()
}

// put appends the value of a field.
func (w *Writer) put(f *field, e *event.Event) (ok bool) {
	switch {
	case f.slot == batchSlot:
		w.buf, ok = putBatch(w.buf, w.names, e.Batch)
	case f.form.put == nil:
		w.buf, ok = putConfig(w.buf, e), true
	default:
		w.buf, ok = f.form.put(w.buf, w.names, f.slot.get(e))
	}
	return ok
}

// absent tells whether the field is left out.
func (f *field) absent(e *event.Event) bool {
	switch {
	case !f.optional:
		return false
	case f.slot == batchSlot:
		return e.Batch == nil
	case f.form.put == nil:
		return e.From == 0
	}
	return f.slot.get(e) == f.none
}

// Live writes that the second phase of the run is over: the brokers of core were to be well, and everything was to be done
// within bound. waits are what nodes say that they wait for, a line each.
func (w *Writer) Live(at id.Duration, core id.Set, bound id.Duration, waits []string) {
	if w.err != nil {
		return
	}
	w.head(at, liveKind, "")
	w.buf = append(w.buf, `,"core":`...)
	var ok bool
	if w.buf, ok = brokers.put(w.buf, w.names, int64(core)); !ok {
		w.fail(fmt.Errorf("the history's second phase: core has no text"))
		return
	}
	w.buf = strconv.AppendInt(append(w.buf, `,"bound_us":`...), int64(bound), 10)
	w.buf = append(w.buf, `,"waits":[`...)
	for _, text := range waits {
		w.buf = quoted(comma(w.buf, '['), text)
	}
	w.buf = append(w.buf, "]}"...)
	w.flushLine()
}

// End writes that the run is over. assertion is what the assertion says that ended it; "" if none did.
func (w *Writer) End(at id.Duration, assertion string) {
	if w.err != nil {
		return
	}
	w.head(at, endKind, "")
	w.buf = strconv.AppendUint(append(w.buf, `,"events":`...), w.events, 10)
	if assertion != "" {
		w.buf = quoted(append(w.buf, `,"assertion":`...), assertion)
	}
	w.buf = append(w.buf, '}')
	w.flushLine()
}

// head begins a line.
func (w *Writer) head(at id.Duration, kind, node string) {
	w.buf = strconv.AppendInt(append(w.buf[:0], `{"us":`...), int64(at), 10)
	w.buf = append(append(append(w.buf, `,"kind":"`...), kind...), '"')
	if node != "" {
		w.buf = quoted(append(w.buf, `,"node":`...), node)
	}
}

func (w *Writer) flushLine() {
	if w.err == nil {
		w.buf = append(w.buf, '\n')
		_, err := w.out.Write(w.buf)
		w.fail(err)
	}
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Close writes out what is left and answers the first error. It does not close what it writes to.
func (w *Writer) Close() error {
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}
