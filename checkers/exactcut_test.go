package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

func TestExactCutDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"a common batch is cut", ExactCut,
			[]string{"A/t-0@a0 was cut to 2 and lost 2@0 (record 7/3) by its alignment, although its source B/t-0@b0 has it"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.start(clusterA, true, 2, event.AlignedToLME)
				b.catchUp(clusterA)
				return b.events
			}},
		{"a leader that died cut a common batch", ExactCut, []string{"A/t-0@a0 was cut to 2 and lost 2@0", "A/t-0", "B/t-0@b0 has it"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.prepare(clusterA)
				b.cut(clusterA, 2, event.AlignedToLME)
				b.elect(clusterA, a1, event.CleanElection)
				b.fetch(clusterA, false)
				return b.events
			}},
		{"a differing batch stays", ExactCut,
			[]string{"alignment has left A/t-0@a0 with what its source B/t-0@b0 does not have", "A/t-0@a0 has 3@0 (record 7/4)"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
				b.start(clusterA, true, 4, event.AlignedToLME)
				b.fetch(clusterA, false)
				return b.events
			}},
		{"-1 where a position is stored", ExactCut,
			[]string{"A/t-0@a0 was told by b0 that nothing is in common (-1), but B/t-0 stores the position of epoch 0, offset 3 under mirror m"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.start(clusterA, false, 0, event.AlignedToLME)
				return b.events
			}},
		{"a lookup that fails excuses nothing", ExactCut, []string{"A/t-0@a0 was cut to 0 and lost 0@0"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.prepare(clusterA)
				b.on(event.LookupReturned, a0, event.Event{Mirror: mirrorM, Peer: b0, To: codeRequestTimedOut})
				b.cut(clusterA, 0, event.AlignedToLME)
				b.catchUp(clusterA)
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

var exactCutCases = []stateCase{
	{"no mirror", NotExercised, "", func(b *builder) { b.produce(p1, clusterA, b.data(p1, 1, 7, 0)) }},
	{"copied anew when nothing was stored", Holds, "", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.append(b0, b.logs[a0][0], event.FromMirror)
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
	}},
	{"copied anew after the mirror was deleted", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.on(event.EntryRemoved, b1, event.Event{Mirror: mirrorM, From: uint8(record.LastMirroredEpochs)})
		b.start(clusterA, false, 0, event.AlignedToLME)
		b.catchUp(clusterA)
	}},
	{"what differs is cut by the next leader too", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.prepare(clusterA)
		b.truncate(a0, 3, event.AlignedToLME)
		b.elect(clusterA, a1, event.CleanElection)
		b.truncate(a1, 3, event.AlignedToLME)
		b.fetch(clusterA, false)
	}},
	{"nothing, in words, was stored, and something is common", Violated, "", func(b *builder) {
		three(b)
		b.position(clusterB, record.NoPosition)
		positions(b, func(e *event.Event) { e.Offset = record.NoPosition })
		b.start(clusterA, false, 0, event.AlignedToLME)
		b.catchUp(clusterA)
	}},
	{"what is stored is of a mirror of another source", Holds, "", func(b *builder) {
		three(b)
		b.on(event.MirrorCreated, bLog, event.Event{Mirror: mirrorM + 1, To: uint8(clusterB)})
		b.position(clusterB, 0)
		positions(b, func(e *event.Event) { e.Mirror = mirrorM + 1 })
		b.start(clusterA, false, 0, event.AlignedToLME)
		b.catchUp(clusterA)
	}},
	{"the excuse of the run before excuses nothing", Violated, "", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.append(b0, b.logs[a0][0], event.FromMirror)
		b.prepare(clusterB)
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0})
		b.stopMirror(clusterB)
		b.position(clusterA, 0)
		b.prepare(clusterB)
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0, Cause: 1})
		b.cut(clusterB, 0, event.AlignedToLME)
		b.catchUp(clusterB)
	}},
	{"the source has lost what was common when it was cut", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.prepare(clusterA)
		b.cut(clusterA, 2, event.AlignedToLME)
		b.cut(clusterB, 2, event.Diverged)
		b.fetch(clusterA, false)
	}},
	{"the resets of two clusters are equal bytes", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.elect(clusterA, a0, event.EpochBump)
		b.append(a0, record.NewReset(), event.FromStop)
		b.replicate(clusterA)
		b.start(clusterA, true, 3, event.AlignedToLME)
		b.catchUp(clusterA)
	}},
	{"PREPARING is entered, and everything is cut, before it is stored", Holds, "", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.append(b0, b.logs[a0][0], event.FromMirror)
		b.on(event.StateEntered, b0, event.Event{Mirror: mirrorM, To: uint8(record.Preparing), Offset: 1})
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0})
		b.store(clusterB, record.Preparing)
		b.cut(clusterB, 0, event.AlignedToLME)
		b.catchUp(clusterB)
	}},
	{"PREPARING is stored again, in a run of another number", Violated, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.prepare(clusterA)
		b.cut(clusterA, 2, event.AlignedToLME)
		b.store(clusterA, record.Preparing)
		b.fetch(clusterA, false)
	}},
	{"a fetch in MIRRORING does not end an alignment that has ended", Holds, "", func(b *builder) {
		three(b)
		b.cut(clusterB, 2, event.Diverged)
		b.catchUp(clusterB)
	}},
	{"the coordinator of the source lost the position beyond the budget", NotPromised,
		"unclean election of b0 of B/" + topology.Names.Partition(statesP), func(b *builder) {
			three(b)
			b.stopMirror(clusterB)
			b.loseStates(clusterB)
			b.start(clusterA, false, 0, event.AlignedToLME)
		}},
	{"what the source lost beyond the budget is not in __mirror_state", Violated, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.loseInternal(clusterB, 8)
		b.loseInternal(clusterB, 16)
		b.start(clusterA, false, 0, event.AlignedToLME)
	}},
	{"the coordinator lost MIRRORING beyond the budget, and the log begins anew", NotPromised,
		"unclean election of a0 of A/" + topology.Names.Partition(statesP), func(b *builder) {
			failedBack(b)
			b.loseStates(clusterA)
			beginAgain(b, record.Unknown)
		}},
	{"the coordinator lost what came after PREPARING", NotPromised,
		"unclean election of a0 of A/" + topology.Names.Partition(statesP), func(b *builder) {
			failedBack(b)
			b.loseStates(clusterA)
			beginAgain(b, record.Preparing)
		}},
	{"the log begins anew, and nothing was lost", Violated, "", func(b *builder) {
		failedBack(b)
		beginAgain(b, record.Unknown)
	}},
	{"the log begins anew, and the coordinator knew that it followed", Violated, "", func(b *builder) {
		failedBack(b)
		b.loseStates(clusterA)
		beginAgain(b, record.Mirroring)
	}},
	{"the coordinator lost something before the log began", Violated, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.loseStates(clusterA)
		beginAgain(b, record.Unknown)
	}},
}

