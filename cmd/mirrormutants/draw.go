package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"mirrorsim/cmd/mirrormutants/rewrite"
)

// draw are the mutants that are asked for, in the order of their indices. The error says what would be accepted.
func draw(all []rewrite.Mutant, o options) ([]rewrite.Mutant, error) {
	switch {
	case len(o.chosen) > 0:
		return choose(all, o.chosen)
	case o.all:
		return all, nil
	case o.count < 1 || o.count > len(all):
		return nil, fmt.Errorf("-count %d: a whole number from 1 to %d is accepted", o.count, len(all))
	}
	places := rand.New(rand.NewPCG(o.seed, 0)).Perm(len(all))[:o.count]
	slices.Sort(places)
	list := make([]rewrite.Mutant, len(places))
	for i, place := range places {
		list[i] = all[place]
	}
	return list, nil
}

// choose are the mutants with one of the texts in their keys.
func choose(all []rewrite.Mutant, texts []string) (list []rewrite.Mutant, err error) {
	found := make([]bool, len(texts))
	for _, m := range all {
		chosen := false
		for i, text := range texts {
			if strings.Contains(m.Key(), text) {
				found[i], chosen = true, true
			}
		}
		if chosen {
			list = append(list, m)
		}
	}
	if i := slices.Index(found, false); i >= 0 {
		return nil, fmt.Errorf("%q: accepted: a part of a line of -list -all", texts[i])
	}
	return list, nil
}
