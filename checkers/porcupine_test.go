package checkers

import (
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// crossed runs events through a CrossCheck.
func crossed(events []event.Event) ([]Anomaly, CrossCounts) {
	c := NewCrossCheck(topology)
	for i := range events {
		c.Observe(&events[i])
	}
	return c.Finish(uint64(len(events)))
}

func booted() *builder {
	b := &builder{}
	b.boot()
	return b
}

func (b *builder) plain(client id.Node) { b.produce(client, clusterA, b.data(client, 1, -1, -1)) }

func TestSecondOpinionOfWholeHistories(t *testing.T) {
	for name, b := range map[string]*builder{"f1": f1(), "stopped": stopped()} {
		t.Run(name, func(t *testing.T) {
			if anomalies, counts := crossed(b.events); len(anomalies) > 0 || counts.Windows < 2 || counts.NotChecked > 0 {
				t.Errorf("%v, %+v", anomalies, counts)
			}
		})
	}
}

func TestWindowsThatAreTooLargeAreNotJudged(t *testing.T) {
	for _, c := range []struct {
		name  string
		ops   int
		nodes int
		want  CrossCounts
	}{
		{"as many operations as there may be", windowOperations - 2, 1, CrossCounts{Windows: 1, Operations: windowOperations}},
		{"one operation more", windowOperations - 1, 1, CrossCounts{NotChecked: 1}},
		{"as many clients as there may be", 40, windowClients - 2, CrossCounts{Windows: 1, Operations: 42}},
		{"one client more", 40, windowClients - 1, CrossCounts{NotChecked: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := booted()
			open := b.data(p2, 1, -1, -1)
			op := b.call(p2, clusterA, open, acksAll) // pending all the time: the window is not cut
			for i := range c.ops {
				b.plain(id.Node(20 + i%c.nodes))
			}
			open = b.append(a0, open, event.FromClient)
			b.replicate(clusterA)
			b.returned(p2, clusterA, op, open.Base, codeOK)
			if anomalies, counts := crossed(b.events); len(anomalies) > 0 || counts != c.want {
				t.Errorf("%v, %+v, want %+v", anomalies, counts, c.want)
			}
		})
	}
}

func TestWindowIsCutWhereNothingIsPending(t *testing.T) {
	b := booted()
	for range 10 * cutAfter {
		b.plain(p1)
	}
	// Each window ends with the leader's log as one more operation.
	want := CrossCounts{Windows: 10, Operations: 10 * (cutAfter + 1)}
	if anomalies, counts := crossed(b.events); len(anomalies) > 0 || counts != want {
		t.Errorf("%v, %+v", anomalies, counts)
	}
}

// DeleteRecords takes batches that a window has told of from the leader's log; that is no loss, but what was lost behind them is.
func TestDeletedRecordsAreNotLost(t *testing.T) {
	for _, c := range []struct {
		name      string
		start     int64
		lost      bool
		anomalies int
	}{
		{"some", 2, false, 0},
		{"all", 4, false, 0},
		{"some, and the last one is lost", 2, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := booted()
			for range 4 {
				b.plain(p1)
			}
			b.on(event.StartMoved, a0, event.Event{Offset: c.start})
			if c.lost {
				b.truncate(a0, 3, event.Diverged)
			}
			if anomalies, counts := crossed(b.events); len(anomalies) != c.anomalies || counts.Windows == 0 {
				t.Errorf("%v, %+v", anomalies, counts)
			}
		})
	}
}

// lose has the leader of A lose the last batch, which was acknowledged with the given acks, at an election.
func lose(acks uint8, why func(b *builder)) []event.Event {
	b := booted()
	b.plain(p1)
	x := b.data(p2, 1, -1, -1)
	op := b.call(p2, clusterA, x, acks)
	x = b.append(a0, x, event.FromClient)
	if acks == acksAll {
		b.highWatermark(a0, b.end(a0))
	}
	b.returned(p2, clusterA, op, x.Base, codeOK)
	why(b)
	b.plain(p1)
	return b.events
}

func TestWhatIsLost(t *testing.T) {
	elected := func(cause event.ChangeCause) func(*builder) {
		return func(b *builder) {
			b.elect(clusterA, a1, cause)
			b.truncate(a0, 1, event.Diverged)
		}
	}
	for _, c := range []struct {
		name      string
		events    []event.Event
		anomalies int
		want      uint64 // windows that are broken off
	}{
		{"clean election", lose(acksAll, elected(event.CleanElection)), 1, 0},
		{"clean election, acks=1", lose(1, elected(event.CleanElection)), 0, 0},
		{"unclean election", lose(acksAll, elected(event.UncleanElection)), 0, 1},
		{"power loss of an ISR member", lose(acksAll, func(b *builder) {
			b.on(event.Crashed, a0, event.Event{Cause: uint8(event.PowerLoss)})
			elected(event.CleanElection)(b)
		}), 0, 1},
		{"process crash", lose(acksAll, func(b *builder) {
			b.on(event.Crashed, a0, event.Event{})
			elected(event.CleanElection)(b)
		}), 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			anomalies, counts := crossed(c.events)
			if len(anomalies) != c.anomalies || counts.NotChecked != c.want {
				t.Errorf("%v, %+v", anomalies, counts)
			}
		})
	}
}

