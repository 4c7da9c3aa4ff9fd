package protocol_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/protocol"
)

// answer is what the method of a decision gives under each of its options, in words.
type answer struct {
	decision string
	ask      func(*protocol.Config) string
	want     []string // one for each option, in order
}

// yes is an answer of a method without arguments.
func yes(decision string, ask func(*protocol.Config) bool, want ...bool) answer {
	a := answer{decision: decision, ask: func(c *protocol.Config) string { return fmt.Sprint(ask(c)) }}
	for _, w := range want {
		a.want = append(a.want, fmt.Sprint(w))
	}
	return a
}

var simpleAnswers = []answer{
	yes("D6", (*protocol.Config).AwaitsPosition, true, false),
	yes("D10", (*protocol.Config).FetchesCommittedOnly, false, true),
	yes("D13", (*protocol.Config).RetriesLookup, false, true),
	yes("D14", (*protocol.Config).AboveKeepsAll, false, true),
	yes("D20", (*protocol.Config).ChecksReverse, false, true),
	yes("D21", (*protocol.Config).ResetClearsTransactions, false, true),
	yes("D23", (*protocol.Config).RetriesAbort, false, true),
	yes("D26", (*protocol.Config).UnknownIsWritable, false, true),
	yes("D27", (*protocol.Config).StoppedAfterReset, true, false),
	yes("D28", (*protocol.Config).BumpAwaitsMetadata, true, false),
	yes("D29", (*protocol.Config).AcksAfterCommit, true, false),
	yes("D33", (*protocol.Config).AnswersNewestAbove, false, true),
	yes("D34", (*protocol.Config).JoinsByLastEpoch, false, true),
	yes("D38", (*protocol.Config).IllegalEdgeIsError, true, false),
	yes("D39", (*protocol.Config).FencesPosition, true, false),
	yes("D40", (*protocol.Config).PositionAwaitsHW, false, true),
	yes("D42", (*protocol.Config).ReadsWhileLoading, false, true),
	yes("D46", (*protocol.Config).StopsUnknown, false, true),
	yes("D48", (*protocol.Config).ChecksActual, false, true),
	yes("D50", (*protocol.Config).CutAwaitsDrain, false, true),
	yes("D51", (*protocol.Config).PatternStopsPaused, false, true),
	yes("D52", (*protocol.Config).ForgetsFollowers, true, false),
	yes("D17", (*protocol.Config).PersistsFirst, true, false),
	yes("D36", (*protocol.Config).FailureIsState, true, false),
	yes("D54", (*protocol.Config).ReadsCommitted, true, false),
}

