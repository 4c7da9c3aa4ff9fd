package sim

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// ticking is a world of toys in which messages take no time and timers fire at ticks of 5 ms.
// Every other seed has a lead.
func ticking(n int, seed uint64, c choice.Chooser) *World {
	s := Spec{Monitor: &watcher{}, Choices: choice.NewSource(c), Quantum: 5 * ms, Lead: id.Duration(seed%2) * 5 * ms}
	for i := range n {
		s.Boot = append(s.Boot, bootToy(n))
		s.Cluster = append(s.Cluster, id.Cluster(i%2))
	}
	return New(s)
}

// alarm is a node that arms timers at its boot and keeps what fires.
type alarm struct{ fired *[]node.Timer }

func (a alarm) Step(in node.Input, _ *node.Effects)  { *a.fired = append(*a.fired, in.Timer) }
func (a alarm) Clone(*disk.Disk) node.Node           { return a }
func (a alarm) AppendState(dst []byte) []byte        { return dst }
func (a alarm) Waits(func(what string) bool)         {}
func named(kind uint8, peer id.Node) node.Timer      { return node.Timer{Kind: kind, Peer: peer} }
func armed(t node.Timer, d id.Duration) node.TimerOp { return node.TimerOp{Timer: t, After: d} }

// alarms is a world of one node with these timers, and what has fired.
func alarms(ops ...node.TimerOp) (*World, *[]node.Timer) {
	fired := &[]node.Timer{}
	boot := func(_ id.Node, _ *disk.Disk, out *node.Effects) node.Node {
		out.Timers = append(out.Timers, ops...)
		return alarm{fired}
	}
	return New(Spec{Boot: []node.Boot{boot}, Cluster: []id.Cluster{0}, Quantum: 5 * ms}), fired
}

// Timers are due at the next tick, and what is due at one tick fires by name, whatever was armed first.
func TestTimersFireAtTicksByName(t *testing.T) {
	w, fired := alarms(armed(named(3, 0), 4*ms), armed(named(1, 1), 2*ms), armed(named(1, 0), 5*ms), armed(named(2, 0), 6*ms))
	var at []id.Duration
	for w.Next() {
		at = append(at, w.Now())
	}
	if diff := cmp.Diff([]id.Duration{5 * ms, 5 * ms, 5 * ms, 10 * ms}, at); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]node.Timer{named(1, 0), named(1, 1), named(3, 0), named(2, 0)}, *fired); diff != "" {
		t.Error(diff)
	}
}

// A timer that fires early does not move the clock, nor does it fire again when it was due.
func TestEarlyTimersKeepTheTime(t *testing.T) {
	w, fired := alarms(armed(named(1, 0), 5*ms), armed(named(2, 0), 50*ms))
	enabled := w.Enabled(nil)
	w.Depart(1, enabled[1])
	if w.Now() != 0 || len(*fired) != 1 || (*fired)[0] != named(2, 0) {
		t.Fatalf("at %v %v has fired", w.Now(), *fired)
	}
	for w.Next() {
	}
	if w.Now() != 5*ms || len(*fired) != 2 {
		t.Errorf("at %v %v has fired", w.Now(), *fired)
	}
}

// With a lead a timer is enabled that is due no more than that behind what is next, which a message is at once.
func TestLead(t *testing.T) {
	for _, row := range []struct {
		name    string
		lead    id.Duration
		message bool
		want    int // how many of the timers are enabled
	}{
		{"none", 0, true, 4},
		{"behind a message", 10 * ms, true, 2},
		{"behind a timer", 10 * ms, false, 3},
		{"one tick", 5 * ms, false, 2},
		{"less than a tick", ms, false, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			w, _ := alarms(armed(named(1, 0), 5*ms), armed(named(2, 0), 10*ms), armed(named(3, 0), 15*ms), armed(named(4, 0), 50*ms))
			if w.lead = row.lead; row.message {
				w.Inject(0, ping(1))
			}
			timers := 0
			for _, a := range w.Enabled(nil) {
				timers += int(id.Bit(a.Kind == Fire))
			}
			if timers != row.want {
				t.Errorf("%d timers are enabled, want %d", timers, row.want)
			}
		})
	}
}

