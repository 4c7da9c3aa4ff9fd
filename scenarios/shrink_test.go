package scenarios

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// fillers are steps that no failure of F4 needs.
const fillers = `consume r A/t-0
produce x A/u-1 4 batch=2
at 1s fault cut a0>b1 for 500ms
repeat 3
  produce x B/u-0 2
  after 100ms consume r B/t-0 read-committed
end
after 200ms fault crash b-c0 for 1s
until quiet
`

// padded is F4 without a marker, with a larger topology and many steps that do not matter.
func padded(t *testing.T) (*format.Scenario, *Design) {
	t.Helper()
	s, d := failing(t)
	text := string(s.AppendText(nil))
	text = strings.Replace(text, "cluster B brokers=2", "cluster B brokers=3 controllers=3\ncluster C brokers=2", 1)
	text = strings.Replace(text, "client p",
		"topic u on A partitions=2 replicas=2\ntopic u on B partitions=1 replicas=3 min-isr=1\nclient x producer on A plain\nclient r consumer on B\nclient p", 1)
	text = strings.Replace(text, "scenario F4\n", "scenario F4\nsetting replica-lag=20s\n", 1)
	text = strings.Replace(text, "id-of=A", "id-of=A unclean mirror-unclean", 1)
	text = strings.Replace(text, "from A to B", "from A to B include=v exclude=u exclude-configs=x acls=topic:x", 1)
	text = strings.ReplaceAll(text, "until quiet\n", fillers)
	padded, err := format.Parse("padded", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return padded, d
}

func shrunk(t *testing.T, s *format.Scenario, o ShrinkOptions) *Shrunk {
	t.Helper()
	x, err := Shrink(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// firstFailure is a run of s that fails: the calm one, or that of the first seed from there on.
func firstFailure(t *testing.T, s *format.Scenario, d *Design, seed int) (Options, *Result) {
	t.Helper()
	for i := range 200 {
		o := Options{Protocol: d.Config}
		if seed >= 0 {
			o = o.WithSeed(uint64(seed + i))
		}
		r, err := Run(s, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Violated() {
			return o, r
		}
	}
	t.Fatal("nothing fails")
	return Options{}, nil
}

// fails runs a shrunk scenario from its text alone and finds the failure that it was shrunk for.
func fails(t *testing.T, x *Shrunk, property, group string) {
	t.Helper()
	s, err := format.Parse("shrunk", x.Scenario.AppendText(nil))
	if err != nil {
		t.Fatalf("%v\n%s", err, x.Scenario.AppendText(nil))
	}
	d, err := Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: d.Config})
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := r.find(property, group); !ok || r.Unused != 0 || p.Sentence != x.Problem.Sentence {
		t.Errorf("it fails by %v with %d choose lines unused, want %s in group %s\n%s", r.Problems(), r.Unused, property, group,
			x.Scenario.AppendText(nil))
	}
}

func TestShrink(t *testing.T) {
	alone(t)
	for _, c := range []struct {
		name       string
		make       func(*testing.T) (*format.Scenario, *Design)
		seed       int // -1: calm; otherwise the first from here on under which it fails
		steps      int // at most
		deviations int // at most
	}{
		{"calm, with useless steps", padded, -1, 6, 0},
		{"seeded, with useless steps", padded, 3, 6, 0},
		{"a failure of the schedule", func(t *testing.T) (*format.Scenario, *Design) {
			return withSets(t, "F1", "bump-done=response")
		}, 0, 9, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, d := c.make(t)
			o, r := firstFailure(t, s, d, c.seed)
			want := r.Problems()[0]
			x := shrunk(t, s, ShrinkOptions{Design: d, Choices: o.Choices, Net: o.Net, Found: "mirrorsim run it"})
			if x.Problem.Property != want.Property || x.Problem.Group != want.Group {
				t.Errorf("shrunk to %v, want %v", x.Problem, want)
			}
			fails(t, x, want.Property, want.Group)
			small := x.After.Steps <= c.steps && x.After.Deviations <= c.deviations
			if !small || x.StoppedEarly || x.Before.Deviations != len(r.Deviations) {
				t.Errorf("%+v: want at most %d steps and %d deviations\n%s", x, c.steps, c.deviations, x.Scenario.AppendText(nil))
			}
			got := string(x.Scenario.AppendText(nil))
			if !strings.Contains(got, "Found by: mirrorsim run it") || strings.Contains(got, "wrong") {
				t.Error(got)
			}
		})
	}
}

// What no step names goes, and the rest gets as small as it can.
func TestShrinkTopology(t *testing.T) {
	s, d := padded(t)
	x := shrunk(t, s, ShrinkOptions{Design: d})
	got := x.Scenario
	var names []string
	for _, c := range got.Clusters {
		names = append(names, string(rune('0'+c.Brokers))+c.Name)
	}
	for _, c := range got.Clients {
		names = append(names, c.Name)
	}
	for _, topic := range got.Topics {
		names = append(names, topic.Name+"-"+topic.On)
	}
	if d := cmp.Diff([]string{"2A", "1B", "p", "t-A", "t-B"}, names); d != "" || len(got.Settings) > 0 {
		t.Errorf("%s\n%s", d, got.AppendText(nil))
	}
	if text := string(got.AppendText(nil)); strings.Contains(text, "unclean") || strings.Contains(text, "clude=") {
		t.Errorf("options are left\n%s", text)
	}
}

func TestShrinkRefuses(t *testing.T) {
	s, d := withSets(t, "F1")
	_, err := Shrink(context.Background(), s, ShrinkOptions{Design: d})
	var none *NoFailureError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "F1 does not fail") {
		t.Errorf("a run that holds: %v", err)
	}
	s, d = failing(t)
	_, err = Shrink(context.Background(), s, ShrinkOptions{Design: d, Choices: &forgetful{}, Net: Noise})
	var unrepeatable *UnrepeatableError
	if !errors.As(err, &unrepeatable) || !strings.Contains(err.Error(), "event ") {
		t.Errorf("a run that does not repeat: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if x, err := Shrink(ctx, s, ShrinkOptions{Design: d}); x != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before the first run: %v, %v", x, err)
	}
}

