package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/scenarios/plan"
)

// planFile writes a plan to a file.
func planFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// exampleFile is what plan --example prints, in a file.
func exampleFile(t *testing.T) string {
	t.Helper()
	code, out, diag := command("plan", "--example")
	if code != 0 || out != plan.Example || diag != "" {
		t.Fatalf("exit status %d: %s%s", code, out, diag)
	}
	return planFile(t, out)
}

// The exit status tells a plan that loses nothing from one that has something to tell, and from one that is not answered.
func TestPlanExitStatus(t *testing.T) {
	file := exampleFile(t)
	for _, c := range []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"nothing", []string{"--ask", "Q1,Q5"}, 0, []string{"Q1  What will be lost", "NEVER.", "Q5  Is it finished?", "YES.", "exit status 0"}},
		{"a group reads again", []string{"--ask", "Q3"}, 1, []string{"90 records read again", "mirrorsim run", "exit status 1"}},
		{"all", nil, 1, []string{"Q1  ", "Q2  ", "Q3  ", "Q4  ", "Q5  ", "This rests on:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, diag := command(append([]string{"plan", file, "--count", "6"}, c.args...)...)
			if code != c.code || diag != "" {
				t.Errorf("exit status %d, want %d: %s%s", code, c.code, out, diag)
			}
			for _, w := range c.want {
				if !strings.Contains(out, w) {
					t.Errorf("it lacks %q:\n%s", w, out)
				}
			}
		})
	}
	back := strings.Index(plan.Example, "  - start:")
	oneWay := planFile(t, plan.Example[:back])
	if code, out, _ := command("plan", oneWay, "--count", "4", "--ask", "Q2"); code != exitUnknown || !strings.Contains(out, "NOT ANSWERED") ||
		!strings.Contains(out, "no step starts a mirror that leads back") {
		t.Errorf("exit status %d: %s", code, out)
	}
}

func TestPlanJSON(t *testing.T) {
	file := exampleFile(t)
	code, out, _ := command("plan", file, "--count", "5", "--seed-start", "7", "--faults", "none", "--json")
	var r plan.PlanReport
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if code != r.Exit || r.Schema != "mirrorsim.plan/1" || r.SeedStart != 7 || r.Runs != 5 || r.Faults != "none" || r.Revision != "hardened" || len(r.Answers) != 5 {
		t.Errorf("exit status %d, %+v", code, r)
	}
	code, out, _ = command("plan", planFile(t, "plan: x\n"), "--json")
	var e errorReport
	if err := json.Unmarshal([]byte(out), &e); err != nil || code != exitBadInput || e.Line != 1 || e.More == nil {
		t.Errorf("exit status %d, %v: %s", code, err, out)
	}
}

// The two commands that a report prints for its worst run can be given as they stand.
func TestPlanShowRuns(t *testing.T) {
	file := exampleFile(t)
	code, text, diag := command("plan", file, "--show", "--seed", "3", "--faults", "light")
	scn := filepath.Join(t.TempDir(), "3.scn")
	if err := os.WriteFile(scn, []byte(text), 0o644); err != nil || code != 0 {
		t.Fatalf("%v: %s%s", err, text, diag)
	}
	r := reportOf(t, "mirrorsim run "+scn+" --seed 3 --faults light")
	if r.Verdict != "holds" || r.Protocol.Revision != "hardened" || r.Events < 1000 || len(r.Failures) > 0 {
		t.Errorf("%+v", r)
	}
	if code, out, diag := command("plan", file, "--show"); code != 0 || !strings.HasPrefix(out, "# Made of the plan failover-and-back, on the calm schedule.\n") || diag != "" {
		t.Errorf("exit status %d: %s%s", code, out, diag)
	}
}

func TestBadInputOfPlans(t *testing.T) {
	file := exampleFile(t)
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no file", []string{"plan"}, []string{"0 arguments", "plan FILE"}},
		{"no such file", []string{"plan", "none/such.yaml"}, []string{"none/such.yaml"}},
		{"empty", []string{"plan", planFile(t, "")}, []string{"mine.yaml:1: the file is empty", "accepted: plan, "}},
		{"partial", []string{"plan", planFile(t, "plan: x\nclusters: {a: {}, b: {}}\n")}, []string{"a plan lacks mirrors", "a plan lacks topics", "a plan lacks steps"}},
		{"question", []string{"plan", file, "--ask", "Q7"}, []string{"Q7", "Q1, Q2, Q3, Q4, Q5"}},
		{"level", []string{"plan", file, "--faults", "heavy"}, []string{"--faults", "heavy", "light"}},
		{"count", []string{"plan", file, "--count", "0"}, []string{"--count 0"}},
		{"jobs", []string{"plan", file, "--jobs", "-1"}, []string{"--jobs -1"}},
		{"seed", []string{"plan", file, "--seed", "3"}, []string{"--seed N", "--seed-start"}},
		{"seed of a scenario", []string{"plan", file, "--show", "--seed", "x"}, []string{"x", "0 to"}},
		{"revision", []string{"plan", file, "--protocol", "hardend"}, []string{"hardend", "hardened"}},
		{"decision", []string{"plan", file, "--set", "marker=epok"}, []string{"epok", "epoch-and-offset"}},
		{"example of a file", []string{"plan", "--example", file}, []string{"1 argument", "plan FILE"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, diag := command(c.args...)
			if code != exitBadInput {
				t.Errorf("exit status %d", code)
			}
			for _, w := range c.want {
				if !strings.Contains(out+diag, w) {
					t.Errorf("the message lacks %q: %s%s", w, out, diag)
				}
			}
		})
	}
}