var fullAnswers = []answer{
	{"D1", func(c *protocol.Config) string {
		epoch, offset := c.MarkerParts()
		return fmt.Sprint("epoch ", epoch, " offset ", offset)
	}, []string{"epoch false offset false", "epoch false offset true", "epoch true offset false", "epoch true offset true"}},
	{"D2", func(c *protocol.Config) string { return fmt.Sprint(c.RecordedEpoch(1, 2, 3, 4)) }, []string{"1", "2", "3", "4"}},
	{"D5", func(c *protocol.Config) string { return fmt.Sprint(c.KeepsFirstPosition()) },
		[]string{"false false", "true false", "true true"}},
	{"D4", func(c *protocol.Config) string {
		return is(c.OpenTransactionsAtStop(), protocol.TruncateToLSO, protocol.AbortOpen, protocol.LeaveOpen)
	}, []string{"0", "1", "2"}},
	{"D47", func(c *protocol.Config) string {
		return is(c.OnRepeat(), protocol.RepeatError, protocol.RepeatSuccess, protocol.RepeatNumbered)
	}, []string{"0", "1", "2"}},
	{"D7", func(c *protocol.Config) string {
		return bumps(c, [][3]int32{{5, 3, 9}, {3, 5, 9}, {3, 5, 4}, {5, 5, 2}, {0, -1, -1}, {0x730005, 3, 9}, {3, 0x7ff30005, 9}})
	}, []string{
		"6 4 4 6 1 7536646 4",
		"6 6 6 6 1 7536646 2146631686",
		"10 10 6 6 1 7536646 2146631686",
		"none 6 6 6 none none 2146631686",
		"1245184 1245184 1245184 1245184 1245184 8585216 2146631686", // 0x130000: era 1, cluster 3; 0x830000: era 8; era 2047 is the last
	}},
	{"D8", func(c *protocol.Config) string { return fmt.Sprint(c.MirroredEpoch(7, 2), c.MirroredEpoch(2, 7)) },
		[]string{"7 2", "2 7"}},
	{"D9", func(c *protocol.Config) string { return producers(c, 5, 0, -1, -2) },
		[]string{"5 0 -1 -2 reset", "5 0 -1 -2", "-7 -2 -1 -2"}},
	{"D11", func(c *protocol.Config) string {
		return is(c.OnDivergence(), protocol.DivergenceTruncates, protocol.DivergenceIgnored, protocol.DivergenceFails, protocol.DivergenceRecovers)
	}, []string{"0", "1", "2", "3"}},
	{"D12", func(c *protocol.Config) string {
		waits := []protocol.Wait{protocol.WaitNone, protocol.WaitISR, protocol.WaitAll}
		plain, source := c.AlignmentWaits(false)
		unclean, _ := c.AlignmentWaits(true)
		return is(plain, waits...) + " " + is(unclean, waits...) + fmt.Sprint(" ", source)
	}, []string{"0 0 false", "1 1 false", "1 2 false", "1 2 true"}},
	{"D24", func(c *protocol.Config) string {
		return is(c.OnSourceDeleted(), protocol.DeletedStops, protocol.DeletedFails, protocol.DeletedStays)
	}, []string{"0", "1", "2"}},
	{"D37", func(c *protocol.Config) string {
		return is(c.OnMissingTopic(), protocol.StartRefuses, protocol.StartCreates, protocol.StartCreatesAbove)
	}, []string{"0", "1", "2"}},
	{"D49", func(c *protocol.Config) string { return fmt.Sprint(c.MissingRowFails(false), c.MissingRowFails(true)) },
		[]string{"false false", "true true", "false true"}},
	{"D41", func(c *protocol.Config) string {
		return is(c.AbsentReplicas(), protocol.AbsentFetchesOnly, protocol.AbsentWaitAll, protocol.AbsentRealigns)
	}, []string{"0", "1", "2"}},
	{"D15", func(c *protocol.Config) string {
		f := c.Floor()
		follower := fmt.Sprint(f.FollowerAccepts(1, 2), f.FollowerAccepts(2, 2), f.FollowerAccepts(3, 2))
		leader := fmt.Sprint(f.LeaderAccepts(2, 2), f.LeaderAccepts(3, 2))
		minimum, near := f.Bump(5, 7, 7)
		_, far := f.Bump(5, 7, 8)
		return fmt.Sprint(follower, " ", leader, " ", minimum, near, far)
	}, []string{"true true true true true 17 false false", "true true false true true 17 false false", "true true false true false 17 true false", "true true false true false 7 false false"}},
	{"D16", fences, []string{
		"ok ok ok ok ok",
		"leader ok leader ok ok",
		"leader ok ok ok ok",
		"leader ok ok state ok",
	}},
	{"D18", func(c *protocol.Config) string {
		return fmt.Sprint(c.StopAccepted(true, false), c.StopAccepted(false, true), c.StopAccepted(false, false))
	}, []string{"true false false", "true true false", "true true true"}},
	{"D22", func(c *protocol.Config) string {
		return is(c.LookupOver(), protocol.LookupSameName, protocol.LookupMax, protocol.LookupLatestRun, protocol.LookupOwnToo)
	}, []string{"0", "1", "2", "3"}},
	{"D25", func(c *protocol.Config) string {
		return is(c.OnEarlyPause(), protocol.EarlyPauseRefused, protocol.EarlyPauseDropped, protocol.EarlyPauseLater)
	}, []string{"0", "1", "2"}},
	{"D19", func(c *protocol.Config) string {
		no := protocol.NoEpochEnd
		return fmt.Sprint(c.OffsetAtMost(5, 9, 7, no), c.OffsetAtMost(8, 9, 7, no), c.OffsetAtMost(10, 9, 7, no),
			c.OffsetAtMost(8, 9, 7, 3), c.OffsetAtMost(8, 9, 7, -1))
	}, []string{"5 8 10 8 8", "5 8 9 8 8", "5 7 7 7 7", "5 7 7 3 -1"}},
	{"D31", func(c *protocol.Config) string {
		synced, all := c.LowersOffsets()
		return fmt.Sprint(synced, all)
	}, []string{"false false", "true false", "true true"}},
	{"D32", func(c *protocol.Config) string {
		return is(c.OffsetsAfterStop(), protocol.SyncStops, protocol.SyncContinues, protocol.SyncFenced)
	}, []string{"0", "1", "2"}},
	{"D44", func(c *protocol.Config) string { return fmt.Sprint(c.OffsetAtLeast(3, 5), c.OffsetAtLeast(6, 5)) },
		[]string{"3 6", "5 6"}},
	{"D43", func(c *protocol.Config) string { return fmt.Sprint(c.LagShown(3), c.LagShown(0), c.LagShown(-5)) },
		[]string{"3 0 0", "3 0 -5"}},
	{"D30", func(c *protocol.Config) string {
		return is(c.FollowedMeans(), protocol.FollowedLeo, protocol.FollowedLeoAndEpoch, protocol.FollowedLeoFresh)
	}, []string{"0", "1", "2"}},
	{"D35", func(c *protocol.Config) string {
		return is(c.UnknownProducer(), protocol.AcceptUnknown, protocol.AcceptUnlessNew, protocol.RejectUnknown)
	}, []string{"0", "1", "2"}},
	{"D45", func(c *protocol.Config) string {
		return fmt.Sprint(c.BumpSeen(4, 5), c.BumpSeen(5, 5), c.BumpSeen(6, 5))
	}, []string{"false true true", "false false true"}},
	{"D53", func(c *protocol.Config) string { return fmt.Sprint(c.ResetsAgain(false), c.ResetsAgain(true)) },
		[]string{"true true", "true false"}},
}

