package broker

import (
	"encoding/binary"

	"mirrorsim/model/coordinator"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/group"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/mirror"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/replica"
	"mirrorsim/model/setting"
	"mirrorsim/model/txn"
	"mirrorsim/model/wire"
)

// The timers of a broker itself. Kinds up to 15 are the replicas', 16 to 23 the mirror coordinator's, 24 to 27 those of
// transactions, 28 to 31 the group coordinator's, 32 to 47 the mirror manager's.
const (
	timerHeartbeat  uint8 = iota + 48 // keep the session with the active controller
	timerMetadata                     // the answer to the metadata fetch was lost
	timerCheckpoint                   // write the high-watermark and log-start checkpoints
	timerProducerId                   // ask for producer ids again
)

// Spec is what a broker is booted with.
type Spec struct {
	Cluster  id.Cluster
	Log      id.Node // the metadata log of its cluster
	Config   *protocol.Config
	Settings *setting.Settings
	Names    *id.Names // for Waits only
}

// Broker is one broker.
type Broker struct {
	self       id.Node
	spec       *Spec
	disk       *disk.Disk
	image      metadata.Image
	controller id.Node // the active controller as the metadata log told last
	epoch      int32   // its controller epoch
	started    bool    // the image shows this incarnation registered; before that nothing is led or followed
	lent       replica.Env

	replicas    []*replica.Replica // ordered by partition
	coordinator coordinator.Coordinator
	mirror      mirror.Manager
	transaction txn.Coordinator
	verifier    txn.Verifier
	group       group.Coordinator

	sequence uint32 // of its own requests
	fetches  uint32 // correlation of the metadata fetch under way
	ids      producerIds
}

// Boot boots a broker from what its disk kept. It leads and follows nothing until its image shows the registration of
// this incarnation, for what the metadata say of the one before has been taken back by then (KIP-631).
func Boot(spec *Spec) node.Boot {
	return func(self id.Node, d *disk.Disk, out *node.Effects) node.Node {
		first := d.Incarnation << 20
		b := &Broker{self: self, spec: spec, disk: d, controller: id.None, sequence: first}
		env := b.env(out)
		for _, files := range d.Partitions {
			b.replicas = append(b.replicas, replica.Open(files, env))
		}
		b.fetchMetadata(out)
		b.mirror.Start(first, env)
		b.transaction.Start(first)
		b.verifier.Start(first)
		out.Arm(node.Timer{Kind: timerHeartbeat}, spec.Settings.BrokerHeartbeat, 0)
		out.Arm(node.Timer{Kind: timerCheckpoint}, spec.Settings.Checkpoint, 0)
		return b
	}
}

// env is what a step lends to the parts.
func (b *Broker) env(out *node.Effects) *replica.Env {
	b.lent = replica.Env{Self: b.self, Cluster: b.spec.Cluster, Config: b.spec.Config, Settings: b.spec.Settings,
		Image: &b.image, Controller: b.controller, DiskFull: b.disk.Full, Out: out}
	return &b.lent
}

// Step handles one input.
func (b *Broker) Step(in node.Input, out *node.Effects) {
	env := b.env(out)
	b.failReplicas(env)
	switch {
	case in.Resume:
		b.resume(env)
	case in.Body != nil:
		b.receive(in.From, in.Body, env)
	default:
		b.fired(in.Timer, env)
	}
	out.Yield = b.point()
}

// point is the point that the broker is at: of several parts that are at one, the first part's.
func (b *Broker) point() point.Point {
	for _, at := range [...]point.Point{b.mirror.Point(), b.coordinator.Point(), b.transaction.Point()} {
		if at != point.None {
			return at
		}
	}
	return point.None
}

// resume goes on behind a point, unless the part that was there is somewhere else by now.
func (b *Broker) resume(env *replica.Env) {
	var r *replica.Replica
	switch {
	case b.mirror.Point() != point.None:
		if p, ok := b.mirror.Resume(env); ok {
			r = b.find(p)
		}
	case b.coordinator.Point() != point.None:
		r = b.coordinator.Resume(b.find, env)
	case b.transaction.Point() != point.None:
		r = b.transaction.Resume(b.find, env)
	}
	b.after(r, env)
}

