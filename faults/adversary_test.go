package faults

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/sim/choice"
)

func field() Field {
	return Field{
		Sides: []Side{
			{Name: "A", Brokers: []string{"a0", "a1"}, Controllers: []string{"a-c0"}, Log: "a-log"},
			{Name: "B", Brokers: []string{"b0", "b1", "b2"}, Controllers: []string{"b-c0", "b-c1"}, Log: "b-log"},
		},
		Roles:   []string{"leader A/t-0", "leader B/t-0", "coordinator B/m B/t-0"},
		Moments: []id.Duration{0, 20 * id.Second, 50 * id.Second},
		End:     90 * id.Second,
	}
}

func TestTheCalmPlanIsEmpty(t *testing.T) {
	for l := range levels {
		if plan := Draw(choice.NewSource(choice.Replay(nil, nil)), l.Budget(), field()); len(plan) != 0 {
			t.Errorf("%v plans %v", l, plan)
		}
	}
}

// bill is what a plan spends of a budget, of every kind. Cuts and delays of one moment are one.
func bill(plan []Planned) (b Budget, powerLosses map[byte]int) {
	powerLosses = map[byte]int{}
	cuts, delays := map[When]bool{}, map[When]bool{}
	for _, p := range plan {
		f := p.Fault
		longest := map[Kind]*id.Duration{Crash: &b.MaxDown, PowerLoss: &b.MaxDown, DiskError: &b.MaxDown, Corrupt: &b.MaxDown, Pause: &b.MaxPause,
			DiskFull: &b.MaxFull}[f.Kind]
		if longest == nil {
			longest = &b.MaxCut
		}
		*longest = max(*longest, f.For)
		if f.Kind != Corrupt {
			b.MaxDelay = max(b.MaxDelay, id.Duration(f.Amount))
		}
		switch f.Kind {
		case PowerLoss:
			powerLosses[f.Target.Node[0]]++
		case Cut:
			cuts[p.When] = true
		case Delay:
			delays[p.When] = true
		case Heal:
		default:
			*of(&b, f.Kind)++
		}
	}
	b.Cuts, b.Delays = len(cuts), len(delays)
	return b, powerLosses
}

// of is the part of a budget that pays for a kind.
func of(b *Budget, k Kind) *int {
	return map[Kind]*int{Crash: &b.Crashes, Pause: &b.Pauses, Slow: &b.Slows, Isolate: &b.Isolations, Stale: &b.Stales,
		MoveController: &b.Moves, MoveCoordinator: &b.Moves, Drop: &b.Messages, Late: &b.Messages, Twice: &b.Messages,
		DiskSlow: &b.DiskSlows, DiskFull: &b.DiskFulls, DiskError: &b.DiskErrors, Corrupt: &b.Corruptions}[k]
}

// Every plan stays within its budget; over many seeds the whole budget is spent, of every kind.
func TestDrawSpendsItsBudget(t *testing.T) {
	for l := range levels {
		t.Run(l.String(), func(t *testing.T) {
			want := l.Budget()
			most := Budget{Half: want.Half}
			for seed := range uint64(4000) {
				b, losses := bill(Draw(choice.NewSource(choice.Seeded(seed)), want, field()))
				for side, n := range losses {
					if n > want.PowerLosses {
						t.Fatalf("seed %d has %d power losses on side %c", seed, n, side)
					}
					b.PowerLosses = max(b.PowerLosses, n)
				}
				most = atLeast(most, b)
			}
			if d := cmp.Diff(want, most); d != "" {
				t.Errorf("the most that was spent (-budget +spent):\n%s", d)
			}
		})
	}
}

// atLeast has of every number of a budget the greater one.
func atLeast(a, b Budget) Budget {
	x, y := reflect.ValueOf(&a).Elem(), reflect.ValueOf(b)
	for i := range x.NumField() {
		if x.Field(i).CanInt() {
			x.Field(i).SetInt(max(x.Field(i).Int(), y.Field(i).Int()))
		}
	}
	return a
}

// What is drawn has a text form, a time before the end, and comes in the order of time.
func TestPlansAreWellFormed(t *testing.T) {
	f := field()
	seen := map[string]bool{}
	for seed := range uint64(1000) {
		plan := Draw(choice.NewSource(choice.Seeded(seed)), Swarm.Budget(), f)
		for i, p := range plan {
			if p.When.At >= f.End || p.When.At < 0 || i > 0 && p.When.At < plan[i-1].When.At {
				t.Fatalf("seed %d: fault %d falls at %v", seed, i, p.When.At)
			}
			text := string(p.AppendText(nil))
			got, err := Parse(strings.Fields(text))
			if got.When.At = p.When.At; err != nil || got != p {
				t.Fatalf("seed %d: %q reads as %+v, %v", seed, text, got, err)
			}
			if p.Fault.Kind == PowerLoss && !p.Fault.Spare {
				t.Fatalf("seed %d: %q may empty an ISR", seed, text)
			}
			note(seen, p)
		}
	}
	drawn := slices.DeleteFunc(Kinds(), func(name string) bool { // who draws the workload draws what its zombies do
		return name == FenceProducer.String() || name == RepeatRequest.String()
	})
	for _, want := range append(drawn, "role", "controller", "log", "node", "cluster",
		"at a time", "state.stored", "stop.producers-reset", "alignment.log-aligned", "on a node",
		"on a role", "log of one partition") {
		if !seen[want] {
			t.Errorf("no seed has a fault of the sort %s", want)
		}
	}
}

// note marks what sorts of faults there are.
func note(seen map[string]bool, p Planned) {
	f := p.Fault
	seen[f.Kind.String()] = true
	seen["role"] = seen["role"] || f.Target.Role != ""
	seen["controller"] = seen["controller"] || f.Kind == Crash && strings.Contains(f.Target.Node, "-c")
	seen["log"] = seen["log"] || strings.HasSuffix(f.Target.Peer, "-log")
	seen["node"] = seen["node"] || f.Kind == Cut && f.Target.Peer == "" && f.Target.Role == ""
	seen["cluster"] = seen["cluster"] || slices.Contains([]string{"A", "B"}, f.Target.Node)
	seen["on a node"] = seen["on a node"] || p.When.On.Node != ""
	seen["on a role"] = seen["on a role"] || p.When.On.Role != ""
	seen["log of one partition"] = seen["log of one partition"] || f.TP != ""
	if p.When.Point == point.None {
		seen["at a time"] = true
	} else {
		seen[p.When.Point.String()] = true
	}
}

// A field of one cluster has no link between clusters.
func TestDrawOnOneSide(t *testing.T) {
	f := field()
	f.Sides = f.Sides[:1]
	f.Sides[0].Controllers = []string{"a-c0", "a-c1"}
	for seed := range uint64(500) {
		for _, p := range Draw(choice.NewSource(choice.Seeded(seed)), Swarm.Budget(), f) {
			if target := p.Fault.Target; target.Role == "" && (target.Node == target.Peer || !strings.HasPrefix(strings.ToLower(target.Node), "a") || p.Fault.Kind == Isolate) {
				t.Fatalf("seed %d: %s", seed, p.AppendText(nil))
			}
		}
	}
}
