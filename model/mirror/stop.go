package mirror

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// nextStep does the next step of the stop sequence. The sequence is data: the order that D3 gives. Behind the last step
// STOPPED is stored and the topic becomes writable; D27 may have STOPPED stored right before the reset instead. A leader
// change, a crash or a coordinator reload in STOPPING runs all steps again on whoever leads (section 7 of the design).
func (m *Manager) nextStep(p *partition, env *replica.Env) {
	step, ok := env.Config.StopStep(p.step)
	switch {
	case !ok && p.early:
		p.early = false
		m.enter(p, record.Stopping, env)
		m.evaluate(p, env)
		return
	case !ok:
		m.store(p, record.Stopped, env)
		return
	case step == protocol.StepReset && !env.Config.StoppedAfterReset() && !p.early:
		p.early = true
		m.store(p, record.Stopped, env)
		return
	}
	switch step {
	case protocol.StepFetchers:
		m.stopFetcher(p, env)
		m.stepDone(p, env)
	case protocol.StepRecord:
		m.recordPosition(p, env)
	case protocol.StepBump:
		m.bump(p, env)
	case protocol.StepTransactions:
		m.endTransactions(p, env)
	case protocol.StepReset:
		m.resetProducers(p, env)
	}
}

var stepPoints = [...]point.Point{
	protocol.StepFetchers:     point.FetcherRemoved,
	protocol.StepRecord:       point.PositionRecorded,
	protocol.StepBump:         point.EpochBumped,
	protocol.StepTransactions: point.TransactionsDone,
	protocol.StepReset:        point.ProducersReset,
}

// stepDone yields at the point behind the step.
func (m *Manager) stepDone(p *partition, env *replica.Env) {
	step, _ := env.Config.StopStep(p.step)
	e := env.Out.Emit(event.StopStepDone, p.id)
	e.Mirror, e.To, e.LeaderEpoch = p.mirror, uint8(step), p.replica.LeaderEpoch()
	e.Offset, e.BatchEpoch = p.replica.Log.End(), p.replica.Log.LastBatchEpoch()
	p.step++
	m.reach(p, stepPoints[step], goNextStep)
}

// drained goes on with the step that waits for the high watermark to reach the log end (D40, D50).
func (m *Manager) drained(p *partition, env *replica.Env) {
	if p.replica.Log.HighWatermark() == p.replica.Log.End() {
		p.phase = idle
		m.nextStep(p, env)
	}
}

// recordPosition writes the last mirrored position, of which epoch D2 says and of which offset D40. An empty log records
// nothing, and reads as -1 (section 6 of the design), and neither does a run that was stopped before the source had agreed
// to the log, where alignment waits for that (D12): the position of the run before it stays. Where the first position of a
// stop is kept (D5), that the log is empty is recorded, lest a repeat of the stop records the epoch of its own markers.
func (m *Manager) recordPosition(p *partition, env *replica.Env) {
	epoch, offset := env.Config.MarkerParts()
	log := p.replica.Log
	_, source := alignmentWait(p, env)
	empty, disagreed := log.LastBatch() == nil, source && !p.agreed
	keeps, _ := env.Config.KeepsFirstPosition()
	if p.position = noPosition; disagreed || empty && !keeps || !epoch && !offset {
		m.stepDone(p, env)
		return
	}
	if empty {
		m.sendPosition(p, env)
		return
	}
	if offset && env.Config.PositionAwaitsHW() && log.HighWatermark() < log.End() {
		p.phase = draining
		return
	}
	if epoch {
		p.position.epoch = env.Config.RecordedEpoch(log.LastMirroredEpoch(), log.LastBatchEpoch(), log.LatestEpoch(), p.replica.LeaderEpoch())
	}
	if offset {
		p.position.offset = log.End()
	}
	m.sendPosition(p, env)
}

// outgrown tells whether the log of this leader has mirrored what the first position of the stop (D5) does not cover, and so holds
// none of the stop's own batches, before which that would have been noticed. The first one may say that nothing was mirrored, on a
// leader whose log was empty as the source had deleted all: kept is a position, not the word that there is none. And this leader
// may be one that was deposed before the stop, did not hear of it, and mirrored on.
func (p *partition) outgrown(env *replica.Env) bool {
	_, offset := env.Config.MarkerParts()
	_, grows := env.Config.KeepsFirstPosition()
	further := grows && offset && p.replica.Log.MirroredEnd() > p.first.offset
	return p.hasFirst && p.holdsRecords() && (p.first == noPosition || further)
}

