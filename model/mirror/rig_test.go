package mirror_test

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

// The nodes. b0, the broker under test, leads the mirrored partition of cluster B; a test plays all the others.
const (
	a0, a1 id.Node = 0, 1 // of cluster A, the source
	b0, b1 id.Node = 2, 3
	b2     id.Node = 4 // the coordinator
	bLog   id.Node = 5
	bC0    id.Node = 6
	admin  id.Node = 9
	client id.Node = 8
)

var (
	tp       = id.Partition{Topic: id.NewTopic(0, 1)}
	stateTP  = id.Partition{Topic: id.NewTopic(1, 2)}
	mirrorM  = id.Mirror(1)
	mirrorN  = id.Mirror(2)
	clusterA = id.Cluster(0)
	clusterB = id.Cluster(1)
)

// life is that of tp's entries under m: its topic is the later of the two in unbooted.
const life = 6

// rig drives the broker b0 by messages. What it sends stands in sent until a test, or pump, plays the receiver.
type rig struct {
	t       testing.TB
	config  protocol.Config
	setting setting.Settings
	spec    *broker.Spec
	disk    *disk.Disk
	node    node.Node
	out     node.Effects
	sent    []node.Send
	timers  []node.TimerOp
	events  []event.Event
	points  []point.Point
	crashAt point.Point // b0 is not resumed behind this point

	metadata []record.Metadata // the metadata log of B
	fetches  uint32            // correlation of the metadata fetch under way
	reg      record.PartitionRecord

	// What pump plays.
	stored   record.MirrorState // in __mirror_state, of tp under m
	position *record.MirrorState
	lookup   wire.LastMirroredPositionResponse
	source   []*record.Batch
	openAt   int64 // the source's last stable offset; 0: its end
	srcEpoch int32
	others   map[id.Partition]*record.MirrorState
	follower bool // b1 follows at once
	mute     map[wire.API]bool
	writes   []string // the accepted writes
	records  []record.MirrorState
	desired  record.Desired
	recovery int32    // how often the operator has asked
	cut      uint32   // the newest cut that b1 has heard of
	followed [2]int64 // what b1 has told by its newest fetch
	number   uint32
	newest   uint32 // number of a request that the manager sent
}

// newRig boots b0, which leads tp in leader epoch 0 with b1 in the ISR; tp is in no mirror. sets are decisions and tokens
// over start-stop, or over the revision that comes first.
func newRig(t testing.TB, sets ...string) *rig {
	t.Helper()
	r := unbooted(t, sets...)
	r.boot()
	return r
}

func unbooted(t testing.TB, sets ...string) *rig {
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
	r := &rig{t: t, config: config, setting: setting.Default(), disk: &disk.Disk{Incarnation: 1}, follower: true,
		mute: map[wire.API]bool{}, followed: [2]int64{-1, -1}, others: map[id.Partition]*record.MirrorState{},
		lookup: wire.LastMirroredPositionResponse{Epoch: -1, Offset: -1}}
	r.spec = &broker.Spec{Cluster: clusterB, Log: bLog, Config: &r.config, Settings: &r.setting, Names: &id.Names{}}
	r.reg = record.PartitionRecord{Partition: tp, Replicas: []id.Node{b0, b1}, ISR: id.SetOf(b0, b1), Leader: b0}
	reg := r.reg
	r.metadata = []record.Metadata{
		&record.BrokerRecord{Broker: b0, Incarnation: 1}, &record.BrokerRecord{Broker: b1, Incarnation: 1},
		&record.BrokerRecord{Broker: b2, Incarnation: 1},
		&record.TopicRecord{Topic: stateTP.Topic, Name: "__mirror_state", Partitions: 1, MinISR: 1, Internal: record.MirrorStateTopic},
		&record.PartitionRecord{Partition: stateTP, Replicas: []id.Node{b2}, ISR: id.SetOf(b2), Leader: b2},
		&record.MirrorRecord{Mirror: mirrorM, Name: "m", Source: clusterA, Bootstrap: []id.Node{a0, a1}},
		&record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1}, &reg,
	}
	return r
}

func (r *rig) boot() {
	r.node = broker.Boot(r.spec)(b0, r.disk, &r.out)
	r.collect()
	records := r.metadata
	r.metadata = nil
	r.meta(records...)
}

// step has b0 handle one input and resumes it at every point.
func (r *rig) step(in node.Input) {
	r.t.Helper()
	for {
		r.node.Step(in, &r.out)
		at := r.out.Yield
		r.collect()
		if at == point.None {
			return
		}
		r.points = append(r.points, at)
		if at == r.crashAt {
			r.node = nil
			return
		}
		in = node.Input{Resume: true, From: id.None}
	}
}

