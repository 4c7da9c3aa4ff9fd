package scenarios

import (
	"fmt"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// Generate makes the scenario of a seed: clusters, clients, an operator's failover and failback, the faults of that
// level, and a second phase. Printed and parsed again it is the same scenario. To run it as the sweep does, use the
// options of Options.WithLevel with the same seed and level.
func Generate(seed uint64, level faults.Level) *format.Scenario {
	s := GenerateFrom(choice.NewSource(choice.Seeded(seed)), level)
	s.Name = fmt.Sprintf("seed-%d-%v", seed, level)
	return s
}

// GenerateFrom is Generate with other choices than those of a seed. The calm one is a small failover without a fault.
func GenerateFrom(c *choice.Source, level faults.Level) *format.Scenario {
	g := &generator{c: c, level: level, s: &format.Scenario{Name: "generated"}}
	g.topology()
	g.operator()
	g.hit()
	g.live()
	return g.s
}

// WithLevel are o with the choices of a seed, from 0 to 2^53-1, and the network of that level.
func (o Options) WithLevel(seed uint64, level faults.Level) Options {
	o.Choices, o.Net, o.Unpromised = choice.Seeded(seed), level.Network(seed), !level.Promised()
	return o
}

// armOf is the strategy that a seed is dealt, where the level of faults deals any.
func armOf(seed uint64) faults.Arm { return faults.DrawArm(choice.NewSource(choice.Seeded(seed))) }

// work is the subject of a question about a workload.
type work uint32

const (
	brokersOf work = iota
	controllersOf
	partitionsOf
	replicasOf
	clientsOf
	clientKindOf
	whichPartition
	whichClient
	countOf
	batchOf
	acksOf
	resetOf
	windowOf
	offsetOf
	burstsOf
	failbackOf
	secondOf
	plannedOf
	againOf
	electsOf
	electionOf
	lostOf
	hurryOf
	coreOf
	whichBroker
	thirdOf
	otherOf
	mirrorUncleanOf
	transactionsOf
	endOf
	pausesOf
	recoversOf
	describesOf
	deletesOf
	roundsOf
	wideOf
	trimsOf
	trimOf
	startOf
	deletedOf
	groupsOf
	groupMoveOf
	groupWorkOf
	syncsOf
	discoversOf
	growsOf
	changeOf
	retentionOf
	compactionOf
	uncleanOf
	hastyOf
	nthStateOf
)

// The bounds of the number of records of a run.
const (
	fewestRecords = 30
	mostRecords   = 300
)

// generator is a scenario that is being made.
type generator struct {
	c       *choice.Source
	level   faults.Level
	s       *format.Scenario
	now     id.Duration   // when the next window begins, at the earliest
	timed   []timedAct    // of the present window
	moments []id.Duration // when the operator asks for something
	records int
	grown   int // partitions that t has been given
	// How the story goes.
	failback, second bool
	lost             string // the cluster that is lost for good, "" if none is
	hurry            bool   // it is lost in the midst of the last stop
	x                extras
	topics           topicExtras
	cleanings        cleanings
}

// timedAct is an act of a window, by its time since the start of the run.
type timedAct struct {
	at id.Duration
	do format.Act
}

// ask asks for one of n answers that are equally likely, the calm one being 0.
func (g *generator) ask(of work, n int) int {
	return int(g.c.Int(choice.Workload, uint32(of), uint32(n), uint16((n-1)<<16/n)))
}

// chance asks for something that is so in odds of 100 runs and is not so in a calm one.
func (g *generator) chance(of work, odds int) bool {
	return g.c.Int(choice.Workload, uint32(of), 2, uint16(odds<<16/100)) == 1
}

// topology is two clusters with one topic, its mirrors in both directions, and the clients.
func (g *generator) topology() {
	partitions := 1 + g.ask(partitionsOf, 3)
	for _, name := range []string{"A", "B"} {
		c := format.Cluster{Name: name, Brokers: 2 + g.ask(brokersOf, 2), Controllers: 1 + g.ask(controllersOf, 3)}
		g.s.Clusters = append(g.s.Clusters, c)
		t := format.Topic{Name: "t", On: name, Partitions: partitions, Replicas: 2 + g.ask(replicasOf, c.Brokers-1)}
		if name == "B" {
			t.IDOf = "A"
		}
		g.s.Topics = append(g.s.Topics, t)
	}
	g.s.Mirrors = []format.Mirror{{Name: "m", From: "A", To: "B"}, {Name: "m", From: "B", To: "A"}}
	g.s.Clients = []format.Client{{Name: "p", On: "A"}, {Name: "q", On: "B"}, {Name: "r", Kind: format.Consumer, On: "B"}}
	for i := range g.ask(clientsOf, 4) {
		g.s.Clients = append(g.s.Clients, []format.Client{
			{Name: "x" + fmt.Sprint(i), On: "A", Plain: true},
			{Name: "y" + fmt.Sprint(i), On: "B"},
			{Name: "z" + fmt.Sprint(i), Kind: format.Consumer, On: "A"},
		}[g.ask(clientKindOf, 3)])
	}
	g.moreTopology()
	g.cleanings.draw(g)
}

// anyPartition is a partition of t on that cluster.
func (g *generator) anyPartition(cluster string) format.TP {
	return format.TP{Cluster: cluster, Topic: "t", Partition: g.ask(whichPartition, g.s.Topics[0].Partitions)}
}

// partitions are those of t on that cluster.
func (g *generator) partitions(cluster string) (list []format.TP) {
	for i := range g.s.Topics[0].Partitions {
		list = append(list, format.TP{Cluster: cluster, Topic: "t", Partition: i})
	}
	return list
}

// producer is a producer that is at home on that cluster.
func (g *generator) producer(cluster string) *format.Client {
	var list []*format.Client
	for i := range g.s.Clients {
		if c := &g.s.Clients[i]; c.Kind == format.Producer && c.On == cluster {
			list = append(list, c)
		}
	}
	return list[g.ask(whichClient, len(list))]
}

// produce is some records of a client of that cluster, for a partition of it.
func (g *generator) produce(cluster string) *format.Produce {
	c := g.producer(cluster)
	a := &format.Produce{Client: c.Name, To: g.anyPartition(cluster), Count: 1 + g.ask(countOf, 12), Acks: -1, PID: -1}
	if c.Plain && g.ask(acksOf, 2) == 1 {
		a.Acks = 1
	}
	if g.full() {
		a.Count = 1
	}
	a.Batch = g.batch(a.Count, 4)
	g.records += a.Count
	return a
}
