package event

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/apart"
)

// full is an event with every field set.
func full(k Kind) Event {
	return Event{Index: 7, At: 11, Kind: k, Node: 1, Peer: 2, Mirror: 3, From: 4, To: 5, Cause: 6,
		Partition: id.Partition{Topic: 8, Index: 9}, LeaderEpoch: 10, BatchEpoch: 12, Offset: 13, End: 14, ProducerID: 15,
		Sequence: 16, Op: 17, Digest: 18, Batch: record.NewData(1, 0, 0, []record.Record{{Key: 1, Value: 2}})}
}

// change sets a field to another value.
func change(t *testing.T, e *Event, field string) {
	v := reflect.ValueOf(e).Elem().FieldByName(field)
	switch {
	case field == "Batch":
		e.Batch = e.Batch.At(1, 1)
	case v.Kind() == reflect.Struct:
		e.Partition.Index++
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() + 1)
	default:
		t.Fatalf("field %s has a type that this test does not know", field)
	}
}

// Every field of every kind's schema is in the running hash; so is the time.
func TestEveryFieldIsHashed(t *testing.T) {
	for k := Kind(1); int(k) < Kinds; k++ {
		for _, name := range append([]string{"At", "Kind", "Node"}, Schemas()[k].Fields...) {
			field, _, _ := strings.Cut(name, ":")
			e := full(k)
			before := e.Mix(1)
			change(t, &e, field)
			if e.Mix(1) == before {
				t.Errorf("%s: %s changed and the hash did not", k, field)
			}
		}
	}
}

// Every fact of a batch is in the hash, and so is each bit of what stands beside another in one word.
func TestEveryFactOfABatchIsHashed(t *testing.T) {
	seen := map[uint64]bool{}
	list := []record.Batch{{}, {Base: 1}, {Last: 1}, {LeaderEpoch: 1}, {CRC: 1}, {CRC: 1 << 31}, {ProducerID: 1}, {ProducerEpoch: 1}}
	for i := range list {
		seen[MixBatch(1, &list[i])] = true
	}
	if len(seen) != len(list) {
		t.Errorf("%d batches have %d hashes", len(list), len(seen))
	}
	apart.Found(t, 50)(apart.Collisions(func() *Event { return &Event{} }, func(e *Event) []byte {
		return binary.LittleEndian.AppendUint64(nil, e.Mix(1))
	}, ".Index"))
}

// What went before is in the hash, and the index, which only counts, is not.
func TestMixChains(t *testing.T) {
	e, f := full(Appended), full(Truncated)
	if f.Mix(e.Mix(0)) == e.Mix(f.Mix(0)) {
		t.Error("the order of two events does not show in the hash")
	}
	g := e
	g.Index++
	if g.Mix(0) != e.Mix(0) {
		t.Error("the index is in the hash")
	}
}

// Every kind has a row of its own, whose fields are fields of Event, each once.
func TestSchemas(t *testing.T) {
	names := map[string]Kind{}
	for k := Kind(1); int(k) < Kinds; k++ {
		s := Schemas()[k]
		if other, ok := names[s.Name]; ok || s.Name == "" {
			t.Errorf("kind %d is called %q, as kind %d is", k, s.Name, other)
		}
		names[s.Name] = k
		seen := map[string]bool{}
		for _, f := range s.Fields {
			field, meaning, said := strings.Cut(f, ":")
			if _, ok := reflect.TypeFor[Event]().FieldByName(field); !ok || seen[field] || said && meaning == "" {
				t.Errorf("%s: %q is not a field of Event, or stands twice, or says nothing", s.Name, f)
			}
			seen[field] = true
		}
	}
}

// An event fills only what its kind has.
func TestUndeclared(t *testing.T) {
	e := Event{Kind: HighWatermark, Peer: id.None, LeaderEpoch: 1, Offset: 5, End: 6}
	if got := e.Undeclared(); got != "" {
		t.Errorf("%s is declared", got)
	}
	for _, field := range []string{"Peer", "Mirror", "From", "To", "Cause", "BatchEpoch", "ProducerID", "Sequence", "Op", "Digest"} {
		x := e
		change(t, &x, field)
		if got := x.Undeclared(); got != field {
			t.Errorf("%s was filled, and %q is undeclared", field, got)
		}
	}
}
