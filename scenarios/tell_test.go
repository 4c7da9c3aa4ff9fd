package scenarios

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func TestSentences(t *testing.T) {
	tell := &teller{names: &id.Names{Clusters: []string{"A", "B"}, Nodes: []string{"a0", "b0", "tx"}, Mirrors: []string{"", "m"},
		Topics: map[id.Topic]string{1: "t"}}}
	topic, p := id.Partition{Topic: 1}, id.Partition{Topic: 1, Index: 2}
	unretryable := int16(record.NotRetryable)
	state := func(k event.Kind, from, to record.State) event.Event {
		return event.Event{Kind: k, Partition: p, Mirror: 1, From: uint8(from), To: uint8(to)}
	}
	failed := state(event.StateStored, record.Mirroring, record.Failed)
	failed.Cause, failed.Digest = uint8(record.SourceUnreachable), 2
	forGood := failed
	forGood.Cause, forGood.Digest = uint8(record.SourceDeleted), uint64(unretryable)
	table := []struct {
		e    event.Event
		want string
	}{
		{event.Event{Kind: event.TopicCreated, At: 1, Partition: topic, Sequence: 3}, "t is created, partitions: 3"},
		{event.Event{Kind: event.TopicCreated, Partition: topic, Sequence: 3}, ""},
		{event.Event{Kind: event.TopicRemoved, Partition: topic}, "t is deleted"},
		{event.Event{Kind: event.MirrorCreated, At: 1, Mirror: 1}, "mirror m from A is created or changed"},
		{event.Event{Kind: event.MirrorCreated, Mirror: 1}, ""},
		{event.Event{Kind: event.MirrorRemoved, Mirror: 1}, "mirror m is deleted"},
		{event.Event{Kind: event.IntentChanged, Partition: topic, Mirror: 1}, "t leaves mirror m"},
		{event.Event{Kind: event.IntentChanged, Partition: topic, Mirror: 1, To: uint8(record.WantPaused)}, "t desired: paused in mirror m"},
		{event.Event{Kind: event.IntentChanged, Partition: topic, Mirror: 1, To: uint8(record.WantMirroring), Sequence: 2},
			"t desired: mirroring in mirror m, recoveries: 2"},
		{event.Event{Kind: event.StartMoved, Partition: p, Offset: 9, End: 4}, "t-2 log start moved from 4 to 9"},
		{event.Event{Kind: event.ReplicaRemoved, Partition: p}, "t-2 replica removed with its log"},
		{event.Event{Kind: event.Appended, Partition: p, Cause: uint8(event.FromCoordinator), BatchEpoch: 3,
			Batch: record.NewMarker(record.Commit, 5, 0, 0).At(7, 3)}, "t-2 appends commit 7@3 for the transaction coordinator"},
		{failed, "t-2 state FAILED stored by coordinator, MIRRORING before: no broker of the source answers; attempt 2"},
		{forGood, "t-2 state FAILED stored by coordinator, MIRRORING before: the source has deleted the topic; not tried again"},
		{state(event.StateStored, record.Mirroring, record.Pausing), "t-2 state PAUSING stored by coordinator, MIRRORING before"},
		{state(event.StateEntered, record.Mirroring, record.EpochFencing),
			"t-2 is EPOCH_FENCING: the leader epoch is to reach the source's"},
		{state(event.StateEntered, record.Mirroring, record.UleRecovery), "t-2 is ULE_RECOVERY: every replica is to follow the cut"},
		{state(event.StateEntered, record.Mirroring, record.Pausing), "t-2 is PAUSING: the fetcher goes"},
		{state(event.StateEntered, record.Pausing, record.Paused), "t-2 is PAUSED"},
		{event.Event{Kind: event.EntryRemoved, Partition: p, Mirror: 1, From: uint8(record.LastMirroredEpochs)},
			"t-2 last mirrored position under mirror m removed"},
		{event.Event{Kind: event.EntryRemoved, Partition: p, Mirror: 1, From: uint8(record.MirrorPartitionState)},
			"t-2 state under mirror m removed"},
		{event.Event{Kind: event.TransactionStored, Peer: 2, From: uint8(record.TransactionOngoing), To: uint8(record.PrepareAbort),
			ProducerID: 5, BatchEpoch: 1, Sequence: 2},
			"transaction of tx is PrepareAbort, Ongoing before: producer id 5 epoch 1, partitions: 2"},
		{event.Event{Kind: event.TransactionCalled, From: 1, To: 1, ProducerID: 5}, "commits its transaction on B (producer id 5 epoch 0)"},
		{event.Event{Kind: event.TransactionCalled, ProducerID: 5}, "aborts its transaction on A (producer id 5 epoch 0)"},
		{event.Event{Kind: event.TransactionReturned, Cause: 1, To: uint8(wire.InvalidTxnState)},
			"commit of its transaction answered: INVALID_TXN_STATE"},
		{event.Event{Kind: event.TransactionReturned}, "abort of its transaction answered: NONE"},
		{event.Event{Kind: event.MirrorDescribed, Partition: p, From: uint8(record.WantMirroring), To: uint8(record.Failed),
			Cause: uint8(record.StorageError), Sequence: 3, BatchEpoch: -1, ProducerID: -1},
			"t-2 described: desired mirroring, FAILED (this broker's storage fails), attempts 3, lag unknown, last mirrored epoch -1"},
		{event.Event{Kind: event.MirrorDescribed, Partition: p, From: uint8(record.WantStopped), To: uint8(record.Stopped), End: 1,
			Offset: 4, BatchEpoch: 2, ProducerID: 6},
			"t-2 described: desired stopped, STOPPED, lag 4, last mirrored epoch 2 offset 6"},
		{event.Event{Kind: event.AdminReturned, Partition: topic, Mirror: 1}, "t answered: NONE"},
		{event.Event{Kind: event.AdminReturned, Mirror: 1, To: uint8(wire.ClusterMirrorNotEmpty)}, "mirror m answered: CLUSTER_MIRROR_NOT_EMPTY"},
	}
	for _, c := range table {
		t.Run(c.want, func(t *testing.T) {
			if got := tell.sentence(&c.e); got != c.want {
				t.Errorf("%v is told as %q", c.e.Kind, got)
			}
		})
	}
}

