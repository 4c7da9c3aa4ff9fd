package rules

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
)

const (
	maxFunctionLines = 70
	maxFileLines     = 500
)

// Docs refuses an exported identifier without a doc comment, a package without a doc.go, a function of more than 70
// lines and a file of more than 500 (architecture, "Rooms" and "Examples to learn from").
var Docs = &analysis.Analyzer{
	Name: "docs",
	Doc: "refuse missing doc comments and long functions and files\n\n" +
		"Every exported identifier has a doc comment, every package a doc.go with its package comment; functions have " +
		"at most 70 lines and files 500, tests included.",
	Run: runDocs,
}

func runDocs(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		checkLengths(pass, file)
	}
	files := sources(pass)
	if len(files) > 0 {
		checkPackageDoc(pass, files)
	}
	for _, file := range files {
		for i, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				checkFunc(pass, decl, file.Decls[:i])
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					checkSpec(pass, decl, spec)
				}
			}
		}
	}
	return nil, nil
}

func checkLengths(pass *analysis.Pass, file *ast.File) {
	lines := pass.Fset.File(file.FileStart).LineCount()
	if lines > maxFileLines {
		pass.Reportf(file.Name.Pos(), "file of %d lines: split it by concern into files of at most %d", lines, maxFileLines)
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := pass.Fset.Position(f.End()).Line - pass.Fset.Position(f.Pos()).Line + 1
		if lines > maxFunctionLines {
			pass.Reportf(f.Name.Pos(), "function %s has %d lines: split it into functions of at most %d",
				f.Name.Name, lines, maxFunctionLines)
		}
	}
}

func checkPackageDoc(pass *analysis.Pass, files []*ast.File) {
	for _, file := range files {
		if fileName(pass, file) != "doc.go" {
			continue
		}
		if !hasText(file.Doc) {
			pass.Reportf(file.Name.Pos(), "doc.go has no package comment: say what the package is for, what enters and "+
				"leaves, and which file to read first")
		}
		return
	}
	pass.Reportf(files[0].Name.Pos(), "package %s has no doc.go: add one whose package comment says what it is for, what "+
		"enters and leaves, and which file to read first", pass.Pkg.Name())
}

func checkFunc(pass *analysis.Pass, f *ast.FuncDecl, before []ast.Decl) {
	if !f.Name.IsExported() || documented(pass, f, before) {
		return
	}
	if f.Recv == nil {
		undocumented(pass, "function", f.Name)
	} else if receiver := receiverName(f.Recv.List[0].Type); ast.IsExported(receiver) {
		pass.Reportf(f.Name.Pos(), "exported method %s.%s has no doc comment: say what it does, with units, ranges, errors "+
			"and the source of the rule", receiver, f.Name.Name)
	}
}

// documented accepts a comment above the function, or above the first of a block of methods that have one name and
// stand line below line, as the requests' API methods do.
func documented(pass *analysis.Pass, f *ast.FuncDecl, before []ast.Decl) bool {
	for !hasText(f.Doc) {
		if f.Recv == nil || len(before) == 0 {
			return false
		}
		above, ok := before[len(before)-1].(*ast.FuncDecl)
		if !ok || above.Recv == nil || above.Name.Name != f.Name.Name ||
			pass.Fset.Position(above.End()).Line+1 != pass.Fset.Position(f.Pos()).Line {
			return false
		}
		f, before = above, before[:len(before)-1]
	}
	return true
}

func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.ParenExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// checkSpec accepts, for a constant or a variable, a comment above it, at the end of its line, or above its group.
func checkSpec(pass *analysis.Pass, decl *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if !hasText(spec.Doc) && (decl.Lparen.IsValid() || !hasText(decl.Doc)) {
			undocumented(pass, "type", spec.Name)
		}
	case *ast.ValueSpec:
		if hasText(spec.Doc) || hasText(spec.Comment) || hasText(decl.Doc) {
			return
		}
		kind := "constant"
		if decl.Tok == token.VAR {
			kind = "variable"
		}
		for _, name := range spec.Names {
			undocumented(pass, kind, name)
		}
	}
}

func undocumented(pass *analysis.Pass, kind string, name *ast.Ident) {
	if name.IsExported() {
		pass.Reportf(name.Pos(), "exported %s %s has no doc comment: say what it is, with units, ranges, errors and the "+
			"source of the rule", kind, name.Name)
	}
}

// hasText is false for a comment that holds only directives, such as //go:embed.
func hasText(doc *ast.CommentGroup) bool { return doc.Text() != "" }
