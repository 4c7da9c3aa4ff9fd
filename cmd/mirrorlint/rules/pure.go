package rules

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// pure lists the standard packages whose functions answer the same for the same arguments on every machine. A package
// that is missing here and is pure may be added.
var pure = []string{
	"bytes", "cmp", "container/heap", "container/list", "encoding/binary", "encoding/hex", "errors", "fmt", "hash/crc32",
	"hash/fnv", "iter", "maps", "math", "math/bits", "regexp", "slices", "sort", "strconv", "strings", "unicode", "unicode/utf8",
}

// impure says, for the packages that people reach for, what takes their place here.
var impure = map[string]string{
	"time":         "a wait is a node.Timer and a length of time an id.Duration; only the world knows the virtual time",
	"math/rand":    "every choice is asked of sim/choice",
	"math/rand/v2": "every choice is asked of sim/choice",
	"crypto/rand":  "every choice is asked of sim/choice",
	"hash/maphash": "its seed differs in each process; mix words as package event does",
	"os":           "there is no I/O here; durable state is a disk.Disk, and files belong to scenarios and cmd",
	"io":           "there is no I/O here; append to a []byte and let the caller write it",
	"log":          "there is no I/O here; emit an event",
	"net":          "there is no I/O here; a message is a node.Send",
	"syscall":      "there is no I/O here",
	"sync":         "a run is single-threaded; goroutines belong to scenarios and cmd",
	"context":      "a run is single-threaded; whoever runs it stops between two deliveries",
	"runtime":      "a run may not depend on the machine",
	"unsafe":       "addresses differ from run to run",
	"reflect":      "it shows map order and addresses",
}

func (d determinism) pureImport(spec *ast.ImportSpec) {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil || slices.Contains(pure, path) {
		return
	}
	if _, own := projectDir(path); own {
		return // the imports rule judges it
	}
	first, _, _ := strings.Cut(path, "/")
	if strings.Contains(first, ".") {
		d.Reportf(spec.Pos(), "import of %q: model, sim and faults import only the standard library (tests anything)", path)
		return
	}
	why, ok := impure[path]
	if !ok {
		why, ok = impure[first]
	}
	if !ok {
		why = "it is not on the list of pure packages in cmd/mirrorlint/rules/pure.go"
	}
	d.Reportf(spec.Pos(), "import of %q: %s; accepted are %s", path, why, strings.Join(pure, ", "))
}

var pointerVerb = regexp.MustCompile(`%[-+# 0-9.*\[\]]*p`)

// fmtCall keeps fmt out of a step, where it allocates and could print an address: it is for the text of errors, and
// for the two kinds of text that a person asks for (String, and Waits of the node contract).
func (d determinism) fmtCall(cur inspector.Cursor, call *ast.CallExpr) {
	f, ok := typeutil.Callee(d.TypesInfo, call).(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "fmt" {
		return
	}
	for _, arg := range call.Args {
		text := d.TypesInfo.Types[arg].Value
		if text != nil && text.Kind() == constant.String && pointerVerb.MatchString(constant.StringVal(text)) {
			d.Reportf(arg.Pos(), "%%p prints an address, which differs from run to run: print an id")
		}
	}
	switch name := f.Name(); {
	case name == "Errorf":
	case !strings.HasPrefix(name, "Sprint") && !strings.HasPrefix(name, "Append"):
		d.Reportf(call.Pos(), "fmt.%s does I/O: model, sim and faults may use fmt.Errorf, and Sprintf for the text of an error", name)
	case !d.makesText(cur):
		d.Reportf(call.Pos(), "fmt.%s outside the text of an error: it is accepted in a function that answers an error, "+
			"in a panic, and in the methods Error, String and Waits; elsewhere use strconv or emit an event", name)
	}
}

// makesText says whether the call stands where text for people is made.
func (d determinism) makesText(cur inspector.Cursor) bool {
	for outer := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil), (*ast.CallExpr)(nil)) {
		switch n := outer.Node().(type) {
		case *ast.FuncDecl:
			return slices.Contains([]string{"Error", "String", "Waits"}, n.Name.Name) || d.answersError(n.Type)
		case *ast.FuncLit:
			if d.answersError(n.Type) {
				return true
			}
		case *ast.CallExpr:
			if b, ok := typeutil.Callee(d.TypesInfo, n).(*types.Builtin); ok && b.Name() == "panic" {
				return true
			}
		}
	}
	return false
}

func (d determinism) answersError(f *ast.FuncType) bool {
	if f.Results == nil {
		return false
	}
	return slices.ContainsFunc(f.Results.List, func(field *ast.Field) bool {
		return types.Identical(d.TypesInfo.TypeOf(field.Type), types.Universe.Lookup("error").Type())
	})
}
