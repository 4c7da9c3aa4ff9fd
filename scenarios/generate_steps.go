package scenarios

import (
	"cmp"
	"slices"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// How long the operator waits before going on regardless.
const (
	patience    = 2 * id.Minute  // for a state
	lagPatience = 30 * id.Second // for the lag
)

// operator is the story: B mirrors A and is stopped; then, in most runs, A mirrors B, and is stopped in its turn.
func (g *generator) operator() {
	g.failback = g.chance(failbackOf, 93)
	g.second = g.failback && g.chance(secondOf, 50)
	if g.level != faults.None && (!g.failback || g.second) && g.chance(lostOf, 30) {
		g.lost = "A"
		if g.second {
			g.lost = "B"
		}
		g.hurry = g.chance(hurryOf, 50)
	}
	g.write("A")
	g.consume()
	g.mirror("A", "B")
	g.stop("A", "B", !g.failback)
	if g.failback {
		g.mirror("B", "A")
	}
	if g.second {
		g.stop("B", "A", true)
		g.rounds()
	}
	g.besideEnds()
	if short := fewestRecords - g.records; short > 0 {
		first := g.s.Steps[0].Do.(*format.Produce)
		first.Count += short
		g.records += short
	}
}

// request is what the operator asks of the mirror of t to that cluster.
func request(what format.Request, to string) *format.Operate {
	return &format.Operate{Request: what, Topics: []string{"t"}, Mirror: format.MirrorRef{Cluster: to, Name: "m"}}
}

// mirror has the cluster to mirror the other one for a while: first the acts of the window at their times, then a wait
// until it does, then more records.
func (g *generator) mirror(from, to string) {
	g.moment()
	g.begin(request(format.StartTopics, to))
	first := len(g.moments) == 1
	g.window(func() {
		g.bursts(from)
		g.elections()
		g.uncleanElections(from, to)
		g.hasty(from, to)
		g.transact(from)
		g.x.zombies.fence(g, from, to)
		g.x.zombies.repeat(g, to)
		g.groupWork(from, to)
		g.requests(to)
		g.trims(from)
		g.changes(from, to, first)
		g.cleanBoth(from, to)
		if first {
			g.beside()
		}
	})
	for _, tp := range g.partitions(to) {
		g.wait(format.StateIs{TP: tp, State: record.Mirroring}, patience)
	}
	if g.chance(plannedOf, 30) {
		for _, tp := range g.partitions(to) {
			g.wait(format.LagIs{TP: tp}, lagPatience)
		}
	}
	g.write(from)
}

// stop is a failover from one cluster to the other: in most runs in the midst of a burst, and not every client of the
// old side has heard of it. The last stop may be the one in the midst of which the old side is lost.
func (g *generator) stop(from, to string, last bool) {
	g.moment()
	if g.chance(burstsOf, 75) {
		for range 1 + g.ask(burstsOf, 3) {
			g.at(g.now, g.produce(from))
		}
		g.now += id.Millisecond * id.Duration(g.ask(offsetOf, 8))
	}
	g.transact(from)
	g.pauseAtStop(to)
	g.at(g.now, request(format.StopTopics, to))
	if last && g.lost != "" && g.hurry {
		g.now += id.Millisecond * id.Duration(g.ask(offsetOf, 100))
		g.flush()
		return
	}
	g.window(func() { g.bursts(from); g.elections(); g.trims(from); g.x.zombies.repeat(g, to) })
	g.waitStopped(to)
	if g.chance(againOf, 50) { // an operator who makes sure
		g.then(request(format.StopTopics, to))
		g.waitStopped(to)
	}
	g.moveGroups(from, to)
	if g.x.deletes && to == "B" && !g.second {
		g.then(&format.DeleteMirror{Mirror: format.MirrorRef{Cluster: to, Name: "m"}})
	}
	g.write(to)
	g.trimStopped(to)
	g.cleanStopped(to)
	if last {
		g.window(func() { g.bursts(to); g.transact(to) })
	}
}

func (g *generator) waitStopped(cluster string) {
	for _, tp := range g.partitions(cluster) {
		g.wait(format.StateIs{TP: tp, State: record.Stopped}, patience)
	}
}

// moment notes that the operator asks for something next.
func (g *generator) moment() { g.moments = append(g.moments, g.now) }

// then adds a step that begins when the one before it has completed.
func (g *generator) then(do format.Act) { g.s.Steps = append(g.s.Steps, format.Step{Do: do}) }

// write adds records, as soon as the step before it has completed.
func (g *generator) write(cluster string) { g.then(g.produce(cluster)) }

func (g *generator) wait(cond format.Condition, within id.Duration) {
	g.then(&format.Until{Cond: cond, Within: within, OrGoOn: true})
}

// at adds an act of the window.
func (g *generator) at(t id.Duration, do format.Act) {
	g.timed = append(g.timed, timedAct{t, do})
}

// begin adds an act that begins the window.
func (g *generator) begin(do format.Act) { g.at(g.now, do) }

// window lets 10 to 80 seconds pass, in which acts fall, and adds them to the steps by their times.
func (g *generator) window(acts func()) {
	g.now += 10 * id.Second * id.Duration(1+g.ask(windowOf, 8))
	acts()
	g.flush()
}

// flush adds the acts of the window to the steps.
func (g *generator) flush() {
	slices.SortStableFunc(g.timed, func(x, y timedAct) int { return cmp.Compare(x.at, y.at) })
	for _, x := range g.timed {
		g.s.Steps = append(g.s.Steps, format.Step{When: format.When{Kind: format.At, Time: x.at}, Do: x.do})
	}
	g.timed = nil
}

// some is a time of the window, more often early in it.
func (g *generator) some() id.Duration {
	begin := g.moments[len(g.moments)-1]
	part := id.Duration(g.ask(offsetOf, 32))
	return begin + (g.now-begin)*part*part/1024/id.Millisecond*id.Millisecond
}

// bursts are records of clients of that cluster, in the window.
func (g *generator) bursts(cluster string) {
	for range g.ask(burstsOf, 5) {
		g.at(g.some(), g.produce(cluster))
	}
}

// elections move leaderships, in the window.
func (g *generator) elections() {
	if !g.chance(electsOf, 25) {
		return
	}
	e := &format.Elect{Partition: g.anyPartition("B")}
	switch g.ask(electionOf, 4) {
	case 1:
		e.Partition.Cluster = "A"
	case 2:
		e.Coordinator = format.MirrorRef{Cluster: "B", Name: "m"}
	case 3:
		e.Partition.Cluster, e.Coordinator = "A", format.MirrorRef{Cluster: "A", Name: "m"}
	}
	g.at(g.some(), e)
}

// consume has every consumer read a partition of one side or the other, and every group one of the source.
func (g *generator) consume() {
	for _, c := range g.s.Clients {
		if c.Kind == format.Consumer {
			g.then(&format.Consume{Client: c.Name, From: g.anyPartition(c.On), ReadCommitted: c.Name == "rc", Reset: format.Reset(g.ask(resetOf, 3))})
		}
	}
	for _, client := range g.groups() {
		g.then(g.join(client, "A"))
	}
}
