package checkers

import (
	"testing"

	"mirrorsim/model/event"
)

// takenForOld is B, stopped, that elects b1 with its log cut to end, and answers offset to a new producer. B's reset stands at 3.
func takenForOld(cause event.ChangeCause, end, offset int64) []event.Event {
	b := stopped()
	b.truncate(b1, end, event.Diverged)
	b.elect(clusterB, b1, cause)
	op := b.call(p2, clusterB, b.data(p2, 1, 0, 0), acksAll)
	b.returned(p2, clusterB, op, offset, codeOK)
	return b.events
}

// A leader that an unclean election brought and that has no reset takes the batch of a producer for one of the other cluster's. One
// that has the reset, or that was elected within the budget, may not, and neither may name an offset above the reset.
func TestWhatALostResetExcuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		cause  event.ChangeCause
		end    int64
		offset int64
		want   Status
	}{
		{"lost by an unclean election", event.UncleanElection, 3, 0, NotPromised},
		{"an unclean election that kept it", event.UncleanElection, 4, 0, Violated},
		{"lost within the budget", event.CleanElection, 3, 0, Violated},
		{"above the reset", event.UncleanElection, 3, 9, Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			events := takenForOld(c.cause, c.end, c.offset)
			if v := verdictOf(t, judge(t, events), AckOffset.String()); v.Status != c.want {
				t.Errorf("ack-offset is %v because %q, %v, want %v", v.Status, v.Why, v.Violations, c.want)
			}
		})
	}
}

// Such an answer is not in the order of real time either, and that is no other violation; that of a leader which has the reset is one.
func TestALostResetAndRealTime(t *testing.T) {
	for end, want := range map[int64]Status{3: NotPromised, 4: Violated} {
		b := stopped()
		b.truncate(b1, end, event.Diverged)
		b.elect(clusterB, b1, event.UncleanElection)
		b.produce(p1, clusterB, b.data(p1, 1, 9, 0))
		op := b.call(p2, clusterB, b.data(p2, 1, 0, 0), acksAll)
		b.returned(p2, clusterB, op, 0, codeOK)
		if v := verdictOf(t, judge(t, b.events), LinearizableLog.String()); v.Status != want {
			t.Errorf("log end %d: %v because %q, %v, want %v", end, v.Status, v.Why, v.Violations, want)
		}
	}
}

// The second opinion is not told of such an answer, and is of one from a leader that has the reset.
func TestCrossCheckOfALostReset(t *testing.T) {
	for _, c := range []struct {
		name      string
		end       int64
		offset    int64
		anomalies int
	}{
		{"lost", 3, 0, 0},
		{"kept", 4, 0, 1},
		{"lost, and an offset above the log", 3, 9, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if anomalies, _ := crossed(takenForOld(event.UncleanElection, c.end, c.offset)); len(anomalies) != c.anomalies {
				t.Errorf("%v, want %d", anomalies, c.anomalies)
			}
		})
	}
}
