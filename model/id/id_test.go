package id

import "testing"

func TestDurations(t *testing.T) {
	for text, want := range map[string]Duration{"500ms": 500 * Millisecond, "2s": 2 * Second, "1h": 60 * Minute, "7us": 7, "3m": 3 * Minute, "0s": 0} {
		got, err := ParseDuration(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: %d, %v, prints as %s", text, got, err, got)
		}
	}
	if s := (90 * Second).String(); s != "90s" {
		t.Errorf("90 seconds print as %s", s)
	}
	for _, bad := range []string{"", "5", "s", "-1s", "1.5s", "5sec", "99999999999h", "1 s"} {
		if d, err := ParseDuration(bad); err == nil {
			t.Errorf("%q is read as %v", bad, d)
		}
	}
}

func TestSet(t *testing.T) {
	s := SetOf(0, 3, 63)
	for n := Node(0); n < MaxBrokers; n++ {
		if s.Has(n) != (n == 0 || n == 3 || n == 63) {
			t.Errorf("%d in %b: %v", n, s, s.Has(n))
		}
	}
	if s.Has(None) || s.Has(64) || s.Len() != 3 || s.Without(3) != SetOf(0, 63) || s.With(3) != s {
		t.Errorf("%b", s)
	}
}

func TestNamesFallBack(t *testing.T) {
	n := Names{Clusters: []string{"A"}, Nodes: []string{"a0"}, Topics: map[Topic]string{1: "t"}, Mirrors: []string{"", "m"}}
	for got, want := range map[string]string{
		n.Cluster(0): "A", n.Cluster(1): "cluster1", n.Node(0): "a0", n.Node(None): "-", n.Node(4): "node4", n.Topic(1): "t",
		n.Topic(0): "-", n.Topic(9): "topic9", n.Mirror(1): "m", n.Mirror(7): "mirror7", n.Partition(Partition{1, 2}): "t-2",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if topic := NewTopic(3, 5); topic != 3<<12|5 {
		t.Errorf("the topic is %d: its upper bits are not the cluster that created it", topic)
	}
}
