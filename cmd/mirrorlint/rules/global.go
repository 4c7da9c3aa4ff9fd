package rules

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// assign refuses a change, outside init, of a package-level variable or of what it leads to: two runs in one process
// would share it. A change through an address taken earlier is not seen.
func (d determinism) assign(cur inspector.Cursor, targets ...ast.Expr) {
	for _, target := range targets {
		if v := d.packageVariable(target); v != nil && !inInit(cur) {
			d.Reportf(target.Pos(), "package-level variable %s changes at run time, and two runs share it: set it where "+
				"it is declared or in init, or keep it in the node or the world", v.Name())
		}
	}
}

// packageVariable answers the package-level variable that the expression leads from, if any.
func (d determinism) packageVariable(e ast.Expr) *types.Var {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.SelectorExpr:
			if d.TypesInfo.Selections[x] == nil { // qualified by a package
				e = x.Sel
			} else {
				e = x.X
			}
		case *ast.Ident:
			v, ok := d.TypesInfo.ObjectOf(x).(*types.Var)
			if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
				return nil
			}
			return v
		default:
			return nil
		}
	}
}

func inInit(cur inspector.Cursor) bool {
	for outer := range cur.Enclosing((*ast.FuncDecl)(nil)) {
		f := outer.Node().(*ast.FuncDecl)
		return f.Recv == nil && f.Name.Name == "init"
	}
	return false
}
