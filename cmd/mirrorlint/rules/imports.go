package rules

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Imports refuses an import between two of the project's packages that the table does not have: cmd, then scenarios,
// then sim, faults and checkers, then model.
var Imports = &analysis.Analyzer{
	Name: "imports",
	Doc: "refuse imports against the one way\n\n" +
		"The table in cmd/mirrorlint/rules/graph.go says which package may import which. Test files import anything.",
	Run: runImports,
}

func runImports(pass *analysis.Pass) (any, error) {
	dir, ok := packageDir(pass)
	files := sources(pass)
	if !ok || len(files) == 0 {
		return nil, nil
	}
	may, ok := row(dir)
	if !ok {
		pass.Reportf(files[0].Name.Pos(), "package %s is not in the table of imports: add a row to "+
			"cmd/mirrorlint/rules/graph.go that says what it may import", pass.Pkg.Name())
		return nil, nil
	}
	for _, file := range files {
		for _, spec := range file.Imports {
			checkEdge(pass, spec, dir, may)
		}
	}
	return nil, nil
}

func checkEdge(pass *analysis.Pass, spec *ast.ImportSpec, dir string, may []string) {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return
	}
	to, own := projectDir(path)
	if !own || slices.ContainsFunc(may, func(pattern string) bool { return covers(pattern, to) }) {
		return
	}
	accepted := "none of the project's packages"
	if len(may) > 0 {
		accepted = strings.Join(may, ", ")
	}
	pass.Reportf(spec.Pos(), "%s may not import %s: imports go one way, and %s may import %s", dir, to, dir, accepted)
}
