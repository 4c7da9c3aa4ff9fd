package controller_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/controller"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// The nodes of the tests: brokers a, b and c, the metadata log, and two controllers.
const (
	a, b, c id.Node = 0, 1, 2
	log     id.Node = 3
	x, y    id.Node = 4, 5
	admin   id.Node = 9
)

// Kinds of timers, as log.go and controller.go number them.
const (
	sessionTimer   = 1
	heartbeatTimer = 2
	appendTimer    = 3
	fetchTimer     = 4
)

var (
	topic = id.NewTopic(0, 1)
	tp    = id.Partition{Topic: topic}
)

// message is one under way.
type message struct {
	from, to id.Node
	body     wire.Body
}

// rig is a metadata log and its controllers. What they send to each other is delivered in order; what they send to
// brokers and clients is kept for the test.
type rig struct {
	config   protocol.Config
	settings setting.Settings
	nodes    map[id.Node]node.Node
	disks    map[id.Node]*disk.Disk
	first    []record.Metadata
	queue    []message
	answers  map[id.Node][]wire.Body
	timers   map[id.Node]map[node.Timer]id.Duration
	events   []event.Event
	cut      map[id.Node]bool // the links between the log and that controller are down
	lose     func(m message) bool
	out      node.Effects
	sequence uint32
	points   []point.Point
}

// plain are the first records: three live brokers and a partition that a leads.
func plain(unclean bool, isr ...id.Node) []record.Metadata {
	return []record.Metadata{
		&record.BrokerRecord{Broker: a, Incarnation: 1}, &record.BrokerRecord{Broker: b, Incarnation: 1},
		&record.BrokerRecord{Broker: c, Incarnation: 1},
		&record.TopicRecord{Topic: topic, Name: "t", Partitions: 1, MinISR: 1, Unclean: unclean},
		&record.PartitionRecord{Partition: tp, Replicas: []id.Node{a, b, c}, ISR: id.SetOf(isr...), Leader: isr[0]},
	}
}

func newRig(t *testing.T, first []record.Metadata, set ...string) *rig {
	t.Helper()
	revision := "start-stop"
	if len(set) > 0 && strings.HasPrefix(set[0], "revision=") {
		revision, set = strings.TrimPrefix(set[0], "revision="), set[1:]
	}
	config, err := protocol.Revision(revision)
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range set {
		name, token, _ := strings.Cut(choice, "=")
		if err := config.Set(name, token); err != nil {
			t.Fatal(err)
		}
	}
	r := &rig{config: config, settings: setting.Default(), nodes: map[id.Node]node.Node{},
		disks: map[id.Node]*disk.Disk{}, first: first,
		answers: map[id.Node][]wire.Body{}, timers: map[id.Node]map[node.Timer]id.Duration{}, cut: map[id.Node]bool{}}
	r.boot(log)
	return r
}

// active is a rig whose controller x is active.
func active(t *testing.T, first []record.Metadata, set ...string) *rig {
	t.Helper()
	r := newRig(t, first, set...)
	r.boot(x)
	r.run()
	return r
}

// boot starts n, or starts it again after a crash.
func (r *rig) boot(n id.Node) {
	if r.disks[n] == nil {
		r.disks[n] = &disk.Disk{}
	}
	r.disks[n].Incarnation++
	r.timers[n] = map[node.Timer]id.Duration{}
	boot := controller.Boot(&controller.Spec{Log: log, Config: &r.config, Settings: &r.settings})
	if n == log {
		boot = controller.BootLog(r.first, &r.settings)
	}
	r.nodes[n] = boot(n, r.disks[n], &r.out)
	r.settle(n)
}

