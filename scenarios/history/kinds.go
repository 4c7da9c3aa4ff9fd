package history

import "mirrorsim/model/event"

func worldRows() map[event.Kind]row {
	to1 := need("to", peer, anyNode, "the other end")
	return map[event.Kind]row{
		event.Started: rowOf(fromAny, need("incarnation", sequence, count, "counts its starts, from 1")),
		event.Crashed: rowOf(fromAny, need("cause", cause, crashWords, "")),
		event.LinkSet: rowOf(fromAny, to1, need("up", to, flag, ""), ofDelay),
		event.NodeSet: rowOf(fromAny, need("hindrance", cause, hinderWords, ""), need("begins", to, flag, "false: it ends"), ofDelay,
			may("partition", place, partition, 0, "of a broken disk: the log; every log where it is left out")),
		event.Caught: rowOf(fromAny, to1, need("message", to, apiWords, ""), need("became", cause, catchWords, ""), ofDelay),
		event.Corrupted: rowOf(fromBroker, ofPartition, need("base_offset", offsetSlot, offset, "of the batch"),
			need("corrupt", to, flag, "false: it is whole again")),
		event.PointReached: rowOf(fromAny, need("point", to, pointWords, "")),
		event.Asserted:     rowOf(fromAny),
	}
}

func metadataRows() map[event.Kind]row {
	partitions := need("partitions", sequence, number(1, 0xffff), "how many")
	return map[event.Kind]row{
		event.TopicCreated: rowOf(fromLog, ofTopic, partitions, need("min_isr", to, number(0, 255), "min.insync.replicas"),
			may("flags", from, flags, 0, "which internal topic it is, and whether it, or its mirror, may be elected uncleanly")),
		event.TopicRemoved: rowOf(fromLog, ofTopic),
		event.TopicGrown:   rowOf(fromLog, ofTopic, partitions, byMirror),
		event.PartitionChanged: rowOf(fromLog, ofPartition, may("leader", peer, broker, nobody, "nobody where it is left out"),
			inEpoch,
			need("partition_epoch", sequence, count, ""), need("isr", digestSlot, brokers, ""),
			need("replicas", offsetSlot, brokers, ""),
			need("cause", cause, changeWords, "")),
		event.MirrorCreated: rowOf(fromLog, ofMirror, need("source", to, cluster, "")),
		event.MirrorRemoved: rowOf(fromLog, ofMirror),
		event.IntentChanged: rowOf(fromLog, ofTopic, ofMirror, need("desired", to, desiredWords, ""),
			may("recoveries", sequence, count, 0, "how often RecoverMirrorTopics was asked; 0 where it is left out"),
			may("discovered", cause, flag, 0, "by the mirror's list of topics, and not by a user; false where it is left out")),
		event.AclChanged: rowOf(fromLog, need("acl", digestSlot, acl, ""), need("added", to, flag, "false: removed"), byMirror),
		event.ConfigChanged: rowOf(fromLog, ofTopic, need("config", to, configWords, ""),
			may("value", offsetSlot, form{accepts: "a value of the config, as a string"}, 0, "deleted where it is left out"),
			byMirror),
		event.BrokerChanged: rowOf(fromLog, need("broker", peer, broker, ""), need("incarnation", sequence, count, ""),
			need("fenced", to, flag, "")),
		event.ControllerElected: rowOf(fromLog, need("controller", peer, controller, ""),
			need("controller_epoch", leaderEpoch, epoch, "")),
	}
}

