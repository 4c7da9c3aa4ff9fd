package main

import (
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
)

// run does what the command is asked for, and answers the exit status.
func run(out io.Writer, diagnostics *os.File, o options) (status int, err error) {
	root, err := moduleRoot()
	if err != nil {
		return misused, err
	}
	reasons, err := readEquivalent(root)
	if err != nil {
		return misused, err
	}
	if o.list {
		r, err := rewrite.Rewrite(root, "mirrorsim", below)
		if err != nil {
			return misused, err
		}
		return printList(out, r.Mutants, o)
	}
	began := time.Now()
	dir, err := os.MkdirTemp("", "mirrormutants")
	if err != nil {
		return internal, err
	}
	defer os.RemoveAll(dir)
	l, err := newLaboratory(root, dir)
	if err != nil {
		return internal, err
	}
	list, err := draw(l.mutants, o)
	if err != nil {
		return misused, err
	}
	notes, err := l.notebook(o)
	if err != nil {
		return misused, err
	}
	if err := l.probe(o.jobs); err != nil {
		return internal, err
	}
	rep := &report{mutants: len(l.mutants), drawn: o.drawn(len(list)), reasons: reasons, build: time.Since(began).Seconds()}
	if err := l.judgeAll(list, notes, o.jobs, diagnostics); err != nil {
		return internal, err
	}
	for _, m := range list {
		rep.results = append(rep.results, notes.done[m.Index])
	}
	rep.wall = time.Since(began).Seconds()
	rep.print(out)
	return rep.status(), nil
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
func (l *laboratory) judgeAll(list []rewrite.Mutant, notes *notebook, jobs int, diagnostics *os.File) error {
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
			r, err := l.judge(m)
			if err != nil {
				return err
			}
			bar.Add(1)
			return notes.note(r)
		})
	}
	return group.Wait()
}

func printList(out io.Writer, all []rewrite.Mutant, o options) (int, error) {
	list, err := draw(all, o)
	if err != nil {
		return misused, err
	}
	for i := range list {
		fmt.Fprintf(out, "%d %s:%d %s\n", list[i].Index, list[i].File, list[i].Line, list[i].Key())
	}
	return 0, nil
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
