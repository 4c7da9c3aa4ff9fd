package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"

	"mirrorsim/cmd/mirrormutants/rewrite"
	"mirrorsim/cmd/overlay"
)

// What becomes of a mutant. One that took too long is neither killed nor alive.
const (
	killed    = "killed"
	lived     = "lived"
	uncovered = "uncovered"
	timedOut  = "timed out"
)

// result is what became of one mutant. Its JSON is a line of the file of results.
type result struct {
	Index   int     `json:"index"`
	Mutant  string  `json:"mutant"`
	Place   string  `json:"place"` // file:line
	Outcome string  `json:"outcome"`
	Stage   string  `json:"stage,omitempty"` // catalogue, corpus, findings, seed or tests
	Part    string  `json:"part,omitempty"`  // the case, or the package and the test
	How     string  `json:"how,omitempty"`   // property, expectation, assertion, panic, error, crash, test
	Problem string  `json:"problem,omitempty"`
	Seconds float64 `json:"seconds"` // of processor time
}

// A mutant may take so many times what a part takes without one, and some seconds more, as what takes nothing is not measured
// well.
const (
	patience = 10
	spare    = 1.0
)

func limit(p *part) float64 { return patience*p.seconds + spare }

// judge runs the parts that consult a mutant until one notices it: first the cases of the suite, in one process, then the tests. The
// error may be context.Canceled: then nothing is known of the mutant.
func (l *laboratory) judge(ctx context.Context, m rewrite.Mutant) (result, error) {
	r := result{Index: m.Index, Mutant: m.Key(), Place: fmt.Sprintf("%s:%d", m.File, m.Line), Outcome: uncovered}
	cases, err := l.ofSuite(ctx, &r)
	if r.Outcome == killed || r.Outcome == timedOut || err != nil {
		return r, err
	}
	for _, p := range l.parts {
		if p.stage != tests || !p.consults(m.Index) {
			continue
		}
		cases++
		if noticed, err := l.ofTests(ctx, &r, p); noticed || err != nil {
			return r, err
		}
	}
	if cases > 0 {
		r.Outcome = lived
	}
	return r, nil
}

// interrupted tells whether a command, which has ended, may have ended only because it was interrupted: by the context, or as Ctrl-C at a
// terminal does, which all programs there get at once. What it came to then says nothing.
func interrupted(ctx context.Context, c *exec.Cmd) bool {
	if c.ProcessState == nil {
		return ctx.Err() != nil
	}
	status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
	return ctx.Err() != nil || ok && status.Signaled() && status.Signal() == syscall.SIGINT
}

// environment selects a mutant. It runs on one core, as others run at the same time.
func environment(index int) []string {
	return append(os.Environ(), fmt.Sprintf("%s=%d", rewrite.IndexVariable, index), "GOMAXPROCS=1")
}

// ofSuite runs the cases that consult a mutant, and answers how many there are.
func (l *laboratory) ofSuite(ctx context.Context, r *result) (int, error) {
	c := overlay.Interruptible(ctx, l.suite())
	byName := map[string]*part{}
	for _, p := range l.parts {
		if p.stage != tests && p.consults(r.Index) {
			byName[p.name] = p
			c.Args = append(c.Args, fmt.Sprintf("%s=%.2f", p.name, limit(p)))
		}
	}
	if len(byName) == 0 {
		return 0, nil
	}
	var out, diagnostics bytes.Buffer
	c.Dir, c.Env, c.Stdout, c.Stderr = l.root, environment(r.Index), &out, &diagnostics
	err := c.Run()
	if interrupted(ctx, c) {
		return 0, context.Canceled
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	r.Seconds += (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	if err == nil {
		return len(byName), nil
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var a struct{ Case, How, Problem string }
	if last := lines[len(lines)-1]; last != "" {
		if err := json.Unmarshal([]byte(last), &a); err != nil {
			return 0, fmt.Errorf("%s: %w: %s", c, err, last)
		}
	}
	if a.How == "" { // the program ended in the midst of a case, with a word of Go's runtime
		next := len(lines)
		if a.Case == "" {
			next = 0
		}
		a.Case, _, _ = strings.Cut(c.Args[1+next], "=")
		a.How = "crash"
		a.Problem, _, _ = strings.Cut(diagnostics.String(), "\n")
	}
	r.Outcome, r.Part, r.How, r.Problem = killed, a.Case, a.How, a.Problem
	if a.How == "time" || exit.ExitCode() == rewrite.Endless {
		r.Outcome = timedOut
	}
	r.Stage, _, _ = strings.Cut(a.Case, "/")
	return len(byName), nil
}

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// ofTests runs the tests of a package, and tells whether they noticed the mutant or took too long.
func (l *laboratory) ofTests(ctx context.Context, r *result, p *part) (bool, error) {
	c := l.command(ctx, p)
	c.Env = append(environment(r.Index), fmt.Sprintf("%s=%.2f", rewrite.SecondsVariable, limit(p)))
	out, err := c.CombinedOutput()
	if interrupted(ctx, c) {
		return false, context.Canceled
	}
	r.Seconds += (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	if err == nil {
		return false, nil
	}
	r.Outcome, r.Stage, r.Part, r.How = killed, tests, p.name, "test"
	if c.ProcessState.ExitCode() == rewrite.Endless {
		r.Outcome = timedOut
		return true, nil
	}
	if m := failedTest.FindAllSubmatch(out, -1); m != nil {
		r.Part += " " + string(m[len(m)-1][1])
	} else {
		r.Problem, _, _ = strings.Cut(lastLines(out), "\n")
	}
	return true, nil
}
