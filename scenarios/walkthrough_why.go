package scenarios

import (
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// reason is a sentence of a seed that a message carries out: it stands above the first message, from the reason before it
// on, for which of is true.
type reason struct {
	of   func(wire.Body) bool
	text string
}

// because makes a reason of the messages of one type.
func because[T wire.Body](of func(T) bool, text string) reason {
	return reason{func(b wire.Body) bool {
		x, ok := b.(T)
		return ok && of(x)
	}, text}
}

func every[T wire.Body](T) bool { return true }

const walkHead = `# F1, message by message

Generated from two runs of F1 on the calm schedule by scenarios/walkthrough.go; rewrite it with
` + "`go test ./scenarios -run Pages -update`" + `. What happens in F1 is told in [SCENARIOS.md](../SCENARIOS.md), the rules are in
[PROTOCOL.md](PROTOCOL.md). Each line is a message that was delivered: the virtual time in ms, from whom to whom, its
name, and its telling fields. b0 -> b0 is a broker that is the coordinator of its own partition.

Left out are: heartbeats, fetches and metadata that bring nothing new, how clients find leader and producer id, and how
__mirror_state is replicated (each WriteMirrorStatesResponse waits for a fetch of the coordinator's follower).
Below the messages stand the logs that have changed, as the partition's leader has them. Both clusters have two
brokers, a0 and a1, b0 and b1; the partition t-0 is led by a0 and by b0. Inside a cluster a message takes 0.5 ms, between
clusters 20 ms. Seed 004 shows stop, pause and resume only; how a mirror starts is cited from seed 000 in both.
`

const startStopHead = "\n## Start-stop (seed 004): `mirrorsim run F1 --protocol first`\n"

const addRemoveHead = "\n## Add-remove (seed 000): `mirrorsim run F1 --protocol add-remove`\n\n" +
	"Only the stop differs. Its request is checked against the actual state, the leader epoch is bumped before the\n" +
	"position is recorded, and open transactions would be cut off instead of aborted; here there are none, so the logs\n" +
	"come out the same.\n"

func writes(s record.State) func(*wire.WriteMirrorStatesRequest) bool {
	return func(b *wire.WriteMirrorStatesRequest) bool {
		return b.Record.Kind == record.MirrorPartitionState && b.Record.State == s
	}
}

func writesPosition(b *wire.WriteMirrorStatesRequest) bool {
	return b.Record.Kind == record.LastMirroredEpochs
}

func requests(a wire.MirrorAction) func(*wire.MirrorTopicsRequest) bool {
	return func(b *wire.MirrorTopicsRequest) bool { return b.Action == a }
}

func mirrorFetch(b *wire.FetchRequest) bool { return b.Mirror }

// cutAbove is a divergence that a leader tells its follower after it has truncated its own log.
func cutAbove(b *wire.FetchResponse) bool { return b.Diverging && b.Cut > 0 }

func bringsReset(b *wire.FetchResponse) bool {
	for _, x := range b.Batches {
		if x.Control == record.MirrorPidReset {
			return true
		}
	}
	return false
}

func brings(n int) func(*wire.FetchResponse) bool {
	return func(b *wire.FetchResponse) bool { return len(b.Batches) == n }
}

// startStopReasons are the sentences for the order of seed 004.
func startStopReasons() []reason {
	return join(forwardReasons(), []reason{
		because(requests(wire.StopMirrorTopics), "The operator stops the mirror. Any state is accepted, as seed "+
			"004 names none (D18 stop-from=any); the controller puts the suffix behind mirror.name (Stop, 1 and 3)."),
		because(writes(record.Stopping), "The partition's leader sees it and transitions to STOPPING (Stop, 4). "+
			"The topic stays read-only."),
		because(writesPosition, "The stop sequence begins (Stop, 5). 5.1, the fetcher is removed, sends nothing. "+
			"5.2: \"the current leader epoch is collected and persisted as LME\" (D2 epoch-source=leader). It is "+
			"0, which here is the epoch of the last mirrored batch as well."),
		because(every[*wire.BumpLeaderEpochRequest], "5.3: \"the partition's leader epoch is bumped to draw a "+
			"boundary between mirrored and locally produced records\". The minimum is one above the leader epoch "+
			"and the epoch of the newest batch (D7 stop-bump=above-log). It is done when b0's own metadata show it "+
			"(D28 bump-done=metadata), before the controller's answer comes; the follower's parked fetch of the "+
			"old epoch ends with an error."),
		because(bringsReset, "5.4 finds no ongoing transaction and appends no ABORT marker. 5.5: b0 has appended "+
			"MIRROR_PID_RESET at 3 in leader epoch 1; it waits, as acks=all does, until the follower has it."),
		because(writes(record.Stopped), "6: \"partitions transition to STOPPED and becomes writable\", once the "+
			"reset is acknowledged (D27 stopped-when=after-reset)."),
	}, backReasons())
}

// addRemoveReasons are the sentences for the order of seed 000.
func addRemoveReasons() []reason {
	return join(forwardReasons(), []reason{
		because(requests(wire.StopMirrorTopics), "The topic must be in MIRRORING state (seed 000, Remove, 2; D18 "+
			"stop-from=mirroring). Only the coordinators know the actual state, so the broker that takes the "+
			"request reads it from them and puts it into what it forwards (D48 state-check=actual)."),
		because(writes(record.Stopping), "The partition's leader detects the suffix and transitions to STOPPING "+
			"(Remove, 3)."),
		because(every[*wire.BumpLeaderEpochRequest], "4.1, the fetcher is removed, sends nothing. 4.2: \"bump the "+
			"leader epoch for the partitions to ensure monotonically increasing epochs for new records\" (D7 "+
			"stop-bump=above-log)."),
		because(writesPosition, "4.3: \"the log is truncated to LSO\". The last stable offset is the log end, so "+
			"nothing is cut, and the ISR has followed already. 4.4: the LME is recorded (D2 epoch-source=log: the "+
			"epoch of the newest batch, 0), though the leader epoch of the writer is 1 by now."),
		because(bringsReset, "4.5: \"a MIRROR_PID_RESET control batch is written to the partition log, which "+
			"expires all ProducerStateManager entries\", on each replica that appends it."),
		because(writes(record.Stopped), "5: \"The state transitions from STOPPING to STOPPED. The read only flag "+
			"is cleared and the topic becomes writable.\""),
	}, backReasons())
}

func join(lists ...[]reason) []reason {
	var all []reason
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// forwardReasons are those from A to B, up to the stop.
func forwardReasons() []reason {
	return []reason{
		because(every[*wire.InitProducerIdResponse], "The producer has its id from A's own allocator. Each batch "+
			"is acknowledged when the high watermark has passed it: the follower's next fetch, from above the "+
			"batch, says that it has it."),
		because(requests(wire.StartMirrorTopics), "The request goes to any broker, which \"forwards to the active "+
			"controller\", here once it has asked the source for the topic's name and number of partitions (D37 "+
			"start-topic). The controller validates the topic and writes its desired state into the metadata log, "+
			"as the topic config mirror.name (seed 000, Add, 1 to 3)."),
		because(every[*wire.ReadMirrorStatesRequest], "The partition's leader sees it in its metadata and "+
			"\"queries the current mirror partition state from the coordinator\" (Add, 5). None is stored: UNKNOWN."),
		because(writes(record.Preparing), "From UNKNOWN to PREPARING (Add, 6). \"The partition state is persisted "+
			"to the __mirror_state topic on each state change\" (Add, 10), and its action begins when that is "+
			"acknowledged (D17 persist-order=persist-first). Storing PREPARING raises the run number to 1."),
		because(every[*wire.LastMirroredPositionRequest], "PREPARING looks up the last mirrored position: \"the "+
			"greatest leader epoch that the source cluster recognizes from the destination\" (Add, 7). Any broker "+
			"of the source answers; it reads the coordinators of its mirrors that had B as source. \"If the source "+
			"has no LME knowledge (first time mirroring), it returns -1 and the destination truncates everything "+
			"and replicates from scratch\": B's log is empty anyway."),
		because(writes(record.Mirroring), "\"Once all ISR members have completed truncation, the state transitions "+
			"from PREPARING to MIRRORING\" (Add, 8). No follower's log end is ahead of b0's, so there is nothing "+
			"to wait for (D30 followed-means=leo)."),
		because(mirrorFetch, "The mirror fetcher has found the source's leader and \"starts sending consumer Fetch "+
			"requests (not follower requests)\" (Add, 8). replicaId is -1, so A's ISR and high watermark do not "+
			"depend on it. It reads up to A's high watermark (D10 fetch-bound=hw)."),
		because(brings(1), "\"The fetched batch retains its original leader epoch from the source\" (Add, 9; D8 "+
			"batch-epoch=preserve). B's followers get the batches by ordinary replication."),
	}
}

// backReasons are those behind the stop.
func backReasons() []reason {
	return []reason{
		because(every[*wire.InitProducerIdResponse], "B's allocator gives the id 0 as well, which B knows from A's "+
			"records. The reset has removed that entry: \"new producers get fresh PIDs with no collision risk\" "+
			"(seed 000, Remove, 4.5), and sequence 0 is accepted. The batch stands in leader epoch 1, behind the "+
			"reset."),
		because(func(b *wire.ProduceRequest) bool { return b.Batch.BaseSequence > 0 }, "Nothing stops clients from "+
			"writing to the old source. What they write there now is never mirrored."),
		because(mirrorFetch, "Of the old fetcher one request was still on its way when it was removed. A answers "+
			"it, and b0 will drop the answer: no fetcher waits for it."),
		because(requests(wire.StartMirrorTopics), "The way back is the same request, made at A. Nothing says that "+
			"it is a failback; the lookup will find that out."),
		because(every[*wire.LastMirroredPositionRequest], "B answers what its stop has stored: epoch 0. The asker "+
			"\"truncates at the start offset of the first epoch beyond the LME\" (Add, 7). A's log is of epoch 0 "+
			"throughout, so nothing is beyond, and PREPARING cuts nothing."),
		because(mirrorFetch, "MIRRORING fetches from A's log end, 5, with the epoch of the last batch, 0. In B "+
			"epoch 0 ends at 3. \"The Fetch protocol handles any offset level divergence by truncating to the "+
			"exact offset where the source epoch ends\" (Add, 8): A is cut to 3, and its two later records are "+
			"discarded."),
		because(cutAbove, "Followers are sent no request to truncate. They find out as a0 did, at their parked "+
			"fetch."),
		because(bringsReset, "The rest of B is copied. The reset comes with it and clears A's producer entries "+
			"too. Its epoch, 1, is above A's own leader epoch, 0; followers accept that (D15 "+
			"epoch-floor=unconstrained)."),
	}
}
