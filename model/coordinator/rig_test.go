package coordinator_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/coordinator"
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
	"mirrorsim/model/wire"
)

const (
	self   id.Node = 0
	peer   id.Node = 1 // the other replica of __mirror_state
	writer id.Node = 2 // leads the data partition
)

var (
	stateTopic = id.NewTopic(0, 1)
	shard      = id.Partition{Topic: stateTopic}
	data       = id.Partition{Topic: id.NewTopic(1, 1)}
	mirrorM    = id.Mirror(1)
	mirrorN    = id.Mirror(2)
)

// firstLife is that of the data topic's entries when the test begins: the topic is the last record of newRig.
const firstLife = 5

// rig is one replica of __mirror_state-0 and its coordinator, driven as a broker drives them.
type rig struct {
	t       *testing.T
	config  protocol.Config
	setting setting.Settings
	image   metadata.Image
	disk    *disk.Disk
	replica *replica.Replica
	coord   coordinator.Coordinator
	out     node.Effects
	number  uint32
	points  []point.Point
	seen    int32 // the data partition's leader epoch in this broker's metadata
}

// newRig has a replica of __mirror_state whose log holds what is given; it leads nothing yet.
func newRig(t *testing.T, sets ...string) *rig {
	t.Helper()
	config, err := protocol.Revision("start-stop")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(sets); i += 2 {
		if err := config.Set(sets[i], sets[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	r := &rig{t: t, config: config, setting: setting.Default(), disk: &disk.Disk{}}
	for _, m := range []record.Metadata{
		&record.BrokerRecord{Broker: self, Incarnation: 1}, &record.BrokerRecord{Broker: peer, Incarnation: 1},
		&record.TopicRecord{Topic: stateTopic, Name: "__mirror_state", Partitions: 1, MinISR: 1, Internal: record.MirrorStateTopic},
		&record.MirrorRecord{Mirror: mirrorM, Name: "m"}, &record.MirrorRecord{Mirror: mirrorN, Name: "n"},
		&record.TopicRecord{Topic: data.Topic, Name: "t", Partitions: 1, MinISR: 1},
	} {
		r.image.Apply(m)
	}
	r.replica = replica.Open(r.disk.Create(shard), r.env())
	return r
}

// meta has the broker's image replay records, and tells the coordinator where they remove a mirror or a topic.
func (r *rig) meta(records ...record.Metadata) {
	removed := false
	for _, m := range records {
		r.image.Apply(m)
		switch m.(type) {
		case *record.RemoveMirrorRecord, *record.RemoveTopicRecord:
			removed = true
		}
	}
	if removed {
		r.coord.Removed(func(id.Partition) *replica.Replica { return r.replica }, r.env())
		r.after()
	}
}

func (r *rig) env() *replica.Env {
	return &replica.Env{Self: self, Config: &r.config, Settings: &r.setting, Image: &r.image, Controller: id.None,
		DiskFull: r.disk.Full, Out: &r.out}
}

// append puts records into the log as if they had been replicated from an earlier leader.
func (r *rig) append(epoch int32, states ...record.MirrorState) {
	b := record.NewStates(states).At(r.replica.Log.End(), epoch)
	r.replica.Log.AppendAsIs(b, epoch, event.FromLeader, &r.out)
}

// elect makes this broker the leader of epoch with an ISR of itself, and of the peer if there are to be two.
func (r *rig) elect(epoch int32, isr ...id.Node) {
	r.registered(&record.PartitionRecord{Partition: shard, Replicas: []id.Node{self, peer}, ISR: id.SetOf(isr...),
		Leader: self, LeaderEpoch: epoch, PartitionEpoch: epoch})
}

func (r *rig) registered(p *record.PartitionRecord) {
	r.replica.SetTopic(r.image.Topic(stateTopic), r.env())
	if r.replica.SetRegistration(p, r.env()) {
		if r.replica.IsLeader() {
			r.coord.Elected(r.replica, r.env())
		} else {
			r.coord.Resigned(shard, r.env())
		}
	}
	r.after()
}

// lead is a coordinator that has loaded and is alone in the ISR, so that everything is committed at once.
func lead(t *testing.T, sets ...string) *rig {
	t.Helper()
	r := newRig(t, sets...)
	r.elect(0, self)
	r.load()
	r.out.Reset()
	return r
}

// load is the timer of the load.
func (r *rig) load() {
	r.coord.Load(r.replica, r.env())
	r.after()
}

// after does what a broker and the world do behind an input: progress, and the points that were reached.
func (r *rig) after() {
	for {
		if r.replica.Progress {
			r.replica.Progress = false
			r.coord.Advanced(r.replica, r.env())
		}
		at := r.coord.Point()
		if at == point.None {
			return
		}
		r.points = append(r.points, at)
		r.coord.Resume(func(id.Partition) *replica.Replica { return r.replica }, r.env())
	}
}

// follow has the peer fetch from offset: it holds everything below.
func (r *rig) follow(offset int64) {
	last := r.replica.Log.LatestEpoch()
	if offset == 0 {
		last = -1
	}
	r.replica.Fetch(peer, &wire.FetchRequest{Partition: shard, Replica: peer, CurrentLeaderEpoch: r.replica.LeaderEpoch(),
		LastFetchedEpoch: last, FetchOffset: offset}, r.env())
	r.after()
}

// send writes a record and answers the correlation.
func (r *rig) send(rec record.MirrorState, keepFirst bool) uint32 {
	r.number++
	r.coord.Write(writer, &wire.WriteMirrorStatesRequest{Record: rec, KeepFirst: keepFirst, Correlation: r.number},
		r.replica, r.seen, r.env())
	r.after()
	return r.number
}

// answers takes the write answers that were sent.
func (r *rig) answers() []wire.WriteMirrorStatesResponse {
	var list []wire.WriteMirrorStatesResponse
	for _, s := range r.out.Sends {
		if a, ok := s.Body.(*wire.WriteMirrorStatesResponse); ok {
			if s.To != writer {
				r.t.Errorf("an answer went to node %d", s.To)
			}
			list = append(list, *a)
		}
	}
	r.out.Sends = r.out.Sends[:0]
	return list
}

// write writes a record and answers the one answer, which must come at once.
func (r *rig) write(rec record.MirrorState) wire.WriteMirrorStatesResponse {
	r.t.Helper()
	n := r.send(rec, false)
	return r.answered(n)
}

func (r *rig) answered(n uint32) wire.WriteMirrorStatesResponse {
	r.t.Helper()
	list := r.answers()
	if len(list) != 1 || list[0].Correlation != n || list[0].Partition != data {
		r.t.Fatalf("write %d of %v was answered %+v", n, data, list)
	}
	return list[0]
}

// waits fails unless no write was answered.
func (r *rig) waits(what string) {
	r.t.Helper()
	if list := r.answers(); len(list) != 0 {
		r.t.Fatalf("%s: answered %+v", what, list)
	}
}

func (r *rig) read(x id.Mirror) wire.ReadMirrorStatesResponse {
	r.t.Helper()
	r.number++
	r.coord.Read(writer, &wire.ReadMirrorStatesRequest{Mirror: x, Partition: data, Life: r.image.Life(x, data.Topic),
		Correlation: r.number}, r.env())
	last := r.out.Sends[len(r.out.Sends)-1]
	res, ok := last.Body.(*wire.ReadMirrorStatesResponse)
	if !ok || last.To != writer || res.Correlation != r.number || res.Mirror != x || res.Partition != data {
		r.t.Fatalf("read %d was answered %+v", r.number, last)
	}
	r.out.Sends = r.out.Sends[:len(r.out.Sends)-1]
	return *res
}

// events takes the events of some kinds as lines.
func (r *rig) events(kinds ...event.Kind) []string {
	var lines []string
	for i := range r.out.Events {
		e := &r.out.Events[i]
		if !slices.Contains(kinds, e.Kind) {
			continue
		}
		switch e.Kind {
		case event.StateStored:
			lines = append(lines, fmt.Sprintf("%s %s>%s run %d epochs %d,%d by %d at %d", e.Kind, record.State(e.From),
				record.State(e.To), e.Offset, e.LeaderEpoch, e.Sequence, e.Peer, e.End))
		case event.StateCommitted:
			lines = append(lines, fmt.Sprintf("%s %s run %d epochs %d,%d", e.Kind, record.State(e.To), e.Offset, e.LeaderEpoch, e.Sequence))
		case event.PositionStored:
			lines = append(lines, fmt.Sprintf("%s %d,%d run %d by %d at %d", e.Kind, e.BatchEpoch, e.Offset, e.Sequence, e.Peer, e.End))
		case event.EntryRemoved:
			lines = append(lines, fmt.Sprintf("%s %d of %d", e.Kind, e.From, e.Mirror))
		case event.PositionCommitted:
			lines = append(lines, fmt.Sprintf("%s %d,%d run %d", e.Kind, e.BatchEpoch, e.Offset, e.Sequence))
		default:
			lines = append(lines, fmt.Sprintf("%s %d", e.Kind, e.Sequence))
		}
	}
	r.out.Events = r.out.Events[:0]
	return lines
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// state is a state record of the data partition under m.
func state(s record.State) record.MirrorState {
	return record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: data, Life: firstLife, State: s}
}

// position is a position record of the data partition under m.
func position(epoch int32, offset int64, run int32) record.MirrorState {
	return record.MirrorState{Kind: record.LastMirroredEpochs, Mirror: mirrorM, Partition: data, Life: firstLife, Epoch: epoch,
		Offset: offset, Run: run}
}

func by(leaderEpoch, stateEpoch int32, rec record.MirrorState) record.MirrorState {
	rec.LeaderEpoch, rec.StateEpoch = leaderEpoch, stateEpoch
	return rec
}

func under(x id.Mirror, rec record.MirrorState) record.MirrorState {
	rec.Mirror = x
	return rec
}

func tombstone(kind record.MirrorStateKind) record.MirrorState {
	return record.MirrorState{Kind: kind, Mirror: mirrorM, Partition: data, Tombstone: true}
}
