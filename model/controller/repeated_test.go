package controller_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// attempt is one arrival of a request for the topic mirroring, of an admin, with its number.
type attempt struct {
	action wire.MirrorAction
	admin  id.Node
	number uint32
	code   wire.Code
	want   record.Desired // afterwards
}

// A request that comes once more takes no effect once more, however late (D47, numbered): the newest one of its admin succeeds, an older
// one is refused. With error only its validation stands in its way.
func TestRepeatedRequests(t *testing.T) {
	const start, stop, pause, resume = wire.StartMirrorTopics, wire.StopMirrorTopics, wire.PauseMirrorTopics, wire.ResumeMirrorTopics
	const other = admin + 1
	for _, test := range []struct {
		name   string
		option string
		list   []attempt
	}{
		{"a stop comes twice", "numbered", []attempt{{stop, admin, 7, wire.OK, record.WantStopped}, {stop, admin, 7, wire.OK, record.WantStopped}}},
		{"a stop comes twice, with a start in between", "numbered", []attempt{{stop, admin, 7, wire.OK, record.WantStopped},
			{start, admin, 8, wire.OK, record.WantMirroring}, {stop, admin, 7, wire.InvalidRequest, record.WantMirroring}}},
		{"the same, error", "error", []attempt{{stop, admin, 7, wire.OK, record.WantStopped},
			{start, admin, 8, wire.OK, record.WantMirroring}, {stop, admin, 7, wire.OK, record.WantStopped}}},
		{"a start is overtaken", "numbered", []attempt{{stop, admin, 8, wire.OK, record.WantStopped},
			{start, admin, 7, wire.InvalidRequest, record.WantStopped}, {start, admin, 9, wire.OK, record.WantMirroring}}},
		{"a start in whose place another admin has stopped", "numbered", []attempt{{pause, admin, 7, wire.OK, record.WantPaused},
			{resume, admin, 8, wire.OK, record.WantMirroring}, {stop, other, 3, wire.OK, record.WantStopped},
			{resume, admin, 8, wire.OK, record.WantStopped}, {start, other, 4, wire.OK, record.WantMirroring},
			{pause, admin, 7, wire.InvalidRequest, record.WantMirroring}}},
		{"one that was refused is not kept", "numbered", []attempt{{resume, admin, 7, wire.MirrorTopicNotPaused, record.WantMirroring},
			{pause, admin, 8, wire.OK, record.WantPaused}, {resume, admin, 7, wire.InvalidRequest, record.WantPaused}}},
		{"another request for what is so is an error", "numbered", []attempt{{pause, admin, 7, wire.OK, record.WantPaused},
			{pause, admin, 8, wire.MirrorTopicAlreadyPaused, record.WantPaused}}},
		{"a stop of what is stopped counts, and an older start is refused", "numbered", []attempt{{stop, admin, 7, wire.OK, record.WantStopped},
			{stop, admin, 9, wire.OK, record.WantStopped}, {start, admin, 8, wire.InvalidRequest, record.WantStopped}}},
		{"the leader's has no number", "numbered", []attempt{{stop, admin, 7, wire.OK, record.WantStopped},
			{start, admin, 8, wire.OK, record.WantMirroring}, {stop, id.None, 0, wire.OK, record.WantStopped}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, mirrored(), "repeat-request="+test.option, "state-check=desired", "stop-from=any")
			for i, try := range test.list {
				res := call[*wire.MirrorTopicsResponse](r, a, x, &wire.MirrorTopicsRequest{Action: try.action, Mirror: 1,
					Topics: []id.Topic{mirroring}, Number: try.number, Client: try.admin})
				equal(t, "results", res.Results, []wire.TopicResult{{Topic: mirroring, Code: try.code}})
				if now := desiredOf(r, mirroring); now != try.want {
					t.Errorf("attempt %d: desired is %v, want %v", i, now, try.want)
				}
			}
		})
	}
}

// A topic that a pattern stops is stopped by the request of that number, and an old stop by pattern stops nothing that was started since.
func TestRepeatedStopByPattern(t *testing.T) {
	r := active(t, mirrored(), "repeat-request=numbered", "state-check=desired", "stop-from=any")
	byPattern := &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: 1, Patterns: []string{"mirroring"}, Number: 7, Client: admin}
	call[*wire.MirrorTopicsResponse](r, a, x, byPattern)
	if now := desiredOf(r, mirroring); now != record.WantStopped {
		t.Fatalf("desired is %v, want stopped", now)
	}
	last := r.records()[len(r.records())-1].(*record.MirrorTopicRecord)
	equal(t, "record", *last, record.MirrorTopicRecord{Topic: mirroring, Mirror: 1, Desired: record.WantStopped, Admin: admin, Number: 7})
	res := call[*wire.MirrorTopicsResponse](r, a, x, byPattern)
	equal(t, "again", len(res.Results), 0)
}

// desiredOf is the desired state that the log has of a topic.
func desiredOf(r *rig, t id.Topic) (d record.Desired) {
	for _, each := range r.records() {
		if m, ok := each.(*record.MirrorTopicRecord); ok && m.Topic == t {
			d = m.Desired
		}
	}
	return d
}
