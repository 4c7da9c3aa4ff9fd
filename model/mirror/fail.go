package mirror

import (
	"math"

	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// fail says that p cannot go on. It becomes FAILED, or keeps its state, by D36. FAILED is tried again after a back-off,
// unless the reason does not pass by itself (section 3 of the design); a state that is kept is tried again in any case, as
// there is no request that would bring it on. The other partitions go on. A stop does too, without the fetcher: some
// orders of D3 stop it late, and a source that fails is what most stops are for.
func (m *Manager) fail(p *partition, why record.Reason, env *replica.Env) {
	m.stopFetcher(p, env)
	if p.leaving() || p.state == record.Stopping || p.state == record.Stopped {
		return
	}
	if asked := recoveries(p, env); asked > p.recovery {
		p.failures, p.recovery = 0, asked // the operator asked while it was being tried again
	}
	p.reason = why
	p.failures = min(p.failures, math.MaxInt16-1) + 1
	if env.Config.FailureIsState() {
		m.store(p, record.Failed, env)
		return
	}
	if p.phase, p.then = pausing, goEnter; !p.entered {
		p.then = goRead // the coordinator has moved, and its state is not asserted yet
	}
	env.Out.Arm(retryTimer(p), failureDelay(p, env), failureDelay(p, env)/5)
}

// leaving tells whether another state than the present one is being stored: what happens now is of no account.
func (p *partition) leaving() bool {
	return p.target != p.state && (p.phase == storing || p.phase == pausing && p.then == goSendState)
}

// failureDelay doubles with every failure in a row: 1 s to 300 s, unless the settings say otherwise.
func failureDelay(p *partition, env *replica.Env) id.Duration {
	d := env.Settings.FailureRetry
	for i := int16(1); i < p.failures && d < env.Settings.FailureRetryMax; i++ {
		d *= 2
	}
	return min(d, env.Settings.FailureRetryMax)
}

// failed is the action of FAILED: wait for the retry, for the operator, or for another desired state.
func (m *Manager) failed(p *partition, env *replica.Env) {
	m.stopFetcher(p, env)
	if !p.triedAgain(env) {
		env.Out.Cancel(failureTimer(p)) // of an earlier failure, for another reason
		return
	}
	env.Out.Arm(failureTimer(p), failureDelay(p, env), failureDelay(p, env)/5)
}

// triedAgain tells whether FAILED is tried again by itself: the reason may pass, and the retries have not run out.
func (p *partition) triedAgain(env *replica.Env) bool {
	return p.reason.Retryable() && int64(p.failures) <= env.Settings.FailureAttempts
}

func failureTimer(p *partition) node.Timer { return node.Timer{Kind: TimerFailure, Partition: p.id} }

// retry runs the rules with the state that p failed from as the actual one.
func (m *Manager) retry(p *partition, env *replica.Env) {
	if p.state != record.Failed {
		return
	}
	p.retried = true
	m.evaluate(p, env)
}

// recoveries is how often the operator has asked that the topic's failed partitions go on (RecoverMirrorTopics).
func recoveries(p *partition, env *replica.Env) int32 {
	if t := env.Image.Topic(p.id.Topic); t != nil {
		return t.Recovery
	}
	return 0
}

// recovers notes that the operator has asked p to go on since it FAILED: it returns to the state that it failed from, and
// its attempts are counted anew.
func (p *partition) recovers(env *replica.Env) {
	if p.state == record.Failed && recoveries(p, env) > p.recovery {
		p.retried, p.failures, p.recovery = true, 0, recoveries(p, env)
	}
}

// failedFrom is the state that the rules take for the actual one when FAILED is tried again: the one that it failed from,
// where those that MIRRORING went to on its way count as MIRRORING.
func (p *partition) failedFrom() record.State {
	switch p.previous {
	case record.EpochFencing, record.UleRecovery, record.Pausing:
		return record.Mirroring
	}
	return p.previous
}

// wentWell is the first good fetch after a failure: the attempts are counted anew, in what is stored too.
func (m *Manager) wentWell(p *partition, env *replica.Env) {
	p.fetcher.stale = false
	stored := env.Config.FailureIsState()
	if p.failures == 0 || p.state != record.Mirroring || stored && p.phase != idle {
		return // what is on its way to be stored has the attempts before: after the next fetch
	}
	p.failures, p.reason = 0, record.NoReason
	if stored {
		m.store(p, record.Mirroring, env)
	}
}

// StorageChanged tells the manager that tiered storage was switched on or off for the topic of r, which this broker leads.
// What is mirrored cannot go on with it (section 3 of the design); without it RecoverMirrorTopics brings it on.
func (m *Manager) StorageChanged(r *replica.Replica, t *metadata.Topic, env *replica.Env) {
	p := m.find(r.ID())
	if p != nil && t.RemoteStorage && p.known && p.entered && (p.state == record.Preparing || p.state == record.Mirroring) {
		m.fail(p, record.RemoteStorage, env)
	}
}

// silent counts a request that no broker of the source has answered. It answers whether the source is unreachable, and
// the partition failed.
func (m *Manager) silent(p *partition, env *replica.Env) bool {
	p.silence++
	p.unknown = 0
	if id.Duration(p.silence)*env.Settings.FetchTimeout < env.Settings.SourceTimeout {
		return false
	}
	p.silence = 0
	m.fail(p, record.SourceUnreachable, env)
	return true
}

// unknownAtSource counts a source broker that does not know the topic. One whose metadata are old may not know it yet; when
// each of them has said so in turn, none of them silent between, the topic is deleted there. It answers whether p failed
// for it.
func (m *Manager) unknownAtSource(p *partition, env *replica.Env) bool {
	p.unknown++
	if r := env.Image.Mirror(p.mirror); r == nil || int(p.unknown) < len(r.Bootstrap) {
		return false
	}
	p.unknown = 0
	return m.sourceDeleted(p, env)
}

// lackingAtSource counts a source broker that knows the topic without the partition, as unknownAtSource does: the topic was grown
// here, before a failback perhaps, and not there. It answers whether p failed for it; it goes on once the source has the
// partition.
func (m *Manager) lackingAtSource(p *partition, env *replica.Env) bool {
	p.lacking++
	if r := env.Image.Mirror(p.mirror); r == nil || int(p.lacking) < len(r.Bootstrap) {
		return false
	}
	p.lacking = 0
	m.fail(p, record.PartitionMissing, env)
	return true
}

// sourceDeleted is D24. A stop is the controller's to write down: the leader asks it for one, and goes on asking.
func (m *Manager) sourceDeleted(p *partition, env *replica.Env) bool {
	switch env.Config.OnSourceDeleted() {
	case protocol.DeletedFails:
		m.fail(p, record.SourceDeleted, env)
		return true
	case protocol.DeletedStops:
		if env.Controller != id.None {
			m.sequence++
			env.Out.Send(env.Controller, &wire.MirrorTopicsRequest{Action: wire.StopMirrorTopics, Mirror: p.mirror,
				Topics: []id.Topic{p.id.Topic}, Deleted: true, Client: env.Self, Correlation: m.sequence})
		}
	}
	return false
}