// failedBack has A follow B, which has taken a record.
func failedBack(b *builder) {
	three(b)
	b.stopMirror(clusterB)
	b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
	b.start(clusterA, true, 3, event.AlignedToLME)
	b.catchUp(clusterA)
}

// beginAgain has A stored PREPARING over that state, and cut by what B recorded at its stop, but for one record of it.
func beginAgain(b *builder, from record.State) {
	b.state[clusterA], b.run[clusterA] = from, 0
	b.prepare(clusterA)
	b.on(event.LookupReturned, a0, event.Event{Mirror: mirrorM, Peer: b0, Cause: 1})
	b.cut(clusterA, 2, event.AlignedToLME)
	b.catchUp(clusterA)
}

func TestExactCutStatus(t *testing.T) { runStates(t, ExactCut, exactCutCases) }

// A divergence that was answered twice is none that leads to nothing where the fetcher was removed meanwhile, so that the second
// answer is to a fetch that came twice, or where the partition was FAILED or got a new leader epoch in between.
func TestDivergencesThatLeadToSomething(t *testing.T) {
	for _, c := range []struct {
		name    string
		between func(b *builder)
		want    Status
	}{
		{"nothing", func(*builder) {}, Violated},
		{"the fetcher was removed", func(b *builder) { b.on(event.MirrorFetchStopped, b0, event.Event{Mirror: mirrorM}) }, Holds},
		{"and started again", func(b *builder) {
			b.on(event.MirrorFetchStopped, b0, event.Event{Mirror: mirrorM})
			b.on(event.MirrorFetchStarted, b0, event.Event{Mirror: mirrorM})
		}, Violated},
		{"an election", func(b *builder) { b.elect(clusterB, b1, event.CleanElection) }, Holds},
		{"an election that has come and gone", func(b *builder) {
			b.elect(clusterB, b1, event.CleanElection)
			b.elect(clusterB, b0, event.CleanElection)
		}, Holds},
		{"an election, and an answer to the leader before", func(b *builder) {
			b.elect(clusterB, b1, event.CleanElection)
			b.on(event.MirrorFetched, b0, event.Event{Mirror: mirrorM, Peer: a0, Offset: 3, Cause: 1})
		}, Holds},
		{"an election, and an answer to the leader since", func(b *builder) {
			b.elect(clusterB, b1, event.CleanElection)
			b.fetch(clusterB, true)
		}, Violated},
		{"FAILED, and recovered", func(b *builder) { b.store(clusterB, record.Failed); b.store(clusterB, record.Mirroring) }, Holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			b.fetch(clusterB, true)
			c.between(b)
			b.fetch(clusterB, true)
			if v := verdictOf(t, judge(t, b.events), Convergence.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}
