package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"mirrorsim/cmd/mirrormutants/rewrite"
	"mirrorsim/cmd/overlay"
)

// tests is the stage of the test binaries. The other stages are called as the directories of the cases of the suite.
const tests = "tests"

// part is one thing that may notice a mutant: a case of the suite, or the tests of a package.
type part struct {
	name    string // of the case, or the package's directory
	stage   string
	seconds float64 // of processor time, without any mutant
	notes   []byte  // by index: 1 if that mutant is consulted
}

// consults tells whether the part comes by the place of a mutant at all. One that does not cannot notice it.
func (p *part) consults(index int) bool { return index < len(p.notes) && p.notes[index] == 1 }

// laboratory is the rewritten model, built once, with what is run against it.
type laboratory struct {
	root, dir string
	mutants   []rewrite.Mutant
	parts     []*part // in the order in which a mutant meets them
}

// below is what is rewritten.
const below = "model"

// build builds the suite and the tests with the rewritten model into the laboratory's directory.
func (l *laboratory) build(ctx context.Context, files map[string]string) error {
	o := overlay.New(l.root)
	o.Files = files
	if err := l.buildSuite(ctx, o); err != nil {
		return err
	}
	return l.buildTests(ctx, o)
}

// buildSuite builds the suite; each of its cases is a part.
func (l *laboratory) buildSuite(ctx context.Context, o *overlay.Overlay) error {
	list, err := o.Write(l.dir)
	if err != nil {
		return err
	}
	err = o.GoContext(ctx, "build", "-trimpath", "-buildvcs=false", "-overlay", list, "-o", l.suite(), "./cmd/mirrormutants/suite")
	if err != nil {
		return err
	}
	c := overlay.Interruptible(ctx, l.suite(), "-list")
	c.Dir = l.root
	names, err := c.Output()
	for name := range strings.FieldsSeq(string(names)) {
		stage, _, _ := strings.Cut(name, "/")
		l.parts = append(l.parts, &part{name: name, stage: stage})
	}
	return err
}

// buildTests builds the tests; those of each package are a part.
func (l *laboratory) buildTests(ctx context.Context, o *overlay.Overlay) error {
	list, err := o.Write(l.dir)
	if err != nil {
		return err
	}
	packages, err := tested(l.root)
	if err != nil {
		return err
	}
	// go vet does not find a package that stands in the overlay only.
	into := l.dir + string(filepath.Separator)
	args := []string{"test", "-c", "-vet=off", "-trimpath", "-buildvcs=false", "-overlay", list, "-o", into}
	for _, p := range packages {
		args = append(args, "./"+p)
		l.parts = append(l.parts, &part{name: p, stage: tests})
	}
	return o.GoContext(ctx, args...)
}

func (l *laboratory) suite() string          { return filepath.Join(l.dir, "suite") }
func (l *laboratory) binary(p string) string { return filepath.Join(l.dir, path.Base(p)+".test") }
func (l *laboratory) notesOf(part string) string {
	return filepath.Join(l.dir, strings.ReplaceAll(part, "/", "_")+".notes")
}

// tested are the packages whose tests look at the model, by their directories: all below model/ that have tests, and scenarios.
func tested(root string) ([]string, error) {
	var list []string
	files, err := filepath.Glob(filepath.Join(root, below, "*", "*_test.go"))
	for _, file := range files {
		list = append(list, below+"/"+filepath.Base(filepath.Dir(file)))
	}
	return append(slices.Compact(list), "scenarios"), err
}

// otherTests are the tests of package scenarios that say nothing about the model: those of the tools around a run, and those that
// compare a run with what it was before, by its hash or its text, where every change is a difference and none a judgement.
const otherTests = "Sweep|Soak|Shrink|Hash|Pages|Stor|Tell|Walkthrough|Canary|Outline|Recording|Idle|Sizes|Reference"

// command runs a part: in the module's root, or where the tests of a package are.
func (l *laboratory) command(ctx context.Context, p *part) *exec.Cmd {
	if p.stage != tests {
		c := overlay.Interruptible(ctx, l.suite(), p.name)
		c.Dir = l.root
		return c
	}
	c := overlay.Interruptible(ctx, l.binary(p.name), "-test.short", "-test.failfast", "-test.parallel=1")
	if p.name == "scenarios" {
		c.Args = append(c.Args, "-test.skip="+otherTests)
	}
	if usesRapid(l.root, p.name) {
		c.Args = append(c.Args, "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=1ms")
	}
	c.Dir = filepath.Join(l.root, p.name)
	return c
}

// usesRapid tells whether the tests of a package draw their inputs: they are to draw the same every time.
func usesRapid(root, dir string) bool {
	files, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && bytes.Contains(text, []byte(`"pgregory.net/rapid"`))
	})
}

// probe runs every part without a mutant, and learns which mutants it consults and how long it takes. The error names a part that
// is not as it is to be.
func (l *laboratory) probe(ctx context.Context, jobs int) error {
	var group errgroup.Group
	group.SetLimit(jobs)
	for _, p := range l.parts {
		group.Go(func() error {
			c := l.command(ctx, p)
			notes := l.notesOf(p.name)
			c.Env = append(os.Environ(), rewrite.NotesVariable+"="+notes)
			out, err := c.CombinedOutput()
			switch {
			case interrupted(ctx, c):
				return context.Canceled
			case err != nil:
				return fmt.Errorf("%s fails without any mutant: %w\n%s", p.name, err, lastLines(out))
			}
			p.seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
			if p.notes, err = os.ReadFile(notes); os.IsNotExist(err) {
				return nil // it consults none
			}
			return err
		})
	}
	return group.Wait()
}

// lastLines are the last lines of an output.
func lastLines(out []byte) string {
	const most = 20
	var lines []string
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		if lines = append(lines, s.Text()); len(lines) > most {
			lines = lines[1:]
		}
	}
	return strings.Join(lines, "\n")
}
