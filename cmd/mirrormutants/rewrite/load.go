package rewrite

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is one file of a package.
type source struct {
	path string // from the module's root, with slashes
	text string
	tree *ast.File
}

// loaded is a package with what its expressions mean.
type loaded struct {
	dir   string // from the module's root, with slashes
	files []source
	pkg   *types.Package
	info  *types.Info
}

// loader type-checks the packages of a module, each once. The others, which are those of the standard library, it takes as they
// are compiled.
type loader struct {
	root, module string
	fset         *token.FileSet
	library      types.Importer
	done         map[string]*loaded
}

func newLoader(root, module string) *loader {
	fset := token.NewFileSet()
	return &loader{root, module, fset, importer.ForCompiler(fset, "gc", nil), map[string]*loaded{}}
}

// Import is a package that another one imports.
func (l *loader) Import(path string) (*types.Package, error) {
	dir, own := strings.CutPrefix(path, l.module+"/")
	if !own {
		return l.library.Import(path)
	}
	p, err := l.load(dir)
	if err != nil {
		return nil, err
	}
	return p.pkg, nil
}

// load is the package in that directory. The error says that it cannot be read or does not compile.
func (l *loader) load(dir string) (*loaded, error) {
	if p := l.done[dir]; p != nil {
		return p, nil
	}
	names, err := filepath.Glob(filepath.Join(l.root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &loaded{dir: dir, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
	var trees []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(l.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, source{dir + "/" + filepath.Base(name), string(text), tree})
		trees = append(trees, tree)
	}
	if len(trees) == 0 {
		return nil, fmt.Errorf("%s has no Go file", filepath.Join(l.root, dir))
	}
	c := types.Config{Importer: l}
	if p.pkg, err = c.Check(l.module+"/"+dir, l.fset, trees, p.info); err != nil {
		return nil, err
	}
	l.done[dir] = p
	return p, nil
}

// directories are those below dir, and itself, that have a Go file, ordered.
func directories(root, dir string) (list []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		below, err := filepath.Rel(root, filepath.Dir(path))
		if below = filepath.ToSlash(below); !slices.Contains(list, below) {
			list = append(list, below)
		}
		return err
	})
	slices.Sort(list)
	return list, err
}
