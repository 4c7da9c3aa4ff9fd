package mirror_test

import (
	"testing"

	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestWaits: what a partition waits for, in words; "" where it waits for nothing.
func TestWaits(t *testing.T) {
	muted := func(api wire.API, s record.State, desired record.Desired, sets ...string) func(*testing.T) *rig {
		return func(t *testing.T) *rig {
			r := newRig(t, sets...)
			r.mute[api], r.stored, r.srcEpoch = true, stored(s), 7
			r.want(desired)
			r.pump()
			return r
		}
	}
	failed := func(attempts int16, why record.Reason) func(*testing.T) *rig {
		return func(t *testing.T) *rig {
			return leads(t, failedFrom(record.Mirroring, attempts, why), record.WantMirroring)
		}
	}
	for _, row := range []struct {
		name string
		in   func(*testing.T) *rig
		want string
	}{
		{"read", muted(wire.ReadMirrorStates, record.Mirroring, record.WantMirroring), "UNKNOWN: the coordinator has not answered the read of its state"},
		{"write", muted(wire.WriteMirrorStates, record.Mirroring, record.WantPaused), "MIRRORING: the coordinator has not acknowledged the write of state PAUSING"},
		{"write behind", func(t *testing.T) *rig { return actsFirst(t, nil) }, "MIRRORING: the coordinator has not acknowledged the write of state PREPARING"},
		{"lookup", muted(wire.LastMirroredPosition, record.Unknown, record.WantMirroring), "PREPARING: the source has not answered the lookup of the last mirrored position"},
		{"source", muted(wire.Metadata, record.Mirroring, record.WantMirroring), "MIRRORING: the source's leader is not known"},
		{"refresh", muted(wire.Metadata, record.EpochFencing, record.WantMirroring), "EPOCH_FENCING: the source has not told its leader epoch"},
		{"bump", muted(wire.BumpLeaderEpoch, record.EpochFencing, record.WantMirroring, "epoch-floor", "fenced"),
			"EPOCH_FENCING: the metadata do not show the leader epoch bump"},
		{"bump of a stop", muted(wire.BumpLeaderEpoch, record.Mirroring, record.WantStopped), "STOPPING: the metadata do not show the leader epoch bump"},
		{"retried", failed(1, record.SourceUnreachable), "FAILED: no broker of the source answers; it is tried again"},
		{"exhausted", failed(101, record.CorruptBatch), "FAILED: a batch of the source is corrupt; the way out: RecoverMirrorTopics, once the cause is gone"},
		{"not retryable", failed(-1, record.SourceReplaced), "FAILED: the source is another cluster; the way out: it is stopped, which makes the topic writable here"},
		{"in place", func(t *testing.T) *rig {
			r := mirroring(t, plain(0, 0, 2), "failure-state", "in-place")
			r.corrupt()
			return r
		}, "MIRRORING: a batch of the source is corrupt; it is tried again"},
		{"a write's back-off", func(t *testing.T) *rig {
			r := mirroring(t, plain(0, 0, 2))
			r.mute[wire.WriteMirrorStates] = true
			r.want(record.WantPaused)
			m, _ := take[*wire.WriteMirrorStatesRequest](r)
			r.message(b2, refused(m, wire.NotCoordinator))
			return r
		}, "MIRRORING: a back-off"},
		{"UNKNOWN for good", func(t *testing.T) *rig { return leads(t, stored(record.Unknown), record.WantStopped) },
			"UNKNOWN: it never began to mirror, and unknown-stop=illegal (D46) keeps it so: read-only"},
		{"MIRRORING", func(t *testing.T) *rig { return mirroring(t, nil) }, ""},
		{"PAUSED", func(t *testing.T) *rig { return pausedRig(t, nil) }, ""},
		{"STOPPED", func(t *testing.T) *rig { r := mirroring(t, nil); r.stop(); return r }, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var want []string
			if row.want != "" {
				want = []string{"cluster1/topic1-0 in " + row.want}
			}
			same(t, "waits", row.in(t).waits(), want)
		})
	}
}

// TestStateTimersGo: with the leadership go all timers of a partition, whatever state it is in.
func TestStateTimersGo(t *testing.T) {
	for name, r := range map[string]*rig{
		"FAILED":        leads(t, failedFrom(record.Mirroring, 1, record.CorruptBatch), record.WantMirroring),
		"EPOCH_FENCING": fenced(t, 2, 7),
		"MIRRORING":     fenced(t, 40, 7),
		"ULE_RECOVERY":  e3(t, true, "fail-or-recover"),
		"act-first":     actsFirst(t, nil),
	} {
		r.register(led(b1, r.reg.LeaderEpoch+1))
		for _, op := range r.timers {
			if op.Timer.Kind >= mirror.TimerRetry && op.Timer.Kind <= mirror.TimerBehind && op.Timer.Kind != mirror.TimerScan {
				t.Errorf("%s: timer %d is armed", name, op.Timer.Kind)
			}
		}
	}
}
