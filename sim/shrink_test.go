package sim

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestShrink(t *testing.T) {
	list := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	all := func(want ...int) func([]int) bool {
		return func(l []int) bool {
			return !slices.ContainsFunc(want, func(x int) bool { return !slices.Contains(l, x) })
		}
	}
	for _, c := range []struct {
		name  string
		fails func([]int) bool
		want  []int
	}{
		{"always", all(), nil},
		{"one", all(7), []int{7}},
		{"two far apart", all(1, 10), []int{1, 10}},
		{"three", all(2, 3, 9), []int{2, 3, 9}},
		{"by number", func(l []int) bool { return len(l) >= 4 }, []int{6, 7, 8, 9}},
		{"never", func([]int) bool { return false }, list},
		{"one frees another", func(l []int) bool {
			return slices.Contains(l, 10) && (!slices.Contains(l, 9) || slices.Contains(l, 1))
		}, []int{10}},
		{"only even lengths", func(l []int) bool { return len(l)%2 == 0 && slices.Contains(l, 4) }, []int{3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Shrink(list, c.fails)
			if c.name == "only even lengths" {
				if len(got) != 2 || !slices.Contains(got, 4) {
					t.Errorf("got %v", got)
				}
				return
			}
			if !slices.Equal(c.want, got) {
				t.Error(cmp.Diff(c.want, got))
			}
		})
	}
	if !slices.Equal(list, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("the caller's list has become %v", list)
	}
}

// Whatever fails means: the answer still fails, is a part of the list in its order, and no single entry can go.
func TestShrinkIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "length")
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		table := rapid.SliceOfN(rapid.Uint64(), 1, 8).Draw(t, "clauses")
		fails := func(l []int) bool { // each clause wants one of some entries
			var has uint64
			for _, x := range l {
				has |= 1 << x
			}
			for _, c := range table {
				if want := c & (1<<n - 1); want != 0 && want&has == 0 {
					return false
				}
			}
			return true
		}
		got := Shrink(list, fails)
		if !fails(got) || !slices.IsSorted(got) {
			t.Fatalf("%v does not fail", got)
		}
		for i := range got {
			if fails(slices.Delete(slices.Clone(got), i, i+1)) {
				t.Fatalf("%v fails without entry %d too", got, i)
			}
		}
	})
}
