package checkers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// The admin's desired state stands where other clients name a cluster, and may be above the number of clusters.
func TestDescribed(t *testing.T) {
	b := &builder{}
	answer := event.Event{Peer: id.None, Mirror: mirrorM, From: uint8(record.WantStopped), To: uint8(record.Failed),
		Cause: uint8(record.SourceDeleted), Sequence: -1, Offset: -4, End: 1, BatchEpoch: 3, ProducerID: record.NoPosition}
	b.on(event.MirrorDescribed, bAdmin, answer)
	before := fold(b)
	other := before.Clone()
	answer.Mirror, answer.End = 2, 0
	b.on(event.MirrorDescribed, bAdmin, answer)
	answer.Mirror, answer.Sequence = mirrorM, 7
	b.on(event.MirrorDescribed, bAdmin, answer)
	for i := range b.events[1:] {
		before.Fold(&b.events[1+i])
	}
	first := Description{mirrorM, record.WantStopped, record.Failed, record.SourceDeleted, -1, -4, true, 3, record.NoPosition}
	if got, ok := other.Described(clusterB, 0, t0); !ok || got != first {
		t.Errorf("the clone says %+v, %v", got, ok)
	}
	second, last := first, first
	second.Mirror, second.LagKnown = 2, false
	last.LagKnown, last.Attempts = false, 7
	for m, want := range map[id.Mirror]Description{0: last, mirrorM: last, 2: second} {
		got, ok := before.Described(clusterB, m, t0)
		if d := cmp.Diff(want, got); d != "" || !ok {
			t.Errorf("mirror %d: %v (-want +got)\n%s", m, ok, d)
		}
	}
	if got, ok := before.Described(clusterA, 0, t0); ok {
		t.Errorf("A was not asked, but says %+v", got)
	}
	if got, ok := before.Described(clusterB, 3, t0); ok {
		t.Errorf("mirror 3 was not asked for, but is %+v", got)
	}
}

func TestFailureOfTheStateStoredLast(t *testing.T) {
	b := &builder{}
	stored := event.Event{Peer: b0, Mirror: mirrorM, To: uint8(record.Failed), Cause: uint8(record.SourceUnreachable), Digest: 2}
	var got []any
	take := func(e event.Event) {
		b.on(event.StateStored, b0, e)
		r, n := fold(b).Failure(clusterB, t0)
		got = append(got, r, n)
	}
	take(stored)
	unretryable := int16(-1)
	stored.Cause, stored.Digest = uint8(record.SourceDeleted), uint64(unretryable)
	take(stored)
	take(event.Event{Peer: b0, Mirror: mirrorM, From: uint8(record.Failed), To: uint8(record.Preparing)})
	want := []any{record.SourceUnreachable, 2, record.SourceDeleted, -1, record.NoReason, 0}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if r, n := fold(b).Failure(clusterA, t0); r != record.NoReason || n != 0 {
		t.Errorf("A says %v, %d", r, n)
	}
}
