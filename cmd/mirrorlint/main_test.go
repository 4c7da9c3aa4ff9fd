package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const goroutine = `package record

func init() { go func() {}() }
`

// TestOverlay runs the command as a person does, over a package of the model with a goroutine laid over it.
func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "mirrorlint")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(tool, "-determinism", "mirrorsim/model/record").CombinedOutput(); err != nil {
		t.Fatalf("without the overlay: %v\n%s", err, out)
	}
	record, err := filepath.Abs("../../model/record")
	if err != nil {
		t.Fatal(err)
	}
	overlaid := filepath.Join(dir, "overlaid.go")
	write(t, overlaid, []byte(goroutine))
	list, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(record, "overlaid.go"): overlaid}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), list)
	out, err := exec.Command(tool, "-determinism", "-overlay="+filepath.Join(dir, "overlay.json"),
		"mirrorsim/model/record").CombinedOutput()
	if _, failed := err.(*exec.ExitError); !failed || !strings.Contains(string(out), "overlaid.go:3:15: goroutine: ") {
		t.Errorf("with the overlay: %v\n%s", err, out)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestCalledByVet(t *testing.T) {
	tests := []struct {
		args string
		want bool
	}{
		{"-V=full", true},
		{"-flags", true},
		{"b001/vet.cfg", true},
		{"-determinism b001/vet.cfg", true},
		{"help determinism", true},
		{"", false},
		{"./...", false},
		{"-overlay=x.json ./model/...", false},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			if got := calledByVet(strings.Fields(test.args)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
