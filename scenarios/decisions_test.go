package scenarios

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
)

// A decision file shows one option of one decision: D7-plus-one.scn sets D7=plus-one, and its expectations hold with that
// option on the calm schedule, and do not all hold with start-stop's choice in its place: that of the published revision which the
// files are written against, not of first, which a run takes by default.

// optionRef is an option of a decision.
type optionRef struct{ id, token string }

// String is the name of the option's file, without the ending.
func (o optionRef) String() string { return o.id + "-" + strings.ReplaceAll(o.token, ",", "-") }

// decisionFiles are the files' names, without the ending, in order.
func decisionFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("decisions/*.scn")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %d files", err, len(files))
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".scn")
	}
	return files
}

// startStopChoices is the revision whose choices the files are compared with.
func startStopChoices(t *testing.T) protocol.Config {
	t.Helper()
	c, err := protocol.Revision("start-stop")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDecisionFiles(t *testing.T) {
	alone(t)
	base := startStopChoices(t)
	for _, name := range decisionFiles(t) {
		t.Run(name, func(t *testing.T) {
			path := "decisions/" + name + ".scn"
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := format.Parse(path, source)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(source), string(s.AppendText(nil))); d != "" {
				t.Errorf("the file is not what the printer gives (-file +printed):\n%s", d)
			}
			if s.Name != name {
				t.Errorf("the file holds scenario %s", s.Name)
			}
			if lines := strings.Count(s.Story, "\n") + 1; lines < 2 || lines > 6 {
				t.Errorf("the story has %d lines, want 2 to 6", lines)
			}
			shows := shown(t, s)
			if shows.String() != name {
				t.Fatalf("it sets %s=%s, so it is not about %s", shows.id, shows.token, name)
			}
			if base.Get(shows.id) == shows.token {
				t.Fatalf("%s=%s is what start-stop chooses", shows.id, shows.token)
			}
			if r := runWithToken(t, s, shows.token); r.Assertion != "" || len(r.Failures) > 0 {
				t.Errorf("with the option: %s %+v", r.Assertion, r.Failures)
			}
			r := runWithToken(t, s, base.Get(shows.id))
			if !refuted(s, r) {
				t.Errorf("with start-stop's choice, %s=%s, no expectation of a fact fails", shows.id, base.Get(shows.id))
			}
			for _, f := range r.Failures {
				t.Logf("with start-stop's choice, %s=%s, line %d: %s: %s", shows.id, base.Get(shows.id), f.Line, f.Text, f.Got)
			}
		})
	}
}

// shown is the option that s is about: what it chooses for the decision that its name begins with.
func shown(t *testing.T, s *format.Scenario) optionRef {
	t.Helper()
	id, _, _ := strings.Cut(s.Name, "-")
	for _, x := range s.Sets {
		if x.Key == id {
			return optionRef{id, x.Token}
		}
	}
	t.Fatalf("%s does not set %s", s.Name, id)
	return optionRef{}
}

// runWithToken runs s on the calm schedule with token for the decision that it is about, all else as the file has it.
func runWithToken(t *testing.T, s *format.Scenario, token string) *Result {
	t.Helper()
	d, err := Choose(s, "", []string{shown(t, s).id + "=" + token})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: d.Config})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refuted tells whether an expectation of a fact failed in r: what is so, and not whether a property holds.
func refuted(s *format.Scenario, r *Result) bool {
	return slices.ContainsFunc(r.Failures, func(f Failure) bool {
		return slices.ContainsFunc(s.Expect, func(e format.Expect) bool {
			_, property := e.Do.(format.Holds)
			return e.Line == f.Line && !property
		})
	})
}

// Every option but those of start-stop has a file.
func TestEveryOptionHasAFile(t *testing.T) {
	files, base := decisionFiles(t), startStopChoices(t)
	for _, d := range protocol.Decisions() {
		if d.All {
			continue // see TestStopOrdersHaveFiles
		}
		for _, o := range d.Options {
			x := optionRef{d.ID, o.Token}
			if o.Token != base.Get(d.ID) && !slices.Contains(files, x.String()) {
				t.Errorf("%s has no file", x)
			}
		}
	}
}

// The orders of a stop are 120. There is a file for that of the older revision, and each two steps that follow each other in the
// order of start-stop follow each other the other way round in some file.
func TestStopOrdersHaveFiles(t *testing.T) {
	files, base := decisionFiles(t), startStopChoices(t)
	older, err := protocol.Revision("add-remove")
	if err != nil {
		t.Fatal(err)
	}
	if x := (optionRef{"D3", older.Get("D3")}); !slices.Contains(files, x.String()) {
		t.Errorf("%s has no file", x)
	}
	steps := strings.Split(base.Get("D3"), ",")
	for i := range len(steps) - 1 {
		turned := "-" + steps[i+1] + "-" + steps[i]
		if !slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, "D3-") && strings.Contains(f, turned) }) {
			t.Errorf("no file has %s right before %s", steps[i+1], steps[i])
		}
	}
}
