package apart

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

type inner struct{ a, b uint8 }

type whole struct {
	n    int32
	on   bool
	list []inner
	at   *inner
	m    map[int]int
	f    func()
}

func sample() *whole { return &whole{list: []inner{{}}, at: &inner{}} }

// What a state forgets, and what it mixes up, is found, and a state that has all has no collision.
func TestCollisions(t *testing.T) {
	all := func(w *whole) []byte {
		dst := []byte{byte(w.n), byte(len(w.list)), w.list[0].a, w.list[0].b, w.at.a, w.at.b, 0}
		if w.on {
			dst[6] = 1
		}
		return dst
	}
	for _, c := range []struct {
		name    string
		spoil   func([]byte)
		leftOut []string
		want    []string
		tried   int
	}{
		{"all", func([]byte) {}, nil, nil, 3 + 1 + 1 + 2*3 + 2*3},
		{"forgets a bool", func(s []byte) { s[6] = 0 }, nil, []string{"a change of .on and no change make the same state"}, 17},
		{"left out", func(s []byte) { s[6] = 0 }, []string{".on"}, nil, 16},
		{"forgets the length", func(s []byte) { s[1] = 0 }, nil, []string{"a change of .list in length and no change make the same state"}, 17},
		{"length left out", func(s []byte) { s[1] = 0 }, []string{".list in length"}, nil, 16},
		{"forgets the high bits", func(s []byte) { s[0] &= 15 }, nil, []string{"a change of .n by 64 and no change make the same state"}, 17},
		{"mixes two fields", func(s []byte) { s[2], s[3] = s[2]|s[3], 0 }, nil, []string{
			"a change of .list.b by 1 and one of .list.a by 1 make the same state",
			"a change of .list.b by 2 and one of .list.a by 2 make the same state",
			"a change of .list.b by 64 and one of .list.a by 64 make the same state",
		}, 17},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, tried := Collisions(sample, func(w *whole) []byte { s := all(w); c.spoil(s); return s }, c.leftOut...)
			if d := cmp.Diff(c.want, got); d != "" || tried != c.tried {
				t.Errorf("%d changes, want %d\n%s", tried, c.tried, d)
			}
		})
	}
}
