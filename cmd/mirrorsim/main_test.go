package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs one command line in this process.
func command(args ...string) (code int, out, diag string) {
	var o, d bytes.Buffer
	code = execute(context.Background(), args, &o, &d)
	return code, o.String(), d.String()
}

// sweeps leaves out a long test under -short, which the race detector takes, whose goroutines are those of package scenarios.
func sweeps(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("package scenarios has tests of its goroutines")
	}
}

// Bad input: exit status 2, and a message that names the word and what would be accepted.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.scn")
	if err := os.WriteFile(file, []byte("scenario X\n\ncluster A brokrs=2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	defect := filepath.Join(filepath.Dir(file), "defect.scn")
	if err := os.WriteFile(defect, []byte("scenario X\ncluster A brokers=2\nwrong defect d violates durability\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"unknown decision", []string{"run", "F1", "--set", "markr=none"}, []string{"markr", "marker"}},
		{"unknown option", []string{"run", "F1", "--set", "marker=epok"}, []string{"epok", "epoch-and-offset"}},
		{"option by id", []string{"run", "F1", "--set", "D1=epok"}, []string{"epok", "epoch-and-offset"}},
		{"no equals sign", []string{"run", "F1", "--set", "marker"}, []string{"marker", "NAME=TOKEN"}},
		{"unknown revision", []string{"run", "F1", "--protocol", "frist"}, []string{"frist", "first", "start-stop"}},
		{"defect in a wrong line", []string{"scenarios", "verify", defect}, []string{defect + `:3: "defect": `, "accepted: set DECISION=TOKEN"}},
		{"unknown scenario", []string{"run", "F99"}, []string{"F99", "F1", ".scn"}},
		{"no such file", []string{"run", "none/such.scn"}, []string{"none/such.scn"}},
		{"malformed line", []string{"run", file}, []string{file, "3", "brokrs", "brokers="}},
		{"seed too large", []string{"run", "F1", "--seed", "9007199254740992"}, []string{"--seed 9007199254740992", "9007199254740991"}},
		{"seed negative", []string{"run", "F1", "--seed=-1"}, []string{"-1", "0 to"}},
		{"seed not a number", []string{"run", "F1", "--seed", "x"}, []string{"x", "0 to"}},
		{"unknown command", []string{"rnu"}, []string{`unknown command "rnu" for mirrorsim; accepted: `, "run, scenarios, shrink, sweep"}},
		{"unknown subcommand", []string{"scenarios", "lits"}, []string{`unknown command "lits" for mirrorsim scenarios; accepted: fmt, list, run, show, verify`}},
		{"unknown flag", []string{"run", "--sede", "3"}, []string{"--sede", "--seed"}},
		{"not a number", []string{"sweep", "--count", "x"}, []string{"--count x", "whole number"}},
		{"too many", []string{"run", "F1", "F2"}, []string{"2 arguments", "run [SCENARIO]"}},
		{"design of no run", []string{"scenarios", "show", "F1", "--set", "marker=none"}, []string{"--set", "accepted: with --story"}},
		{"too few", []string{"scenarios", "show"}, []string{"0 arguments", "show SCENARIO"}},
		{"explain nothing", []string{"protocols", "--explain", "D99"}, []string{"D99", "marker", "first"}},
		{"diagram of what", []string{"protocols", "--mermaid"}, []string{"--mermaid", "--states"}},
		{"explain states", []string{"protocols", "--states", "--explain", "D1"}, []string{"--explain", "--states"}},
		{"nowhere to record to", []string{"run", "--record", "none/such.rec"}, []string{"--record", "none"}},
		{"nothing to record", []string{"run", "F1", "--print", "--record", filepath.Join(dir, "x.rec")}, []string{"--record", "--print"}},
		{"nowhere for pictures", []string{"run", "--pictures", "none/such"},
			[]string{"--pictures none/such", "a directory that exists"}},
		{"negative seeds", []string{"scenarios", "verify", "--seeds", "-3"}, []string{"--seeds -3", "from 0"}},
		{"fmt of a bad file", []string{"scenarios", "fmt", file}, []string{file, "brokrs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, diag := command(c.args...)
			if code != exitBadInput || out != "" {
				t.Errorf("exit status %d, printed %q", code, out)
			}
			for _, w := range c.want {
				if !strings.Contains(diag, w) {
					t.Errorf("the message lacks %q: %s", w, diag)
				}
			}
			code, out, _ = command(append(c.args, "--json")...)
			var rep errorReport
			if err := json.Unmarshal([]byte(out), &rep); err != nil || code != exitBadInput || rep.Schema != "mirrorsim.error/1" || rep.Message == "" {
				t.Errorf("with --json: exit status %d, %v, %s", code, err, out)
			}
		})
	}
}

func TestSyntaxErrorAsJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.scn")
	if err := os.WriteFile(file, []byte("scenario X\n\ncluster A brokrs=2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, out, _ := command("run", file, "--json")
	var rep errorReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatal(err)
	}
	if rep.File != file || rep.Line != 3 || !strings.Contains(rep.Word, "brokrs") || len(rep.Want) == 0 || rep.Exit != 2 || rep.More != nil {
		t.Errorf("%+v", rep)
	}
}

// A file with five mistakes gets five errors, in text and as JSON, each with its place and what would be accepted: a scenario and a plan.
func TestFiveMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		file  string
		lines []int
	}{
		"run":  {"../../scenarios/format/testdata/five-mistakes.scn", []int{6, 12, 14, 16, 20}},
		"plan": {"../../scenarios/plan/testdata/five-mistakes.yaml", []int{11, 24, 25, 33, 36}},
	} {
		code, out, diag := command(name, c.file)
		rows := strings.Count(diag, "; accepted: ")
		if code != exitBadInput || out != "" || rows != len(c.lines) || strings.Count(diag, c.file+":") != rows {
			t.Errorf("exit status %d, output %q, errors:\n%s", code, out, diag)
		}
		_, out, _ = command(name, c.file, "--json")
		var rep errorReport
		if err := json.Unmarshal([]byte(out), &rep); err != nil {
			t.Fatal(err)
		}
		for i, e := range append([]inputError{rep.inputError}, rep.More...) {
			if i >= len(c.lines) || e.File != c.file || e.Line != c.lines[i] || e.Word == "" || len(e.Want) == 0 || strings.Count(e.Message, "accepted") != 1 {
				t.Errorf("error %d is %+v", i+1, e)
			}
		}
		if len(rep.More) != len(c.lines)-1 {
			t.Errorf("%d more errors", len(rep.More))
		}
	}
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"run", "--quiet"}, 0},
		{[]string{"run", "F4", "--protocol", "start-stop", "--set", "marker=none", "--quiet"}, 1},
		{[]string{"run", "F4", "--protocol", "start-stop", "--set", "marker=none", "--json"}, 1},
		{[]string{"scenarios", "run", "F1", "S2"}, 0},
		{[]string{"scenarios", "run", "F1", "F4", "S2", "--protocol", "start-stop", "--set", "marker=none"}, 1},
		{[]string{"scenarios", "verify", "F1", "T4"}, 0},
		{[]string{"scenarios", "verify", "F4", "--protocol", "start-stop", "--set", "marker=none"}, 1},
		{[]string{"scenarios", "list"}, 0},
		{[]string{"protocols"}, 0},
		{[]string{"--help"}, 0},
	} {
		if code, out, diag := command(c.args...); code != c.want {
			t.Errorf("%v: exit status %d, want %d\n%s%s", c.args, code, c.want, out, diag)
		}
	}
}

