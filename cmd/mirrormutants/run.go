package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"mirrorsim/cmd/mirrormutants/rewrite"
)

// The exit statuses that are no verdict.
const (
	misused  = 2
	internal = 3
	stopped  = 4
)

// run does what the command is asked for, and answers the exit status. What can be said of the input is said before anything is
// built. When the context is done it ends, with what was noted by then.
func run(ctx context.Context, out io.Writer, diagnostics *os.File, o options) (status int, err error) {
	root, err := moduleRoot()
	if err != nil {
		return misused, err
	}
	reasons, err := readEquivalent(root)
	if err != nil {
		return misused, err
	}
	r, err := rewrite.Rewrite(root, "mirrorsim", below)
	if err != nil {
		return misused, err
	}
	list, err := draw(r.Mutants, o)
	if err != nil {
		return misused, err
	}
	if o.list {
		printList(out, list)
		return 0, nil
	}
	if err := o.check(len(r.Mutants)); err != nil {
		return misused, err
	}
	dir, err := os.MkdirTemp("", "mirrormutants")
	if err != nil {
		return internal, err
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("TMPDIR", dir); err != nil { // what is built and run leaves nothing elsewhere either
		return internal, err
	}
	l := &laboratory{root: root, dir: dir, mutants: r.Mutants}
	rep := &report{mutants: len(l.mutants), drawn: o.drawn(len(list)), reasons: reasons}
	if status, err = l.fill(ctx, rep, r.Files, list, o, diagnostics); err != nil {
		if ctx.Err() != nil {
			return stopped, errors.New("stopped early; what is noted in a file is not run again by a call with the same sources")
		}
		return status, err
	}
	rep.print(out)
	return rep.status(), nil
}

// fill builds all, judges the mutants, and fills the report with what became of them.
func (l *laboratory) fill(ctx context.Context, rep *report, files map[string]string, list []rewrite.Mutant, o options,
	diagnostics *os.File) (status int, err error) {
	began := time.Now()
	if err := l.build(ctx, files); err != nil {
		return internal, err
	}
	notes, err := l.notebook(o)
	if err != nil {
		return misused, err
	}
	if err := l.probe(ctx, o.jobs); err != nil {
		return internal, err
	}
	rep.build = time.Since(began).Seconds()
	if err := l.judgeAll(ctx, list, notes, o.jobs, diagnostics); err != nil {
		return internal, err
	}
	for _, m := range list {
		rep.results = append(rep.results, notes.done[m.Index])
	}
	rep.wall = time.Since(began).Seconds()
	return 0, nil
}

// check refuses what can be known to be refused before anything is built; mutants is how many there are.
func (o *options) check(mutants int) error {
	if o.jobs < 1 {
		return fmt.Errorf("-jobs %d: a whole number from 1 is accepted", o.jobs)
	}
	if len(o.chosen) > 0 {
		return nil
	}
	return checkNotes(o.out, mutants)
}

// notebook is the file of results; mutants that are chosen by name are run every time.
func (l *laboratory) notebook(o options) (*notebook, error) {
	if len(o.chosen) > 0 {
		return &notebook{done: map[int]result{}}, nil
	}
	h, err := l.head()
	if err != nil {
		return nil, err
	}
	return openNotebook(o.out, h)
}

// judgeAll judges the mutants that are not in the notebook yet, and notes them.
func (l *laboratory) judgeAll(ctx context.Context, list []rewrite.Mutant, notes *notebook, jobs int, diagnostics *os.File) error {
	bar := progressbar.NewOptions(len(list), progressbar.OptionSetWriter(diagnostics), progressbar.OptionShowCount(),
		progressbar.OptionSetVisibility(term.IsTerminal(int(diagnostics.Fd()))), progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetDescription("mutants"))
	defer bar.Exit()
	pending := slices.DeleteFunc(slices.Clone(list), func(m rewrite.Mutant) bool { return notes.done[m.Index].Index != 0 })
	bar.Add(len(list) - len(pending))
	var group errgroup.Group
	group.SetLimit(jobs)
	for _, m := range pending {
		group.Go(func() error {
			r, err := l.judge(ctx, m)
			if err != nil {
				return err
			}
			bar.Add(1)
			return notes.note(r)
		})
	}
	return group.Wait()
}

func printList(out io.Writer, list []rewrite.Mutant) {
	for i := range list {
		fmt.Fprintf(out, "%d %s:%d %s\n", list[i].Index, list[i].File, list[i].Line, list[i].Key())
	}
}

// drawn says which mutants a report is about.
func (o options) drawn(n int) string {
	switch {
	case len(o.chosen) > 0:
		return fmt.Sprintf("%d chosen by name", n)
	case o.all:
		return "all run"
	}
	return fmt.Sprintf("%d drawn by seed %d", n, o.seed)
}