func replicaRows() map[event.Kind]row {
	return map[event.Kind]row{
		event.Recovered: rowOf(fromBroker, ofPartition, need("log_start", offsetSlot, offset, ""), need("log_end", end, offset, ""),
			need("digest", digestSlot, digest, "of the log")),
		event.BecameLeader: rowOf(fromBroker, ofPartition, inEpoch, logEnd, need("high_watermark", end, offset, "")),
		event.BecameFollower: rowOf(fromBroker, ofPartition, inEpoch,
			may("leader", peer, broker, nobody, "nobody where it is left out")),
		event.Appended: rowOf(fromBroker, ofPartition, ofEpoch, need("origin", cause, originWords, "by whom it was appended"),
			need("batch", batchSlot, form{accepts: "a batch"}, "")),
		event.Truncated: rowOf(fromBroker, ofPartition, ofEpoch, logEnd, need("log_end_before", end, offset, ""),
			need("cause", cause, truncateWords, "")),
		event.StartMoved: rowOf(fromBroker, ofPartition, need("log_start", offsetSlot, offset, ""),
			need("log_start_before", end, offset, "")),
		event.Compacted: rowOf(fromBroker, ofPartition, need("base_offset", offsetSlot, offset, "of the batch"),
			need("end", end, offset, "the offset behind its last"),
			may("batch", batchSlot, form{accepts: "a batch"}, 0, "what is left; nothing where it is left out")),
		event.HighWatermark: rowOf(fromBroker, ofPartition, ofEpoch, need("high_watermark", offsetSlot, offset, ""),
			need("log_end", end, offset, "")),
		event.EpochAdded: rowOf(fromBroker, ofPartition, need("epoch", batchEpoch, epoch, ""),
			need("start", offsetSlot, offset, "of the epoch's first record"),
			need("entries", sequence, entries, "of the cache, after it")),
		event.ProducersReset: rowOf(fromBroker, ofPartition, need("offset", offsetSlot, offset, "of the MIRROR_PID_RESET"),
			need("entries", sequence, entries, "that are left")),
		event.FetchAnswered: rowOf(fromBroker, ofPartition, need("to", peer, fetcher, "who fetches"),
			need("fetcher", from, fetcherWords, ""), ofEpoch,
			need("fetch_offset", offsetSlot, offset, ""), need("last_fetched_epoch", batchEpoch, someEpoch, "-1 if none"), ofCode,
			need("end", end, offset, "the log end; of a diverging answer the end of the diverging epoch"),
			may("diverging", cause, flag, 0, "the answer has a diverging epoch; false where it is left out"),
			may("diverging_epoch", sequence, someEpoch, 0, "the epoch of a diverging answer")),
		event.ReplicaRemoved: rowOf(fromBroker, ofPartition),
		event.ReplicaFailed:  rowOf(fromBroker, ofPartition),
		event.IntentSeen:     rowOf(fromBroker, ofTopic, ofMirror, need("desired", to, desiredWords, "")),
	}
}

func reportRows() map[event.Kind]row {
	return map[event.Kind]row{
		event.ReplicaReported: rowOf(fromBroker, ofPartition, ofEpoch, need("log_start", offsetSlot, offset, ""),
			need("log_end", end, offset, ""),
			need("high_watermark", producer, offset, ""), need("epoch_entries", sequence, entries, "how many epoch-reported follow"),
			need("producer_entries", op, entries, "how many producer-reported follow these"),
			need("cause", cause, reportWords, "when it reports"),
			need("digest", digestSlot, digest, "of the log")),
		event.EpochReported: rowOf(fromBroker, ofPartition, need("epoch", batchEpoch, epoch, ""),
			need("start", offsetSlot, offset, "")),
		event.ProducerReported: rowOf(fromBroker, ofPartition, ofProducer, ofIdentity, need("last_sequence",
			sequence, someEpoch, "-1 if none"),
			need("transaction_start", offsetSlot, someOffset, "of its open transaction; -1 if none"),
			need("last_offset", end, someOffset, "of its newest batch; -1 if none")),
	}
}

