package scenarios

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/scenarios/format"
)

// twoPartitions is a result of a run over clusters A and B, with one broker each, and the partitions t-0 and t-1.
func twoPartitions(points ...pointReached) *Result {
	topic := id.NewTopic(0, 1)
	for i := range points {
		points[i].partition.Topic = topic
		points[i].index = uint64(10 * (i + 1))
	}
	return &Result{Events: 1000, points: points, cluster: []id.Cluster{0, 1},
		Names: &id.Names{Clusters: []string{"A", "B"}, Nodes: []string{"a0", "b0"}, Topics: map[id.Topic]string{topic: "t"}}}
}

func at(node id.Node, index uint16, p point.Point, leads bool) pointReached {
	return pointReached{node: node, partition: id.Partition{Index: index}, point: p, leads: leads}
}

func problemOf(r *Result, property, sentence string, events ...uint64) Problem {
	v := checkers.Verdict{Property: property}
	x := checkers.Violation{Sentence: sentence}
	copy(x.Events[:], events)
	return r.problem(&v, &x)
}

func TestTrail(t *testing.T) {
	r := twoPartitions(
		at(1, 0, point.StateStored, true),       // 10
		at(1, 0, point.FetcherRemoved, true),    // 20
		at(1, 1, point.PositionRecorded, true),  // 30: another partition
		at(0, 0, point.LogAligned, true),        // 40: another cluster
		at(1, 0, point.EpochBumped, true),       // 50
		at(1, 0, point.TransactionsDone, false), // 60
		at(1, 0, point.StateStored, true),       // 70: again
		at(1, 0, point.ProducersReset, true),    // 80
		at(1, 0, point.LookupAnswered, true),    // 90
	)
	r.points[8].partition = id.Partition{} // which one is not known
	for _, c := range []struct {
		name, sentence string
		events         []uint64
		want           []string
	}{
		{"one partition on one cluster", "B/t-0 is wrong", []uint64{3, 85}, []string{"B leader stop.fetcher-removed",
			"B leader stop.epoch-bumped", "B broker stop.transactions-done", "B leader state.stored", "B leader stop.producers-reset"}},
		{"up to the later event", "B/t-0@b0: offset 3", []uint64{55, 3}, []string{"B leader state.stored", "B leader stop.fetcher-removed",
			"B leader stop.epoch-bumped"}},
		{"both clusters", "B/t-0@b0 has 3, but A/t-0@a0, which is a mirror, has 4", []uint64{1, 55}, []string{"B leader state.stored",
			"B leader stop.fetcher-removed", "A leader alignment.log-aligned", "B leader stop.epoch-bumped"}},
		{"a point of an unknown partition", "B/t-1: gone", []uint64{0, 0}, []string{"B leader stop.position-recorded",
			"B leader alignment.lookup-answered"}},
		{"no partition named", "an assertion fired on b0", []uint64{0, 45}, []string{"B leader state.stored", "B leader stop.fetcher-removed",
			"B leader stop.position-recorded", "A leader alignment.log-aligned"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, problemOf(r, "log-matching", c.sentence, c.events...).Trail); d != "" {
				t.Error(d)
			}
		})
	}
}

// What belongs together: not the offsets, epochs and partitions of a failure, but its property and where the protocol was.
func TestGroups(t *testing.T) {
	stop := twoPartitions(at(1, 0, point.FetcherRemoved, true), at(1, 1, point.FetcherRemoved, true), at(1, 0, point.EpochBumped, true))
	first := problemOf(stop, "log-matching", "B/t-0@b0 has 3@1 below 4", 5, 25)
	live := problemOf(stop, "lag-drains", "B/t-0 has lag 3, 5m after the last fault; b0 says: wait", 0, 0)
	for _, c := range []struct {
		name  string
		other Problem
		of    Problem
		same  bool
	}{
		{"other offsets", problemOf(stop, "log-matching", "B/t-0@b0 has 7-9@2 below 14", 5, 25), first, true},
		{"other partition", problemOf(stop, "log-matching", "B/t-1@b0 has 3@1 below 4", 5, 25), first, true},
		{"other property", problemOf(stop, "durability", "B/t-0@b0 has 3@1 below 4", 5, 25), first, false},
		{"later in the protocol", problemOf(stop, "log-matching", "B/t-0@b0 has 3@1 below 4", 5, 35), first, false},
		{"other cluster", problemOf(stop, "log-matching", "A/t-0@a0 has 3@1 below 4", 5, 25), first, false},
		{"other lag", problemOf(stop, "lag-drains", "B/t-0 has lag 12, 1m after the last fault; b0 says: other", 0, 0), live, true},
		{"not a lag", problemOf(stop, "lag-drains", "B/t-0 has not heard its source, 5m after the last fault; b0 says: wait", 0, 0), live, false},
		{"step renumbered", unmet(Failure{Text: "expect error 3=NONE"}), unmet(Failure{Text: "expect error 12=NONE", Got: "x"}), true},
		{"other expectation", unmet(Failure{Text: "expect hw A/t-0=3"}), unmet(Failure{Text: "expect hw A/t-0=4"}), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.other.Group == c.of.Group; got != c.same {
				t.Errorf("%v and %v: one group is %t", c.other, c.of, got)
			}
		})
	}
}

// One reason is one group, whatever the schedule.
func TestGroupsOverSeeds(t *testing.T) {
	s, d := failing(t)
	calm, err := Run(s, Options{Protocol: d.Config})
	if err != nil {
		t.Fatal(err)
	}
	want := calm.Problems()[0]
	for seed := range uint64(10) {
		r, err := Run(s, Options{Protocol: d.Config}.WithSeed(seed))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := r.find(want.Property, want.Group); !ok {
			t.Errorf("seed %d: %v, want %s in group %s", seed, r.Problems(), want.Property, want.Group)
		}
		if p, ok := r.find(want.Property, "another"); ok {
			t.Errorf("seed %d: %v is not of that group", seed, p)
		}
	}
}

// failing is F4 in the newer seed without a marker, which violates log-matching.
func failing(t *testing.T) (*format.Scenario, *Design) {
	t.Helper()
	return chosen(t, "F4", "start-stop", "marker=none")
}

// withSets is a scenario of the catalogue under a changed design.
func withSets(t *testing.T, name string, sets ...string) (*format.Scenario, *Design) {
	t.Helper()
	return chosen(t, name, "", sets...)
}

// chosen is a scenario of the catalogue under a revision, with changes.
func chosen(t *testing.T, name, revision string, sets ...string) (*format.Scenario, *Design) {
	t.Helper()
	f, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scenario()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, revision, sets)
	if err != nil {
		t.Fatal(err)
	}
	return s, d
}
