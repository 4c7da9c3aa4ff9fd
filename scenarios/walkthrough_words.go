package scenarios

import (
	"fmt"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// fields are the telling fields of a message, by Kafka's names.
func (w *walk) fields(b wire.Body) string {
	switch b := b.(type) {
	case *wire.ProduceRequest:
		return fmt.Sprintf("%s acks=all producerId=%d baseSequence=%d records=%d", w.names.Partition(b.Partition),
			b.Batch.ProducerID, b.Batch.BaseSequence, b.Batch.Count())
	case *wire.ProduceResponse:
		return fmt.Sprintf("%s %s baseOffset=%d", w.names.Partition(b.Partition), b.Code, b.Base)
	case *wire.InitProducerIdResponse:
		return fmt.Sprintf("%s producerId=%d", b.Code, b.ProducerID)
	case *wire.FetchRequest:
		return fmt.Sprintf("%s replicaId=%s currentLeaderEpoch=%d lastFetchedEpoch=%d fetchOffset=%d",
			w.names.Partition(b.Partition), w.replica(b.Replica), b.CurrentLeaderEpoch, b.LastFetchedEpoch, b.FetchOffset)
	case *wire.FetchResponse:
		return fmt.Sprintf("%s %s", w.names.Partition(b.Partition), fetchAnswer(b))
	case *wire.MetadataRequest:
		return w.names.Partition(b.Partition)
	case *wire.MetadataResponse:
		return fmt.Sprintf("%s leader=%s leaderEpoch=%d", w.names.Partition(b.Partition), w.names.Node(b.Leader), b.LeaderEpoch)
	case *wire.AppendMetadataRequest:
		return w.recordText(b.Records)
	case *wire.MetadataFetchResponse:
		return w.recordText(b.Records)
	case *wire.BumpLeaderEpochRequest:
		return fmt.Sprintf("%s minimum=%d", w.names.Partition(b.Partition), b.Minimum)
	case *wire.BumpLeaderEpochResponse:
		return fmt.Sprintf("%s %s leaderEpoch=%d", w.names.Partition(b.Partition), b.Code, b.LeaderEpoch)
	}
	return w.mirrorFields(b)
}

// mirrorFields are the fields of what only mirroring sends.
func (w *walk) mirrorFields(b wire.Body) string {
	switch b := b.(type) {
	case *wire.MirrorTopicsRequest:
		return fmt.Sprintf("mirror=%s topics=%s%s", w.names.Mirror(b.Mirror), w.topics(b.Topics), w.actual(b.Actual))
	case *wire.MirrorTopicsResponse:
		var words []string
		for _, r := range b.Results {
			words = append(words, fmt.Sprintf("%s=%s", w.names.Topic(r.Topic), r.Code))
		}
		return strings.Join(words, " ")
	case *wire.ReadMirrorStatesRequest:
		return fmt.Sprintf("mirror=%s %s", w.names.Mirror(b.Mirror), w.names.Partition(b.Partition))
	case *wire.ReadMirrorStatesResponse:
		position := "position=none"
		if b.HasPosition {
			position = fmt.Sprint("position=epoch ", b.Position.Epoch)
		}
		return fmt.Sprintf("%s %s state=%s run=%d %s",
			w.names.Partition(b.Partition), b.Code, b.State.State, b.State.Run, position)
	case *wire.WriteMirrorStatesRequest:
		return fmt.Sprintf("%s %s leaderEpoch=%d", w.names.Partition(b.Record.Partition), stored(&b.Record), b.Record.LeaderEpoch)
	case *wire.WriteMirrorStatesResponse:
		return fmt.Sprintf("%s %s", w.names.Partition(b.Partition), b.Code)
	case *wire.LastMirroredPositionRequest:
		return fmt.Sprintf("%s clusterId=%s mirror=%s",
			w.names.Partition(b.Partition), w.names.Cluster(b.Asker), w.names.Mirror(b.Mirror))
	case *wire.LastMirroredPositionResponse:
		return fmt.Sprintf("%s %s lastMirroredEpoch=%d", w.names.Partition(b.Partition), b.Code, b.Epoch)
	}
	panic(fmt.Sprintf("scenarios: the walk-through has no words for %T", b))
}

// messageName is the name that the revision's seed gives to the message.
func (w *walk) messageName(b wire.Body) string {
	switch b := b.(type) {
	case *wire.MirrorTopicsRequest:
		return w.naming.Request(b.Action.String()) + "Request"
	case *wire.MirrorTopicsResponse:
		action := wire.StartMirrorTopics
		if strings.Contains(w.acts[len(w.acts)-1].steps[0], "stop ") {
			action = wire.StopMirrorTopics
		}
		return w.naming.Request(action.String()) + "Response"
	}
	return b.API().String()
}

// replica is a replica id as Kafka prints it: -1 for a consumer.
func (w *walk) replica(n id.Node) string {
	if n == id.None {
		return "-1"
	}
	return w.names.Node(n)
}

func fetchAnswer(b *wire.FetchResponse) string {
	switch {
	case b.Code != wire.OK:
		return b.Code.String()
	case b.Diverging:
		return fmt.Sprintf("divergingEpoch=%d endOffset=%d", b.DivergingEpoch, b.DivergingOffset)
	}
	return fmt.Sprintf("records=%s highWatermark=%d", strings.ReplaceAll(format.Strip(b.Batches), " ", ","), b.HighWatermark)
}

func (w *walk) topics(list []id.Topic) string {
	var words []string
	for _, t := range list {
		words = append(words, w.names.Topic(t))
	}
	return strings.Join(words, ",")
}

func (w *walk) actual(list []wire.ActualState) string {
	text := ""
	for _, a := range list {
		text += fmt.Sprintf(" (%s is %s)", w.names.Partition(a.Partition), a.State)
	}
	return text
}

// stored is the value of a record of __mirror_state.
func stored(r *record.MirrorState) string {
	if r.Kind == record.LastMirroredEpochs {
		return fmt.Sprintf("lastMirroredEpoch=%d run=%d", r.Epoch, r.Run)
	}
	return fmt.Sprintf("state=%s run=%d", r.State, r.Run)
}
