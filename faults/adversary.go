package faults

import (
	"cmp"
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// Field is upon what, and when, an adversary has faults fall.
type Field struct {
	Sides   []Side        // at least one
	Roles   []string      // targets that are looked up when a fault falls: "leader TP", "coordinator MIRROR TP"
	Moments []id.Duration // when something begins that is worth a fault, ascending; at least one
	End     id.Duration   // no fault falls, and none is armed, from here on; above 0
}

// Side is one cluster. It has at least two brokers and a controller.
type Side struct {
	Name                 string // stands for the whole cluster at an end of a link
	Brokers, Controllers []string
	Log                  string
}

// planned is the subject of a question about a plan.
type planned uint32

const (
	netDrop planned = iota
	netDelay
	netDuplicate
	netReorder
	netJitter
	kindOf   // is this kind of fault among those of the run?
	howOften // does one kind fall?
	placeOf  // at a point, near a moment, or at any time?
	pointOf
	nthOf
	momentOf
	timeOf
	targetOf
	shapeOf // one way, both ways, a whole node, between clusters
	longOf  // how long does it last?
	byOf    // how much longer do messages take?
	healOf  // is it mended by itself?
	onOf    // must a certain node reach the point?
	whichOf // which of two like kinds is it?
	apiOf   // of which message?
	batchOf // which batch of a log?
	armOf   // by which strategy?
	weightOf
	rankOf
	thereOf // does it fall upon whoever is at the point?
)

// even are the odds under which each of n answers is as likely as the calm one.
func even(n uint32) uint16 { return uint16((n - 1) << 16 / n) }

// Draw has c draw a plan within the budget, ordered by time. A fault at a point is armed at its time. The calm plan is
// empty.
func Draw(c *choice.Source, b Budget, f Field) []Planned {
	d := &adversary{c: c, b: b, f: f}
	if !b.Portfolio {
		d.someOfEach(d.shares())
	} else {
		d.spend(DrawArm(c))
	}
	slices.SortStableFunc(d.plan, func(x, y Planned) int { return cmp.Compare(x.When.At, y.When.At) })
	return d.plan
}

// adversary is a plan that is being drawn.
type adversary struct {
	c    *choice.Source
	b    Budget
	f    Field
	plan []Planned
	// pointed: every fault falls at a point.
	pointed bool
}

// ask asks for one of n answers that are equally likely.
func (d *adversary) ask(of planned, n int) int {
	return int(d.c.Int(choice.Plan, uint32(of), uint32(n), even(uint32(max(n, 1)))))
}

func (d *adversary) oneOf(list []string) string { return list[d.ask(targetOf, len(list))] }

// anyNode is a role, a broker or a controller. Roles are where the protocol is at work.
func (d *adversary) anyNode() Target {
	if n := len(d.f.Roles); n > 0 && d.ask(shapeOf, 3) > 0 {
		return Target{Role: d.f.Roles[d.ask(targetOf, n)]}
	}
	side := d.side()
	return Target{Node: d.oneOf(append(slices.Clone(side.Brokers), side.Controllers...))}
}

// anyBroker is a role or a broker.
func (d *adversary) anyBroker() Target {
	if n := len(d.f.Roles); n > 0 && d.ask(shapeOf, 3) > 0 {
		return Target{Role: d.f.Roles[d.ask(targetOf, n)]}
	}
	return Target{Node: d.oneOf(d.side().Brokers)}
}

func (d *adversary) side() *Side { return &d.f.Sides[d.ask(targetOf, len(d.f.Sides))] }

// when is a point, a time soon after a moment, or any time.
func (d *adversary) when() When {
	moment := d.f.Moments[d.ask(momentOf, len(d.f.Moments))]
	place := 4
	if !d.pointed {
		place = d.ask(placeOf, 5)
	}
	switch place {
	case 0:
		return When{At: d.bounded(d.f.End * id.Duration(d.ask(timeOf, 1000)) / 1000)}
	case 1, 2:
		late := id.Duration(d.ask(timeOf, 40)) // densest right behind the moment
		return When{At: d.bounded(moment + late*late*2*id.Millisecond)}
	default:
		w := When{At: d.bounded(moment), Point: point.None + 1 + point.Point(d.ask(pointOf, point.Points-1)),
			Nth: 1 + uint32(d.ask(nthOf, 3))}
		if d.ask(onOf, 4) == 3 {
			w.On = d.anyBroker()
		}
		return w
	}
}

// bounded is t in whole milliseconds, before the end.
func (d *adversary) bounded(t id.Duration) id.Duration {
	return min(t, d.f.End-id.Millisecond) / id.Millisecond * id.Millisecond
}

// long is a time of whole half-seconds up to longest.
func (d *adversary) long(longest id.Duration) id.Duration {
	const half = 500 * id.Millisecond
	return half * id.Duration(1+d.ask(longOf, int(longest/half)))
}

func (d *adversary) down(k Kind, t Target) {
	w := d.when()
	d.add(w, Fault{Kind: k, Target: t, For: d.long(d.b.MaxDown), Spare: k == PowerLoss && !d.b.Beyond})
}

// add adds a fault of a node to the plan. Of those at points half fall upon whoever is there, so that what it has done and what
// it has not done yet are parted; a power loss, of which each side has its number, when its own node is there.
func (d *adversary) add(w When, f Fault) {
	if w.Point != point.None && d.ask(thereOf, 2) == 1 {
		switch {
		case f.Kind == PowerLoss:
			w.On = f.Target
		case w.Point.OfBroker() || !f.Kind.OfDisk() && f.Kind != Stale:
			f.Target = Target{Role: There}
		}
	}
	d.plan = append(d.plan, Planned{w, f})
}

// cut is one cut: of both ways or one way between two ends, or of a node. In some runs it does not mend by itself.
func (d *adversary) cut() {
	when, long, heals := d.when(), d.long(d.b.MaxCut), d.ask(healOf, 4) == 3
	for _, t := range d.links() {
		f := Planned{when, Fault{Kind: Cut, Target: t, For: long}}
		if heals && when.Point == point.None && t.Peer != "" { // to heal a node would end more than its cut
			f.Fault.For = 0
			d.plan = append(d.plan, Planned{When{At: d.bounded(when.At + long)}, Fault{Kind: Heal, Target: t}})
		}
		d.plan = append(d.plan, f)
	}
}

func (d *adversary) delay() {
	when, long := d.when(), d.long(d.b.MaxCut)
	by := d.by()
	for _, t := range d.links() {
		d.plan = append(d.plan, Planned{when, Fault{Kind: Delay, Target: t, For: long, Amount: by}})
	}
}

// by is an amount of time up to the longest delay, in twenty equal steps.
func (d *adversary) by() int64 {
	return int64(d.b.MaxDelay / 20 * id.Duration(1+d.ask(byOf, 20)))
}

// last is a fault that ends by itself.
func (d *adversary) last(f Fault, longest id.Duration) {
	f.For = d.long(longest)
	if f.Kind.row().falls != onNode || f.TP != "" {
		d.plan = append(d.plan, Planned{d.when(), f})
		return
	}
	d.add(d.when(), f)
}

// move gives the role of a controller or of a coordinator to the next one. Where there is no other there is no move.
func (d *adversary) move() {
	f := Fault{Kind: MoveController}
	var able []string
	for i := range d.f.Sides {
		if s := &d.f.Sides[i]; len(s.Controllers) > 1 {
			able = append(able, s.Name)
		}
	}
	var entries []string
	for _, role := range d.f.Roles {
		if _, _, ok := (Target{Role: role}).Coordinator(); ok {
			entries = append(entries, role)
		}
	}
	switch which := d.ask(whichOf, 2); {
	case len(able)+len(entries) == 0:
		return
	case len(able) == 0 || which == 1 && len(entries) > 0:
		f.Kind, f.Target.Role = MoveCoordinator, d.oneOf(entries)
	default:
		f.Target.Node = d.oneOf(able)
	}
	d.plan = append(d.plan, Planned{d.when(), f})
}

// caught are the requests that a fault may wait for, or for their answers: those that have effects, or tell of them.
var caught = [...]wire.API{wire.Produce, wire.Fetch, wire.MirrorTopics, wire.LastMirroredPosition, wire.ReadMirrorStates,
	wire.WriteMirrorStates, wire.AlterPartition, wire.BumpLeaderEpoch, wire.BrokerHeartbeat, wire.AppendMetadata, wire.MetadataFetch,
	wire.AddPartitionsToTxn, wire.EndTxn, wire.WriteTxnMarkers}

// message is one message of a node, or between clusters, that is lost, late or comes twice.
func (d *adversary) message() {
	f := Fault{Kind: Drop, Nth: 1 + uint32(d.ask(nthOf, 4))}
	f.API = caught[d.ask(apiOf, len(caught))] + wire.API(d.ask(apiOf, 2))
	if f.Kind += Kind(d.ask(whichOf, 3)); f.Kind != Drop {
		f.Amount = d.by()
	}
	f.Target = d.anyNode()
	if side := d.side(); d.ask(shapeOf, 4) == 0 && d.across(side) != side {
		f.Target = Target{Node: side.Name, Peer: d.across(side).Name}
	}
	w := d.when()
	if w.Point.OfStop() { // of the one who is stopping, what the next steps need
		f.API = stopping[d.ask(apiOf, len(stopping))] + wire.API(d.ask(apiOf, 2))
		f.Target, f.Nth = Target{Role: There}, 1
	}
	d.plan = append(d.plan, Planned{w, f})
}

// stopping are the requests of a leader that stops, and of the followers that it waits for.
var stopping = [...]wire.API{wire.WriteMirrorStates, wire.BumpLeaderEpoch, wire.Fetch}

// diskError is a failure of the log directory of one partition, whoever leads it, or of all of a broker.
func (d *adversary) diskError() {
	f := Fault{Kind: DiskError, Target: d.anyBroker()}
	if tp, ok := f.Target.Leader(); ok && d.ask(whichOf, 2) == 1 {
		f.TP = tp
	}
	d.last(f, d.b.MaxDown)
}

// corruptible is how many offsets of a log a bit may turn round at: generated runs write few records.
const corruptible = 24

// corrupt is a bit of a batch on the disk of a partition's leader, which turns back as when an operator restores the file.
func (d *adversary) corrupt() {
	led := slices.DeleteFunc(slices.Clone(d.f.Roles), func(role string) bool {
		_, ok := Target{Role: role}.Leader()
		return !ok
	})
	if len(led) == 0 {
		return
	}
	d.last(Fault{Kind: Corrupt, Target: Target{Role: d.oneOf(led)}, Amount: int64(d.ask(batchOf, corruptible))}, d.b.MaxDown)
}

// links are the targets of one cut or delay.
func (d *adversary) links() []Target {
	side := d.side()
	a := d.oneOf(side.Brokers)
	var b string
	switch d.ask(shapeOf, 6) {
	case 0:
		b = d.other(append(slices.Clone(side.Brokers), side.Controllers...), a)
	case 1:
		a, b = d.oneOf(append(slices.Clone(side.Brokers), side.Controllers...)), side.Log
	case 2:
		b = d.oneOf(d.across(side).Brokers)
	case 3:
		return []Target{{Node: a}}
	default:
		a, b = side.Name, d.across(side).Name
	}
	if a == b { // one side has nothing across
		return []Target{{Node: side.Brokers[0]}}
	}
	if d.ask(shapeOf, 3) == 0 {
		return []Target{{Node: a, Peer: b}}
	}
	return []Target{{Node: a, Peer: b}, {Node: b, Peer: a}}
}

// other is one of the list that is not a.
func (d *adversary) other(list []string, a string) string {
	return d.oneOf(slices.DeleteFunc(list, func(x string) bool { return x == a }))
}

// across is another side, or the same where there is no other.
func (d *adversary) across(side *Side) *Side {
	var others []*Side
	for i := range d.f.Sides {
		if s := &d.f.Sides[i]; s != side {
			others = append(others, s)
		}
	}
	if len(others) == 0 {
		return side
	}
	return others[d.ask(targetOf, len(others))]
}
