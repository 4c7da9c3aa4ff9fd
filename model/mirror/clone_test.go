package mirror_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// print is everything that a fingerprint sees of b0.
func (r *rig) print() []byte { return r.disk.AppendState(r.node.AppendState(nil)) }

// fork is a rig that goes on by itself.
func (r *rig) fork() *rig {
	c := *r
	c.disk = r.disk.Clone()
	c.node = r.node.Clone(c.disk)
	c.out = node.Effects{}
	c.sent, c.timers, c.events, c.metadata = slices.Clone(r.sent), slices.Clone(r.timers), slices.Clone(r.events), slices.Clone(r.metadata)
	c.points, c.writes, c.records = slices.Clone(r.points), slices.Clone(r.writes), slices.Clone(r.records)
	c.mute, c.others = maps.Clone(r.mute), maps.Clone(r.others)
	return &c
}

// TestForks: from each of these states a fork and the original go on alike, and neither sees what the other does.
func TestForks(t *testing.T) {
	for name, row := range map[string]struct {
		begin func(*testing.T) *rig
		act   func(*rig)
	}{
		"states behind": {
			func(t *testing.T) *rig {
				r := actsFirst(t, plain(0, 0, 2))
				r.want(record.WantPaused)
				r.pump()
				return r
			},
			func(r *rig) { r.mute[wire.WriteMirrorStates] = false; r.pump() },
		},
		"more states behind": {
			func(t *testing.T) *rig { return actsFirst(t, plain(0, 0, 2)) },
			func(r *rig) { r.want(record.WantPaused); r.pump() },
		},
		"FAILED": {
			func(t *testing.T) *rig { r := mirroring(t, plain(0, 0, 2)); r.corrupt(); return r },
			func(r *rig) { r.fire(mirror.TimerFailure); r.pump() },
		},
		"EPOCH_FENCING": {
			func(t *testing.T) *rig { return fenced(t, 2, 7) },
			func(r *rig) { r.bumped(17); r.pump() },
		},
		"ULE_RECOVERY": {
			func(t *testing.T) *rig { return e3(t, true, "fail-or-recover") },
			func(r *rig) { r.fetchFrom(b1, 20); r.fetchFrom(b2, 20); r.pump() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := row.begin(t)
			before := r.print()
			f := r.fork()
			row.act(r)
			after := r.print()
			same(t, "the act changes something", bytes.Equal(before, after), false)
			same(t, "the fork saw the original", bytes.Equal(before, f.print()), true)
			row.act(f)
			same(t, "the fork ends alike", bytes.Equal(after, f.print()), true)
			same(t, "writes", f.writes, r.writes)
			same(t, "the original saw the fork", bytes.Equal(after, r.print()), true)
		})
	}
}

