package scenarios

import "testing"

// There is one rule for what is in the middle, whatever is sorted.
func TestMedian(t *testing.T) {
	for _, c := range []struct {
		sorted []int
		want   int
	}{{[]int{7}, 7}, {[]int{1, 9}, 1}, {[]int{1, 5, 9}, 5}, {[]int{1, 5, 6, 9}, 5}} {
		if got := median(c.sorted); got != c.want {
			t.Errorf("the median of %v is %d, want %d", c.sorted, got, c.want)
		}
	}
}
