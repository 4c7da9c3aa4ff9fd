package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

const ms = id.Millisecond

// sendFour has node 0 send 0, 1, 2 and 3 to node 1, a millisecond apart.
func sendFour(t *testing.T, w *World) []arrival {
	for i := range 4 {
		w.Inject(0, ping(i))
		for w.NextUntil(id.Duration(i+1) * ms) {
		}
	}
	finish(t, w)
	return arrivals(w)
}

func TestOneFaultOfTheNetwork(t *testing.T) {
	fault := func(l choice.Label, value uint32) []choice.Deviation {
		return []choice.Deviation{{Key: choice.Key{Label: l, Subject: choice.Pair(0, 1), Nth: 1}, Value: value}}
	}
	for _, c := range []struct {
		name string
		list []choice.Deviation
		want []arrival
	}{
		{"calm", nil, []arrival{{0, 1 * ms}, {1, 2 * ms}, {2, 3 * ms}, {3, 4 * ms}}},
		{"drop", fault(choice.NetDrop, 1), []arrival{{0, 1 * ms}, {2, 3 * ms}, {3, 4 * ms}}},
		{"delay holds back what follows", fault(choice.NetDelay, 2),
			[]arrival{{0, 1 * ms}, {1, 4 * ms}, {2, 4 * ms}, {3, 4 * ms}}},
		{"what follows a reordered one overtakes it", fault(choice.NetReorder, 16),
			[]arrival{{0, 1 * ms}, {2, 3 * ms}, {3, 4 * ms}, {1, 18 * ms}}},
		{"duplicate", fault(choice.NetDuplicate, 3),
			[]arrival{{0, 1 * ms}, {1, 2 * ms}, {2, 3 * ms}, {3, 4 * ms}, {1, 5 * ms}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var unused int
			w := wired(choice.Replay(c.list, &unused), Network{MaxDelay: 16 * ms}, nodes(relay, note)...)
			if diff := cmp.Diff(c.want, sendFour(t, w)); diff != "" || unused != 0 {
				t.Errorf("unused %d\n%s", unused, diff)
			}
		})
	}
}

