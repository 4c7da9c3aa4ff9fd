package scenarios

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// A failover and a failback: from the request to the last partition that is writable, and to lag 0 on the old source.
func TestCostOfAFailback(t *testing.T) {
	f, err := Find("F1")
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scenario()
	if err != nil {
		t.Fatal(err)
	}
	var want Cost
	var began, failback id.Duration
	r, err := Run(s, Options{Protocol: designOf(t).Config, Listen: func(e *event.Event) {
		switch {
		case e.Kind == event.IntentChanged && record.Desired(e.To) == record.WantStopped:
			began = e.At
		case e.Kind == event.WritableChanged && e.To == 1 && began > 0:
			want.Stops = append(want.Stops, e.At-began)
		case e.Kind == event.IntentChanged && len(want.Stops) > 0:
			failback = e.At
		case e.Kind == event.HighWatermark && failback > 0 && e.Node == 0:
			want.Failbacks = Times{e.At - failback} // the last time that it moves on the old source's leader, a0
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	want.Resets, want.LeaderEpoch = 1, 1
	if d := cmp.Diff(want, r.Cost); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// Records that are cut and copied again are counted, and a first mirror is neither a stop nor a failback.
func TestCostOfCopyingAgain(t *testing.T) {
	f, err := Find("F2")
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scenario()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sets []string
		want int
	}{{nil, 0}, {[]string{"lookup-over=same-name", "lookup-missing=minus-one"}, 10}} {
		d, err := Choose(s, "", c.sets)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(s, Options{Protocol: d.Config})
		if err != nil {
			t.Fatal(err)
		}
		if r.Cost.CopiedAgain != c.want || len(r.Cost.Stops) != 1 || len(r.Cost.Failbacks) != 1 {
			t.Errorf("%v: %+v, want %d copied again", c.sets, r.Cost, c.want)
		}
	}
}
