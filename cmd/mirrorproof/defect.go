package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// defectsDir is where the defects are, from the module's root.
const defectsDir = "checkers/defects"

// defect is a small wrong change of one file of the model. Its file says, after a story in comment lines, which file, which
// scenario shows it (of the catalogue, or the one beside it of its own name), which property falls, and what stands in the file,
// once, and what is to stand there: whole statements.
type defect struct {
	name       string
	story      string
	file       string // from the module's root
	scenario   string // a name of the catalogue, or a file from the module's root
	violates   string // the id of a property, or determinism
	assertions bool   // the model's assertions are on: one of them is what is to fire
	old, new   string
}

// readDefects are all defects, ordered by name.
func readDefects(root string) (all []*defect, err error) {
	paths, err := filepath.Glob(filepath.Join(root, defectsDir, "*.defect"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		d, err := parseDefect(strings.TrimSuffix(filepath.Base(path), ".defect"), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// parseDefect reads the file of a defect. The error names the file and the line.
func parseDefect(name, text string) (*defect, error) {
	d := &defect{name: name}
	head, change, found := strings.Cut(text, "--- old\n")
	if d.old, d.new, found = strings.Cut(change, "--- new\n"); !found {
		return nil, fmt.Errorf("%s/%s.defect: no lines --- old and --- new, with statements behind each", defectsDir, name)
	}
	var story []string
	for i, line := range strings.Split(strings.TrimSuffix(head, "\n"), "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "#":
			story = append(story, value)
		case "file":
			d.file = value
		case "scenario":
			d.scenario = value
		case "violates":
			d.violates = value
		case "assertions":
			d.assertions = value == "on"
		default:
			return nil, fmt.Errorf("%s/%s.defect:%d: %q: accepted: #, file, scenario, violates, assertions on, --- old, --- new",
				defectsDir, name, i+1, key)
		}
	}
	if d.story = strings.Join(story, "\n"); d.file == "" || d.scenario == "" || d.violates == "" {
		return nil, fmt.Errorf("%s/%s.defect: wants a line each for file, scenario and violates", defectsDir, name)
	}
	if d.scenario == name {
		d.scenario = defectsDir + "/" + name + ".scn"
	}
	return d, nil
}
