package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/scenarios/format"
)

// yardstick is the case by which mends are measured where nothing falls: a failover, and a failback with one mirror each way.
const yardstick = "F1"

// mendCosts are what a choice of hardened costs that the numbers of the yardstick do not show. Of several costs each is an entry of a
// list below the choice.
var mendCosts = map[string]string{
	"D2": "none: another number is recorded",
	"D1": "the offset is stored with the epoch; an old source whose log starts above it is started anew and copied from " +
		"there",
	"D3": "none by itself: the same five steps in another order",
	"D4": "one ABORT marker for each open transaction; one that the source commits later is committed there and aborted " +
		"here",
	"D5": "a stop that runs again reads the stored position before it records one",
	"D6": "the stop stands still while the coordinator of the mirror is away or lacks in-sync replicas",
	"D7": "somebody assigns each cluster a number below 16 that no other has of all clusters that ever mirror one another. " +
		"Leader epochs go up by 2^20 a stop instead of 1, so that a partition has 2,047 stops before its eras are used up; from " +
		"then on it is `above-log`. More than 65,536 elections in one era run into the numbers of the next cluster. Before its " +
		"first stop every partition is in era 0, whose numbers are of no cluster: there two clusters can still write under one " +
		"epoch",
	"D11": "several, each where it says:" +
		"\n  - For a topic that supports unclean elections: alignment once more, and no mirroring until every replica has followed." +
		"\n  - Where the log is empty and begins above the source's: a copy anew." +
		"\n  - Where a log's own cleaner has been beyond the cut: a copy anew of what lies above the first gap." +
		"\n  - A log that was copied from a cleaned one has its gaps and no cleaner of its own, and keeps them: where it leads at the " +
		"failback and what its gaps are there for is cut, or its source loses that in an unclean election, the records in them are " +
		"lost. No option mends that." +
		"\n  - A source whose new leader has not heard of the last DeleteRecords looks as one that has begun anew. Its mirrors, which " +
		"are empty, copy the deleted records again, and serve them (scenario " +
		"[deleted-records-come-back](scenarios/corpus/deleted-records-come-back.scn))." +
		"\n  - A cut that is lowered takes what both sides have. A stop before that has been copied again, as `stop-from=any` (D18) " +
		"allows, loses it (scenario " +
		"[stopped-before-it-has-copied-again](scenarios/corpus/stopped-before-it-has-copied-again.scn)).",
	"D12": "one fetch of the source more before MIRRORING; while the source does not answer, the state stays PREPARING",
	"D15": "a leader epoch for each election at the source, raised through the controller, and no fetch from the source " +
		"meanwhile",
	"D16": "the coordinator keeps the highest leader epoch of each partition; a deposed leader is told that it is none",
	"D18": "a stop is accepted before the logs are aligned as well, and what was not mirrored then is lost",
	"D19": "a group has no newer offset at the destination than the in-sync replicas have records for",
	"D20": "a start waits in PREPARING until the mirror of the other direction is STOPPED, for ever if nobody stops that",
	"D21": "none as long as every ABORT marker is appended before the reset: what it drops then has no leader that knows of it. " +
		"With `abort-failure=ignore` (D23) it drops a transaction that has no ABORT, and its records are read as committed (story " +
		"transaction-without-its-abort)",
	"D22": "one request more, to the own coordinator, and the answerer looks over all its mirrors",
	"D23": "the stop stands still while the partition lacks in-sync replicas",
	"D31": "a group whose offset is lowered reads again what lies above the cut in the new history",
	"D32": "a commit of the mirror that was on its way is dropped: the group begins at an earlier offset, if it has none " +
		"of its own",
	"D37": "the controller keeps for each deleted topic id how far its leader epochs went, for ever",
	"D39": "none beyond that of D16: a position of a deposed leader is told that it is none, as a state is",
	"D40": "the stop waits until the high watermark is at the log end, with a replica that lags up to " +
		"replica.lag.time.max.ms",
	"D41": "the log end of each alignment is stored; a replica that comes back copies what lies above it again, from the " +
		"second run on all",
	"D44": "none: below the log start there is nothing to read",
	"D46": "none: an edge more in the state machine",
	"D47": "the metadata log keeps for each admin the number of its newest request and what that changed",
	"D49": "a failback after DeleteMirror is refused as well, in FAILED, which is not tried again: the operator stops the topic, " +
		"deletes the records or the topic, and starts again. In `add-remove` and `aligned` the stop of a FAILED topic is refused, " +
		"and with it everything else: there the mend leaves no sure way out, as a stop is accepted only in the moment between a " +
		"recovery and the next failure, unless `stop-from=any` (D18) is beside it. Without " +
		"`alignment-wait=source-then-isr-or-all` (D12), as in all three, that stop stores the end of its own log as the last " +
		"mirrored position, of records that nobody mirrored",
	"D52": "the high watermark stands still until each follower has fetched again after a cut",
}