// Messages come before timers, on one link in their order, and of several links the first one's comes first.
func TestMessagesComeByLink(t *testing.T) {
	s := Spec{Boot: nodes(note, note, note), Cluster: make([]id.Cluster, 3), Quantum: ms, Monitor: &watcher{}}
	w := New(s)
	w.send(2, 1, ping(1))
	w.send(0, 1, ping(2))
	w.send(2, 1, ping(3))
	w.Inject(1, ping(4))
	if got := len(w.Enabled(nil)); got != 3 {
		t.Errorf("%d things are enabled: nothing overtakes on a link", got)
	}
	for w.Next() {
	}
	var got []int64
	for _, a := range arrivals(w) {
		got = append(got, a.N)
	}
	if diff := cmp.Diff([]int64{4, 2, 1, 3}, got); diff != "" {
		t.Error(diff)
	}
}

// What a node sends that has been started again comes behind all else that is due then. What it sent before it crashed does not,
// and that shows in the key.
func TestStartedAgainComesLast(t *testing.T) {
	alarmed := func(_ id.Node, _ *disk.Disk, out *node.Effects) node.Node {
		out.Timers = append(out.Timers, armed(named(1, 0), 0))
		return alarm{&[]node.Timer{}}
	}
	bounce := func(w *World, n id.Node) { w.Crash(n, nil); w.Restart(n) }
	send := func(w *World) { w.send(0, 2, ping(0)); w.send(1, 2, ping(0)) }
	keys := map[[2]uint64]string{}
	for _, row := range []struct {
		want string
		do   func(*World)
	}{
		{"0 1 timer", send},
		{"1 timer 0", func(w *World) { bounce(w, 0); send(w) }},
		{"0 timer 1", func(w *World) { bounce(w, 1); send(w) }},
		{"0 1 timer", func(w *World) { send(w); bounce(w, 0) }},
	} {
		w := New(Spec{Boot: append(nodes(note, note), alarmed), Cluster: make([]id.Cluster, 3), Quantum: ms})
		row.do(w)
		var order []string
		for _, a := range w.Enabled(nil) {
			if a.Kind == Fire {
				order = append(order, "timer")
			} else {
				order = append(order, strconv.Itoa(int(w.messages[a.Slot].from)))
			}
		}
		if got := strings.Join(order, " "); got != row.want {
			t.Errorf("%s, want %s", got, row.want)
		}
		if same, known := keys[w.Key()]; known {
			t.Errorf("%s and %s have one key", row.want, same)
		}
		keys[w.Key()] = row.want
	}
}

// An answer that is on its way when who asked has asked anew comes too late, and the key says so; of the correlations it says no more.
func TestKeySeesAnswersTooLate(t *testing.T) {
	key := func(number uint32, anew bool) [2]uint64 {
		w := New(Spec{Boot: nodes(note, note), Cluster: make([]id.Cluster, 2), Quantum: ms})
		w.send(0, 1, &wire.FetchRequest{Correlation: number})
		w.dropMessages(1)
		w.send(1, 0, &wire.FetchResponse{Correlation: number})
		if anew {
			w.send(0, 1, &wire.FetchRequest{Correlation: number + 1})
			w.dropMessages(1)
		}
		return w.Key()
	}
	if key(1, false) != key(5, false) || key(1, true) != key(5, true) {
		t.Error("the key depends on correlations")
	}
	if key(1, false) == key(1, true) {
		t.Error("the key does not tell whether an answer is waited for")
	}
}

// Where a link is slow a message may come behind timers, however many there are.
func TestSlowLinksBehindTimers(t *testing.T) {
	timers := func(_ id.Node, _ *disk.Disk, out *node.Effects) node.Node {
		out.Timers = append(out.Timers, armed(named(1, 0), 5*ms), armed(named(2, 0), 10*ms), armed(named(3, 0), 15*ms))
		return alarm{&[]node.Timer{}}
	}
	w := New(Spec{Boot: append(nodes(note), timers), Cluster: []id.Cluster{0, 0}, Quantum: 5 * ms})
	w.Link(1, 0, true, 50*ms)
	w.send(1, 0, ping(1))
	w.send(1, 0, ping(2))
	var kinds []Kind
	for _, a := range w.Enabled(nil) {
		kinds = append(kinds, a.Kind)
	}
	if diff := cmp.Diff([]Kind{Fire, Fire, Fire, Deliver}, kinds); diff != "" {
		t.Error(diff)
	}
}

// explored goes a random way: it departs, crashes nodes but the first, and starts them again.
func explored(w *World, seed uint64, turns int) {
	r := rand.New(rand.NewPCG(seed, 5))
	for range turns {
		last := id.Node(0)
		for range r.IntN(3) {
			if n := last + id.Node(r.IntN(w.Nodes())); n > 0 && r.IntN(4) == 0 && int(n) < w.Nodes() {
				switch last = n + 1; {
				case w.Node(n) == nil:
					w.StartNow(n)
				default:
					w.CrashNow(n, r.IntN(2) == 0)
				}
			}
		}
		enabled := w.Enabled(nil)
		switch i := r.IntN(3 * max(len(enabled), 1)); {
		case i == 0 || i >= len(enabled):
			w.Calm(1 << 60)
		default:
			w.Depart(i, enabled[i])
		}
	}
}

