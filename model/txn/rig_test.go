package txn_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/setting"
	"mirrorsim/model/txn"
	"mirrorsim/model/wire"
)

const (
	self   id.Node = 0
	peer   id.Node = 1 // the other replica of __transaction_state
	leader id.Node = 2 // of both data partitions
	client id.Node = 9 // the transactional id
)

var (
	shard = id.Partition{Topic: id.NewTopic(0, 1)}
	data0 = id.Partition{Topic: id.NewTopic(0, 2)}
	data1 = id.Partition{Topic: id.NewTopic(0, 2), Index: 1}
)

// fresh is the producer id that the rig hands in as unused.
const fresh int64 = 5000

// rig is one replica of __transaction_state-0 and its coordinator, driven as a broker drives them.
type rig struct {
	t       *testing.T
	config  protocol.Config
	setting setting.Settings
	image   metadata.Image
	disk    *disk.Disk
	replica *replica.Replica
	coord   txn.Coordinator
	out     node.Effects
	number  uint32
	points  []point.Point
}

// newRig has a replica whose log holds the records, as an earlier leader left them; it leads nothing yet.
func newRig(t *testing.T, stored ...record.Transaction) *rig {
	t.Helper()
	config, err := protocol.Revision("start-stop")
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, config: config, setting: setting.Default(), disk: &disk.Disk{}}
	for _, m := range []record.Metadata{
		&record.BrokerRecord{Broker: self, Incarnation: 1}, &record.BrokerRecord{Broker: peer, Incarnation: 1},
		&record.TopicRecord{Topic: shard.Topic, Name: "__transaction_state", Partitions: 1, MinISR: 1, Internal: record.TransactionStateTopic},
		&record.TopicRecord{Topic: data0.Topic, Name: "t", Partitions: 2, MinISR: 1},
		&record.PartitionRecord{Partition: data0, Replicas: []id.Node{leader}, ISR: id.SetOf(leader), Leader: leader},
		&record.PartitionRecord{Partition: data1, Replicas: []id.Node{leader}, ISR: id.SetOf(leader), Leader: leader},
	} {
		r.image.Apply(m)
	}
	r.replica = replica.Open(r.disk.Create(shard), r.env())
	for _, x := range stored {
		r.replica.Log.AppendAsIs(record.NewTransactions([]record.Transaction{x}).At(r.replica.Log.End(), 0), 0, event.FromLeader, &r.out)
	}
	return r
}

// lead is a coordinator that has loaded the records and is alone in the ISR, so that everything is committed at once.
func lead(t *testing.T, stored ...record.Transaction) *rig {
	t.Helper()
	r := newRig(t, stored...)
	r.elect(1, self)
	r.load()
	r.stored()
	return r
}

func (r *rig) env() *replica.Env {
	return &replica.Env{Self: self, Config: &r.config, Settings: &r.setting, Image: &r.image, Controller: id.None,
		DiskFull: r.disk.Full, Out: &r.out}
}

// after does what a broker and the world do behind an input: progress, and the points that were reached.
func (r *rig) after() {
	for {
		if r.replica.Progress {
			r.replica.Progress = false
			r.coord.Advanced(r.replica, r.env())
		}
		if r.coord.Point() == point.None {
			return
		}
		r.points = append(r.points, r.coord.Point())
		r.coord.Resume(func(id.Partition) *replica.Replica { return r.replica }, r.env())
	}
}

// elect makes this broker the leader of epoch, depose the peer.
func (r *rig) elect(epoch int32, isr ...id.Node) { r.register(self, epoch, isr...) }

func (r *rig) depose(epoch int32) { r.register(peer, epoch, self, peer) }

func (r *rig) register(n id.Node, epoch int32, isr ...id.Node) {
	p := &record.PartitionRecord{Partition: shard, Replicas: []id.Node{self, peer}, ISR: id.SetOf(isr...), Leader: n,
		LeaderEpoch: epoch, PartitionEpoch: epoch}
	r.image.Apply(p)
	r.replica.SetTopic(r.image.Topic(shard.Topic), r.env())
	if r.replica.SetRegistration(p, r.env()) {
		if r.replica.IsLeader() {
			r.coord.Elected(r.replica, r.env())
		} else {
			r.coord.Resigned(shard, r.env())
		}
	}
	r.after()
}

// needs sets min.insync.replicas of __transaction_state.
func (r *rig) needs(n uint8) {
	topic := *r.image.Topic(shard.Topic)
	topic.MinISR = n
	r.replica.SetTopic(&topic, r.env())
}

func (r *rig) load() { r.coord.Load(r.replica, r.env()); r.after() }

// follow has the peer fetch from offset: it holds everything below.
func (r *rig) follow(offset int64) {
	r.replica.Fetch(peer, &wire.FetchRequest{Partition: shard, Replica: peer, CurrentLeaderEpoch: r.replica.LeaderEpoch(),
		LastFetchedEpoch: r.replica.Log.EpochAt(offset - 1), FetchOffset: offset}, r.env())
	r.after()
}

