package point

import (
	"slices"
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	for p, want := range map[Point]bool{None: false, StateStored: true, LogAligned: true, ProducersReset: true, StateChosen: false,
		StateAppended: false, BumpApplied: false, EndPrepared: false} {
		if p.Progress() != want {
			t.Errorf("%s is progress: %v", p, !want)
		}
	}
}

func TestNamesRoundTrip(t *testing.T) {
	for p := Point(1); int(p) < Points; p++ {
		if got, err := Parse(p.String()); err != nil || got != p {
			t.Errorf("%s parses as %s, %v", p, got, err)
		}
	}
	_, err := Parse("stop.nowhere")
	if err == nil || !strings.Contains(err.Error(), "stop.epoch-bumped") {
		t.Errorf("the error %v does not say what would be accepted", err)
	}
	if _, err := Parse("none"); err == nil {
		t.Error("none is a point")
	}
}

// The points of a stop are those of its steps, from the fetcher's end to the reset, and a broker reaches all but those of the
// metadata log and of a controller.
func TestWhoseThePointsAre(t *testing.T) {
	stop := []Point{FetcherRemoved, PositionRecorded, EpochBumped, TransactionsDone, ProducersReset}
	for p := None; int(p) < Points; p++ {
		if got := p.OfStop(); got != slices.Contains(stop, p) || got != strings.HasPrefix(p.String(), "stop.") {
			t.Errorf("%s is of a stop: %v", p, got)
		}
		if got := p.OfBroker(); got != (p != None && !strings.HasPrefix(p.String(), "bump.")) {
			t.Errorf("%s is of a broker: %v", p, got)
		}
	}
}
