package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const jsonHead = `# JSON

Generated from the structs that are printed: edit their comments, then run
` + "`go test ./cmd/mirrorsim -run Pages -update`" + `.

With ` + "`--json`" + ` a command prints one line of JSON instead of its text. The field ` + "`schema`" + ` says which of the tables below it
follows. Within a version fields may be added, and none is removed or changes its meaning. Fields marked optional are left out
where they have nothing to say. Histories have a page of their own, [model/event/HISTORY.md](../../model/event/HISTORY.md).
`

// schemaName is how the comment of a struct says that it is printed.
var schemaName = regexp.MustCompile(`schema\s+(mirrorsim\.[a-z]+/\d+)`)

// printed are the structs that may be printed, by name.
type printed map[string]*ast.TypeSpec

// read takes in the structs of a folder's files. A type of the same name in another folder would hide one.
func (p printed) read(t *testing.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %d files", dir, err, len(files))
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, x := range g.Specs {
				x := x.(*ast.TypeSpec)
				if _, ok := x.Type.(*ast.StructType); ok {
					if x.Doc == nil {
						x.Doc = g.Doc
					}
					p[x.Name.Name] = x
				}
			}
		}
	}
}

// table is one row a field, and the structs that fields are made of.
func (p printed) table(t *testing.T, b *bytes.Buffer, x *ast.TypeSpec) (parts []string) {
	b.WriteString("\n| field | type | what it says |\n|---|---|---|\n")
	for _, f := range p.fields(x) {
		kind, part := jsonType(f.Type)
		if part != "" && p[part] != nil {
			parts = append(parts, part)
		}
		name, optional := jsonName(f)
		if optional {
			kind += ", optional"
		}
		says := strings.TrimSpace(strings.ReplaceAll(f.Comment.Text(), "\n", " "))
		if says == "" {
			t.Errorf("%s.%s is printed and says nothing of itself", x.Name.Name, name)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, kind, strings.ReplaceAll(says, "|", "\\|"))
	}
	return parts
}

// fields are those that are printed, embedded structs taken apart.
func (p printed) fields(x *ast.TypeSpec) (list []*ast.Field) {
	for _, f := range x.Type.(*ast.StructType).Fields.List {
		if id, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 {
			list = append(list, p.fields(p[id.Name])...)
			continue
		}
		if f.Tag == nil {
			continue
		}
		if name, _ := jsonName(f); name != "-" {
			list = append(list, f)
		}
	}
	return list
}

func jsonName(f *ast.Field) (name string, optional bool) {
	name, rest, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
	return name, rest == "omitempty"
}

// jsonType says of a Go type what it is in JSON, and which struct it is made of, if any.
func jsonType(x ast.Expr) (kind, part string) {
	switch x := x.(type) {
	case *ast.StarExpr:
		kind, part = jsonType(x.X)
		if part == "" {
			kind += " or null"
		}
		return kind, part
	case *ast.ArrayType:
		kind, part = jsonType(x.Elt)
		if x.Len != nil {
			return x.Len.(*ast.BasicLit).Value + " of " + kind, part
		}
		return "list of " + kind, part
	case *ast.MapType:
		kind, part = jsonType(x.Value)
		return "object of " + kind, part
	case *ast.SelectorExpr:
		return x.Sel.Name, x.Sel.Name
	case *ast.Ident:
		switch x.Name {
		case "string", "bool":
			return x.Name, ""
		case "float64", "int", "int32", "int64", "uint64", "uint32":
			return "number", ""
		}
		return x.Name, x.Name
	}
	return "?", ""
}

// page is the whole page: a section a schema, in the order of their names, with the structs that it is made of.
func (p printed) page(t *testing.T) string {
	schemas := map[string]string{}
	for name, x := range p {
		if m := schemaName.FindStringSubmatch(x.Doc.Text()); m != nil {
			schemas[m[1]] = name
		}
	}
	var b bytes.Buffer
	b.WriteString(jsonHead)
	for _, schema := range sortedKeys(schemas) {
		x := p[schemas[schema]]
		fmt.Fprintf(&b, "\n## %s\n\n%s", schema, x.Doc.Text())
		told := []string{x.Name.Name}
		for rest := p.table(t, &b, x); len(rest) > 0; rest = rest[1:] {
			if slices.Contains(told, rest[0]) {
				continue
			}
			told = append(told, rest[0])
			part := p[rest[0]]
			fmt.Fprintf(&b, "\n### %s\n\n%s", rest[0], part.Doc.Text())
			rest = append(rest, p.table(t, &b, part)...)
		}
	}
	return b.String()
}

func sortedKeys(m map[string]string) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// TestPagesJSON: every field of every schema that is printed stands on the page, with what its comment says. With -update the
// page is written anew.
func TestPagesJSON(t *testing.T) {
	p := printed{}
	for _, dir := range []string{"../../scenarios", "../../scenarios/plan", "."} {
		p.read(t, dir)
	}
	want := p.page(t)
	if *update {
		if err := os.WriteFile("JSON.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("JSON.md")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("JSON.md is out of step; rewrite it with go test ./cmd/mirrorsim -run Pages -update:\n%s", d)
	}
}
