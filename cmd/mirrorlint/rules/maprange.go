package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// rangeMap refuses a loop over a map, but for one that does nothing with the keys than collect them, if the next thing
// done with them is to sort them.
func (d determinism) rangeMap(cur inspector.Cursor, loop *ast.RangeStmt) {
	if !isMap(d.TypesInfo.TypeOf(loop.X)) {
		return
	}
	keys := d.collected(loop)
	switch {
	case keys == nil:
		d.Reportf(loop.Pos(), "range over a map goes in random order: accepted is a loop whose body is only "+
			"keys = append(keys, k), with keys sorted in the same function; or range over slices.Sorted(maps.Keys(m))")
	case !d.sortedNext(cur, loop, keys):
		d.Reportf(loop.Pos(), "%s holds the keys of a map in random order: sort it (slices.Sort or SortFunc) in the same "+
			"function, in the block of the loop, before anything else uses it", keys.Name())
	}
}

func isMap(t types.Type) bool {
	if param, ok := t.(*types.TypeParam); ok {
		return mapConstraint(param.Constraint().Underlying().(*types.Interface))
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// mapConstraint says whether a type parameter under this constraint may be a map, as in [M ~map[K]V].
func mapConstraint(constraint *types.Interface) bool {
	for embedded := range constraint.EmbeddedTypes() {
		terms, ok := embedded.(*types.Union)
		if !ok {
			if isMap(embedded) {
				return true
			}
			continue
		}
		for term := range terms.Terms() {
			if isMap(term.Type()) {
				return true
			}
		}
	}
	return false
}

// collected answers the local variable to which the loop appends its keys, nil if the loop does anything else.
func (d determinism) collected(loop *ast.RangeStmt) types.Object {
	key, ok := loop.Key.(*ast.Ident)
	if !ok || !isBlank(loop.Value) || len(loop.Body.List) != 1 {
		return nil
	}
	assign, ok := loop.Body.List[0].(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 {
		return nil
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return nil
	}
	if b, ok := typeutil.Callee(d.TypesInfo, call).(*types.Builtin); !ok || b.Name() != "append" {
		return nil
	}
	keys := d.object(assign.Lhs[0])
	if keys == nil || keys.Parent() == d.Pkg.Scope() || d.object(call.Args[0]) != keys ||
		d.object(call.Args[1]) != d.object(key) {
		return nil
	}
	return keys
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Name == "_"
}

func (d determinism) object(e ast.Expr) types.Object {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	return d.TypesInfo.ObjectOf(id)
}

// sortedNext says whether the first use of keys after the loop, in the same function, is a statement that sorts them
// and that is reached whenever the loop was.
func (d determinism) sortedNext(cur inspector.Cursor, loop *ast.RangeStmt, keys types.Object) bool {
	for function := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		for use := range function.Preorder((*ast.Ident)(nil)) {
			id := use.Node().(*ast.Ident)
			if id.Pos() > loop.End() && d.TypesInfo.ObjectOf(id) == keys {
				return d.isSorted(use, loop)
			}
		}
		return false
	}
	return false
}

func (d determinism) isSorted(use inspector.Cursor, loop *ast.RangeStmt) bool {
	for outer := range use.Enclosing((*ast.CallExpr)(nil)) {
		call := outer.Node().(*ast.CallExpr)
		if !d.calls(call, "slices", "Sort", "SortFunc", "SortStableFunc") &&
			!d.calls(call, "sort", "Sort", "Stable", "Slice", "SliceStable", "Ints", "Strings", "Float64s") {
			continue
		}
		statement, ok := outer.Parent().Node().(*ast.ExprStmt)
		if !ok || use.Node().End() > call.Args[0].End() {
			return false
		}
		block := outer.Parent().Parent().Node()
		return statement.Pos() > loop.End() && block.Pos() <= loop.Pos() && loop.End() <= block.End()
	}
	return false
}

// calls says whether the call is to one of these functions of a package.
func (d determinism) calls(call *ast.CallExpr, path string, names ...string) bool {
	f, ok := typeutil.Callee(d.TypesInfo, call).(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == path && slices.Contains(names, f.Name())
}

// mapOrder refuses the functions of package maps that go through a map in its order, but for keys that are sorted on
// the spot.
func (d determinism) mapOrder(cur inspector.Cursor, sel *ast.SelectorExpr) {
	f, ok := d.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "maps" ||
		!slices.Contains([]string{"All", "Keys", "Values", "DeleteFunc"}, f.Name()) {
		return
	}
	if f.Name() == "Keys" && d.sortedOnTheSpot(cur) {
		return
	}
	d.Reportf(sel.Pos(), "maps.%s goes through a map in random order: accepted is slices.Sorted(maps.Keys(m)), "+
		"or SortedFunc", f.Name())
}

// sortedOnTheSpot says whether the function at the cursor is called as the argument of slices.Sorted or its sisters.
func (d determinism) sortedOnTheSpot(cur inspector.Cursor) bool {
	inner, ok := cur.Parent().Node().(*ast.CallExpr)
	if !ok || inner.Fun != cur.Node() {
		return false
	}
	outer, ok := cur.Parent().Parent().Node().(*ast.CallExpr)
	return ok && d.calls(outer, "slices", "Sorted", "SortedFunc", "SortedStableFunc")
}