// forgetful is a chooser that answers otherwise the more often it was asked.
type forgetful struct{ asked uint64 }

func (f *forgetful) Choose(k choice.Key, n uint32, odds uint16) uint32 {
	f.asked++
	return choice.Seeded(f.asked).Choose(k, n, odds)
}

// A shrinker that is stopped, by the context or by its bound, leaves the smallest failure so far.
func TestShrinkLeavesTheBest(t *testing.T) {
	s, d := padded(t)
	r, err := Run(s, Options{Protocol: d.Config})
	if err != nil {
		t.Fatal(err)
	}
	want := r.Problems()[0]
	for _, stop := range []string{"context", "bound"} {
		t.Run(stop, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			o := ShrinkOptions{Design: d}
			const runs = 12
			if stop == "bound" {
				o.Runs = runs
			} else {
				o.Progress = func(p ShrinkProgress) {
					if p.Runs == runs {
						cancel()
					}
				}
			}
			x, err := Shrink(ctx, s, o)
			if err != nil {
				t.Fatal(err)
			}
			if !x.StoppedEarly || x.Runs != runs || x.Interrupted != (stop == "context") || x.After.Steps >= x.Before.Steps {
				t.Errorf("%+v", x)
			}
			fails(t, x, want.Property, want.Group)
		})
	}
}

// An expectation that is not met is kept, and so is a step that does not complete; what it is about stays in its place.
func TestShrinkKeepsAnExpectation(t *testing.T) {
	const head = "scenario X\ncluster A brokers=2\ncluster B brokers=1\n" +
		"topic t on A partitions=1 replicas=2\ntopic t on B partitions=1 replicas=1 id-of=A\n" +
		"client p producer on A\nclient q producer on A\nmirror m from A to B\n"
	const noise = "produce q A/t-0 2\nfault crash b0 for 1s\nuntil quiet\n"
	for _, c := range []struct{ name, steps, want string }{
		{"a fact", noise + "produce p A/t-0 3\nexpect epoch A/t-0=0\nelect A/t-0\n" + noise +
			"expect epoch A/t-0=0\nproduce p A/t-0 1\nexpect holds durability\n",
			"elect A/t-0\nexpect epoch A/t-0=0\n"},
		{"the result of a step",
			noise + "produce p A/t-0 3\n" + noise + "elect A/t-0\nexpect error 4=NOT_LEADER_OR_FOLLOWER\n" + noise,
			"produce p A/t-0 1\nexpect error 1=NOT_LEADER_OR_FOLLOWER\n"},
		{"a wait", noise + "produce p A/t-0 3\nuntil isr A/t-0=1 within 1m\n" + noise, "until isr A/t-0=1 within 1m\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := format.Parse(c.name, []byte(head+c.steps))
			if err != nil {
				t.Fatal(err)
			}
			x := shrunk(t, s, ShrinkOptions{Design: designOf(t)})
			_, steps, _ := strings.Cut(string(x.Scenario.AppendText(nil)), "\n\n")
			if _, steps, _ = strings.Cut(steps, "\n\n"); steps != c.want {
				t.Errorf("shrunk to\n%s\nwant\n%s", x.Scenario.AppendText(nil), c.want)
			}
			fails(t, x, Expectation, x.Problem.Group)
		})
	}
}

// Deviations follow their nodes when a topology gets smaller.
func TestRenumbered(t *testing.T) {
	from, err := format.Parse("from", []byte("scenario X\ncluster A brokers=3\ncluster B brokers=2\n"))
	if err != nil {
		t.Fatal(err)
	}
	to, err := format.Parse("to", []byte("scenario X\ncluster A brokers=2\ncluster B brokers=2\n"))
	if err != nil {
		t.Fatal(err)
	}
	deviation := func(l choice.Label, a, b uint8) choice.Deviation {
		return choice.Deviation{Key: choice.Key{Label: l, Subject: choice.Pair(a, b), Nth: 5}, Value: 1}
	}
	from.Schedule = []choice.Deviation{
		deviation(choice.NetDelay, 0, 4),      // a0 to b1
		deviation(choice.NetDelay, 2, 0),      // a2, which is gone, to a0
		deviation(choice.NetDrop, 0, 2),       // a0 to a2
		deviation(choice.TimerJitter, 3, 2),   // b0 and the timer of kind 2
		deviation(choice.PowerLossKeep, 2, 1), // a2
		deviation(choice.Workload, 3, 3),      // no node
	}
	want := []choice.Deviation{deviation(choice.NetDelay, 0, 3), deviation(choice.TimerJitter, 2, 2), deviation(choice.Workload, 3, 3)}
	if d := cmp.Diff(want, renumbered(from, to)); d != "" {
		t.Error(d)
	}
}
