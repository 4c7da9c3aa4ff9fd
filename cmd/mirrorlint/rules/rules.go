package rules

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const module = "mirrorsim"

// All answers every rule, in the order in which the package comment names them.
func All() []*analysis.Analyzer { return []*analysis.Analyzer{Determinism, Imports, Docs} }

// packageDir is the directory of the analyzed package below the project root, "" for the root itself; ok is false for
// a package of another module. go vet calls a package that is compiled with its tests "path [path.test]".
func packageDir(pass *analysis.Pass) (dir string, ok bool) {
	path, _, _ := strings.Cut(pass.Pkg.Path(), " ")
	return projectDir(path)
}

func projectDir(importPath string) (dir string, ok bool) {
	if importPath == module {
		return "", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// within says whether dir is root or lies below it.
func within(dir, root string) bool { return dir == root || strings.HasPrefix(dir, root+"/") }

func isTest(pass *analysis.Pass, file *ast.File) bool {
	return strings.HasSuffix(fileName(pass, file), "_test.go")
}

func fileName(pass *analysis.Pass, file *ast.File) string {
	name := pass.Fset.File(file.FileStart).Name()
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// sources are the files of the package that are no test files.
func sources(pass *analysis.Pass) []*ast.File {
	var files []*ast.File
	for _, file := range pass.Files {
		if !isTest(pass, file) {
			files = append(files, file)
		}
	}
	return files
}
