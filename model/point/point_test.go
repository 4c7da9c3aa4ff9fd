package point

import (
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
