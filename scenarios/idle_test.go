package scenarios

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// A pass is told when it made requests, and when the one before it over the same mirror did.
func TestIdlePasses(t *testing.T) {
	i := &idle{[]id.Cluster{0, 1, 1}, map[mirrorOn]bool{}}
	var told []int
	for n, x := range []struct {
		node     id.Node
		mirror   id.Mirror
		requests int32
	}{{1, 1, 0}, {1, 1, 2}, {0, 1, 0}, {1, 2, 0}, {2, 1, 0}, {1, 1, 0}, {0, 1, 1}, {1, 1, 0}, {0, 1, 0}} {
		if !i.pass(&event.Event{Kind: event.MirrorSynced, Node: x.node, Mirror: x.mirror, Sequence: x.requests}) {
			told = append(told, n)
		}
	}
	if diff := cmp.Diff([]int{1, 4, 6, 8}, told); diff != "" {
		t.Error(diff)
	}
	if i.pass(&event.Event{Kind: event.MirrorCreated}) {
		t.Error("an event that is no pass is idle")
	}
}

// A story and the last acts of a run leave idle passes out; that of a change, and the one behind it, are told.
func TestStoryLeavesIdlePassesOut(t *testing.T) {
	s, err := format.Parse("test.scn", []byte(strings.Replace(mirroring, "cluster A", "setting metadata-refresh=2s\ncluster A", 1)+
		"config t on A retention.ms=1000\nuntil config t on B retention.ms=1000\nafter 10m produce p A/t-0 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, "start-stop", nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := Run(s, Options{Protocol: d.Config, Story: NewStory(&out)}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), " is synchronised with "); n != 2 {
		t.Errorf("%d passes are told, want 2:\n%s", n, &out)
	}
	tail := &Tail{}
	if _, err := Run(s, Options{Protocol: d.Config, Story: tail}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(strings.Join(tail.Rows(), "\n"), " is synchronised with "); n != 2 {
		t.Errorf("%d passes are among the last acts, want 2: %v", n, tail.Rows())
	}
}
