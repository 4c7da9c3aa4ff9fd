// Package mirrorsim_test holds the style rules that cmd/mirrorlint cannot check because they are not about one package.
package mirrorsim_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// files answers the project's text files, without hidden directories, build results and the linter's fixtures.
func files(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if name == "bin" || name == "testdata" || strings.HasPrefix(name, ".") && name != "." && name != ".ci" {
				return fs.SkipDir
			}
			return nil
		}
		if slices.Contains([]string{".go", ".md", ".mod", ".scn"}, filepath.Ext(name)) || name == "Makefile" || path == ".ci/run" {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			texts[filepath.ToSlash(path)] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestEveryPackageHasDoc also sees the packages that build tags hide from the linter.
func TestEveryPackageHasDoc(t *testing.T) {
	texts := files(t)
	for path := range texts {
		doc := filepath.ToSlash(filepath.Join(filepath.Dir(path), "doc.go"))
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && texts[doc] == "" {
			t.Errorf("%s stands in a package without a doc.go", path)
		}
	}
}

var (
	target    = regexp.MustCompile(`(?m)^([a-z]+):`)
	described = regexp.MustCompile(`(?m)^([a-z]+):[^#\n]*## `)
	makeWords = regexp.MustCompile("(?m)(?:`|^\\s*\\$?\\s*)make ([a-z]+)")
)

func words(pattern *regexp.Regexp, text string) []string {
	found := map[string]bool{}
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// TestMakeTargets: each target that a page or .ci/run names exists, and `make help` describes them all.
func TestMakeTargets(t *testing.T) {
	texts := files(t)
	targets := words(target, texts["Makefile"])
	if texts["README.md"] == "" {
		t.Error("there is no README.md")
	}
	for path, text := range texts {
		if filepath.Ext(path) != ".md" {
			continue
		}
		for _, name := range words(makeWords, text) {
			if !slices.Contains(targets, name) {
				t.Errorf("%s names `make %s`; the Makefile has %s", path, name, strings.Join(targets, ", "))
			}
		}
	}
	if shown := words(described, texts["Makefile"]); !slices.Equal(shown, targets) {
		t.Errorf("`make help` shows %q of the targets %q", shown, targets)
	}
	for _, name := range []string{"lint", "race", "test"} {
		if !slices.Contains(targets, name) || !strings.Contains(texts[".ci/run"], name) {
			t.Errorf(".ci/run does not run `make %s`", name)
		}
	}
}

// TestTopLevel keeps the names that a newcomer sees first to those that the project agreed on.
func TestTopLevel(t *testing.T) {
	agreed := []string{
		"bin", "checkers", "cmd", "coverage.out", "faults", "model", "scenarios", "sim",
		"FINDINGS.md", "LICENSE", "Makefile", "README.md", "SCENARIOS.md", "go.mod", "go.sum", "style_test.go",
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); !strings.HasPrefix(name, ".") && !slices.Contains(agreed, name) {
			t.Errorf("%s is not one of the agreed top-level names: %s", name, strings.Join(agreed, ", "))
		}
	}
}

// TestWords: unfinished work has an issue, and nothing points at a place that a fresh clone does not have.
func TestWords(t *testing.T) {
	unfinished := regexp.MustCompile(`\b(TODO|FIXME|XXX)\b(\(issue \d+\))?`)
	elsewhere := regexp.MustCompile(`\.\./shared\b|(^|[\s"(])/(work|tmp|root|home)/`)
	for path, text := range files(t) {
		if path == "style_test.go" {
			continue // it has to name the words
		}
		for i, line := range strings.Split(text, "\n") {
			for _, m := range unfinished.FindAllStringSubmatch(line, -1) {
				if m[2] == "" {
					t.Errorf("%s:%d: %s without an issue: write %[3]s(issue 3)", path, i+1, m[1])
				}
			}
			if elsewhere.MatchString(line) {
				t.Errorf("%s:%d: names a path outside the project: %s", path, i+1, strings.TrimSpace(line))
			}
		}
	}
}

// TestLibraries: the four libraries that the project was asked to use stay in go.mod.
func TestLibraries(t *testing.T) {
	mod := files(t)["go.mod"]
	for _, path := range []string{
		"pgregory.net/rapid", "github.com/google/go-cmp", "github.com/anishathalye/porcupine", "go.uber.org/goleak",
	} {
		if !regexp.MustCompile(`(?m)^\s*(require )?` + regexp.QuoteMeta(path) + ` v`).MatchString(mod) {
			t.Errorf("go.mod does not require %s", path)
		}
	}
}

var (
	fence    = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")
	quoted   = regexp.MustCompile("`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
	ofAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the anchors of a page's headings, as GitHub makes them: lower case, without punctuation, a number behind one that comes
// again.
func anchors(page string) map[string]bool {
	found, times := map[string]bool{}, map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		a := strings.ReplaceAll(ofAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		if n := times[a]; n > 0 {
			found[fmt.Sprint(a, "-", n)] = true
		} else {
			found[a] = true
		}
		times[a]++
	}
	return found
}

// broken are the links of a page that lead to no file, or to no heading of one. read is the text of a page, and whether there is a
// file or directory of that name.
func broken(name, page string, read func(path string) (text string, ok bool)) (list []string) {
	text := quoted.ReplaceAllString(fence.ReplaceAllString(page, ""), "")
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
			continue
		}
		file, anchor, _ := strings.Cut(m[1], "#")
		to := name
		if file != "" {
			to = path.Join(path.Dir(name), file)
		}
		target, ok := read(to)
		switch {
		case !ok:
			list = append(list, m[1]+": there is no such file")
		case anchor != "" && !anchors(target)[anchor]:
			list = append(list, m[1]+": the page has no such heading")
		}
	}
	return list
}

// TestLinks: every relative link of every page leads to a file that there is, and one with an anchor to a heading of it.
func TestLinks(t *testing.T) {
	texts := files(t)
	links := 0
	for name, page := range texts {
		if filepath.Ext(name) != ".md" {
			continue
		}
		links += len(link.FindAllString(page, -1))
		for _, what := range broken(name, page, func(to string) (string, bool) {
			if text, ok := texts[to]; ok {
				return text, true
			}
			_, err := os.Stat(filepath.FromSlash(to))
			return "", err == nil && !strings.HasPrefix(to, "..")
		}) {
			t.Errorf("%s: %s", name, what)
		}
	}
	if links < 100 {
		t.Errorf("only %d links were found", links)
	}
}

// TestBrokenLinks: what TestLinks looks for is found.
func TestBrokenLinks(t *testing.T) {
	pages := map[string]string{"a/b.md": "# B\n\n## One `word` & more\n\n## One `word` & more\n\n```\n# no heading\n```\n", "c.go": ""}
	read := func(to string) (string, bool) { text, ok := pages[to]; return text, ok }
	for page, want := range map[string]string{
		"[x](b.md)": "", "[x](../c.go)": "", "[x](b.md#one-word--more) [y](b.md#one-word--more-1)": "", "[x](https://x.y/z#a)": "",
		"`[x](none.md)`": "", "[x](#here)\n\n# Here": "",
		"[x](none.md)":         "none.md: there is no such file",
		"[x](b.md#no-heading)": "b.md#no-heading: the page has no such heading",
		"[x](#there)":          "#there: the page has no such heading",
	} {
		pages["a/x.md"] = page
		if got := strings.Join(broken("a/x.md", page, read), "; "); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
}

// toured are the packages whose doc.go leads through all their files.
var toured = []string{"scenarios", "scenarios/plan", "scenarios/format"}

var goFile = regexp.MustCompile(`\b[a-z_]+(?:\*)?\.go\b`)

// TestDocNamesEveryFile: the doc.go of a package that is too large to be read in one go names every file, or a group of them by what
// their names begin with, and no file that there is not.
func TestDocNamesEveryFile(t *testing.T) {
	texts := files(t)
	for _, dir := range toured {
		used := map[string]bool{}
		named := words(regexp.MustCompile(`(`+goFile.String()+`)`), texts[dir+"/doc.go"])
		for name := range texts {
			if path.Dir(name) != dir || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || path.Base(name) == "doc.go" {
				continue
			}
			i := slices.IndexFunc(named, func(pattern string) bool {
				ok, err := path.Match(pattern, path.Base(name))
				return err == nil && ok
			})
			if i < 0 {
				t.Errorf("%s/doc.go says nothing of %s", dir, path.Base(name))
				continue
			}
			used[named[i]] = true
		}
		for _, name := range named {
			if !used[name] {
				t.Errorf("%s/doc.go names %s, which there is not", dir, name)
			}
		}
	}
}
