package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/scenarios"
)

// A failing run of a guided search is a file that fails by itself, by the same property in the same group.
func TestGuide(t *testing.T) {
	sweeps(t)
	dir := t.TempDir()
	args := []string{"guide", "--protocol", "start-stop", "--seed-start", "1", "--count", "14"}
	code, out, diag := command(append(args, "--out", dir, "--json")...)
	var r scenarios.GuideReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 1 || diag != "" {
		t.Fatalf("exit status %d, %v: %s%s", code, err, out, diag)
	}
	if r.Schema != "mirrorsim.guide/1" || r.Faults != "swarm" || r.Runs != 14 || r.Extended == 0 || r.States == 0 || len(r.Failures) == 0 {
		t.Errorf("%s", out)
	}
	for _, f := range r.Failures {
		text, err := os.ReadFile(f.File)
		if err != nil || string(text) != f.Scenario {
			t.Errorf("%s: %v", f.File, err)
		}
		if run := reportOf(t, "mirrorsim run "+f.File); !violates(run, f.Property, f.Group) {
			t.Errorf("%s violates %+v, want %s in group %s", f.File, run.Violations, f.Property, f.Group)
		}
	}
	code, text, diag := command(args...)
	for _, want := range []string{"VIOLATED " + r.Failures[0].Property, "the run of seed ", "violated: 14 runs, ", "Repeat it with: mirrorsim run --seed "} {
		if code != 1 || diag != "" || !strings.Contains(text, want) {
			t.Errorf("exit status %d, it lacks %q:\n%s%s", code, want, text, diag)
		}
	}
}

func TestCompareGuide(t *testing.T) {
	sweeps(t)
	args := []string{"guide", "--protocol", "start-stop", "--count", "4", "--compare", "1"}
	code, out, diag := command(append(args, "--json")...)
	var c scenarios.Guidance
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != 0 || diag != "" || c.Schema != "mirrorsim.guidance/1" || len(c.Rows) == 0 {
		t.Fatalf("exit status %d, %v: %s%s", code, err, out, diag)
	}
	code, text, _ := command(args...)
	for _, want := range []string{"1 pair of searches", "| start-stop | " + c.Rows[0].Property + " | ", "guidance found"} {
		if code != 0 || !strings.Contains(text, want) {
			t.Errorf("exit status %d, it lacks %q:\n%s", code, want, text)
		}
	}
}

func TestBadInputOfGuide(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"guide", "--count", "0"}, []string{"--count 0", "from 1"}},
		{[]string{"guide", "--compare", "-1"}, []string{"--compare -1", "from 0"}},
		{[]string{"guide", "--faults", "heavy"}, []string{"--faults", "heavy", "swarm"}},
		{[]string{"guide", "--protocol", "first,aligned"}, []string{"first,aligned", "one revision", "--compare"}},
		{[]string{"guide", "--protocol", "frist"}, []string{"frist", "first"}},
		{[]string{"guide", "--out", file}, []string{"--out " + file, "a directory that exists"}},
		{[]string{"guide", "--out", t.TempDir(), "--compare", "1"}, []string{"--out", "--compare"}},
		{[]string{"guide", "--seed-start", "x"}, []string{"--seed-start x", "0 to"}},
		{[]string{"guide", "F1"}, []string{"1 argument", "guide"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, out, diag := command(c.args...)
			if code != exitBadInput || out != "" {
				t.Errorf("exit status %d, printed %q", code, out)
			}
			for _, w := range c.want {
				if !strings.Contains(diag, w) {
					t.Errorf("the message lacks %q: %s", w, diag)
				}
			}
		})
	}
}
