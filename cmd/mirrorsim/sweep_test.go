package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mirrorsim/scenarios"
)

// swept runs a sweep of a design that fails, in JSON.
func swept(t *testing.T, args ...string) *scenarios.SweepReport {
	t.Helper()
	code, out, diag := command(append([]string{"sweep", "--faults", "light", "--protocol", "start-stop", "--set", "marker=none", "--json"}, args...)...)
	var rep scenarios.SweepReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatalf("%v: %s%s", err, out, diag)
	}
	if code != 1 || rep.Schema != "mirrorsim.sweep/1" || rep.Verdict != "violated" || len(rep.Failures) == 0 || diag != "" {
		t.Fatalf("exit status %d, %+v\n%s", code, rep, diag)
	}
	return &rep
}

// reportOf is a run in JSON.
func reportOf(t *testing.T, line string) *scenarios.Report {
	t.Helper()
	words := strings.Fields(line)
	if words[0] != "mirrorsim" {
		t.Fatalf("not a command of this program: %s", line)
	}
	_, out, diag := command(append(words[1:], "--json")...)
	var rep scenarios.Report
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatalf("%s: %v: %s%s", line, err, out, diag)
	}
	return &rep
}

// violates tells whether a run failed by that property in that group.
func violates(r *scenarios.Report, property, group string) bool {
	for _, v := range r.Violations {
		if v.Property == property && v.Group == group {
			return true
		}
	}
	return false
}

// The command that a failure of a sweep prints repeats it, and what it was shrunk to fails by itself.
func TestSweepFailuresRepeat(t *testing.T) {
	sweeps(t)
	rep := swept(t, "--seed-start", "8", "--count", "20", "--shrink-runs", "60")
	for _, f := range rep.Failures {
		r := reportOf(t, f.Reproduce)
		if !violates(r, f.Property, f.Group) || r.Reproduce != f.Reproduce || r.Faults != "light" || *r.Seed != f.Examples[0] {
			t.Errorf("%s: %+v, want %s in group %s", f.Reproduce, r.Violations, f.Property, f.Group)
		}
		file := filepath.Join(t.TempDir(), "shrunk.scn")
		if err := os.WriteFile(file, []byte(f.Shrunk), 0o644); err != nil {
			t.Fatal(err)
		}
		if r := reportOf(t, "mirrorsim run "+file); r.Verdict != "violated" || !violates(r, f.Property, f.Group) {
			t.Errorf("shrunk, it does not fail by %s in group %s but by %+v\n%s", f.Property, f.Group, r.Violations, f.Shrunk)
		}
	}
}

// What a sweep prints for people has what its JSON has.
func TestSweepText(t *testing.T) {
	rep := swept(t, "--seed-start", "8", "--count", "6", "--no-shrink")
	_, out, diag := command("sweep", "--faults", "light", "--protocol", "start-stop", "--set", "marker=none", "--seed-start", "8", "--count", "6", "--no-shrink")
	want := []string{"faults light, seeds 8 to 13", "violated: 6 runs", "client-epoch           violated", "The runs met, judged from 500 runs under faults on: finished-stop"}
	for _, f := range rep.Failures {
		want = append(want, f.Sentence, "group "+f.Group, "Repeat it with: "+f.Reproduce)
		if f.Shrunk != "" {
			t.Error("shrunk, though it was told not to")
		}
	}
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("it lacks %q:\n%s", w, out)
		}
	}
	if diag != "" {
		t.Errorf("it is not quiet: %q", diag)
	}
}

// A run that a sweep makes can be printed, and the printed scenario runs to the same verdicts on its seed's schedule.
func TestPrintGenerated(t *testing.T) {
	_, text, _ := command("run", "--seed", "7", "--faults", "swarm", "--print")
	file := filepath.Join(t.TempDir(), "seed7.scn")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	made, printed := reportOf(t, "mirrorsim run --seed 7 --faults swarm"), reportOf(t, "mirrorsim run "+file+" --seed 7 --faults swarm")
	if made.Hash != printed.Hash || made.Events != printed.Events || made.Events < 1000 || printed.Faults != "swarm" {
		t.Errorf("hash %s with %d events, printed %s with %d", made.Hash, made.Events, printed.Hash, printed.Events)
	}
	if again := reportOf(t, printed.Reproduce); again.Hash != printed.Hash {
		t.Errorf("%s runs to %s, want %s", printed.Reproduce, again.Hash, printed.Hash)
	}
}

