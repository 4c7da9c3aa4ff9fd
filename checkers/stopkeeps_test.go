package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

func TestStopKeepsMirroredDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"a plain batch", StopKeepsMirrored,
			[]string{"B/t-0@b0 was cut to 2 by the stop and lost 2@0 (record 7/3), which stood below its high watermark 3"},
			func(*testing.T) []event.Event {
				b := mirrored()
				dirtyCut(b)
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

// mirrorAll gives A the batches, and lets B mirror them.
func mirrorAll(b *builder, batches ...*record.Batch) {
	for _, x := range batches {
		b.append(a0, x, event.FromClient)
	}
	b.replicate(clusterA)
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
}

var stopKeepsCases = []stateCase{
	{"no stop", NotExercised, "", three},
	{"a stop that cuts nothing", Holds, "", func(b *builder) { three(b); b.stopMirror(clusterB) }},
	{"a leader with a lower high watermark begins again", Violated, "", func(b *builder) {
		three(b)
		b.hw[b1] = 2
		b.store(clusterB, record.Stopping)
		b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 3})
		b.elect(clusterB, b1, event.CleanElection)
		b.on(event.StopStepDone, b1, event.Event{Mirror: mirrorM, Offset: 3})
		b.truncate(b1, 2, event.CutToLastStable)
	}},
	{"a stop that fails and goes on cuts more", Violated, "", func(b *builder) {
		three(b)
		b.store(clusterB, record.Stopping)
		b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 3})
		b.store(clusterB, record.Failed)
		b.store(clusterB, record.Stopping)
		b.truncate(b0, 2, event.CutToLastStable)
	}},
	{"the second stop keeps what was mirrored since the first", Violated, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		for i := range 3 {
			b.produce(p1, clusterA, b.data(p1, 1, 7, int32(3+i)))
		}
		b.start(clusterB, true, 3, event.AlignedToLME)
		b.catchUp(clusterB)
		b.store(clusterB, record.Stopping)
		b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 6})
		b.truncate(b0, 4, event.CutToLastStable)
	}},
	{"an open transaction", Holds, "", func(b *builder) {
		mirrorAll(b, b.data(p1, 2, -1, -1), b.data(p1, 2, 7, 0).InTransaction())
		dirtyCut(b)
	}},
	{"a plain batch behind it", Violated, "", func(b *builder) {
		mirrorAll(b, b.data(p1, 2, -1, -1), b.data(p1, 2, 7, 0).InTransaction(), b.data(p1, 1, -1, -1))
		dirtyCut(b)
	}},
	{"a transaction that has ended", Violated, "", func(b *builder) {
		mirrorAll(b, b.data(p1, 2, -1, -1), b.data(p1, 2, 7, 0).InTransaction(), record.NewMarker(record.Commit, 7, 0, 0))
		dirtyCut(b)
	}},
	{"a transaction whose marker is above the high watermark", Holds, "", func(b *builder) {
		mirrorAll(b, b.data(p1, 2, -1, -1), b.data(p1, 2, 7, 0).InTransaction())
		b.append(b0, record.NewMarker(record.Commit, 7, 0, 0), event.FromMirror)
		dirtyCut(b)
	}},
	{"what is above the high watermark", Holds, "", func(b *builder) {
		mirrorAll(b, b.data(p1, 2, -1, -1))
		b.append(b0, b.data(p1, 1, -1, -1), event.FromMirror)
		dirtyCut(b)
	}},
	{"a batch of the stop itself", Holds, "", func(b *builder) {
		mirrorAll(b, b.data(p1, 2, -1, -1))
		b.store(clusterB, record.Stopping)
		b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 2})
		b.append(b0, record.NewReset(), event.FromStop)
		b.replicate(clusterB)
		b.truncate(b0, 2, event.Diverged)
	}},
}

func TestStopKeepsMirroredStatus(t *testing.T) { runStates(t, StopKeepsMirrored, stopKeepsCases) }

// Under reset-scope=producers-and-transactions a mirrored reset has closed the transactions below it.
func TestStopKeepsWhatAResetClosed(t *testing.T) {
	for _, closes := range []bool{false, true} {
		b := &builder{}
		b.boot()
		b.append(a0, b.data(p1, 2, -1, -1), event.FromClient)
		b.append(a0, b.data(p1, 2, 7, 0).InTransaction(), event.FromClient)
		b.append(a0, record.NewReset(), event.FromStop)
		b.replicate(clusterA)
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		dirtyCut(b)
		with := topology
		with.ResetClosesTransactions = closes
		want := "lost 4@0:reset"
		if closes {
			want = "lost 2-3@0"
		}
		s, err := NewSuite(with)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.events {
			s.Observe(&b.events[i])
		}
		wantViolated(t, s, StopKeepsMirrored.String(), want)
	}
}
