package mirror_test

import (
	"testing"

	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestStorageSwitchedOn: a config that switches tiered storage on ends mirroring, for good: only without it a recovery helps.
func TestStorageSwitchedOn(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	storage := func(value string) {
		r.meta(&record.TopicConfigRecord{Topic: tp.Topic, Key: record.RemoteStorageEnable, Value: value})
		r.pump()
	}
	storage("false")
	same(t, "off", r.writes, []string(nil))
	storage("true")
	same(t, "on", r.failure(), []any{record.Failed, record.RemoteStorage, int16(-1)})
	r.askRecovery()
	r.pump()
	same(t, "recovery with it", r.failure(), []any{record.Failed, record.RemoteStorage, int16(-1)})
	storage("")
	r.askRecovery()
	r.pump()
	same(t, "recovery without it", r.stored.State, record.Mirroring)
}

// TestStorageSwitchedOnElsewhere: a partition that is being aligned fails as well, and one that is paused, which mirrors nothing, does
// not.
func TestStorageSwitchedOnElsewhere(t *testing.T) {
	on := &record.TopicConfigRecord{Topic: tp.Topic, Key: record.RemoteStorageEnable, Value: "true"}
	preparing := newRig(t)
	preparing.mute[wire.LastMirroredPosition] = true
	preparing.want(record.WantMirroring)
	preparing.pump()
	same(t, "before", preparing.stored.State, record.Preparing)
	preparing.meta(on)
	preparing.pump()
	same(t, "PREPARING", preparing.failure(), []any{record.Failed, record.RemoteStorage, int16(-1)})
	paused := mirroring(t, plain(0, 0, 2))
	paused.want(record.WantPaused)
	paused.pump()
	paused.meta(on)
	paused.pump()
	same(t, "PAUSED", paused.stored.State, record.Paused)
}