// sendPosition writes the position to the coordinator. Whether the stop waits for a remote one to answer is D6.
func (m *Manager) sendPosition(p *partition, env *replica.Env) {
	p.phase = recording
	r := record.MirrorState{Kind: record.LastMirroredEpochs, Epoch: p.position.epoch, Offset: p.position.offset}
	keeps, _ := env.Config.KeepsFirstPosition()
	m.write(p, m.await(p, env), keeps && !p.outgrown(env), m.complete(p, r, env), env)
	if coordinatorOf(p.mirror, p.id, env) != env.Self && !env.Config.AwaitsPosition() {
		m.settle(p, env)
		m.stepDone(p, env)
	}
}

func (m *Manager) recorded(p *partition, res *wire.WriteMirrorStatesResponse, env *replica.Env) {
	e := env.Out.Emit(event.PositionWriteReturned, p.id)
	e.Mirror, e.Op, e.Cause = p.mirror, event.OpOf(uint8(env.Self), res.Correlation), uint8(res.Code)
	switch {
	case res.Code == wire.OK:
		m.settle(p, env)
		p.position = position{res.Stored.Epoch, res.Stored.Offset}
		p.first, p.hasFirst = p.position, true
		m.stepDone(p, env)
	case res.Code.Retriable() && res.Code != wire.FencedLeaderEpoch:
		m.backOff(p, goSendPosition, env)
	default:
		m.backOff(p, goRead, env)
	}
}

// bump has the controller raise the leader epoch, to what D7 says.
func (m *Manager) bump(p *partition, env *replica.Env) {
	asked, needed := env.Config.BumpTarget(p.replica.LeaderEpoch(), p.replica.Log.LastBatchEpoch(), p.position.epoch, uint8(env.Cluster))
	if !needed {
		m.stepDone(p, env)
		return
	}
	p.asked = asked
	m.sendBump(p, env)
}

// sendBump asks the controller, unless the bump shows already: it did happen although the answer was lost or refused,
// and the metadata told of it during the back-off.
func (m *Manager) sendBump(p *partition, env *replica.Env) {
	if env.Config.BumpSeen(p.replica.LeaderEpoch(), p.asked) {
		m.settle(p, env)
		m.bumpDone(p, env)
		return
	}
	p.phase = bumping
	n := m.await(p, env)
	if env.Controller != id.None {
		env.Out.Send(env.Controller, &wire.BumpLeaderEpochRequest{Partition: p.id, Minimum: p.asked, Correlation: n})
	}
}

// Bumped takes the controller's answer. Whether that, or only this broker's metadata, ends the wait is D28.
func (m *Manager) Bumped(res *wire.BumpLeaderEpochResponse, env *replica.Env) {
	p := m.find(res.Partition)
	if p == nil || p.phase != bumping || p.correlation != res.Correlation {
		return
	}
	switch {
	case res.Code != wire.OK:
		m.backOff(p, goSendBump, env)
	case !env.Config.BumpAwaitsMetadata():
		m.settle(p, env)
		m.bumpDone(p, env)
	}
}

// bumpShown ends the wait once this broker's metadata show the bump (D45).
func (m *Manager) bumpShown(p *partition, env *replica.Env) {
	if env.Config.BumpSeen(p.replica.LeaderEpoch(), p.asked) {
		m.settle(p, env)
		m.bumpDone(p, env)
	}
}

// endTransactions deals with the transactions that are open at the stop, by D4: a cut to the last stable offset (seed
// 000, "Remove", 4.3), an ABORT marker for each, or nothing.
func (m *Manager) endTransactions(p *partition, env *replica.Env) {
	switch env.Config.OpenTransactionsAtStop() {
	case protocol.TruncateToLSO:
		m.cutToLastStable(p, env)
	case protocol.AbortOpen:
		m.abortOpen(p, env)
	default:
		m.stepDone(p, env)
	}
}

