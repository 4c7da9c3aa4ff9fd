package replica_test

import (
	"fmt"
	"strings"
	"testing"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// The nodes of the tests: three brokers, of which a is the first in assignment order, a controller, and a client.
const (
	a, b, c          id.Node = 0, 1, 2
	activeController id.Node = 9
	client           id.Node = 20
)

var testPartition = id.Partition{Topic: id.NewTopic(0, 1)}

// spec is what a test says of the topic, the cluster and the protocol. The zero value is a plain topic on a, b and c
// with min.insync.replicas 1, under the choices of start-stop.
type spec struct {
	minISR   uint8
	replicas []id.Node
	desired  record.Desired
	set      []string // choices over those of start-stop, such as "isr-join=last-epoch"
}

// host is one broker that has the one replica.
type host struct {
	*replica.Replica
	spec     spec
	env      replica.Env
	image    metadata.Image
	config   protocol.Config
	settings setting.Settings
	disk     *disk.Disk
	out      node.Effects
	reg      record.PartitionRecord
	next     uint32 // correlation of the fetches that the test makes up

	asked   []*wire.AlterPartitionRequest // of the controller
	answers []wire.Body                   // to clients and to brokers that the test plays
	events  []event.Event
	timers  map[node.Timer]id.Duration // that are armed
}

func newHost(t *testing.T, self id.Node, s spec) *host {
	t.Helper()
	config, err := protocol.Revision("start-stop")
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range s.set {
		name, token, _ := strings.Cut(choice, "=")
		if err := config.Set(name, token); err != nil {
			t.Fatal(err)
		}
	}
	if s.minISR == 0 {
		s.minISR = 1
	}
	if s.replicas == nil {
		s.replicas = []id.Node{a, b, c}
	}
	h := &host{spec: s, config: config, settings: setting.Default(), disk: &disk.Disk{Incarnation: 1},
		timers: map[node.Timer]id.Duration{}}
	h.env = replica.Env{Self: self, Config: &h.config, Settings: &h.settings, Image: &h.image,
		Controller: activeController, Out: &h.out}
	h.image.Apply(&record.TopicRecord{Topic: testPartition.Topic, Name: "t", Partitions: 1, MinISR: s.minISR})
	for _, n := range []id.Node{a, b, c} {
		h.image.Apply(&record.BrokerRecord{Broker: n, Incarnation: 1})
	}
	h.disk.Create(testPartition)
	h.reg = record.PartitionRecord{Partition: testPartition, Replicas: s.replicas, Leader: id.None, LeaderEpoch: -1}
	h.open()
	h.want(s.desired)
	return h
}

func (h *host) files() *disk.Partition { return h.disk.Find(testPartition) }

func (h *host) open() { h.Replica = replica.Open(h.files(), &h.env) }

// want makes that the desired state of the topic.
func (h *host) want(d record.Desired) {
	if d != record.WantNone {
		h.image.Apply(&record.MirrorTopicRecord{Topic: testPartition.Topic, Mirror: 1, Desired: d})
	}
	h.SetTopic(h.image.Topic(testPartition.Topic), &h.env)
}

// restart is a process crash and a restart: the memory is gone, the files stay.
func (h *host) restart() {
	h.disk.Incarnation++
	h.image.Apply(&record.BrokerRecord{Broker: h.env.Self, Incarnation: h.disk.Incarnation})
	h.out.Reset()
	h.timers = map[node.Timer]id.Duration{}
	h.open()
	h.want(h.spec.desired)
}

// hold appends runs such as "0-9@3 10@5" to the log, each record in a batch of its own.
func (h *host) hold(t *testing.T, runs string) *host {
	t.Helper()
	for _, x := range batches(t, runs) {
		h.Log.AppendAsIs(x, x.LeaderEpoch, event.FromLeader, &h.out)
	}
	return h
}

func (h *host) commit(hw int64) *host {
	h.Log.SetHighWatermark(hw, 0, &h.out)
	return h
}

// batches are runs of batches with one record each; equal places hold equal bytes.
func batches(t *testing.T, runs string) []*record.Batch {
	t.Helper()
	var list []*record.Batch
	for _, run := range strings.Fields(runs) {
		var from, to int64
		var epoch int32
		if n, _ := fmt.Sscanf(run, "%d-%d@%d", &from, &to, &epoch); n != 3 {
			if n, _ := fmt.Sscanf(run, "%d@%d", &from, &epoch); n != 2 {
				t.Fatalf("%q is not a run", run)
			}
			to = from
		}
		for o := from; o <= to; o++ {
			list = append(list, plain(1, uint64(o)<<8|uint64(epoch)).At(o, epoch))
		}
	}
	return list
}

// plain is a batch of n records without a producer.
func plain(n int, value uint64) *record.Batch {
	list := make([]record.Record, n)
	for i := range list {
		list[i].Value = value + uint64(i)
	}
	return record.NewData(record.NoProducer, -1, record.NoSequence, list)
}

// strip prints the log as runs of one epoch.
func (h *host) strip() string {
	var out []string
	list := h.Log.Read(h.Log.Start(), h.Log.End(), 1<<20)
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1].LeaderEpoch == list[i].LeaderEpoch && list[j+1].Base == list[j].Last+1 {
			j++
		}
		if run := fmt.Sprintf("%d-%d@%d", list[i].Base, list[j].Last, list[i].LeaderEpoch); list[i].Base != list[j].Last {
			out = append(out, run)
		} else {
			out = append(out, fmt.Sprintf("%d@%d", list[i].Base, list[i].LeaderEpoch))
		}
		i = j + 1
	}
	return strings.Join(out, " ")
}

