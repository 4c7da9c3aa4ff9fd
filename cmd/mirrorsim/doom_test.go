package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/scenarios"
)

// What doom prints for people has what its JSON has, and the same again.
func TestDoom(t *testing.T) {
	args := []string{"doom", "../../scenarios/findings/position-below-the-next-leaders-log.scn", "--protocol", "first", "--set",
		"marker=epoch-and-offset", "--set", "position-end=hw", "--property", "position-durable", "--faults-end", "--runs", "10"}
	code, out, diag := command(append(args, "--json")...)
	var r scenarios.DoomReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || diag != "" {
		t.Fatalf("exit status %d, %v: %s%s", code, err, out, diag)
	}
	if r.Schema != "mirrorsim.doom/1" || r.Property != "position-durable" || r.Each != 10 || !r.FaultsEnd || r.LastSafe.Point != "stop.epoch-bumped" ||
		r.FirstDoomed.Fail != 10 || r.FirstDoomed.What != "crashes" || r.FirstDoomed.Node != "b1" || len(r.Conclusion) != 2 {
		t.Errorf("%s", out)
	}
	if again := reportOf(t, r.Reproduce); !violates(again, r.Property, r.Group) {
		t.Errorf("%s violates %+v, want %s in group %s", r.Reproduce, again.Violations, r.Property, r.Group)
	}
	code, text, diag := command(args...)
	words := strings.Join(strings.Fields(text), " ")
	for _, want := range append(r.Conclusion, r.Sentence, "0+0 (last safe) b1 t-0 stop step done", "10+10 #################### (first doomed) b1 crashes",
		"without the faults among them", "position-durable: B/t-0 is STOPPED") {
		if code != 0 || diag != "" || !strings.Contains(words, strings.Join(strings.Fields(want), " ")) {
			t.Errorf("exit status %d, it lacks %q:\n%s%s", code, want, text, diag)
		}
	}
	if _, again, _ := command(args...); again != text {
		t.Errorf("the same again is\n%s", again)
	}
}

// What explore found is told of the node that it befell, not of the one that handles something right after it.
func TestDoomOfExplored(t *testing.T) {
	file := filepath.Join(t.TempDir(), "crash.scn")
	code, _, diag := command("explore", explored, "--from", "5", "--to", "6", "--departures", "0", "--crashes", "1", "--protocol", "start-stop", "-o", file)
	if code != 1 {
		t.Fatal(diag)
	}
	_, told, _ := command("run", file)
	_, out, diag := command("doom", file, "--runs", "10", "--json")
	var r scenarios.DoomReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.FirstDoomed == nil {
		t.Fatalf("%v: %s%s", err, out, diag)
	}
	d := r.FirstDoomed
	if d.Node != "b0" || !strings.HasPrefix(d.What, "crashes") || strings.Join(d.Drawn, " ") != "node-fault b0=2" || !strings.Contains(told, "b0      crashes") {
		t.Errorf("first doomed: %+v; the run is\n%s", d, told)
	}
}

// Expectations on the calm schedule are not judged, and not offered as what could be.
func TestDoomOfCalmExpectation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "calm.scn")
	const text = "scenario calm\ncluster A brokers=1\ntopic t on A partitions=1 replicas=1\nclient p producer on A\n\n" +
		"produce p A/t-0 1\nexpect hw A/t-0=7 on-schedule calm\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := command("run", file); code != 1 {
		t.Fatalf("it does not fail: %s", out)
	}
	for _, args := range [][]string{{"doom", file}, {"doom", file, "--property", "expectation"}} {
		code, _, diag := command(args...)
		if code != exitBadInput || !strings.Contains(diag, "(what is expected on the calm schedule only is not judged)") ||
			strings.Contains(diag, "--property") || strings.Contains(diag, "otherwise") {
			t.Errorf("%v: exit status %d, %s", args, code, diag)
		}
	}
}

