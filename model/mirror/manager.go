package mirror

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
)

// The timers of the manager; the broker passes them on.
const (
	TimerRetry   uint8 = iota + 32 // of a partition: ask again
	TimerFetch                     // of a partition's mirror fetcher: ask again
	TimerScan                      // look for partitions that the events missed
	TimerGather                    // of a gathering: a coordinator has not answered
	TimerFailure                   // of a partition that is FAILED: try again
	TimerEpoch                     // of a partition that is MIRRORING: compare the source's leader epoch (D15)
	TimerBehind                    // of a partition: the answer to the write of a state that it acted on first (D17)
	TimerSync                      // of mirror-wide work: begin a pass
	TimerPass                      // of a pass over a mirror's topics: the source has not answered
)

// phase is what a partition waits for.
type phase uint8

const (
	idle         phase = iota
	reading            // the coordinator's answer to a read
	storing            // the coordinator's answer to a write of the target state
	atPoint            // the world, at a point of the protocol
	lookingUp          // the source's answer to the position lookup
	probing            // the source, to answer a fetch from the log end without divergence
	following          // the replicas, to follow alignment
	draining           // the high watermark, to reach the log end
	recording          // the coordinator's answer to a write of the position
	bumping            // the controller, or the metadata, to show the bump
	cutting            // the in-sync replicas, to follow the cut to the last stable offset
	appending          // the in-sync replicas, to have the markers or the reset
	pausing            // a back-off, before the same is tried again
	refreshing         // the source, to tell its leader epoch
	loweringStop       // the group coordinators, to lower the offsets above the cut of the stop (D31)
	recalling          // this cluster's own coordinators, to tell what a stop has recorded here
)

// partition is the state machine of one mirrored partition that this broker leads.
type partition struct {
	id       id.Partition
	replica  *replica.Replica
	mirror   id.Mirror
	desired  record.Desired
	phase    phase
	then     next
	afresh   bool // the rules are to run again once the write or point is through
	known    bool // the actual state has been read
	asserted bool // it was stored in this leader epoch: no write of an earlier leader can take effect any more
	entered  bool // the action of the actual state has begun in this leader epoch
	writable bool
	state    record.State
	target   record.State // being stored
	unsent   bool         // storing, and at the point before the write is sent

	stateEpoch  int32
	run         int32
	correlation uint32 // of the request under way
	attempts    uint8  // of the same request, for the back-off

	previous record.State  // of FAILED: the state that it failed from
	reason   record.Reason // of the newest failure
	failures int16         // in a row
	recovery int32         // the newest RecoverMirrorTopics that the stored state has seen
	retried  bool          // FAILED is tried again

	aligned  int64    // the lowest offset that an alignment, or a divergence since, cut to; record.NoPosition before
	agreed   bool     // the source has agreed to the log of this leader in this run, or alignment did not wait for that (D12)
	followed bool     // and the replicas that D12 names have followed, so that it holds for the log of any leader
	cut      int64    // of ULE_RECOVERY: where the source's history differs; noCut when that is not known
	cutStart int64    // and the source's log start then
	position position // in PREPARING what the lookup answered; otherwise what a stop of this run recorded
	own      position // in PREPARING what an earlier stop on this cluster recorded (D22)
	ownFound bool     // it recorded something, be it that nothing was mirrored
	step     int      // of the stop sequence
	first    position // what the stop of this run has recorded already, as far as is known
	hasFirst bool     // it has
	rerun    bool     // an earlier leader, or this one before a coordinator moved, has begun the stop already
	asked    int32    // the minimum leader epoch of the bump under way
	end      int64    // log end offset that the append under way waits for
	early    bool     // STOPPED was stored before the reset (D27)
	raised   int32    // the minimum leader epoch of the bump that is scheduled while MIRRORING goes on; 0: none
	silence  uint8    // requests in a row that no broker of the source answered
	unknown  uint8    // source brokers in a row that do not know the topic
	lacking  uint8    // source brokers in a row that know the topic without the partition
	fetcher  fetcher
	lowering lowering

	behind            []record.MirrorState // acted on and not stored yet, oldest first (D17=act-first)
	behindCorrelation uint32               // of the write of the first of them; 0 during a back-off
}

const noCut = -1

// position is a last mirrored position; -1 where there is none.
type position struct {
	epoch  int32
	offset int64
}

var noPosition = position{record.NoPosition, record.NoPosition}

// Manager drives the partitions that its broker leads.
type Manager struct {
	partitions []*partition // ordered by id
	points     []reached    // in the order reached; the world is at the first
	gathers    []*gather    // ordered by slot
	syncs      []*groupSync // the last pass of each mirror, in the order in which they began
	upstream   uint8        // which broker of another cluster was asked last
	passes     []*pass      // ordered by mirror
	newest     []int64      // by cluster: the offset of its metadata log that a pass has heard of
	sequence   uint32       // of requests
}

