package replica_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mirrorsim/model/broker"
	"mirrorsim/model/controller"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// The machine is a whole cluster without a mirror: three brokers, a metadata log, two controllers, and a producer that
// writes with acks=all. Messages are lost, doubled and reordered, timers fire whenever they like, nodes crash and
// restart with their disks. Beside it runs the plain model of what replication promises.
const (
	metadataLog id.Node = 3
	nodes       id.Node = 6 // brokers, the log, and controllers 4 and 5
	producer    id.Node = 6
)

type packet struct {
	from, to id.Node
	body     wire.Body
}

type armed struct {
	timer node.Timer
	due   id.Duration
}

type machine struct {
	t        *rapid.T
	boots    [nodes]node.Boot
	nodes    [nodes]node.Node // nil while it is down
	disks    [nodes]*disk.Disk
	timers   [nodes][]armed
	net      []packet
	now      id.Duration
	out      node.Effects
	sequence uint32
	sent     map[uint32]*record.Batch // by correlation

	// The plain model.
	acked     map[int64]uint32  // CRC of acknowledged records, by offset
	committed map[int64]uint32  // CRC of what stood below a high watermark
	leaders   map[int32]id.Node // who appended as a leader in that leader epoch
	hw        map[id.Node]int64
}

func newMachine(t *rapid.T) *machine {
	config, err := protocol.Revision("start-stop")
	if err != nil {
		t.Fatal(err)
	}
	settings := setting.Default()
	m := &machine{t: t, sent: map[uint32]*record.Batch{}, acked: map[int64]uint32{}, committed: map[int64]uint32{},
		leaders: map[int32]id.Node{}, hw: map[id.Node]int64{}}
	var first []record.Metadata
	for n := a; n <= c; n++ {
		m.boots[n] = broker.Boot(&broker.Spec{Log: metadataLog, Config: &config, Settings: &settings, Names: &id.Names{}})
		first = append(first, &record.BrokerRecord{Broker: n, Incarnation: 1})
	}
	first = append(first, &record.TopicRecord{Topic: testPartition.Topic, Name: "t", Partitions: 1,
		MinISR: uint8(rapid.IntRange(1, 2).Draw(t, "min ISR"))},
		&record.PartitionRecord{Partition: testPartition, Replicas: []id.Node{a, b, c}, ISR: id.SetOf(a, b, c), Leader: a})
	m.boots[metadataLog] = controller.BootLog(first, &settings)
	for n := metadataLog + 1; n < nodes; n++ {
		m.boots[n] = controller.Boot(&controller.Spec{Log: metadataLog, Config: &config, Settings: &settings})
	}
	for n := range nodes {
		m.disks[n] = &disk.Disk{}
		m.start(n)
	}
	m.rest(200)
	return m
}

func (m *machine) start(n id.Node) {
	m.disks[n].Incarnation++
	m.nodes[n] = m.boots[n](n, m.disks[n], &m.out)
	m.effects(n)
}

func (m *machine) crash(n id.Node) {
	m.nodes[n], m.timers[n] = nil, nil
	m.net = slices.DeleteFunc(m.net, func(p packet) bool { return p.to == n })
}

func (m *machine) step(n id.Node, in node.Input) {
	m.nodes[n].Step(in, &m.out)
	m.effects(n)
}

func (m *machine) effects(n id.Node) {
	for _, s := range m.out.Sends {
		switch {
		case s.To == producer:
			m.answered(s.Body)
		case m.nodes[s.To] != nil:
			m.net = append(m.net, packet{n, s.To, s.Body})
		}
	}
	for _, op := range m.out.Timers {
		m.timers[n] = slices.DeleteFunc(m.timers[n], func(x armed) bool { return x.timer == op.Timer })
		if op.After >= 0 {
			m.timers[n] = append(m.timers[n], armed{op.Timer, m.now + op.After})
		}
	}
	for i := range m.out.Events {
		m.happened(n, &m.out.Events[i])
	}
	m.out.Reset()
}

func (m *machine) answered(body wire.Body) {
	if res, ok := body.(*wire.ProduceResponse); ok && res.Code == wire.OK {
		m.acked[res.Base] = m.sent[res.Correlation].CRC
	}
}

