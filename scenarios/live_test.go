package scenarios

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// small is a topology for the steps of one test, up to B mirroring three records of A.
const small = `scenario small
cluster A brokers=2
cluster B brokers=3
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A assign=b0,b1
client p producer on A
client q producer on B
mirror m from A to B
mirror m from B to A

produce p A/t-0 3
`

const mirroring = small + `start t in B/m
until state B/t-0=MIRRORING
until lag B/t-0=0
`

// unknownStop is small under a choice that leaves a topic as it is when it is stopped before its first state is stored.
var unknownStop = strings.NewReplacer("cluster A", "set unknown-stop=illegal\nset state-check=desired\ncluster A",
	"client p", "topic __mirror_state on B partitions=1 replicas=1 assign=b2\nclient p").Replace(small)

const stoppedSmall = mirroring + `stop t in B/m
until state B/t-0=STOPPED
`

// play runs a scenario of a test.
func play(t *testing.T, text string, listen func(*event.Event)) *Result {
	t.Helper()
	s, err := format.Parse("test.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	config, err := s.Config(DefaultRevision)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: config, Listen: listen})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// verdicts are the properties of a kind that were violated, with their first sentence, and the occasions of all.
func verdicts(r *Result, liveness bool) (violated map[string]string, occasions map[string]uint64) {
	violated, occasions = map[string]string{}, map[string]uint64{}
	kind := map[string]bool{}
	for _, p := range checkers.Properties() {
		kind[p.ID] = p.Liveness
	}
	for _, v := range r.Verdicts {
		if kind[v.Property] != liveness {
			continue
		}
		occasions[v.Property] = v.Occasions
		if v.Status == checkers.Violated {
			violated[v.Property] = v.Violations[0].Sentence
		}
	}
	return violated, occasions
}

// Each property is seen failing, with what the partition waits for, and holding.
func TestLive(t *testing.T) {
	table := []struct {
		name, steps string
		want        map[string]string // each sentence begins so; what a node says follows
	}{
		{"all is done", mirroring + "live\n", nil},
		{"the core heals", mirroring + `fault crash b1
fault cut A>B
fault delay B>A by=9s
after 40s produce p A/t-0 4
live
`, nil},
		{"the source is lost before the stop", mirroring + "stop t in B/m\nlive core=b0,b1,b2\n", nil},
		{"the source is lost in PREPARING", small + `fault cut A>B
start t in B/m
until state B/t-0=PREPARING
stop t in B/m
live core=b0,b1
`, nil},
		{"only a broker outside the core is in the ISR", mirroring + `fault crash b1
after 40s fault heal b1
live core=a0,a1,b1,b2
`, nil},
		{"a broker restarts right before", mirroring + "stop t in B/m\nfault crash b0\nlive core=a0,a1,b0,b2\n", nil},
		{"a leader that was given the partition twice before it heard", stoppedSmall + `fault cut b-log>b1
fault crash b0
after 12s fault cut b1
after 12s fault heal b1
live core=a0,a1,b1,b2
`, nil},
		{"no time to drain", mirroring + "fault cut A>B\nproduce p A/t-0 4\nafter 1s fault heal A>B\nlive within 1ms\n",
			map[string]string{"lag-drains": "B/t-0 has lag 4, 1ms after the last fault; "}},
		{"no time to stop", mirroring + "stop t in B/m\nlive within 1ms\n", map[string]string{
			"reaches-desired": "B/t-0 is STOPPING, wanted is STOPPED, 1ms after the last fault; b0 says: B/t-0 in STOPPING: ",
			"becomes-writable": "B/t-0 is to be stopped and is not writable: b0 leads in epoch 0 and takes no writes, 1ms after " +
				"the last fault; b0 says: B/t-0 in STOPPING: "}},
		{"no time to heal", mirroring + "fault crash b1\nafter 40s live within 1ms\n",
			map[string]string{"isr-heals": "B/t-0 has not b1 in its ISR, which is b0, 1ms after the last fault; "}},
		{"a stop before the state was known", unknownStop + `fault crash b2 for 20s
start t in B/m
stop t in B/m
live within 2m
`, map[string]string{
			"reaches-desired": "B/t-0 is UNKNOWN, wanted is STOPPED, 2m after the last fault; ",
			"becomes-writable": "B/t-0 is to be stopped and is not writable: b0 leads in epoch 0 and takes no writes, 2m after " +
				"the last fault; "}},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			r := play(t, c.steps, nil)
			got, occasions := verdicts(r, true)
			for property, sentence := range got {
				if want, ok := c.want[property]; !ok || !strings.HasPrefix(sentence, want) {
					t.Errorf("%s: %q", property, sentence)
				}
			}
			for property := range c.want {
				if got[property] == "" {
					t.Errorf("%s is not violated", property)
				}
			}
			if occasions["isr-heals"] == 0 || occasions["reaches-desired"] == 0 || len(r.Failures) > 0 {
				t.Errorf("occasions %v, failures %v", occasions, r.Failures)
			}
			if bad, _ := verdicts(r, false); len(bad) > 0 {
				t.Errorf("violated %v", bad)
			}
		})
	}
}