func mirrorRows() map[event.Kind]row {
	run := need("run", end, offset, "counts how often PREPARING was stored")
	seqRun := need("run", sequence, count, "counts how often PREPARING was stored")
	stateEpoch := need("state_epoch", sequence, count, "counts the states that were stored of the entry")
	writer := need("writer", peer, broker, "")
	before := need("before", from, stateWords, "the state before")
	source := need("source", peer, broker, "the broker of the source")
	at := need("stored_at", end, offset, "the offset in __mirror_state")
	foundFlag := need("found", cause, flag, "")
	sourceEpoch := need("source_epoch", batchEpoch, someEpoch, "the source's leader epoch by which it fetches")
	return map[event.Kind]row{
		event.StateReadCalled:       rowOf(fromBroker, ofPartition, ofMirror, ofOp, ofEpoch),
		event.StateReadReturned:     rowOf(fromBroker, ofPartition, ofMirror, ofOp, ofState, stateEpoch, ofRun, causeCode),
		event.StateWriteCalled:      rowOf(fromBroker, ofPartition, ofMirror, ofOp, ofState, ofEpoch, ofRun),
		event.StateWriteReturned:    rowOf(fromBroker, ofPartition, ofMirror, ofOp, ofState, stateEpoch, causeCode),
		event.PositionWriteCalled:   rowOf(fromBroker, ofPartition, ofMirror, ofOp, lmeEpoch, lmeOffset, ofEpoch, run),
		event.PositionWriteReturned: rowOf(fromBroker, ofPartition, ofMirror, ofOp, causeCode),
		event.StateStored: rowOf(fromBroker, ofPartition, ofMirror, writer, ofOp, before, ofState, ofEpoch, stateEpoch, ofRun, at,
			may("reason", cause, reasonWords, 0, "why a state cannot go on; none where it is left out"),
			may("attempts", digestSlot, attempts, 0, "failures in a row; -1: not tried again; 0 where it is left out")),
		event.StateCommitted:    rowOf(fromBroker, ofPartition, ofMirror, ofHome, ofState, ofEpoch, stateEpoch, ofRun),
		event.PositionStored:    rowOf(fromBroker, ofPartition, ofMirror, writer, ofOp, lmeEpoch, lmeOffset, ofEpoch, seqRun, at),
		event.PositionCommitted: rowOf(fromBroker, ofPartition, ofMirror, ofHome, lmeEpoch, lmeOffset, ofEpoch, seqRun),
		event.EntryRemoved:      rowOf(fromBroker, ofPartition, ofMirror, need("entry", from, entryWords, "")),
		event.CoordinatorLoaded: rowOf(fromBroker, ofPartition, ofEpoch, need("entries", sequence, count, "")),
		event.StateEntered:      rowOf(fromBroker, ofPartition, ofMirror, before, ofState, ofEpoch, ofRun),
		event.PositionRecalled:  rowOf(fromBroker, ofPartition, ofMirror, lmeEpoch, lmeOffset, foundFlag),
		event.LookupReturned:    rowOf(fromBroker, ofPartition, ofMirror, source, lmeEpoch, lmeOffset, ofCode, foundFlag),
		event.Aligned:           rowOf(fromBroker, ofPartition, ofMirror, ofEpoch, logEnd),
		event.MirrorFetchStarted: rowOf(fromBroker, ofPartition, ofMirror, source, need("fetch_offset", offsetSlot, offset, ""),
			ofEpoch, sourceEpoch),
		event.MirrorFetched: rowOf(fromBroker, ofPartition, ofMirror, source, need("fetch_offset", offsetSlot, offset, ""),
			need("source_high_watermark", end, someOffset, ""), ofEpoch, sourceEpoch, ofCode,
			may("diverging", cause, flag, 0, "the answer had a diverging epoch; false where it is left out")),
		event.MirrorFetchStopped: rowOf(fromBroker, ofPartition, ofMirror, ofEpoch, logEnd),
		event.StopStepDone: rowOf(fromBroker, ofPartition, ofMirror, need("step", to, stepWords, ""), ofEpoch, logEnd,
			need("batch_epoch", batchEpoch, someEpoch, "of the newest batch; -1 if none")),
		event.WritableChanged: rowOf(fromBroker, ofPartition, ofMirror, ofEpoch, need("writable", to, flag, "it takes client writes"),
			ofRun),
		event.MirrorSynced: rowOf(fromBroker, ofMirror, source, need("requests", sequence, count, "to the controller")),
	}
}

func coordinatorRows() map[event.Kind]row {
	group := need("group", peer, client, "the client that is the group's member")
	coordinatorEpoch := need("coordinator_epoch", leaderEpoch, someEpoch, "")
	commit := []field{ofPartition, group, may("mirror", mirrorSlot, mirror, 0, "of a mirror's commit"),
		need("offset", offsetSlot, someOffset, "the next one to read; -1 of a tombstone"),
		need("epoch", batchEpoch, someEpoch, "of the record before it; -1 if none"),
		need("generation", sequence, someEpoch, "-1 of somebody who is not in the group"),
		need("origin", cause, commitWords, "by whom it was committed"),
		may("tombstone", to, flag, 0, "false where it is left out"),
		need("stored_end", end, offset, "behind it in __consumer_offsets")}
	return map[event.Kind]row{
		event.TransactionStored: rowOf(fromBroker, need("transactional_id", peer, client, "the client that has it"), ofProducer,
			ofIdentity,
			need("before", from, transactionWords, ""), need("state", to, transactionWords, ""), coordinatorEpoch,
			need("partitions", sequence, count, "how many it has")),
		event.GroupStored: rowOf(fromBroker, group, need("generation", sequence, count, ""),
			need("active", to, flag, "it has its member"),
			coordinatorEpoch),
		event.OffsetStored:    rowOf(fromBroker, append(append([]field(nil), commit...), coordinatorEpoch)...),
		event.OffsetCommitted: rowOf(fromBroker, commit...),
	}
}

