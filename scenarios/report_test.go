package scenarios

import (
	"encoding/json"
	"strings"
	"testing"

	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
)

// asserting plays a scenario in which node b1 fails an assertion when it starts again.
func asserting(t *testing.T, text string) *Result {
	t.Helper()
	s, err := format.Parse("test.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	config, err := protocol.Revision(DefaultRevision)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wireUp(s, config)
	if err != nil {
		t.Fatal(err)
	}
	boot := w.boots[w.node["b1"]]
	w.boots[w.node["b1"]] = func(self id.Node, d *disk.Disk, out *node.Effects) node.Node {
		assert.That(d.Incarnation == 1, "the log of b1 is readable")
		return boot(self, d, out)
	}
	r := newRun(w, Options{Protocol: config})
	if err := r.boot(); err != nil {
		t.Fatal(err)
	}
	r.steps()
	r.finish()
	return r.result
}

// What an assertion says stands in the sentence of its property, behind the step that it ended, and in the JSON.
func TestAssertionIsTold(t *testing.T) {
	r := asserting(t, mirroring+"fault crash b1 for 1s\nuntil lag B/t-0=77 within 5s\n")
	const says = "the log of b1 is readable"
	if s := r.Summary(); s != "assertion: an assertion of the model fired on b1: "+says {
		t.Errorf("the summary is %q", s)
	}
	if len(r.Failures) != 1 || r.Failures[0].Got != "an assertion of the model ended the run: "+says {
		t.Errorf("the failures are %+v", r.Failures)
	}
	text, err := json.Marshal(r.Report("test", &Design{Revision: DefaultRevision}, nil))
	if err != nil || !strings.Contains(string(text), `"assertion":"`+says+`"`) {
		t.Errorf("%v, the report is %s", err, text)
	}
}