func (h *host) epochs() string {
	var out []string
	for _, e := range h.files().Epochs {
		out = append(out, fmt.Sprintf("%d→%d", e.Epoch, e.Start))
	}
	return strings.Join(out, " ")
}

// register applies the next registration of the partition.
func (h *host) register(leader id.Node, epoch int32, isr ...id.Node) bool {
	h.reg.Leader, h.reg.LeaderEpoch, h.reg.ISR = leader, epoch, id.SetOf(isr...)
	h.reg.PartitionEpoch++
	next := h.reg
	h.image.Apply(&next)
	changed := h.SetRegistration(&next, &h.env)
	h.settle()
	return changed
}

// fence takes a broker out in h's image.
func (h *host) fence(n id.Node) {
	h.image.Apply(&record.BrokerRecord{Broker: n, Incarnation: 1, Fenced: true})
}

// settle takes the effects apart; it answers the messages between brokers.
func (h *host) settle() []node.Send {
	var between []node.Send
	for _, s := range h.out.Sends {
		switch m := s.Body.(type) {
		case *wire.AlterPartitionRequest:
			h.asked = append(h.asked, m)
		case *wire.FetchRequest:
			between = append(between, s)
		default:
			h.answers = append(h.answers, m)
		}
	}
	for _, op := range h.out.Timers {
		if op.After < 0 {
			delete(h.timers, op.Timer)
		} else {
			h.timers[op.Timer] = op.After
		}
	}
	h.events = append(h.events, h.out.Events...)
	h.out.Reset()
	if len(between) > 0 {
		h.answers = append(h.answers, between[len(between)-1].Body)
	}
	return between
}

// request is the newest fetch that h sent as a follower; nil if there is none since the last look.
func (h *host) request() *wire.FetchRequest {
	h.settle()
	var found *wire.FetchRequest
	kept := h.answers[:0]
	for _, m := range h.answers {
		if req, ok := m.(*wire.FetchRequest); ok {
			found = req
		} else {
			kept = append(kept, m)
		}
	}
	h.answers = kept
	return found
}

// response is the newest answer to a fetch that h sent as a leader; nil if there is none since the last look.
func (h *host) response() *wire.FetchResponse {
	h.settle()
	var found *wire.FetchResponse
	kept := h.answers[:0]
	for _, m := range h.answers {
		if res, ok := m.(*wire.FetchResponse); ok {
			found = res
		} else {
			kept = append(kept, m)
		}
	}
	h.answers = kept
	return found
}

// produced are the answers to producers since the last look; waiters that completed are answered as the broker does.
func (h *host) produced() []wire.ProduceResponse {
	for _, d := range h.Done {
		if d.Kind == replica.ForProduce {
			h.AnswerProduce(d, &h.env)
		}
	}
	h.Done = h.Done[:0]
	h.settle()
	var found []wire.ProduceResponse
	kept := h.answers[:0]
	for _, m := range h.answers {
		if res, ok := m.(*wire.ProduceResponse); ok {
			found = append(found, *res)
		} else {
			kept = append(kept, m)
		}
	}
	h.answers = kept
	return found
}

// alters are the ISRs asked of the controller since the last look.
func (h *host) alters() []id.Set {
	h.settle()
	var sets []id.Set
	for _, m := range h.asked {
		sets = append(sets, m.ISR)
	}
	h.asked = nil
	return sets
}

// truncations are where the log was truncated to since the last look.
func (h *host) truncations() []int64 {
	h.settle()
	var list []int64
	for _, e := range h.events {
		if e.Kind == event.Truncated {
			list = append(list, e.Offset)
		}
	}
	h.events = nil
	return list
}

// fetch has follower n fetch from h at offset, with that last epoch, in h's leader epoch. The answer is nil when the
// fetch is parked.
func (h *host) fetch(n id.Node, offset int64, last int32, change ...func(*wire.FetchRequest)) *wire.FetchResponse {
	h.next++
	req := &wire.FetchRequest{Partition: testPartition, Replica: n, CurrentLeaderEpoch: h.LeaderEpoch(),
		LastFetchedEpoch: last,
		FetchOffset:      offset, MaxWait: h.settings.FetchMaxWait, Correlation: h.next}
	for _, f := range change {
		f(req)
	}
	from := n
	if n == id.None {
		from = client
	}
	h.response()
	h.Fetch(from, req, &h.env)
	return h.response()
}

// produce has the client write a batch of n records.
func (h *host) produce(acks int8, n int) []wire.ProduceResponse {
	h.next++
	h.Produce(client, &wire.ProduceRequest{Partition: testPartition, Acks: acks, Batch: plain(n, uint64(h.next)<<32),
		Correlation: h.next}, &h.env)
	return h.produced()
}

// answer has h take an answer to its fetch under way, which it completes.
func (h *host) answer(req *wire.FetchRequest, res wire.FetchResponse) {
	res.Partition, res.LeaderEpoch, res.Correlation = testPartition, h.LeaderEpoch(), req.Correlation
	res.FetchOffset = req.FetchOffset
	h.Fetched(h.Reg.Leader, &res, &h.env)
}

// play carries fetches and their answers between a leader and a follower until a fetch is parked or nothing is sent.
func play(t *testing.T, leader, follower *host) {
	t.Helper()
	for range 100 {
		req := follower.request()
		if req == nil {
			return
		}
		leader.response()
		leader.Fetch(follower.env.Self, req, &leader.env)
		res := leader.response()
		if res == nil {
			return
		}
		follower.Fetched(leader.env.Self, res, &follower.env)
	}
	t.Fatal("leader and follower never come to rest")
}

func failIf(t *testing.T, wrong bool, format string, args ...any) {
	t.Helper()
	if wrong {
		t.Errorf(format, args...)
	}
}
