package metadata

import (
	"fmt"
	"testing"
)

// The vectors of section 8 of the design.
func TestMurmur2(t *testing.T) {
	for key, want := range map[string]int32{"foobar": -790332482, "21": -973932308} {
		if got := Murmur2([]byte(key)); got != want {
			t.Errorf("murmur2(%q) = %d, want %d", key, got, want)
		}
	}
}

func TestPlacement(t *testing.T) {
	var u [16]byte
	for i := range u {
		u[i] = byte(i + 1)
	}
	topic := string(AppendTopicID(nil, u))
	if topic[:21] != "AQIDBAUGBwgJCgsMDQ4PE" {
		t.Errorf("topic id prints as %s", topic)
	}
	for partition, want := range []uint16{24, 19, 1} {
		key := fmt.Sprintf("m:AQIDBAUGBwgJCgsMDQ4PEA:%d", partition)
		if got := place([]byte(key), 50); got != want {
			t.Errorf("place(%s) = %d, want %d", key, got, want)
		}
	}
	if got := place([]byte("m"), 50); got != 14 {
		t.Errorf("mirror-wide work of m is placed at %d, want 14", got)
	}
}
