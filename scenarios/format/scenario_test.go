package format

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/setting"
)

func parse(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse("x.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestUnroll(t *testing.T) {
	s := parse(t, head+`expect leo A/t-0=1
repeat 2
  start t in n
  repeat 2
    stop t in n
  end
end
expect leo A/t-0=2
expect leo A/t-0=3
until quiet
`)
	s.Expect = append([]Expect{{Do: OffsetIs{Which: LogEnd, TP: TP{"A", "t", 0, ""}}}}, s.Expect...)
	var got []string
	for _, d := range s.Unroll() {
		line := fmt.Sprint(d.Number)
		if d.Step != nil {
			line += " " + d.Step.String()
		}
		for _, e := range d.Expect {
			line += " | " + e.String()
		}
		got = append(got, line)
	}
	want := []string{"0 | expect leo A/t-0=0", "1 produce p A/t-0 1 | expect leo A/t-0=1",
		"2 start t in n", "2 stop t in n", "2 stop t in n",
		"2 start t in n", "2 stop t in n", "2 stop t in n | expect leo A/t-0=2 | expect leo A/t-0=3", "3 until quiet"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestTimes(t *testing.T) {
	s := parse(t, head+"at 5s stop t in n\nafter 0s start t in n\nuntil quiet within 3s\n")
	want := []When{{}, {At, 5 * id.Second}, {After, 0}, {}}
	var got []When
	for _, step := range s.Steps {
		got = append(got, step.When)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if limit := s.Steps[3].Do.(*Until).Limit(); limit != 3*id.Second {
		t.Errorf("the limit is %v", limit)
	}
}

func TestNodesAreInTheOrderOfIDs(t *testing.T) {
	s := parse(t, "scenario x\ncluster A brokers=2 controllers=2\ncluster Bee brokers=1\nclient p producer on A\n")
	want := []string{"a0", "a1", "bee0", "a-log", "a-c0", "a-c1", "bee-log", "bee-c0", "p", "a-admin", "bee-admin"}
	if d := cmp.Diff(want, s.Nodes()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestTopicsArePlaced(t *testing.T) {
	s := parse(t, `scenario x
cluster A brokers=3
cluster B brokers=4
topic t on A partitions=3 replicas=2
topic u on A partitions=1 replicas=3 assign=a2,a0,a1
topic v on A partitions=1 replicas=3 min-isr=1
topic __mirror_state on A partitions=5 replicas=1
`)
	c := &s.Clusters[0]
	for i, want := range [][]int{{0, 1}, {1, 2}, {2, 0}} {
		if d := cmp.Diff(want, s.Topics[0].Brokers(c, i)); d != "" {
			t.Errorf("t-%d (-want +got)\n%s", i, d)
		}
	}
	if d := cmp.Diff([]int{2, 0, 1}, s.Topics[1].Brokers(c, 0)); d != "" {
		t.Errorf("u-0 (-want +got)\n%s", d)
	}
	for i, want := range []int{1, 2, 1, 1} {
		if got := s.Topics[i].MinInSync(); got != want {
			t.Errorf("min.insync.replicas of %s is %d, want %d", s.Topics[i].Name, got, want)
		}
	}
	defaults := setting.Default()
	a, b := s.InternalTopic(StateTopic, "A", &defaults), s.InternalTopic(StateTopic, "B", &defaults)
	if a.Partitions != 5 || a.Replicas != 1 || b.Partitions != 2 || b.Replicas != 3 || b.MinInSync() != 2 {
		t.Errorf("__mirror_state is %+v on A and %+v on B", a, b)
	}
	defaults.TxnPartitions = 7
	if a = s.InternalTopic(TransactionTopic, "A", &defaults); a.Partitions != 7 || a.Replicas != 3 || a.Name != TransactionTopic {
		t.Errorf("__transaction_state is %+v on A", a)
	}
	if a = s.InternalTopic(GroupTopic, "A", &defaults); a.Partitions != 2 || a.Replicas != 3 || a.Name != GroupTopic {
		t.Errorf("__consumer_offsets is %+v on A", a)
	}
}

func TestConfig(t *testing.T) {
	s := parse(t, "scenario x\nset marker=none\nset D7=plus-one\nsetting state-partitions=7\n")
	c, err := s.Config("add-remove")
	if err != nil || c.Get("D1") != "none" || c.Get("D7") != "plus-one" || c.Get("D2") != "log" {
		t.Errorf("D1, D7, D2 are %s, %s, %s, %v", c.Get("D1"), c.Get("D7"), c.Get("D2"), err)
	}
	s.Revision = "aligned"
	if c, err = s.Config("add-remove"); err != nil || c.Get("D2") != "cache" {
		t.Errorf("the file's own revision gives D2 as %s, %v", c.Get("D2"), err)
	}
	if _, err := parse(t, "scenario x").Config("none"); err == nil {
		t.Error("an unknown base is accepted")
	}
	constants, err := s.Constants()
	if err != nil || constants.StatePartitions != 7 {
		t.Errorf("state-partitions is %d, %v", constants.StatePartitions, err)
	}
	s = parse(t, "scenario x\nwrong set marker=offset set D7=plus-one violates durability\n")
	w, err := s.Wrong[0].Config(protocol.Config{})
	if err != nil || w.Get("marker") != "offset" || w.Get("stop-bump") != "plus-one" {
		t.Errorf("the wrong line gives %s, %s, %v", w.Get("marker"), w.Get("stop-bump"), err)
	}
	s = parse(t, "scenario x\nset marker=none\nwrong protocol aligned set D7=plus-one violates durability mended set D2=log\n")
	w, err = s.Wrong[0].Config(protocol.Config{})
	if err != nil || w.Get("D1") != "epoch-and-offset" || w.Get("D7") != "plus-one" || w.Get("D2") != "cache" {
		t.Errorf("the wrong line with a revision gives %s, %s, %s, %v", w.Get("D1"), w.Get("D7"), w.Get("D2"), err)
	}
}

// TestSimplerActsAreValid has every simpler act parse, and chains of them end.
func TestSimplerActsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		step := drawStep(t, s, 1)
		for depth := 0; ; depth++ {
			list := step.Do.Simpler()
			if len(list) == 0 {
				return
			}
			if depth == 100 {
				t.Fatalf("no end of simpler acts, now %s", step.String())
			}
			before := step.String()
			step.Do = rapid.SampledFrom(list).Draw(t, "simpler")
			alone := *s
			alone.Expect, alone.Steps = nil, []Step{step}
			if _, err := Parse("simpler.scn", alone.AppendText(nil)); err != nil || step.String() == before {
				t.Fatalf("%s from %s: %v", step.String(), before, err)
			}
		}
	})
}

func TestSimpler(t *testing.T) {
	table := []struct {
		line string
		want []string
	}{
		{"produce p A/t-0 9 batch=3", []string{"produce p A/t-0 1 batch=3", "produce p A/t-0 4 batch=3", "produce p A/t-0 9"}},
		{"consume r B/t-0 read-committed", []string{"consume r B/t-0"}},
		{"consume r B/t-0", nil},
		{"elect B/t-0 to=b1 unclean", []string{"elect B/t-0 unclean"}},
		{"fault power-loss b1 at-point state.stored nth=2",
			[]string{"fault power-loss b1", "fault power-loss b1 at-point state.stored", "fault crash b1 at-point state.stored nth=2"}},
		{"stop t in n", nil},
		{"stop t in n pattern=a,b", []string{"stop in n pattern=a,b", "stop t in n pattern=b", "stop t in n pattern=a"}},
		{"stop in n pattern=a", nil},
		{"delete-records A/t-0 before=3", []string{"delete-records A/t-0"}},
		{"delete-records A/t-0", nil},
		{"retention A/t-0 before=3", nil},
		{"compact A/t-0 keep=0,3", []string{"compact A/t-0"}},
		{"compact A/t-0", nil},
		{"create-partitions t on B partitions=3", nil},
		{"until quiet", nil},
		{"repeat 5\n  stop t in n\n  start t in n\nend", []string{"repeat 1\n  stop t in n\n  start t in n\nend",
			"repeat 2\n  stop t in n\n  start t in n\nend", "repeat 5\n  start t in n\nend", "repeat 5\n  stop t in n\nend"}},
	}
	for _, c := range table {
		t.Run(c.line, func(t *testing.T) {
			var got []string
			for _, a := range parse(t, head+c.line).Steps[1].Do.Simpler() {
				got = append(got, string(a.AppendText(nil)))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestPartitionText(t *testing.T) {
	for _, text := range []string{"", "A", "A/t", "A/-1", "/t-0", "A/t-", "A/t-x", "A/t-65536", "A/t-0@", "A/t--0@@"} {
		if tp, ok := ParseTP(text); ok && tp.String() != text {
			t.Errorf("%q is read as %v", text, tp)
		} else if ok && text != "A/t--0@@" {
			t.Errorf("%q is accepted as %+v", text, tp)
		}
	}
	if tp, ok := ParseTP("A/my-topic-12@a1"); !ok || tp != (TP{"A", "my-topic", 12, "a1"}) {
		t.Errorf("read %+v, %v", tp, ok)
	}
}
