package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// noteTimers notes the peer of every timer that fires, as a number from 100 on.
func noteTimers(n *scripted, in node.Input, out *node.Effects) {
	if in.Timer.Kind != 0 {
		out.Emit(event.Appended, id.Partition{}).Offset = 100 + int64(in.Timer.Peer)
		return
	}
	note(n, in, out)
}

// timed is a world in which node 0 relays to node 1, and node 1 notes messages and timers. Timers 100 and 101 fire after
// 2 ms and 4 ms.
func timed() *World {
	w := wired(calm(), Network{}, nodes(relay, noteTimers)...)
	for i := range 2 {
		w.setTimer(1, &node.TimerOp{Timer: node.Timer{Kind: 1, Peer: id.Node(i)}, After: id.Duration(2*i+2) * ms})
	}
	return w
}

func until(w *World, t id.Duration) {
	for w.NextUntil(t) {
	}
}

// The messages arrive at 1, 2, 3 and 4 ms.
func TestPause(t *testing.T) {
	whole := []arrival{{0, ms}, {100, 2 * ms}, {1, 2 * ms}, {2, 3 * ms}, {101, 4 * ms}, {3, 4 * ms}}
	for _, c := range []struct {
		name string
		do   func(w *World)
		want []arrival
	}{
		{"none", func(w *World) { until(w, 9*ms) }, whole},
		{"all at once, in order", func(w *World) {
			until(w, ms+1)
			w.Pause(1, true)
			until(w, 9*ms)
			w.Pause(1, false)
		}, []arrival{{0, ms}, {100, 9 * ms}, {1, 9 * ms}, {2, 9 * ms}, {101, 9 * ms}, {3, 9 * ms}}},
		{"what has arrived is not lost with its link", func(w *World) {
			w.Pause(1, true)
			until(w, 2*ms)
			w.Link(0, 1, false, 0)
			until(w, 9*ms)
			w.Pause(1, false)
		}, []arrival{{0, 9 * ms}, {100, 9 * ms}, {1, 9 * ms}, {101, 9 * ms}}},
		{"a crash ends it, and loses what waits", func(w *World) {
			w.Pause(1, true)
			until(w, 2*ms)
			w.Crash(1, nil)
			w.Restart(1)
			w.put(0, 1, ping(4), 5*ms)
		}, []arrival{{4, 5 * ms}}},
		{"of a node that is down", func(w *World) {
			w.Crash(1, nil)
			w.Pause(1, true)
			w.Restart(1)
			w.put(0, 1, ping(4), 5*ms)
		}, []arrival{{4, 5 * ms}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := timed()
			for i := range 4 {
				w.put(0, 1, ping(i), id.Duration(i+1)*ms)
			}
			c.do(w)
			finish(t, w)
			if diff := cmp.Diff(c.want, arrivals(w)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A timer that waits is not fired when what came before it cancels it, or arms it anew.
func TestPausedTimersObey(t *testing.T) {
	for name, after := range map[string]id.Duration{"cancelled": -1, "armed anew": 50 * ms} {
		w := wired(calm(), Network{}, nodes(func(n *scripted, in node.Input, out *node.Effects) {
			noteTimers(n, in, out)
			if in.Body != nil {
				out.Timers = append(out.Timers, node.TimerOp{Timer: node.Timer{Kind: 1}, After: after})
			}
		})...)
		w.setTimer(0, &node.TimerOp{Timer: node.Timer{Kind: 1}, After: 2 * ms})
		w.Pause(0, true)
		w.put(0, 0, ping(1), ms)
		until(w, 5*ms)
		w.Pause(0, false)
		finish(t, w)
		want := []arrival{{1, 5 * ms}}
		if after > 0 {
			want = append(want, arrival{100, 55 * ms})
		}
		if diff := cmp.Diff(want, arrivals(w)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSlow(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(w *World)
		want []arrival
	}{
		{"every input", func(*World) {}, []arrival{{0, 11 * ms}, {100, 12 * ms}, {1, 12 * ms}, {2, 13 * ms}, {101, 14 * ms}, {3, 14 * ms}}},
		{"what waits goes by the new time", func(w *World) { until(w, 3*ms); w.Slow(1, 0) },
			[]arrival{{0, 3 * ms}, {100, 3 * ms}, {1, 3 * ms}, {2, 3 * ms}, {101, 4 * ms}, {3, 4 * ms}}},
		{"paused too", func(w *World) { until(w, 3*ms); w.Pause(1, true); until(w, 12*ms+1); w.Pause(1, false) },
			[]arrival{{0, 12*ms + 1}, {100, 12*ms + 1}, {1, 12*ms + 1}, {2, 13 * ms}, {101, 14 * ms}, {3, 14 * ms}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := timed()
			for i := range 4 {
				w.put(0, 1, ping(i), id.Duration(i+1)*ms)
			}
			w.Slow(1, 10*ms)
			c.do(w)
			finish(t, w)
			if diff := cmp.Diff(c.want, arrivals(w)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Node 0 asks, node 1 answers, node 0 notes the answer.
func TestSlowAnswers(t *testing.T) {
	for _, c := range []struct {
		body wire.Body
		want id.Duration
	}{
		{&wire.FetchResponse{}, 8 * ms},
		{&wire.FetchRequest{}, 2 * ms},
	} {
		var came id.Duration
		var w *World
		w = wired(calm(), Network{}, nodes(
			func(_ *scripted, in node.Input, out *node.Effects) {
				if in.From == id.None {
					out.Send(1, in.Body)
				} else {
					came = w.Now()
				}
			}, func(_ *scripted, in node.Input, out *node.Effects) { out.Send(0, c.body) })...)
		w.SlowAnswers(1, 6*ms)
		w.Inject(0, ping(1))
		finish(t, w)
		if came != c.want {
			t.Errorf("%v came after %v, want %v", c.body.API(), came, c.want)
		}
	}
}

// What hinders a node is written into the history, once.
func TestHindrancesAreReported(t *testing.T) {
	w := timed()
	before := len(kinds(w))
	for range 2 {
		w.Pause(1, true)
		w.Slow(1, 7)
		w.SlowAnswers(1, 9)
	}
	w.Pause(1, false)
	type set struct {
		What   event.Hindrance
		Begins uint8
		By     int64
	}
	var got []set
	for _, e := range w.Monitor().(*watcher).events[before:] {
		if field := e.Undeclared(); field != "" || e.Kind != event.NodeSet || e.Node != 1 {
			t.Errorf("event %+v, undeclared %q", e, field)
		}
		got = append(got, set{event.Hindrance(e.Cause), e.To, e.Offset})
	}
	want := []set{{event.Paused, 1, 0}, {event.SlowInputs, 1, 7}, {event.SlowAnswers, 1, 9}, {event.Paused, 0, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPausedNodesAreNotEnabled(t *testing.T) {
	w := timed()
	w.put(0, 1, ping(1), ms)
	w.Pause(1, true)
	if got := w.Enabled(nil); len(got) != 0 {
		t.Errorf("enabled: %v", got)
	}
	until(w, 9*ms)
	w.Pause(1, false)
	for range 3 {
		w.Take(w.Enabled(nil)[0])
	}
	if w.Next() {
		t.Error("what was taken comes again")
	}
	if diff := cmp.Diff([]arrival{{1, 9 * ms}, {100, 9 * ms}, {101, 9 * ms}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
}