func (b *Broker) fired(t node.Timer, env *replica.Env) {
	switch t.Kind {
	case timerHeartbeat:
		b.heartbeat(env)
		return
	case timerMetadata:
		b.fetchMetadata(env.Out)
		return
	case timerCheckpoint:
		for _, r := range b.replicas {
			r.Log.Checkpoint()
		}
		env.Out.Arm(t, env.Settings.Checkpoint, 0)
		return
	case timerProducerId:
		b.allocate(env)
		return
	case mirror.TimerRetry, mirror.TimerFetch, mirror.TimerScan, mirror.TimerGather, mirror.TimerFailure, mirror.TimerEpoch,
		mirror.TimerBehind, mirror.TimerSync, mirror.TimerPass:
		b.mirror.Fired(t, env)
		if t.Kind == mirror.TimerScan {
			for _, r := range b.replicas {
				b.after(r, env)
			}
			return
		}
	case txn.TimerVerify:
		b.verifier.TimedOut(t.Partition, t.Peer, env)
		return
	}
	r := b.find(t.Partition)
	if r == nil {
		return
	}
	switch t.Kind {
	case replica.TimerFetch:
		r.FetchAgain(env)
	case replica.TimerParked:
		r.ParkedTimedOut(t.Peer, env)
	case replica.TimerLag:
		r.Lagging(t.Peer, env)
	case replica.TimerAlter:
		r.AlterAgain(env)
	case coordinator.TimerLoad:
		b.coordinator.Load(r, env)
	case coordinator.TimerSweep:
		b.coordinator.SweepAgain(r, env)
	case txn.TimerLoad:
		b.transaction.Load(r, env)
	case txn.TimerExpire:
		b.transaction.Expired(t.Peer, r, env)
	case txn.TimerMarkers:
		b.transaction.MarkersAgain(t.Peer, r, env)
	case group.TimerLoad:
		b.group.Load(r, env)
	case group.TimerSweep:
		b.group.SweepAgain(r, env)
	case group.TimerSession:
		b.group.Expired(t.Peer, r, env)
	}
	b.after(r, env)
}

// after hands on what the step did to a replica: completed waits, and progress for the coordinators and the mirror
// manager, until there is nothing more.
func (b *Broker) after(r *replica.Replica, env *replica.Env) {
	for r != nil && (len(r.Done) > 0 || r.Progress) {
		for len(r.Done) > 0 {
			c := r.Done[0]
			r.Done = append(r.Done[:0], r.Done[1:]...)
			switch c.Kind {
			case replica.ForProduce:
				r.AnswerProduce(c, env)
			case replica.ForMarker:
				r.AnswerMarker(c, env)
			default:
				b.mirror.AppendDone(r.ID(), c, env)
			}
		}
		if r.Progress {
			r.Progress = false
			if b.isState(r.ID()) {
				b.coordinator.Advanced(r, env)
			}
			if b.isTransactions(r.ID()) {
				b.transaction.Advanced(r, env)
			}
			if b.isGroups(r.ID()) {
				b.group.Advanced(r, env)
			}
			b.mirror.Progressed(r, env)
		}
	}
}

func (b *Broker) isState(p id.Partition) bool {
	return b.image.StateTopic != nil && b.image.StateTopic.Topic == p.Topic
}

// find is the replica of p here, nil if there is none.
func (b *Broker) find(p id.Partition) *replica.Replica {
	if i, ok := b.search(p); ok {
		return b.replicas[i]
	}
	return nil
}

