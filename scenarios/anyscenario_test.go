package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// The bounds of what the whole-world property draws.
const (
	mostSteps      = 30
	mostDeviations = 64
)

// drawnTopology is the part of a drawn scenario that does not vary but for the number of brokers and partitions.
const drawnTopology = `scenario found

cluster A brokers=%d
cluster B brokers=%d
topic t on A partitions=%d replicas=2
topic t on B partitions=%[3]d replicas=2 id-of=A
client p producer on A
client u producer on A plain
client q producer on B
client r consumer on B
client s consumer on A
mirror m from A to B
mirror m from B to A

`

// drawing is a scenario that is being drawn. The first answer of every question is the simple one, and a run of first
// answers is a plain failover, so that what rapid shrinks to is simple.
type drawing struct {
	*rapid.T
	brokers    map[string]int
	partitions int
}

func (d *drawing) of(name string, words ...string) string {
	return rapid.SampledFrom(words).Draw(d.T, name)
}

func (d *drawing) number(name string, low, high int) int {
	return rapid.IntRange(low, high).Draw(d.T, name)
}

func (d *drawing) cluster() string { return d.of("cluster", "A", "B") }

func (d *drawing) partition(cluster string) string {
	return fmt.Sprintf("%s/t-%d", cluster, d.number("partition", 0, d.partitions-1))
}

func (d *drawing) broker(cluster string) string {
	return fmt.Sprintf("%s%d", strings.ToLower(cluster), d.number("broker", 0, d.brokers[cluster]-1))
}

// rounds: an operator fails over and back. He asks for one of these after the other, at times twice, and waits for
// nothing. Whoever starts a mirror over a cluster that is in charge throws its records away, which no design mends.
var rounds = []string{"start t in B/m", "stop t in B/m", "start t in A/m", "stop t in A/m"}

// What stands for a request until the steps are in order.
const (
	nextRequest = "next request"
	sameRequest = "same request"
)

// acts are what a step may be, one drawing each.
var acts = []func(d *drawing) string{
	func(d *drawing) string {
		c := d.cluster()
		client := map[string][]string{"A": {"p", "u"}, "B": {"q"}}[c]
		return fmt.Sprintf("produce %s %s %d", d.of("producer", client...), d.partition(c), d.number("records", 1, 8)) +
			d.of("batch", "", " batch=3")
	},
	func(d *drawing) string { return d.of("request", nextRequest, nextRequest, nextRequest, sameRequest) },
	func(d *drawing) string {
		c := d.cluster()
		return fmt.Sprintf("until state %s=%s within %ds or-go-on", d.partition(c), d.of("state", "MIRRORING", "STOPPED"),
			d.number("seconds", 1, 30))
	},
	func(d *drawing) string {
		return fmt.Sprintf("until lag %s=0 within %ds or-go-on", d.partition(d.cluster()), d.number("seconds", 1, 30))
	},
	func(d *drawing) string {
		return d.of("consumer", "consume r B/t-0", "consume s A/t-0") + d.of("reset", "", " reset=latest", " reset=none")
	},
	func(d *drawing) string {
		c := d.cluster()
		return "elect " + d.of("whose", "", "coordinator "+c+"/m ") + d.partition(c)
	},
	func(d *drawing) string {
		return fmt.Sprintf("fault %s %s for %ds if-spared%s", d.of("end", "crash", "power-loss"), d.victim(),
			d.number("seconds", 1, 30), d.when())
	},
	func(d *drawing) string {
		a, b := d.broker(d.cluster()), d.broker(d.cluster())
		target := d.of("link", a, a+">"+b, "A>B", "B>A")
		if a == b && strings.Contains(target, ">"+b) {
			target = a
		}
		return fmt.Sprintf("fault cut %s for %ds%s", target, d.number("seconds", 1, 30), d.when())
	},
	func(d *drawing) string {
		return fmt.Sprintf("fault delay %s by=%dms for %ds%s", d.broker(d.cluster()), d.number("by", 1, 3000),
			d.number("seconds", 1, 20), d.when())
	},
}

// victim is a broker, by its name or by what it is at the time.
func (d *drawing) victim() string {
	c := d.cluster()
	return d.of("victim", d.broker(c), "leader "+d.partition(c), "coordinator "+c+"/m "+d.partition(c))
}

func (d *drawing) when() string {
	return d.of("point", "", " at-point stop.fetcher-removed", " at-point stop.position-recorded",
		" at-point stop.epoch-bumped",
		" at-point state.stored", " at-point alignment.log-aligned", " at-point stop.transactions-done")
}