type reached struct {
	partition id.Partition
	point     point.Point
}

// Start arms the periodic scan. Requests are numbered from first on, which is above the numbers of this broker's starts
// before: an answer to what was sent before a crash must not be taken for one to what is sent after it.
func (m *Manager) Start(first uint32, env *replica.Env) {
	m.sequence = first
	armScan(env)
	armSync(env)
}

func armScan(env *replica.Env) {
	env.Out.Arm(node.Timer{Kind: TimerScan}, env.Settings.PeriodicScan, 0)
}

// Led tells the manager that this broker leads r in a new leader epoch. A new leader reads the actual state first; one
// that led the epoch before as well (a bump) goes on.
func (m *Manager) Led(r *replica.Replica, env *replica.Env) {
	t := env.Image.Topic(r.ID().Topic)
	if p := m.find(r.ID()); p != nil {
		m.bumped(p, env)
		return
	}
	if t == nil || t.Desired == record.WantNone {
		return
	}
	m.add(r, t, env)
}

func (m *Manager) add(r *replica.Replica, t *metadata.Topic, env *replica.Env) {
	p := &partition{id: r.ID(), replica: r, mirror: t.Mirror, desired: t.Desired, aligned: record.NoPosition, position: noPosition, cut: noCut,
		lowering: lowering{due: true}}
	i := 0
	for i < len(m.partitions) && m.partitions[i].id.Less(p.id) {
		i++
	}
	m.partitions = append(m.partitions, nil)
	copy(m.partitions[i+1:], m.partitions[i:])
	m.partitions[i] = p
	m.read(p, env)
}

// Lost tells the manager that this broker does not lead the partition any more: fetcher, timers, waits and cached state
// go. What it wrote late is fenced by the coordinator.
func (m *Manager) Lost(x id.Partition, env *replica.Env) {
	if p := m.find(x); p != nil {
		m.setWritable(p, false, env)
		m.drop(x, env)
	}
}

// drop forgets a partition: its fetcher, timers, waits and cached state.
func (m *Manager) drop(x id.Partition, env *replica.Env) {
	for i, p := range m.partitions {
		if p.id == x {
			m.stopFetcher(p, env)
			for _, t := range []node.Timer{retryTimer(p), failureTimer(p), epochTimer(p), behindTimer(p)} {
				env.Out.Cancel(t)
			}
			m.partitions = append(m.partitions[:i], m.partitions[i+1:]...)
			return
		}
	}
}

// Intent tells the manager that the topic of r, which this broker leads, has another desired state.
func (m *Manager) Intent(r *replica.Replica, t *metadata.Topic, env *replica.Env) {
	p := m.find(r.ID())
	switch {
	case p == nil && t.Desired != record.WantNone:
		m.add(r, t, env)
	case p == nil:
	case t.Desired == record.WantNone:
		m.drop(p.id, env) // rule 0: a plain topic, which clients write to
	case t.Mirror != p.mirror:
		m.Lost(p.id, env) // another mirror begins with nothing known
		m.add(r, t, env)
	default:
		p.desired = t.Desired
		if p.desired != record.WantStopped {
			m.setWritable(p, false, env)
		}
		m.evaluate(p, env)
	}
}

// CoordinatorMoved tells the manager that a partition of __mirror_state has a new leader epoch. The partitions that are
// placed there read their state again, and the rules run once that coordinator has loaded and answers: a stop under way
// runs again from its first step, what is MIRRORING is asserted anew, and STOPPED stays (sections 3 and 7 of the design).
// Until then a fetcher goes on, and a writable topic stays so. A stop that has stored STOPPED before its reset (D27) is not
// begun again: it goes on to the reset.
func (m *Manager) CoordinatorMoved(state id.Partition, env *replica.Env) {
	for _, p := range m.partitions {
		if at, ok := env.Image.CoordinatorOf(p.mirror, p.id); ok && at == state && !p.early {
			p.entered = false
			m.askState(p, env)
		}
	}
}

// Writable tells whether client writes to the topic of r are accepted here: the topic is in no mirror, or this leader
// knows that the state is STOPPED for the present run. What holds before the state is known is D26.
func (m *Manager) Writable(r *replica.Replica, env *replica.Env) bool {
	t := env.Image.Topic(r.ID().Topic)
	if t == nil || t.Desired == record.WantNone {
		return true
	}
	p := m.find(r.ID())
	switch {
	case p == nil || !p.known:
		return env.Config.UnknownIsWritable()
	}
	return p.writable
}

func (m *Manager) setWritable(p *partition, on bool, env *replica.Env) {
	if p.writable == on {
		return
	}
	p.writable = on
	e := env.Out.Emit(event.WritableChanged, p.id)
	e.Mirror, e.LeaderEpoch, e.Offset = p.mirror, p.replica.LeaderEpoch(), int64(p.run)
	if on {
		e.To = 1
	}
}

