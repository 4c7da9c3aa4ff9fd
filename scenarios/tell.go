package scenarios

import (
	"fmt"
	"strings"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// teller puts events into sentences.
type teller struct{ names *id.Names }

// sentence is what the event says in the protocol's words; "" for one that a story leaves out.
func (t *teller) sentence(e *event.Event) string {
	for _, of := range []func(*event.Event) string{t.world, t.metadata, t.log, t.mirror, t.client} {
		if s := of(e); s != "" {
			return s
		}
	}
	return ""
}

func (t *teller) world(e *event.Event) string {
	switch e.Kind {
	case event.Started:
		if e.Sequence > 1 {
			return fmt.Sprintf("starts again (incarnation %d)", e.Sequence)
		}
	case event.Crashed:
		if event.CrashCause(e.Cause) == event.PowerLoss {
			return "loses power"
		}
		return "crashes"
	case event.LinkSet:
		switch {
		case e.To == 0:
			return fmt.Sprintf("link to %s is cut", t.names.Node(e.Peer))
		case e.Offset > 0:
			return fmt.Sprintf("link to %s takes %v longer", t.names.Node(e.Peer), id.Duration(e.Offset))
		}
		return fmt.Sprintf("link to %s works", t.names.Node(e.Peer))
	case event.NodeSet:
		return t.hindrance(e)
	case event.Caught:
		return t.caught(e)
	case event.Corrupted:
		if e.To == 0 {
			return fmt.Sprintf("the batch at %d of %s is whole again on its disk", e.Offset, t.names.Partition(e.Partition))
		}
		return fmt.Sprintf("a bit of the batch at %d of %s turns round on its disk", e.Offset, t.names.Partition(e.Partition))
	case event.Asserted:
		return "an assertion of the model fired"
	}
	return ""
}

// hindrance is what began, or ceased, to hinder a node.
func (t *teller) hindrance(e *event.Event) string {
	by := id.Duration(e.Offset)
	switch what, on := event.Hindrance(e.Cause), e.To == 1; {
	case what == event.Paused && on:
		return "pauses"
	case what == event.Paused:
		return "goes on after its pause"
	case what == event.SlowInputs && on:
		return fmt.Sprintf("handles every input %v later", by)
	case what == event.SlowInputs:
		return "handles its inputs at once again"
	case what == event.DiskFull && on:
		return "has a full disk"
	case what == event.DiskFull:
		return "has room on its disk again"
	case what == event.DiskBroken && on && e.Partition != id.Partition{}:
		return "can neither read nor write the log of " + t.names.Partition(e.Partition)
	case what == event.DiskBroken && on:
		return "can neither read nor write its logs"
	case what == event.DiskBroken:
		return "has a disk that is well again"
	case on:
		return fmt.Sprintf("sends its answers %v later", by)
	}
	return "sends its answers at once again"
}

func (t *teller) caught(e *event.Event) string {
	text := wire.API(e.To).String() + " to " + t.names.Node(e.Peer)
	switch by := id.Duration(e.Offset); event.Catch(e.Cause) {
	case event.Late:
		return fmt.Sprintf("%s is %v late", text, by)
	case event.Twice:
		return fmt.Sprintf("%s comes twice, %v apart", text, by)
	}
	return text + " is lost"
}

func (t *teller) metadata(e *event.Event) string {
	switch e.Kind {
	case event.PartitionChanged:
		return t.partitionChanged(e)
	case event.TopicCreated:
		if e.At > 0 {
			return fmt.Sprintf("%s is created, partitions: %d", t.names.Topic(e.Partition.Topic), e.Sequence)
		}
	case event.TopicGrown:
		return fmt.Sprintf("%s is grown%s, partitions: %d", t.names.Topic(e.Partition.Topic), t.byMirror(e), e.Sequence)
	case event.TopicRemoved:
		return t.names.Topic(e.Partition.Topic) + " is deleted"
	case event.MirrorCreated:
		if e.At > 0 {
			return fmt.Sprintf("mirror %s from %s is created or changed", t.names.Mirror(e.Mirror), t.names.Cluster(id.Cluster(e.To)))
		}
	case event.MirrorRemoved:
		return fmt.Sprintf("mirror %s is deleted", t.names.Mirror(e.Mirror))
	case event.IntentChanged:
		return t.intentChanged(e)
	case event.ConfigChanged:
		return t.configChanged(e)
	case event.AclChanged:
		return fmt.Sprintf("ACL %s is %s%s", t.names.Acl(e.Digest), [...]string{"removed", "added"}[e.To&1], t.byMirror(e))
	case event.BrokerChanged:
		if e.To == 1 {
			return t.names.Node(e.Peer) + " is fenced"
		}
		if e.At > 0 {
			return t.names.Node(e.Peer) + " is unfenced"
		}
	}
	return ""
}

func (t *teller) partitionChanged(e *event.Event) string {
	p := t.names.Partition(e.Partition)
	switch event.ChangeCause(e.Cause) {
	case event.CleanElection:
		return fmt.Sprintf("%s elects %s: leader epoch %d", p, t.names.Node(e.Peer), e.LeaderEpoch)
	case event.UncleanElection:
		return fmt.Sprintf("%s elects %s uncleanly: leader epoch %d", p, t.names.Node(e.Peer), e.LeaderEpoch)
	case event.NoLeader:
		return fmt.Sprintf("%s has no leader: leader epoch %d", p, e.LeaderEpoch)
	case event.EpochBump:
		return fmt.Sprintf("%s leader epoch bumped to %d", p, e.LeaderEpoch)
	case event.IsrChange:
		return fmt.Sprintf("%s ISR is %s", p, t.set(id.Set(e.Digest)))
	}
	return ""
}

func (t *teller) intentChanged(e *event.Event) string {
	topic, mirror := t.names.Topic(e.Partition.Topic), t.names.Mirror(e.Mirror)
	if record.Desired(e.To) == record.WantNone {
		return fmt.Sprintf("%s leaves mirror %s", topic, mirror)
	}
	text := fmt.Sprintf("%s desired: %s in mirror %s", topic, record.Desired(e.To), mirror)
	if e.Cause == 1 {
		text += ", discovered"
	}
	if e.Sequence > 0 {
		text += fmt.Sprintf(", recoveries: %d", e.Sequence)
	}
	return text
}

func (t *teller) configChanged(e *event.Event) string {
	topic, k := t.names.Topic(e.Partition.Topic), record.ConfigKey(e.To)
	if e.From == 0 {
		return fmt.Sprintf("%s config %s is deleted%s", topic, k, t.byMirror(e))
	}
	return fmt.Sprintf("%s config %s=%s is set%s", topic, k, record.ConfigText(k, e.Offset), t.byMirror(e))
}

// byMirror says whose mirror-wide work has written a record of the metadata log; "" where a user has.
func (t *teller) byMirror(e *event.Event) string {
	if e.Mirror == 0 {
		return ""
	}
	return " by mirror " + t.names.Mirror(e.Mirror)
}

func (t *teller) set(s id.Set) string {
	text := ""
	for n := id.Node(0); n < id.MaxBrokers; n++ {
		if s.Has(n) {
			text += " " + t.names.Node(n)
		}
	}
	return "{" + text + " }"
}

func (t *teller) log(e *event.Event) string {
	p := t.names.Partition(e.Partition)
	switch e.Kind {
	case event.Appended:
		if event.Origin(e.Cause) == event.FromInternal || strings.HasPrefix(t.names.Topic(e.Partition.Topic), "__") {
			return ""
		}
		what := e.Batch.Control.String()
		if e.Batch.IsData() {
			what = "batch"
		}
		from := [...]string{event.FromClient: " for a producer", event.FromMirror: " from the source",
			event.FromStop: " of its own", event.FromLeader: " from the leader",
			event.FromCoordinator: " for the transaction coordinator"}[e.Cause]
		return fmt.Sprintf("%s appends %s %s@%d%s", p, what, span(e.Batch.Base, e.Batch.Last), e.BatchEpoch, from)
	case event.Truncated:
		why := [...]string{event.Diverged: "diverged", event.AlignedToLME: "aligned to the last mirrored position",
			event.CutToLastStable: "cut to the last stable offset", event.BeyondLeader: "longer than the leader's",
			event.RestartedAt: "started anew"}[e.Cause]
		if e.Offset == e.End {
			return fmt.Sprintf("%s keeps all up to %d: %s", p, e.End, why)
		}
		return fmt.Sprintf("%s cut from %d to %d: %s", p, e.End, e.Offset, why)
	case event.FetchAnswered:
		if e.Cause == 1 {
			return fmt.Sprintf("%s tells %s: diverging, epoch %d ends at %d", p, t.names.Node(e.Peer), e.Sequence, e.End)
		}
	case event.StartMoved:
		return fmt.Sprintf("%s log start moved from %d to %d", p, e.End, e.Offset)
	case event.ReplicaFailed:
		return p + " is offline: its log directory has failed"
	case event.Compacted:
		switch {
		case e.Batch == nil:
			return fmt.Sprintf("%s cleaner removes batch %s", p, span(e.Offset, e.End-1))
		case e.Sequence == 0:
			return fmt.Sprintf("%s cleaner removes the records of batch %s, which stays for its producer", p, span(e.Offset, e.End-1))
		}
		return fmt.Sprintf("%s cleaner leaves %d of batch %s", p, e.Sequence, span(e.Offset, e.End-1))
	case event.ReplicaRemoved:
		return p + " replica removed with its log"
	case event.ProducersReset:
		return fmt.Sprintf("%s producer entries reset at %d, %d left", p, e.Offset, e.Sequence)
	}
	return ""
}

func span(first, last int64) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

func (t *teller) mirror(e *event.Event) string {
	p := t.names.Partition(e.Partition)
	switch e.Kind {
	case event.StateReadReturned:
		if e.Cause == 0 {
			return fmt.Sprintf("%s reads its state: %s", p, record.State(e.To))
		}
		return fmt.Sprintf("%s cannot read its state: %s", p, wire.Code(e.Cause))
	case event.StateWriteReturned:
		if e.Cause != 0 {
			return fmt.Sprintf("%s write of %s refused: %s", p, record.State(e.To), wire.Code(e.Cause))
		}
	case event.StateStored:
		return fmt.Sprintf("%s state %s stored by coordinator, %s before%s", p, record.State(e.To), record.State(e.From), failure(e))
	case event.StateEntered:
		return fmt.Sprintf("%s is %s%s", p, record.State(e.To), doing[e.To])
	case event.EntryRemoved:
		what := "state"
		if record.MirrorStateKind(e.From) == record.LastMirroredEpochs {
			what = "last mirrored position"
		}
		return fmt.Sprintf("%s %s under mirror %s removed", p, what, t.names.Mirror(e.Mirror))
	case event.TransactionStored:
		return fmt.Sprintf("transaction of %s is %s, %s before: producer id %d epoch %d, partitions: %d", t.names.Node(e.Peer),
			record.TransactionState(e.To), record.TransactionState(e.From), e.ProducerID, e.BatchEpoch, e.Sequence)
	case event.GroupStored:
		if e.To == 1 {
			return fmt.Sprintf("group %s has its member, generation %d", t.names.Node(e.Peer), e.Sequence)
		}
		return fmt.Sprintf("group %s is empty", t.names.Node(e.Peer))
	case event.OffsetStored:
		if e.To == 1 {
			return fmt.Sprintf("%s offset of group %s removed with its topic", p, t.names.Node(e.Peer))
		}
		return fmt.Sprintf("%s offset of group %s stored: %d@%d, by %s", p, t.names.Node(e.Peer), e.Offset, e.BatchEpoch,
			committer(record.CommitOrigin(e.Cause)))
	case event.PositionStored:
		return fmt.Sprintf("%s last mirrored position stored: epoch %d%s", p, e.BatchEpoch, offset(e.Offset))
	case event.PositionRecalled:
		return fmt.Sprintf("%s last mirrored position recorded here: epoch %d%s", p, e.BatchEpoch, offset(e.Offset))
	case event.LookupReturned:
		if e.To != 0 {
			return fmt.Sprintf("%s lookup at %s failed: %s", p, t.names.Node(e.Peer), wire.Code(e.To))
		}
		return fmt.Sprintf("%s last mirrored position by %s: epoch %d%s", p, t.names.Node(e.Peer), e.BatchEpoch, offset(e.Offset))
	case event.Aligned:
		return fmt.Sprintf("%s replicas have followed, log end %d", p, e.Offset)
	case event.MirrorFetchStarted:
		return fmt.Sprintf("%s fetches from %s at %d (source leader epoch %d)", p, t.names.Node(e.Peer), e.Offset, e.BatchEpoch)
	case event.MirrorFetchStopped:
		return fmt.Sprintf("%s fetcher removed at %d", p, e.Offset)
	case event.StopStepDone:
		return fmt.Sprintf("%s stop step done: %s", p, protocol.Step(e.To))
	case event.MirrorSynced:
		return fmt.Sprintf("mirror %s is synchronised with %s, requests to the controller: %d", t.names.Mirror(e.Mirror), t.names.Node(e.Peer), e.Sequence)
	case event.WritableChanged:
		if e.To == 1 {
			return p + " is writable"
		}
		return p + " is read-only"
	}
	return ""
}

// committer is by whom an offset was committed.
func committer(o record.CommitOrigin) string {
	switch o {
	case record.CommitMember:
		return "its member"
	case record.CommitMirror:
		return "the mirror"
	case record.CommitAdmin:
		return "an admin"
	}
	return "the leader, which has cut its log"
}

// doing says of a state what its action waits for, where the state's name does not.
var doing = [record.States]string{
	record.EpochFencing: ": the leader epoch is to reach the source's",
	record.UleRecovery:  ": every replica is to follow the cut",
	record.Pausing:      ": the fetcher goes",
}

// failure is the reason and the attempts that are stored with a state; "" for none.
func failure(e *event.Event) string {
	reason, attempts := record.Reason(e.Cause), int16(e.Digest)
	switch {
	case reason == record.NoReason:
		return ""
	case attempts < 0:
		return fmt.Sprintf(": %s; not tried again", reason)
	}
	return fmt.Sprintf(": %s; attempt %d", reason, attempts)
}

func offset(o int64) string {
	if o < 0 {
		return ""
	}
	return fmt.Sprintf(" offset %d", o)
}

func (t *teller) client(e *event.Event) string {
	p := t.names.Partition(e.Partition)
	switch e.Kind {
	case event.ProduceReturned:
		if e.To == 0 {
			return fmt.Sprintf("%s acknowledged at %d by %s", p, e.Offset, t.names.Node(e.Peer))
		}
		return fmt.Sprintf("%s refused: %s", p, wire.Code(e.To))
	case event.TransactionCalled:
		return fmt.Sprintf("%s its transaction on %s (producer id %d epoch %d)", [...]string{"aborts", "commits"}[e.To&1],
			t.names.Cluster(id.Cluster(e.From)), e.ProducerID, e.BatchEpoch)
	case event.TransactionReturned:
		return fmt.Sprintf("%s of its transaction answered: %s", [...]string{"abort", "commit"}[e.Cause&1], wire.Code(e.To))
	case event.GroupJoined:
		return fmt.Sprintf("joins its group on %s, generation %d", t.names.Cluster(id.Cluster(e.From)), e.Sequence)
	case event.GroupReturned:
		return fmt.Sprintf("%s on %s answered: %s", [...]string{"commit of its positions", "leave of its group"}[e.Cause&1],
			t.names.Cluster(id.Cluster(e.From)), wire.Code(e.To))
	case event.OffsetFetched:
		if e.Offset < 0 {
			return p + " has no committed offset"
		}
		return fmt.Sprintf("%s committed offset is %d@%d", p, e.Offset, e.BatchEpoch)
	case event.MirrorDescribed:
		return fmt.Sprintf("%s described: %s", p, t.description(e))
	case event.AdminReturned:
		what := t.names.Topic(e.Partition.Topic)
		switch {
		case e.Partition.Topic != 0:
		case e.Mirror != 0:
			what = "mirror " + t.names.Mirror(e.Mirror)
		default:
			what = "its request"
		}
		return fmt.Sprintf("%s answered: %s", what, wire.Code(e.To))
	case event.ConsumerRead:
		return fmt.Sprintf("%s read %s", p, span(e.Offset, e.End-1))
	case event.ConsumerMoved:
		return fmt.Sprintf("%s position %d: %s", p, e.Offset, wire.Code(e.To))
	}
	return ""
}

// description is what DescribeMirrors answered.
func (t *teller) description(e *event.Event) string {
	lag, attempts := "unknown", ""
	if e.End == 1 {
		lag = fmt.Sprint(e.Offset)
	}
	if e.Cause != 0 {
		attempts = fmt.Sprintf(" (%s), attempts %d", record.Reason(e.Cause), e.Sequence)
	}
	return fmt.Sprintf("desired %s, %s%s, lag %s, last mirrored epoch %d%s", record.Desired(e.From), record.State(e.To), attempts,
		lag, e.BatchEpoch, offset(e.ProducerID))
}