func clientRows() map[event.Kind]row {
	server := may("broker", peer, broker, nobody, "who answered; nobody where it is left out")
	ending := need("commit", to, flag, "false: abort")
	leave := need("leave", to, flag, "false: it commits its positions")
	ended, left := ending, leave
	ended.slot, left.slot = cause, cause
	return map[event.Kind]row{
		event.ProducerIdReceived: rowOf(fromClient, onCluster, ofProducer, ofIdentity),
		event.ProduceCalled: rowOf(fromClient, ofPartition, ofOp, onCluster, ofProducer, ofIdentity, need("sequence",
			sequence, someEpoch, "base sequence; -1 if none"),
			need("records", end, offset, "how many"), need("crc", digestSlot, crc, "of the batch, as broker logs have it"),
			need("acks", to, acks, "")),
		event.ProduceSent: rowOf(fromClient, ofPartition, ofOp, onCluster, need("broker", peer, broker, ""), need("attempt",
			sequence, count, "from 0")),
		event.ProduceReturned: rowOf(fromClient, ofPartition, ofOp, onCluster, server,
			need("base_offset", offsetSlot, someOffset, "-1 if it is not known"),
			ofCode),
		event.ConsumerRead: rowOf(fromClient, ofPartition, onCluster, need("broker", peer, broker, "who answered"),
			need("from", offsetSlot, offset, "the position before"), need("to", end, offset, "the position after"), inEpoch,
			need("read_committed", to, flag, ""), need("digest", digestSlot, digest, "of the batches")),
		event.ConsumerMoved: rowOf(fromClient, ofPartition, onCluster, need("position", offsetSlot, someOffset, ""),
			need("epoch", leaderEpoch, someEpoch, "of the record before it; -1 if none"), ofCode,
			need("read_committed", cause, flag, "")),
		event.TransactionCalled:   rowOf(fromClient, ofOp, onCluster, ofProducer, ofIdentity, ending),
		event.TransactionReturned: rowOf(fromClient, ofOp, onCluster, ofProducer, ofIdentity, ofCode, ended),
		event.ConsumerAssigned:    rowOf(fromClient, ofPartition, onCluster),
		event.GroupJoined:         rowOf(fromClient, onCluster, need("generation", sequence, count, "")),
		event.GroupCalled:         rowOf(fromClient, ofOp, onCluster, leave),
		event.GroupReturned:       rowOf(fromClient, ofOp, onCluster, ofCode, left),
		event.OffsetFetched: rowOf(fromClient, ofPartition, onCluster,
			need("offset", offsetSlot, someOffset, "-1 if none is committed"),
			need("epoch", batchEpoch, someEpoch, "-1 if none is committed")),
	}
}

func adminRows() map[event.Kind]row {
	about := may("topic", topicSlot, topic, 0, "of a request about topics: one event for each")
	index := may("index", indexSlot, entries, 0, "of a request about a partition; 0 where it is left out")
	under := may("mirror", mirrorSlot, mirror, 0, "of a request about a mirror")
	return map[event.Kind]row{
		event.AdminCalled:   rowOf(fromAdmin, ofOp, onCluster, need("request", to, adminWords, ""), about, index, under),
		event.AdminReturned: rowOf(fromAdmin, ofOp, onCluster, about, index, under, ofCode),
		event.MirrorDescribed: rowOf(fromAdmin, ofPartition, ofMirror, ofOp, need("desired", from, desiredWords, ""), ofState,
			need("reason", cause, reasonWords, ""), need("attempts", sequence, attempts, ""),
			need("lag", offsetSlot, number(-maxOffset, maxOffset), "0 where it is not known"),
			need("lag_known", end, flag, ""), lmeEpoch, need("offset", producer, someOffset, "the last mirrored offset; -1 if none")),
	}
}
