package format

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chain is three clusters with mirrors A→B→C and A→D, and back from C to A; only A and D have topics.
const chain = `scenario x
cluster A brokers=2
cluster B brokers=2
cluster C brokers=2
cluster D brokers=2
topic t on A partitions=2 replicas=2
topic u on A partitions=1 replicas=1
topic u on D partitions=3 replicas=1
client p producer on A
mirror m from A to B
mirror m from B to C
mirror m from C to A
mirror m from A to D
`

func TestTopicsAreReachedThroughMirrors(t *testing.T) {
	s := parse(t, chain)
	var got []string
	for _, cluster := range []string{"A", "B", "C", "D"} {
		for _, name := range []string{"t", "u", "v", StateTopic} {
			if x := s.TopicOf(cluster, name); x != nil {
				got = append(got, name+" on "+cluster+" goes by "+x.Name+" on "+x.On)
			}
		}
	}
	want := []string{"t on A goes by t on A", "u on A goes by u on A", "t on B goes by t on A", "u on B goes by u on A",
		"t on C goes by t on A", "u on C goes by u on A", "t on D goes by t on A", "u on D goes by u on D"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestPartitionsOfTopicsThatAStartCreates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"start t in C/m\nexpect leo C/t-1@c0=0\nmove p A/t-1 to C/t-1\ndescribe B/t-0 in B/m", ""},
		{"produce p C/t-2 1", `x.scn:14: "C/t-2": the topic has no such partition; accepted: 0 to 1`},
		{"create-partitions t on A partitions=4\nproduce p A/t-3 1\nproduce p C/t-3 1", ""},
		{"create-partitions t on A partitions=4\nproduce p A/t-4 1", `x.scn:15: "A/t-4": the topic has no such partition; accepted: 0 to 3`},
		{"create-partitions t on D partitions=4\nproduce p A/t-3 1", `x.scn:15: "A/t-3": the topic has no such partition; accepted: 0 to 1`},
		{"create-partitions u on A partitions=2\nproduce p B/u-1 1\nproduce p D/u-2 1", ""},
		{"delete-topics t u on C", ""},
		{"move p A/u-0 to D/u-0", `x.scn:14: "D/u-0": not the same partition, by topic id and index, as A/u-0`},
		{"delete-topics v on C", `x.scn:14: "v": cluster C has no topic v; accepted: t, u`},
	} {
		t.Run(c.text, func(t *testing.T) {
			if c.want != "" {
				refused(t, chain+c.text, c.want)
				return
			}
			parse(t, chain+c.text)
		})
	}
}

// What CreateMirror is to answer can be said of a mirror that does not exist when the run begins.
func TestAbsentMirrors(t *testing.T) {
	s := parse(t, chain+"mirror m.stopped from A to D absent include=o(\nmirror n from A to D exclude=t\ncreate m.stopped\n")
	if m := s.FindMirror(MirrorRef{Name: "m.stopped"}); !m.Absent || m.Include[0] != "o(" {
		t.Errorf("the mirror is %+v", m)
	}
	var got [][]string
	for _, m := range s.Mirrors[3:] {
		got = append(got, m.Excludes())
	}
	if d := cmp.Diff([][]string{{"__.*"}, {"__.*"}, {"t"}}, got); d != "" {
		t.Errorf("what is excluded (-want +got)\n%s", d)
	}
}

func TestHomeClusterIsNotPrinted(t *testing.T) {
	s := parse(t, head+"commit tx on A\nabort tx on B\n")
	if first, second := s.Steps[1].String(), s.Steps[2].String(); first != "commit tx" || second != "abort tx on B" {
		t.Errorf("printed %q and %q", first, second)
	}
}