// The command that a failed run prints repeats it.
func TestReproduce(t *testing.T) {
	_, out, _ := command("run", "F4", "--protocol", "start-stop", "--set", "marker=none", "--seed", "5", "--json")
	var first, second struct{ Reproduce, Hash, Verdict string }
	if err := json.Unmarshal([]byte(out), &first); err != nil {
		t.Fatal(err)
	}
	args := strings.Fields(first.Reproduce)
	if args[0] != "mirrorsim" || first.Verdict != "violated" {
		t.Fatalf("%+v", first)
	}
	_, out, _ = command(append(args[1:], "--json")...)
	if err := json.Unmarshal([]byte(out), &second); err != nil {
		t.Fatal(err)
	}
	if second != first {
		t.Errorf("the command repeats another run: %+v, want %+v", second, first)
	}
}

func TestOverrideIsSaid(t *testing.T) {
	_, out, _ := command("run", "F7", "--set", "reverse-check=unchecked", "--quiet")
	if line, _, _ := strings.Cut(out, "\n"); !strings.Contains(line, "overrides") || !strings.Contains(line, "the file says checked") {
		t.Errorf("the first line is %q", line)
	}
}

func TestShowAndFmtRoundTrip(t *testing.T) {
	_, shown, _ := command("scenarios", "show", "F4")
	file := filepath.Join(t.TempDir(), "f4.scn")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(shown, "cluster A brokers=2", "cluster   A   brokers=2")), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, diag := command("scenarios", "fmt", "-w", file); code != 0 || out != "" {
		t.Fatalf("exit status %d: %s%s", code, out, diag)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != shown || info.Mode().Perm() != 0o600 {
		t.Errorf("fmt -w wrote, with mode %v:\n%s", info.Mode(), got)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) != 1 {
		t.Errorf("fmt -w left %v", left)
	}
}

