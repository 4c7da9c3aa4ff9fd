package rules

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// Determinism refuses, in model, sim and faults, whatever could make two runs of the same input differ: the clock,
// random numbers, I/O, goroutines, channels, map order, addresses, and state outside the nodes (architecture,
// "Determinism is a property, tested").
var Determinism = &analysis.Analyzer{
	Name: "determinism",
	Doc: "refuse nondeterminism in model, sim and faults\n\n" +
		"A run is a pure function of scenario, protocol and choices. These packages use no clock, randomness, I/O, " +
		"goroutine, channel, map order, address or package-level state.",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      runDeterminism,
}

// determinism is the rule at work on one package.
type determinism struct {
	*analysis.Pass
	dir string
}

func runDeterminism(pass *analysis.Pass) (any, error) {
	dir, ok := packageDir(pass)
	if !ok || !within(dir, "model") && !within(dir, "sim") && !within(dir, "faults") {
		return nil, nil
	}
	d := determinism{pass, dir}
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	for file := range root.Children() {
		if isTest(pass, file.Node().(*ast.File)) {
			continue
		}
		for cur := range file.Preorder() {
			d.check(cur)
		}
	}
	return nil, nil
}

func (d determinism) check(cur inspector.Cursor) {
	switch n := cur.Node().(type) {
	case *ast.ImportSpec:
		d.pureImport(n)
	case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType, *ast.UnaryExpr:
		d.singleThread(n)
	case *ast.DeferStmt:
		d.noDefer(n)
	case *ast.CallExpr:
		d.call(cur, n)
	case *ast.SelectorExpr:
		d.mapOrder(cur, n)
	case *ast.RangeStmt:
		d.rangeOver(cur, n)
	case *ast.MapType:
		d.mapKey(n)
	case *ast.AssignStmt:
		d.assign(cur, n.Lhs...)
	case *ast.IncDecStmt:
		d.assign(cur, n.X)
	}
}

func (d determinism) call(cur inspector.Cursor, call *ast.CallExpr) {
	if d.TypesInfo.Types[call.Fun].IsType() {
		d.conversion(call)
		return
	}
	d.fmtCall(cur, call)
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return
	}
	if _, ok := d.TypesInfo.Uses[id].(*types.Builtin); !ok {
		return
	}
	switch id.Name {
	case "recover":
		d.noRecover(call)
	case "print", "println":
		d.Reportf(call.Pos(), "%s writes to standard error: model, sim and faults do no I/O; emit an event", id.Name)
	case "clear", "copy", "delete":
		d.assign(cur, call.Args[0])
	}
}

func (d determinism) rangeOver(cur inspector.Cursor, loop *ast.RangeStmt) {
	d.rangeChannel(loop)
	d.rangeMap(cur, loop)
	for _, target := range []ast.Expr{loop.Key, loop.Value} {
		if target != nil {
			d.assign(cur, target)
		}
	}
}