// request writes a request of B's admin, as the parts of its way in order: called, changed (the metadata log takes it), and
// the error code with which it returns.
type request struct {
	*builder
	op uint32
	to uint8
}

func (b *builder) request(action uint8) *request {
	b.ops++
	r := &request{b, event.OpOf(uint8(bAdmin), b.ops), action}
	r.emitAdmin(event.AdminCalled, action)
	return r
}

func (r *request) emitAdmin(k event.Kind, to uint8) {
	r.on(k, bAdmin, event.Event{Partition: id.Partition{Topic: topicT}, Mirror: mirrorM, Op: r.op, From: uint8(clusterB),
		To: to})
}

func (r *request) changed() *request {
	want := [...]record.Desired{record.WantMirroring, record.WantStopped}[r.to]
	r.on(event.IntentChanged, bLog, event.Event{Partition: id.Partition{Topic: topicT}, Mirror: mirrorM, To: uint8(want)})
	return r
}

func (r *request) returned(code uint8) *request {
	r.emitAdmin(event.AdminReturned, code)
	return r
}

func TestIntentsAreLinearizable(t *testing.T) {
	const start, stop = 0, 1
	for _, c := range []struct {
		name  string
		write func(b *builder)
		words string // of the anomaly; "" if there is none
	}{
		{"start, stop, start", func(b *builder) {
			b.request(start).changed().returned(codeOK)
			b.request(stop).changed().returned(codeOK)
			b.request(start).changed().returned(codeOK)
		}, ""},
		{"an earlier attempt took effect", func(b *builder) {
			b.request(start).changed().returned(codeTopicAlreadyInClusterMirror)
		}, ""},
		{"one that timed out takes effect later", func(b *builder) {
			r := b.request(start).returned(codeRequestTimedOut)
			r.changed()
			b.request(stop).changed().returned(codeOK)
		}, ""},
		{"one that timed out takes effect twice", func(b *builder) {
			r := b.request(start).returned(codeRequestTimedOut)
			r.changed()
			b.request(stop).changed().returned(codeOK)
			r.changed()
		}, "the desired state mirroring in the metadata log"},
		{"a start takes effect again after the stop", func(b *builder) {
			r := b.request(start).changed().returned(codeOK)
			b.request(stop).changed().returned(codeOK)
			r.changed()
		}, "the desired state mirroring in the metadata log"},
		{"a stop that changed nothing", func(b *builder) {
			b.request(start).changed().returned(codeOK)
			b.request(stop).returned(codeOK)
		}, "the desired state mirroring in the metadata log"},
		{"a start of a plain topic is refused", func(b *builder) {
			b.request(start).returned(codeTopicAlreadyInClusterMirror)
		}, "the request for mirroring by b-admin"},
		{"a stop of a mirrored topic is refused", func(b *builder) {
			b.request(start).changed().returned(codeOK)
			b.request(stop).returned(codeTopicNotInClusterMirror)
		}, "the request for stopped by b-admin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := booted()
			c.write(b)
			anomalies, _ := crossed(b.events)
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
}

// A metadata log that starts again writes what it holds into the history once more; that is nobody's request.
func TestMetadataLogStartsAgain(t *testing.T) {
	b := booted()
	b.request(0).changed().returned(codeOK)
	b.request(1).changed().returned(codeOK)
	started := *b.emit(event.Event{Kind: event.Started, Node: bLog, Sequence: 2})
	for _, want := range []record.Desired{record.WantMirroring, record.WantStopped} {
		e := b.on(event.IntentChanged, bLog, event.Event{Partition: id.Partition{Topic: topicT}, Mirror: mirrorM, To: uint8(want)})
		e.At = started.At
	}
	if anomalies, _ := crossed(b.events); len(anomalies) > 0 {
		t.Errorf("refused: %v", anomalies)
	}
}

func TestCrossVerdict(t *testing.T) {
	c := NewCrossCheck(topology)
	if v, _ := c.Verdict(0); v.Status != NotExercised || v.Property != "cross-check" {
		t.Errorf("without an event: %+v", v)
	}
	events := lose(acksAll, func(b *builder) {
		b.elect(clusterA, a1, event.CleanElection)
		b.truncate(a0, 1, event.Diverged)
	})
	for i := range events {
		c.Observe(&events[i])
	}
	v, counts := c.Verdict(uint64(len(events)))
	if v.Status != Violated || v.Count != 1 || v.Occasions != counts.Windows ||
		!strings.Contains(v.Violations[0].Sentence, "A/t-0") {
		t.Errorf("%+v, %+v", v, counts)
	}
}
