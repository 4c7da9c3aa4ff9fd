package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the run that README.md quotes")

// The quoted run is a block between these lines.
const (
	quoteBegin = "<!-- the end of: mirrorsim run -->\n```\n"
	quoteEnd   = "```\n"
	quoteFrom  = "12. until lag A/t-0=0\n" // what the block begins with
)

// TestPagesReadme: README.md quotes the end of `mirrorsim run` as it is. With -update it is quoted anew.
func TestPagesReadme(t *testing.T) {
	const path = "../../README.md"
	var out, diag bytes.Buffer
	if code := execute(t.Context(), []string{"run"}, &out, &diag); code != 0 {
		t.Fatalf("mirrorsim run exits with %d: %s", code, diag.String())
	}
	at := strings.Index(out.String(), quoteFrom)
	if at < 0 {
		t.Fatalf("mirrorsim run prints no line %q", quoteFrom)
	}
	want := out.String()[at:]
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), quoteBegin)
	got, tail, closed := strings.Cut(rest, quoteEnd)
	if !ok || !closed {
		t.Fatalf("README.md has no block that begins with %q", quoteBegin)
	}
	if *update {
		if err := os.WriteFile(path, []byte(head+quoteBegin+want+quoteEnd+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("out of step; rewrite it with go test ./cmd/mirrorsim -run Pages -update (-run +README):\n%s", d)
	}
}