// is tells which of the named answers got is.
func is[E comparable](got E, named ...E) string { return fmt.Sprint(slices.Index(named, got)) }

// bumps asks for the bump of each (leader epoch, epoch of the newest batch, recorded epoch).
func bumps(c *protocol.Config, inputs [][3]int32) (s string) {
	for i, in := range inputs {
		target, bump := c.BumpTarget(in[0], in[1], in[2], 3)
		word := fmt.Sprint(target)
		if !bump {
			word = "none"
		}
		if i > 0 {
			s += " "
		}
		s += word
	}
	return s
}

// producers maps each id, and says whether the stop appends a reset, which no id may change.
func producers(c *protocol.Config, ids ...int64) (s string) {
	resets := 0
	for i, id := range ids {
		mapped, reset := c.MirroredProducer(id)
		if i > 0 {
			s += " "
		}
		s += fmt.Sprint(mapped)
		if reset {
			resets++
		}
	}
	switch resets {
	case 0:
		return s
	case len(ids):
		return s + " reset"
	}
	return s + " reset for some"
}

// fences asks about five writers: of an older leader epoch, of the highest, of a newer one, of the highest with a state
// epoch that is not the stored one, and of the first leader epoch that the coordinator hears of.
func fences(c *protocol.Config) (s string) {
	inputs := [][5]int32{{3, 4, 4, 7, 7}, {4, 4, 4, 7, 7}, {5, 4, 4, 7, 7}, {4, 4, 4, 6, 7}, {0, -1, 0, 0, 0}}
	for i, in := range inputs {
		leader, state := c.WriteFenced(in[0], in[1], in[2], in[3], in[4])
		if i > 0 {
			s += " "
		}
		switch {
		case leader && state:
			s += "both"
		case leader:
			s += "leader"
		case state:
			s += "state"
		default:
			s += "ok"
		}
	}
	return s
}

func TestMethods(t *testing.T) {
	rows := map[string]protocol.Decision{}
	for _, d := range protocol.Decisions() {
		rows[d.ID] = d
	}
	for _, a := range slices.Concat(simpleAnswers, fullAnswers) {
		t.Run(a.decision, func(t *testing.T) {
			var got []string
			for _, token := range rows[a.decision].Tokens() {
				c := with(t, "start-stop", a.decision, token)
				got = append(got, a.ask(&c))
			}
			if d := cmp.Diff(a.want, got); d != "" {
				t.Errorf("answers by option (-want +got):\n%s", d)
			}
		})
	}
}

func TestAStaleWriterIsFencedByBothEpochs(t *testing.T) {
	c := with(t, "start-stop", "D16", "leader-and-state-epoch")
	if leader, state := c.WriteFenced(3, 4, 4, 6, 7); !leader || !state {
		t.Errorf("an older leader epoch with an older state epoch: by leader epoch %v, by state epoch %v", leader, state)
	}
}
