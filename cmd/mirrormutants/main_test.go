package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"mirrorsim/cmd/mirrormutants/rewrite"
	"mirrorsim/cmd/overlay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// modelMutants are those of the model.
func modelMutants(t *testing.T) []rewrite.Mutant {
	t.Helper()
	r, err := rewrite.Rewrite("../..", "mirrorsim", below)
	if err != nil {
		t.Fatal(err)
	}
	return r.Mutants
}

// EQUIVALENT.txt explains mutants that there are.
func TestEquivalentInStep(t *testing.T) {
	reasons, err := readEquivalent("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range unknown(reasons, modelMutants(t)) {
		t.Errorf("%s explains %q, and there is no such mutant: name it as go run ./cmd/mirrormutants -list -all does", equivalentFile, key)
	}
	if got := unknown(map[string]string{"model/plog f: a => b": "why"}, modelMutants(t)); len(got) != 1 {
		t.Errorf("a mutant that there is not is known: %v", got)
	}
}

func TestParseEquivalent(t *testing.T) {
	got, err := parseEquivalent([]byte("# what\n\nmodel/a f: x => y\n\tOne\n\treason.\nmodel/a g: x => y (2)\n\tAnother.\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"model/a f: x => y": "One reason.", "model/a g: x => y (2)": "Another."}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, c := range []struct{ name, text, want string }{
		{"no reason", "# what\nmodel/a f: x => y\nmodel/a g: x => y\n\tWhy.\n", ":2: no reason stands below it"},
		{"no reason at the end", "model/a f: x => y", ":1: no reason stands below it"},
		{"no mutant", "\n# a\n\tWhy.\n", ":3: a reason without a mutant"},
		{"twice", "a f: x => y\n\tWhy.\na f: x => y\n\tWhy.\n", ":3: this mutant stands there twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseEquivalent([]byte(c.text)); err == nil || !strings.Contains(err.Error(), equivalentFile+c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestDraw(t *testing.T) {
	all := make([]rewrite.Mutant, 50)
	for i := range all {
		all[i] = rewrite.Mutant{Index: i + 1, Package: "model/a", Function: "f", Expression: "x", Mutated: "y", Ordinal: i + 1}
	}
	draw10 := func(seed uint64) []rewrite.Mutant {
		list, err := draw(all, options{count: 10, seed: seed})
		if err != nil || len(list) != 10 || !slices.IsSortedFunc(list, func(a, b rewrite.Mutant) int { return a.Index - b.Index }) {
			t.Fatalf("%v %v", err, list)
		}
		return list
	}
	if !slices.Equal(draw10(1), draw10(1)) || slices.Equal(draw10(1), draw10(2)) {
		t.Error("the seed does not choose the mutants, or does so differently every time")
	}
	kept := 0
	more := append(slices.Clone(all[1:]), rewrite.Mutant{Index: 51, Package: "model/b", Function: "g"}) // one went, one came
	list, err := draw(more, options{count: 10, seed: 1})
	for _, m := range draw10(1) {
		if slices.Contains(list, m) {
			kept++
		}
	}
	if err != nil || kept < 8 {
		t.Errorf("%v: a small change of the model keeps %d of 10 mutants", err, kept)
	}
	if list, err := draw(all, options{all: true}); err != nil || len(list) != 50 {
		t.Errorf("%v: %d of 50", err, len(list))
	}
	if list, err := draw(all, options{chosen: []string{"(17)", "(3)"}}); err != nil || len(list) != 2 || list[0].Index != 3 {
		t.Errorf("%v: %v", err, list)
	}
	for _, c := range []struct {
		o    options
		want string
	}{
		{options{count: 0}, "-count 0: a whole number from 1 to 50 is accepted"},
		{options{count: 51}, "-count 51: a whole number from 1 to 50 is accepted"},
		{options{chosen: []string{"(3)", "model/b"}}, `"model/b" is in the name of no mutant; accepted: `},
	} {
		if _, err := draw(all, c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A file of results is gone on with, also when its last line was cut off, and one of other sources is refused and left alone.
func TestNotebook(t *testing.T) {
	name := filepath.Join(t.TempDir(), "mutants.jsonl")
	h := head{"mirrorsim.mutants/1", 3, "abc"}
	one, two := result{Index: 1, Outcome: killed, Part: "catalogue/F1"}, result{Index: 2, Outcome: lived}
	n, err := openNotebook(name, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.note(one); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(whole, []byte(`{"index":2,"out`)...), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err = openNotebook(name, h); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[int]result{1: one}, n.done); d != "" {
		t.Error(d)
	}
	if err := n.note(two); err != nil {
		t.Fatal(err)
	}
	if n, err = openNotebook(name, h); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[int]result{1: one, 2: two}, n.done); d != "" {
		t.Error(d)
	}
	before, _ := os.ReadFile(name)
	_, err = openNotebook(name, head{"mirrorsim.mutants/1", 3, "other"})
	if err == nil || !strings.Contains(err.Error(), name+":1: it is of other sources") {
		t.Errorf("%v", err)
	}
	if after, _ := os.ReadFile(name); string(after) != string(before) {
		t.Error("a file that was refused has changed")
	}
}

// What cannot be the file of results is refused before anything is built, and left as it is.
func TestCheckNotes(t *testing.T) {
	dir := t.TempDir()
	named := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const three = `{"schema":"mirrorsim.mutants/1","mutants":3,"programs":"abc"}` + "\n"
	for _, c := range []struct{ name, file, want string }{
		{"of as many", named("three", three), ""},
		{"empty", named("empty", ""), ""},
		{"none yet", filepath.Join(dir, "new"), ""},
		{"of other sources", named("other", strings.Replace(three, "3", "4", 1)), "other:1: it is of other sources; delete it to begin anew, or name another"},
		{"no file of mutants", named("page.md", "# Page\n"), "page.md:1: it is no file of mutants; name another"},
		{"no result", named("torn", three+"{}\n"), "torn:2: "},
		{"directory", dir, "a file is accepted"},
		{"no directory", filepath.Join(dir, "nowhere", "x"), "a file in a directory that exists"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, _ := os.ReadFile(c.file)
			err := checkNotes(c.file, 3)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if after, _ := os.ReadFile(c.file); string(after) != string(before) {
				t.Error("it has changed")
			}
		})
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "*")); len(list) != 5 {
		t.Errorf("there are %v", list)
	}
}

// built is the command, built from the sources.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	binary := filepath.Join(t.TempDir(), "mirrormutants")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return binary
}

// Bad input is refused before anything is built: the directory for that is not made, for which there is no place here.
func TestRefusedBeforeItIsBuilt(t *testing.T) {
	binary := built(t)
	for _, c := range []struct {
		dir  string
		args []string
		want string
	}{
		{"../..", []string{"-count", "0"}, "-count 0: a whole number from 1 to "},
		{"../..", []string{"-count", "x"}, `invalid value "x" for flag -count: a whole number from 0 is accepted`},
		{"../..", []string{"-seed", "-1"}, `invalid value "-1" for flag -seed: a whole number from 0 is accepted`},
		{"../..", []string{"-all", "-count", "3"}, "-count 3: with -all all mutants are run; accepted: one of the two"},
		{"../..", []string{"-jobs", "0"}, "-jobs 0: a whole number from 1 is accepted"},
		{"../..", []string{"no such mutant"}, `"no such mutant" is in the name of no mutant; accepted: a part of a line of -list -all`},
		{"../..", []string{"-out", "nowhere/x"}, "-out nowhere/x: "},
		{"../..", []string{"-out", "README.md"}, "README.md:1: it is no file of mutants"},
		{t.TempDir(), nil, "run it in the root of the project"},
	} {
		command := exec.Command(binary, c.args...)
		command.Dir = c.dir
		command.Env = append(os.Environ(), "TMPDIR="+filepath.Join(t.TempDir(), "nowhere"), "GOTMPDIR="+t.TempDir())
		out, _ := command.CombinedOutput()
		if command.ProcessState.ExitCode() != misused || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: exit status %d, %s", c.args, command.ProcessState.ExitCode(), out)
		}
	}
}

// At Ctrl-C it leaves no directory behind.
func TestInterrupted(t *testing.T) {
	binary, dir := built(t), t.TempDir()
	command := exec.Command(binary, "-count", "1", "-out", filepath.Join(t.TempDir(), "x.jsonl"))
	command.Dir, command.Env = "../..", append(os.Environ(), "TMPDIR="+dir)
	var said strings.Builder
	command.Stderr = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	made := func() []string {
		list, _ := filepath.Glob(filepath.Join(dir, "mirrormutants*"))
		return list
	}
	for range 3000 {
		if len(made()) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if len(made()) == 0 {
		t.Error("it has not begun")
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	_ = command.Wait() // the status says more
	if command.ProcessState.ExitCode() != stopped || !strings.Contains(said.String(), "stopped early") {
		t.Errorf("%v: %s", command.ProcessState, &said)
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("it leaves %v", list)
	}
}

// What ended because it was interrupted is not taken for what noticed a mutant.
func TestJudgesNothingInterrupted(t *testing.T) {
	sleeper := exec.Command("sleep", "60")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	if err := sleeper.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = sleeper.Wait()
	failed := exec.Command("false")
	_ = failed.Run()
	if !interrupted(t.Context(), sleeper) || interrupted(t.Context(), failed) {
		t.Error("what was interrupted is not told from what failed")
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if !interrupted(done, failed) {
		t.Error("what fails when all is to end counts")
	}
}

func TestReport(t *testing.T) {
	r := &report{mutants: 9, drawn: "6 drawn by seed 1", reasons: map[string]string{"equal": "why", "not equal": "why"}}
	r.results = []result{
		{Mutant: "a", Outcome: killed, Stage: "catalogue", How: "property"},
		{Mutant: "b", Outcome: killed, Stage: "seed", How: "assertion"},
		{Mutant: "not equal", Outcome: killed, Stage: "seed", How: "property", Part: "seed/3"},
		{Mutant: "equal", Outcome: lived}, {Mutant: "c", Place: "f.go:1", Outcome: uncovered},
		{Mutant: "d", Place: "f.go:2", Outcome: timedOut},
	}
	var b strings.Builder
	r.print(&b)
	for _, want := range []string{
		"9 mutants of model/, 6 drawn by seed 1\n", "killed        3  by stage: seed 2, catalogue 1\n",
		"by what: property 2, assertion 1\n",
		"lived         1\n", "uncovered     1\n", "timed out     1  not in the score\n",
		"score      60.0 %; 75.0 % without the 1 that ",
		"\nuncovered f.go:1: c\n", "\nkilled by seed/3, but explained as equivalent: : not equal\n", "\ntimed out f.go:2: d, in \n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if r.status() != 1 {
		t.Error("a survivor that nobody explained is let pass")
	}
	r.results = r.results[3:4]
	if r.status() != 0 {
		t.Error("an explained survivor is not let pass")
	}
}

// answers are what the suite prints for cases.
func answers(t *testing.T, c *exec.Cmd) (list []map[string]any) {
	t.Helper()
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		x := map[string]any{}
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		delete(x, "seconds")
		list = append(list, x)
	}
	return list
}

// The rewritten model without a mutant makes the histories that the model makes, and with one it does not: what the whole rests
// on.
func TestLaboratory(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program twice")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r, err := rewrite.Rewrite(root, "mirrorsim", below)
	if err != nil {
		t.Fatal(err)
	}
	l := &laboratory{root: root, dir: t.TempDir(), mutants: r.Mutants}
	if err := l.buildSuite(t.Context(), &overlay.Overlay{Root: root, Files: r.Files}); err != nil {
		t.Fatal(err)
	}
	names := []string{"catalogue/C1", "catalogue/F1", "catalogue/F5", "catalogue/T1", "seed/0", "seed/3"}
	l.parts = slices.DeleteFunc(l.parts, func(p *part) bool { return !slices.Contains(names, p.name) })
	if err := l.probe(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	laid := exec.Command(l.suite(), names...)
	plain := exec.Command("go", append([]string{"run", "./cmd/mirrormutants/suite"}, names...)...)
	laid.Dir, plain.Dir = root, root
	if d := cmp.Diff(answers(t, plain), answers(t, laid)); d != "" {
		t.Errorf("the histories differ (-plain +rewritten):\n%s", d)
	}
	list, err := choose(l.mutants, []string{"model/replica (*Replica).IsLeader: "})
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.judge(t.Context(), list[0])
	if err != nil || got.Outcome != killed || got.Stage != "catalogue" || got.How == "" {
		t.Errorf("no replica takes itself for a leader: %v %+v", err, got)
	}
	for _, p := range l.parts {
		p.notes = nil
	}
	if got, err := l.judge(t.Context(), list[0]); err != nil || got.Outcome != uncovered {
		t.Errorf("nothing comes by its place: %v %+v", err, got)
	}
}
