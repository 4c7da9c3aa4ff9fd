package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// defect is a small wrong change of one model file, as checkers/defects has them.
type defect struct {
	file, scenario, violates string
	text                     string // of the changed file
}

func readDefect(t *testing.T, name string) defect {
	raw, err := os.ReadFile(filepath.Join("../../checkers/defects", name+".defect"))
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(raw), "--- old\n")
	before, after, ok := strings.Cut(rest, "--- new\n")
	if !ok {
		t.Fatalf("%s: no --- old and --- new", name)
	}
	var d defect
	for _, line := range strings.Split(head, "\n") {
		switch key, value, _ := strings.Cut(line, " "); key {
		case "file":
			d.file = value
		case "scenario":
			d.scenario = value
		case "violates":
			d.violates = value
		}
	}
	source, err := os.ReadFile(filepath.Join("../..", d.file))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(source), before) != 1 {
		t.Fatalf("%s: the old text stands %d times in %s, want once", name, strings.Count(string(source), before), d.file)
	}
	d.text = strings.Replace(string(source), before, after, 1)
	return d
}

// overlay writes the overlay file that puts the defect in place of its file; nothing in the tree changes.
func (d defect) overlay(t *testing.T) string {
	dir := t.TempDir()
	changed := filepath.Join(dir, filepath.Base(d.file))
	original, err := filepath.Abs(filepath.Join("../..", d.file))
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	for name, text := range map[string]string{changed: d.text, file: string(list)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// build builds this command with the defect in it.
func (d defect) build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "mirrorsim")
	out, err := exec.Command("go", "build", "-overlay", d.overlay(t), "-o", binary, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

type ran struct {
	Hash       string
	Violations []struct{ Property, Sentence string }
}

func runJSON(t *testing.T, binary, scenario string) ran {
	t.Helper()
	out, err := exec.Command(binary, "run", scenario, "--json").Output()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	var r ran
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return r
}

// Events are read back from the real structure: a reset that leaves one producer entry cannot report that it left none.
func TestDefectResetLeavesEntry(t *testing.T) {
	d := readDefect(t, "reset-leaves-entry")
	r := runJSON(t, d.build(t), d.scenario)
	for _, v := range r.Violations {
		if v.Property == d.violates {
			return
		}
	}
	t.Errorf("%s is not reported: %v", d.violates, r.Violations)
}

// A map range in the model is caught twice: by lint, and by the hash.
func TestDefectMapRange(t *testing.T) {
	d := readDefect(t, "map-range")
	binary := d.build(t)
	hashes := map[string]bool{}
	for range 20 {
		hashes[runJSON(t, binary, d.scenario).Hash] = true
	}
	if len(hashes) == 1 {
		t.Error("twenty runs with a map range in the model have one hash")
	}
	cmd := exec.Command("go", "run", "./cmd/mirrorlint", "-overlay", d.overlay(t), "./"+filepath.Dir(d.file))
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), filepath.Base(d.file)) || !strings.Contains(string(out), "map") {
		t.Errorf("lint lets the map range pass: %v\n%s", err, out)
	}
}