// drawScenario draws a scenario of at most 30 steps. It begins with B as a mirror of A.
func drawScenario(t *rapid.T) string {
	d := &drawing{T: t, brokers: map[string]int{}}
	for _, c := range []string{"A", "B"} {
		d.brokers[c] = d.number("brokers", 2, 3)
	}
	d.partitions = d.number("partitions", 1, 2)
	text := fmt.Sprintf(drawnTopology, d.brokers["A"], d.brokers["B"], d.partitions) + rounds[0] + "\n"
	for i := range d.partitions {
		text += fmt.Sprintf("until state B/t-%d=MIRRORING\nuntil lag B/t-%[1]d=0\n", i)
	}
	step := rapid.Custom(func(t *rapid.T) string {
		x := *d
		x.T = t
		after := x.number("after", 0, 12000)
		line := acts[x.number("act", 0, len(acts)-1)](&x)
		if after > 0 && !strings.HasPrefix(line, "until") {
			line = fmt.Sprintf("after %dms %s", after, line)
		}
		return line
	})
	asked := 0
	for _, line := range rapid.SliceOfN(step, 1, mostSteps-1-2*d.partitions).Draw(t, "steps") {
		if strings.HasSuffix(line, nextRequest) {
			asked++
		}
		line = strings.Replace(line, nextRequest, sameRequest, 1)
		text += strings.Replace(line, sameRequest, rounds[asked%len(rounds)], 1) + "\n"
	}
	return text
}

// drawDeviation is one about a message, a timer or a disk.
func drawDeviation(t *rapid.T) choice.Deviation {
	const nodes = 20
	from, to := uint8(rapid.IntRange(0, nodes-1).Draw(t, "from")), uint8(rapid.IntRange(0, nodes-1).Draw(t, "to"))
	d := choice.Deviation{Key: choice.Key{Subject: choice.Pair(from, to), Nth: uint32(rapid.IntRange(0, 600).Draw(t, "nth"))},
		Value: 1}
	d.Key.Label = rapid.SampledFrom([]choice.Label{choice.NetDelay, choice.NetReorder, choice.NetDuplicate, choice.NetDrop,
		choice.TimerJitter, choice.PowerLossKeep}).Draw(t, "label")
	if d.Key.Label != choice.NetDrop {
		d.Value = uint32(rapid.IntRange(1, 16).Draw(t, "value"))
	}
	return d
}

// wrongs are what a run violated of what must hold whatever happens: assertions of the model and safety properties.
func wrongs(r *Result) []string {
	var list []string
	live := map[string]bool{}
	for _, p := range checkers.Properties() {
		live[p.ID] = p.Liveness
	}
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated && !live[v.Property] {
			list = append(list, v.Property+": "+v.Violations[0].Sentence)
		}
	}
	return list
}

// TestAnyScenarioIsSafe is the whole-world property: no scenario of at most 30 steps, with at most 64 deviations, makes
// the design named first violate a safety property. What it fails with is a scenario file, and the command that runs it.
func TestAnyScenarioIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := format.Parse("found.scn", []byte(drawScenario(t)))
		if err != nil {
			t.Fatalf("a scenario was drawn that is none: %v", err)
		}
		s.Schedule = rapid.SliceOfNDistinct(rapid.Custom(drawDeviation), 0, mostDeviations,
			func(d choice.Deviation) choice.Key { return d.Key }).Draw(t, "deviations")
		mustBeSafe(t, s, true)
	})
}

// fataler is what rapid.T, testing.T and testing.F's have in common.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// mustBeSafe runs s, and fails with a scenario that repeats what it violates.
func mustBeSafe(t fataler, s *format.Scenario, cross bool) {
	t.Helper()
	d, err := Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: d.Config, CrossCheck: cross})
	if err != nil {
		t.Fatal(err)
	}
	if list := wrongs(r); len(list) > 0 {
		t.Fatalf("%s\n\nSave these lines as found.scn and run: mirrorsim run found.scn\n\n%s", strings.Join(list, "\n"),
			Baked(s, d, r).AppendText(nil))
	}
}

// A drawn failure is a file that fails by itself: under a design that is known to be wrong the property finds one, and what
// it prints violates the same property when it is read again.
func TestFoundScenarioFailsByItself(t *testing.T) {
	file, err := Find("F4")
	if err != nil {
		t.Fatal(err)
	}
	s, err := file.Scenario()
	if err != nil {
		t.Fatal(err)
	}
	s.Revision, s.Sets = "start-stop", append(s.Sets, format.Set{Key: "marker", Token: "none"})
	said := &saying{}
	func() {
		defer func() {
			if p := recover(); p != nil && p != said {
				panic(p)
			}
		}()
		mustBeSafe(said, s, false)
	}()
	head, text, found := strings.Cut(said.text, "run: mirrorsim run found.scn\n\n")
	if !found || !strings.Contains(head, "log-matching: ") {
		t.Fatalf("it says %q", said.text)
	}
	again, err := format.Parse("found.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(again, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(again, Options{Protocol: d.Config})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(wrongs(r), func(w string) bool { return strings.HasPrefix(w, "log-matching: ") }) {
		t.Errorf("the file that was printed violates %v", wrongs(r))
	}
}

// saying keeps what a test fails with.
type saying struct{ text string }

func (*saying) Helper() {}

func (s *saying) Fatal(args ...any) { s.Fatalf("%s", fmt.Sprint(args...)) }

func (s *saying) Fatalf(f string, args ...any) {
	s.text = fmt.Sprintf(f, args...)
	panic(s)
}
