package scenarios

import (
	"slices"
	"testing"

	"mirrorsim/faults"
	"mirrorsim/scenarios/format"
)

// What generated runs have of deletions, over many seeds. A destination is asked for none before it is asked to stop, where the
// answer would be known.
func TestGeneratedDeletions(t *testing.T) {
	const seeds = 400
	seen := map[string]int{}
	for seed := range uint64(seeds) {
		s := Generate(seed, faults.Swarm)
		stopped, mirrorless, replaced := map[string]bool{"A": true}, false, ""
		has := map[string]bool{}
		for _, step := range s.Steps {
			switch a := step.Do.(type) {
			case *format.Operate:
				if a.Request == format.StopTopics {
					stopped[a.Mirror.Cluster] = true
				}
			case *format.CreateMirror:
				if a.From != "" {
					replaced = a.Mirror.Cluster
				}
			case *format.DeleteMirror:
				mirrorless = mirrorless || a.Mirror.Name == otherMirror
			case *format.Produce:
				has["a wide batch"] = has["a wide batch"] || a.Batch > 4
			case *format.DeleteRecords:
				if !stopped[a.Partition.Cluster] {
					t.Fatalf("seed %d deletes records of a mirror's copy in\n%s", seed, s.AppendText(nil))
				}
				has["records deleted on "+a.Partition.Cluster] = true
				has["all records deleted"] = has["all records deleted"] || a.Before < 0
			case *format.DeleteTopics:
				if replaced == a.On && slices.Equal(a.Topics, []string{"t"}) {
					continue // behind a stop, for the copy of another source
				}
				if !slices.Equal(a.Topics, []string{"u"}) || a.On == "B" && !mirrorless {
					t.Fatalf("seed %d deletes a topic that is mirrored in\n%s", seed, s.AppendText(nil))
				}
				has["topic deleted on "+a.On] = true
			}
		}
		for what, so := range has {
			if so {
				seen[what]++
			}
		}
	}
	for _, x := range []struct {
		what   string
		atMost int // in so many of 100 runs
		least  int
	}{{"a wide batch", 45, 30}, {"records deleted on A", 30, 15}, {"records deleted on B", 30, 15}, {"all records deleted", 25, 8},
		{"topic deleted on A", 12, 3}, {"topic deleted on B", 12, 3}} {
		if n := seen[x.what] * 100 / seeds; n < x.least || n > x.atMost {
			t.Errorf("%s in %d %% of the runs, want %d to %d", x.what, n, x.least, x.atMost)
		}
	}
}
