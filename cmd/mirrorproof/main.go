package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	tell := flag.Bool("tell", false, "tell each run that must fail, step by step")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "mirrorproof [-tell] [NAME]... proves that properties can fail; NAME is a property or "+
			"a defect, default all.\nExit status: 0 all are caught, 1 one is not, 2 bad input.\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	caught, err := prove(os.Stdout, flag.Args(), *tell)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mirrorproof:", err)
		os.Exit(2)
	case !caught:
		os.Exit(1)
	}
}

// prove runs the proofs of those names, all of them where there is none, and prints the table.
func prove(out io.Writer, names []string, tell bool) (caught bool, err error) {
	root, err := moduleRoot()
	if err != nil {
		return false, err
	}
	defects, err := readDefects(root)
	if err != nil {
		return false, err
	}
	all, err := proofs(root, defects)
	if err != nil {
		return false, err
	}
	list, err := chosen(all, names)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "mirrorproof")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	v, err := newProver(root, dir, defects)
	if err != nil {
		return false, err
	}
	outcomes, err := v.prove(list)
	if err != nil {
		return false, err
	}
	if tell {
		for _, o := range outcomes {
			if err := v.tell(out, o.proof); err != nil {
				return false, err
			}
		}
	}
	without := withoutProof(all)
	printTable(out, outcomes, without)
	return len(without) == 0 && !slices.ContainsFunc(outcomes, func(o outcome) bool { return o.failed != "" }), nil
}

// moduleRoot is the directory of the module that the command is called in.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	return strings.TrimSpace(string(out)), err
}

// chosen are the proofs of the properties and defects of those names.
func chosen(all []*proof, names []string) ([]*proof, error) {
	if len(names) == 0 {
		return all, nil
	}
	var list []*proof
	for _, name := range names {
		n := len(list)
		for _, p := range all {
			if name == p.property || p.defect != nil && name == p.defect.name {
				list = append(list, p)
			}
		}
		if len(list) == n {
			return nil, fmt.Errorf("%q: accepted: the id of a property, or the name of a file of %s without its ending", name, defectsDir)
		}
	}
	return list, nil
}

// withoutProof are the properties that nothing breaks.
func withoutProof(all []*proof) (list []string) {
	for _, x := range proven() {
		if !slices.ContainsFunc(all, func(p *proof) bool { return p.property == x.id }) {
			list = append(list, x.id)
		}
	}
	return list
}

// tell runs p as a person would run it.
func (v *prover) tell(out io.Writer, p *proof) error {
	c := v.command(p.scenario, p.sets, environment(p))
	fmt.Fprintf(out, "== %s, under %s, is to violate %s\n", p.scenario, p.wrong(), p.property)
	c.Stdout, c.Stderr = out, out
	if err := c.Run(); err != nil && c.ProcessState == nil {
		return err
	}
	fmt.Fprintln(out)
	return nil
}

// printTable prints a row a proof, and one for each property without any.
func printTable(out io.Writer, outcomes []outcome, without []string) {
	good := 0
	for _, o := range outcomes {
		verdict, text := "ok", o.sentence
		if o.failed != "" {
			verdict, text = "NOT CAUGHT", o.failed
		} else {
			good++
		}
		fmt.Fprintf(out, "%-22s %-10s %s: %s\n%34s%s\n", o.property, verdict, o.scenario, o.wrong(), "", text)
	}
	for _, id := range without {
		fmt.Fprintf(out, "%-22s %-10s nothing is known that breaks it\n", id, "NO PROOF")
	}
	fmt.Fprintf(out, "%d of %d proofs are caught; %d properties, %d without a proof\n", good, len(outcomes), len(proven()),
		len(without))
}
