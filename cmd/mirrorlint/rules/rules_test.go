package rules

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
)

// cases are the rules and the packages of testdata/<rule> whose comments say where the rule fires; where no comment
// stands it must not.
var cases = []struct {
	rule *analysis.Analyzer
	dirs []string
}{
	{Determinism, []string{
		"model/imports", "model/text", "model/thread", "model/maps", "model/address", "model/global", "sim", "faults",
		"checkers",
	}},
	{Imports, []string{
		"model/id", "model/wire", "model/plog", "model/mirror", "model/replica", "model/client", "model/strange", "sim",
		"checkers", "scenarios/sweep", "cmd/mirrorsim",
	}},
	{Docs, []string{"good", "bad", "empty"}},
}

func TestRules(t *testing.T) {
	for _, c := range cases {
		p := open(filepath.Join("testdata", c.rule.Name), nil)
		for _, dir := range c.dirs {
			t.Run(c.rule.Name+"/"+dir, func(t *testing.T) {
				found, files := p.diagnose(t, c.rule, dir)
				if len(files) == 0 {
					t.Fatal("no files")
				}
				if diff := cmp.Diff([]string(nil), p.mismatches(found, files)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestAnalyzersAreValid(t *testing.T) {
	if err := analysis.Validate(All()); err != nil {
		t.Error(err)
	}
}

// TestHarness proves that a silent rule and a noisy rule would both be noticed.
func TestHarness(t *testing.T) {
	p := open("testdata/determinism", nil)
	found, files := p.diagnose(t, Determinism, "faults")
	if got := p.mismatches(nil, files); len(got) != 1 || !strings.Contains(got[0], `faults.go:3: missing: import of "time"`) {
		t.Errorf("a silent rule: %q", got)
	}
	twice := append(found, found...)
	if got := p.mismatches(twice, files); len(got) != 1 || !strings.Contains(got[0], "faults.go:3: not wanted") {
		t.Errorf("a noisy rule: %q", got)
	}
}

const sumOverMap = `package disk

func sumOverMap(m map[int]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}
`

// TestOverlaidModel lays a map range over a package of the real model: the rule is silent before and fires after.
func TestOverlaidModel(t *testing.T) {
	found, _ := open("../../..", nil).diagnose(t, Determinism, "model/disk")
	if len(found) != 0 {
		t.Fatalf("without the overlay: %v", found)
	}
	p := open("../../..", map[string]string{"model/disk/overlaid.go": sumOverMap})
	found, _ = p.diagnose(t, Determinism, "model/disk")
	if len(found) != 1 || !strings.HasPrefix(found[0].Message, "range over a map") {
		t.Fatalf("with the overlay: %v", found)
	}
	if at := p.fset.Position(found[0].Pos); filepath.Base(at.Filename) != "overlaid.go" || at.Line != 4 {
		t.Errorf("reported at %v", at)
	}
}

func TestLengths(t *testing.T) {
	const head = "// Package long is long.\npackage long\n\n"
	function := func(lines int) string { return "func f() {\n" + strings.Repeat("\n", lines-2) + "}\n" }
	tests := []struct{ name, file, source, want string }{
		{"function of 70", "doc.go", head + function(70), ""},
		{"function of 71", "doc.go", head + function(71), "function f has 71 lines: split it into functions of at most 70"},
		{"test function of 71", "long_test.go", "package long\n\n" + function(71), "function f has 71 lines: split it into functions of at most 70"},
		{"file of 500", "doc.go", head + strings.Repeat("\n", 497), ""},
		{"file of 501", "doc.go", head + strings.Repeat("\n", 498), "file of 501 lines: split it by concern into files of at most 500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := open("testdata/docs", map[string]string{"long/" + test.file: test.source})
			found, _ := p.diagnose(t, Docs, "long")
			var got string
			for _, d := range found {
				got += d.Message
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
