package checkers

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

var histories = flag.Int("histories", 1500,
	"random histories on which the direct checkers and porcupine are held against each other")

// corruptions are what randomHistory puts into a history: both opinions complain of each, the direct checkers by that property.
var corruptions = []struct {
	name     string
	property ID
}{
	{"two records swapped in a read", LinearizableLog},
	{"a record left out of a read", LinearizableLog},
	{"a record read that was never committed", LinearizableLog},
	{"a read of more than is committed", LinearizableLog},
	{"an append doubled", LinearizableLog},
	{"an append acknowledged and never made", LinearizableLog},
	{"an append acknowledged at an offset of another", LinearizableLog},
	{"an append acknowledged below one that came before", LinearizableLog},
	{"an acknowledged append lost", Durability},
	{"a stale read of the state", LegalState},
	{"a write of a lower leader epoch", LegalState},
	{"a position of a lower leader epoch", LegalState},
}

// changes are made to one event of a correct history, at random. Some leave it correct, such as a read of the state that is told
// what a write under way has made of it: then both opinions are silent. Each tells whether e was an event for it. Of produces it
// takes those with acks=all: of others a log promises too little for a second opinion.
var changes = []struct {
	name string
	make func(rng *rand.Rand, h *randomHistory, e *event.Event) bool
}{
	{"an acknowledgement at another offset", func(rng *rand.Rand, h *randomHistory, e *event.Event) bool {
		e.Offset += []int64{-2, -1, 1, 2}[rng.IntN(4)]
		return e.Kind == event.ProduceReturned && e.To == codeOK && h.waitsForAll(e.Op)
	}},
	{"an acknowledgement of an append that failed", func(rng *rand.Rand, h *randomHistory, e *event.Event) bool {
		failed := e.Kind == event.ProduceReturned && e.To != codeOK && h.waitsForAll(e.Op)
		e.To, e.Offset = codeOK, int64(rng.IntN(40))
		return failed && !h.standsAt(e.Op, e.Offset)
	}},
	{"a read of other bytes", func(rng *rand.Rand, _ *randomHistory, e *event.Event) bool {
		e.Digest ^= 1 << rng.IntN(64)
		return e.Kind == event.ConsumerRead
	}},
	{"a last read that ends elsewhere", func(rng *rand.Rand, h *randomHistory, e *event.Event) bool {
		last := e.Kind == event.ConsumerRead && e.End == h.next
		e.End += []int64{-1, 1, 2}[rng.IntN(3)]
		return last && e.End > e.Offset
	}},
	{"a read of another state", func(rng *rand.Rand, _ *randomHistory, e *event.Event) bool {
		was := e.To
		e.To = uint8(rng.IntN(record.States))
		return e.Kind == event.StateReadReturned && e.To != was
	}},
	{"a read of another state epoch", func(rng *rand.Rand, _ *randomHistory, e *event.Event) bool {
		e.Sequence += []int32{-1, 1}[rng.IntN(2)]
		return e.Kind == event.StateReadReturned && record.State(e.To) != record.Unknown
	}},
	{"a write answered another state epoch", func(rng *rand.Rand, _ *randomHistory, e *event.Event) bool {
		e.Sequence += []int32{-1, 1}[rng.IntN(2)]
		return e.Kind == event.StateWriteReturned
	}},
}

func (h *randomHistory) called(op uint32) *event.Event {
	for i := range h.events {
		if e := &h.events[i]; e.Kind == event.ProduceCalled && e.Op == op {
			return e
		}
	}
	return nil
}

func (h *randomHistory) waitsForAll(op uint32) bool { return h.called(op).To == acksAll }

// standsAt tells whether the batch of an operation is appended at that offset, sooner or later: to whoever looks at the log, an
// acknowledgement of it came at a right time.
func (h *randomHistory) standsAt(op uint32, offset int64) bool {
	crc := uint32(h.called(op).Digest)
	for i := range h.events {
		if e := &h.events[i]; e.Kind == event.Appended && e.Batch.CRC == crc && e.Batch.Base == offset {
			return true
		}
	}
	return false
}

