package sim

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/id"
)

// The queue against a sorted list: any order of pushes, pops and sweeps gives the same entries.
func TestQueueIsASort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var sorted []entry
		compare := func(a, b entry) int {
			if a.before(&b) {
				return -1
			}
			return 1
		}
		seq := uint64(0)
		for range rapid.IntRange(0, 300).Draw(t, "operations") {
			switch op := rapid.IntRange(0, 9).Draw(t, "operation"); {
			case op < 6:
				seq++
				e := entry{at: id.Duration(rapid.IntRange(0, 20).Draw(t, "at")), seq: seq, slot: uint32(op)}
				q.push(e)
				i, _ := slices.BinarySearchFunc(sorted, e, compare)
				sorted = slices.Insert(sorted, i, e)
			case op < 9 && len(sorted) > 0:
				if got := q.pop(); got != sorted[0] {
					t.Fatalf("popped %+v, want %+v", got, sorted[0])
				}
				sorted = sorted[1:]
			default:
				odd := func(e *entry) bool { return e.seq%2 == 1 }
				q.keep(odd)
				sorted = slices.DeleteFunc(sorted, func(e entry) bool { return !odd(&e) })
			}
		}
		var got []entry
		for len(q) > 0 {
			got = append(got, q.pop())
		}
		if !slices.Equal(got, sorted) {
			t.Fatal(cmp.Diff(sorted, got, cmp.AllowUnexported(entry{})))
		}
	})
}
