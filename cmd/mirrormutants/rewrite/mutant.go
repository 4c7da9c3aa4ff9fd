package rewrite

import (
	_ "embed"
	"fmt"
	"go/token"
	"path"
	"strings"
)

// The environment variables that the rewritten model reads when it starts: which mutant it is, how many seconds of processor
// time it may take, without which it may take as many as it likes, and the file in which it notes which mutants it consults: the
// byte at the offset of the index is 1.
const (
	IndexVariable   = "MIRRORMUTANTS_INDEX"
	SecondsVariable = "MIRRORMUTANTS_SECONDS"
	NotesVariable   = "MIRRORMUTANTS_NOTES"
)

// Endless is the exit status of a mutant that took more memory or more time than it may: its loop has no end.
const Endless = 97

//go:embed mutant.go.txt
var consulted string

// Mutant is one small change of the model.
type Mutant struct {
	Index      int    // from 1
	Package    string // from the module's root
	Function   string // with its receiver in parentheses; "var x" for what a variable of the package is set to
	File       string // from the module's root
	Line       int
	Expression string // in one line
	Mutated    string // the same, changed
	Ordinal    int    // among those of the package and function with the same expression and change, from 1
}

// Key names a mutant in words that stay when lines move.
func (m *Mutant) Key() string {
	key := fmt.Sprintf("%s %s: %s => %s", m.Package, m.Function, m.Expression, m.Mutated)
	if m.Ordinal > 1 {
		key += fmt.Sprintf(" (%d)", m.Ordinal)
	}
	return key
}

// Rewritten is the code with all mutants in it.
type Rewritten struct {
	Mutants []Mutant
	Files   map[string]string // to be laid over the module, by path from its root
}

// Rewrite rewrites all packages of a module that are below a directory. Their order, and with it the indices, is that of their
// paths. The error says that one cannot be read or does not compile.
func Rewrite(root, module, below string) (*Rewritten, error) {
	dirs, err := directories(root, below)
	if err != nil {
		return nil, err
	}
	l, r := newLoader(root, module), &Rewritten{Files: map[string]string{below + "/mutant/mutant.go": consulted}}
	for _, dir := range dirs {
		if path.Base(dir) == "assert" {
			continue
		}
		p, err := l.load(dir)
		if err != nil {
			return nil, err
		}
		seen := map[string]int{}
		for _, file := range p.files {
			w := &walker{loaded: p, source: file, edits: edits{file: l.fset.File(file.tree.Pos())}, next: len(r.Mutants) + 1, seen: seen}
			w.walk()
			if len(w.mutants) == 0 {
				continue
			}
			w.edits.replace(file.tree.Name.End(), 0, fmt.Sprintf("; import %q", module+"/"+below+"/mutant"))
			r.Mutants = append(r.Mutants, w.mutants...)
			r.Files[file.path] = w.edits.apply(file.text)
		}
	}
	return r, nil
}

// add notes a mutant of what stands from at to end, in which text takes the place of the length bytes at from. It answers its
// index.
func (w *walker) add(at, end, from token.Pos, length int, text string) int {
	o := w.edits.offset
	whole := w.source.text[o(at):o(end)]
	m := Mutant{Index: w.next, Package: w.dir, Function: w.function, File: w.source.path, Line: w.edits.file.Line(from),
		Expression: oneLine(whole), Ordinal: 1,
		Mutated: oneLine(whole[:o(from)-o(at)] + text + whole[o(from)-o(at)+length:])}
	w.seen[m.Key()]++
	m.Ordinal = w.seen[m.Key()]
	w.mutants = append(w.mutants, m)
	w.next++
	return m.Index
}

// oneLine is code without its line breaks and comments to the end of a line.
func oneLine(code string) string {
	var words []string
	for line := range strings.SplitSeq(code, "\n") {
		line, _, _ = strings.Cut(line, "// ")
		words = append(words, strings.Fields(line)...)
	}
	return strings.Join(words, " ")
}