func (m *Manager) cutToLastStable(p *partition, env *replica.Env) {
	log := p.replica.Log
	if env.Config.CutAwaitsDrain() && log.HighWatermark() < log.End() {
		p.phase = draining
		return
	}
	if end := log.End(); log.LastStable() < end {
		p.replica.TruncateOwn(log.LastStable(), event.CutToLastStable, env)
		p.alignedAt(log.End())
		p.cutFrom(end)
	}
	p.phase = cutting
	m.cutFollowed(p, env)
}

func (m *Manager) cutFollowed(p *partition, env *replica.Env) {
	if p.replica.Laggard(protocol.WaitISR, env) != id.None {
		return
	}
	if p.lowers(env) {
		p.phase = loweringStop
		m.lower(p, env)
		return
	}
	p.phase = idle
	m.stepDone(p, env)
}

// abortOpen appends an ABORT marker per open transaction, in ascending order of producer id, with the producer's own id
// and epoch and the present leader epoch (seed 004, 5.4). Where the stop runs again there may be markers that the ISR does
// not have yet: they are waited for as well.
func (m *Manager) abortOpen(p *partition, env *replica.Env) {
	open := p.replica.Log.OpenTransactions()
	log := p.replica.Log
	switch {
	case len(open) == 0 && (!p.rerun || log.HighWatermark() == log.End()):
		m.stepDone(p, env)
		return
	case p.replica.Refusal(env) != wire.OK:
		m.appendFailed(p, env)
		return
	}
	for _, t := range open {
		p.replica.AppendOwn(record.NewMarker(record.Abort, t.ProducerID, t.ProducerEpoch, t.CoordinatorEpoch), event.FromStop, env)
	}
	m.awaitAppend(p, env)
}

// resetProducers appends MIRROR_PID_RESET where D9 asks for it (seed 000, "Remove", 4.5; seed 004, 5.5). Whether a repeat
// of the stop appends another is D53; the first run always does, whatever resets were mirrored.
func (m *Manager) resetProducers(p *partition, env *replica.Env) {
	last := p.replica.Log.LastBatch()
	isReset := last != nil && last.Control == record.MirrorPidReset
	_, resets := env.Config.MirroredProducer(record.NoProducer)
	switch {
	case !resets:
		m.stepDone(p, env)
		return
	case p.replica.Refusal(env) != wire.OK:
		m.appendFailed(p, env)
		return
	case !p.rerun || env.Config.ResetsAgain(isReset):
		p.replica.AppendOwn(record.NewReset(), event.FromStop, env)
	}
	m.awaitAppend(p, env)
}

// awaitAppend waits until the log as it is now is below the high watermark, as acks=all does. It may grow meanwhile: some
// orders of D3 stop the fetcher later.
func (m *Manager) awaitAppend(p *partition, env *replica.Env) {
	p.phase, p.end = appending, p.replica.Log.End()
	env.Out.Arm(retryTimer(p), env.Settings.RequestTimeout, 0)
	p.replica.Wait(p.end)
}

// AppendDone takes what became of the wait.
func (m *Manager) AppendDone(x id.Partition, c replica.Completion, env *replica.Env) {
	p := m.find(x)
	if p == nil || p.phase != appending || c.End != p.end {
		return // this leader does not lead any more, or the wait was given up
	}
	if c.Code != wire.OK {
		m.awaitAppend(p, env) // it lost the leadership for a moment and leads again: what it appended is still in the log
		return
	}
	m.settle(p, env)
	m.stepDone(p, env)
}

// appendFailed is an append with acks=all that too small an ISR or a full disk refuses: a marker by D23, the reset always again.
func (m *Manager) appendFailed(p *partition, env *replica.Env) {
	if step, _ := env.Config.StopStep(p.step); step == protocol.StepTransactions && !env.Config.RetriesAbort() {
		m.settle(p, env)
		m.stepDone(p, env)
		return
	}
	m.backOff(p, goNextStep, env)
}

// appendTimedOut is an append with acks=all that the ISR did not take in time. A marker that is to be tried again is in
// the log already, and so is the reset: the wait goes on.
func (m *Manager) appendTimedOut(p *partition, env *replica.Env) {
	if step, _ := env.Config.StopStep(p.step); step == protocol.StepTransactions && !env.Config.RetriesAbort() {
		m.settle(p, env)
		m.stepDone(p, env)
		return
	}
	env.Out.Arm(retryTimer(p), env.Settings.RequestTimeout, 0)
}
