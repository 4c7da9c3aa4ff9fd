package plan

import (
	"os"
	"strings"
	"testing"
)

// What was written between the numbers and the crash nobody knows, wherever a partition cannot be written to now.
func TestUnseen(t *testing.T) {
	src, err := os.ReadFile("testdata/down-since.yaml")
	if err != nil {
		t.Fatal(err)
	}
	writers := "producers:\n  checkout: {cluster: east, topics: [orders], rate: 5, acks: all}\n"
	moved := "  - move-producers: {producers: checkout, to: west}\n"
	short := "east: {replicas: [1, 2], isr: [1], leader: 1"
	east := "configs: {east: {min.insync.replicas: 2}}\n    partitions:"
	for _, c := range []struct {
		name    string
		changes []string // old, new
		want    int64
		known   bool
	}{
		{"every broker is down", nil, 3000, true},
		{"just measured", []string{"measured: 10m", "measured: 0s"}, 0, true},
		{"its own age", []string{"log-start: 0, end: 20}\n        west", "log-start: 0, end: 20, age: 2s}\n        west"}, 10, true},
		{"nobody writes", []string{writers, "producers: {}\n", moved, ""}, 0, true},
		{"a broker without replicas is up", []string{"partitions:",
			"partitions:\n      1:\n        east: {replicas: [3], log-start: 0, end: 0}\n        west: {replicas: [11], log-start: 0, end: 0}\n" +
				"        state: MIRRORING\n        lag: 0"}, 1500, true},
		{"it can be written to", []string{"down: [1, 2]", "reachable: false"}, 0, true},
		{"too few in sync", []string{"down: [1, 2]", "down: [2], reachable: false", "east: {replicas: [1, 2]", short,
			"partitions:", east}, 3000, true},
		{"too few in sync, and acks=1", []string{"down: [1, 2]", "down: [2], reachable: false", "east: {replicas: [1, 2]", short,
			"partitions:", east, "acks: all", "acks: 1"}, 0, true},
		{"nobody says who writes", []string{writers, "", moved, ""}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := string(src)
			for i := 0; i < len(c.changes); i += 2 {
				text = strings.Replace(text, c.changes[i], c.changes[i+1], 1)
			}
			if n, known := parsed(t, "mine.yaml", text).unseen(0, 0, 0); n != c.want || known != c.known {
				t.Errorf("%d, %v, want %d, %v\n%s", n, known, c.want, c.known, text)
			}
		})
	}
}
