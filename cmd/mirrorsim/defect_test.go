package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// defect is a small wrong change of one model file, as checkers/defects has them.
type defect struct {
	name, file    string
	scenario      string // of the catalogue, or the file of the defect's own name beside it
	violates      string // the id of a property; "" where only the hash shows it
	before, after string // statements of the file
}

// defects are those of checkers/defects.
func defects(t *testing.T) (all []defect) {
	t.Helper()
	paths, err := filepath.Glob("../../checkers/defects/*.defect")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, " no defects")
	}
	for _, path := range paths {
		all = append(all, readDefect(t, strings.TrimSuffix(filepath.Base(path), ".defect")))
	}
	return all
}

func readDefect(t *testing.T, name string) defect {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../checkers/defects", name+".defect"))
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(raw), "--- old\n")
	d := defect{name: name}
	var ok bool
	if d.before, d.after, ok = strings.Cut(rest, "--- new\n"); !ok {
		t.Fatalf("%s: no --- old and --- new", name)
	}
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
	if d.scenario == name {
		d.scenario = filepath.Join("../../checkers/defects", name+".scn")
	}
	return d
}

// overlay is an overlay of source files: what stands in place of them when the command is built. Nothing in the tree
// changes.
type overlay map[string]string

// with puts text in place of the one place of the file where the defect's old text stands.
func (o overlay) with(t *testing.T, d defect, text string) {
	t.Helper()
	source, changed := o[d.file]
	if !changed {
		raw, err := os.ReadFile(filepath.Join("../..", d.file))
		if err != nil {
			t.Fatal(err)
		}
		source = string(raw)
	}
	if n := strings.Count(source, d.before); n != 1 {
		t.Fatalf("%s: the old text stands %d times in %s, want once", d.name, n, d.file)
	}
	o[d.file] = strings.Replace(source, d.before, text, 1)
}

// defectVariable is the environment variable by which the command with all defects in it is told which one it has.
const defectVariable = "MIRRORSIM_DEFECT"

// selectable puts a defect into the overlay so that the command has it only when the variable names it: one build serves
// all defects.
func (o overlay) selectable(t *testing.T, d defect) {
	t.Helper()
	o.with(t, d, fmt.Sprintf("if defectOfThisRun == %q {\n%s} else {\n%s}\n", d.name, d.after, d.before))
	dir := filepath.Dir(d.file)
	o[filepath.Join(dir, "defect_of_this_run.go")] = fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar defectOfThisRun = os.Getenv(%q)\n",
		filepath.Base(dir), defectVariable)
}

// write writes the overlay's files, and answers the one for -overlay.
func (o overlay) write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for file, text := range o {
		original, err := filepath.Abs(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		replace[original] = filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(replace[original], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// build builds this command with the overlay.
func (o overlay) build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "mirrorsim")
	out, err := exec.Command("go", "build", "-overlay", o.write(t), "-o", binary, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

type ran struct {
	Verdict    string
	Hash       string
	Violations []struct{ Property, Sentence string }
}

// runDefect runs the scenario with that defect in the command, "" for none.
func runDefect(t *testing.T, binary, name, scenario string) ran {
	t.Helper()
	cmd := exec.Command(binary, "run", scenario, "--json")
	cmd.Env = append(os.Environ(), defectVariable+"="+name)
	out, err := cmd.Output()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	var r ran
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return r
}

// Each defect is caught by the property that it names, in a scenario that holds without it; a map range in the model, by
// the hash, which is another one every few runs, and by lint.
func TestDefects(t *testing.T) {
	all, o := defects(t), overlay{}
	for _, d := range all {
		o.selectable(t, d)
	}
	binary := o.build(t)
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) {
			if r := runDefect(t, binary, "", d.scenario); r.Verdict != "holds" {
				t.Fatalf("without the defect the verdict is %q: %v", r.Verdict, r.Violations)
			}
			if d.violates == "" {
				caughtByHash(t, binary, d)
				caughtByLint(t, d)
				return
			}
			r := runDefect(t, binary, d.name, d.scenario)
			for _, v := range r.Violations {
				if v.Property == d.violates {
					return
				}
			}
			t.Errorf("%s is not reported: %v", d.violates, r.Violations)
		})
	}
}

func caughtByHash(t *testing.T, binary string, d defect) {
	t.Helper()
	hashes := map[string]bool{}
	for range 20 {
		hashes[runDefect(t, binary, d.name, d.scenario).Hash] = true
	}
	if len(hashes) == 1 {
		t.Errorf("twenty runs with %s have one hash", d.name)
	}
}

func caughtByLint(t *testing.T, d defect) {
	t.Helper()
	o := overlay{}
	o.with(t, d, d.after)
	cmd := exec.Command("go", "run", "./cmd/mirrorlint", "-overlay", o.write(t), "./"+filepath.Dir(d.file))
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), filepath.Base(d.file)) || !strings.Contains(string(out), "map") {
		t.Errorf("lint lets the map range pass: %v\n%s", err, out)
	}
}
