package faults

import (
	"slices"

	"mirrorsim/model/id"
)

// share is one kind of fault, or some like kinds: how many of them a budget pays for, and how much it weighs against others.
type share struct {
	most   int
	fall   func() // adds one to the plan
	weight int
}

// shares are the parts of the budget, all of one weight.
func (d *adversary) shares() (list []share) {
	add := func(most int, fall func()) {
		if most > 0 {
			list = append(list, share{most, fall, 1})
		}
	}
	add(d.b.Crashes, func() { d.down(Crash, d.anyNode()) })
	for i := range d.f.Sides {
		add(d.b.PowerLosses, func() { d.down(PowerLoss, Target{Node: d.oneOf(d.f.Sides[i].Brokers)}) })
	}
	add(d.b.Cuts, d.cut)
	add(d.b.Delays, d.delay)
	add(d.b.Pauses, func() { d.last(Fault{Kind: Pause, Target: d.anyNode()}, d.b.MaxPause) })
	add(d.b.Slows, func() { d.last(Fault{Kind: Slow, Target: d.anyNode(), Amount: d.by()}, d.b.MaxCut) })
	if len(d.f.Sides) > 1 {
		add(d.b.Isolations, func() { d.last(Fault{Kind: Isolate, Target: Target{Node: d.side().Name}}, d.b.MaxCut) })
	}
	add(d.b.Stales, func() { d.last(Fault{Kind: Stale, Target: d.anyNode()}, d.b.MaxCut) })
	add(d.b.Moves, d.move)
	add(d.b.Messages, d.message)
	add(d.b.DiskSlows, func() { d.last(Fault{Kind: DiskSlow, Target: d.anyBroker(), Amount: d.by()}, d.b.MaxCut) })
	add(d.b.DiskFulls, func() { d.last(Fault{Kind: DiskFull, Target: d.anyBroker()}, d.b.MaxFull) })
	add(d.b.DiskErrors, d.diskError)
	add(d.b.Corruptions, d.corrupt)
	return list
}

// spend spends the budget as an arm does.
func (d *adversary) spend(a Arm) {
	if a == Priorities {
		d.b.Slows = 0 // one that ends would end the node's priority as well
	}
	switch list := d.shares(); a {
	case Uniform:
		d.oneByOne(list)
	case Weighted:
		for i := range list {
			list[i].weight = 1 << d.ask(weightOf, doublings)
		}
		d.oneByOne(list)
	case Halved:
		d.someOfEach(d.half(list))
	case Priorities:
		d.prioritise()
		d.someOfEach(d.half(list))
	case AtPoints:
		d.pointed = true
		d.someOfEach(d.half(list))
	}
}

// doublings is how many weights there are: the heaviest kind falls 32 times as often as the lightest.
const doublings = 6

// mostFaults is how many faults fall at most when they are drawn one by one: about twice as many as of the halved budget.
const mostFaults = 20

// someOfEach has every share fall 0 to most times, evenly.
func (d *adversary) someOfEach(list []share) {
	for _, s := range list {
		for range d.ask(howOften, s.most+1) {
			s.fall()
		}
	}
}

// half is about half of the list.
func (d *adversary) half(list []share) []share {
	return slices.DeleteFunc(list, func(share) bool { return d.ask(kindOf, 2) == 0 })
}

// oneByOne has 0 to mostFaults faults fall, evenly, each of a share that is drawn by its weight among those that are not spent.
func (d *adversary) oneByOne(list []share) {
	for range d.ask(howOften, mostFaults+1) {
		total := 0
		for _, s := range list {
			total += s.weight
		}
		if total == 0 {
			return
		}
		at, i := d.ask(kindOf, total), 0
		for ; at >= list[i].weight; i++ {
			at -= list[i].weight
		}
		list[i].fall()
		if list[i].most--; list[i].most == 0 {
			list[i].weight = 0
		}
	}
}

// changePoints is how often a priority changes at most: a bug that depends on n orders needs n-1 changes.
const changePoints = 3

// prioritise has all brokers and controllers work by priorities, as probabilistic concurrency testing (Burckhardt et al., 2010)
// has threads do. There the one of the highest priority that can go on does so; here time decides, so a node handles what comes
// the later the lower it stands. At up to three points or times one node falls below all others. The second phase ends it.
func (d *adversary) prioritise() {
	var left []string
	for i := range d.f.Sides {
		left = append(append(left, d.f.Sides[i].Brokers...), d.f.Sides[i].Controllers...)
	}
	all := slices.Clone(left)
	for rank := range all {
		i := d.ask(rankOf, len(left))
		d.rank(When{}, left[i], rank)
		left = slices.Delete(left, i, i+1)
	}
	for n := range d.ask(howOften, changePoints+1) {
		when := d.when()
		d.rank(when, d.oneOf(all), len(all)+n)
	}
}

// rank has a node handle its inputs as late as one does above which so many others stand: the second by as long as a message
// takes inside a cluster, the tenth by about as long as one takes to another cluster and back. Of 20 nodes the last one is below
// a fifth of a second late, so that nobody is taken for dead.
func (d *adversary) rank(when When, node string, rank int) {
	if by := id.Millisecond / 2 * id.Duration(rank*rank); by > 0 {
		d.plan = append(d.plan, Planned{when, Fault{Kind: Slow, Target: Target{Node: node}, Amount: int64(by)}})
	}
}
