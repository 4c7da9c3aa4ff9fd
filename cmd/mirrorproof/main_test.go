package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"mirrorsim/scenarios/format"
)

var update = flag.Bool("update", false, "rewrite the generated page")

// built is what the tests share: one build, and every proof run once.
type built struct {
	dir      string
	defects  []*defect
	all      []*proof
	prover   *prover
	outcomes []outcome
}

var build = sync.OnceValues(func() (*built, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	x := &built{}
	if x.dir, err = os.MkdirTemp("", "mirrorproof"); err != nil {
		return nil, err
	}
	// That these tests depend on the command, which they only build, go test learns from a look at its files.
	sources, err := filepath.Glob(filepath.Join(root, "cmd/mirrorsim/*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range sources {
		if _, err := os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	if x.defects, err = readDefects(root); err != nil {
		return nil, err
	}
	if x.all, err = proofs(root, x.defects); err != nil {
		return nil, err
	}
	if x.prover, err = newProver(root, x.dir, x.defects); err != nil {
		return nil, err
	}
	x.outcomes, err = x.prover.prove(x.all)
	return x, err
})

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if x, err := build(); err == nil {
		os.RemoveAll(x.dir)
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func setUp(t *testing.T) *built {
	t.Helper()
	x, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Every property has a proof, and every proof is caught.
func TestProofs(t *testing.T) {
	x := setUp(t)
	for _, id := range withoutProof(x.all) {
		t.Errorf("nothing is known that breaks %s", id)
	}
	for _, o := range x.outcomes {
		t.Run(o.property+"/"+o.wrong(), func(t *testing.T) {
			if o.failed != "" {
				t.Error(o.failed)
			}
		})
	}
}

// TestPages: PROOF.md is what the runs give. With -update it is rewritten.
func TestPages(t *testing.T) {
	const path = "../../checkers/PROOF.md"
	want := page(setUp(t).outcomes)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("out of step; rewrite it with go test ./cmd/mirrorproof -run Pages -update (-runs +page):\n%s", d)
	}
	for _, p := range proven() {
		if n := strings.Count(want, "\n| ["+p.id+"](#"); n != 1 {
			t.Errorf("%s has %d rows", p.id, n)
		}
	}
}

// What is no proof is told from what is one, and a property that nothing breaks is not passed over.
func TestNotCaught(t *testing.T) {
	x := setUp(t)
	find := func(name string) *defect {
		for _, d := range x.defects {
			if d.name == name {
				return d
			}
		}
		t.Fatalf("no defect %s", name)
		return nil
	}
	aborted := find("shows-aborted")
	for _, c := range []struct {
		name string
		p    proof
		want string
	}{
		{"caught as another property", proof{property: "durability", scenario: aborted.scenario, defect: aborted},
			"not reported, but transaction-isolation violated"},
		{"a scenario that never comes to it", proof{property: "transaction-isolation", scenario: "E1", defect: aborted},
			"not reported, but everything holds"},
		{"a scenario that falls anyway", proof{property: "log-matching", scenario: "scenarios/decisions/D12-none.scn",
			sets: []string{"marker=none"}}, "the scenario is violated without it: log-matching violated; replicas-aligned violated"},
		{"a run that is repeatable", proof{property: "determinism", scenario: "F1", defect: aborted}, "20 runs have one hash, "},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := x.prover.prove([]*proof{&c.p})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(list[0].failed, c.want) {
				t.Errorf("%q, want %q", list[0].failed, c.want)
			}
			var table strings.Builder
			printTable(&table, list, []string{"no-loop"})
			for _, want := range []string{"NOT CAUGHT", c.want, "no-loop                NO PROOF", "0 of 1 proofs are caught"} {
				if !strings.Contains(table.String(), want) {
					t.Errorf("no %q in\n%s", want, &table)
				}
			}
		})
	}
	others := slices.DeleteFunc(slices.Clone(x.all), func(p *proof) bool { return p.property == x.all[0].property })
	if list := withoutProof(others); !slices.Equal(list, []string{x.all[0].property}) {
		t.Errorf("without the proofs of %s these are missed: %v", x.all[0].property, list)
	}
}

// The command as a person calls it, for one defect.
func TestProve(t *testing.T) {
	var out strings.Builder
	caught, err := prove(&out, []string{"shows-aborted"}, true)
	if err != nil || !caught {
		t.Fatalf("%v %v\n%s", caught, err, &out)
	}
	for _, want := range []string{"VIOLATED transaction-isolation: ", "transaction-isolation  ok ", "1 of 1 proofs are caught"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	_, err = prove(&out, []string{"shows-abortd"}, false)
	if err == nil || !strings.HasPrefix(err.Error(), `"shows-abortd": accepted: `) {
		t.Errorf("%v", err)
	}
}

func TestParseDefect(t *testing.T) {
	const good = "# Why.\nfile f.go\nscenario d\nviolates durability\n--- old\n\ta()\n--- new\n\tb()\n"
	d, err := parseDefect("d", good)
	if err != nil || d.scenario != "checkers/defects/d.scn" || d.story != "Why." || d.diff() != "-\ta()\n+\tb()\n" {
		t.Fatalf("%v %+v", err, d)
	}
	for _, c := range []struct{ name, text, want string }{
		{"no new text", strings.Replace(good, "--- new", "--- now", 1), "d.defect: no lines --- old and --- new"},
		{"unknown word", strings.Replace(good, "file f.go", "files f.go", 1), `d.defect:2: "files": accepted: #, file, `},
		{"no property", strings.Replace(good, "violates durability\n", "", 1), "wants a line each for file, scenario and violates"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseDefect("d", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	t.Run("unknown property", func(t *testing.T) {
		d := &defect{name: "d", scenario: "F1", violates: "endurance"}
		_, err := proofs(setUp(t).prover.root, []*defect{d})
		if err == nil || !strings.Contains(err.Error(), `no property is called "endurance"`) {
			t.Errorf("%v", err)
		}
	})
	t.Run("text that is not there", func(t *testing.T) {
		d := &defect{name: "d", file: "model/assert/assert.go", old: "\tnothing of it()\n", new: "\n"}
		_, err := buildWrong(setUp(t).prover.root, t.TempDir(), []*defect{d})
		if err == nil || !strings.Contains(err.Error(), "stands 0 times in model/assert/assert.go") {
			t.Errorf("%v", err)
		}
	})
}

// The scenarios of defects and options are as the printer prints them, and each is used.
func TestScenarioFiles(t *testing.T) {
	x := setUp(t)
	used := map[string]bool{}
	for _, p := range x.all {
		used[p.scenario] = true
	}
	for _, dir := range []string{defectsDir, optionsDir} {
		paths, err := filepath.Glob(filepath.Join(x.prover.root, dir, "*.scn"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%v: %d files in %s", err, len(paths), dir)
		}
		for _, path := range paths {
			name := dir + "/" + filepath.Base(path)
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := format.Parse(name, source)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(s.AppendText(nil)), string(source)); d != "" {
				t.Errorf("%s is not what the printer gives (-printed +file):\n%s", name, d)
			}
			if s.Name+".scn" != filepath.Base(path) || !used[name] {
				t.Errorf("%s holds %s, used %v", name, s.Name, used[name])
			}
		}
	}
}

// A map range in the model is refused by lint too.
func TestLintSeesTheMapRange(t *testing.T) {
	x := setUp(t)
	for _, d := range x.defects {
		if d.violates != "determinism" {
			continue
		}
		o := &overlay{root: x.prover.root, files: map[string]string{}}
		if err := o.replace(d.file, d.old, d.new); err != nil {
			t.Fatal(err)
		}
		list, err := o.write(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "run", "./cmd/mirrorlint", "-overlay", list, "./"+filepath.Dir(d.file))
		cmd.Dir = x.prover.root
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), filepath.Base(d.file)) || !strings.Contains(string(out), "map") {
			t.Errorf("lint lets %s pass: %v\n%s", d.name, err, out)
		}
	}
}
