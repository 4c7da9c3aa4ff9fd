package maps

import (
	"iter"
	"maps"
	"slices"
	"sort"
)

func use([]int) {}

func sorted(m map[int]string) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func sortedBySort(m map[string]bool, n map[int]bool) []string {
	keys := make([]string, 0, len(m))
	for k, _ := range m {
		keys = append(keys, k)
	}
	sort.Sort(sort.StringSlice(keys))
	if len(n) > 0 {
		var more []int
		for k := range n {
			more = append(more, k)
		}
		slices.SortFunc(more, func(a, b int) int { return b - a })
		use(more)
	}
	return keys
}

func onTheSpot(m map[int]string) (n int) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		n = n*31 + k
	}
	backwards := slices.SortedFunc(maps.Keys(m), func(a, b int) int { return b - a })
	return n + len(maps.Clone(m)) + len(backwards)
}

func sums(m map[int]int) (n int) {
	for _, v := range m { // want `range over a map goes in random order: accepted is a loop whose body is only keys = append\(keys, k\)`
		n += v
	}
	return n
}

func unsorted(m map[int]int) []int {
	var keys []int
	for k := range m { // want `keys holds the keys of a map in random order: sort it`
		keys = append(keys, k)
	}
	return keys
}

func usedBeforeSorted(m map[int]int) {
	var keys []int
	for k := range m { // want `keys holds the keys`
		keys = append(keys, k)
	}
	use(keys)
	slices.Sort(keys)
}

func sortedSometimes(m map[int]int) []int {
	var keys []int
	for k := range m { // want `keys holds the keys`
		keys = append(keys, k)
	}
	if len(m) > 2 {
		slices.Sort(keys)
	}
	return keys
}

func sortedElsewhere(m map[int]int) func() {
	var keys []int
	for k := range m { // want `keys holds the keys`
		keys = append(keys, k)
	}
	return func() { slices.Sort(keys) }
}

func comparedOnly(m map[int]int, list []string) {
	var keys []int
	for k := range m { // want `keys holds the keys`
		keys = append(keys, k)
	}
	slices.SortFunc(list, func(a, b string) int { return keys[0] })
}

func values(m map[int]int) []int {
	var list []int
	for _, v := range m { // want `range over a map`
		list = append(list, v)
	}
	slices.Sort(list)
	return list
}

func more(m map[int]int) []int {
	var keys []int
	for k := range m { // want `range over a map`
		if k > len(keys) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

type table map[int]int

func named(m table) {
	for range m { // want `range over a map`
	}
}

func generic[M ~map[int]int](m M) {
	for range m { // want `range over a map`
	}
}

func genericList[S ~[]int](s S) {
	for range s {
	}
}

func byPackage(m map[int]int) {
	for range maps.Keys(m) { // want `maps.Keys goes through a map in random order: accepted is slices.Sorted`
	}
	_ = slices.Collect(maps.Values(m)) // want `maps.Values goes`
	walk := maps.All[map[int]int]      // want `maps.All goes`
	walk(m)
	maps.DeleteFunc(m, func(k, v int) bool { return k > v }) // want `maps.DeleteFunc goes`
}

func lastValue(m map[int]int) ([]int, int) {
	var keys []int
	var k, v int
	for k, v = range m { // want `range over a map`
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys, v
}

func twoStatements(m map[int]int) (keys []int, last int) {
	for k := range m { // want `range over a map`
		keys = append(keys, k)
		last = k
	}
	slices.Sort(keys)
	return keys, last
}

func fromAnother(m map[int]int, other []int) (keys []int) {
	for k := range m { // want `range over a map`
		keys = append(other, k)
	}
	slices.Sort(keys)
	return keys
}

var shared []int

func intoShared(m map[int]int) {
	for k := range m { // want `range over a map`
		shared = append(shared, k) // want `package-level variable shared`
	}
	slices.Sort(shared)
}

func spread(m map[string]bool) []byte {
	var keys []byte
	for k := range m { // want `range over a map`
		keys = append(keys, k...)
	}
	slices.Sort(keys)
	return keys
}

func apply(m map[int]int, f func(map[int]int) iter.Seq[int]) iter.Seq[int] { return f(m) }

func handedOver(m map[int]int) []int {
	return slices.Sorted(apply(m, maps.Keys)) // want `maps.Keys goes`
}

func valuesByKey(m map[int]int) (list []int) {
	for k := range m { // want `range over a map`
		list = append(list, m[k])
	}
	slices.Sort(list)
	return list
}

func ownAppend(m map[int]int, push func([]int, int) []int) (keys []int) {
	for k := range m { // want `range over a map`
		keys = push(keys, k)
	}
	slices.Sort(keys)
	return keys
}
