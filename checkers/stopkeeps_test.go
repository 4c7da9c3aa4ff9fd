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

func TestStopKeepsMirroredStatus(t *testing.T) {
	marker := func(control record.Control) *record.Batch { return record.NewMarker(control, 7, 0, 0) }
	plain := func(b *builder, n int) *record.Batch { return b.data(p1, n, -1, -1) }
	// mirrorAll gives A what the case needs, lets B mirror it, and cuts B to offset 2 by its stop.
	mirrorAll := func(b *builder, batches ...*record.Batch) {
		for _, x := range batches {
			b.append(a0, x, event.FromClient)
		}
		b.replicate(clusterA)
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
	}
	runStates(t, StopKeepsMirrored, []stateCase{
		{"no stop", NotExercised, "", three},
		{"a stop that cuts nothing", Holds, "", func(b *builder) { three(b); b.stopMirror(clusterB) }},
		{"an open transaction", Holds, "", func(b *builder) {
			mirrorAll(b, plain(b, 2), b.data(p1, 2, 7, 0).InTransaction())
			dirtyCut(b)
		}},
		{"a plain batch behind it", Violated, "", func(b *builder) {
			mirrorAll(b, plain(b, 2), b.data(p1, 2, 7, 0).InTransaction(), plain(b, 1))
			dirtyCut(b)
		}},
		{"a transaction that has ended", Violated, "", func(b *builder) {
			mirrorAll(b, plain(b, 2), b.data(p1, 2, 7, 0).InTransaction(), marker(record.Commit))
			dirtyCut(b)
		}},
		{"a transaction whose marker is above the high watermark", Holds, "", func(b *builder) {
			mirrorAll(b, plain(b, 2), b.data(p1, 2, 7, 0).InTransaction())
			b.append(b0, marker(record.Commit), event.FromMirror)
			dirtyCut(b)
		}},
		{"what is above the high watermark", Holds, "", func(b *builder) {
			mirrorAll(b, plain(b, 2))
			b.append(b0, plain(b, 1), event.FromMirror)
			dirtyCut(b)
		}},
		{"a batch of the stop itself", Holds, "", func(b *builder) {
			mirrorAll(b, plain(b, 2))
			b.store(clusterB, record.Stopping)
			b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 2})
			b.append(b0, record.NewReset(), event.FromStop)
			b.replicate(clusterB)
			b.truncate(b0, 2, event.Diverged)
		}},
	})
}

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
