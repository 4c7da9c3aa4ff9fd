package protocol_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/protocol"
)

// designTable is the table of section 12 of the design, typed again: id, name, add-remove, start-stop, aligned. The marks
// are the table's, "*" for a reading and "–" for a cell that chooses nothing.
const designTable = `
D1  marker             epoch            epoch            epoch-and-offset
D2  epoch-source       log*             leader           cache
D3  stop-order         fetchers,bump,transactions,record,reset fetchers,record,bump,transactions,reset fetchers,record,bump,transactions,reset
D4  open-transactions  truncate-to-lso  abort            abort
D5  marker-rerun       overwrite*       overwrite*       overwrite
D6  marker-write       await*           await            fire-and-forget
D7  stop-bump          above-log        above-log        if-not-above
D8  batch-epoch        preserve         preserve         preserve
D9  producer-ids       keep-and-reset   keep-and-reset   keep-and-reset
D10 fetch-bound        hw*              hw*              hw
D11 divergence         truncate         truncate*        fail-or-recover
D12 alignment-wait     isr-or-all       isr-or-all*      isr-or-all
D13 lookup-failure     retry*           retry*           retry
D14 lookup-above       keep-all         keep-all*        cut-all
D15 epoch-floor        unconstrained*   unconstrained*   fenced
D16 coordinator-fence  leader-epoch-equal* none*         leader-and-state-epoch
D17 persist-order      persist-first*   persist-first*   persist-first
D18 stop-from          mirroring        any*             mirroring-or-paused
D19 offset-clamp       none*            none*            leo
D20 reverse-check      unchecked*       unchecked*       checked
D21 reset-scope        producers        producers        producers
D22 lookup-over        same-name*       same-name*       max
D23 abort-failure      retry*           retry*           ignore
D24 source-deleted     stop*            stop*            fail
D25 early-pause        refuse           refuse           drop
D26 unknown-state      read-only*       read-only*       read-only
D27 stopped-when       after-reset      after-reset      after-reset
D28 bump-done          metadata*        metadata*        metadata
D29 coordinator-ack    after-commit*    after-commit*    after-commit
D30 followed-means     leo*             leo*             leo
D31 offset-reclamp     no*              no*              no
D32 offset-after-stop  stops*           stops*           stops
D33 fetch-above        out-of-range*    out-of-range*    out-of-range
D34 isr-join           epoch-start*     epoch-start*     last-epoch
D35 unknown-producer   accept*          accept*          accept
D36 failure-state      failed*          failed*          failed
D37 start-topic        refuse           create*          create
D38 illegal-edge       error*           error*           ignore
D39 position-fence     as-state*        as-state*        none
D40 position-end       –                –                leo
D41 absent-replica     fetch-only*      fetch-only*      fetch-only
D42 loading-answer     error*           error*           error
D43 lag-sign           floored*         floored*         floored
D44 offset-floor       none*            none*            log-start
D45 bump-compare       at-least*        at-least*        at-least
D46 unknown-stop       illegal*         illegal*         illegal
D47 repeat-request     error            error            success
D48 state-check        actual*          actual*          actual
D49 lookup-missing     minus-one        minus-one*       minus-one
D50 lso-moment         at-once*         –                –
D51 pattern-stop       –                mirroring        mirroring-or-paused
D52 leader-cut         keep*            keep*            keep
D53 reset-rerun        again*           again*           again
D54 coordinator-read   committed*       committed*       committed
`

// harmless are the choices for the cells of the table that choose nothing.
var harmless = map[string]string{"D40": "leo", "D50": "at-once", "D51": "mirroring"}

func TestRevisionsAreTheDesignsTable(t *testing.T) {
	presets := protocol.Revisions()
	lines := strings.Split(strings.TrimSpace(designTable), "\n")
	for i, name := range []string{"add-remove", "start-stop", "aligned"} {
		t.Run(name, func(t *testing.T) {
			p, c := presets[i], revision(t, name)
			if p.Name != name || p.Base != "" || p.Doc == "" || len(p.Changes) != len(lines) {
				t.Fatalf("%q, based on %q, doc %q, has %d choices for %d lines", p.Name, p.Base, p.Doc, len(p.Changes), len(lines))
			}
			for j, line := range lines {
				words := strings.Fields(line)
				id, decision, cell := words[0], words[1], words[2+i]
				token := strings.TrimSuffix(cell, "*")
				if cell == "–" {
					token = harmless[id]
				}
				if c.Get(id) != token || c.Get(decision) != token {
					t.Errorf("%s is %q, %s is %q, want %q", id, c.Get(id), decision, c.Get(decision), token)
				}
				change := p.Changes[j]
				mark := strings.TrimPrefix(cell, token)
				want := protocol.Change{Decision: id, Token: token, Mark: change.Mark, Reason: change.Reason}
				if d := cmp.Diff(want, change); d != "" || change.Mark.String() != mark {
					t.Errorf("mark %q, want %q; change (-want +got):\n%s", change.Mark, mark, d)
				}
				if (change.Reason == "") != (mark == "") {
					t.Errorf("%s with the mark %q has the reason %q", id, mark, change.Reason)
				}
			}
		})
	}
}

