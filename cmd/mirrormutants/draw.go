package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"mirrorsim/cmd/mirrormutants/rewrite"
)

// draw are the mutants that are asked for, in the order of their indices. The error says what would be accepted.
func draw(all []rewrite.Mutant, o options) ([]rewrite.Mutant, error) {
	switch {
	case len(o.chosen) > 0:
		return choose(all, o.chosen)
	case o.all && o.counted:
		return nil, fmt.Errorf("-count %d: with -all all mutants are run; accepted: one of the two", o.count)
	case o.all:
		return all, nil
	case o.count < 1 || o.count > len(all):
		return nil, fmt.Errorf("-count %d: a whole number from 1 to %d is accepted", o.count, len(all))
	}
	list := slices.Clone(all)
	slices.SortFunc(list, func(a, b rewrite.Mutant) int { return cmp.Compare(lot(a, o.seed), lot(b, o.seed)) })
	list = list[:o.count]
	slices.SortFunc(list, func(a, b rewrite.Mutant) int { return cmp.Compare(a.Index, b.Index) })
	return list, nil
}

// lot is by what a mutant is drawn: its own lot, whichever others there are, so that a change of the model leaves most of the
// mutants that are drawn as they were.
func lot(m rewrite.Mutant, seed uint64) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, m.Key()))
	return binary.BigEndian.Uint64(sum[:])
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
		return nil, fmt.Errorf("%q is in the name of no mutant; accepted: a part of a line of -list -all", texts[i])
	}
	return list, nil
}
