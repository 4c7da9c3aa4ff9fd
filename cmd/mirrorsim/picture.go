package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mirrorsim/scenarios"
)

// pictures writes a page for each violation of cross-check, and answers their files, in the order of the violations. They go into
// the directory that was asked for, otherwise into a new temporary one; who asks for JSON gets them only where he asks for them.
func (f *runFlags) pictures(x *source, r *scenarios.Result) ([]string, error) {
	if len(r.Pictures) == 0 || f.pictureDir == "" && *f.json {
		return nil, nil
	}
	dir := f.pictureDir
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "mirrorsim-"); err != nil {
			return nil, err
		}
	}
	var files []string
	taken := map[string]int{}
	for _, p := range r.Pictures {
		name := fileName(x.scenario.Name + " " + p.Object)
		if taken[name]++; taken[name] > 1 {
			name += fmt.Sprint("-", taken[name])
		}
		var page strings.Builder
		if err := p.Write(&page); err != nil {
			return nil, err
		}
		file := filepath.Join(dir, name+".html")
		if err := replace(file, page.String()); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// fileName is a text as the name of a file: letters and digits of ASCII, and a hyphen for all else between them.
func fileName(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}), "-")
}
