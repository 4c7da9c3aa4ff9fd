package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/scenarios"
)

const explored = "../../scenarios/explore/stop-and-failback.scn"

// What explore finds is written to a file that run repeats, and in JSON with all that it says in text.
func TestExplore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "found.scn")
	code, out, diag := command("explore", explored, "--from", "5", "--departures", "1", "--protocol", "start-stop", "-o", file, "--json")
	var rep scenarios.ExploreReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatalf("%v: %s%s", err, out, diag)
	}
	if code != 1 || rep.Schema != "mirrorsim.explore/1" || rep.Verdict != "violated" || !rep.Complete || len(rep.Violations) == 0 || diag != "" {
		t.Fatalf("exit status %d, %+v\n%s", code, rep, diag)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != rep.Violations[0].Scenario {
		t.Errorf("%v: the file has\n%s", err, text)
	}
	again := reportOf(t, "mirrorsim run "+file)
	if !violates(again, rep.Violations[0].Property, rep.Violations[0].Group) {
		t.Errorf("the file violates %+v", again.Violations)
	}
	code, text, _ := command(append(strings.Fields(rep.Reproduce)[1:], "-o", file)...)
	for _, want := range []string{rep.Violations[0].Sentence, "Repeat it with: mirrorsim run " + file, "violated: complete within a timer lead of 1s", "departures up to 1"} {
		if code != 1 || !strings.Contains(text, want) {
			t.Errorf("exit status %d, no %q in\n%s", code, want, text)
		}
	}
}

// The file has the shortest violation of a property, even if an expectation fails sooner: doom and sweeps judge that one.
func TestExploreWritesAProperty(t *testing.T) {
	file := filepath.Join(t.TempDir(), "found.scn")
	args := []string{"explore", "F1", "--departures", "1", "--protocol", "start-stop", "--set", "marker=none", "-o", file}
	_, out, diag := command(append(args, "--json")...)
	var rep scenarios.ExploreReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil || len(rep.Violations) < 2 || rep.Violations[0].Property != scenarios.Expectation {
		t.Fatalf("%v: %s%s", err, out, diag)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != rep.Violations[1].Scenario {
		t.Errorf("%v: the file is not the one of %s:\n%s", err, rep.Violations[1].Property, text)
	}
	_, out, _ = command(args...)
	before, after, _ := strings.Cut(out, "VIOLATED "+rep.Violations[1].Property)
	if strings.Contains(before, "mirrorsim run ") || !strings.Contains(after, "Repeat it with: mirrorsim run "+file) || !strings.Contains(before, "The scenario that repeats it") {
		t.Errorf("it does not say that the file repeats %s:\n%s", rep.Violations[1].Property, out)
	}
	if code, _, diag := command("doom", file, "--runs", "1"); code != 0 {
		t.Errorf("doom: %s", diag)
	}
}

// A file of another run is left, and called so.
func TestExploreLeavesWhatItDidNotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "found.scn")
	const unwritten, older = "nothing was written to ", "what stands there is not of this run"
	for _, asJSON := range []bool{false, true} {
		args := []string{"explore", explored, "-o", file, "--departures", "0"}
		if asJSON {
			args = append(args, "--json")
		}
		os.Remove(file)
		if code, _, diag := command(args...); code != 0 || !strings.Contains(diag, unwritten+file) || strings.Contains(diag, older) {
			t.Errorf("exit status %d, %s", code, diag)
		}
		if err := os.WriteFile(file, []byte("older"), 0o644); err != nil {
			t.Fatal(err)
		}
		if code, _, diag := command(args...); code != 0 || !strings.Contains(diag, unwritten+file) || !strings.Contains(diag, older) {
			t.Errorf("exit status %d, %s", code, diag)
		}
		if text, err := os.ReadFile(file); string(text) != "older" {
			t.Errorf("%v, %s", err, text)
		}
	}
}

// Without a violation no file is written; what is cut is unknown.
func TestExploreWithoutViolation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "found.scn")
	for want, args := range map[int][]string{0: {"--departures", "0"}, 4: {"--departures", "1", "--from", "5", "--max-states", "50"}} {
		code, out, diag := command(append([]string{"explore", explored, "-o", file}, args...)...)
		if _, err := os.Stat(file); code != want || err == nil {
			t.Errorf("%v: exit status %d, want %d; %v\n%s%s", args, code, want, err, out, diag)
		}
	}
}

// What cannot be explored is named by the file that was named, with what can be.
func TestExploreRefusesWhatItCannot(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "scenario other\ncluster A brokers=2\ntopic t on A partitions=1 replicas=2\nclient p producer on A\n\n" +
		"produce p A/t-0 1\nfault pause a1 for 12s\nproduce p A/t-0 1\n"
	if err := os.WriteFile("mine.scn", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, diag := command("run", "F1", "--seed", "3", "--record", "x.rec", "--quiet"); code != 0 {
		t.Fatal(diag)
	}
	for _, c := range []struct{ file, want, accepted string }{
		{"mine.scn", "mine.scn:7: ", "every fault but pause and slow"},
		{"x.rec", "x.rec is the recording of a run that was not calm", "a scenario file without choose lines"},
		{"nofile.scn", "nofile.scn cannot be read", "a scenario file without choose lines, or a name that"},
	} {
		code, out, diag := command("explore", c.file)
		if code != exitBadInput || out != "" || !strings.Contains(diag, c.want) || !strings.Contains(diag, "accepted: "+c.accepted) ||
			c.file == "nofile.scn" && strings.Contains(diag, "recording") {
			t.Errorf("%s: exit status %d, %s%s", c.file, code, out, diag)
		}
	}
	_, out, _ := command("explore", "mine.scn", "--json")
	var rep errorReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil || rep.File != "mine.scn" || rep.Line != 7 || rep.Word != "pause" {
		t.Errorf("%v: %s", err, out)
	}
}

func TestExploreRefusesBadInput(t *testing.T) {
	for want, args := range map[string][]string{
		"explore is given 0 arguments":    {},
		"no scenario is called":           {"F99"},
		"--quantum 5: not a time above 0": {explored, "--quantum", "5"},
		"--max-states -1":                 {explored, "--max-states", "-1"},
		"--from 11":                       {explored, "--from", "11"},
		"--departures 20":                 {explored, "--departures", "20"},
		"no revision":                     {explored, "--protocol", "last"},
	} {
		code, out, diag := command(append([]string{"explore"}, args...)...)
		if code != exitBadInput || out != "" || !strings.Contains(diag, want) {
			t.Errorf("%v: exit status %d, %q, want %q", args, code, diag, want)
		}
	}
}

// What was explored and does not come out as a scenario is a fault of this program, and no bad input.
func TestUnrepeatedIsInternal(t *testing.T) {
	for _, err := range []error{&scenarios.UnrepeatedError{Property: "no-loop"}, fmt.Errorf("behind it: %w", &scenarios.PanicError{})} {
		if !internal(err) {
			t.Errorf("%T is taken for bad input", err)
		}
	}
	if internal(errors.New("no such file")) {
		t.Error("bad input is taken for a fault of this program")
	}
}
