package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"mirrorsim/checkers"
	"mirrorsim/scenarios"
)

// outcome is what a proof came to.
type outcome struct {
	*proof
	without  string // what the run without it says of the property
	sentence string // the violation
	failed   string // why it is no proof; "" if it is one
}

// prover runs proofs with the wrong command.
type prover struct {
	root, binary string

	mutex sync.Mutex
	right map[string]func() (*scenarios.Report, error) // runs without anything wrong, by scenario
}

// newProver builds the wrong command, with all defects, into dir.
func newProver(root, dir string, defects []*defect) (*prover, error) {
	binary, err := buildWrong(root, dir, defects)
	return &prover{root: root, binary: binary, right: map[string]func() (*scenarios.Report, error){}}, err
}

// prove runs the proofs, one a core, and answers what they came to, in their order. The error says that the command does not
// run.
func (v *prover) prove(list []*proof) ([]outcome, error) {
	all := make([]outcome, len(list))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range list {
		group.Go(func() (err error) {
			all[i], err = v.one(p)
			return err
		})
	}
	return all, group.Wait()
}

// one runs the scenario of p without what is wrong, and with it.
func (v *prover) one(p *proof) (outcome, error) {
	o := outcome{proof: p}
	right, err := v.without(p)
	if err != nil {
		return o, err
	}
	if right.Verdict != "holds" {
		o.failed = fmt.Sprintf("the scenario is %s without it: %s", right.Verdict, reported(right))
		return o, nil
	}
	if p.property == scenarios.Determinism {
		return v.repeated(o)
	}
	o.without = judged(right, p.property)
	wrong, err := v.run(p.scenario, p.sets, environment(p))
	if err != nil {
		return o, err
	}
	for _, x := range wrong.Violations {
		if x.Property == p.property {
			o.sentence = x.Sentence
			return o, nil
		}
	}
	o.failed = "not reported, but " + reported(wrong)
	return o, nil
}

// judged is what a run says of a property.
func judged(r *scenarios.Report, property string) string {
	for _, p := range r.Properties {
		if p.ID == property {
			return fmt.Sprintf("%s (%s)", p.Verdict, checkers.Several(p.Occasions, "occasion", "occasions"))
		}
	}
	return "not judged"
}

// repeats is how often a run is done whose hash is to differ: a map of two entries is in the same order every second time.
const repeats = 20

// repeated runs the scenario again and again until a hash differs.
func (v *prover) repeated(o outcome) (outcome, error) {
	first := ""
	for i := range repeats {
		r, err := v.run(o.scenario, nil, environment(o.proof))
		if err != nil {
			return o, err
		}
		if i == 0 {
			first = r.Hash
		} else if r.Hash != first {
			o.sentence = "the same run, done again, has another hash"
			return o, nil
		}
	}
	o.failed = fmt.Sprintf("%d runs have one hash, %s", repeats, first)
	return o, nil
}

// environment selects what is wrong.
func environment(p *proof) []string {
	if p.defect == nil {
		return nil
	}
	list := []string{defectVariable + "=" + p.defect.name}
	if p.defect.assertions {
		list = append(list, assertionsVariable+"=on")
	}
	return list
}

// without is the run of p's scenario without anything wrong, done once for all proofs that use it.
func (v *prover) without(p *proof) (*scenarios.Report, error) {
	v.mutex.Lock()
	run := v.right[p.scenario]
	if run == nil {
		run = sync.OnceValues(func() (*scenarios.Report, error) { return v.run(p.scenario, nil, nil) })
		v.right[p.scenario] = run
	}
	v.mutex.Unlock()
	return run()
}

// run runs the wrong command.
func (v *prover) run(scenario string, sets, environment []string) (*scenarios.Report, error) {
	c := v.command(scenario, sets, environment)
	c.Args = append(c.Args, "--json")
	var diagnostics strings.Builder
	c.Stderr = &diagnostics
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	r := new(scenarios.Report)
	if json.Unmarshal(out, r) != nil {
		return nil, fmt.Errorf("%s %s: no report, %w: %s", strings.Join(environment, " "), c, err, &diagnostics)
	}
	return r, nil
}

func (v *prover) command(scenario string, sets, environment []string) *exec.Cmd {
	c := exec.Command(v.binary, "run", scenario)
	for _, s := range sets {
		c.Args = append(c.Args, "--set", s)
	}
	c.Dir, c.Env = v.root, append(os.Environ(), environment...)
	return c
}

// reported is what a run says instead: its violations by their properties, or what was expected and is not so.
func reported(r *scenarios.Report) string {
	var list []string
	for _, p := range r.Properties {
		if p.Violations > 0 {
			list = append(list, p.ID+" "+p.Verdict)
		}
	}
	for _, f := range r.Failures {
		list = append(list, fmt.Sprintf("line %d: %s: %s", f.Line, f.Expect, f.Got))
	}
	if len(list) == 0 {
		return "everything holds"
	}
	return strings.Join(list, "; ")
}
