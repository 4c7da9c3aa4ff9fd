package controller

import (
	"encoding/binary"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// timerSession is the timer of a session: of controller Peer with the log, of broker Peer with the active controller, of
// a controller with the log (Peer id.None).
const timerSession uint8 = 1

// Log is the metadata log of a cluster: the one durable log that stands for the quorum's. It takes records of the highest
// controller epoch only, and gives the active role to the first controller that asks when the role is free.
type Log struct {
	self     id.Node
	settings *setting.Settings
	disk     *disk.Disk
	active   id.Node
	parked   []parkedFetch
	untold   *untold // at a point: a bump of which nobody has heard
}

// untold is the answer to an append that is at a point.
type untold struct {
	to  id.Node
	res *wire.AppendMetadataResponse
}

type parkedFetch struct {
	from        id.Node
	offset      int64
	correlation uint32
}

// BootLog boots a metadata log. An empty disk is formatted with the first records, which are never changed and are written
// into the history; what the log took later is there already.
func BootLog(first []record.Metadata, settings *setting.Settings) node.Boot {
	return func(self id.Node, d *disk.Disk, out *node.Effects) node.Node {
		if len(d.Metadata) == 0 {
			d.Metadata = first[:len(first):len(first)]
			for _, r := range first {
				emit(r, out)
			}
		}
		return &Log{self: self, settings: settings, disk: d, active: id.None}
	}
}

// Step handles one input.
func (l *Log) Step(in node.Input, out *node.Effects) {
	switch b := in.Body.(type) {
	case *wire.ControllerHeartbeatRequest:
		l.heartbeat(in.From, b, out)
	case *wire.AppendMetadataRequest:
		l.append(in.From, b, out)
	case *wire.MetadataFetchRequest:
		l.fetch(in.From, b, out)
	case *wire.MoveControllerCommand:
		l.move(b.To, out)
	case nil:
		if in.Resume {
			l.tell(out)
		} else if in.Timer.Kind == timerSession && in.Timer.Peer == l.active {
			l.active = id.None
		}
	}
}

// heartbeat keeps the controller's session, and makes it active when no other is. One that does not know its role (it
// restarted) gets a new epoch.
func (l *Log) heartbeat(from id.Node, req *wire.ControllerHeartbeatRequest, out *node.Effects) {
	out.Arm(node.Timer{Kind: timerSession, Peer: from}, l.settings.BrokerSession, 0)
	if l.active == id.None || l.active == from && req.Epoch != l.disk.ControllerEpoch {
		l.elect(from, out)
	}
	out.Send(from, &wire.ControllerHeartbeatResponse{Active: l.active, Epoch: l.disk.ControllerEpoch,
		End: l.end(), Correlation: req.Correlation})
}

// elect gives the active role to a controller, in the next controller epoch.
func (l *Log) elect(n id.Node, out *node.Effects) {
	l.active = n
	l.disk.ControllerEpoch++
	e := out.Emit(event.ControllerElected, id.Partition{})
	e.Peer, e.LeaderEpoch = n, l.disk.ControllerEpoch
	l.wake(out)
}

// move gives the active role to another controller and tells both: the old one resigns, the new one answers once it has
// replayed to the end. One that does not answer loses the role with its session.
func (l *Log) move(to id.Node, out *node.Effects) {
	from := l.active
	if to == from {
		return
	}
	l.elect(to, out)
	out.Arm(node.Timer{Kind: timerSession, Peer: to}, l.settings.BrokerSession, 0)
	for _, n := range []id.Node{from, to} {
		if n != id.None {
			out.Send(n, &wire.ControllerHeartbeatResponse{Active: to, Epoch: l.disk.ControllerEpoch, End: l.end()})
		}
	}
}

// append takes records of the highest controller epoch. One controller has one append under way, so an append below the
// end in its epoch is one whose answer was lost.
func (l *Log) append(from id.Node, req *wire.AppendMetadataRequest, out *node.Effects) {
	res := &wire.AppendMetadataResponse{Correlation: req.Correlation}
	switch {
	case req.Epoch != l.disk.ControllerEpoch || req.Base > l.end():
		res.Code = wire.NotController
	case req.Base == l.end():
		l.disk.Metadata = append(l.disk.Metadata, req.Records...)
		for _, r := range req.Records {
			emit(r, out)
		}
		if bumps(req.Records) {
			res.End = l.end()
			l.untold, out.Yield = &untold{from, res}, point.BumpAppended
			return
		}
		l.wake(out)
	}
	res.End = l.end()
	out.Send(from, res)
}

// bumps tells whether the records raise a leader epoch and leave the leader.
func bumps(records []record.Metadata) bool {
	for _, r := range records {
		if p, ok := r.(*record.PartitionRecord); ok && event.ChangeCause(p.Cause) == event.EpochBump {
			return true
		}
	}
	return false
}

// tell goes on behind the point: it tells the brokers of the bump, and answers the controller.
func (l *Log) tell(out *node.Effects) {
	x := l.untold
	l.untold = nil
	l.wake(out)
	out.Send(x.to, x.res)
}

// fetch answers what follows the offset, or parks the request until there is news.
func (l *Log) fetch(from id.Node, req *wire.MetadataFetchRequest, out *node.Effects) {
	f := parkedFetch{from, req.Offset, req.Correlation}
	for i := range l.parked {
		if l.parked[i].from == from {
			l.parked = append(l.parked[:i], l.parked[i+1:]...)
			break
		}
	}
	if req.Offset < l.end() || req.ControllerEpoch < l.disk.ControllerEpoch {
		l.answer(f, out)
		return
	}
	l.parked = append(l.parked, f)
}

func (l *Log) wake(out *node.Effects) {
	for _, f := range l.parked {
		l.answer(f, out)
	}
	l.parked = l.parked[:0]
}

func (l *Log) answer(f parkedFetch, out *node.Effects) {
	n := l.end()
	out.Send(f.from, &wire.MetadataFetchResponse{Base: f.offset, Records: l.disk.Metadata[f.offset:n:n],
		Controller: l.active, ControllerEpoch: l.disk.ControllerEpoch, Correlation: f.correlation})
}

func (l *Log) end() int64 { return int64(len(l.disk.Metadata)) }

// Clone is a deep copy that keeps its log on d.
func (l *Log) Clone(d *disk.Disk) node.Node {
	c := *l
	c.disk = d
	c.parked = append([]parkedFetch(nil), l.parked...)
	return &c
}

// AppendState appends the memory of the log.
func (l *Log) AppendState(dst []byte) []byte {
	dst = append(dst, byte(l.active))
	if l.untold != nil {
		dst = append(dst, byte(l.untold.to))
	}
	for _, f := range l.parked {
		dst = append(dst, byte(f.from))
		dst = binary.LittleEndian.AppendUint64(dst, uint64(f.offset))
	}
	return dst
}

// Waits says what the log waits for: a controller, when none is active.
func (l *Log) Waits(yield func(string) bool) {
	if l.active == id.None {
		yield("the metadata log waits for a controller")
	}
}

// emit writes a record of the metadata log into the history.
func emit(r record.Metadata, out *node.Effects) {
	switch r := r.(type) {
	case *record.TopicRecord:
		e := out.Emit(event.TopicCreated, id.Partition{Topic: r.Topic})
		e.Sequence, e.To = int32(r.Partitions), r.MinISR
		for i, set := range []bool{r.Internal == record.MirrorStateTopic, r.Unclean, r.MirrorUnclean, r.Internal == record.TransactionStateTopic,
			r.Internal == record.ConsumerOffsetsTopic} {
			if set {
				e.From |= 1 << i
			}
		}
	case *record.PartitionRecord:
		e := out.Emit(event.PartitionChanged, r.Partition)
		e.Peer, e.LeaderEpoch, e.Sequence, e.Cause = r.Leader, r.LeaderEpoch, r.PartitionEpoch, r.Cause
		e.Digest, e.Offset = uint64(r.ISR), int64(id.SetOf(r.Replicas...))
	case *record.MirrorRecord:
		e := out.Emit(event.MirrorCreated, id.Partition{})
		e.Mirror, e.To = r.Mirror, uint8(r.Source)
	case *record.TopicPartitionsRecord:
		e := out.Emit(event.TopicGrown, id.Partition{Topic: r.Topic})
		e.Sequence, e.Mirror = int32(r.Partitions), r.Mirror
	case *record.RemoveTopicRecord:
		out.Emit(event.TopicRemoved, id.Partition{Topic: r.Topic})
	case *record.RemoveMirrorRecord:
		out.Emit(event.MirrorRemoved, id.Partition{}).Mirror = r.Mirror
	case *record.MirrorTopicRecord:
		e := out.Emit(event.IntentChanged, id.Partition{Topic: r.Topic})
		e.Mirror, e.To = r.Mirror, uint8(r.Desired)
		e.Sequence = r.Recovery
		if r.Discovered {
			e.Cause = 1
		}
	case *record.AclRecord:
		e := out.Emit(event.AclChanged, id.Partition{})
		e.Mirror, e.Digest, e.To = r.Mirror, r.Acl.Word(), 1
		if r.Removed {
			e.To = 0
		}
	case *record.TopicConfigRecord:
		e := out.Emit(event.ConfigChanged, id.Partition{Topic: r.Topic})
		e.Mirror, e.To = r.Mirror, uint8(r.Key)
		if v, ok := record.ParseConfig(r.Key, r.Value); ok {
			e.From, e.Offset = 1, v.Number
		}
	case *record.BrokerRecord:
		e := out.Emit(event.BrokerChanged, id.Partition{})
		e.Peer, e.Sequence = r.Broker, int32(r.Incarnation)
		if r.Fenced {
			e.To = 1
		}
	}
}
