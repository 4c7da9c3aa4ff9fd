package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// optionsDir is where the scenarios are that an option of a decision spoils and that are no cases of the catalogue.
const optionsDir = "checkers/options"

// proof is one way to make one property fall.
type proof struct {
	property string
	scenario string  // a name of the catalogue, or a file from the module's root
	story    string  // of the scenario
	defect   *defect // nil: options do it
	sets     []string
}

// wrong is what is wrong in it: the name of the defect, or the options.
func (p *proof) wrong() string {
	if p.defect != nil {
		return p.defect.name
	}
	return strings.Join(p.sets, " ")
}

// property is a property as it is proven.
type property struct{ id, doc string }

// proven are all properties: those of the checkers, and that a run can be repeated, which is judged by its hash.
func proven() []property {
	var list []property
	for _, p := range checkers.Properties() {
		list = append(list, property{p.ID, p.Doc})
	}
	return append(list, property{scenarios.Determinism, "the same run, done again, has the same history"})
}

// proofs are all of them, in the order of the properties; of one property the options come first. The error says that a file
// cannot be read, or names a property that there is not.
func proofs(root string, defects []*defect) ([]*proof, error) {
	list, err := optionProofs(root)
	if err != nil {
		return nil, err
	}
	for _, d := range defects {
		list = append(list, &proof{property: d.violates, scenario: d.scenario, defect: d})
	}
	rank := map[string]int{}
	for i, p := range proven() {
		rank[p.id] = i
	}
	for _, p := range list {
		if _, ok := rank[p.property]; !ok {
			return nil, fmt.Errorf("%s, under %s: no property is called %q", p.scenario, p.wrong(), p.property)
		}
	}
	slices.SortStableFunc(list, func(a, b *proof) int { return rank[a.property] - rank[b.property] })
	return list, nil
}

// optionProofs are the wrong lines of the catalogue and of the scenarios of checkers/options.
func optionProofs(root string) (list []*proof, err error) {
	add := func(name, path string, source []byte) error {
		s, err := format.Parse(path, source)
		if err != nil {
			return err
		}
		for i := range s.Wrong {
			p := &proof{property: s.Wrong[i].Property, scenario: name, story: s.Story}
			for _, x := range s.Wrong[i].Sets {
				p.sets = append(p.sets, x.Key+"="+x.Token)
			}
			list = append(list, p)
		}
		return nil
	}
	for _, f := range scenarios.Catalogue() {
		if err := add(f.Name, f.Path, f.Source); err != nil {
			return nil, err
		}
	}
	paths, err := filepath.Glob(filepath.Join(root, optionsDir, "*.scn"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name := optionsDir + "/" + filepath.Base(path)
		if err := add(name, name, source); err != nil {
			return nil, err
		}
	}
	return list, nil
}