// TestGroupSentences: what is told of groups.
func TestGroupSentences(t *testing.T) {
	tell := &teller{names: &id.Names{Clusters: []string{"A", "B"}, Nodes: []string{"a0", "b0", "g"}, Topics: map[id.Topic]string{1: "t"}}}
	p := id.Partition{Topic: 1, Index: 2}
	for _, c := range []struct {
		e    event.Event
		want string
	}{
		{event.Event{Kind: event.GroupStored, Peer: 2, Sequence: 3, To: 1}, "group g has its member, generation 3"},
		{event.Event{Kind: event.GroupStored, Peer: 2, Sequence: 3}, "group g is empty"},
		{event.Event{Kind: event.OffsetStored, Partition: p, Peer: 2, Offset: 7, BatchEpoch: 1, Cause: uint8(record.CommitMirror)},
			"t-2 offset of group g stored: 7@1, by the mirror"},
		{event.Event{Kind: event.OffsetStored, Partition: p, Peer: 2, To: 1}, "t-2 offset of group g removed with its topic"},
		{event.Event{Kind: event.GroupJoined, From: 1, Sequence: 2}, "joins its group on B, generation 2"},
		{event.Event{Kind: event.GroupReturned, From: 1, Cause: 1}, "leave of its group on B answered: NONE"},
		{event.Event{Kind: event.OffsetFetched, Partition: p, Offset: -1}, "t-2 has no committed offset"},
		{event.Event{Kind: event.OffsetFetched, Partition: p, Offset: 7, BatchEpoch: 1}, "t-2 committed offset is 7@1"},
	} {
		if got := tell.sentence(&c.e); got != c.want {
			t.Errorf("%v is told as %q, want %q", c.e.Kind, got, c.want)
		}
	}
}

// No kind of event makes a story panic, whatever it holds of the values that there are.
func TestEveryKindIsTold(t *testing.T) {
	tell := &teller{names: &id.Names{}}
	batch := record.NewData(1, 0, 0, []record.Record{{Key: 1}}).At(0, 0)
	for k := 1; k < event.Kinds; k++ {
		for _, cause := range []uint8{0, 1, 2, 3, 4} {
			tell.sentence(&event.Event{Kind: event.Kind(k), To: cause, From: cause, Cause: cause, Batch: batch, At: 1})
		}
	}
}
