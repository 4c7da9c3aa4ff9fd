package wire

import (
	"reflect"

	"mirrorsim/model/id"
)

// Asked is what tells one request of a node from another one, and to which of them an answer belongs.
type Asked struct {
	API         API          // of the request
	Partition   id.Partition // that it is about, the zero value if about none
	Correlation uint32
}

// AskedOf is that of a request, or of the request that an answer answers. Commands of the runner and bodies without a correlation have
// none.
func AskedOf(b Body) (x Asked, ok bool) {
	if x.API = b.API(); x.API >= ProduceCommandAPI {
		return x, false
	}
	x.API -= x.API % 2
	v := reflect.ValueOf(b).Elem()
	x.Partition = about(v)
	f := v.FieldByName("Correlation")
	if ok = f.IsValid(); ok {
		x.Correlation = uint32(f.Uint())
	}
	return x, ok
}

// about is the partition that a body names, in a field of its own or in a record.
func about(v reflect.Value) (p id.Partition) {
	if f := v.FieldByName("Partition"); f.IsValid() {
		p, _ = f.Interface().(id.Partition)
	} else if r := v.FieldByName("Record"); r.IsValid() && r.Kind() == reflect.Struct {
		return about(r)
	}
	return p
}
