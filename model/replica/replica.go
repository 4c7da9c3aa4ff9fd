package replica

import (
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/plog"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// Env is what a step of a broker lends to its parts. It lives no longer than the step.
type Env struct {
	Self       id.Node
	Cluster    id.Cluster
	Config     *protocol.Config
	Settings   *setting.Settings
	Image      *metadata.Image
	Controller id.Node // the active controller as this broker knows it
	DiskFull   bool    // no batch can be appended
	Out        *node.Effects
}

// The timers of a replica; the broker passes them on. Kinds below 16 are the replica's.
const (
	TimerFetch  uint8 = iota + 1 // follower: fetch again after a back-off, or because the answer was lost
	TimerParked                  // leader: the fetch of Peer has waited for long enough
	TimerLag                     // leader: Peer has not caught up for replica.lag.time.max.ms
	TimerAlter                   // leader: ask for the ISR change again
)

// Role is what a replica does in its present leader epoch.
type Role uint8

// The roles. A replica is offline until this broker's metadata assigns it.
const (
	Offline Role = iota
	Follower
	Leader
)

// Waiter is somebody who waits until the high watermark passes End, or until this broker ceases to lead.
type Waiter struct {
	Kind        WaitKind
	End         int64 // log end offset after the batch
	Base        int64
	To          id.Node
	Correlation uint32
}

// WaitKind is who waits.
type WaitKind uint8

// The kinds of waiters.
const (
	ForProduce WaitKind = iota // a producer with acks=all
	ForStop                    // the stop sequence, for its markers or the reset
	ForMarker                  // a transaction coordinator, for its marker
)

// Completion is what became of a waiter.
type Completion struct {
	Waiter
	Code wire.Code
}

// Replica is one replica of one partition.
type Replica struct {
	Log  *plog.Log
	Reg  *record.PartitionRecord // the registration that this broker acts on
	Role Role
	// Failed: its log directory has failed; it is offline until the broker starts again (KIP-112).
	Failed bool
	Done   []Completion // for the broker to take after each step
	// Progress: a follower's log end, the high watermark or the ISR moved since the broker looked last.
	Progress bool

	minISR        int
	followsSource bool  // desired is mirroring or paused
	mirrored      bool  // the topic is in a mirror, stopped or not
	createdAt     int64 // where the metadata log created the topic

	// Of a leader.
	epochStart int64  // log end offset at the election, lowered to a cut (D34)
	aligned    int64  // no alignment cut below it; notAligned if there was none, notKnown before the state is read
	cuts       uint32 // how often this leader has truncated its own log since it was elected
	followers  []follower
	pending    id.Set // the ISR asked of the controller; 0 if none is under way
	alters     uint32 // correlation of that request
	waiters    []Waiter
	parked     []parked

	// Of a follower.
	fetches   uint32 // correlation of the fetch under way
	heardCuts uint32 // the newest FetchResponse.Cut of the present leader epoch
}

// follower is what a leader knows of one other replica.
type follower struct {
	node      id.Node
	end       int64 // log end offset as last fetched; unknownEnd before the first fetch
	lastEpoch int32 // last fetched epoch of that fetch
	cut       uint32
	fetch     uint32 // correlation of its newest fetch
	leaderEnd int64  // this leader's log end when that fetch came
	sentHW    int64  // the high watermark that it was told last
	recent    bool   // caught up within replica.lag.time.max.ms
	strayed   bool   // was outside the ISR, perhaps while alignment cut the leader, and has not been heard since
}

const unknownEnd = -1

// What aligned is besides an offset.
const (
	notAligned int64 = -1
	notKnown   int64 = -2
)

type parked struct {
	from id.Node
	req  *wire.FetchRequest
}

// Open makes the replica of the partition whose files these are; it is offline until a registration is applied.
func Open(files *disk.Partition, env *Env) *Replica {
	return &Replica{Log: plog.Open(files, env.Config, env.Out)}
}

// ID is the partition.
func (r *Replica) ID() id.Partition { return r.Log.ID() }

// IsLeader tells whether this broker leads the partition, as far as it knows.
func (r *Replica) IsLeader() bool { return r.Role == Leader }

// LeaderEpoch is the leader epoch that this broker acts on; -1 while it is offline.
func (r *Replica) LeaderEpoch() int32 {
	if r.Reg == nil {
		return -1
	}
	return r.Reg.LeaderEpoch
}

// SetTopic tells the replica what its topic's metadata say.
func (r *Replica) SetTopic(t *metadata.Topic, env *Env) {
	altered := r.minISR != int(t.MinISR)
	r.minISR, r.createdAt = int(t.MinISR), t.CreatedAt
	r.followsSource, r.mirrored = t.FollowsSource(), t.Desired != record.WantNone
	if altered && r.Role == Leader {
		r.raiseHighWatermark(env)
	}
}

// SetRegistration applies a newer registration of the partition. It answers whether the leader or the leader epoch
// changed. An older one, by leader and partition epoch, is ignored (KAFKA-12686).
func (r *Replica) SetRegistration(reg *record.PartitionRecord, env *Env) bool {
	old := r.Reg
	if old != nil && reg.PartitionEpoch <= old.PartitionEpoch {
		return false
	}
	r.Reg = reg
	if r.Failed {
		return false
	}
	if r.pending != 0 {
		r.pending = 0
		env.Out.Cancel(node.Timer{Kind: TimerAlter, Partition: r.ID()})
	}
	if r.Role == Leader && reg.LeaderEpoch != old.LeaderEpoch && reg.PartitionEpoch != old.PartitionEpoch+1 {
		r.Role = Follower // registrations were passed over: another broker may have led, and the followers obeyed it
		r.stepDown(env)
	}
	if old != nil && old.LeaderEpoch == reg.LeaderEpoch {
		r.Progress = true
		r.complete()
		r.watchLaggards(env)
		r.raiseHighWatermark(env)
		return false
	}
	switch {
	case reg.Leader == env.Self:
		r.becomeLeader(env)
	default:
		r.becomeFollower(env)
	}
	return true
}

// firstCorrelation is below all correlations of this start of the broker and above those of the starts before it: what
// was sent before a crash, and its answer, must not be taken for what is sent after it.
func firstCorrelation(env *Env) uint32 {
	if me := env.Image.Broker(env.Self); me != nil {
		return me.Incarnation << 20
	}
	return 0
}

// Fail takes the replica offline, as its log directory has failed: who waits is refused, and what is parked is answered
// KAFKA_STORAGE_ERROR, as everything is from now on.
func (r *Replica) Fail(env *Env) {
	r.Failed = true
	r.Close(env)
	env.Out.Emit(event.ReplicaFailed, r.ID())
}

// notLeader is the code for who asks a replica that does not lead.
func (r *Replica) notLeader() wire.Code {
	if r.Failed {
		return wire.KafkaStorageError
	}
	return wire.NotLeaderOrFollower
}

// Close ends what the replica does, as its topic is deleted: who waits is refused, and what is parked is answered.
func (r *Replica) Close(env *Env) {
	led := r.Role == Leader
	r.Role = Offline
	if led {
		r.stepDown(env)
	}
	env.Out.Cancel(node.Timer{Kind: TimerFetch, Partition: r.ID()})
}

// Refusal is the code with which an append of this leader's own with acks=all is refused now: NOT_ENOUGH_REPLICAS when the
// ISR is too small, KAFKA_STORAGE_ERROR when the disk is full, otherwise NONE.
func (r *Replica) Refusal(env *Env) wire.Code {
	switch {
	case !r.enoughReplicas():
		return wire.NotEnoughReplicas
	case env.DiskFull:
		return wire.KafkaStorageError
	}
	return wire.OK
}

func (r *Replica) enoughReplicas() bool { return r.Reg.ISR.Len() >= r.minISR }

// Clone is a deep copy that keeps its log on files.
func (r *Replica) Clone(files *disk.Partition) *Replica {
	c := *r
	c.Log = r.Log.Clone(files)
	c.Done = append([]Completion(nil), r.Done...)
	c.followers = append([]follower(nil), r.followers...)
	c.waiters = append([]Waiter(nil), r.waiters...)
	c.parked = append([]parked(nil), r.parked...)
	return &c
}

// Report has the replica report its state into the history.
func (r *Replica) Report(cause event.ReportCause, env *Env) {
	r.Log.Report(cause, r.LeaderEpoch(), env.Out)
}
