package rules

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// project is a directory that stands for the root of the project, with files laid over it by their path below root.
// Package analysistest would do most of this, but it cannot overlay, and needs the module golang.org/x/mod besides.
type project struct {
	root    string
	overlay map[string]string
	fset    *token.FileSet
	std     types.Importer
	done    map[string]*types.Package
}

func open(root string, overlay map[string]string) *project {
	fset := token.NewFileSet()
	return &project{root, overlay, fset, importer.ForCompiler(fset, "gc", nil), map[string]*types.Package{}}
}

// Import type-checks a package of the project for another one that imports it.
func (p *project) Import(path string) (*types.Package, error) {
	dir, own := projectDir(path)
	if _, err := os.Stat(filepath.Join(p.root, path)); !own && err != nil {
		return p.std.Import(path)
	}
	if !own {
		dir = path
	}
	if pkg := p.done[path]; pkg != nil {
		return pkg, nil
	}
	files, err := p.parse(dir, false)
	if err != nil {
		return nil, err
	}
	pkg, err := (&types.Config{Importer: p}).Check(path, p.fset, files, nil)
	p.done[path] = pkg
	return pkg, err
}

func (p *project) parse(dir string, tests bool) ([]*ast.File, error) {
	names, err := filepath.Glob(filepath.Join(p.root, dir, "*.go"))
	for path := range p.overlay {
		if filepath.Dir(path) == dir {
			names = append(names, filepath.Join(p.root, path))
		}
	}
	slices.Sort(names)
	var files []*ast.File
	for _, name := range slices.Compact(names) {
		if strings.HasSuffix(name, "_test.go") && !tests {
			continue
		}
		below, err := filepath.Rel(p.root, name)
		if err != nil {
			return nil, err
		}
		var source any // nil: read the file
		if text, ok := p.overlay[below]; ok {
			source = text
		}
		file, err := parser.ParseFile(p.fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, err
}

// diagnose runs one analyzer over a package of the project with its tests, as go vet does.
func (p *project) diagnose(t *testing.T, a *analysis.Analyzer, dir string) (found []analysis.Diagnostic, files []*ast.File) {
	t.Helper()
	files, err := p.parse(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	path := fmt.Sprintf("%s/%s [%[1]s/%[2]s.test]", module, dir)
	pkg, err := (&types.Config{Importer: p}).Check(path, p.fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Run(&analysis.Pass{
		Analyzer: a, Fset: p.fset, Files: files, Pkg: pkg, TypesInfo: info,
		ResultOf: map[*analysis.Analyzer]any{inspect.Analyzer: inspector.New(files)},
		Report:   func(d analysis.Diagnostic) { found = append(found, d) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, files
}

var (
	wantComment = regexp.MustCompile(`// want(\+\d+)? (.*)`)
	wantText    = regexp.MustCompile("`[^`]*`")
)

// wants reads the comments of the form "// want `pattern`", or "// want+2 `pattern`" for two lines below.
func (p *project) wants(files []*ast.File) map[string][]*regexp.Regexp {
	wants := map[string][]*regexp.Regexp{}
	for _, file := range files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				m := wantComment.FindStringSubmatch(comment.Text)
				if m == nil {
					continue
				}
				below, _ := strconv.Atoi(m[1])
				at := p.fset.Position(comment.Pos())
				for _, text := range wantText.FindAllString(m[2], -1) {
					key := fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line+below)
					wants[key] = append(wants[key], regexp.MustCompile(strings.Trim(text, "`")))
				}
			}
		}
	}
	return wants
}

// mismatches names each diagnostic that no comment wants and each wanted one that is missing.
func (p *project) mismatches(found []analysis.Diagnostic, files []*ast.File) []string {
	var wrong []string
	wants := p.wants(files)
	for _, d := range found {
		at := p.fset.Position(d.Pos)
		key := fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
		i := slices.IndexFunc(wants[key], func(want *regexp.Regexp) bool { return want.MatchString(d.Message) })
		if i < 0 {
			wrong = append(wrong, key+": not wanted: "+d.Message)
			continue
		}
		wants[key] = slices.Delete(wants[key], i, i+1)
	}
	for key, left := range wants {
		for _, want := range left {
			wrong = append(wrong, fmt.Sprintf("%s: missing: %s", key, want))
		}
	}
	slices.Sort(wrong)
	return wrong
}
