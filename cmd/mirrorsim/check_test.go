package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/scenarios"
)

// takeHistory runs a scenario with --history, and answers the file and the exit status of the run.
func takeHistory(t *testing.T, args ...string) (file string, code int) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "h.jsonl")
	code, out, diag := command(append([]string{"run", "--quiet", "--history", file}, args...)...)
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("exit status %d, %v\n%s%s", code, err, out, diag)
	}
	return file, code
}

// checked is the JSON report of a check.
func checked(t *testing.T, args ...string) (rep scenarios.HistoryReport, code int) {
	t.Helper()
	code, out, diag := command(append([]string{"check", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &rep); err != nil || rep.Schema != "mirrorsim.check/1" {
		t.Fatalf("exit status %d, %v: %s%s", code, err, out, diag)
	}
	return rep, code
}

// A check of a run's history says what the run says, in its words and with its exit status.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"holds", []string{"F1"}},
		{"violated", []string{"F4", "--protocol", "start-stop", "--set", "marker=none"}},
		{"a schedule", []string{"F4", "--seed", "5"}},
		{"a generated scenario", []string{"--seed", "3", "--faults", "swarm"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, want := takeHistory(t, c.args...)
			_, out, _ := command(append([]string{"run", "--json"}, c.args...)...)
			var run scenarios.Report
			if err := json.Unmarshal([]byte(out), &run); err != nil {
				t.Fatal(err)
			}
			rep, code := checked(t, file)
			if code != want || rep.Verdict != run.Verdict || !rep.Complete || rep.Events != run.Events || rep.VirtualUs != run.VirtualUs {
				t.Errorf("exit status %d, of the run %d: %+v", code, want, rep)
			}
			judged := map[string]scenarios.ReportProperty{}
			for _, p := range rep.Properties {
				judged[p.ID] = p
			}
			for _, p := range run.Properties {
				if judged[p.ID] != p {
					t.Errorf("the check says %+v, the run %+v", judged[p.ID], p)
				}
			}
			var got, say []string
			for _, v := range rep.Violations {
				got = append(got, v.Property+": "+v.Sentence)
			}
			for _, v := range run.Violations {
				say = append(say, v.Property+": "+v.Sentence)
			}
			if d := cmp.Diff(say, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// What a violated history prints names the events by their lines, and shows what led to it.
func TestCheckPrints(t *testing.T) {
	file, _ := takeHistory(t, "F4", "--protocol", "start-stop", "--set", "marker=none")
	_, out, _ := command("check", file)
	for _, want := range []string{"mirrorsim run F4 --protocol start-stop --set marker=none", "VIOLATED log-matching: ", "The last events before it:\n",
		"fetches from b0", "are those before log-matching fell", "\n  log-matching           violated ", "partition t-0: B is in charge", "\nviolated: "} {
		if !strings.Contains(out, want) {
			t.Errorf("it lacks %q:\n%s", want, out)
		}
	}
	rep, _ := checked(t, file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	v := rep.Violations[0]
	if line := lines[v.Lines[0]-1]; v.Property != "log-matching" || !strings.Contains(line, `"kind":"appended","node":"b0"`) || !strings.Contains(line, `"control":"reset"`) {
		t.Errorf("%+v is shown by line %s", v, line)
	}
}

// What the file does not have is not taken for right: its end, a second phase, kinds that nobody understands.
func TestCheckOfLess(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(string) string
		code    int
		verdict string
		want    []string
	}{
		{"cut off", func(s string) string { return withoutLines(s, `{"us":730`) }, 4, "unknown", []string{"UNKNOWN the history has no line of kind end", "durability             unknown"}},
		{"without a second phase", func(s string) string { return s }, 0, "holds", []string{"isr-heals              not exercised        0 occasions"}},
		{"of unknown kinds", func(s string) string {
			head, rest, _ := strings.Cut(s, "\n")
			rest = strings.ReplaceAll(rest, `"kind":"point-reached"`, `"kind":"pass"`)
			return head + "\n" + rest
		}, 0, "holds", []string{"NOT UNDERSTOOD ", "of kind pass"}},
		{"a header and an end", func(s string) string {
			head, _, _ := strings.Cut(s, "\n")
			return head + "\n" + `{"us":0,"kind":"end","events":0}` + "\n"
		}, 4, "unknown", []string{"UNKNOWN no property had an occasion", "durability             not exercised"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, _ := takeHistory(t, "F4")
			edit(t, file, c.change)
			code, out, diag := command("check", file)
			if code != c.code {
				t.Errorf("exit status %d: %s%s", code, out, diag)
			}
			for _, w := range append(c.want, "\n"+c.verdict+": ") {
				if !strings.Contains(out, w) {
					t.Errorf("it lacks %q:\n%s", w, out)
				}
			}
		})
	}
}

// A line that is not accepted is named, and nothing is judged.
func TestCheckRefuses(t *testing.T) {
	file, _ := takeHistory(t, "F4")
	edit(t, file, func(s string) string { return strings.Replace(s, `"min_isr":`, `"min_irs":`, 1) })
	code, out, diag := command("check", file)
	if code != exitBadInput || out != "" || !strings.Contains(diag, file+":9: ") || !strings.Contains(diag, "min_isr") {
		t.Errorf("exit status %d, printed %q: %s", code, out, diag)
	}
	var rep errorReport
	_, out, _ = command("check", file, "--json")
	if err := json.Unmarshal([]byte(out), &rep); err != nil || rep.Line != 9 || rep.File != file || len(rep.Want) == 0 {
		t.Errorf("%v: %+v", err, rep)
	}
}

// - is standard input.
func TestCheckStandardInput(t *testing.T) {
	file, _ := takeHistory(t, "F1")
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	before := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = before }()
	if rep, code := checked(t, "-"); code != 0 || rep.File != "standard input" || rep.Verdict != "holds" {
		t.Errorf("exit status %d: %+v", code, rep)
	}
}

// A history that cannot be written leaves the file as it was, and nothing beside it.
func TestHistoryIsWholeOrNot(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "h.jsonl")
	if err := os.WriteFile(file, []byte("as it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "bad.scn")
	if err := os.WriteFile(bad, []byte("scenario X\nsetting failure-attempts=3\ncluster A brokers=2\ntopic t on A partitions=1 replicas=2\nclient p producer on A\nproduce p A/t-0 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, diag := command("run", bad, "--set", "marker=nonsense", "--history", file); code != exitBadInput {
		t.Errorf("exit status %d: %s", code, diag)
	}
	if code, _, diag := command("run", "F1", "--history", filepath.Join(dir, "none", "h.jsonl")); code != exitBadInput || !strings.Contains(diag, "--history ") {
		t.Errorf("exit status %d: %s", code, diag)
	}
	if code, _, diag := command("run", "F1", "--print", "--history", file); code != exitBadInput || !strings.Contains(diag, "beside --print") {
		t.Errorf("exit status %d: %s", code, diag)
	}
	if code, _, diag := command("run", "F1", "--quiet", "--history", dir); code != exitBadInput || !strings.Contains(diag, "--history ") {
		t.Errorf("exit status %d: %s", code, diag)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "as it was" {
		t.Errorf("%v: %s", err, text)
	}
	for _, at := range []string{dir, filepath.Dir(dir)} {
		if left, _ := filepath.Glob(filepath.Join(at, ".mirrorsim-*")); len(left) != 0 {
			t.Errorf("it left %v", left)
		}
	}
	if code, _, diag := command("run", bad, "--quiet", "--history", file); code != 0 {
		t.Errorf("exit status %d: %s", code, diag)
	}
	if rep, code := checked(t, file); code != 0 || rep.Verdict != "holds" {
		t.Errorf("exit status %d: %+v", code, rep)
	}
}

// A run that is interrupted has no history, and no verdict.
func TestHistoryOfAnInterruptedRun(t *testing.T) {
	dir := t.TempDir()
	var out, diag bytes.Buffer
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	asJSON := false
	c := runCommand(&asJSON)
	c.SetArgs([]string{"--seed", "3", "--faults", "swarm", "--quiet", "--history", filepath.Join(dir, "h.jsonl")})
	c.SetOut(&out)
	c.SetErr(&diag)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(ctx)
	if err != status(exitUnknown) || !strings.Contains(diag.String(), "interrupted") || strings.Contains(out.String(), "holds") {
		t.Errorf("%v: %s%s", err, out.String(), diag.String())
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("it left %v", left)
	}
}

// A replay has a history too.
func TestHistoryOfAReplay(t *testing.T) {
	rec := recordFailure(t)
	file := filepath.Join(t.TempDir(), "h.jsonl")
	if code, out, diag := command("run", "--replay", rec, "--quiet", "--history", file); code != 1 {
		t.Fatalf("exit status %d: %s%s", code, out, diag)
	}
	if rep, code := checked(t, file); code != 1 || rep.About == "" {
		t.Errorf("exit status %d: %+v", code, rep)
	}
}
