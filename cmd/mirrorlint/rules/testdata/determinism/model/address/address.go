package address

import "unsafe" // want `import of "unsafe"`

type batch struct{ base int64 }

type key struct {
	topic int
	batch [1]*batch
}

type index struct {
	byOffset map[int64]*batch
	byTopic  map[struct{ topic, partition int }]bool
	byBatch  map[*batch]int // want `map key \*batch is or may hold a pointer`
	byKey    map[key]int    // want `map key key is or may hold a pointer`
	byBody   map[any]int    // want `map key any is or may hold a pointer`
}

func number(b *batch) uint64 {
	n := uint64(b.base)
	return n + uint64(uintptr(unsafe.Pointer(b))) // want `a pointer made a number: addresses differ`
}

func group[K comparable](list []K) map[K]int { return nil }

func sameNumber(n uintptr) uintptr { return uintptr(n) }
