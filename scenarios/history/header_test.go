package history

import (
	"reflect"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
)

// Whatever the checkers are told of the system beforehand comes back from a header.
func TestHeaderHasTheWholeTopology(t *testing.T) {
	want := checkers.Topology{Cluster: []id.Cluster{0}, Names: &id.Names{Nodes: []string{"b0"}, Clusters: []string{"B"},
		Topics: map[id.Topic]string{}, Mirrors: []string{"", "m"}}, Sync: []checkers.SyncLists{{Mirror: 1}}}
	v := reflect.ValueOf(&want).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int64:
			f.SetInt(7)
		}
		if v.Field(i).IsZero() {
			t.Fatalf("this test sets no %s", v.Type().Field(i).Name)
		}
	}
	got, _, err := HeaderOf(&want, []Role{Broker}, "").topology()
	if err != nil {
		t.Fatal(err)
	}
	g := reflect.ValueOf(*got)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; name != "Names" && name != "Sync" && !reflect.DeepEqual(v.Field(i).Interface(), g.Field(i).Interface()) {
			t.Errorf("%s is %v, want %v", name, g.Field(i), v.Field(i))
		}
	}
}
