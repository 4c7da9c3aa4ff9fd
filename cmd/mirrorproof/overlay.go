package main

import (
	"fmt"
	"path/filepath"

	"mirrorsim/cmd/overlay"
)

// The environment variables by which the command with all defects in it is told which one it has, and that the model's
// assertions are on.
const (
	defectVariable     = "MIRRORSIM_DEFECT"
	assertionsVariable = "MIRRORSIM_ASSERTIONS"
)

// planted is the overlay that has every defect, each behind its variable.
type planted struct{ *overlay.Overlay }

// selectable puts a defect into the overlay so that the command has it only when the variable names it.
func (o planted) selectable(d *defect) error {
	text := fmt.Sprintf("if defectOfThisRun == %q {\n%s} else {\n%s}\n", d.name, d.new, d.old)
	if err := o.Replace(d.file, d.old, text); err != nil {
		return fmt.Errorf("%s/%s.defect: %w", defectsDir, d.name, err)
	}
	o.variable(filepath.Dir(d.file), "defectOfThisRun", fmt.Sprintf("os.Getenv(%q)", defectVariable))
	return nil
}

// variable adds a file to the package in dir with one variable in it.
func (o planted) variable(dir, name, value string) {
	o.Files[filepath.Join(dir, "of_this_run.go")] = fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar %s = %s\n", filepath.Base(dir),
		name, value)
}

// assertionsOff has the model's assertions do nothing unless the variable is on.
func (o planted) assertionsOff() error {
	o.variable("model/assert", "Enabled", fmt.Sprintf("os.Getenv(%q) == \"on\"", assertionsVariable))
	return o.Replace("model/assert/assert.go", "const Enabled = true\n", "")
}

// buildWrong builds the command with all defects in it into dir, and answers its path.
func buildWrong(root, dir string, all []*defect) (string, error) {
	o := planted{overlay.New(root)}
	if err := o.assertionsOff(); err != nil {
		return "", err
	}
	for _, d := range all {
		if err := o.selectable(d); err != nil {
			return "", err
		}
	}
	list, err := o.Write(dir)
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "mirrorsim")
	if err := o.Go("build", "-overlay", list, "-o", binary, "./cmd/mirrorsim"); err != nil {
		return "", err
	}
	return binary, nil
}
