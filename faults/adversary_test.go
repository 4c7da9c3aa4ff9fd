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

// bill is what a plan spends of a budget, of every kind. Cuts and delays of one moment are one. What a priority schedule slows is
// not paid for: it is slow for good.
func bill(plan []Planned) (b Budget, powerLosses map[byte]int) {
	powerLosses = map[byte]int{}
	cuts, delays := map[When]bool{}, map[When]bool{}
	for _, p := range plan {
		f := p.Fault
		if f.Kind == Slow && f.For == 0 {
			continue
		}
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
			most := Budget{Portfolio: want.Portfolio, Beyond: want.Beyond}
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

// armOfSeed is the arm of a plan that is drawn with the choices of a seed.
func armOfSeed(seed uint64) Arm { return DrawArm(choice.NewSource(choice.Seeded(seed))) }

// Every arm is dealt about as often as any other, and a run of it has the plan that it stands for.
func TestArms(t *testing.T) {
	const seeds = 5000
	dealt := map[Arm]int{}
	faults := map[Arm]map[Kind]int{}
	atPoints := map[Arm]int{}
	all := map[Arm]int{}
	kindsOfRuns := map[Arm]int{}
	for seed := range uint64(seeds) {
		a := armOfSeed(seed)
		dealt[a]++
		if faults[a] == nil {
			faults[a] = map[Kind]int{}
		}
		of := map[Kind]bool{}
		for _, p := range Draw(choice.NewSource(choice.Seeded(seed)), Swarm.Budget(), field()) {
			if p.Fault.Kind == Slow && p.Fault.For == 0 {
				if a != Priorities {
					t.Fatalf("seed %d, %v: %s", seed, a, p.AppendText(nil))
				}
				continue
			}
			all[a]++
			of[p.Fault.Kind] = true
			faults[a][p.Fault.Kind]++
			if p.When.Point != point.None {
				atPoints[a]++
			} else if a == AtPoints {
				t.Fatalf("seed %d, %v: %s falls at a time", seed, a, p.AppendText(nil))
			}
		}
		kindsOfRuns[a] += len(of)
	}
	for _, a := range Arms() {
		if want := seeds / int(arms); dealt[a] < want*9/10 || dealt[a] > want*11/10 {
			t.Errorf("%v is dealt to %d of %d seeds", a, dealt[a], seeds)
		}
		if len(faults[a]) < int(kinds)-3 { // all but heal, which ends a cut at a time, and the two that the workload draws
			t.Errorf("%v has only %d kinds", a, len(faults[a]))
		}
		if all[a] < 3*dealt[a] {
			t.Errorf("%v has %d faults in %d runs", a, all[a], dealt[a])
		}
	}
	if even, heavy := float64(kindsOfRuns[Uniform])/float64(all[Uniform]), float64(kindsOfRuns[Weighted])/float64(all[Weighted]); heavy > even*95/100 {
		t.Errorf("of 100 faults of a weighted run %.1f are of another kind than those before, of a uniform one %.1f", 100*heavy, 100*even)
	}
}

// In a priority schedule every broker and controller but one is slow from the start, each by another time, and at up to three
// later places one falls below all.
func TestPriorities(t *testing.T) {
	f, changes := field(), map[int]int{}
	for seed := range uint64(2000) {
		if armOfSeed(seed) != Priorities {
			continue
		}
		slowed, slower, slowest := map[string]bool{}, 0, int64(0)
		by := map[int64]bool{}
		for _, p := range Draw(choice.NewSource(choice.Seeded(seed)), Swarm.Budget(), f) {
			switch {
			case p.Fault.Kind != Slow || p.Fault.For != 0:
			case p.When.At == 0 && p.When.Point == point.None && !slowed[p.Fault.Target.Node] && slower == 0 && len(slowed) < 7:
				slowed[p.Fault.Target.Node], by[p.Fault.Amount] = true, true
				slowest = max(slowest, p.Fault.Amount)
			default:
				slower++
				if p.Fault.Amount <= slowest {
					t.Errorf("seed %d: %s is above the lowest", seed, p.AppendText(nil))
				}
			}
		}
		if len(slowed) != 7 || len(by) != 7 { // of 5 brokers and 3 controllers
			t.Errorf("seed %d slows %v, by %v", seed, slowed, by)
		}
		changes[slower]++
	}
	for n := range changePoints + 1 {
		if changes[n] < 50 {
			t.Errorf("%d changes in %d runs: %v", n, changes[n], changes)
		}
	}
}

// Beyond the budget more power losses fall upon a cluster than it can bear, and none spares it.
func TestBeyondTheBudget(t *testing.T) {
	most := 0
	for seed := range uint64(500) {
		n := 0
		for _, p := range Draw(choice.NewSource(choice.Seeded(seed)), Beyond.Budget(), field()) {
			if p.Fault.Kind == PowerLoss {
				n++
				if p.Fault.Spare {
					t.Fatalf("seed %d: %s", seed, p.AppendText(nil))
				}
			}
		}
		most = max(most, n)
	}
	if most <= 2*Swarm.Budget().PowerLosses || Beyond.Promised() || !Swarm.Promised() {
		t.Errorf("%d power losses", most)
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
