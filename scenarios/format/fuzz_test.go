package format

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzScenarioParse has no text make the parser panic; what parses is printed, and parses again as the same scenario.
func FuzzScenarioParse(f *testing.F) {
	f.Add([]byte(messy))
	f.Add([]byte(head + "repeat 2\nuntil quiet within 3s\nend\nexpect log A/t-0=[0-2]@0 3:abort@1 on-schedule calm\n"))
	f.Add([]byte(head + "at 3s fault delay leader B/t-0 by=1s for 2s at-point state.stored nth=3\n"))
	files, err := filepath.Glob("../catalogue/*.scn")
	if err != nil || len(files) == 0 {
		f.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse("fuzz.scn", text)
		if err != nil {
			var e *SyntaxError
			if !errors.As(err, &e) || e.Line < 1 || e.Message == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		printed := s.AppendText(nil)
		again, err := Parse("printed.scn", printed)
		if err != nil {
			t.Fatalf("%v in\n%s", err, printed)
		}
		if d := cmp.Diff(s, again, withoutLines); d != "" {
			t.Fatalf("(-first +again)\n%s\nin\n%s", d, printed)
		}
		if twice := again.AppendText(nil); string(twice) != string(printed) {
			t.Fatalf("printed\n%s\nand again\n%s", printed, twice)
		}
	})
}
