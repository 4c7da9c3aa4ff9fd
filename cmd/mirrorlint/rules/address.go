package rules

import (
	"go/ast"
	"go/types"
)

// conversion refuses the one way from an address to a number, at the place; the import of unsafe is refused besides.
func (d determinism) conversion(call *ast.CallExpr) {
	to, ok := d.TypesInfo.TypeOf(call.Fun).Underlying().(*types.Basic)
	if !ok || to.Kind() != types.Uintptr {
		return
	}
	from, ok := d.TypesInfo.TypeOf(call.Args[0]).Underlying().(*types.Basic)
	if ok && from.Kind() == types.UnsafePointer {
		d.Reportf(call.Pos(), "a pointer made a number: addresses differ from run to run; use an id or an index")
	}
}

func (d determinism) mapKey(n *ast.MapType) {
	if key := d.TypesInfo.TypeOf(n.Key); hasAddress(key) {
		d.Reportf(n.Pos(), "map key %s is or may hold a pointer: addresses differ from run to run and cannot be sorted; "+
			"use an id or an index as the key", types.TypeString(key, types.RelativeTo(d.Pkg)))
	}
}

// hasAddress says whether equality of the type's values compares addresses. An interface may hold a pointer (a
// wire.Body always does); a type parameter is judged where it is instantiated, by whoever reads that code.
func hasAddress(t types.Type) bool {
	if _, ok := t.(*types.TypeParam); ok {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Interface:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr
	case *types.Array:
		return hasAddress(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if hasAddress(field.Type()) {
				return true
			}
		}
	}
	return false
}
