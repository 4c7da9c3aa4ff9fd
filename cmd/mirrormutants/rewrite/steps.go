package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// sisters are the operators that assign.
var sisters = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.AND_NOT_ASSIGN: token.AND_NOT, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// assign rewrites x += y and its sisters as x = x + y.
func (w *walker) assign(n *ast.AssignStmt) {
	op, ok := sisters[n.Tok]
	if !ok || !w.whole(n.Lhs[0]) {
		return
	}
	o, x := arithmetic[op], n.Lhs[0]
	length := len(n.Tok.String())
	if !w.calls(x) {
		i := w.add(n.Pos(), n.End(), n.TokPos, length, o.other+"=")
		w.edits.replace(n.TokPos, length, fmt.Sprintf("= mutant.%s(%d, %s,", o.name, i, w.text(x)))
		w.edits.close(n.End(), ")")
		return
	}
	name := map[token.Token]string{token.ADD: "AddTo", token.SUB: "SubtractFrom"}[op]
	if name == "" || w.ofMap(x) {
		return
	}
	i := w.add(n.Pos(), n.End(), n.TokPos, length, o.other+"=")
	w.edits.open(n.Pos(), fmt.Sprintf("mutant.%s(%d, &", name, i))
	w.edits.replace(x.End(), int(n.TokPos-x.End())+length, ",")
	w.edits.close(n.End(), ")")
}

// step rewrites x++ and x--.
func (w *walker) step(n *ast.IncDecStmt) {
	name, other := "Add", "--"
	if n.Tok == token.DEC {
		name, other = "Subtract", "++"
	}
	switch {
	case !w.calls(n.X):
		i := w.add(n.Pos(), n.End(), n.TokPos, 2, other)
		w.edits.replace(n.TokPos, 2, fmt.Sprintf(" = mutant.%s(%d, %s, 1)", name, i, w.text(n.X)))
	case !w.ofMap(n.X):
		i := w.add(n.Pos(), n.End(), n.TokPos, 2, other)
		w.edits.open(n.Pos(), fmt.Sprintf("mutant.%s(%d, &", map[string]string{"Add": "AddTo", "Subtract": "SubtractFrom"}[name], i))
		w.edits.replace(n.TokPos, 2, ", 1)")
	}
}

// calls tells whether finding x calls something, which must not be done twice.
func (w *walker) calls(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || !w.info.Types[call.Fun].IsType()
		}
		return true
	})
	return found
}

// ofMap tells whether x is an entry of a map, or stands in one, which has no address.
func (w *walker) ofMap(x ast.Expr) bool {
	index, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok {
		return false
	}
	_, ok = w.info.Types[index.X].Type.Underlying().(*types.Map)
	return ok
}

// text is the code of x.
func (w *walker) text(x ast.Expr) string {
	return w.source.text[w.edits.offset(x.Pos()):w.edits.offset(x.End())]
}
