package rules

import (
	"go/ast"
	"go/token"
	"go/types"
)

const oneThread = "a run is single-threaded; goroutines belong to scenarios and cmd"

func (d determinism) singleThread(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		d.Reportf(n.Pos(), "goroutine: %s; act later with a node.Timer", oneThread)
	case *ast.SelectStmt:
		d.Reportf(n.Pos(), "select picks a ready case at random: %s", oneThread)
	case *ast.ChanType:
		d.Reportf(n.Pos(), "channel: %s; hand over a slice", oneThread)
	case *ast.SendStmt:
		d.Reportf(n.Pos(), "channel send: %s; send with node.Send", oneThread)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			d.Reportf(n.Pos(), "channel receive: %s; a message arrives as node.Input", oneThread)
		}
	}
}

func (d determinism) rangeChannel(loop *ast.RangeStmt) {
	if _, ok := d.TypesInfo.TypeOf(loop.X).Underlying().(*types.Chan); ok {
		d.Reportf(loop.Pos(), "range over a channel: %s", oneThread)
	}
}

// Only sim may catch a panic: it turns a failed assertion of the model into a violation and lets all else through.
func (d determinism) noDefer(n *ast.DeferStmt) {
	if !within(d.dir, "sim") {
		d.Reportf(n.Pos(), "defer outside sim: a step has one way through; undo and finish in plain code")
	}
}

func (d determinism) noRecover(call *ast.CallExpr) {
	if !within(d.dir, "sim") {
		d.Reportf(call.Pos(), "recover outside sim: it would hide a failed assertion; let the panic go up to the world")
	}
}