func (r *rig) init(pid int64, epoch int16) wire.InitProducerIdResponse {
	r.number++
	needs := r.coord.Init(client, &wire.InitProducerIdRequest{Client: client, Transactional: true, ProducerID: pid, ProducerEpoch: epoch, Correlation: r.number},
		fresh, r.replica, r.env())
	same(r.t, "asks for an id that it has", needs, false)
	r.after()
	return *answer[*wire.InitProducerIdResponse](r, client)
}

func (r *rig) add(p id.Partition, pid int64, epoch int16) wire.Code {
	r.number++
	r.coord.AddPartitions(client, &wire.AddPartitionsToTxnRequest{Client: client, ProducerID: pid, ProducerEpoch: epoch, Partition: p,
		Correlation: r.number}, r.replica, r.env())
	r.after()
	return answer[*wire.AddPartitionsToTxnResponse](r, client).Code
}

// verify is the question of the data partition's leader.
func (r *rig) verify(p id.Partition, pid int64, epoch int16) wire.Code {
	r.number++
	r.coord.AddPartitions(leader, &wire.AddPartitionsToTxnRequest{Client: client, ProducerID: pid, ProducerEpoch: epoch, Partition: p,
		VerifyOnly: true, Correlation: r.number}, r.replica, r.env())
	return answer[*wire.AddPartitionsToTxnResponse](r, leader).Code
}

// asksToEnd sends EndTxn; end takes its answer as well.
func (r *rig) asksToEnd(commit bool, pid int64, epoch int16) {
	r.number++
	needs := r.coord.End(client, &wire.EndTxnRequest{ProducerID: pid, ProducerEpoch: epoch, Commit: commit, Correlation: r.number},
		fresh, r.replica, r.env())
	same(r.t, "asks for an id that it has", needs, false)
	r.after()
}

func (r *rig) end(commit bool, pid int64, epoch int16) string {
	r.asksToEnd(commit, pid, epoch)
	res := answer[*wire.EndTxnResponse](r, client)
	if res.Code != wire.OK {
		same(r.t, "a refusal names no producer", []any{res.ProducerID, res.ProducerEpoch}, []any{int64(-1), int16(-1)})
		return res.Code.String()
	}
	return fmt.Sprintf("%d/%d", res.ProducerID, res.ProducerEpoch)
}

// answer takes the newest message to a node, which must be of that type and, to the client, answer the newest request.
func answer[T wire.Body](r *rig, to id.Node) T {
	r.t.Helper()
	for i := len(r.out.Sends) - 1; i >= 0; i-- {
		if b, ok := r.out.Sends[i].Body.(T); ok && r.out.Sends[i].To == to {
			r.out.Sends = append(r.out.Sends[:i], r.out.Sends[i+1:]...)
			return b
		}
	}
	var none T
	r.t.Fatalf("no %T was sent to node %d", none, to)
	return none
}

// silent fails if a message of that type was sent.
func silent[T wire.Body](r *rig, what string) {
	r.t.Helper()
	for i := range r.out.Sends {
		if b, ok := r.out.Sends[i].Body.(T); ok {
			r.t.Errorf("%s: %+v was sent", what, b)
		}
	}
}

// markers takes the markers that were sent, and written answers one.
func (r *rig) markers() (list []wire.WriteTxnMarkersRequest) {
	kept := r.out.Sends[:0]
	for _, s := range r.out.Sends {
		if m, ok := s.Body.(*wire.WriteTxnMarkersRequest); ok {
			same(r.t, "a marker goes to the leader", s.To, leader)
			list = append(list, *m)
		} else {
			kept = append(kept, s)
		}
	}
	r.out.Sends = kept
	return list
}

func (r *rig) written(m wire.WriteTxnMarkersRequest, code wire.Code) {
	r.coord.MarkerWritten(&wire.WriteTxnMarkersResponse{Partition: m.Partition, Code: code, Correlation: m.Correlation},
		func(id.Partition) *replica.Replica { return r.replica }, r.env())
	r.after()
}

// expire is the timer of the transaction, and again the one of its markers.
func (r *rig) expire() { r.coord.Expired(client, r.replica, r.env()); r.after() }

func (r *rig) again() { r.coord.MarkersAgain(client, r.replica, r.env()); r.after() }

// stored takes the records that were appended, as words.
func (r *rig) stored() (words []string) {
	for i := range r.out.Events {
		if e := &r.out.Events[i]; e.Kind == event.TransactionStored {
			words = append(words, fmt.Sprintf("%d/%d %v>%v %d", e.ProducerID, e.BatchEpoch, record.TransactionState(e.From),
				record.TransactionState(e.To), e.Sequence))
		}
	}
	r.out.Events = r.out.Events[:0]
	return words
}

// armed tells for how long the client's timer of that kind was armed last; -1: it was cancelled, or never armed.
func (r *rig) armed(kind uint8) id.Duration {
	for i := len(r.out.Timers) - 1; i >= 0; i-- {
		if op := r.out.Timers[i]; op.Timer == (node.Timer{Kind: kind, Partition: shard, Peer: client}) {
			return max(op.After, -1)
		}
	}
	return -1
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// entry is a record of the client with producer id 1.
func entry(epoch int16, state record.TransactionState, partitions ...id.Partition) record.Transaction {
	return record.Transaction{Client: client, ProducerID: 1, ProducerEpoch: epoch, State: state, Next: record.NoProducer,
		Previous: record.NoProducer, Partitions: partitions}
}