func (b *Broker) search(p id.Partition) (int, bool) {
	low, high := 0, len(b.replicas)
	for low < high {
		middle := (low + high) / 2
		if b.replicas[middle].ID().Less(p) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(b.replicas) && b.replicas[low].ID() == p
}

// create is the replica of p here, made empty if there is none.
func (b *Broker) create(p id.Partition, env *replica.Env) *replica.Replica {
	i, ok := b.search(p)
	if ok {
		return b.replicas[i]
	}
	files := b.disk.Create(p)
	files.CreatedAt = b.image.Topic(p.Topic).CreatedAt
	r := replica.Open(files, env)
	b.replicas = append(b.replicas, nil)
	copy(b.replicas[i+1:], b.replicas[i:])
	b.replicas[i] = r
	return r
}

// report has every replica report its state into the history, as they stand at the end of a run.
func (b *Broker) report(env *replica.Env) {
	for _, r := range b.replicas {
		r.Report(event.ReportEnd, env)
	}
}

// Clone is a deep copy that keeps its durable state on d.
func (b *Broker) Clone(d *disk.Disk) node.Node {
	c := *b
	c.disk = d
	c.image = b.image.Clone()
	c.replicas = make([]*replica.Replica, len(b.replicas))
	for i, r := range b.replicas {
		c.replicas[i] = r.Clone(d.Find(r.ID()))
	}
	c.coordinator = b.coordinator.Clone()
	c.mirror = b.mirror.Clone(c.find)
	c.transaction = b.transaction.Clone()
	c.verifier = b.verifier.Clone()
	c.group = b.group.Clone()
	c.ids.waiting = append([]waitingClient(nil), b.ids.waiting...)
	return &c
}

// AppendState appends the broker's memory. The sum of its image stands for the image.
func (b *Broker) AppendState(dst []byte) []byte {
	dst = append(dst, byte(b.controller), byte(b.epoch), id.Bit(b.started))
	dst = binary.LittleEndian.AppendUint64(dst, b.image.Sum)
	for _, r := range b.replicas {
		dst = r.AppendState(dst)
	}
	dst = b.coordinator.AppendState(dst)
	dst = b.mirror.AppendState(dst)
	dst = b.transaction.AppendState(dst)
	dst = b.verifier.AppendState(dst)
	dst = b.group.AppendState(dst)
	return b.ids.appendState(dst)
}

// Waits says in words what each unfinished partition of this broker waits for.
func (b *Broker) Waits(yield func(string) bool) {
	name := func(p id.Partition) string {
		return b.spec.Names.Cluster(b.spec.Cluster) + "/" + b.spec.Names.Partition(p)
	}
	own := *b // forks share b, and env writes to it
	if !b.mirror.Waits(name, own.env(nil), yield) || !b.coordinator.Waits(yield) || !b.transaction.Waits(yield) ||
		!b.group.Waits(yield) {
		return
	}
	for _, r := range b.replicas {
		if !r.Waits(name(r.ID()), yield) {
			return
		}
	}
}

// receive passes a message to the part that it concerns.
func (b *Broker) receive(from id.Node, body wire.Body, env *replica.Env) {
	switch m := body.(type) {
	case *wire.FetchRequest:
		b.fetch(from, m, env)
	case *wire.FetchResponse:
		b.fetched(from, m, env)
	case *wire.ProduceRequest:
		b.produce(from, m, env)
	case *wire.ListOffsetsRequest:
		b.listOffsets(from, m, env)
	case *wire.MetadataRequest:
		b.answerMetadata(from, m, env)
	case *wire.InitProducerIdRequest:
		b.initProducerId(from, m, env)
	case *wire.MetadataFetchResponse:
		b.replay(m, env)
	case *wire.AlterPartitionResponse:
		if r := b.find(m.Partition); r != nil {
			r.Altered(m, env)
			b.after(r, env)
		}
	case *wire.AllocateProducerIdsResponse:
		b.allocated(m, env)
	case *wire.RetentionCommand:
		b.retain(m, env)
	case *wire.CompactCommand:
		b.compact(m, env)
	case *wire.ReportCommand:
		b.report(env)
	default:
		if !b.receiveTransaction(from, body, env) && !b.receiveGroup(from, body, env) {
			b.receiveMirror(from, body, env)
		}
	}
}

// receiveMirror passes on what concerns mirroring.
func (b *Broker) receiveMirror(from id.Node, body wire.Body, env *replica.Env) {
	switch m := body.(type) {
	case *wire.ReadMirrorStatesRequest:
		b.coordinator.Read(from, m, env)
	case *wire.WriteMirrorStatesRequest:
		b.writeState(from, m, env)
	case *wire.ReadMirrorStatesResponse:
		b.mirror.Read(m, env)
		b.after(b.find(m.Partition), env)
	case *wire.WriteMirrorStatesResponse:
		b.mirror.Wrote(m, env)
		b.after(b.find(m.Partition), env)
	case *wire.LastMirroredPositionRequest:
		b.mirror.LookUp(from, m, env)
	case *wire.LastMirroredPositionResponse:
		if !b.mirror.Traced(m, env) {
			b.mirror.LookedUp(from, m, env)
		}
	case *wire.MetadataResponse:
		if !b.mirror.SourceTold(m, env) {
			b.mirror.FoundSource(m, env)
		}
	case *wire.ListGroupsResponse:
		b.mirror.Listed(from, m, env)
	case *wire.OffsetFetchResponse:
		b.mirror.OffsetFetched(m, env)
	case *wire.BoundOffsetRequest:
		b.mirror.Bound(from, m, b.find(m.Partition), env)
	case *wire.BoundOffsetResponse:
		b.mirror.Bounded(m, env)
	case *wire.OffsetCommitResponse:
		b.mirror.OffsetCommitted(m)
	case *wire.LowerOffsetsResponse:
		b.mirror.Lowered(m, env)
		b.after(b.find(m.Partition), env)
	case *wire.BumpLeaderEpochResponse:
		b.mirror.Bumped(m, env)
		b.after(b.find(m.Partition), env)
	default:
		b.receiveAdmin(from, body, env)
	}
}
