package mirror_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestSourceConsents is D12=source-then-isr-or-all: b0 has 0-4@0, the source 0-2@0 and 3@1, and the position looked up is
// epoch 0, so that alignment cuts nothing. What differs inside epoch 0 is found and cut before MIRRORING is stored.
func TestSourceConsents(t *testing.T) {
	for _, row := range []struct {
		wait string
		end  int64 // of the log, as MIRRORING is stored
	}{
		{"isr-or-all", 5},
		{"source-then-isr-or-all", 3},
	} {
		t.Run(row.wait, func(t *testing.T) {
			r := newRig(t, "alignment-wait", row.wait)
			r.holds(5, plain(0, 0, 5)...)
			r.source, r.srcEpoch = join(plain(0, 0, 3), plain(3, 1, 1)), 1
			r.lookup = found(0, -1)
			r.want(record.WantMirroring)
			r.mute[wire.Fetch] = row.wait == "isr-or-all"
			for r.stored.State != record.Mirroring {
				r.pump()
				if r.stored.State == record.Preparing {
					r.fire(mirror.TimerFetch)
				}
			}
			done := r.kinds(event.Aligned)[0]
			same(t, "aligned at", done.Offset, row.end)
			same(t, "stored with", r.stored.Aligned, row.end)
		})
	}
}

// TestStopBeforeConsent: a stop that comes before the source has agreed records that nothing is mirrored; without D5's
// keep-first it records nothing.
func TestStopBeforeConsent(t *testing.T) {
	for rerun, want := range map[string]*record.MirrorState{"overwrite": nil, "keep-first": {Epoch: record.NoPosition, Offset: record.NoPosition}} {
		r := newRig(t, "alignment-wait", "source-then-isr-or-all", "marker-rerun", rerun)
		r.holds(5, plain(0, 0, 5)...)
		r.lookup = found(0, -1)
		r.mute[wire.Metadata] = true // the source's leader is not found
		r.want(record.WantMirroring)
		r.pump()
		same(t, "state", r.stored.State, record.Preparing)
		r.want(record.WantStopped)
		r.pump()
		same(t, "state", r.stored.State, record.Stopped)
		switch {
		case want == nil:
			same(t, "position", r.position == nil, true)
		default:
			same(t, "position", []any{r.position.Epoch, r.position.Offset}, []any{want.Epoch, want.Offset})
		}
	}
}
