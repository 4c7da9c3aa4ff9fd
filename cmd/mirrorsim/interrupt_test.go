package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/plan"
)

// underway runs a command line whose context is done once it has written so many times: 0, before it begins.
func underway(writes int, args ...string) (code int, out, diag string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := &countdown{left: writes, cancel: cancel}
	if writes == 0 {
		cancel()
	}
	var d bytes.Buffer
	code = execute(ctx, args, o, &d)
	return code, o.String(), d.String()
}

// countdown cancels at a write.
type countdown struct {
	bytes.Buffer
	left   int
	cancel context.CancelFunc
}

func (c *countdown) Write(p []byte) (int, error) {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return c.Buffer.Write(p)
}

// Every command that takes a while says at Ctrl-C that it was stopped early, in text and as JSON, and ends with status 4.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	mine, history := filepath.Join(dir, "mine.yaml"), filepath.Join(dir, "f1.jsonl")
	if err := os.WriteFile(mine, []byte(plan.Example), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, diag := command("run", "F1", "--quiet", "--history", history); code != 0 {
		t.Fatal(diag)
	}
	fails := []string{"F4", "--protocol", "start-stop", "--set", "marker=none"}
	for _, args := range [][]string{
		{"run", "--seed", "7", "--faults", "swarm", "--quiet"},
		{"check", history},
		{"sweep", "--count", "5", "--faults", "light"},
		{"compare", "--count", "5"},
		{"plan", mine},
		{"explore", "F1"},
		append([]string{"shrink"}, fails...),
		append([]string{"doom"}, fails...),
		{"guide", "--count", "5"},
		{"guide", "--count", "5", "--compare", "2"},
		{"scenarios", "verify", "F1", "F2"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			code, out, diag := underway(0, args...)
			if text := strings.ToLower(out + diag); code != exitUnknown || !strings.Contains(text, "stopped") && !strings.Contains(text, "interrupted") {
				t.Errorf("exit status %d: %s", code, text)
			}
			code, out, _ = underway(0, append(args, "--json")...)
			var rep struct {
				StoppedEarly bool `json:"stopped_early"`
			}
			if err := json.Unmarshal([]byte(out), &rep); err != nil || code != exitUnknown || !rep.StoppedEarly {
				t.Errorf("exit status %d, %v: %s", code, err, out)
			}
		})
	}
}

// What was done by then is printed: of scenarios those before, of a run that leaves files none.
func TestInterruptedUnderway(t *testing.T) {
	const first, second = "F1                 1 run, 0 not as the file says\n", "F2 "
	code, out, _ := underway(1, "scenarios", "verify", "F1", "F2")
	if code != exitUnknown || !strings.Contains(out, first) || strings.Contains(out, second) || !strings.Contains(out, "UNKNOWN: stopped early") {
		t.Errorf("exit status %d: %s", code, out)
	}
	code, out, diag := underway(1, "scenarios", "run", "F1", "F2")
	if code != exitUnknown || !strings.Contains(out, "F1: ") || strings.Contains(out, "F2: ") || !strings.Contains(diag, "1 of 2 scenarios") {
		t.Errorf("exit status %d: %s%s", code, out, diag)
	}
	dir := t.TempDir()
	code, out, diag = underway(0, "run", "--seed", "7", "--faults", "swarm", "--json", "--record", filepath.Join(dir, "x.rec"),
		"--history", filepath.Join(dir, "x.jsonl"))
	var rep scenarios.Report
	if err := json.Unmarshal([]byte(out), &rep); err != nil || code != exitUnknown || rep.Verdict != "unknown" || len(rep.Properties) != 0 ||
		strings.Count(diag, "is not written") != 2 {
		t.Errorf("exit status %d, %v: %s%s", code, err, out, diag)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 0 {
		t.Errorf("it left %v", left)
	}
}
