package scenarios

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/protocol"
)

var update = flag.Bool("update", false, "rewrite the generated pages")

// TestPages: the generated pages are what the catalogue and the runs give. With -update it rewrites them.
func TestPages(t *testing.T) {
	alone(t)
	for _, page := range []struct {
		path string
		make func() (string, error)
	}{
		{"../SCENARIOS.md", Page},
		{"REFERENCE.md", Reference},
		{"../model/WALKTHROUGH.md", Walkthrough},
		{"../FINDINGS.md", FindingsPage},
	} {
		t.Run(filepath.Base(page.path), func(t *testing.T) {
			want, err := page.make()
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(page.path, []byte(want), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(page.path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); d != "" {
				t.Errorf("out of step; rewrite it with go test ./scenarios -run Pages -update (-generated +page):\n%s", d)
			}
		})
	}
}

// What stands between these lines of PROTOCOL.md is generated.
const (
	statesBegin = "<!-- generated: mirrorsim protocols --states -->\n"
	statesEnd   = "<!-- end of generated -->\n"
)

// TestPagesStates: PROTOCOL.md has the state machine that the code has. With -update it is written anew.
func TestPagesStates(t *testing.T) {
	const path = "../model/PROTOCOL.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), statesBegin)
	got, tail, closed := strings.Cut(rest, statesEnd)
	if !ok || !closed {
		t.Fatalf("%s has no block between %q and %q", path, statesBegin, statesEnd)
	}
	m := States()
	want := "\n" + m.Markdown() + "\n```mermaid\n" + m.Mermaid() + "```\n\n"
	if *update {
		if err := os.WriteFile(path, []byte(head+statesBegin+want+statesEnd+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("out of step; rewrite it with go test ./scenarios -run Pages -update (-generated +page):\n%s", d)
	}
}

// TestPageHasEveryCase: a case whose name begins with a letter of no family would be left out.
func TestPageHasEveryCase(t *testing.T) {
	page, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Catalogue() {
		if n := strings.Count(page, "\n### "+f.Name+"\n"); n != 1 {
			t.Errorf("the page has %s %d times", f.Name, n)
		}
	}
}

// TestPageShortensSteps: a list of many names stands with its ends, anything else as it is.
func TestPageShortensSteps(t *testing.T) {
	long := "t00"
	for n := 1; n < 50; n++ {
		long += fmt.Sprintf(" t%02d", n)
	}
	for act, want := range map[string]string{
		"stop " + long + " in B/m":                         "stop t00 … t49 in B/m",
		"delete-topics " + long + " on B":                  "delete-topics t00 … t49 on B",
		"create-partitions " + long + " on B partitions=3": "create-partitions t00 … t49 on B partitions=3",
		"stop t u v in B/m pattern=orders-.*":              "stop t u v in B/m pattern=orders-.*",
		"produce p A/t-0 3 acks=all pid=7 batch=2":         "produce p A/t-0 3 acks=all pid=7 batch=2",
	} {
		if got := shortened(act); got != want {
			t.Errorf("%s is %s, want %s", act, got, want)
		}
	}
}

// TestReferenceIsComplete: every word of a table has a text, and no two words of a table have the same one.
func TestReferenceIsComplete(t *testing.T) {
	for _, table := range referenceTables {
		seen, rows := map[string]string{}, table.rows()
		if len(rows) == 0 {
			t.Errorf("%s: no words", table.title)
		}
		for _, row := range rows {
			word, doc := row[0], strings.Join(row[1:], "|")
			if len(row) != len(table.head) {
				t.Errorf("%s: %s has %d cells", table.title, word, len(row))
			}
			for i, cell := range row {
				if cell == "" && table.head[i] != "tried again" && table.head[i] != "takes effect" { // where nothing is no
					t.Errorf("%s: %s has no text under %q", table.title, word, table.head[i])
				}
			}
			if table.title == "Settings" || table.title == "Topic configs" {
				continue // some of them differ by their names alone
			}
			if other, ok := seen[doc]; ok {
				t.Errorf("%s: %s and %s have one text", table.title, other, word)
			}
			seen[doc] = word
		}
	}
}

// TestPagesProtocol: what model/PROTOCOL.md names exists, and it passes over no decision and no option that is not built.
func TestPagesProtocol(t *testing.T) {
	text, err := os.ReadFile("../model/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	t.Run("code", func(t *testing.T) {
		found := regexp.MustCompile("`([a-z]+/[a-z]+\\.go)`((?:,\\s+`[A-Za-z]+`)+)").FindAllStringSubmatch(page, -1)
		if len(found) < 40 {
			t.Errorf("the page names code in %d places only", len(found))
		}
		for _, m := range found {
			source, err := os.ReadFile("../model/" + m[1])
			if err != nil {
				t.Error(err)
				continue
			}
			for _, name := range regexp.MustCompile("[A-Za-z]+").FindAllString(m[2], -1) {
				declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |\t)` + name + `\b`)
				if !declared.Match(source) {
					t.Errorf("model/%s does not declare %s", m[1], name)
				}
			}
		}
	})
	t.Run("decisions", func(t *testing.T) {
		named := map[string]string{}
		for _, m := range regexp.MustCompile("(D[0-9]+)\\s+`([a-z-]+)`").FindAllStringSubmatch(page, -1) {
			if other, ok := named[m[1]]; ok && other != m[2] {
				t.Errorf("%s is called %s and %s", m[1], other, m[2])
			}
			named[m[1]] = m[2]
		}
		for _, d := range protocol.Decisions() {
			if named[d.ID] != d.Name {
				t.Errorf("%s is %s, the page calls it %q", d.ID, d.Name, named[d.ID])
			}
		}
	})
}