func TestDelayHasADefault(t *testing.T) {
	list := []choice.Deviation{{Key: choice.Key{Label: choice.NetDelay, Subject: choice.Pair(0, 1)}, Value: steps}}
	w := wired(choice.Replay(list, nil), Network{}, nodes(relay, note)...)
	w.Inject(0, ping(7))
	finish(t, w)
	if diff := cmp.Diff([]arrival{{7, ms + DefaultMaxDelay}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
}

// Each odds alone, on a thousand messages: its own fault is seen about as often as it should be, and no other.
func TestOddsOfTheNetwork(t *testing.T) {
	const odds, n = 6554, 1000 // a tenth
	type seen struct{ Lost, Twice, Late, Overtaken bool }
	for _, c := range []struct {
		name string
		net  Network
		want seen
	}{
		{"calm", Network{}, seen{}},
		{"drop", Network{Drop: odds}, seen{Lost: true}},
		{"delay", Network{Delay: odds}, seen{Late: true}},
		{"duplicate", Network{Duplicate: odds}, seen{Twice: true, Overtaken: true}},
		{"reorder", Network{Reorder: odds}, seen{Late: true, Overtaken: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := wired(choice.Seeded(1), c.net, nodes(relay, note)...)
			for i := range n {
				for w.NextUntil(id.Duration(i) * 10 * ms) {
				}
				w.Inject(0, ping(i))
			}
			for w.Next() {
			}
			var got seen
			times, last := make([]int, n), int64(-1)
			for _, a := range arrivals(w) {
				times[a.N]++
				got.Late = got.Late || times[a.N] == 1 && a.At > id.Duration(a.N)*10*ms+ms
				got.Overtaken = got.Overtaken || a.N < last
				last = a.N
			}
			for _, k := range times {
				got.Lost, got.Twice = got.Lost || k == 0, got.Twice || k == 2
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if d := len(w.Choices().Deviations()); c.name != "calm" && (d < 60 || d > 140) {
				t.Errorf("%d faults in %d messages, want about %d", d, n, n/10)
			}
		})
	}
}

func TestLatencyByCluster(t *testing.T) {
	toBoth := func(_ *scripted, in node.Input, out *node.Effects) {
		out.Send(1, in.Body)
		out.Send(2, ping(2))
		out.Send(0, ping(0))
	}
	boots := nodes(func(n *scripted, in node.Input, out *node.Effects) {
		if in.From == id.None {
			toBoth(n, in, out)
			return
		}
		note(n, in, out)
	}, note, note)
	w := New(Spec{Boot: boots, Cluster: []id.Cluster{0, 0, 1}, Monitor: &watcher{}, LatencyInside: 3, LatencyBetween: 50})
	w.Inject(0, ping(1))
	finish(t, w)
	if diff := cmp.Diff([]arrival{{0, 0}, {1, 3}, {2, 50}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
}

// talk has both nodes send each other a message every 0.8 ms, numbered by the time; node 1 counts from 100.
func talk(n *scripted, in node.Input, out *node.Effects) {
	if in.From == id.None {
		b := ping(int(in.Body.Words(nil)[0]) + 100*int(n.self))
		out.Send(1-n.self, b)
		return
	}
	note(n, in, out)
}

func talkWith(t *testing.T, acts map[int]func(*World)) []int64 {
	w := wired(calm(), Network{}, nodes(talk, talk)...)
	for i := range 6 {
		if do := acts[i]; do != nil {
			do(w)
		}
		w.Inject(0, ping(i))
		w.Inject(1, ping(i))
		for w.NextUntil(id.Duration(i+1) * 800 * id.Microsecond) {
		}
	}
	finish(t, w)
	var got []int64
	for _, a := range arrivals(w) {
		got = append(got, a.N)
	}
	return got
}

// Latency is 1 ms, so the message before is on its way when a link is cut.
func TestLinks(t *testing.T) {
	link := func(from, to id.Node, up bool) func(*World) { return func(w *World) { w.Link(from, to, up, 0) } }
	both := func(up bool) func(*World) {
		return func(w *World) { w.Link(0, 1, up, 0); w.Link(1, 0, up, 0) }
	}
	for _, c := range []struct {
		name string
		acts map[int]func(*World)
		want []int64
	}{
		{"up", nil, []int64{0, 100, 1, 101, 2, 102, 3, 103, 4, 104, 5, 105}},
		{"cut one way", map[int]func(*World){2: link(0, 1, false)},
			[]int64{0, 100, 101, 102, 103, 104, 105}},
		{"cut both ways", map[int]func(*World){2: both(false)}, []int64{0, 100}},
		{"cut and healed", map[int]func(*World){2: link(0, 1, false), 4: link(0, 1, true)},
			[]int64{0, 100, 101, 102, 103, 4, 104, 5, 105}},
		{"cut and healed at once", map[int]func(*World){2: func(w *World) { both(false)(w); both(true)(w) }},
			[]int64{0, 100, 1, 101, 2, 102, 3, 103, 4, 104, 5, 105}},
		{"slow", map[int]func(*World){2: func(w *World) { w.Link(0, 1, true, 2*ms) }},
			[]int64{0, 100, 1, 101, 102, 103, 104, 2, 105, 3, 4, 5}},
		{"slow and fast again", map[int]func(*World){
			2: func(w *World) { w.Link(0, 1, true, 2*ms) }, 3: func(w *World) { w.Link(0, 1, true, 0) }},
			[]int64{0, 100, 1, 101, 102, 103, 104, 2, 3, 4, 5, 105}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, talkWith(t, c.acts)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLinkIsReported(t *testing.T) {
	w := wired(calm(), Network{}, nodes(talk, talk)...)
	w.Link(1, 0, false, 0)
	w.Link(1, 0, false, 0)
	w.Link(1, 0, true, 9)
	if w.linksDown != 0 {
		t.Errorf("%d links are counted as down", w.linksDown)
	}
	got := w.Monitor().(*watcher).events[2:]
	want := []event.Event{
		{Index: 2, Kind: event.LinkSet, Node: 1, Peer: 0, To: 0},
		{Index: 3, Kind: event.LinkSet, Node: 1, Peer: 0, To: 0},
		{Index: 4, Kind: event.LinkSet, Node: 1, Peer: 0, To: 1, Offset: 9},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLinkState(t *testing.T) {
	type state struct {
		up    bool
		delay id.Duration
	}
	w := wired(calm(), Network{}, nodes(talk, talk)...)
	for _, want := range []state{{true, 0}, {false, 0}, {true, 9}} {
		if want != (state{true, 0}) {
			w.Link(1, 0, want.up, want.delay)
		}
		if up, delay := w.LinkState(1, 0); (state{up, delay}) != want {
			t.Errorf("the link is up: %v, slower by %v; want %+v", up, delay, want)
		}
		if up, delay := w.LinkState(0, 1); !up || delay != 0 {
			t.Errorf("the other direction is up: %v, slower by %v", up, delay)
		}
	}
}

func TestANodeHasNoLinkToItself(t *testing.T) {
	w := wired(choice.Seeded(1), Network{Drop: 65535, Delay: 65535}, nodes(func(n *scripted, in node.Input, out *node.Effects) {
		if in.From == id.None {
			out.Send(0, in.Body)
			return
		}
		note(n, in, out)
	})...)
	w.Link(0, 0, false, 5)
	w.Inject(0, ping(3))
	finish(t, w)
	if diff := cmp.Diff([]arrival{{3, 0}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
}

func TestSetNetwork(t *testing.T) {
	w := wired(choice.Seeded(1), Network{Drop: 65535}, nodes(relay, note)...)
	if got := sendFour(t, w); len(got) != 0 {
		t.Errorf("with the highest odds of a loss %v arrived", got)
	}
	w.SetNetwork(Network{})
	w.Inject(0, ping(8))
	finish(t, w)
	if got := arrivals(w); len(got) != 1 || got[0].N != 8 {
		t.Errorf("after the network turned calm %v arrived", got)
	}
}

func TestMessageSlotsAreUsedAgain(t *testing.T) {
	w := toys(5, rough, choice.Seeded(2))
	drive(w, nil, 0, 500)
	slots := len(w.messages)
	drive(w, nil, 0, 20_000)
	if len(w.messages) > 3*slots {
		t.Errorf("%d slots after 500 deliveries, %d after 20,500", slots, len(w.messages))
	}
}
