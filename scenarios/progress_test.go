package scenarios

import (
	"slices"
	"testing"

	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/sim/choice"
)

// begun is the generated run of a seed under hardened and swarm faults, n things on.
func begun(t *testing.T, seed uint64, n int) *run {
	t.Helper()
	s := Generate(seed, faults.Swarm)
	d, err := Choose(s, "hardened", nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wireUp(s, d.Config)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(w, Options{Protocol: d.Config}.WithLevel(seed, faults.Swarm))
	if err := r.boot(); err != nil {
		t.Fatal(err)
	}
	r.begin()
	r.goOn(n)
	return r
}

// goOn lets at most n things happen.
func (r *run) goOn(n int) {
	for i := 0; i < n && r.turn(); i++ {
	}
}

// outcome is what two runs that went the same way have in common at their ends.
func (r *run) outcome() string {
	for r.waiting() {
		r.goOn(1 << 20)
	}
	r.finish()
	var text string
	for _, f := range r.result.Failures {
		text += f.Text + ": " + f.Got + "\n"
	}
	return text + summary(r.world)
}

// Generated runs, forked between any two inputs, with waits, faults that end later and faults that wait for a point under way:
// a fork that goes on with equal choices comes to the end of its original, and nothing that befalls it shows there.
func TestRunsFork(t *testing.T) {
	alone(t)
	for seed := range uint64(60) {
		want := begun(t, seed, 0).outcome()
		r := begun(t, seed, int(seed*7919%9000))
		equal, other := r.fork(nil), r.fork(choice.Seeded(seed+1))
		n := id.Node(seed % uint64(r.brokers))
		other.world.Crash(n, other.world.Keep(n, 1<<15))
		other.goOn(300)
		other.world.Restart(n)
		if other.outcome() == want {
			t.Errorf("seed %d: a fork whose broker crashed came to the same end", seed)
		}
		if got := equal.outcome(); got != want {
			t.Errorf("seed %d: the fork came to\n%s, alone the run comes to\n%s", seed, got, want)
		}
		if got := r.outcome(); got != want {
			t.Errorf("seed %d: the original came to\n%s, alone it comes to\n%s", seed, got, want)
		}
	}
}

// What a fork is to do later is no matter of its original's, even where both have it in order in the same memory.
func TestForksEndTheirOwnFaults(t *testing.T) {
	r := begun(t, 1, 100)
	r.due = slices.Grow(r.due[:0:0], 8)
	later := func(r *run, minute id.Duration) { r.after(minute*id.Minute, faults.Pause, func(*run) {}) }
	for _, minute := range []id.Duration{1, 2, 4, 5} {
		later(r, minute)
	}
	f := r.fork(nil)
	later(f, 3)
	later(r, 3)
	var got []id.Duration
	for _, x := range f.due {
		got = append(got, (x.at-f.world.Now())/id.Minute)
	}
	if !slices.Equal(got, []id.Duration{1, 2, 3, 4, 5}) {
		t.Errorf("a fork ends faults after %v minutes", got)
	}
}

// Of the worlds that share a watch the last one goes on with it, unless somebody listens: what a fork does is not what he listens to.
func TestTheLastWorldKeepsTheWatch(t *testing.T) {
	for _, heard := range []bool{false, true} {
		r := begun(t, 1, 100)
		if heard {
			r.watchToChange().listen = func(*event.Event) {}
		}
		was := r.watch()
		forks := []*run{r.fork(nil), r.fork(nil)}
		if r.watchToChange() == was || forks[0].watchToChange() == was {
			t.Errorf("listened to %t: a world goes on with a watch that others share", heard)
		}
		if kept := forks[1].watchToChange() == was; kept == heard {
			t.Errorf("listened to %t: that the last world keeps the watch is %t", heard, kept)
		}
	}
}
