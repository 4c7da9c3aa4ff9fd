package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// recordFailure records a failing run into a new directory and answers the file.
func recordFailure(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f4.rec")
	code, out, diag := command("run", "F4", "--seed", "5", "--protocol", "start-stop", "--set", "marker=none", "--record", file, "--quiet")
	if code != 1 || !strings.Contains(out, "VIOLATED log-matching") {
		t.Fatalf("exit status %d\n%s%s", code, out, diag)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); len(left) != 0 {
		t.Errorf("it left %v", left)
	}
	return file
}

// edit changes the text of a file.
func edit(t *testing.T, file string, change func(string) string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(change(string(text))), 0o644); err != nil {
		t.Fatal(err)
	}
}

// withoutLines is a text without its lines that begin so.
func withoutLines(text, begin string) string {
	var left strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, begin) {
			left.WriteString(line)
		}
	}
	return left.String()
}

func TestReplay(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(string) string
		want   []string
		not    []string
	}{
		{"as recorded", func(s string) string { return s },
			[]string{"The recorded run, event by event", "VIOLATED log-matching"}, []string{"taken out", "no longer"}},
		{"deviations removed", func(s string) string { return withoutLines(s, "choose ") },
			[]string{"Not the recorded run: event ", " deviations were taken out"}, []string{"no longer"}},
		{"one that does not apply", func(s string) string {
			return strings.Replace(s, "\nevents ", "\nchoose net-delay 9 #9999=1\nevents ", 1)
		},
			[]string{"The recorded run", "1 deviation no longer applies"}, []string{"taken out"}},
		{"one event more", func(s string) string {
			begin, rest, _ := strings.Cut(s, "\nevents ")
			count, hashes, _ := strings.Cut(rest, "\n")
			n, _ := strconv.Atoi(count)
			return begin + "\nevents " + strconv.Itoa(n+1) + "\n" + hashes + "00000000\n"
		}, []string{"Not the recorded run: event ", " is missing"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := recordFailure(t)
			edit(t, file, c.change)
			_, out, diag := command("run", "--replay", file, "--quiet")
			for _, w := range c.want {
				if !strings.Contains(out, w) {
					t.Errorf("it lacks %q: %s\n%s", w, diag, out)
				}
			}
			for _, w := range c.not {
				if strings.Contains(out, w) {
					t.Errorf("it has %q:\n%s", w, out)
				}
			}
			if strings.HasPrefix(c.want[0], "The recorded run") != reportOf(t, "mirrorsim run --replay "+file).Replay.Same {
				t.Error("its JSON says something else")
			}
		})
	}
}

// Everything holds, but in another run than the recorded one: that is not a pass.
func TestReplayOfAnotherRun(t *testing.T) {
	dir := t.TempDir()
	scn, file := filepath.Join(dir, "x.scn"), filepath.Join(dir, "x.rec")
	const text = "scenario X\ncluster A brokers=2\ntopic t on A partitions=1 replicas=2\nclient p producer on A\nproduce p A/t-0 2\n"
	if err := os.WriteFile(scn, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := command("run", scn, "--record", file, "--quiet"); code != 0 {
		t.Fatalf("exit status %d\n%s", code, out)
	}
	if code, out, _ := command("run", "--replay", file, "--quiet"); code != 0 {
		t.Errorf("exit status %d\n%s", code, out)
	}
	edit(t, file, func(s string) string { return strings.Replace(s, "produce p A/t-0 2", "produce p A/t-0 3", 1) })
	if code, out, _ := command("run", "--replay", file, "--quiet"); code != 4 || !strings.Contains(out, "Not the recorded run") {
		t.Errorf("exit status %d\n%s", code, out)
	}
}

func TestBadRecording(t *testing.T) {
	file := recordFailure(t)
	edit(t, file, func(s string) string { return strings.Replace(s, "cluster A brokers=2", "cluster A brokrs=2", 1) })
	code, out, _ := command("run", "--replay", file, "--json")
	var rep errorReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(string(text)[:strings.Index(string(text), "cluster A brok")], "\n")
	if code != exitBadInput || rep.Line != line || rep.File != file || rep.Word != "brokrs=2" {
		t.Errorf("exit status %d, %+v, want line %d", code, rep, line)
	}
}

// A recording and a scenario shrink to a file that fails by itself.
func TestShrinkCommand(t *testing.T) {
	sweeps(t)
	seed := swept(t, "--count", "40", "--no-shrink").Failures[0].Examples[0]
	for _, c := range []struct {
		name string
		args []string
	}{
		{"a scenario", []string{"F4", "--protocol", "start-stop", "--set", "marker=none"}},
		{"a scenario under a seed", []string{"F4", "--protocol", "start-stop", "--set", "marker=none", "--seed", "5"}},
		{"a recording", []string{recordFailure(t)}},
		{"a generated scenario", []string{"--seed", fmt.Sprint(seed), "--faults", "light", "--protocol", "start-stop", "--set", "marker=none"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "small.scn")
			code, out, diag := command(append([]string{"shrink", "-o", file, "--json"}, c.args...)...)
			var rep shrunkReport
			if err := json.Unmarshal([]byte(out), &rep); err != nil || code != 0 {
				t.Fatalf("exit status %d, %v: %s%s", code, err, out, diag)
			}
			text, err := os.ReadFile(file)
			if err != nil || string(text) != rep.Scenario {
				t.Errorf("%v: the file is not the scenario of the report:\n%s", err, text)
			}
			r := reportOf(t, "mirrorsim run "+file)
			if r.Verdict != "violated" || !violates(r, rep.Property, rep.Group) || rep.After.Steps > 12 || rep.After.Steps >= rep.Before.Steps {
				t.Errorf("%+v: its run: %+v", rep, r.Violations)
			}
		})
	}
}

// With a bound that is too low it says so, and what is left fails all the same.
func TestShrinkBound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "half.scn")
	code, out, diag := command("shrink", "F4", "--protocol", "start-stop", "--set", "marker=none", "--runs", "5", "-o", file)
	if code != 4 || !strings.Contains(diag, "stopped early") || !strings.Contains(out, "mirrorsim run "+file) {
		t.Errorf("exit status %d: %s%s", code, out, diag)
	}
	if r := reportOf(t, "mirrorsim run "+file); r.Verdict != "violated" {
		t.Errorf("%+v", r)
	}
}