// change makes the change to an event of h, if there is one for it.
func (h *randomHistory) change(seed uint64, make func(*rand.Rand, *randomHistory, *event.Event) bool) bool {
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, i := range rng.Perm(len(h.events)) {
		was := h.events[i]
		if make(rng, h, &h.events[i]) {
			return true
		}
		h.events[i] = was
	}
	return false
}

// judged are the properties that the direct checkers judge of what porcupine is told.
var judged = []ID{LinearizableLog, Durability, AckOffset, LegalState}

// opinions are what the direct checkers report of these properties, and what porcupine finds.
func opinions(t *testing.T, events []event.Event, of []ID) (direct []Violation, second []Anomaly, counts CrossCounts) {
	t.Helper()
	s, c := judge(t, events), NewCrossCheck(topology)
	for i := range events {
		c.Observe(&events[i])
	}
	for _, p := range of {
		direct = append(direct, verdictOf(t, s, p.String()).Violations...)
	}
	second, counts = c.Finish(uint64(len(events)))
	return direct, second, counts
}

// agreement counts what both said of the histories of one kind.
type agreement struct {
	silent, both, onlyDirect, onlySecond int
	counts                               CrossCounts
}

func (a *agreement) add(t *testing.T, what string, seed uint64, events []event.Event, of []ID) {
	t.Helper()
	direct, second, counts := opinions(t, events, of)
	a.counts.Windows += counts.Windows
	a.counts.Operations += counts.Operations
	a.counts.NotChecked += counts.NotChecked
	switch d, s := len(direct) > 0, len(second) > 0; {
	case d && s:
		a.both++
		if second[0].Object == "" || len(second[0].Sentence) < 40 {
			t.Errorf("%s, seed %d: %+v says too little", what, seed, second[0])
		}
	case d:
		a.onlyDirect++
		t.Errorf("%s, seed %d: the direct checkers say %v, porcupine is silent", what, seed, direct)
	case s:
		a.onlySecond++
		t.Errorf("%s, seed %d: porcupine says %v, the direct checkers are silent", what, seed, second)
	default:
		a.silent++
	}
}

// The two opinions are held against each other on random histories: on a correct one both are silent, of a corrupted one both
// complain, and where an event was changed at random they say the same.
func TestSecondOpinionAgrees(t *testing.T) {
	each := *histories / (len(corruptions) + len(changes) + 6)
	correct := *histories - each*(len(corruptions)+len(changes)) // the most of them
	var table strings.Builder
	fmt.Fprintf(&table, "%-52s%8s%8s%13s%16s\n", "histories", "silent", "both", "only direct", "only porcupine")
	tell := func(what string, a agreement) {
		fmt.Fprintf(&table, "%-52s%8d%8d%13d%16d\n", what, a.silent, a.both, a.onlyDirect, a.onlySecond)
	}
	var a agreement
	for seed := range uint64(correct) {
		a.add(t, "correct", seed, newRandomHistory(seed, "").events, judged)
	}
	tell("correct", a)
	if n := uint64(correct); a.silent != correct || a.counts.Operations < 50*n || a.counts.Windows < 2*n || a.counts.NotChecked > 0 {
		t.Errorf("%d correct histories came to %+v", correct, a)
	}
	for _, c := range corruptions {
		var a agreement
		for seed, n := uint64(0), 0; n < each; seed++ {
			if h := newRandomHistory(seed, c.name); h.corrupted {
				a.add(t, c.name, seed, h.events, []ID{c.property})
				n++
			}
		}
		tell(c.name, a)
		if a.both != each {
			t.Errorf("%s: both complain of %d of %d histories", c.name, a.both, each)
		}
	}
	for _, c := range changes {
		var a agreement
		for seed, n := uint64(0), 0; n < each; seed++ {
			if h := newRandomHistory(seed, ""); h.change(seed, c.make) {
				a.add(t, c.name, seed, h.events, judged)
				n++
			}
		}
		tell(c.name, a)
		if a.both < each/2 {
			t.Errorf("%s: both complain of %d of %d histories", c.name, a.both, each)
		}
	}
	t.Logf("%d random histories\n%s", *histories, &table)
}