// Set and Get could agree on the wrong field or constant; this holds the tokens against the Go names.
func TestRevisionFields(t *testing.T) {
	got := revision(t, "add-remove")
	got.StopOrder = protocol.Order{} // TestStopStep has it
	want := protocol.Config{
		Naming: protocol.OlderNames,
		Marker: protocol.MarkerEpoch, EpochSource: protocol.EpochFromLog, StopTransactions: protocol.TruncateToLSO,
		MarkerRerun: protocol.RerunOverwrites, MarkerWrite: protocol.MarkerAwaited, StopBump: protocol.BumpAboveLog,
		BatchEpoch: protocol.EpochPreserved, ProducerIDs: protocol.IDsKeptAndReset, FetchBound: protocol.BoundHW,
		Divergence: protocol.DivergenceTruncates, AlignmentWait: protocol.AlignmentISROrAll,
		LookupFailure: protocol.FailureIsRetried, LookupAbove: protocol.AboveKeepsAll, EpochFloor: protocol.FloorUnconstrained,
		CoordinatorFence: protocol.FenceLeaderEpochEqual, PersistOrder: protocol.PersistFirst, StopFrom: protocol.StopFromMirroring,
		OffsetClamp: protocol.ClampNone, ReverseCheck: protocol.ReverseUnchecked, ResetScope: protocol.ResetProducers,
		LookupMirrors: protocol.LookupSameName, AbortFailure: protocol.AbortRetried, SourceDeleted: protocol.DeletedStops,
		EarlyPause: protocol.EarlyPauseRefused, UnknownState: protocol.UnknownReadOnly, StoppedWhen: protocol.StoppedAfterReset,
		BumpDone: protocol.BumpDoneByMetadata, CoordinatorAck: protocol.AckAfterCommit, Followed: protocol.FollowedLeo,
		OffsetReclamp: protocol.ReclampNone, OffsetAfterStop: protocol.SyncStops, FetchAbove: protocol.AboveOutOfRange,
		ISRJoin: protocol.JoinByEpochStart, FirstBatch: protocol.AcceptUnknown, FailureState: protocol.FailureIsFailed,
		StartTopic: protocol.StartRefuses, IllegalEdge: protocol.EdgeError, PositionFence: protocol.PositionFencedAsState,
		PositionEnd: protocol.PositionAtLEO, AbsentReplica: protocol.AbsentFetchesOnly, LoadingAnswer: protocol.LoadingError,
		LagSign: protocol.LagFloored, OffsetFloor: protocol.FloorNone, BumpCompare: protocol.CompareAtLeast,
		UnknownStop: protocol.UnknownStopIllegal, RepeatRequest: protocol.RepeatError, StateCheck: protocol.CheckActual,
		LookupMissing: protocol.MissingIsMinusOne, LSOMoment: protocol.LSOAtOnce, PatternStop: protocol.PatternStopsMirroring,
		LeaderCut: protocol.CutKeeps, ResetRerun: protocol.ResetAgain, CoordinatorRead: protocol.ReadCommitted,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("add-remove (-want +got):\n%s", d)
	}
}

func preset(t *testing.T, name string) protocol.Preset {
	t.Helper()
	for _, p := range protocol.Revisions() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no revision is called %q", name)
	return protocol.Preset{}
}

// A revision with a base lists each choice that differs, with a reason, and no other.
func TestRevisionsSayWhatTheyChange(t *testing.T) {
	if first, hardened := preset(t, "first"), preset(t, "hardened"); first.Base != "start-stop" || hardened.Base != "first" {
		t.Errorf("first is based on %q, hardened on %q", first.Base, hardened.Base)
	}
	for _, p := range protocol.Revisions() {
		if p.Base == "" {
			continue
		}
		base, c := revision(t, p.Base), revision(t, p.Name)
		changed := map[string]bool{}
		for _, change := range p.Changes {
			changed[change.Decision] = true
			if change.Mark != protocol.Changed || change.Mark.String() != "+" || change.Reason == "" {
				t.Errorf("%s: %s has the mark %q and the reason %q", p.Name, change.Decision, change.Mark, change.Reason)
			}
		}
		for _, d := range protocol.Decisions() {
			if differs := c.Get(d.ID) != base.Get(d.ID); differs != changed[d.ID] {
				t.Errorf("%s: %s differs from the base: %v; is listed: %v", p.Name, d.ID, differs, changed[d.ID])
			}
		}
	}
	first := revision(t, "first")
	if got := first.Get("lookup-over"); got != "latest-run-or-own" {
		t.Errorf("lookup-over is %q", got)
	}
}