// show --story tells the run, under the design that is asked for, and as JSON beside the file.
func TestShowStory(t *testing.T) {
	code, out, _ := command("scenarios", "show", "f4", "--story")
	if code != 0 || !strings.HasPrefix(out, "F4: --protocol first\n") || !strings.Contains(out, "\n  | A/t-0  0-2@0 3:reset@1 4@1  leader a") ||
		!strings.Contains(out, "  discarded: 2 cut") || strings.Contains(out, "VIOLATED") {
		t.Errorf("exit status %d:\n%s", code, out)
	}
	code, other, _ := command("scenarios", "show", "F4", "--story", "--set", "marker=none", "--set", "lookup-missing=minus-one")
	if code != 0 || !strings.Contains(other, "VIOLATED convergence: ") {
		t.Errorf("exit status %d:\n%s", code, other)
	}
	_, asJSON, _ := command("scenarios", "show", "F4", "--story", "--json")
	var l listing
	if err := json.Unmarshal([]byte(asJSON), &l); err != nil || len(l.Scenarios) != 1 || l.Scenarios[0].Run != out || l.Scenarios[0].Text == "" {
		t.Errorf("%v: %s", err, asJSON)
	}
}

func TestProtocolsExplain(t *testing.T) {
	for word, want := range map[string]string{"marker": "D1 marker", "d7": "D7 stop-bump", "first": "start-stop but for",
		"add-remove": "names AddTopicsToMirror, RemoveTopicsFromMirror, .paused, .removed"} {
		if code, out, _ := command("protocols", "--explain", word); code != 0 || !strings.Contains(out, want) {
			t.Errorf("--explain %s: exit status %d\n%s", word, code, out)
		}
	}
	_, out, _ := command("protocols", "--json")
	var rep protocolsReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil || len(rep.Decisions) != 54 || len(rep.Revisions) != 5 {
		t.Errorf("%v: %d decisions, %d revisions", err, len(rep.Decisions), len(rep.Revisions))
	}
}

