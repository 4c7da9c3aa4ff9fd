package checkers

import "testing"

func TestSeveral(t *testing.T) {
	for n, want := range map[int64]string{0: "0 deliveries", 1: "1 delivery", 2: "2 deliveries", 11: "11 deliveries", 1000: "1000 deliveries"} {
		if got := Several(n, "delivery", "deliveries"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
