package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// seeds is how many swarm seeds are run, from 0 on. Every fifth is dealt a published revision, the others are of hardened.
const seeds = 40

// publishedEvery: one seed in so many.
const publishedEvery = 5

var published = []string{"add-remove", "start-stop", "aligned"}

// testCase is one case of the suite. run answers the runs that it consists of, with their problems.
type testCase struct {
	name string
	run  func() ([]scenarios.Check, error)
}

// cases are all cases, in the order in which a mutant meets them. root is the module's. The error says that one cannot be read.
func cases(root string) (list []testCase, err error) {
	for _, f := range scenarios.Catalogue() {
		list = append(list, testCase{"catalogue/" + f.Name, verify(f.Path, f.Source, "")})
	}
	for _, dir := range []struct{ name, revision string }{{"corpus", ""}, {"findings", "hardened"}} {
		paths, err := filepath.Glob(filepath.Join(root, "scenarios", dir.name, "*.scn"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			source, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(filepath.Base(path), ".scn")
			list = append(list, testCase{dir.name + "/" + name, verify(path, source, dir.revision)})
		}
	}
	for seed := range uint64(seeds) {
		list = append(list, testCase{fmt.Sprint("seed/", seed), func() ([]scenarios.Check, error) { return generated(seed) }})
	}
	return list, nil
}

// verify runs a scenario as its file means it, or under another revision.
func verify(path string, source []byte, revision string) func() ([]scenarios.Check, error) {
	return func() ([]scenarios.Check, error) {
		s, err := format.Parse(path, source)
		if err != nil {
			return nil, err
		}
		d, err := scenarios.Choose(s, revision, nil)
		if err != nil {
			return nil, err
		}
		return scenarios.Verify(context.Background(), path, s, d, 0)
	}
}

// generated runs the scenario of a seed as a sweep does. Every property is to hold under hardened. The published revisions lose
// some in such runs, and a change of the code may well show another of those: there only an assertion tells against the code.
func generated(seed uint64) ([]scenarios.Check, error) {
	level, err := scenarios.ParseLevel("swarm")
	if err != nil {
		return nil, err
	}
	revision := "hardened"
	if seed%publishedEvery == publishedEvery-1 {
		revision = published[seed/publishedEvery%uint64(len(published))]
	}
	d, err := scenarios.Choose(&format.Scenario{}, revision, nil)
	if err != nil {
		return nil, err
	}
	o := scenarios.Options{Protocol: d.Config, CrossCheck: seed%16 == 0}.WithLevel(seed, level)
	r, err := scenarios.Run(scenarios.Generate(seed, level), o)
	if err != nil {
		return nil, err
	}
	c := scenarios.Check{Command: scenarios.ReproduceSeed(d, seed, level), Result: r}
	if r.Violated() && (revision == "hardened" || r.Assertion != "") {
		c.Problem = r.Summary()
	}
	return []scenarios.Check{c}, nil
}

// judge runs a case and says what it fell by, "" for nothing. A panic, and a scenario that cannot be run, are problems too.
func (c testCase) judge() (how, problem, hash string) {
	defer func() {
		if p := recover(); p != nil {
			how, problem = "panic", fmt.Sprint(p)
		}
	}()
	checks, err := c.run()
	if err != nil {
		return "error", err.Error(), ""
	}
	for _, x := range checks {
		hash += fmt.Sprintf("%016x", x.Result.Hash)
		switch {
		case x.Problem == "" || how != "":
		case x.Result.Assertion != "":
			how, problem = "assertion", x.Result.Assertion
		case strings.HasPrefix(x.Problem, "line "):
			how, problem = "expectation", x.Problem
		default:
			how, problem = "property", x.Problem
		}
		if problem != "" && x.Wrong != "" && how == "property" {
			how, problem = "expectation", "under its line "+x.Wrong+": "+x.Problem
		}
	}
	return how, problem, hash
}
