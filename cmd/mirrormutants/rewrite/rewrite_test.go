package rewrite

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/cmd/overlay"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fixture is the rewritten fixture, built once.
type fixture struct {
	*Rewritten
	binary string
}

var build = sync.OnceValues(func() (*fixture, error) {
	root, err := filepath.Abs("testdata/fixture")
	if err != nil {
		return nil, err
	}
	r, err := Rewrite(root, "fixture", "model")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "rewrite")
	if err != nil {
		return nil, err
	}
	o := overlay.New(root)
	o.Files = r.Files
	list, err := o.Write(dir)
	if err != nil {
		return nil, err
	}
	f := &fixture{r, filepath.Join(dir, "fixture")}
	return f, o.Go("build", "-overlay", list, "-o", f.binary, ".")
})

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if f, err := build(); err == nil {
		os.RemoveAll(filepath.Dir(f.binary))
	}
	os.Exit(code)
}

func setUp(t *testing.T) *fixture {
	t.Helper()
	f, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// run is what the fixture prints as that mutant.
func (f *fixture) run(t *testing.T, index int, environment ...string) []string {
	t.Helper()
	c := exec.Command(f.binary)
	c.Env = append(append(os.Environ(), fmt.Sprintf("%s=%d", IndexVariable, index), SecondsVariable+"=0.5"), environment...)
	out, err := c.CombinedOutput()
	if err != nil {
		return []string{err.Error()}
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// golden holds text against a file of testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); d != "" {
		t.Errorf("out of step with %s; rewrite it with go test ./cmd/mirrormutants/rewrite -update (-file +now):\n%s", path, d)
	}
}

// The rewritten code, as a person reads it: each mutant has its place, every line stays where it was.
func TestRewrittenCode(t *testing.T) {
	f := setUp(t)
	text := f.Files["model/reckon/reckon.go"]
	golden(t, "reckon.golden", text)
	source, err := os.ReadFile("testdata/fixture/model/reckon/reckon.go")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := strings.Count(string(source), "\n"), strings.Count(text, "\n"); a != b {
		t.Errorf("%d lines became %d", a, b)
	}
	for _, file := range []string{"model/assert/assert.go", "main.go"} {
		if _, there := f.Files[file]; there {
			t.Errorf("%s is rewritten", file)
		}
	}
}

// Every mutant does what it says: the golden file has, below each, the lines that the fixture prints otherwise.
func TestMutants(t *testing.T) {
	f := setUp(t)
	right := f.run(t, 0)
	var b strings.Builder
	for _, m := range f.Mutants {
		fmt.Fprintf(&b, "%d %s:%d %s\n", m.Index, m.File, m.Line, m.Key())
		wrong, differ := f.run(t, m.Index), 0
		for i, is := range wrong {
			if is != right[i] {
				fmt.Fprintf(&b, "\t%s  <-  %s\n", is, right[i])
				differ++
			}
		}
		if differ == 0 && m.Function != "NeverCalled" {
			t.Errorf("%s changes nothing", m.Key())
		}
	}
	golden(t, "mutants.golden", b.String())
}

// Without an index the rewritten code does what the code does.
func TestNoMutant(t *testing.T) {
	f := setUp(t)
	c := exec.Command("go", "run", ".")
	c.Dir = "testdata/fixture"
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if d := cmp.Diff(strings.Split(strings.TrimSpace(string(out)), "\n"), f.run(t, 0)); d != "" {
		t.Error(d)
	}
}

// The notes say which mutants a run comes by: all but those of a function that is not called.
func TestNotes(t *testing.T) {
	f := setUp(t)
	file := filepath.Join(t.TempDir(), "notes")
	f.run(t, 0, NotesVariable+"="+file)
	notes, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range f.Mutants {
		consulted := m.Index < len(notes) && notes[m.Index] == 1
		if want := m.Function != "NeverCalled"; consulted != want {
			t.Errorf("%s: consulted %v, want %v", m.Key(), consulted, want)
		}
	}
}

// A mutant whose loop has no end is ended by the time or the memory that it takes.
func TestGuard(t *testing.T) {
	f := setUp(t)
	for _, m := range f.Mutants {
		if m.Mutated != "i--" {
			continue
		}
		if got := f.run(t, m.Index); len(got) != 1 || got[0] != fmt.Sprint("exit status ", Endless) {
			t.Errorf("%q", got)
		}
		return
	}
	t.Error("the fixture has no loop")
}
