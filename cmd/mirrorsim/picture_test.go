package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/scenarios"
)

// unexplained is a run in which porcupine finds no order for the operations on B/t-0.
var unexplained = []string{"run", "T4", "--set", "producer-ids=keep", "--quiet"}

// A violation of cross-check has a page, whose path stands below the sentence.
func TestPictures(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := t.TempDir()
	for _, c := range []struct {
		name, dir string
		args      []string
	}{
		{"where it is asked for", dir, append(unexplained, "--pictures", dir)},
		{"in a temporary directory", os.Getenv("TMPDIR"), unexplained},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, diag := command(c.args...)
			_, rest, found := strings.Cut(out, "VIOLATED cross-check: no order of the 2 operations on B/t-0 ")
			lines := strings.Split(rest, "\n")
			if code != 1 || !found || len(lines) < 2 {
				t.Fatalf("exit status %d\n%s%s", code, out, diag)
			}
			file, named := strings.CutPrefix(lines[1], "  picture for a browser: ")
			if !named || !strings.HasPrefix(file, c.dir) || filepath.Base(file) != "T4-B-t-0.html" {
				t.Fatalf("no path below the sentence, but %q", lines[1])
			}
			page, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(page), `"append of q at offset 0"`) {
				t.Errorf("%v: the page has not the operation", err)
			}
		})
	}
}

// With --json a page is written where it is asked for, and else none; a run that holds has none.
func TestPicturesWithJSON(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct {
		name string
		args []string
		want int
	}{
		{"asked for", append(unexplained, "--json", "--pictures", os.Getenv("TMPDIR")), 1},
		{"not asked for", append(unexplained, "--json"), 0},
		{"nothing to show", []string{"run", "T4", "--json", "--pictures", os.Getenv("TMPDIR")}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, out, _ := command(c.args...)
			var rep scenarios.Report
			if err := json.Unmarshal([]byte(out), &rep); err != nil {
				t.Fatal(err)
			}
			there, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
			if err != nil || len(rep.Pictures) != c.want || len(there) != c.want {
				t.Errorf("%v: %v, and %v are there", err, rep.Pictures, there)
			}
			for _, file := range there {
				os.RemoveAll(file)
			}
		})
	}
}

// A replay of a recording has its pictures too.
func TestPicturesOfAReplay(t *testing.T) {
	dir := t.TempDir()
	rec := filepath.Join(dir, "t4.rec")
	command(append(unexplained, "--record", rec, "--pictures", dir)...)
	if err := os.Remove(filepath.Join(dir, "T4-B-t-0.html")); err != nil {
		t.Fatal(err)
	}
	_, out, diag := command("run", "--replay", rec, "--quiet", "--pictures", dir)
	if !strings.Contains(out, "  picture for a browser: "+filepath.Join(dir, "T4-B-t-0.html")) {
		t.Errorf("%s%s", out, diag)
	}
}
