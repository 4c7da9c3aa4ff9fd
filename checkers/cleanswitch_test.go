package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// dirtyCut has the stop of B cut its log to 2, in the middle of what is mirrored.
func dirtyCut(b *builder) {
	b.intent(clusterB, record.WantStopped)
	b.store(clusterB, record.Stopping)
	b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: b.end(b0)})
	b.truncate(b0, 2, event.CutToLastStable)
	b.store(clusterB, record.Stopped)
}

func TestCleanSwitchDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"lost by the stop", CleanSwitch,
			[]string{"the stop of B/t-0 began clean at offset 3, and lost something: A/t-0@a0 has 2@0 (record 7/3)"},
			func(*testing.T) []event.Event {
				b := mirrored()
				dirtyCut(b)
				return b.events
			}},
		{"cut at the failback", CleanSwitch,
			[]string{"the stop of B/t-0 began clean at offset 3, but at the failback A/t-0@a0 was cut to 1 and lost 1@0 (record 7/2)"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.produce(p1, clusterA, b.data(p1, 1, 7, 3)) // which may be cut
				b.start(clusterA, true, 1, event.AlignedToLME)
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

// cutTooDeep is a failback of A that cuts it to 1.
func cutTooDeep(b *builder) {
	b.start(clusterA, true, 1, event.AlignedToLME)
	b.catchUp(clusterA)
}

// leftOut has a0's cleaner remove the record at 0, for one at 2, and B copy what is left, or as many records as it has left after
// all; B stops behind a1, which has none of that and is elected uncleanly, or behind a0.
func leftOut(b *builder, left int, lost bool, then ...func()) {
	b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
	b.produce(p2, clusterA, b.data(p2, 1, 8, 0))
	b.produce(p1, clusterA, b.data(p1, 1, 7, 1))
	whole := b.logs[a0][0]
	b.compact(a0, 0, 0)
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.fetch(clusterB, false)
	if left > 0 {
		b.append(b0, whole, event.FromMirror)
	}
	b.append(b0, b.logs[a0][0], event.FromMirror)
	b.replicate(clusterB)
	if lost {
		b.truncate(a1, 2, event.Diverged)
		b.elect(clusterA, a1, event.UncleanElection)
		b.truncate(a0, 2, event.Diverged)
	}
	b.catchUp(clusterB)
	for _, f := range then {
		f()
	}
	b.stopMirror(clusterB)
}

// A cut beyond the switch does not end it: the failback is an occasion, besides the stop.
func TestCleanSwitchOccasions(t *testing.T) {
	if v := verdictOf(t, judge(t, f1().events), CleanSwitch.String()); v.Status != Holds || v.Occasions != 2 {
		t.Errorf("clean-switch %v on %d occasions, want 2", v.Status, v.Occasions)
	}
}

var cleanSwitchCases = []stateCase{
	{"no stop", NotExercised, "", three},
	{"clean, and what the old source took later is cut", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.start(clusterA, true, 3, event.AlignedToLME)
		b.catchUp(clusterA)
	}},
	{"the source has taken a record since", NotExercised, "", func(b *builder) {
		three(b)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		dirtyCut(b)
	}},
	{"the source has a record above its high watermark", NotExercised, "", func(b *builder) {
		three(b)
		b.append(a0, b.data(p1, 1, 7, 3), event.FromClient)
		b.fetch(clusterB, false)
		dirtyCut(b)
	}},
	{"a transaction is open at the source", NotExercised, "", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0).InTransaction())
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.intent(clusterB, record.WantStopped)
		b.store(clusterB, record.Stopping)
		b.truncate(b0, 0, event.CutToLastStable)
		b.store(clusterB, record.Stopped)
	}},
	{"a follower of the destination is behind", NotExercised, "", func(b *builder) {
		three(b)
		b.truncate(b1, 2, event.Diverged)
		b.stopMirror(clusterB)
		cutTooDeep(b)
	}},
	{"a follower that is behind is out of the ISR", Violated, "", func(b *builder) {
		three(b)
		b.truncate(b1, 2, event.Diverged)
		b.register(clusterB, event.IsrChange, id.SetOf(b0))
		dirtyCut(b)
	}},
	{"stopped when it was PAUSED", NotExercised, "", func(b *builder) {
		three(b)
		b.store(clusterB, record.Pausing)
		b.store(clusterB, record.Paused)
		dirtyCut(b)
	}},
	{"the mirror is deleted before the failback", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.on(event.EntryRemoved, b1, event.Event{Mirror: mirrorM, From: uint8(record.LastMirroredEpochs)})
		cutTooDeep(b)
	}},
	{"the destination's topic is deleted before the failback", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.on(event.TopicRemoved, bLog, event.Event{Partition: id.Partition{Topic: topicT}})
		b.elect(clusterB, b0, event.PartitionCreated)
		cutTooDeep(b)
	}},
	{"STOPPING is entered before it is stored, and lost something", Violated, "", func(b *builder) {
		three(b)
		b.on(event.StateEntered, b0, event.Event{Mirror: mirrorM, From: uint8(record.Mirroring), To: uint8(record.Stopping), Offset: 1})
		b.on(event.MirrorFetchStopped, b0, event.Event{Mirror: mirrorM, Offset: 3})
		dirtyCut(b)
	}},
	{"the old source had an unclean election since", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.elect(clusterA, a1, event.UncleanElection)
		cutTooDeep(b)
	}},
	{"what is cut lies below the new source's log start, or beyond the switch", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.on(event.StartMoved, b0, event.Event{Offset: 3})
		b.on(event.StartMoved, b1, event.Event{Offset: 3})
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		cutTooDeep(b)
	}},
	{"what is cut stood above a gap that compaction had left, and is copied again", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.compact(a0, 0, 1)
		b.compact(a1, 0, 1)
		cutTooDeep(b)
	}},
	{"a gap that compaction had left, and nothing has to be cut", Violated, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.compact(a0, 0, 1)
		b.compact(a1, 0, 1)
		cutTooDeep(b)
	}},
	{"a record was never mirrored, for what the source has lost since had outdated it", Violated, "", func(b *builder) {
		leftOut(b, 0, true)
	}},
	{"it was mirrored after all", Holds, "", func(b *builder) { leftOut(b, 1, true) }},
	{"a cleaner was told to remove it, and what outdates it", Holds, "", func(b *builder) {
		leftOut(b, 0, false, func() {
			b.produce(p2, clusterA, b.data(p2, 1, 8, 1))
			b.catchUp(clusterB)
			b.compact(b0, 0, 2)
		})
	}},
	{"what had outdated it was mirrored", Holds, "", func(b *builder) { leftOut(b, 0, false) }},
	{"the position was lost beyond the budget", NotPromised,
		"unclean election of b0 of B/" + topology.Names.Partition(statesP), func(b *builder) {
			three(b)
			b.stopMirror(clusterB)
			b.loseStates(clusterB)
			cutTooDeep(b)
		}},
}

func TestCleanSwitchStatus(t *testing.T) { runStates(t, CleanSwitch, cleanSwitchCases) }