// What an explorer does to a world is among the deviations, and who replays them, by Next and from the queue, comes to the same
// world: so Enabled and the queue know of the same things in the same order.
func TestExploredWorldsReplay(t *testing.T) {
	for seed := range uint64(200) {
		w := ticking(4, seed, choice.Replay(nil, nil))
		explored(w, seed, 150)
		x := ticking(4, seed, choice.Replay(w.Choices().Deviations(), nil))
		for x.Turns() < w.Turns() && x.Next() {
		}
		if got, want := x.Hash(), w.Hash(); got != want || x.Key() != w.Key() {
			t.Fatalf("seed %d: the replay came to %x, the explored world to %x, with %d deviations", seed, got, want,
				len(w.Choices().Deviations()))
		}
	}
}

// Of random worlds, what Enabled knows is what the queue holds: none is forgotten.
func TestEnabledIsTheQueue(t *testing.T) {
	for seed := range uint64(200) {
		w := ticking(5, seed, choice.Replay(nil, nil))
		for turns := range 60 {
			explored(w, seed*100+uint64(turns), 1)
			var want []Action
			for _, e := range w.heads() {
				want = append(want, Action{e.kind, w.whose(&e), e.slot})
			}
			if got := w.Enabled(nil); !slices.Equal(got, want) {
				t.Fatalf("seed %d, turn %d: enabled %v, in the queue %v", seed, turns, got, want)
			}
		}
	}
}

// Two orders that commute lead to one key, times that differ to two, though the fingerprint is one.
func TestKeys(t *testing.T) {
	make := func() *World {
		w := New(Spec{Boot: nodes(note, note, note), Cluster: []id.Cluster{0, 0, 0}, Quantum: ms, Monitor: &watcher{}})
		w.send(0, 1, ping(1))
		w.send(0, 2, ping(2))
		return w
	}
	w, x := make(), make()
	both := x.Enabled(nil)
	w.Calm(0)
	w.Calm(0)
	x.Depart(1, both[1])
	if w.Key() == x.Key() {
		t.Error("a message that is on its way makes no difference")
	}
	x.Calm(0)
	if w.Key() != x.Key() {
		t.Error("two orders that commute lead to two keys")
	}
	early, _ := alarms(armed(named(1, 0), 5*ms), armed(named(2, 0), 50*ms))
	late, _ := alarms(armed(named(1, 0), 5*ms), armed(named(2, 0), 55*ms))
	if early.Fingerprint() != late.Fingerprint() || early.Key() == late.Key() {
		t.Error("a key does not tell how long it is until a timer fires")
	}
}

// On one link the order counts.
func TestKeyHasTheOrderOnALink(t *testing.T) {
	of := func(list ...int) [2]uint64 {
		w := New(Spec{Boot: nodes(note, note), Cluster: []id.Cluster{0, 0}, Quantum: ms, Monitor: &watcher{}})
		for _, i := range list {
			w.send(0, 1, ping(i))
		}
		return w.Key()
	}
	if of(1, 2) == of(2, 1) || of(1, 2) != of(1, 2) {
		t.Error("a key does not tell the order of two messages on a link")
	}
}

// A node crashes at the point that is asked about, in that turn; of 2 it is up again.
func TestPointFaults(t *testing.T) {
	w := ticking(4, 0, choice.Replay(nil, nil))
	for w.Reached() == 0 {
		w.Next()
	}
	var at event.Event
	for _, e := range w.Monitor().(*watcher).events {
		if e.Kind == event.PointReached {
			at = e
		}
	}
	for answer, name := range []string{"calm", "crashes", "bounces"} {
		t.Run(name, func(t *testing.T) {
			k := choice.Key{Label: choice.PointFault, Subject: choice.Pair(uint8(at.Node), at.To), Nth: w.Turns()}
			x := ticking(4, 0, choice.Replay([]choice.Deviation{{Key: k, Value: uint32(answer)}}, nil))
			for x.Turns() < w.Turns() {
				x.Next()
			}
			down, lives := x.Node(at.Node) == nil, x.Disk(at.Node).Incarnation
			if down != (answer == 1) || lives != w.Disk(at.Node).Incarnation+uint32(id.Bit(answer == 2)) {
				t.Errorf("down %v, incarnation %d", down, lives)
			}
		})
	}
}
