package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
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
	{"copied anew, but something was cut before the source said so", Violated, "", func(b *builder) {
		hasOne(b)
		b.cut(clusterB, 0, event.AlignedToLME)
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0})
		b.fetch(clusterB, false)
	}},
	{"what is cut where the source's answer diverges, it does not excuse", Violated, "", func(b *builder) {
		hasOne(b)
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0})
		b.cut(clusterB, 0, event.Diverged)
		b.fetch(clusterB, false)
	}},
	{"the source said so to the leader before", Violated, "", func(b *builder) {
		hasOne(b)
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0})
		b.elect(clusterB, b1, event.CleanElection)
		b.cut(clusterB, 0, event.AlignedToLME)
		b.fetch(clusterB, false)
	}},
	{"the leader since is told so too", Holds, "", func(b *builder) {
		hasOne(b)
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0})
		b.elect(clusterB, b1, event.CleanElection)
		b.on(event.LookupReturned, b1, event.Event{Mirror: mirrorM, Peer: a0})
		b.cut(clusterB, 0, event.AlignedToLME)
		b.fetch(clusterB, false)
	}},
	{"asked again, the source names a position", Violated, "", func(b *builder) {
		hasOne(b)
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0})
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0, Cause: 1})
		b.cut(clusterB, 0, event.AlignedToLME)
		b.fetch(clusterB, false)
	}},
	{"asked again, the source does not answer", Violated, "", func(b *builder) {
		hasOne(b)
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0})
		b.on(event.LookupReturned, b0, event.Event{Mirror: mirrorM, Peer: a0, To: codeRequestTimedOut})
		b.cut(clusterB, 0, event.AlignedToLME)
		b.fetch(clusterB, false)
	}},
	{"an unclean election at the source has brought back what its position leaves out", NotPromised,
		"unclean election of b1 has brought it back, and the position is of the log before", func(b *builder) {
			broughtBack(b, event.UncleanElection, true, 2)
		}},
	{"an election that is not unclean", Violated, "", func(b *builder) { broughtBack(b, event.CleanElection, true, 2) }},
	{"an unclean election before the stop", Violated, "", func(b *builder) { broughtBack(b, event.UncleanElection, false, 2) }},
	{"an unclean election, and a cut to below the position", Violated, "", func(b *builder) {
		broughtBack(b, event.UncleanElection, true, 1)
	}},
	{"an unclean election, and a cut where the source's answer diverges", Violated, "", func(b *builder) {
		broughtBack(b, event.UncleanElection, true, 3)
		b.prepare(clusterA)
		b.cut(clusterA, 2, event.Diverged)
		b.fetch(clusterA, false)
	}},
	{"a log start hides what was lost uncleanly", NotPromised, "unclean election of a1 took it from that cluster, and its log start hides that it was there",
		func(b *builder) { b.events = uncleanlyLost(func(*builder) {}).events }},
	{"and at the next alignment too", NotPromised, "unclean election of a1 took it from that cluster, and its log start hides that it was there",
		func(b *builder) { *b = *twiceAligned(func(*builder) {}) }},
	{"a log start hides what was never there", Violated, "", func(b *builder) {
		*b = *twiceAligned(func(b *builder) {
			b.produce(p2, clusterB, b.data(p2, 1, 8, 0))
			b.produce(p1, clusterA, b.data(p1, 1, 9, 2))
		})
	}},
	{"what the cleaner removed for what was cut is missing", Violated, "", func(b *builder) { cleanedAndCut(b, 2, false) }},
	{"what the cleaner removed for what was cut is missing at the source too", Holds, "", func(b *builder) {
		cleanedAndCut(b, 2, false, func() { b.compact(b0, 0, 0) })
	}},
	{"what a leader copied without, whose cleaner removed it for what was cut, is missing", Violated, "", func(b *builder) {
		copiedAndCut(b, 3, 0)
	}},
	{"what a leader copied as little of", Violated, "", func(b *builder) { copiedAndCut(b, 3, 1) }},
	{"what a leader copied without is copied again", Holds, "", func(b *builder) { copiedAndCut(b, 0, 0) }},
	{"what the cleaner removed for what was cut is copied again", Holds, "", func(b *builder) { cleanedAndCut(b, 0, false) }},
	{"what outdates what the cleaner removed has stayed", Holds, "", func(b *builder) { cleanedAndCut(b, 3, false) }},
	{"the cut begins above a gap, and takes what is common", Violated, "", func(b *builder) { cleanedAndCut(b, 1, false) }},
	{"the cleaner has removed what nothing outdated", Holds, "", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.produce(p2, clusterA, b.data(p2, 1, 8, 0))
		cleanedBehind(b, b.data(p2, 1, 8, 1))
	}},
	{"the cleaner had removed it before what was cut was written", Holds, "", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.produce(p2, clusterA, b.data(p2, 1, 8, 0))
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.stopMirror(clusterB)
		b.compact(a0, 0, 0)
		b.compact(a1, 0, 0)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 1))
		b.start(clusterA, true, 2, event.AlignedToLME)
		b.fetch(clusterA, false)
	}},
	{"two have outdated what the cleaner removed, of which one was cut", Holds, "", func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
		b.produce(p1, clusterA, b.data(p1, 1, 7, 1))
		cleanedBehind(b, b.data(p1, 1, 7, 2))
	}},
	{"the marker of what the cleaner removed was cut", Violated, "", func(b *builder) { cleanedAndCut(b, 2, true) }},
	{"the marker of what the cleaner removed has stayed", Holds, "", func(b *builder) { cleanedAndCut(b, 3, true) }},
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

