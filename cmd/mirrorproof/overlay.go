package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The environment variables by which the command with all defects in it is told which one it has, and that the model's
// assertions are on.
const (
	defectVariable     = "MIRRORSIM_DEFECT"
	assertionsVariable = "MIRRORSIM_ASSERTIONS"
)

// overlay is source files, by their path from the module's root: what stands in place of them when the command is built.
type overlay struct {
	root  string
	files map[string]string
}

// replace puts text in place of the one place of the file where old stands.
func (o *overlay) replace(file, old, text string) error {
	source, changed := o.files[file]
	if !changed {
		raw, err := os.ReadFile(filepath.Join(o.root, file))
		if err != nil {
			return err
		}
		source = string(raw)
	}
	if n := strings.Count(source, old); n != 1 {
		return fmt.Errorf("the old text stands %d times in %s, and must stand there once:\n%s", n, file, old)
	}
	o.files[file] = strings.Replace(source, old, text, 1)
	return nil
}

// selectable puts a defect into the overlay so that the command has it only when the variable names it.
func (o *overlay) selectable(d *defect) error {
	text := fmt.Sprintf("if defectOfThisRun == %q {\n%s} else {\n%s}\n", d.name, d.new, d.old)
	if err := o.replace(d.file, d.old, text); err != nil {
		return fmt.Errorf("%s/%s.defect: %w", defectsDir, d.name, err)
	}
	o.variable(filepath.Dir(d.file), "defectOfThisRun", fmt.Sprintf("os.Getenv(%q)", defectVariable))
	return nil
}

// variable adds a file to the package in dir with one variable in it.
func (o *overlay) variable(dir, name, value string) {
	o.files[filepath.Join(dir, "of_this_run.go")] = fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar %s = %s\n", filepath.Base(dir),
		name, value)
}

// assertionsOff has the model's assertions do nothing unless the variable is on.
func (o *overlay) assertionsOff() error {
	o.variable("model/assert", "Enabled", fmt.Sprintf("os.Getenv(%q) == \"on\"", assertionsVariable))
	return o.replace("model/assert/assert.go", "const Enabled = true\n", "")
}

// write writes the overlay's files into dir, and answers the one for -overlay.
func (o *overlay) write(dir string) (string, error) {
	replace := map[string]string{}
	for file, text := range o.files {
		laid := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		replace[filepath.Join(o.root, file)] = laid
		if err := os.WriteFile(laid, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o644)
}

// buildWrong builds the command with all defects in it into dir, and answers its path.
func buildWrong(root, dir string, all []*defect) (string, error) {
	o := &overlay{root: root, files: map[string]string{}}
	if err := o.assertionsOff(); err != nil {
		return "", err
	}
	for _, d := range all {
		if err := o.selectable(d); err != nil {
			return "", err
		}
	}
	list, err := o.write(dir)
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "mirrorsim")
	build := exec.Command("go", "build", "-overlay", list, "-o", binary, "./cmd/mirrorsim")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
}
