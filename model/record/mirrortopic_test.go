package record_test

import (
	"slices"
	"testing"

	"mirrorsim/model/record"
)

// Each field of a desired state tells two records apart.
func TestMirrorTopicWords(t *testing.T) {
	base := record.MirrorTopicRecord{Topic: 1, Mirror: 2, Desired: record.WantMirroring, Recovery: 3, Admin: 4, Number: 5}
	words := (&base).Words(nil)
	for name, change := range map[string]func(*record.MirrorTopicRecord){
		"topic":      func(r *record.MirrorTopicRecord) { r.Topic++ },
		"mirror":     func(r *record.MirrorTopicRecord) { r.Mirror++ },
		"desired":    func(r *record.MirrorTopicRecord) { r.Desired = record.WantStopped },
		"recovery":   func(r *record.MirrorTopicRecord) { r.Recovery++ },
		"admin":      func(r *record.MirrorTopicRecord) { r.Admin++ },
		"number":     func(r *record.MirrorTopicRecord) { r.Number++ },
		"discovered": func(r *record.MirrorTopicRecord) { r.Discovered = true },
	} {
		other := base
		if change(&other); slices.Equal(words, other.Words(nil)) {
			t.Errorf("%s does not tell two records apart", name)
		}
	}
}
