package scenarios

import (
	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// Of a run with unclean elections: after how long a replica that lags leaves the ISR, and how long one is cut off from its leader,
// so that it leaves, lacks what is written then, and is elected while it lacks it.
const (
	uncleanLag = "10s"
	uncleanCut = 26 * id.Second
)

// unclean draws whether a run's topics may elect a replica outside the ISR: only where mirrors support that, and not under light
// faults, which promise more.
func (g *generator) unclean() {
	if !g.level.Budget().Portfolio || !g.chance(uncleanOf, 70) {
		return
	}
	g.x.unclean = true
	for i := range g.s.Topics {
		if t := &g.s.Topics[i]; t.Name == "t" {
			t.Unclean = true
		}
	}
	g.s.Settings = append(g.s.Settings, format.Set{Key: "replica-lag", Token: uncleanLag})
}

// uncleanElections has, in the window, a partition of that cluster elect a replica that lacks records: it is cut off from its
// leader, falls out of the ISR, and the operator elects it. What was written meanwhile may have been mirrored.
func (g *generator) uncleanElections(cluster, to string) {
	if !g.x.unclean || !g.chance(uncleanOf, 90) {
		return
	}
	tp, at := g.anyPartition(cluster), g.some()
	leader, other := g.broker(cluster, tp.Partition), g.broker(cluster, tp.Partition+1)
	g.fault(at, faults.Fault{Kind: faults.Cut, Target: faults.Target{Node: leader, Peer: other}, For: uncleanCut})
	g.fault(at, faults.Fault{Kind: faults.Cut, Target: faults.Target{Node: other, Peer: leader}, For: uncleanCut})
	if g.chance(uncleanOf, 95) {
		g.missing(tp.Partition, to, at+18*id.Second)
	}
	for range 1 + g.ask(burstsOf, 2) {
		a := g.produce(cluster)
		a.To = tp
		g.at(at+16*id.Second+id.Millisecond*id.Duration(g.ask(offsetOf, 3000)), a)
	}
	g.at(at+20*id.Second+id.Millisecond*id.Duration(g.ask(offsetOf, 4000)), &format.Elect{Partition: tp, Unclean: true})
}

// missing has a replica of a mirror's destination be away when the source's election comes, two seconds later, so that ULE_RECOVERY
// waits for it. In some of these runs the operator stops the topic meanwhile, or right before, and the leader hears of it then;
// later he starts it again.
func (g *generator) missing(partition int, to string, at id.Duration) {
	g.fault(at, faults.Fault{Kind: faults.Crash, Target: faults.Target{Node: g.broker(to, partition+1)},
		For: 10 * id.Second * id.Duration(1+g.ask(offsetOf, 4))})
	stop := at + 8*id.Second
	switch g.ask(uncleanOf, 4) {
	case 0:
		return
	case 2, 3:
		g.fault(at+id.Second, faults.Fault{Kind: faults.Stale, Target: faults.Target{Node: g.broker(to, partition)},
			For: id.Second * id.Duration(4+g.ask(offsetOf, 8))})
		stop = at + 3*id.Second/2
	}
	g.at(stop, request(format.StopTopics, to))
	g.at(stop+25*id.Second, request(format.StartTopics, to))
}

// broker is the n-th broker of a cluster, going round; the first leader of partition n is.
func (g *generator) broker(cluster string, n int) string {
	for i := range g.s.Clusters {
		if c := &g.s.Clusters[i]; c.Name == cluster {
			return c.Node(n % c.Brokers)
		}
	}
	panic("scenarios: no cluster " + cluster)
}

// fault adds a fault of the story to the window.
func (g *generator) fault(at id.Duration, f faults.Fault) {
	g.at(at, &format.Fault{Plan: faults.Planned{Fault: f}})
}
