package wire

import (
	"reflect"
	"testing"

	"mirrorsim/model/id"
)

// A request and its answer are asked the same: both name a partition, or neither does.
func TestAsked(t *testing.T) {
	byAPI := map[API]Asked{}
	for _, b := range bodies() {
		v := reflect.ValueOf(b).Elem()
		for _, name := range []string{"Partition", "Record"} {
			if f := v.FieldByName(name); f.IsValid() && name == "Partition" && f.Type() == reflect.TypeOf(id.Partition{}) {
				f.Set(reflect.ValueOf(id.Partition{Topic: 7, Index: 3}))
			} else if f.IsValid() && f.Kind() == reflect.Struct {
				f.FieldByName("Partition").Set(reflect.ValueOf(id.Partition{Topic: 7, Index: 3}))
			}
		}
		f := v.FieldByName("Correlation")
		if f.IsValid() {
			f.SetUint(9)
		}
		x, ok := AskedOf(b)
		if a := b.API(); ok != (a < ProduceCommandAPI && f.IsValid()) || ok && (x.Correlation != 9 || x.API != a-a%2) {
			t.Errorf("%T: %+v, %v", b, x, ok)
		}
		if other, known := byAPI[x.API]; ok && known && other != x {
			t.Errorf("%T is asked %+v, and its counterpart %+v", b, x, other)
		}
		byAPI[x.API] = x
	}
}