// hasOne has B hold A's record, and PREPARING stored there.
func hasOne(b *builder) {
	b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
	b.append(b0, b.logs[a0][0], event.FromMirror)
	b.replicate(clusterB)
	b.prepare(clusterB)
}

// broughtBack has B stopped behind two records of A, and b1, which has a third, elected behind the stop or before it; A is aligned to
// B, and its log is cut to end by the position.
func broughtBack(b *builder, cause event.ChangeCause, behind bool, end int64) {
	b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
	b.produce(p1, clusterA, b.data(p1, 1, 7, 1))
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 2))
	if !behind {
		b.elect(clusterB, b1, cause)
	}
	b.stopMirror(clusterB)
	b.truncate(b1, 2, event.Diverged)
	b.append(b1, b.logs[a0][2], event.FromMirror)
	if behind {
		b.elect(clusterB, b1, cause)
	}
	b.prepare(clusterA)
	b.on(event.LookupReturned, a0, event.Event{Mirror: mirrorM, Peer: b1, Cause: 1})
	b.cut(clusterA, end, event.AlignedToLME)
	b.fetch(clusterA, false)
}

// cleanedAndCut has B stopped behind two records of A, the first of which A's cleaner removes: a newer one of the same key at 2, which B
// lacks, has outdated it, or A's marker there has aborted it. A is aligned to B, and its log is cut to end; a cut to 3 is one of B's log
// that has 2 as well.
func cleanedAndCut(b *builder, end int64, aborted bool, then ...func()) {
	first, other := b.data(p1, 1, 7, 0), b.data(p2, 1, 8, 0)
	if aborted {
		first.InTransaction()
	}
	last := b.data(p1, 1, 7, 1)
	if aborted {
		last = record.NewMarker(record.Abort, 7, 0, 0)
	}
	b.produce(p1, clusterA, first)
	b.produce(p2, clusterA, other)
	if end < 3 {
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.append(a0, last, event.FromClient)
		b.replicate(clusterA)
	} else {
		b.append(a0, last, event.FromClient)
		b.replicate(clusterA)
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
	}
	b.stopMirror(clusterB)
	b.append(a0, b.data(p2, 1, 8, 1), event.FromClient)
	b.replicate(clusterA)
	for _, n := range []id.Node{a0, a1} {
		b.compact(n, 0, 0)
	}
	for _, f := range then {
		f()
	}
	b.start(clusterA, true, end, event.AlignedToLME)
	b.fetch(clusterA, false)
}

// copiedAndCut has B stopped behind a batch of two records of A and one more, and A take two that outdate the first ones. a0's
// cleaner leaves so many of them, and a1 copies what a0 has only then, leads, is aligned to B, and cut to end.
func copiedAndCut(b *builder, end int64, left int) {
	b.produce(p1, clusterA, b.data(p1, 2, 7, 0))
	b.produce(p2, clusterA, b.data(p2, 1, 8, 0))
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
	b.stopMirror(clusterB)
	b.truncate(a1, 0, event.Diverged)
	b.append(a0, b.data(p1, 2, 7, 2), event.FromClient)
	b.compact(a0, left, 0)
	b.follow(a0, a1)
	b.elect(clusterA, a1, event.CleanElection)
	b.start(clusterA, true, end, event.AlignedToLME)
	b.fetch(clusterA, false)
}

// cleanedBehind has B stopped behind what A has, and A take last and clean its first record away; A is aligned to B, and last is cut.
func cleanedBehind(b *builder, last *record.Batch) {
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
	b.stopMirror(clusterB)
	b.produce(p1, clusterA, last)
	b.compact(a0, 0, 0)
	b.compact(a1, 0, 0)
	b.start(clusterA, true, b.end(a0)-1, event.AlignedToLME)
	b.fetch(clusterA, false)
}

// twiceAligned is uncleanlyLost, and A is made a mirror of B once more.
func twiceAligned(more func(*builder)) *builder {
	b := uncleanlyLost(more)
	b.start(clusterA, true, b.end(b0), event.AlignedToLME)
	b.catchUp(clusterA)
	return b
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

// How far a cleaner knew that had removed something of a batch is known still where one that knew of less has gone on with it.
func TestCleanedOnceMore(t *testing.T) {
	x := new(builder).data(p1, 3, 7, 0).At(0, 0)
	left := func(n int) *record.Batch { return x.Compact(func(i int) bool { return i < n }) }
	s := newShadow()
	s.push(x, left(2), removal{cleaned: 9}, 1, &topology)
	s.End = 3
	s.compact(0, left(1))
	if got := s.at(0).cleaned; got != 9 {
		t.Errorf("it knew of what is below %d, want 9", got)
	}
}
