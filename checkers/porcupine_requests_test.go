package checkers

import (
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// admin writes a call of B's admin that is about the mirror, not about a topic, and what returns it.
func (b *builder) mirrorRequest(to uint8) (returned func(code uint8)) {
	b.ops++
	op := event.OpOf(uint8(bAdmin), b.ops)
	emit := func(k event.Kind, to uint8) {
		b.emit(event.Event{Kind: k, Node: bAdmin, Mirror: mirrorM, Op: op, From: uint8(clusterB), To: to})
	}
	emit(event.AdminCalled, to)
	return func(code uint8) { emit(event.AdminReturned, code) }
}

// desires writes a desired state of t into B's metadata log.
func (b *builder) desires(d record.Desired, recoveries int32) {
	b.on(event.IntentChanged, bLog, event.Event{Partition: id.Partition{Topic: topicT}, Mirror: mirrorM, To: uint8(d), Sequence: recoveries})
}

// discovers writes into B's metadata log that mirror-wide work has started t.
func (b *builder) discovers() {
	b.on(event.IntentChanged, bLog, event.Event{Partition: id.Partition{Topic: topicT}, Mirror: mirrorM, To: uint8(record.WantMirroring), Cause: 1})
}

func (b *builder) removes(log id.Node) {
	b.on(event.TopicRemoved, log, event.Event{Partition: id.Partition{Topic: topicT}})
}

// otherIntents are histories behind a start of t, and the words of the anomaly, "" where there is none.
var otherIntents = []struct {
	name  string
	write func(b *builder)
	words string
}{
	{"a stop by patterns alone", func(b *builder) {
		returned := b.mirrorRequest(actionStop)
		b.desires(record.WantStopped, 0)
		returned(codeOK)
	}, ""},
	{"a stop by patterns whose answer was lost", func(b *builder) {
		b.mirrorRequest(actionStop)(codeRequestTimedOut)
		b.desires(record.WantStopped, 0)
	}, ""},
	{"a stop that nobody asked for", func(b *builder) { b.desires(record.WantStopped, 0) }, "the desired state stopped"},
	{"a stop behind the request", func(b *builder) {
		b.mirrorRequest(actionStop)(codeOK)
		b.desires(record.WantStopped, 0)
	}, "the desired state stopped"},
	{"a pattern stops what is stopped", func(b *builder) {
		b.request(actionStop).changed().returned(codeOK)
		b.mirrorRequest(actionStop)
		b.desires(record.WantStopped, 0)
	}, "the desired state stopped in the metadata log there is no place for the stop by a pattern"},
	{"the mirror is deleted", func(b *builder) {
		b.request(actionStop).changed().returned(codeOK)
		returned := b.mirrorRequest(apiDeleteMirror)
		b.desires(record.WantNone, 0)
		returned(codeOK)
		b.request(actionStart).changed().returned(codeOK)
	}, ""},
	{"a mirror that is not stopped is deleted", func(b *builder) {
		returned := b.mirrorRequest(apiDeleteMirror)
		b.desires(record.WantNone, 0)
		returned(codeOK)
	}, "the deletion of the mirror"},
	{"a topic leaves its mirror by itself", func(b *builder) {
		b.request(actionStop).changed().returned(codeOK)
		b.desires(record.WantNone, 0)
	}, "the desired state none"},
	{"a recovery", func(b *builder) {
		b.desires(record.WantMirroring, 1)
		b.request(actionStop).changed()
	}, ""},
	{"a recovery that changes the desired state", func(b *builder) { b.desires(record.WantPaused, 1) }, "the desired state paused"},
	{"the source has deleted the topic", func(b *builder) {
		b.removes(aLog)
		b.desires(record.WantStopped, 0)
	}, ""},
	{"the topic is deleted and made anew", func(b *builder) {
		b.request(actionStop).changed().returned(codeOK)
		b.removes(bLog)
		b.request(actionStart).changed().returned(codeOK)
	}, ""},
	{"a topic that was deleted is discovered", func(b *builder) {
		b.request(actionStop).changed().returned(codeOK)
		b.removes(bLog)
		b.discovers()
	}, ""},
	{"a topic is discovered while its start is under way", func(b *builder) {
		b.request(actionStop).changed().returned(codeOK)
		b.removes(bLog)
		r := b.request(actionStart)
		b.discovers()
		r.returned(codeTopicAlreadyInClusterMirror)
	}, ""},
	{"a stopped topic is discovered", func(b *builder) {
		b.request(actionStop).changed().returned(codeOK)
		b.discovers()
	}, "the discovery of the topic"},
	{"a mirrored topic is deleted", func(b *builder) { b.removes(bLog) }, "the deletion of the topic"},
	{"a pause that is dropped", func(b *builder) { b.request(actionPause).returned(codeOK) }, ""},
}

// What changes a desired state besides the requests that name the topic, and what does not.
func TestIntentsOfOtherRequests(t *testing.T) {
	for _, c := range otherIntents {
		t.Run(c.name, func(t *testing.T) {
			b := booted()
			b.request(actionStart).changed().returned(codeOK)
			c.write(b)
			x := NewCrossCheck(topology)
			x.topology.DropsEarlyPauses, x.topology.StopsDeleted = true, true
			for i := range b.events {
				x.Observe(&b.events[i])
			}
			anomalies, _ := x.Finish(uint64(len(b.events)))
			if c.words == "" {
				if len(anomalies) > 0 {
					t.Errorf("refused: %v", anomalies)
				}
				return
			}
			if len(anomalies) != 1 || anomalies[0].Object != "topic t on B" || !strings.Contains(anomalies[0].Sentence, c.words) {
				t.Errorf("%v, want one of topic t on B with %q", anomalies, c.words)
			}
		})
	}
	t.Run("where a pause is not dropped, and a deletion does not stop", func(t *testing.T) {
		for _, write := range []func(b *builder){
			func(b *builder) { b.request(actionPause).returned(codeOK) },
			func(b *builder) { b.removes(aLog); b.desires(record.WantStopped, 0) },
		} {
			b := booted()
			b.request(actionStart).changed().returned(codeOK)
			write(b)
			if anomalies, _ := crossed(b.events); len(anomalies) != 1 {
				t.Errorf("%v, want one", anomalies)
			}
		}
	})
}
