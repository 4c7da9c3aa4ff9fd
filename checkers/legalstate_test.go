package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// A position that an old leader stored may be committed without an event, when a new coordinator loads. The new leader
// records the same one again: the commit is of that, and not of the old leader's.
func TestSamePositionOfTwoLeaders(t *testing.T) {
	for _, c := range []struct {
		name      string
		committed int32 // the leader epoch of the position that is committed
		want      Status
	}{
		{"the new leader's", 1, Holds},
		{"the old leader's", 0, Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			b.store(clusterB, record.Stopping)
			x := event.Event{Mirror: mirrorM, Peer: b0, BatchEpoch: 0, Offset: 3, Sequence: b.run[clusterB]}
			b.on(event.PositionStored, b1, x)
			b.elect(clusterB, b0, event.EpochBump)
			b.store(clusterB, record.Stopping)
			x.LeaderEpoch = 1
			b.on(event.PositionStored, b1, x)
			x.LeaderEpoch = c.committed
			b.on(event.PositionCommitted, b1, x)
			if v := verdictOf(t, judge(t, b.events), LegalState.String()); v.Status != c.want {
				t.Errorf("%v %+v, want %v", v.Status, v.Violations, c.want)
			}
		})
	}
}

// A coordinator that was paused tells, when its successor has committed more, that what it stored before was committed. It
// takes nothing back; told by the coordinator in charge, the same would be a write of a deposed leader that took effect.
func TestCommitToldLate(t *testing.T) {
	home := id.Partition{Topic: stateTopic}
	for _, c := range []struct {
		name   string
		leader id.Node // of the partition of __mirror_state
		want   Status
		state  record.State
	}{
		{"by the one before", b0, Holds, record.Stopped},
		{"by the one in charge", b1, Violated, record.Mirroring},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := stopped()
			b.events = append(b.events, event.Event{Kind: event.PartitionChanged, Node: bLog, Partition: home, Peer: c.leader, LeaderEpoch: 7,
				Digest: uint64(id.SetOf(b0, b1)), Offset: int64(id.SetOf(b0, b1)), Cause: uint8(event.CleanElection)})
			x := event.Event{Mirror: mirrorM, Peer: b0, From: uint8(record.Mirroring), To: uint8(record.Mirroring), Sequence: 9}
			b.on(event.StateStored, b1, x)
			x.Peer, x.From, x.Op = id.None, 0, home.Word()
			b.on(event.StateCommitted, b1, x)
			s := judge(t, b.events)
			if v := verdictOf(t, s, LegalState.String()); v.Status != c.want {
				t.Errorf("%v %+v, want %v", v.Status, v.Violations, c.want)
			}
			if got := s.Ledger().State(clusterB, t0); got != c.state {
				t.Errorf("the committed state is %v, want %v", got, c.state)
			}
		})
	}
}

// What a deposed leader is told is of no account; the leader in charge is never told old things.
func TestReadOfADeposedLeader(t *testing.T) {
	for n, want := range map[id.Node]Status{b0: Violated, b1: Holds} {
		b := stopped()
		b.state[clusterB], b.version[clusterB] = record.Preparing, 1
		b.read(n)
		if v := verdictOf(t, judge(t, b.events), LegalState.String()); v.Status != want {
			t.Errorf("a read of broker %d: %v %+v, want %v", n, v.Status, v.Violations, want)
		}
	}
}

// A write is answered with the state epoch under which it was stored, or with that of one of its repeats.
func TestAnswerOfAWrite(t *testing.T) {
	for _, c := range []struct {
		name     string
		stored   []int32 // state epochs, by attempts of one write
		answered int32
		code     uint8
		want     string
	}{
		{"as it was stored", []int32{9}, 9, codeOK, ""},
		{"as its repeat was stored", []int32{9, 10}, 10, codeOK, ""},
		{"refused", []int32{9}, 0, codeRequestTimedOut, ""},
		{"never stored", nil, 9, codeOK, ""},
		{"with another state epoch", []int32{9, 10}, 8, codeOK,
			"B/t-0: b0 was told that its write was stored as STOPPED#8, but it was stored as STOPPED#9 STOPPED#10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := stopped()
			op := event.OpOf(uint8(b0), 4000)
			for _, epoch := range c.stored {
				b.on(event.StateStored, b1, event.Event{Mirror: mirrorM, Peer: b0, Op: op, From: uint8(record.Stopped),
					To: uint8(record.Stopped), Sequence: epoch})
			}
			b.on(event.StateWriteReturned, b0, event.Event{Mirror: mirrorM, Op: op, To: uint8(record.Stopped),
				Sequence: c.answered, Cause: c.code})
			got := ""
			for _, v := range verdictOf(t, judge(t, b.events), LegalState.String()).Violations {
				got += v.Sentence
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What was committed last decides whether a commit counts as a new one: it is in the state, in the order of the commits.
func TestLegalStateKnowsTheLastCommits(t *testing.T) {
	history := func(commits ...int32) *entryHistory {
		h := &entryHistory{}
		for _, epoch := range commits {
			h.recent[h.commits%len(h.recent)] = stateValue{epoch: epoch}
			h.commits++
		}
		return h
	}
	placed := history(1, 2, 3, 4)
	placed.place = positionValue{offset: 7}
	seen := map[string]int{}
	for _, h := range []*entryHistory{history(), history(1, 2, 3, 4), history(2, 1, 3, 4), placed, history(9, 1, 2, 3, 4)} {
		seen[string((&legalState{entries: []*entryHistory{h}}).AppendState(nil))]++
	}
	if len(seen) != 4 || seen[string((&legalState{entries: []*entryHistory{history(8, 1, 2, 3, 4)}}).AppendState(nil))] != 2 {
		t.Errorf("%d states of five histories, of which two have the same four commits last", len(seen))
	}
}