// collect takes the effects of a step: the newest arming of a timer counts, and heartbeats are of no interest here.
func (r *rig) collect() {
	for i := range r.out.Events {
		e := r.out.Events[i]
		checkSchema(r.t, &e)
		r.events = append(r.events, e)
	}
	for _, op := range r.out.Timers {
		if op.After >= 0 && op.Jitter > op.After {
			r.t.Errorf("timer %v has a jitter of %v, more than its %v", op.Timer, op.Jitter, op.After)
		}
		r.timers = slices.DeleteFunc(r.timers, func(o node.TimerOp) bool { return o.Timer == op.Timer })
		if op.After >= 0 {
			r.timers = append(r.timers, op)
		}
	}
	for _, s := range r.out.Sends {
		if s.To == id.None {
			r.t.Errorf("%v is sent to nobody", s.Body.API())
		}
		r.checkNumber(s.Body)
		switch m := s.Body.(type) {
		case *wire.MetadataFetchRequest:
			r.fetches = m.Correlation
		case *wire.BrokerHeartbeatRequest:
		default:
			r.sent = append(r.sent, s)
		}
	}
	r.out.Reset()
}

// checkNumber checks that each request of the manager has a number of its own, above those before it: an answer is known by it.
func (r *rig) checkNumber(body wire.Body) {
	r.t.Helper()
	var n uint32
	switch m := body.(type) {
	case *wire.ReadMirrorStatesRequest:
		n = m.Correlation
	case *wire.WriteMirrorStatesRequest:
		n = m.Correlation
	case *wire.BumpLeaderEpochRequest:
		n = m.Correlation
	case *wire.MetadataRequest:
		n = m.Correlation
	case *wire.ListGroupsRequest:
		n = m.Correlation
	case *wire.FetchRequest:
		if m.Mirror {
			n = m.Correlation
		}
	}
	if n == 0 {
		return
	}
	if n <= r.newest {
		r.t.Errorf("a request is number %d, after number %d", n, r.newest)
	}
	r.newest = n
}

// message has b0 receive b, unless it is down.
func (r *rig) message(from id.Node, b wire.Body) {
	r.t.Helper()
	if r.node != nil {
		r.step(node.Input{From: from, Body: b})
	}
}

// meta appends records to B's metadata log, and b0 replays them.
func (r *rig) meta(records ...record.Metadata) {
	r.t.Helper()
	base := int64(len(r.metadata))
	r.metadata = append(r.metadata, records...)
	r.message(bLog, &wire.MetadataFetchResponse{Base: base, Records: records, Controller: bC0, ControllerEpoch: 1, Correlation: r.fetches})
}

// register appends a changed registration of tp.
func (r *rig) register(change func(*record.PartitionRecord)) {
	r.t.Helper()
	r.meta(r.changed(change))
}

func (r *rig) changed(change func(*record.PartitionRecord)) *record.PartitionRecord {
	change(&r.reg)
	r.reg.PartitionEpoch++
	c := r.reg
	return &c
}

func led(n id.Node, epoch int32) func(*record.PartitionRecord) {
	return func(p *record.PartitionRecord) { p.Leader, p.LeaderEpoch = n, epoch }
}

func inSync(nodes ...id.Node) func(*record.PartitionRecord) {
	return func(p *record.PartitionRecord) { p.ISR = id.SetOf(nodes...) }
}

// want is the operator's request.
func (r *rig) want(d record.Desired) {
	r.t.Helper()
	r.desired = d
	r.meta(&record.MirrorTopicRecord{Topic: tp.Topic, Mirror: mirrorM, Desired: d, Recovery: r.recovery})
}

// askRecovery is the operator's RecoverMirrorTopics.
func (r *rig) askRecovery() {
	r.t.Helper()
	r.recovery++
	r.want(r.desired)
}

// armed answers how the timer of that kind is armed, if it is.
func (r *rig) armed(kind uint8) (node.TimerOp, bool) {
	for _, op := range r.timers {
		if op.Timer.Kind == kind {
			return op, true
		}
	}
	return node.TimerOp{}, false
}

// waits is what b0 says that it waits for.
func (r *rig) waits() []string {
	var words []string
	r.node.Waits(func(s string) bool { words = append(words, s); return true })
	return words
}

// fire fires an armed timer of that kind and answers how it was armed.
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

// none fails if b0 sent a message of that type that nobody has taken.
func none[T wire.Body](r *rig, why string) {
	r.t.Helper()
	for _, s := range r.sent {
		if m, ok := s.Body.(T); ok {
			r.t.Errorf("%s: b0 sent %+v", why, m)
		}
	}
}

func (r *rig) pending() string {
	var words []string
	for _, s := range r.sent {
		words = append(words, fmt.Sprintf("%s to %d", s.Body.API(), s.To))
	}
	return strings.Join(words, ", ")
}

// kinds are the events of a kind.
func (r *rig) kinds(kind event.Kind) []event.Event {
	var list []event.Event
	for _, e := range r.events {
		if e.Kind == kind {
			list = append(list, e)
		}
	}
	return list
}