// Fired handles a timer of the manager.
func (m *Manager) Fired(t node.Timer, env *replica.Env) {
	switch t.Kind {
	case TimerScan:
		m.scan(env)
	case TimerSync:
		m.syncAll(env)
	case TimerPass:
		m.endPass(id.Mirror(t.Partition.Index), env)
	case TimerGather:
		m.gatherAgain(t.Partition.Index, env)
	default:
		if p := m.find(t.Partition); p != nil {
			m.firedFor(p, t.Kind, env)
		}
	}
}

// firedFor handles a timer of a partition.
func (m *Manager) firedFor(p *partition, kind uint8, env *replica.Env) {
	switch kind {
	case TimerRetry:
		m.timedOut(p, env)
	case TimerFetch:
		m.fetchTimedOut(p, env)
	case TimerFailure:
		m.retry(p, env)
	case TimerEpoch:
		m.checkEpoch(p, env)
	case TimerBehind:
		if len(p.behind) > 0 {
			m.sendBehind(p, env)
		}
	}
}

// scan runs the rules for every partition, in case an event was missed.
func (m *Manager) scan(env *replica.Env) {
	for _, p := range m.partitions {
		m.evaluate(p, env)
	}
	armScan(env)
}

// timedOut asks again, or goes on after a back-off.
func (m *Manager) timedOut(p *partition, env *replica.Env) {
	if p.phase == pausing {
		m.proceed(p, p.then, env)
		return
	}
	m.again(p, env)
}

// again repeats the request that p waits for.
func (m *Manager) again(p *partition, env *replica.Env) {
	switch p.phase {
	case reading:
		m.askState(p, env)
	case storing:
		m.sendState(p, env)
	case recalling:
		m.recall(p, env)
	case lookingUp:
		m.lookupTimedOut(p, env)
	case recording:
		m.sendPosition(p, env)
	case bumping:
		m.sendBump(p, env)
	case appending:
		m.appendTimedOut(p, env)
	case loweringStop:
		m.sendLower(p, env)
	}
}

// backOff runs then after the retry back-off, which doubles with every attempt of the same thing.
func (m *Manager) backOff(p *partition, then next, env *replica.Env) {
	p.phase, p.then = pausing, then
	env.Out.Arm(retryTimer(p), m.delay(p, env), env.Settings.RetryBackoff/5)
	if p.attempts < 16 {
		p.attempts++
	}
}

func (m *Manager) delay(p *partition, env *replica.Env) id.Duration {
	return min(env.Settings.RetryBackoff<<p.attempts, env.Settings.RetryBackoffMax)
}

// await arms the time-out of the request that p has under way, and numbers it.
func (m *Manager) await(p *partition, env *replica.Env) uint32 {
	m.sequence++
	p.correlation = m.sequence
	env.Out.Arm(retryTimer(p), env.Settings.FetchTimeout, 0)
	return p.correlation
}

// settle ends a wait.
func (m *Manager) settle(p *partition, env *replica.Env) {
	p.phase, p.attempts = idle, 0
	env.Out.Cancel(retryTimer(p))
}

func retryTimer(p *partition) node.Timer { return node.Timer{Kind: TimerRetry, Partition: p.id} }

// reach yields at a point: the step ends, and then runs when the world resumes.
func (m *Manager) reach(p *partition, at point.Point, then next) {
	m.points = slices.DeleteFunc(m.points, func(r reached) bool { return r.partition == p.id }) // it was left for something else
	p.phase, p.then, p.unsent = atPoint, then, false
	m.points = append(m.points, reached{p.id, at})
}

// waitsAt tells whether p is at that point still. At StateChosen it counts as storing: who looks at it in between finds it so.
func (p *partition) waitsAt(at point.Point) bool {
	if at == point.StateChosen {
		return p.phase == storing && p.unsent
	}
	return p.phase == atPoint
}

// Point is where the step must yield; point.None if nowhere. A partition that was taken elsewhere meanwhile, by a coordinator
// that moved or with the leadership, is at no point any more.
func (m *Manager) Point() point.Point {
	for _, r := range m.points {
		if p := m.find(r.partition); p != nil && p.waitsAt(r.point) {
			return r.point
		}
	}
	return point.None
}

// Resume goes on behind the first point that a partition is at. It answers that partition, for its replica's sake.
func (m *Manager) Resume(env *replica.Env) (id.Partition, bool) {
	for len(m.points) > 0 {
		p, at := m.find(m.points[0].partition), m.points[0].point
		m.points = append(m.points[:0], m.points[1:]...)
		switch {
		case p == nil || !p.waitsAt(at):
			continue
		case at == point.StateChosen:
			m.sendState(p, env)
		default:
			m.proceed(p, p.then, env)
		}
		return p.id, true
	}
	return id.Partition{}, false
}

func (m *Manager) find(x id.Partition) *partition {
	for _, p := range m.partitions {
		if p.id == x {
			return p
		}
	}
	return nil
}
