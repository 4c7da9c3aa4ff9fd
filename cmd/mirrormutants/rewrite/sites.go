package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// walker goes through one file and rewrites it.
type walker struct {
	*loaded
	source   source
	edits    edits
	function string // that it is in
	next     int    // the index of the next mutant
	seen     map[string]int
	mutants  []Mutant
}

func (w *walker) walk() {
	for _, d := range w.source.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if w.function = functionName(d); d.Body != nil && !w.inWords(d) {
				ast.Inspect(d.Body, w.visit)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					w.function = "var " + s.Names[0].Name
					for _, value := range s.Values {
						ast.Inspect(value, w.visit)
					}
				}
			}
		}
	}
}

// functionName is the name of a function with its receiver.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	return "(" + types.ExprString(d.Recv.List[0].Type) + ")." + d.Name.Name
}

// inWords tells whether a function puts something into words for people.
func (w *walker) inWords(d *ast.FuncDecl) bool {
	name := strings.ToLower(d.Name.Name)
	if name == "string" || name == "error" {
		return true
	}
	if !strings.Contains(name, "wait") && !strings.Contains(name, "describe") {
		return false
	}
	text := func(list *ast.FieldList) bool {
		return list != nil && len(list.List) == 1 && types.ExprString(list.List[0].Type) == "string"
	}
	return text(d.Type.Results) || slices.ContainsFunc(d.Type.Params.List, func(f *ast.Field) bool {
		hand, ok := f.Type.(*ast.FuncType)
		return ok && text(hand.Params)
	})
}

// visit rewrites one node; what is inside comes after it.
func (w *walker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return !w.asserts(n)
	case *ast.BinaryExpr:
		if w.constant(n) {
			return false
		}
		w.binary(n)
	case *ast.UnaryExpr:
		if w.constant(n) {
			return false
		}
		w.unary(n)
	case *ast.IfStmt:
		w.condition(n.Cond)
	case *ast.ForStmt:
		w.condition(n.Cond)
	case *ast.SwitchStmt:
		w.cases(n)
	case *ast.IncDecStmt:
		w.step(n)
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.GenDecl:
		return n.Tok == token.VAR
	}
	return true
}

// asserts tells whether a call is one of assert.That.
func (w *walker) asserts(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f := w.info.Uses[sel.Sel]
	return f != nil && f.Pkg() != nil && strings.HasSuffix(f.Pkg().Path(), "/assert") && f.Name() == "That"
}

func (w *walker) constant(e ast.Expr) bool { return w.info.Types[e].Value != nil }

func (w *walker) cases(n *ast.SwitchStmt) {
	for _, c := range n.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if n.Tag == nil {
				w.condition(e)
			}
		}
	}
}

// condition has a condition negated, unless it is made of others or is a comparison: those are mutants where they stand.
func (w *walker) condition(e ast.Expr) {
	if e == nil || w.constant(e) {
		return
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return
		}
	}
	if w.isBool(e) {
		i := w.add(e.Pos(), e.End(), e.Pos(), 0, "!")
		w.call("Not", i, e)
	}
}

func (w *walker) isBool(e ast.Expr) bool {
	t := w.info.Types[e].Type
	return t == types.Typ[types.Bool] || t == types.Typ[types.UntypedBool]
}

// call has e handed to a function of the mutants.
func (w *walker) call(name string, index int, e ast.Expr) {
	w.edits.open(e.Pos(), fmt.Sprintf("mutant.%s(%d, ", name, index))
	w.edits.close(e.End(), ")")
}

func (w *walker) unary(n *ast.UnaryExpr) {
	switch {
	case n.Op == token.NOT:
		w.condition(n.X)
	case n.Op == token.SUB && w.whole(n):
		i := w.add(n.Pos(), n.End(), n.Pos(), 1, "")
		w.edits.openOver(n.Pos(), 1, fmt.Sprintf("mutant.Minus(%d, ", i))
		w.edits.close(n.End(), ")")
	}
}

// whole tells whether e is a whole number.
func (w *walker) whole(e ast.Expr) bool {
	t := w.info.Types[e].Type
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// order has, for each comparison, its name, what it becomes at its bound, and what it is turned round.
var order = map[token.Token]struct{ name, bound, round string }{
	token.LSS: {"Less", "<=", ">="},
	token.LEQ: {"LessOrEqual", "<", ">"},
	token.GTR: {"Greater", ">=", "<="},
	token.GEQ: {"GreaterOrEqual", ">", "<"},
}

// arithmetic has, for each operator, its name and what it becomes.
var arithmetic = map[token.Token]struct{ name, other string }{
	token.ADD:     {"Add", "-"},
	token.SUB:     {"Subtract", "+"},
	token.MUL:     {"Multiply", "/"},
	token.QUO:     {"Divide", "*"},
	token.REM:     {"Remainder", "*"},
	token.AND:     {"And", "|"},
	token.OR:      {"Or", "&"},
	token.XOR:     {"Xor", "&"},
	token.AND_NOT: {"AndNot", "&"},
	token.SHL:     {"Left", ">>"},
	token.SHR:     {"Right", "<<"},
}

func (w *walker) binary(n *ast.BinaryExpr) {
	length := len(n.Op.String())
	become := func(text string) int { return w.add(n.Pos(), n.End(), n.OpPos, length, text) }
	switch n.Op {
	case token.LAND, token.LOR:
		w.condition(n.X)
		w.condition(n.Y)
		w.both(n, become(map[token.Token]string{token.LAND: "||", token.LOR: "&&"}[n.Op]))
	case token.EQL, token.NEQ:
		w.call("Not", become(map[token.Token]string{token.EQL: "!=", token.NEQ: "=="}[n.Op]), n)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		o := order[n.Op]
		i := become(o.bound)
		become(o.round)
		w.operate(n, o.name, i)
	default:
		if o, ok := arithmetic[n.Op]; ok && w.whole(n) {
			w.operate(n, o.name, become(o.other))
		}
	}
}

// both rewrites a && b so that it can be a || b and still leaves b out where that is so: !(!a && !b) is a || b.
func (w *walker) both(n *ast.BinaryExpr, i int) {
	open := fmt.Sprintf("mutant.Not(%d, ", i)
	w.edits.open(n.Pos(), open+open)
	w.edits.close(n.End(), "))")
	w.edits.close(n.X.End(), ")")
	w.edits.open(n.Y.Pos(), open)
}

// operate has a function of the mutants do what an operator does.
func (w *walker) operate(n *ast.BinaryExpr, name string, i int) {
	open := fmt.Sprintf("mutant.%s(%d, ", name, i)
	if w.constant(n.X) && n.Op == token.SHL {
		open += w.typeName(n) + "(" // a constant has the type that stands around it
		w.edits.close(n.X.End(), ")")
	}
	w.edits.open(n.Pos(), open)
	w.edits.close(n.End(), ")")
	w.edits.replace(n.X.End(), int(n.OpPos-n.X.End())+len(n.Op.String()), ",")
}

func (w *walker) typeName(e ast.Expr) string {
	return types.TypeString(w.info.Types[e].Type, func(p *types.Package) string {
		if p == w.pkg {
			return ""
		}
		return p.Name()
	})
}
