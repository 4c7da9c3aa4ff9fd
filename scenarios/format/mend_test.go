package format

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestFiveMistakes: five mistakes of a first file are told at once, each with what would be accepted, and nothing else is.
func TestFiveMistakes(t *testing.T) {
	text, err := os.ReadFile("testdata/five-mistakes.scn")
	if err != nil {
		t.Fatal(err)
	}
	refused(t, string(text), strings.Join([]string{
		`x.scn:6: "brokrs=2": unknown option of cluster, perhaps brokers=N is meant; accepted: brokers=N, controllers=N`,
		`x.scn:12: "A/order-0": cluster A has no topic order; accepted: orders`,
		`x.scn:14: "B/orders-0=MIRORING": unknown state; accepted: ` + strings.Join(stateNames(), ", "),
		`x.scn:16: "5": not a time; accepted: a whole number and us, ms, s, m or h, such as 500ms`,
		`x.scn:20: "B/orders-0@b1": not of the form TP=N; accepted: TP=N`,
	}, "\n"))
}

// TestWhatFollows: what is wrong only because of a line above is not told, and what is wrong by itself is.
func TestWhatFollows(t *testing.T) {
	const top = "scenario x\ncluster A brokers=2\ncluster B brokers=2\ntopic t on A partitions=1 replicas=2\n" +
		"topic t on B partitions=1 replicas=2 id-of=A\n"
	for _, c := range []struct {
		name, text string
		lines      []int // that have an error each
	}{
		{"no scenario statement", "cluster A brokers=2\ntopic t on A partitions=x\n", []int{1, 2}},
		{"no scenario file", "{\"schema\": 1}\n[]\n", []int{1}},
		{"keyword of a cluster", "scenario x\nclster A brokers=2\ntopic t on A partitions=1 replicas=2\n", []int{2}},
		{"name of a cluster", "scenario x\ncluster A1 brokers=2\ntopic t on A1 partitions=1 replicas=2 assign=a10\n", []int{2}},
		{"number of a topic", top + "topic u on A partitions=none\nclient p producer on A\nproduce p A/u-7 1\n", []int{6}},
		{"id of a topic", top + "topic u on A partitions=1 replicas=1\ntopic u on B id-of=A replicas=9\nmirror m from A to B\n" +
			"start u in m\n", []int{7}},
		{"kind of a client", top + "client p writer on A\nproduce p A/t-0 1\nproduce q A/t-0 1\n", []int{6, 8}},
		{"option of a client", top + "client p producer on A plane\nproduce p A/t-0 1\n", []int{6}},
		{"ends of a mirror", top + "mirror m of A to B\nstart t in m\npause t in m\n", []int{6}},
		{"option of a mirror", top + "mirror m from A to B includes=t\nstart t in m\n", []int{6}},
		{"two names alike", top + "client p writer on A\nclient pq producer on A\nproduce pq A/t-0 x\n", []int{6, 8}},
		{"a name that is nowhere declared", top + "client p producer on A\nproduce q A/t-0 1\nproduce q A/t-0 2\n", []int{7}},
		{"the same option twice", "scenario x\ncluster A brokrs=2\ncluster B brokrs=2\n", []int{2, 3}},
		{"error of a lost step", top + "client p producer on A\nprodce p A/t-0 1\nexpect error last=NONE\n", []int{7}},
		{"lost step in a repeat", top + "repeat 2\nprodce p A/t-0 1\nend\n", []int{7}},
		{"repeat", top + "client p producer on A\nrepeat some\nproduce p A/t-0 1\nend\n", []int{7}},
		{"repeat without an end", top + "repeat 2\nuntil quiet\n", []int{6}},
		{"repeat without an end, before expectations",
			top + "repeat 2\nuntil quiet\nexpect leo A/t-0=0\nexpect leo B/t-0=0\n", []int{8}},
		{"declared too late", top + "until quiet\nclient p producer on A\nproduce p A/t-0 1\n", []int{7}},
		{"no more than ten", "scenario x\n" + strings.Repeat("cluster\n", 12), []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("x.scn", []byte(c.text))
			var e *SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("the error is %v", err)
			}
			lines := []int{e.Line}
			for _, m := range e.More {
				lines = append(lines, m.Line)
			}
			if fmt.Sprint(lines) != fmt.Sprint(c.lines) {
				t.Errorf("errors in lines %v, want %v:\n%v", lines, c.lines, err)
			}
		})
	}
}