// TestPrints: two histories that differ in one thing on which the future depends differ in what a fingerprint sees, and two
// that do not differ are equal.
func TestPrints(t *testing.T) {
	found := func(change func(*record.MirrorState)) func(*testing.T) *rig {
		return func(t *testing.T) *rig {
			r := newRig(t)
			r.mute[wire.WriteMirrorStates] = true
			r.stored = failedFrom(record.Mirroring, 3, record.CorruptBatch)
			change(&r.stored)
			r.want(record.WantMirroring)
			r.pump()
			return r
		}
	}
	asks := func(answers ...string) func(*testing.T) *rig { // to metadata requests
		return func(t *testing.T) *rig {
			r := mirroring(t, plain(0, 0, 2))
			r.refreshes()
			for _, a := range answers {
				switch a {
				case "none":
					take[*wire.MetadataRequest](r)
				case "no leader":
					r.told(func(m *wire.MetadataResponse) { m.Code, m.Leader = wire.LeaderNotAvailable, id.None })
				case "no topic":
					r.told(unknownTopic)
				}
				r.fire(mirror.TimerFetch)
			}
			return r
		}
	}
	fetched := func(res wire.FetchResponse, sets ...string) func(*testing.T) *rig { // by b0, MIRRORING 0-4@0
		return func(t *testing.T) *rig {
			r := unbooted(t, sets...)
			r.metadata[len(r.metadata)-2] = &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1, MirrorUnclean: true}
			r.boot()
			r.source, r.mute[wire.BumpLeaderEpoch] = plain(0, 0, 5), true
			r.want(record.WantMirroring)
			r.pump()
			r.mute[wire.WriteMirrorStates] = true
			r.answer(takeMirrorFetch(r), res)
			return r
		}
	}
	diverging := func(offset int64) wire.FetchResponse {
		return wire.FetchResponse{HighWatermark: 5, LogEnd: 5, Diverging: true, DivergingOffset: offset}
	}
	for name, pair := range map[string][2]func(*testing.T) *rig{
		"previous":  {found(func(*record.MirrorState) {}), found(func(s *record.MirrorState) { s.Previous = record.Preparing })},
		"reason":    {found(func(*record.MirrorState) {}), found(func(s *record.MirrorState) { s.Reason = record.StaleSource })},
		"attempts":  {found(func(*record.MirrorState) {}), found(func(s *record.MirrorState) { s.Attempts = 4 })},
		"recovery":  {found(func(*record.MirrorState) {}), found(func(s *record.MirrorState) { s.Recovery = 1 })},
		"aligned":   {found(func(*record.MirrorState) {}), found(func(s *record.MirrorState) { s.Aligned = 1 })},
		"agreed":    {found(func(*record.MirrorState) {}), found(func(s *record.MirrorState) { s.Agreed = true })},
		"silence":   {asks("none", "no leader"), asks("no leader", "none")},
		"no topic":  {asks("no topic", "no leader"), asks("no leader", "no topic")},
		"the cut":   {fetched(diverging(3), "divergence", "fail-or-recover"), fetched(diverging(2), "divergence", "fail-or-recover")},
		"the bump":  {fetched(wire.FetchResponse{HighWatermark: 6, LogEnd: 6, Batches: plain(5, 0, 1)}, "epoch-floor", "fenced"), fetched(wire.FetchResponse{HighWatermark: 6, LogEnd: 6, Batches: plain(5, 0, 1)})},
		"staleness": {fetched(wire.FetchResponse{HighWatermark: 6, LogEnd: 6, Batches: plain(5, 1, 1)}), fetched(wire.FetchResponse{HighWatermark: 6, LogEnd: 6, Batches: plain(4, 0, 1)})},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, "equal histories", bytes.Equal(pair[0](t).print(), pair[0](t).print()), true)
			same(t, "different ones", bytes.Equal(pair[0](t).print(), pair[1](t).print()), false)
		})
	}
}

// TestPrintsOfBehind: a state that is acted on and not stored yet is stored as it was then: what it says counts, not only
// that it waits.
func TestPrintsOfBehind(t *testing.T) {
	begin := func(s record.MirrorState) []byte {
		r := newRig(t, "persist-order", "act-first")
		r.mute[wire.WriteMirrorStates], r.mute[wire.Metadata] = true, true
		r.stored = s
		r.want(record.WantPaused)
		r.pump()
		nextWrite(r, record.Failed)
		r.fire(mirror.TimerFailure)
		r.pump()
		r.want(record.WantMirroring)
		r.pump()
		return r.print()
	}
	base := failedFrom(record.Mirroring, 3, record.CorruptBatch)
	base.LeaderEpoch = 0
	one := begin(base)
	for name, change := range map[string]func(*record.MirrorState){
		"attempts": func(s *record.MirrorState) { s.Attempts = 4 },
		"reason":   func(s *record.MirrorState) { s.Reason = record.StaleSource },
	} {
		s := base
		change(&s)
		same(t, name, bytes.Equal(one, begin(s)), false)
	}
	same(t, "equal histories", bytes.Equal(one, begin(base)), true)
}