// costsHead is what stands above the table of costs.
const costsHead = `
## What the mends cost

What the calm run of [%s](SCENARIOS.md#%s) takes, a failover and a failback in which nothing falls. 302 → 346 is 302 under the revision
as it is and 346 with the mend in it; a number alone is the same in both. Deliveries are messages and timers that a node handled.
Stop and failback are seconds of virtual time: from the request until all partitions are STOPPED and writable, and from the request
until all have lag 0. Copied again are records that the failback cut and copied anew; the highest leader epoch is that of a mirrored
partition at the end.

| mend | in | deliveries | stop | failback | copied again | highest leader epoch |
|---|---|---|---|---|---|---|
`

// writeCosts is the table of what each mend costs in the yardstick, in each revision that it mends.
func writeCosts(b *strings.Builder, list []*finding) error {
	fmt.Fprintf(b, costsHead, yardstick, strings.ToLower(yardstick))
	var unseen, free []string
	for _, m := range mends(list) {
		var same []string
		for _, revision := range published {
			if !m.in[revision] {
				continue
			}
			was, is, err := measured(revision, m.sets)
			if err != nil {
				return err
			}
			costs := strings.Join(costsOf(was, is), " | ")
			if !strings.Contains(costs, "→") {
				same = append(same, revision)
				continue
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", choices(m.sets), revision, costs)
		}
		if len(same) > 0 {
			free = append(free, fmt.Sprintf("- %s in %s\n", choices(m.sets), joined(same)))
		}
		for _, x := range m.sets {
			line := fmt.Sprintf("- `%s=%s` (%s): %s\n", x.Key, x.Token, idOf(x.Key), mendCosts[idOf(x.Key)])
			if !slices.Contains(unseen, line) {
				unseen = append(unseen, line)
			}
		}
	}
	b.WriteString("\nThese change no number of this run:\n\n" + strings.Join(free, ""))
	b.WriteString("\nWhat no number of this run shows:\n\n" + strings.Join(unseen, ""))
	return nil
}

// costsOf are the costs of a run without and with a mend, as cells of the table.
func costsOf(was, is *Result) []string {
	a, b := &was.Cost, &is.Cost
	return []string{change(fmt.Sprint(was.Deliveries), fmt.Sprint(is.Deliveries)), change(a.Stops.String(), b.Stops.String()),
		change(a.Failbacks.String(), b.Failbacks.String()), change(fmt.Sprint(a.CopiedAgain), fmt.Sprint(b.CopiedAgain)),
		change(fmt.Sprint(a.LeaderEpoch), fmt.Sprint(b.LeaderEpoch))}
}

// mend is what mends something, and in which revisions.
type mend struct {
	sets []format.Set
	in   map[string]bool
}

// mends are all that the findings name, in the order in which they come.
func mends(list []*finding) (all []*mend) {
	for _, x := range list {
		for i := range x.fallen {
			f := &x.fallen[i]
			if len(f.line.Mend) == 0 || len(f.line.Sets) > 0 {
				continue
			}
			var m *mend
			for _, y := range all {
				if choices(y.sets) == choices(f.line.Mend) {
					m = y
				}
			}
			if m == nil {
				m = &mend{f.line.Mend, map[string]bool{}}
				all = append(all, m)
			}
			m.in[f.line.Revision] = true
		}
	}
	return all
}

// measured are the yardstick's runs under a revision, without and with a mend.
func measured(revision string, sets []format.Set) (was, is *Result, err error) {
	f, err := Find(yardstick)
	if err != nil {
		return nil, nil, err
	}
	s, err := f.Scenario()
	if err != nil {
		return nil, nil, err
	}
	d, err := Choose(s, revision, nil)
	if err != nil {
		return nil, nil, err
	}
	if was, err = Run(s, Options{Protocol: d.Config}); err != nil {
		return nil, nil, err
	}
	if d, err = d.with(sets); err != nil {
		return nil, nil, err
	}
	is, err = Run(s, Options{Protocol: d.Config})
	return was, is, err
}