func (r *rig) settle(n id.Node) {
	for _, s := range r.out.Sends {
		r.queue = append(r.queue, message{n, s.To, s.Body})
	}
	for _, op := range r.out.Timers {
		if op.After < 0 {
			delete(r.timers[n], op.Timer)
		} else {
			r.timers[n][op.Timer] = op.After
		}
	}
	r.events = append(r.events, r.out.Events...)
	at := r.out.Yield
	r.out.Reset()
	if at != point.None {
		r.points = append(r.points, at)
		r.nodes[n].Step(node.Input{Resume: true, From: id.None}, &r.out)
		r.settle(n)
	}
}

// step delivers the oldest message; false when there is none.
func (r *rig) step() bool {
	if len(r.queue) == 0 {
		return false
	}
	m := r.queue[0]
	r.queue = r.queue[1:]
	switch to := r.nodes[m.to]; {
	case m.from == log && r.cut[m.to] || m.to == log && r.cut[m.from], r.lose != nil && r.lose(m):
	case to == nil:
		r.answers[m.to] = append(r.answers[m.to], m.body)
	default:
		to.Step(node.Input{Body: m.body, From: m.from}, &r.out)
		r.settle(m.to)
	}
	return true
}

func (r *rig) run() {
	for r.step() {
	}
}

// fire has a timer fire, which must be armed, and runs.
func (r *rig) fire(t *testing.T, n id.Node, kind uint8, peer id.Node) {
	t.Helper()
	timer := node.Timer{Kind: kind, Peer: peer}
	if _, ok := r.timers[n][timer]; !ok {
		t.Fatalf("timer %v of node %d is not armed", timer, n)
	}
	delete(r.timers[n], timer)
	r.nodes[n].Step(node.Input{Timer: timer}, &r.out)
	r.settle(n)
	r.run()
}

func (r *rig) send(from, to id.Node, body wire.Body) {
	r.queue = append(r.queue, message{from, to, body})
}

// call sends a request and runs; the answer is nil when there is none.
func call[T wire.Body](r *rig, from, to id.Node, body wire.Body) (res T) {
	r.answers[from] = nil
	r.send(from, to, body)
	r.run()
	for _, m := range r.answers[from] {
		if found, ok := m.(T); ok {
			res = found
		}
	}
	return res
}

func (r *rig) records() []record.Metadata { return r.disks[log].Metadata }

// partition is the newest registration in the log.
func (r *rig) partition() *record.PartitionRecord {
	var newest *record.PartitionRecord
	for _, m := range r.records() {
		if p, ok := m.(*record.PartitionRecord); ok && p.Partition == tp {
			newest = p
		}
	}
	return newest
}

// registration prints the newest registration as "leader@leader epoch [isr] partition epoch cause".
func (r *rig) registration() string {
	p := r.partition()
	leader, isr := "-", ""
	if p.Leader != id.None {
		leader = string(rune('a' + p.Leader))
	}
	for n := a; n <= c; n++ {
		if p.ISR.Has(n) {
			isr += string(rune('a' + n))
		}
	}
	cause := [...]string{"created", "clean", "unclean", "none", "bump", "isr"}[p.Cause]
	return fmt.Sprintf("%s@%d [%s] %d %s", leader, p.LeaderEpoch, isr, p.PartitionEpoch, cause)
}

// heartbeat is one of a broker to x.
func (r *rig) heartbeat(from id.Node, incarnation uint32, offset int64) *wire.BrokerHeartbeatResponse {
	r.sequence++
	return call[*wire.BrokerHeartbeatResponse](r, from, x, &wire.BrokerHeartbeatRequest{Incarnation: incarnation,
		MetadataOffset: offset, Correlation: r.sequence})
}

// fence lets the session of a broker run out.
func (r *rig) fence(t *testing.T, n id.Node) {
	t.Helper()
	r.fire(t, x, sessionTimer, n)
}

// unfence has the fenced broker n, which has caught up, send a heartbeat.
func (r *rig) unfence(t *testing.T, n id.Node) {
	t.Helper()
	if res := r.heartbeat(n, 1, int64(len(r.records()))); res == nil || res.Fenced || res.Code != wire.OK {
		t.Fatalf("broker %d is answered %v", n, res)
	}
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
