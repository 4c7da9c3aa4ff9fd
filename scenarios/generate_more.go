package scenarios

import (
	"fmt"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// What besides failover and failback a run has: each is drawn apart, and a calm run has none of it.
type extras struct {
	third      bool // a third cluster, which mirrors B, or A
	fromA      bool // the third cluster mirrors A
	stopsThird bool
	other      bool // a second topic, in a mirror of its own
	pauses     bool
	recovers   bool
	describes  bool
	deletes    bool // the mirror, after its stop
	committed  bool // consumers in read_committed
	syncs      bool // changes of metadata, for mirror-wide work
	discovers  bool // the source gets a topic that a pattern matches
	grows      bool // the source's topic gets more partitions
	unclean    bool // a replica that lacks records is elected
	zombies    zombies
}

// thirdMirror and otherMirror are the names of the mirrors beside m.
const (
	thirdMirror = "n"
	otherMirror = "k"
)

// moreTopology draws the extras, and adds the clusters, topics, mirrors and clients that they need.
func (g *generator) moreTopology() {
	g.x.transactions(g)
	g.addGroups()
	if g.level == faults.None {
		return
	}
	t := &g.s.Topics[0]
	g.x.third, g.x.other = g.chance(thirdOf, 20), g.chance(otherOf, 20)
	if g.chance(mirrorUncleanOf, 32) {
		for i := range g.s.Topics {
			g.s.Topics[i].MirrorUnclean = true
		}
		g.unclean()
	}
	if g.x.third {
		g.x.fromA, g.x.stopsThird = g.chance(thirdOf, 35), g.chance(thirdOf, 50)
		g.s.Clusters = append(g.s.Clusters, format.Cluster{Name: "C", Brokers: 2, Controllers: 1})
		g.s.Topics = append(g.s.Topics, format.Topic{Name: "t", On: "C", Partitions: t.Partitions, Replicas: 2, IDOf: "A"})
		from := "B"
		if g.x.fromA {
			from = "A"
		}
		g.s.Mirrors = append(g.s.Mirrors, format.Mirror{Name: thirdMirror, From: from, To: "C"})
	}
	if g.x.other {
		g.s.Topics = append(g.s.Topics, format.Topic{Name: "u", On: "A", Partitions: 1, Replicas: 2},
			format.Topic{Name: "u", On: "B", Partitions: 1, Replicas: 2, IDOf: "A"})
		g.s.Mirrors = append(g.s.Mirrors, format.Mirror{Name: otherMirror, From: "A", To: "B"})
	}
	g.x.pauses, g.x.recovers = g.chance(pausesOf, 30), g.chance(recoversOf, 20)
	g.x.describes, g.x.deletes = g.chance(describesOf, 25), g.chance(deletesOf, 8)
	g.topics.draw(g)
	g.synchronisation()
	g.x.zombies.draw(g)
}

// transactions adds a transactional client on either side, and a reader in read_committed, in the place of what clients were
// drawn beside the first three.
func (x *extras) transactions(g *generator) {
	if !g.chance(transactionsOf, 45) {
		return
	}
	g.s.Clients = g.s.Clients[:3]
	for _, on := range []string{"A", "B"} {
		g.s.Clients = append(g.s.Clients, format.Client{Name: "t" + on, Kind: format.Transactional, On: on})
	}
	g.s.Clients = append(g.s.Clients, format.Client{Name: "rc", Kind: format.Consumer, On: "B"})
	x.committed = true
}

// transactional is the transactional client of that cluster, "" if there is none.
func (g *generator) transactional(cluster string) string {
	for i := range g.s.Clients {
		if c := &g.s.Clients[i]; c.Kind == format.Transactional && c.On == cluster {
			return c.Name
		}
	}
	return ""
}

// transact adds transactions of that cluster's client to the window: one after another, of some batches each, most of
// them committed; the last may still be open when the window ends.
func (g *generator) transact(cluster string) {
	client := g.transactional(cluster)
	if client == "" {
		return
	}
	at := g.some()
	for range 1 + g.ask(transactionsOf, 3) {
		for range 1 + g.ask(transactionsOf, 3) {
			a := &format.Produce{Client: client, To: g.anyPartition(cluster), Count: 1 + g.ask(countOf, 4), Acks: -1, PID: -1}
			if g.full() {
				return
			}
			a.Batch = g.batch(a.Count, 2)
			g.records += a.Count
			g.at(at, a)
			at += id.Millisecond * id.Duration(g.ask(offsetOf, 40))
		}
		switch g.ask(endOf, 5) {
		case 0, 1, 2:
			g.at(at, &format.Commit{Client: client})
		case 3:
			g.at(at, &format.Abort{Client: client})
		default:
			return // open until the time-out, or the stop
		}
		at += id.Millisecond * id.Duration(g.ask(offsetOf, 2000))
	}
}

// full tells whether the run has nearly as many records as it may have: the producers of the story write some yet.
func (g *generator) full() bool { return g.records > mostRecords-120 }

// requests adds what an operator asks of a mirror in the window besides: a pause and its end, recovery, a description.
func (g *generator) requests(to string) {
	if g.x.pauses && g.chance(pausesOf, 60) {
		at := g.some()
		g.at(at, request(format.PauseTopics, to))
		g.at(at+id.Second*id.Duration(1+g.ask(offsetOf, 8)), request(format.ResumeTopics, to))
	}
	if g.x.recovers {
		g.at(g.some(), request(format.RecoverTopics, to))
	}
	for range 2 {
		if g.x.describes {
			g.at(g.some(), &format.Describe{Partition: g.anyPartition(to), Mirror: format.MirrorRef{Cluster: to, Name: "m"}})
		}
	}
}

// beside has the third cluster and the second topic mirrored, from some time of the window on.
func (g *generator) beside() {
	if g.x.third {
		g.at(g.some(), g.asked(format.StartTopics, "t", "C", thirdMirror))
	}
	if g.x.other {
		g.at(g.some(), g.asked(format.StartTopics, "u", "B", otherMirror))
		for range 1 + g.ask(burstsOf, 3) {
			a := &format.Produce{Client: "p", To: format.TP{Cluster: "A", Topic: "u"}, Count: 1 + g.ask(countOf, 6), Acks: -1, PID: -1, Batch: 1}
			if g.full() {
				break
			}
			if g.topics.wide {
				a.Batch = g.batch(a.Count, 1)
			}
			g.records += a.Count
			g.at(g.some(), a)
		}
		switch g.ask(otherOf, 3) {
		case 1:
			g.at(g.now, g.asked(format.PauseTopics, "u", "B", otherMirror))
		case 2:
			g.at(g.now, g.asked(format.StopTopics, "u", "B", otherMirror))
		}
		g.deleteAtSource()
		g.x.zombies.recreate(g)
	}
}

// besideEnds stops the third cluster's mirror in some runs, and deletes the second topic in some.
func (g *generator) besideEnds() {
	g.deleteAtDestination()
	g.x.zombies.recreateEnds(g)
	if g.x.third && g.x.stopsThird {
		g.then(g.asked(format.StopTopics, "t", "C", thirdMirror))
		for _, tp := range g.partitions("C") {
			g.wait(format.StateIs{TP: tp, State: record.Stopped}, patience)
		}
	}
	g.x.zombies.replace(g)
}

func (g *generator) asked(what format.Request, topic, to, mirror string) *format.Operate {
	return &format.Operate{Request: what, Topics: []string{topic}, Mirror: format.MirrorRef{Cluster: to, Name: mirror}}
}

// rounds are further failovers and failbacks, after the second: a topic may be mirrored back and forth any number of times.
func (g *generator) rounds() {
	for n := range 2 {
		if g.lost != "" || !g.chance(roundsOf, 30) {
			return
		}
		from, to := "A", "B"
		if n == 1 {
			from, to = "B", "A"
		}
		g.mirror(from, to)
		g.stop(from, to, false)
	}
}

// roles are the places where a fault may fall on whoever leads or coordinates at that moment.
func (g *generator) roles() (roles []string) {
	for i := range g.s.Topics {
		t := &g.s.Topics[i]
		for p := range t.Partitions {
			tp := format.TP{Cluster: t.On, Topic: t.Name, Partition: p}
			roles = append(roles, "leader "+tp.String())
			for k := range g.s.Mirrors {
				if m := &g.s.Mirrors[k]; m.To == t.On && g.carries(m.Name, t.Name) {
					roles = append(roles, fmt.Sprintf("coordinator %s/%s %s", m.To, m.Name, tp))
				}
			}
		}
	}
	return roles
}

// carries tells whether the mirror of that name mirrors that topic.
func (g *generator) carries(mirror, topic string) bool {
	return (mirror == otherMirror) == (topic == "u")
}
