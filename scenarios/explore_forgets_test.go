package scenarios

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/cmd/overlay"
)

// A defect of the simulator that leaves out one kind of what is enabled, where explore asks for it, is found by random runs, which look
// into the queue of their world.
func TestRandomRunsFindWhatTheWorldForgets(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	o := overlay.New(root)
	const looks = "if m := &w.messages[i]; m.seq != 0 && !w.cut(m) && !w.nodes[m.to].paused {"
	if err := o.Replace("sim/explore.go", looks, strings.Replace(looks, "m.seq != 0", "m.seq != 0 && m.from < m.to", 1)); err != nil {
		t.Fatal(err)
	}
	list, err := o.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "forgets")
	if err := o.Go("test", "-c", "-overlay", list, "-o", program, "./scenarios"); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-test.run", "^TestRandomRunsLieInWhatIsExplored$")
	c.Dir = filepath.Join(root, "scenarios")
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "is nowhere in what was explored") {
		t.Errorf("%v: the defect is not found: %s", err, out)
	}
}