// nodesUp are the nodes that are up at the end of a history, by name.
type nodesUp map[id.Node]bool

func (up nodesUp) listen(e *event.Event) {
	switch e.Kind {
	case event.Started:
		up[e.Node] = true
	case event.Crashed:
		up[e.Node] = false
	}
}

func TestLiveCore(t *testing.T) {
	table := []struct {
		name, steps string
		down        []string // at the end
		permanent   bool
	}{
		{"everybody", mirroring + "fault crash b1\nfault crash a-c0\nlive\n", nil, false},
		{"one broker less", mirroring + "fault crash a-c0\nlive core=a0,a1,b0,b2\n", []string{"b1"}, true},
		{"a lost cluster", mirroring + "stop t in B/m\nlive core=b0,b2\n", []string{"a0", "a1", "b1", "a-log", "a-c0"}, true},
		{"faults that have not fallen do not fall", mirroring + `fault crash b0 at-point stop.position-recorded
fault crash b2 for 10s
stop t in B/m
live core=a0,a1,b0,b1
`, []string{"b2"}, true},
		{"taken in, as nobody else is in sync", mirroring + `fault crash b0
after 40s produce p A/t-0 1
live core=a0,a1,b0,b2
`, nil, false},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			up := nodesUp{}
			r := play(t, c.steps, up.listen)
			var down []string
			for n, name := range r.Names.Nodes {
				if !up[id.Node(n)] {
					down = append(down, name)
				}
			}
			if d := cmp.Diff(c.down, down); d != "" {
				t.Errorf("down (-want +got)\n%s", d)
			}
			if r.Coverage.PermanentFault != c.permanent {
				t.Errorf("a permanent fault: %v, want %v", r.Coverage.PermanentFault, c.permanent)
			}
		})
	}
}

func TestUntilOrGoOn(t *testing.T) {
	const tail = "until state B/t-0=STOPPED within 1s%s\nproduce p A/t-0 2\n"
	for _, c := range []struct {
		option   string
		failures int
		records  int64
	}{{"", 1, 3}, {" or-go-on", 0, 5}} {
		r := play(t, mirroring+strings.ReplaceAll(tail, "%s", c.option), nil)
		leader, _ := r.Ledger.Leader(0, id.Partition{Topic: id.NewTopic(0, 2)})
		log := r.Ledger.Log(leader, id.Partition{Topic: id.NewTopic(0, 2)})
		if len(r.Failures) != c.failures || log.End != c.records {
			t.Errorf("with %q: failures %v, %d records on A", c.option, r.Failures, log.End)
		}
	}
}

// A cluster at an end of a link stands for its brokers, controllers and metadata log, and for no client.
func TestCutBetweenClusters(t *testing.T) {
	cut := map[[2]id.Node]bool{}
	r := play(t, small+"fault cut A>B\nfault cut p>B\nfault cut a0>A\n", func(e *event.Event) {
		if e.Kind == event.LinkSet && e.To == 0 {
			cut[[2]id.Node{e.Node, e.Peer}] = true
		}
	})
	want := map[[2]id.Node]bool{}
	for from, a := range r.Names.Nodes {
		for to, b := range r.Names.Nodes {
			side := func(name, cluster string) bool { return strings.HasPrefix(name, cluster) && name != cluster+"-admin" }
			if side(b, "b") && (side(a, "a") || a == "p") || a == "a0" && side(b, "a") && b != "a0" {
				want[[2]id.Node{id.Node(from), id.Node(to)}] = true
			}
		}
	}
	if d := cmp.Diff(want, cut); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A power loss that would take the last whole copy in an ISR does not fall.
func TestIfSpared(t *testing.T) {
	for _, c := range []struct {
		steps string
		falls bool
	}{
		{"fault power-loss b0 for 1s if-spared\n", true},
		{"fault crash b1\nfault power-loss b0 for 1s if-spared\n", false},
		{"fault crash b1\nfault power-loss b0 for 1s\n", true},
	} {
		falls := false
		play(t, mirroring+c.steps, func(e *event.Event) {
			falls = falls || e.Kind == event.Crashed && e.Cause == uint8(event.PowerLoss)
		})
		if falls != c.falls {
			t.Errorf("%q: falls %v", c.steps, falls)
		}
	}
}
