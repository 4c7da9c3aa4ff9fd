package replica_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// absent-replica=realign, D41: c was outside the ISR while alignment ended at 6. It comes back with a log up to 9 of which
// no epoch tells that it is another history.
func TestRealign(t *testing.T) {
	for _, row := range []struct {
		name   string
		set    string
		before int64 // what the leader knows when c fetches: the end of the alignment, or -2: nothing yet
		from   int64
		want   string
	}{
		{"above the alignment", "realign", 6, 9, "diverging 6"},
		{"at the alignment", "realign", 6, 6, "data"},
		{"below it", "realign", 6, 3, "data"},
		{"never aligned", "realign", record.NoPosition, 9, "data"},
		{"the state is not read yet", "realign", -2, 9, "COORDINATOR_LOAD_IN_PROGRESS"},
		{"ordinary replication", "fetch-only", 6, 9, "data"},
	} {
		t.Run(row.name, func(t *testing.T) {
			l := newHost(t, a, spec{set: []string{"absent-replica=" + row.set}}).hold(t, "0-4@5 5-9@6").commit(3)
			l.want(record.WantMirroring)
			l.register(a, 7, a, b)
			if row.before != -2 {
				l.SetAligned(row.before, false, &l.env)
			}
			equal(t, "answer", said(l.fetch(c, row.from, l.Log.EpochAt(row.from-1))), row.want)
			equal(t, "a member of the ISR", said(l.fetch(b, 9, 6)), "data")
		})
	}
}

// c is answered so until it fetches from the end of the alignment or below, then as anybody else.
func TestRealignEnds(t *testing.T) {
	l := newHost(t, a, spec{set: []string{"absent-replica=realign"}}).hold(t, "0-4@5 5-9@6").commit(3)
	l.want(record.WantMirroring)
	l.register(a, 7, a, b)
	l.SetAligned(6, true, &l.env)
	for _, row := range []struct {
		from int64
		want string
	}{{9, "diverging 6"}, {8, "diverging 6"}, {6, "data"}, {9, "data"}} {
		equal(t, "answer", said(l.fetch(c, row.from, 6)), row.want)
	}
	l.SetAligned(7, true, &l.env)
	equal(t, "after the next alignment", said(l.fetch(c, 9, 6)), "diverging 7")
}

// A replica that comes back has not heard of the cuts of this leader. It is answered so once, although its first good fetch
// says nothing about its log end (D52=forget).
func TestRealignOnce(t *testing.T) {
	l := newHost(t, a, spec{set: []string{"absent-replica=realign", "leader-cut=forget"}}).hold(t, "0-4@5 5-9@6").commit(3)
	l.want(record.WantMirroring)
	l.register(a, 7, a, b)
	l.TruncateOwn(9, event.AlignedToLME, &l.env)
	l.SetAligned(6, true, &l.env)
	for _, row := range []struct {
		from int64
		want string
	}{{8, "diverging 6"}, {6, "data"}, {8, "data"}} {
		equal(t, "answer", said(l.fetch(c, row.from, 6)), row.want)
	}
}

// The leader's log starts above the end of the alignment: all that a replica may keep lies below the start, so that it is cut
// to the start, and begins there without what it knew of producers. Empty it is answered like any other.
func TestRealignAboveLogStart(t *testing.T) {
	l := newHost(t, a, spec{set: []string{"absent-replica=realign"}}).hold(t, "0-4@5 5-9@6").commit(8)
	l.want(record.WantMirroring)
	l.register(a, 7, a, b)
	l.Log.MoveStart(4, l.env.Out)
	l.SetAligned(0, true, &l.env)
	equal(t, "above", said(l.fetch(c, 9, 6)), "diverging 4")
	equal(t, "at the start", said(l.fetch(c, 4, 5)), "diverging 4")
	equal(t, "below it", said(l.fetch(c, 3, 5)), "OFFSET_OUT_OF_RANGE")
	equal(t, "started anew", said(l.fetch(c, 4, -1)), "data")
}

// The end of the alignment is inside a batch of the history that came after it: c is cut to where that batch begins, or it
// could never append it.
func TestRealignInsideBatch(t *testing.T) {
	l := newHost(t, a, spec{set: []string{"absent-replica=realign"}}).hold(t, "0-4@5").commit(3)
	l.want(record.WantMirroring)
	l.register(a, 7, a, b)
	l.AppendMirrored(plain(5, 9).At(5, 6), &l.env)
	l.SetAligned(7, true, &l.env)
	equal(t, "answer", said(l.fetch(c, 10, 6)), "diverging 5")
	equal(t, "then", said(l.fetch(c, 5, 5)), "data")
}

// That batch reaches below the log start: a replica that has nothing but starts at the log start is sent it, or it would be cut
// below the log start, be out of range, start there, and be cut again, for ever.
func TestRealignInsideBatchAtLogStart(t *testing.T) {
	l := newHost(t, a, spec{set: []string{"absent-replica=realign"}}).hold(t, "0-4@5").commit(3)
	l.want(record.WantMirroring)
	l.register(a, 7, a, b)
	l.AppendMirrored(plain(5, 9).At(5, 6), &l.env)
	l.commit(10)
	l.Log.MoveStart(8, l.env.Out)
	l.SetAligned(5, true, &l.env)
	equal(t, "above", said(l.fetch(c, 10, 6)), "diverging 8")
	equal(t, "at the log start", said(l.fetch(c, 8, -1)), "data")
}

// said is an answer in a word.
func said(res *wire.FetchResponse) string {
	switch {
	case res.Code != wire.OK:
		return res.Code.String()
	case res.Diverging:
		return fmt.Sprint("diverging ", res.DivergingOffset)
	}
	return "data"
}