func (m *machine) happened(n id.Node, e *event.Event) {
	switch {
	case e.Kind == event.Appended && e.Cause == uint8(event.FromClient):
		if other, ok := m.leaders[e.LeaderEpoch]; ok && other != n {
			m.t.Fatalf("brokers %d and %d append as leaders in epoch %d", other, n, e.LeaderEpoch)
		}
		m.leaders[e.LeaderEpoch] = n
	case e.Kind == event.HighWatermark:
		m.hw[n] = e.Offset
	}
}

// deliver has the i-th message arrive.
func (m *machine) deliver(i int) {
	p := m.net[i]
	m.net = slices.Delete(m.net, i, i+1)
	m.step(p.to, node.Input{Body: p.body, From: p.from})
}

// fire has the i-th timer of n fire.
func (m *machine) fire(n id.Node, i int) {
	x := m.timers[n][i]
	m.timers[n] = slices.Delete(m.timers[n], i, i+1)
	m.now = max(m.now, x.due)
	m.step(n, node.Input{Timer: x.timer})
}

// rest delivers in order, and has the earliest timer fire when nothing is under way, for so many steps.
func (m *machine) rest(steps int) {
	for range steps {
		if len(m.net) > 0 {
			m.deliver(0)
			continue
		}
		at, first := id.None, 0
		for n := range nodes {
			for i, x := range m.timers[n] {
				if m.nodes[n] != nil && (at == id.None || x.due < m.timers[at][first].due) {
					at, first = n, i
				}
			}
		}
		if at == id.None {
			return
		}
		m.fire(at, first)
	}
}

