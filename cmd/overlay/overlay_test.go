package overlay

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is changed and a package that is added are built in, and the tree stays as it was.
func TestBuild(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const source = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Print(\"right\") }\n"
	write("go.mod", "module m\n\ngo 1.26.0\n")
	write("main.go", source)
	o := New(root)
	for _, change := range [][2]string{{`"right"`, `added.Text`}, {`import "fmt"`, "import (\n\"fmt\"\n\"m/added\"\n)"}} {
		if err := o.Replace("main.go", change[0], change[1]); err != nil {
			t.Fatal(err)
		}
	}
	o.Files["added/added.go"] = "package added\n\nconst Text = \"wrong\"\n"
	list, err := o.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "m")
	if err := o.Go("build", "-overlay", list, "-o", binary, "."); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(binary).Output(); err != nil || string(out) != "wrong" {
		t.Errorf("%v %q", err, out)
	}
	if text, err := os.ReadFile(filepath.Join(root, "main.go")); err != nil || string(text) != source {
		t.Errorf("%v: the tree has changed: %s", err, text)
	}
	if err := o.Replace("main.go", "fmt", ""); err == nil || !strings.Contains(err.Error(), "stands 2 times in main.go") {
		t.Errorf("%v", err)
	}
	if err := o.Go("build", "./nothing"); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("%v", err)
	}
}
