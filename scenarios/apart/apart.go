package apart

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// Found answers a function that takes what Collisions answers: each collision fails the test, and so do fewer changes than least.
func Found(t testing.TB, least int) func(list []string, tried int) {
	return func(list []string, tried int) {
		t.Helper()
		for _, what := range list {
			t.Error(what)
		}
		if tried < least {
			t.Errorf("only %d changes", tried)
		}
	}
}

// Collisions are the changes that a state does not tell apart, each in a sentence, and how many changes were tried. make answers
// a pointer to a value, always the same, and state its state. Every field of the value is changed alone: a bool is turned round,
// a number is changed in its bits 1, 2 and 64, a list gets one entry more; and so are the fields of structs, of what pointers to
// types of the value's own package point at, and of the first entry of a list. Maps, functions and interfaces are left alone,
// and so are the fields of those paths, as ".readers.asking".
func Collisions[T any](make func() *T, state func(*T) []byte, leftOut ...string) (list []string, tried int) {
	f := finder{home: reflect.TypeFor[T]().PkgPath(), leftOut: leftOut}
	f.find(reflect.ValueOf(make()).Elem(), "", func(root reflect.Value) reflect.Value { return root })
	by := map[string]string{string(state(make())): "no change"}
	for _, c := range f.changes {
		x := make()
		c.do(reflect.ValueOf(x).Elem())
		s := string(state(x))
		if other, taken := by[s]; taken {
			list = append(list, fmt.Sprintf("a change of %s and %s make the same state", c.what, other))
		}
		by[s] = "one of " + c.what
	}
	return list, len(f.changes)
}

// change is a change of one field.
type change struct {
	what string
	do   func(root reflect.Value)
}

// finder goes through a value and notes the changes of its fields.
type finder struct {
	home    string // the package whose pointers are followed
	leftOut []string
	changes []change
}

// way leads from the whole value to a part of it.
type way func(root reflect.Value) reflect.Value

func (f *finder) find(v reflect.Value, path string, to way) {
	if slices.Contains(f.leftOut, path) {
		return
	}
	set := func(what string, x func(reflect.Value)) {
		f.changes = append(f.changes, change{path + what, func(root reflect.Value) { x(open(to(root))) }})
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f.find(v.Field(i), path+"."+v.Type().Field(i).Name, func(root reflect.Value) reflect.Value { return open(to(root)).Field(i) })
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Type().PkgPath() == f.home {
			f.find(v.Elem(), path, func(root reflect.Value) reflect.Value { return open(to(root)).Elem() })
		}
	case reflect.Slice:
		f.list(v, path, to, set)
	case reflect.Bool:
		set("", func(x reflect.Value) { x.SetBool(!x.Bool()) })
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		for _, bit := range []int64{1, 2, 64} {
			set(fmt.Sprint(" by ", bit), func(x reflect.Value) { x.SetInt(x.Int() ^ bit) })
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		for _, bit := range []uint64{1, 2, 64} {
			set(fmt.Sprint(" by ", bit), func(x reflect.Value) { x.SetUint(x.Uint() ^ bit) })
		}
	}
}

// list finds the changes of a list. One of pointers or interfaces gets no entry more: it would be nil.
func (f *finder) list(v reflect.Value, path string, to way, set func(string, func(reflect.Value))) {
	kind := v.Type().Elem().Kind()
	if kind != reflect.Pointer && kind != reflect.Interface && !slices.Contains(f.leftOut, path+" in length") {
		set(" in length", func(x reflect.Value) { x.Set(reflect.Append(x, reflect.Zero(x.Type().Elem()))) })
	}
	if v.Len() > 0 {
		f.find(v.Index(0), path, func(root reflect.Value) reflect.Value { return open(to(root)).Index(0) })
	}
}

// open is a part that can be set though its name is not exported.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}
