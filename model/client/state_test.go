package client

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// leftOut are the fields that AppendState leaves out on purpose: what a client was configured with; the numbers by which answers
// and operations are told apart, of which only counts whether there is one; what follows from the rest; what only events and its
// words for people use.
var leftOut = []string{
	".base", ".idempotent", ".name", ".cluster",
	".readers.asking", ".readers.metadata.asking", ".members.asking", ".members.ops.op", ".idRequest.asking", ".transaction.op",
	".transaction.asking", ".accumulators.metadata.asking", ".accumulators.queue.op", ".accumulators.queue.correlation", ".calls.op",
	".calls.correlation",
	".accumulators.inFlight", ".accumulators.slots", ".accumulators.queue.batch",
	".accumulators.queue.attempts", ".calls.code", ".calls.peer",
}

// A client's state tells apart whatever its future depends on: two clients that differ in one field, in its lowest or in a higher
// bit, or in the length of a list, never have the same one. Worlds are compared by it (architecture, "Forks").
func TestStateTellsEveryFieldApart(t *testing.T) {
	one := []id.Partition{{Topic: 1}}
	batch := producerBatch{idempotent: true, sequenced: true, batch: &record.Batch{}}
	clients := map[string]func() node.Node{
		"consumer": func() node.Node { return &consumer{readers: make([]reader, 1)} },
		"group": func() node.Node {
			return &groupConsumer{consumer: consumer{readers: make([]reader, 1)},
				members: []*member{{partitions: slices.Clone(one), todo: slices.Clone(one), ops: make([]groupOp, 1)}}}
		},
		"producer": func() node.Node {
			return &producer{sequences: make([]sequences, 1), accumulators: []accumulator{{queue: []producerBatch{batch}}},
				transaction: &transaction{added: slices.Clone(one)}}
		},
		"admin": func() node.Node { return &admin{calls: []call{{request: &wire.DeleteTopicsRequest{}}}} },
	}
	for name, make := range clients {
		t.Run(name, func(t *testing.T) {
			states := map[string]string{string(make().AppendState(nil)): "nothing"}
			for _, change := range changesOf(reflect.ValueOf(make()).Elem(), "") {
				n := make()
				change.do(reflect.ValueOf(n).Elem())
				state := string(n.AppendState(nil))
				if other, taken := states[state]; taken {
					t.Errorf("a change of %s and one of %s make the same state", change.what, other)
				}
				states[state] = change.what
			}
			if len(states) < 10 {
				t.Errorf("only %d states: the fields are not found", len(states))
			}
		})
	}
}

// change is one change of a field that is found by the same way in every client of a kind.
type change struct {
	what string
	do   func(root reflect.Value)
}

// changesOf are the changes of all fields below a value.
func changesOf(v reflect.Value, path string) (list []change) {
	if slices.Contains(leftOut, strings.TrimPrefix(path, ".consumer")) || slices.Contains(leftOut, path) {
		return nil
	}
	within := func(step func(reflect.Value) reflect.Value, inner []change) {
		for _, c := range inner {
			list = append(list, change{c.what, func(root reflect.Value) { c.do(step(root)) }})
		}
	}
	set := func(what string, x func(reflect.Value)) {
		list = append(list, change{path + " " + what, func(root reflect.Value) { x(open(root)) }})
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			inner := changesOf(v.Field(i), path+"."+v.Type().Field(i).Name)
			within(func(root reflect.Value) reflect.Value { return open(root).Field(i) }, inner)
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Type().PkgPath() == reflect.TypeFor[change]().PkgPath() {
			within(func(root reflect.Value) reflect.Value { return open(root).Elem() }, changesOf(v.Elem(), path))
		}
	case reflect.Slice:
		if kind := v.Type().Elem().Kind(); kind == reflect.Pointer || kind == reflect.Interface {
			for i := range v.Len() {
				within(func(root reflect.Value) reflect.Value { return open(root).Index(i) }, changesOf(v.Index(i), path))
			}
			return list
		}
		if path != ".calls" { // one without a request is none
			set("in length", func(x reflect.Value) { x.Set(reflect.Append(x, reflect.Zero(x.Type().Elem()))) })
		}
		if v.Len() > 0 {
			within(func(root reflect.Value) reflect.Value { return open(root).Index(0) }, changesOf(v.Index(0), path))
		}
	case reflect.Bool:
		set("", func(x reflect.Value) { x.SetBool(!x.Bool()) })
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		for _, bit := range []int64{1, 2, 64} {
			set(fmt.Sprint("by ", bit), func(x reflect.Value) { x.SetInt(x.Int() ^ bit) })
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		for _, bit := range []uint64{1, 2, 64} {
			set(fmt.Sprint("by ", bit), func(x reflect.Value) { x.SetUint(x.Uint() ^ bit) })
		}
	}
	return list
}

// open is a field that can be set though it is not exported.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}
