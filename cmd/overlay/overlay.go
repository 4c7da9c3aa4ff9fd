package overlay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
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

// patience is how long an interrupted command may take to clear away what it made.
const patience = 10 * time.Second

// Interruptible is a command that is interrupted when the context is done, as Ctrl-C would.
func Interruptible(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = patience
	return c
}

// Go runs the go command with these arguments in the module's root, such as build or test -c. The error has what it printed.
func (o *Overlay) Go(args ...string) error { return o.GoContext(context.Background(), args...) }

// GoContext is Go that is interrupted when the context is done. The error may be the context's.
func (o *Overlay) GoContext(ctx context.Context, args ...string) error {
	c := Interruptible(ctx, "go", args...)
	c.Dir = o.Root
	if out, err := c.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: %w\n%s", c, err, out)
	}
	return nil
}
