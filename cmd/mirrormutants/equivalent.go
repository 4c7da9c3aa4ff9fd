package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mirrorsim/cmd/mirrormutants/rewrite"
)

// equivalentFile has the mutants that no check can notice, each by its key, with the reason in the lines below it that begin
// with a tab.
const equivalentFile = "cmd/mirrormutants/EQUIVALENT.txt"

// readEquivalent are the reasons by key. The error names the line.
func readEquivalent(root string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, equivalentFile))
	if err != nil {
		return nil, err
	}
	return parseEquivalent(text)
}

func parseEquivalent(text []byte) (map[string]string, error) {
	reasons, key, at := map[string]string{}, "", 0
	missing := func() error {
		if key != "" && reasons[key] == "" {
			return fmt.Errorf("%s:%d: no reason stands below it, in a line that begins with a tab", equivalentFile, at)
		}
		return nil
	}
	for i, line := range strings.Split(string(bytes.TrimRight(text, "\n")), "\n") {
		reason, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case indented && key == "":
			return nil, fmt.Errorf("%s:%d: a reason without a mutant above it", equivalentFile, i+1)
		case indented:
			reasons[key] = strings.TrimSpace(reasons[key] + " " + reason)
		default:
			if err := missing(); err != nil {
				return nil, err
			}
			if key, at = line, i+1; reasons[key] != "" {
				return nil, fmt.Errorf("%s:%d: this mutant stands there twice", equivalentFile, i+1)
			}
		}
	}
	return reasons, missing()
}

// unknown are the keys of the file that no mutant has, so that the file cannot be out of step with the model.
func unknown(reasons map[string]string, all []rewrite.Mutant) (list []string) {
	known := map[string]bool{}
	for i := range all {
		known[all[i].Key()] = true
	}
	for key := range reasons {
		if !known[key] {
			list = append(list, key)
		}
	}
	return list
}
