package overlay

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Overlay is source files, by their path from the module's root with slashes: what stands in place of them when something is
// built. A file that the tree does not have is added.
type Overlay struct {
	Root  string // of the module
	Files map[string]string
}

// New is an overlay of the module in root without any file.
func New(root string) *Overlay { return &Overlay{root, map[string]string{}} }

// Replace puts text in place of the one place of the file where old stands. The error says that it stands there more or less
// often.
func (o *Overlay) Replace(file, old, text string) error {
	source, changed := o.Files[file]
	if !changed {
		raw, err := os.ReadFile(filepath.Join(o.Root, file))
		if err != nil {
			return err
		}
		source = string(raw)
	}
	if n := strings.Count(source, old); n != 1 {
		return fmt.Errorf("the old text stands %d times in %s, and must stand there once:\n%s", n, file, old)
	}
	o.Files[file] = strings.Replace(source, old, text, 1)
	return nil
}

// Write writes the files into dir, and answers the one for -overlay.
func (o *Overlay) Write(dir string) (string, error) {
	replace := map[string]string{}
	for file, text := range o.Files {
		laid := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		replace[filepath.Join(o.Root, file)] = laid
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

// Go runs the go command with these arguments in the module's root, such as build or test -c. The error has what it printed.
func (o *Overlay) Go(args ...string) error {
	c := exec.Command("go", args...)
	c.Dir = o.Root
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", c, err, out)
	}
	return nil
}
