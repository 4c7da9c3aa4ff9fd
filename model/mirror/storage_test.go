package mirror_test

import (
	"testing"

	"mirrorsim/model/record"
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
