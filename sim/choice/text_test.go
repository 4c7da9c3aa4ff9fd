package choice

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLabelsAreRead(t *testing.T) {
	seen := map[string]bool{}
	for i := range Labels {
		name := Label(i).String()
		got, err := Parse(name)
		if err != nil || got != Label(i) || seen[name] {
			t.Errorf("%q reads as %v, %v", name, got, err)
		}
		seen[name] = true
	}
	_, err := Parse("net-dorp")
	want := `no choice is called "net-dorp"; there are net-drop, net-delay, net-duplicate, net-reorder, timer-jitter, ` +
		`power-loss-keep, point-fault, plan, workload, order, node-fault`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if got := Label(Labels).String(); got != "?" {
		t.Errorf("an unknown label prints %q", got)
	}
}

func TestDeviationPrints(t *testing.T) {
	if got := (Deviation{Key{NetDrop, Pair(1, 2), 3}, 1}).String(); got != "net-drop 258 #3=1" {
		t.Error(got)
	}
	if a, b := Unpair(Pair(7, 250)); a != 7 || b != 250 {
		t.Error(a, b)
	}
}

func TestBytesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Deviation {
			return Deviation{Key{
				Label(rapid.IntRange(0, Labels-1).Draw(t, "label")),
				rapid.Uint32Range(0, 1<<16-1).Draw(t, "subject"),
				rapid.Uint32Range(0, 1<<24-1).Draw(t, "nth"),
			}, rapid.Uint32Range(1, 1<<16-1).Draw(t, "value")}
		})).Draw(t, "list")
		b, err := ToBytes(list)
		if err != nil {
			t.Fatal(err)
		}
		if got := FromBytes(b); !cmp.Equal(list, got) && len(list)+len(got) > 0 {
			t.Fatal(cmp.Diff(list, got))
		}
	})
}

func TestAnyBytesAreADeviation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := FromBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		if _, err := ToBytes(list); err != nil {
			t.Fatal(err)
		}
	})
	got := FromBytes([]byte{byte(Labels) + 1, 1, 2, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9})
	want := []Deviation{{Key{NetDelay, 258, 3}, 4}} // the second has value 0, the rest is cut off
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestToBytesRefuses(t *testing.T) {
	for name, d := range map[string]Deviation{
		"value 0":       {Key{NetDrop, 1, 1}, 0},
		"large value":   {Key{NetDrop, 1, 1}, 1 << 16},
		"large subject": {Key{NetDrop, 1 << 16, 1}, 1},
		"large nth":     {Key{NetDrop, 1, 1 << 24}, 1},
		"no label":      {Key{Label(Labels), 1, 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ToBytes([]Deviation{d}); err == nil {
				t.Errorf("%v was taken", d)
			}
		})
	}
}