// steps are the steps of stops that were done, in order.
func (r *rig) steps() []string {
	var list []string
	for _, e := range r.kinds(event.StopStepDone) {
		list = append(list, protocol.Step(e.To).String())
	}
	return list
}

func (r *rig) files() *disk.Partition { return r.disk.Find(tp) }
func (r *rig) end() int64             { return r.files().End }

// strip is the log as offset@epoch, with a word for control batches.
func (r *rig) strip() string {
	var words []string
	for _, b := range r.files().Batches {
		w := fmt.Sprintf("%d", b.Base)
		if b.Last > b.Base {
			w += fmt.Sprintf("-%d", b.Last)
		}
		w += fmt.Sprintf("@%d", b.LeaderEpoch)
		if b.Control != record.Data {
			w += ":" + b.Control.String()
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// describe asks b0 for the actual state, which it reads from the coordinator, and the lag.
func (r *rig) describe() (record.State, string) {
	r.t.Helper()
	r.message(admin, &wire.DescribeMirrorsRequest{Mirror: mirrorM, Partition: tp, Client: id.None})
	last := len(r.sent) - 1
	read, ok := r.sent[last].Body.(*wire.ReadMirrorStatesRequest)
	if !ok {
		r.t.Fatalf("b0 does not ask the coordinator but sent %s", r.pending())
	}
	r.sent = r.sent[:last]
	r.message(b2, &wire.ReadMirrorStatesResponse{Mirror: mirrorM, Partition: tp, State: r.stored, Correlation: read.Correlation})
	res, _ := take[*wire.DescribeMirrorsResponse](r)
	if !res.LagKnown {
		return res.State.State, "unknown"
	}
	return res.State.State, fmt.Sprint(res.Lag)
}

// produce has a client write one record, with acks=1, and answers the code.
func (r *rig) produce() wire.Code {
	r.t.Helper()
	r.number++
	b := record.NewData(record.NoProducer, -1, record.NoSequence, []record.Record{{Key: 1, Value: uint64(r.number)}})
	r.message(client, &wire.ProduceRequest{Partition: tp, Acks: 1, Batch: b, Correlation: r.number})
	res, to := take[*wire.ProduceResponse](r)
	if to != client || res.Correlation != r.number {
		r.t.Fatalf("produce was answered %+v to %d", res, to)
	}
	return res.Code
}

// plain are n single-record batches of epoch at and above base, as a source holds them.
func plain(base int64, epoch int32, n int) []*record.Batch {
	var list []*record.Batch
	for i := range n {
		at := base + int64(i)
		b := record.NewData(record.NoProducer, -1, record.NoSequence, []record.Record{{Key: 7, Value: uint64(at)<<8 | uint64(epoch)}})
		list = append(list, b.At(at, epoch))
	}
	return list
}

// transactional is one record of a transactional producer.
func transactional(base int64, epoch int32, producer int64, producerEpoch int16, sequence int32) *record.Batch {
	b := record.NewData(producer, producerEpoch, sequence, []record.Record{{Key: uint64(producer), Value: uint64(base)}})
	b.Transactional = true
	return b.Sealed().At(base, epoch)
}

func join(lists ...[]*record.Batch) []*record.Batch { return slices.Concat(lists...) }

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// holds puts batches into the log of b0's disk, as they were before the boot, committed or not.
func (r *rig) holds(committed int64, batches ...*record.Batch) {
	f := r.disk.Create(tp)
	f.Batches, f.HighWatermark = batches, committed
	f.CreatedAt = int64(slices.IndexFunc(r.metadata, func(m record.Metadata) bool {
		t, ok := m.(*record.TopicRecord)
		return ok && t.Topic == tp.Topic
	}))
	for _, b := range batches {
		if n := len(f.Epochs); n == 0 || f.Epochs[n-1].Epoch != b.LeaderEpoch {
			f.Epochs = append(f.Epochs, disk.Epoch{Epoch: b.LeaderEpoch, Start: b.Base})
		}
		f.End = b.Last + 1
	}
}

// mirroring is a rig with b0 MIRRORING what the source holds.
func mirroring(t testing.TB, source []*record.Batch, sets ...string) *rig {
	t.Helper()
	r := newRig(t, sets...)
	r.source = source
	if n := len(source); n > 0 {
		r.srcEpoch = source[n-1].LeaderEpoch
	}
	r.want(record.WantMirroring)
	r.pump()
	if state, _ := r.describe(); state != record.Mirroring {
		t.Fatalf("b0 is in %s", state)
	}
	r.events, r.points, r.writes, r.records = nil, nil, nil, nil
	return r
}

// checkSchema reports an event that fills a field which its kind does not have.
func checkSchema(t testing.TB, e *event.Event) {
	t.Helper()
	if field := e.Undeclared(); field != "" {
		t.Errorf("%v fills %s, which its kind does not have", e.Kind, field)
	}
}
