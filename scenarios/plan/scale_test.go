package plan

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Stretches of up to 50 records are kept, longer ones are 10 records that stand for all of theirs.
func TestScale(t *testing.T) {
	s := newScale([]int64{1_000, 1_050, 900, 2_051, 1_050})
	for _, c := range []struct{ real, made int64 }{{900, 0}, {1_000, 10}, {1_050, 60}, {2_051, 70}} {
		if got := s.to(c.real); got != c.made {
			t.Errorf("%d is at %d, want %d", c.real, got, c.made)
		}
	}
	for _, c := range []struct {
		made, real int64
		exact      bool
	}{{0, 900, true}, {5, 950, false}, {10, 1_000, true}, {11, 1_001, true}, {60, 1_050, true}, {61, 1_150, false}, {69, 1_950, false}, {70, 2_051, true}, {99, 2_051, true}} {
		if real, exact := s.from(c.made); real != c.real || exact != c.exact {
			t.Errorf("%d is %d, %v, want %d, %v", c.made, real, exact, c.real, c.exact)
		}
	}
	if s.weight(11) != 1 || s.weight(60) != 100 || s.weight(69) != 101 || s.factor() != 101 || s.end() != 70 {
		t.Errorf("weights %d, %d, %d, factor %d, end %d", s.weight(11), s.weight(60), s.weight(69), s.factor(), s.end())
	}
}

// Every offset that means something comes back, and the weights between two of them are their difference.
func TestScaleComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 1, 12).Draw(t, "points")
		near := rapid.SliceOfN(rapid.Int64Range(0, 200), len(points), len(points)).Draw(t, "near")
		for i, p := range slices.Clone(points) {
			points = append(points, p+near[i])
		}
		s := newScale(points)
		sum, last := int64(0), s.real[0]
		for made := int64(0); made < s.end(); made++ {
			real, _ := s.from(made)
			if real < last || s.weight(made) < 1 {
				t.Fatalf("%d is %d, below %d, or weighs %d", made, real, last, s.weight(made))
			}
			sum, last = sum+s.weight(made), real
		}
		if sum != s.real[len(s.real)-1]-s.real[0] {
			t.Fatalf("all weigh %d, want %d", sum, s.real[len(s.real)-1]-s.real[0])
		}
		for _, p := range points {
			if real, exact := s.from(s.to(p)); real != p || !exact {
				t.Fatalf("%d comes back as %d, %v", p, real, exact)
			}
		}
		if s.end() > int64(exactly*(len(s.real)-1)) {
			t.Fatalf("%d records for %d stretches", s.end(), len(s.real)-1)
		}
	})
}

// Records of a burst stand for all that their producer writes.
func TestBurstWeighs(t *testing.T) {
	w := &scriptProducer{bursts: []burst{{3, 3, 3}, {13, 10, 1_005}}}
	sum := int64(0)
	for value := uint64(1); value <= 13; value++ {
		sum += w.weight(value)
	}
	if w.weight(1) != 1 || w.weight(4) != 100 || sum != 1_008 {
		t.Errorf("%d, %d, together %d", w.weight(1), w.weight(4), sum)
	}
	for _, c := range []struct{ n, want int64 }{{0, 0}, {20, 20}, {21, 10}, {1 << 40, 10}} {
		if got := written(c.n); got != c.want {
			t.Errorf("%d are %d, want %d", c.n, got, c.want)
		}
	}
}

// Of many rows those that differ in their partitions only are one.
func TestGathered(t *testing.T) {
	rows := [][]string{{"partition", "on", "in"}}
	for i := range 12 {
		in := "4 of 4"
		if i == 7 {
			in = "3 of 4"
		}
		rows = append(rows, []string{fmt.Sprint("t-", i), "west", in})
	}
	want := [][]string{rows[0], {"t-0 and 6 more", "west", "4 of 4"}, {"t-7", "west", "3 of 4"}, {"t-8 and 3 more", "west", "4 of 4"}}
	if diff := cmp.Diff(want, gathered(rows)); diff != "" {
		t.Error(diff)
	}
	if few := gathered(rows[:5]); len(few) != 5 || few[1][0] != "t-0" {
		t.Errorf("%v", few)
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := count(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	if got := list(few([]string{"a", "b", "a", "c", "d", "e", "f"})); got != "a, b, c, d and 2 others" {
		t.Error(got)
	}
	if got := spread(1, 2000, true); got != "about 1 to 2,000" {
		t.Error(got)
	}
}