// shrink keeps the failure that is meant, and says by which properties a run fails that does not fail so.
func TestShrinkKeepsProperty(t *testing.T) {
	args := []string{"shrink", "F4", "--protocol", "start-stop", "--set", "marker=none", "--runs", "20", "--json"}
	for _, want := range []string{"log-matching", "exact-cut"} { // the first one of the run, and another
		_, out, diag := command(append(args, "--property", want)...)
		var rep shrunkReport
		if err := json.Unmarshal([]byte(out), &rep); err != nil || rep.Property != want {
			t.Errorf("%v, want %s: %s%s", err, want, out, diag)
		}
	}
	code, out, _ := command(append(args, "--property", "durability")...)
	var rep errorReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil || code != exitBadInput || rep.Word != "durability" ||
		!slices.Contains(rep.Want, "--property exact-cut") {
		t.Errorf("exit status %d, %v: %s", code, err, out)
	}
}

func TestBadInputOfSweeps(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"sweep", "--faults", "heavy"}, []string{"--faults", "heavy", "light", "swarm"}},
		{[]string{"sweep", "--count", "0"}, []string{"--count 0"}},
		{[]string{"sweep", "--jobs", "-1"}, []string{"--jobs -1"}},
		{[]string{"sweep", "--seed-start", "9007199254740991", "--count", "2"}, []string{"--count 2", "9007199254740991"}},
		{[]string{"sweep", "--set", "marker=x"}, []string{"marker", "epoch"}},
		{[]string{"run", "--faults", "light"}, []string{"--seed"}},
		{[]string{"run", "F1", "--faults", "light"}, []string{"--seed"}},
		{[]string{"run", "--seed", "1", "--faults", "heavy"}, []string{"heavy", "swarm"}},
		{[]string{"shrink"}, []string{"a file", "--seed"}},
		{[]string{"shrink", "F1"}, []string{"F1 does not fail"}},
		{[]string{"shrink", "F1", "--runs", "0"}, []string{"--runs 0"}},
		{[]string{"run", "--replay", "x.rec", "--seed", "1"}, []string{"--replay", "schedule"}},
		{[]string{"run", "--replay", "no/such.rec"}, []string{"no/such.rec"}},
		{[]string{"run", "F1", "--record", "no/such/dir/x.rec", "--json"}, []string{"no/such/dir"}},
	} {
		code, out, diag := command(c.args...)
		if code != exitBadInput {
			t.Errorf("%v: exit status %d", c.args, code)
		}
		for _, w := range c.want {
			if !strings.Contains(out+diag, w) {
				t.Errorf("%v: the message lacks %q: %s%s", c.args, w, out, diag)
			}
		}
	}
}

// Interrupted, a sweep ends within a second and says what was done.
func TestSweepInterrupted(t *testing.T) {
	if os.Getenv("MIRRORSIM_SWEEP_FOR_EVER") != "" {
		os.Exit(execute(context.Background(), []string{"sweep", "--count", "100000000", "--faults", "light", "--no-shrink", "--json"}, os.Stdout, os.Stderr))
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSweepInterrupted$")
	cmd.Env = append(os.Environ(), "MIRRORSIM_SWEEP_FOR_EVER=1")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Second)
	began := time.Now()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if took := time.Since(began); took > 20*time.Second { // a second on an idle machine; this is only to find one that goes on
		t.Errorf("it took %v to stop", took)
	}
	var rep scenarios.SweepReport
	if err := json.Unmarshal(out.Bytes(), &rep); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	want := "exit status 4"
	if rep.Violated > 0 {
		want = "exit status 1"
	}
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if !rep.StoppedEarly || rep.Runs == 0 || rep.Verdict == "holds" {
		t.Errorf("%+v", rep)
	}
}
