package scenarios

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/wire"
)

// paused is a pause that comes after a stop, and a wait for what it would have done.
const paused = stoppedSmall + "pause t in B/m\nuntil state B/t-0=PAUSED within 5s\n"

// A failure says which requests before it were refused; the result and the JSON list them.
func TestRefusalIsTold(t *testing.T) {
	r := play(t, paused, nil)
	want := []Refusal{{7, 17, "pause t in B/m", wire.MirrorTopicBeingStopped}}
	if diff := cmp.Diff(want, r.Refused); diff != "" {
		t.Fatal(diff)
	}
	const got = "the state of B/t-0 is STOPPED; step 7, `pause t in B/m`, was answered MIRROR_TOPIC_BEING_STOPPED"
	if len(r.Failures) != 1 || r.Failures[0].Got != got {
		t.Errorf("the failures are %+v", r.Failures)
	}
	text, err := json.Marshal(r.Report("test", &Design{Revision: DefaultRevision}, nil))
	if err != nil || !strings.Contains(string(text), `"refused":[{"step":7,"line":17,"text":"pause t in B/m","code":"MIRROR_TOPIC_BEING_STOPPED"}]`) {
		t.Errorf("%v, the report is %s", err, text)
	}
}

// A refusal that an expectation speaks of is no news, wherever the expectation stands.
func TestExpectedRefusalIsNotTold(t *testing.T) {
	r := play(t, paused+"expect error 7=MIRROR_TOPIC_BEING_STOPPED\n", nil)
	if len(r.Refused) > 0 || len(r.Failures) != 1 || r.Failures[0].Got != "the state of B/t-0 is STOPPED" {
		t.Errorf("refused %+v, failures %+v", r.Refused, r.Failures)
	}
}

// A step that is repeated is told once, by its own line, and a failure with the last three refusals only.
func TestRepeatedRefusals(t *testing.T) {
	r := play(t, strings.Replace(paused, "pause t in B/m\n", `resume t in B/m
repeat 3
pause t in B/m
recover t in B/m
end
resume t in B/m
`, 1), nil)
	want := []Refusal{
		{7, 17, "resume t in B/m", wire.MirrorTopicNotPaused},
		{8, 19, "pause t in B/m", wire.MirrorTopicBeingStopped},
		{8, 20, "recover t in B/m", wire.InvalidClusterMirrorState},
		{9, 22, "resume t in B/m", wire.MirrorTopicNotPaused},
	}
	if diff := cmp.Diff(want, r.Refused); diff != "" {
		t.Fatal(diff)
	}
	if len(r.Failures) != 1 || strings.Contains(r.Failures[0].Got, "step 7") || strings.Count(r.Failures[0].Got, "was answered") != 3 {
		t.Errorf("the failures are %+v", r.Failures)
	}
}