// The noise of the continuations is that of the run, unless said.
func TestNoiseOfDoom(t *testing.T) {
	f4 := []string{"doom", "F4", "--protocol", "start-stop", "--set", "marker=none", "--runs", "1", "--json"}
	seeds := []string{"--seed", "5"}
	for _, c := range []struct {
		name  string
		args  []string
		delay uint16
	}{
		{"calm run", nil, scenarios.Noise.Delay},
		{"seed", seeds, scenarios.Noise.Delay},
		{"seed and level", append(seeds, "--faults", "light"), 1 << 8},
		{"said", append(seeds, "--faults", "light", "--noise", "none"), 1 << 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, out, diag := command(append(f4, c.args...)...)
			var r scenarios.DoomReport
			if err := json.Unmarshal([]byte(out), &r); err != nil || r.Noise.Delay != c.delay {
				t.Errorf("%v, %+v, want a delay in %d of 65536\n%s", err, r.Noise, c.delay, diag)
			}
		})
	}
}

func TestBadInputOfDoom(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"doom"}, []string{"name of a scenario", "--seed N"}},
		{[]string{"doom", "F1"}, []string{"F1 does not fail", "accepted"}},
		{[]string{"doom", "F1", "--runs", "0"}, []string{"--runs 0", "from 1"}},
		{[]string{"doom", "F1", "--noise", "loud"}, []string{"--noise", "loud", "swarm"}},
		{[]string{"doom", "F1", "--property", "convrgence"}, []string{"--property", "convrgence", "convergence", "expectation"}},
		{[]string{"doom", "F1", "--property", "cross-check"}, []string{"--property", "cross-check", "accepted"}},
		{[]string{"doom", "F4", "--protocol", "start-stop", "--set", "marker=none", "--property", "durability"}, []string{"F4 does not fail by durability"}},
		{[]string{"doom", "F99"}, []string{"F99", "F1"}},
		{[]string{"shrink", "F4", "--doom"}, []string{"--doom", "-o FILE", "--json"}},
		{[]string{"sweep", "--doom", "--no-shrink"}, []string{"--doom", "--no-shrink"}},
		{[]string{"sweep", "--doom", "--resume", "x"}, []string{"--doom", "--resume"}},
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

// shrink and sweep say where a failure that they shrank was lost, when they are asked.
func TestDoomOfShrunk(t *testing.T) {
	sweeps(t)
	file := filepath.Join(t.TempDir(), "small.scn")
	code, out, diag := command("shrink", "F4", "--seed", "5", "--protocol", "start-stop", "--set", "marker=none", "--doom", "-o", file)
	if code != 0 || diag != "" || !strings.Contains(out, "Where it was lost:") || !strings.Contains(out, "from the start") {
		t.Errorf("exit status %d: %s%s", code, out, diag)
	}
	rep := swept(t, "--seed-start", "10", "--count", "1", "--shrink-runs", "60", "--doom")
	for _, f := range rep.Failures {
		if f.Doom == nil || f.Doom.Property != f.Property || len(f.Doom.Conclusion) == 0 {
			t.Errorf("%s: %+v", f.Property, f.Doom)
		}
	}
	_, out, _ = command("sweep", "--faults", "light", "--protocol", "start-stop", "--set", "marker=none", "--seed-start", "10", "--count", "1",
		"--shrink-runs", "60", "--doom")
	if !strings.Contains(out, "Where it was lost:\n") {
		t.Errorf("it does not say where it was lost:\n%s", out)
	}
}

// TestPagesDoom: the strip that DOOM.md quotes is what its command prints. With -update it is quoted anew.
func TestPagesDoom(t *testing.T) {
	const path = "../../scenarios/DOOM.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), "    mirrorsim doom scenarios/")
	line, rest, _ := strings.Cut(rest, "\n\n```\n")
	quoted, after, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("DOOM.md quotes no run")
	}
	_, out, _ := command(strings.Fields("doom ../../scenarios/" + line)...)
	head := strings.LastIndex(out[:strings.Index(out, "  turn ")+1], "\n") // of the strip, which an empty line ends
	strip, _, _ := strings.Cut(out[head+1:], "\n\n")
	strip += "\n"
	if *update {
		text := before + "    mirrorsim doom scenarios/" + line + "\n\n```\n" + strip + "```\n" + after
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if quoted != strip {
		t.Errorf("DOOM.md is out of step; rewrite it with go test ./cmd/mirrorsim -run Pages -update:\n%s", strip)
	}
}