// The state machine in its three forms has each edge that the design's table has, and what decides on it.
func TestProtocolsStates(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"\nEPOCH_FENCING (", "  from   UNKNOWN       stopped is desired (D46 unknown-stop=stopping)\n", "(D25 early-pause)\n"}},
		{[]string{"--mermaid"}, []string{"stateDiagram-v2\n", "    [*] --> STOPPING: D46 unknown-stop=stopping\n", "    PAUSED --> MIRRORING\n"}},
		{[]string{"--json"}, []string{`{"schema":"mirrorsim.states/1"`, `"decision":"D25 early-pause"`}},
	} {
		code, out, diag := command(append([]string{"protocols", "--states"}, c.args...)...)
		for _, want := range c.want {
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("%v: exit status %d, without %q\n%s%s", c.args, code, want, out, diag)
			}
		}
	}
	if code, out, _ := command("protocols", "--states", "--mermaid", "--json"); code != exitBadInput || !strings.Contains(out, "mirrorsim.error/1") {
		t.Errorf("a diagram as JSON: exit status %d\n%s", code, out)
	}
	_, out, _ := command("protocols", "--states", "--mermaid")
	if n := strings.Count(out, " --> "); n != 29 { // 28 of the table, and STOPPING from UNKNOWN
		t.Errorf("the diagram has %d edges", n)
	}
}

// A failed run that was not told shows what led to its first violation; one that was told has shown it.
func TestLastActs(t *testing.T) {
	const title, act = "The last acts before it:", "a1      t-0 fetches from b0 at 5 (source leader epoch 1)"
	_, quiet, _ := command("run", "F4", "--protocol", "start-stop", "--set", "marker=none", "--quiet")
	_, after, found := strings.Cut(quiet, title)
	acts, _, _ := strings.Cut(after, "\n\n")
	if lines := strings.Split(strings.TrimSpace(acts), "\n"); !found || !strings.HasSuffix(lines[len(lines)-1], act) {
		t.Errorf("the acts before the violation are %s", acts)
	}
	if _, told, _ := command("run", "F4", "--protocol", "start-stop", "--set", "marker=none"); strings.Contains(told, title) {
		t.Error("a run that was told lists its last acts again")
	}
	if _, holds, _ := command("run", "F4", "--protocol", "start-stop", "--quiet"); strings.Contains(holds, title) {
		t.Error("a run that holds lists its last acts")
	}
}

// A step that was answered with an error is told at the end, whatever the verdict is, unless the scenario expects it.
func TestRefusedStepIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.scn")
	const text = `scenario X
cluster A brokers=1
cluster B brokers=1
topic t on A partitions=1 replicas=1
topic t on B partitions=1 replicas=1 id-of=A
mirror m from A to B
pause t in m
`
	const line = "\nREFUSED step 1: TOPIC_NOT_IN_CLUSTER_MIRROR: line 7: pause t in m\n"
	for _, c := range []struct {
		text string
		told bool
	}{{text, true}, {text + "expect error 1=TOPIC_NOT_IN_CLUSTER_MIRROR\n", false}} {
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if code, out, diag := command("run", file); code != 0 || strings.Contains(out, line) != c.told {
			t.Errorf("exit status %d, want the refusal told: %v\n%s%s", code, c.told, out, diag)
		}
	}
}

// The head of a run says what its fault level does: to a generated scenario, and to one that has a name.
func TestFaultLevelIsSaid(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--seed", "7", "--faults", "light"}, ", seed 7, faults light\n"},
		{[]string{"--seed", "7", "--faults", "none"}, ", seed 7, faults none\n"},
		{[]string{"F4", "--seed", "7", "--faults", "light"}, ", seed 7, delays and losses as under faults light\n"},
		{[]string{"F4", "--seed", "7"}, ", seed 7\n"},
		{[]string{"F4"}, ", calm schedule\n"},
	} {
		_, out, diag := command(append([]string{"run", "--quiet"}, c.args...)...)
		if first, _, _ := strings.Cut(out, "\n"); !strings.HasSuffix(first+"\n", c.want) {
			t.Errorf("%v: the head is %q%s", c.args, first, diag)
		}
	}
	for name, want := range map[string]string{"run": "it only sets how likely", "scenarios run": "the faults are those of the scenario"} {
		if _, out, _ := command(append(strings.Fields(name), "--help")...); !strings.Contains(out, want) {
			t.Errorf("%s --help lacks %q:\n%s", name, want, out)
		}
	}
}