func (m *machine) node(t *rapid.T, up bool) id.Node {
	var list []id.Node
	for n := range nodes {
		if (m.nodes[n] != nil) == up {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		t.Skip("no such node")
	}
	return rapid.SampledFrom(list).Draw(t, "node")
}

// produce has the producer send so many batches to n.
func (m *machine) produce(n id.Node, batches int) {
	for range batches {
		m.sequence++
		m.sent[m.sequence] = plain(1, uint64(m.sequence))
		if m.nodes[n] != nil {
			m.net = append(m.net, packet{producer, n, &wire.ProduceRequest{Partition: testPartition, Acks: wire.AcksAll,
				Batch: m.sent[m.sequence], Correlation: m.sequence}})
		}
	}
}

// jumble delivers some of the messages out of order, loses some and doubles some.
func (m *machine) jumble(t *rapid.T) {
	for range rapid.IntRange(1, 25).Draw(t, "messages") {
		if len(m.net) == 0 {
			m.rest(1)
			continue
		}
		i := rapid.IntRange(0, min(len(m.net)-1, 5)).Draw(t, "message")
		switch rapid.IntRange(0, 9).Draw(t, "fate") {
		case 8:
			m.net = slices.Delete(m.net, i, i+1)
		case 9:
			m.net = append(m.net, m.net[i]) // comes again, later
			m.deliver(i)
		default:
			m.deliver(i)
		}
	}
}

func (m *machine) actions() map[string]func(*rapid.T) {
	some := func(f func(t *rapid.T)) func(*rapid.T) {
		return func(t *rapid.T) {
			m.t = t
			f(t)
		}
	}
	return map[string]func(*rapid.T){
		"produce": some(func(t *rapid.T) {
			n := id.Node(rapid.IntRange(0, 2).Draw(t, "broker"))
			if leader := m.registration().Leader; leader != id.None && rapid.IntRange(0, 3).Draw(t, "to whom") > 0 {
				n = leader
			}
			m.produce(n, rapid.IntRange(1, 3).Draw(t, "batches"))
		}),
		"in order":      some(func(t *rapid.T) { m.rest(rapid.IntRange(1, 120).Draw(t, "steps")) }),
		"jumbled":       some(m.jumble),
		"jumbled again": some(m.jumble),
		"fire": some(func(t *rapid.T) {
			n := m.node(t, true)
			if len(m.timers[n]) == 0 {
				t.Skip("no timer")
			}
			m.fire(n, rapid.IntRange(0, len(m.timers[n])-1).Draw(t, "timer"))
		}),
		"crash": some(func(t *rapid.T) {
			n := m.node(t, true)
			m.crash(n)
			if rapid.Bool().Draw(t, "at once up again") {
				m.start(n)
			}
		}),
		"restart": some(func(t *rapid.T) { m.start(m.node(t, false)) }),
		"elect": some(func(t *rapid.T) {
			n := id.Node(rapid.IntRange(4, 5).Draw(t, "controller"))
			if m.nodes[n] != nil {
				m.step(n, node.Input{From: a, Body: &wire.ElectLeadersRequest{Partition: testPartition,
					Target: id.None, Client: producer}})
			}
		}),
		"clone": some(func(t *rapid.T) {
			n := m.node(t, true)
			before := string(m.nodes[n].AppendState(nil))
			m.disks[n] = m.disks[n].Clone()
			m.nodes[n] = m.nodes[n].Clone(m.disks[n])
			if string(m.nodes[n].AppendState(nil)) != before {
				t.Fatalf("the clone of node %d has another state", n)
			}
		}),
		"": some(m.check),
	}
}

// registration is what the metadata log holds.
func (m *machine) registration() *record.PartitionRecord {
	var newest *record.PartitionRecord
	for _, r := range m.disks[metadataLog].Metadata {
		if p, ok := r.(*record.PartitionRecord); ok {
			newest = p
		}
	}
	return newest
}

// at is the batch at an offset of n's log on disk; nil if there is none.
func (m *machine) at(n id.Node, offset int64) *record.Batch {
	if f := m.disks[n].Find(testPartition); f != nil && offset < int64(len(f.Batches)) {
		return f.Batches[offset]
	}
	return nil
}

// check holds the cluster against what replication promises: whoever the metadata log has in the ISR, up or down, has
// every acknowledged record; what stood below a high watermark once is the same on everybody below his.
func (m *machine) check(t *rapid.T) {
	reg := m.registration()
	for n := a; n <= c; n++ {
		if !reg.ISR.Has(n) {
			continue
		}
		for offset, crc := range m.acked {
			if x := m.at(n, offset); x == nil || x.CRC != crc {
				t.Fatalf("broker %d is in the ISR of %s, and does not have the acknowledged record at %d: %v", n,
					m.describe(), offset, x)
			}
		}
	}
	for n := a; n <= c; n++ {
		if m.nodes[n] == nil {
			continue
		}
		for offset := range m.hw[n] {
			x := m.at(n, offset)
			if x == nil {
				t.Fatalf("broker %d has high watermark %d and no record at %d", n, m.hw[n], offset)
			}
			if crc, ok := m.committed[offset]; ok && crc != x.CRC {
				t.Fatalf("broker %d has another record at %d than was committed there: %s", n, offset, m.describe())
			}
			m.committed[offset] = x.CRC
		}
	}
}

func (m *machine) describe() string {
	reg := m.registration()
	return fmt.Sprintf("leader %d@%d, ISR %03b, partition epoch %d, high watermarks %v", reg.Leader, reg.LeaderEpoch,
		reg.ISR, reg.PartitionEpoch, m.hw)
}

// heal restarts everybody and lets things take their course: everybody comes into the ISR, and the logs are equal.
func (m *machine) heal(t *rapid.T) {
	m.t = t
	for n := range nodes {
		if m.nodes[n] == nil {
			m.start(n)
		}
	}
	healed := func() bool {
		var files [3]*disk.Partition
		for n := a; n <= c; n++ {
			if files[n] = m.disks[n].Find(testPartition); files[n] == nil || m.hw[n] != files[a].End || files[n].End != files[a].End {
				return false
			}
		}
		return m.registration().ISR == id.SetOf(a, b, c)
	}
	limit := m.now + 120*id.Second
	for !healed() {
		if m.rest(20); m.now > limit {
			t.Fatalf("two minutes after everything is well: %s, log ends %d", m.describe(), m.ends())
		}
	}
	m.check(t)
	for n := b; n <= c; n++ {
		for offset := range m.disks[a].Find(testPartition).End {
			if x, y := m.at(a, offset), m.at(n, offset); !x.Same(y) {
				t.Fatalf("the logs of brokers 0 and %d differ at %d: %v and %v", n, offset, x, y)
			}
		}
	}
}

func (m *machine) ends() (list []int64) {
	for n := a; n <= c; n++ {
		if f := m.disks[n].Find(testPartition); f != nil {
			list = append(list, f.End)
		}
	}
	return list
}

func TestMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t)
		t.Repeat(m.actions())
		m.heal(t)
	})
}
