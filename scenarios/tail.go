package scenarios

import "mirrorsim/model/event"

// tailRows is how many acts a Tail keeps.
const tailRows = 20

// Tail keeps the last acts of a run that nobody tells, up to its first violation: what led to it, as a Story would tell it.
// Use it for one run.
type Tail struct {
	tell   *teller
	rows   []string
	frozen bool
}

// Rows are the acts, oldest first, in columns of virtual time, node and act. The caller must not change them.
func (t *Tail) Rows() []string { return t.rows }

func (t *Tail) listen(r *run) {
	t.tell = &teller{names: &r.names}
	idle := newIdle(r)
	r.alsoListen(func(e *event.Event) {
		text := t.tell.sentence(e)
		if idle.pass(e) || t.frozen || text == "" {
			return
		}
		if len(t.rows) == tailRows {
			t.rows = append(t.rows[:0], t.rows[1:]...)
		}
		t.rows = append(t.rows, t.tell.row(e, text))
		t.frozen = r.world != nil && r.watch().suite.Violated()
	})
}

func (t *Tail) step(*run, int, string) {}

func (t *Tail) end(*run) {}
