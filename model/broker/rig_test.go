package broker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/broker"
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

// b0 is the broker under test; a test plays the others.
const (
	b0, b1, b2 id.Node = 0, 1, 2
	bLog       id.Node = 5
	c0, c1     id.Node = 6, 7
	client     id.Node = 8
	admin      id.Node = 9
)

var (
	tp      = id.Partition{Topic: id.NewTopic(0, 1)}
	tp1     = id.Partition{Topic: id.NewTopic(0, 1), Index: 1}
	other   = id.NewTopic(0, 2)
	stateTP = id.Partition{Topic: id.NewTopic(0, 3)}
	mirrorM = id.Mirror(1)
)

// lifeOther is that of the entries of the topic other under m: it is the later of the two in basics.
const lifeOther = 9

// rig drives b0 by messages.
type rig struct {
	t       testing.TB
	config  *protocol.Config
	setting *setting.Settings
	disk    *disk.Disk
	node    node.Node
	out     node.Effects
	sent    []node.Send
	timers  []node.TimerOp
	events  []event.Event

	length  int64  // of the metadata log
	fetches uint32 // correlation of the metadata fetch under way
	number  uint32
}

// boot boots b0 in its n-th incarnation under start-stop or the revision that comes first in sets.
func boot(t testing.TB, incarnation uint32, sets ...string) *rig {
	t.Helper()
	revision := "start-stop"
	if len(sets) > 0 && sets[0] == "revision" {
		revision, sets = sets[1], sets[2:]
	}
	config, err := protocol.Revision(revision)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(sets); i += 2 {
		if err := config.Set(sets[i], sets[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	settings := setting.Default()
	r := &rig{t: t, config: &config, setting: &settings, disk: &disk.Disk{Incarnation: incarnation}}
	names := &id.Names{Clusters: []string{"B"}, Topics: map[id.Topic]string{tp.Topic: "t"}}
	spec := &broker.Spec{Log: bLog, Config: r.config, Settings: r.setting, Names: names}
	r.node = broker.Boot(spec)(b0, r.disk, &r.out)
	r.collect()
	return r
}

// running is b0 registered and leader of t-0, with b1 in the ISR, and of t-1; b2 coordinates.
func running(t testing.TB, sets ...string) *rig {
	t.Helper()
	r := boot(t, 1, sets...)
	r.meta(basics()...)
	r.sent = nil
	return r
}

func basics() []record.Metadata {
	return []record.Metadata{
		&record.BrokerRecord{Broker: b0, Incarnation: 1}, &record.BrokerRecord{Broker: b1, Incarnation: 1},
		&record.BrokerRecord{Broker: b2, Incarnation: 1},
		&record.TopicRecord{Topic: stateTP.Topic, Name: "__mirror_state", Partitions: 1, MinISR: 1, Internal: record.MirrorStateTopic},
		state(b2, 0),
		&record.MirrorRecord{Mirror: mirrorM, Name: "m", Source: 3, Bootstrap: []id.Node{20}},
		&record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 2, MinISR: 1},
		&record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b0},
		&record.PartitionRecord{Partition: tp1, Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: b0},
		&record.TopicRecord{Topic: other, Name: "other", Partitions: 1, MinISR: 1},
		&record.PartitionRecord{Partition: id.Partition{Topic: other}, Replicas: []id.Node{b1}, ISR: id.SetOf(b1), Leader: b1},
	}
}

// state is the registration of __mirror_state-0, which b0 and b2 replicate; its leader alone is in the ISR.
func state(leader id.Node, epoch int32) *record.PartitionRecord {
	return &record.PartitionRecord{Partition: stateTP, Replicas: []id.Node{b2, b0}, ISR: id.SetOf(leader), Leader: leader,
		LeaderEpoch: epoch, PartitionEpoch: epoch}
}

func want(d record.Desired) record.Metadata {
	return &record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorM, Desired: d}
}

func (r *rig) step(in node.Input) {
	r.t.Helper()
	for {
		r.node.Step(in, &r.out)
		at := r.out.Yield
		r.collect()
		if at == point.None {
			return
		}
		in = node.Input{Resume: true, From: id.None}
	}
}

func (r *rig) collect() {
	for i := range r.out.Events {
		checkSchema(r.t, &r.out.Events[i])
	}
	r.events = append(r.events, r.out.Events...)
	for _, op := range r.out.Timers {
		r.timers = slices.DeleteFunc(r.timers, func(o node.TimerOp) bool { return o.Timer == op.Timer })
		if op.After >= 0 {
			r.timers = append(r.timers, op)
		}
	}
	for _, s := range r.out.Sends {
		if m, ok := s.Body.(*wire.MetadataFetchRequest); ok {
			same(r.t, "metadata fetch", []any{s.To, m.Offset}, []any{bLog, r.length})
			r.fetches = m.Correlation
			continue
		}
		r.sent = append(r.sent, s)
	}
	r.out.Reset()
}

func (r *rig) message(from id.Node, b wire.Body) {
	r.t.Helper()
	r.step(node.Input{From: from, Body: b})
}

// meta has b0 replay records; c0 is the active controller of controller epoch 1.
func (r *rig) meta(records ...record.Metadata) {
	r.t.Helper()
	base := r.length
	r.length += int64(len(records))
	r.message(bLog, &wire.MetadataFetchResponse{Base: base, Records: records, Controller: c0, ControllerEpoch: 1, Correlation: r.fetches})
}

// fire fires an armed timer of that kind.
func (r *rig) fire(kind uint8) node.TimerOp {
	r.t.Helper()
	for i, op := range r.timers {
		if op.Timer.Kind == kind {
			r.timers = slices.Delete(r.timers, i, i+1)
			r.step(node.Input{Timer: op.Timer})
			return op
		}
	}
	r.t.Fatalf("no timer of kind %d is armed", kind)
	return node.TimerOp{}
}

// fireAll fires each timer that is armed now, oldest arming first.
func (r *rig) fireAll() {
	r.t.Helper()
	for _, op := range slices.Clone(r.timers) {
		r.timers = slices.DeleteFunc(r.timers, func(o node.TimerOp) bool { return o.Timer == op.Timer })
		r.step(node.Input{Timer: op.Timer})
	}
}

// take takes the first message of that type that b0 sent, and to whom.
func take[T wire.Body](r *rig) (T, id.Node) {
	r.t.Helper()
	for i, s := range r.sent {
		if m, ok := s.Body.(T); ok {
			r.sent = slices.Delete(r.sent, i, i+1)
			return m, s.To
		}
	}
	var none T
	r.t.Fatalf("b0 sent no %T but %s", none, r.pending())
	return none, id.None
}

// sends tells whether b0 sent a message of that type that nobody has taken.
func sends[T wire.Body](r *rig) bool {
	return slices.ContainsFunc(r.sent, func(s node.Send) bool { _, ok := s.Body.(T); return ok })
}

func (r *rig) pending() string {
	var words []string
	for _, s := range r.sent {
		words = append(words, fmt.Sprintf("%s to %d", s.Body.API(), s.To))
	}
	return strings.Join(words, ", ")
}

func (r *rig) count(kind event.Kind) int {
	n := 0
	for i := range r.events {
		if r.events[i].Kind == kind {
			n++
		}
	}
	return n
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// checkSchema reports an event that fills a field which its kind does not have.
func checkSchema(t testing.TB, e *event.Event) {
	t.Helper()
	if field := e.Undeclared(); field != "" {
		t.Errorf("%v fills %s, which its kind does not have", e.Kind, field)
	}
}
