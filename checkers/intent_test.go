package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
)

func TestStepIsThatOfTheProtocol(t *testing.T) {
	if stepFetchers != int(protocol.StepFetchers) {
		t.Errorf("the fetchers step is %d, not %d", protocol.StepFetchers, stepFetchers)
	}
}

// paused is mirrored, and B's mirror paused.
func paused() *builder {
	b := mirrored()
	b.intent(clusterB, record.WantPaused)
	b.store(clusterB, record.Pausing)
	b.on(event.MirrorFetchStopped, b0, event.Event{Mirror: mirrorM, LeaderEpoch: b.epoch[clusterB], Offset: b.end(b0)})
	b.store(clusterB, record.Paused)
	return b
}

// mirrorOne takes one more record on A, and b0 appends it from its mirror.
func (b *builder) mirrorOne() {
	b.produce(p1, clusterA, b.data(p1, 1, 7, int32(len(b.logs[a0]))))
	x := b.logs[a0][len(b.logs[a0])-1]
	b.append(b.leader[clusterB], x.At(b.end(b.leader[clusterB]), x.LeaderEpoch), event.FromMirror)
}

// later moves what follows in the history.
func (b *builder) later(d id.Duration, then func()) {
	n := len(b.events)
	then()
	for i := n; i < len(b.events); i++ {
		b.events[i].At += d
	}
}

func TestIntentDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"a response in flight is applied while PAUSED", IntentObeyed,
			[]string{"B/t-0@b0 appended 3@0 from its mirror in leader epoch 0, though PAUSED is stored and its action has run"},
			func(*testing.T) []event.Event {
				b := paused()
				b.mirrorOne()
				return b.events
			}},
		{"after STOPPED", IntentObeyed, []string{"B/t-0@b0 appended 4@0 from its mirror in leader epoch 1, though STOPPED is stored"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.mirrorOne()
				return b.events
			}},
		{"in STOPPING, when the fetcher is removed", IntentObeyed, []string{"though STOPPING is stored"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.stopWith(clusterB, b.mirrorOne)
				return b.events
			}},
		{"a leader that sees the stop goes on", IntentObeyed,
			[]string{"B/t-0@b0 appended 3@0 from its mirror 130", "after it saw that the topic is stopped, with nothing in the way"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.intent(clusterB, record.WantStopped)
				b.later(130*id.Second, b.mirrorOne)
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

// stopIn is a stop up to STOPPING.
func (b *builder) stopIn() {
	b.intent(clusterB, record.WantStopped)
	b.store(clusterB, record.Stopping)
}

// obeyed is what a leader may do while a pause or a stop is on its way.
var obeyed = []struct {
	name  string
	want  Status
	build func(b *builder)
}{
	{"appends until the fetchers step is done", NotExercised, func(b *builder) {
		b.stopIn()
		b.mirrorOne()
	}},
	{"a new leader that has not run the action yet", Holds, func(b *builder) {
		b.stopIn()
		b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, To: stepFetchers, Offset: b.end(b0)})
		b.elect(clusterB, b1, event.CleanElection)
		b.mirrorOne()
	}},
	{"a leader that was deposed and does not know it", Holds, func(b *builder) {
		x := b.data(p1, 1, -1, -1)
		b.elect(clusterB, b1, event.CleanElection)
		b.stopIn()
		b.on(event.StopStepDone, b1, event.Event{Mirror: mirrorM, To: stepFetchers, LeaderEpoch: 1, Offset: b.end(b1)})
		b.append(b0, x, event.FromMirror)
	}},
	{"resumed", Holds, func(b *builder) {
		b.events = paused().events
		b.intent(clusterB, record.WantMirroring)
		b.store(clusterB, record.Mirroring)
		b.mirrorOne()
	}},
	{"a pause that was not stored", NotExercised, func(b *builder) {
		b.intent(clusterB, record.WantPaused)
		b.later(100*id.Second, b.mirrorOne)
	}},
	{"the coordinator does not answer", NotExercised, func(b *builder) {
		b.intent(clusterB, record.WantStopped)
		ask := func() { b.on(event.StateWriteCalled, b0, event.Event{Mirror: mirrorM, To: uint8(record.Stopping)}) }
		ask()
		b.later(100*id.Second, func() { ask(); b.later(30*id.Second, b.mirrorOne) })
	}},
	{"the coordinator refuses", NotExercised, func(b *builder) {
		b.intent(clusterB, record.WantStopped)
		b.on(event.StateReadCalled, b0, event.Event{Mirror: mirrorM})
		b.later(100*id.Second, func() {
			b.on(event.StateReadReturned, b0, event.Event{Mirror: mirrorM, Cause: codeRequestTimedOut})
			b.later(30*id.Second, b.mirrorOne)
		})
	}},
	{"a link was cut meanwhile", NotExercised, func(b *builder) {
		b.intent(clusterB, record.WantStopped)
		b.later(100*id.Second, func() {
			b.emit(event.Event{Kind: event.LinkSet, Node: b0, Peer: b1})
			b.later(30*id.Second, b.mirrorOne)
		})
	}},
	{"a broker that was restarted has not seen it", NotExercised, func(b *builder) {
		b.intent(clusterB, record.WantStopped)
		b.emit(event.Event{Kind: event.Crashed, Node: b0})
		b.emit(event.Event{Kind: event.Started, Node: b0})
		b.later(130*id.Second, b.mirrorOne)
	}},
}

func TestIntentIsNotReported(t *testing.T) {
	for _, c := range obeyed {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.build(b)
			if v := verdictOf(t, judge(t, b.events), IntentObeyed.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}
