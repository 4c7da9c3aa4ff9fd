package sim

import (
	"testing"

	"mirrorsim/model/disk"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// afresh is the fingerprint without what was remembered.
func afresh(w *World) [2]uint64 {
	w.prints = parts{}
	for i := range w.nodes {
		w.nodes[i].print = part{}
	}
	for i := range w.messages {
		w.messages[i].print = part{}
	}
	return w.Fingerprint()
}

// A thousand random worlds at random steps: fork and original go on with equal choices to equal hashes, in turns, and
// what one does never shows in the other.
func TestThousandWorlds(t *testing.T) {
	const nodes, steps = 5, 160
	for seed := range uint64(1000) {
		c := choice.Seeded(seed)
		acts := plan(seed, nodes, steps)
		alone := toys(nodes, rough, c)
		drive(alone, acts, 0, steps)
		want := outcomeOf(alone)

		w := toys(nodes, rough, c)
		at := int(seed*37%steps) + 1
		drive(w, acts, 0, at)
		before := afresh(w)
		fork, other, still := w.Fork(choice.Seeded(seed)), w.Fork(choice.Seeded(seed+1)), w.Fork(nil)
		for i := at; i < steps; i++ {
			drive(w, acts, i, i+1)
			drive(other, nil, i, i+1)
			drive(fork, acts, i, i+1)
		}
		for name, x := range map[string]*World{"original": w, "fork": fork} {
			if diff := unlike(want, outcomeOf(x)); diff != "" {
				t.Fatalf("seed %d, forked at %d: the %s differs from the run alone:\n%s", seed, at, name, diff)
			}
			if x.Fingerprint() != afresh(x) {
				t.Fatalf("seed %d, forked at %d: the %s remembers a wrong fingerprint", seed, at, name)
			}
			if len(x.Monitor().(*watcher).events) != int(want.Events) {
				t.Fatalf("seed %d: the %s's monitor saw %d events, want %d", seed, name, len(x.Monitor().(*watcher).events), want.Events)
			}
		}
		if after := afresh(still); after != before {
			t.Fatalf("seed %d, forked at %d: a fork that did nothing has changed", seed, at)
		}
		if at < steps-50 && other.Hash() == want.Hash {
			t.Fatalf("seed %d: the fork with other choices went the same way", seed)
		}
	}
}

// Each change alone, on either side of a fork: the other side keeps its fingerprint, the changed side does not.
func TestOneChangeShowsOnOneSide(t *testing.T) {
	for name, change := range map[string]func(*World){
		"step":       func(w *World) { w.Next() },
		"crash":      func(w *World) { w.Crash(1, nil) },
		"power loss": func(w *World) { w.Crash(2, func(_ disk.File, synced, _ int64) int64 { return synced }) },
		"link":       func(w *World) { w.Link(0, 1, false, 0) },
		"delay":      func(w *World) { w.Link(0, 1, true, 5) },
		"inject":     func(w *World) { w.Inject(3, ping(1)) },
		"arm":        func(w *World) { w.Arm(point.PositionRecorded, 1, 1, func(*World) {}) },
		"pause":      func(w *World) { w.Pause(1, true) },
		"slow":       func(w *World) { w.Slow(1, 5) },
		"answers":    func(w *World) { w.SlowAnswers(1, 5) },
		"catch":      func(w *World) { w.Catch(Catch{API: wire.ReportCommandAPI, Nth: 1}) },
		"restart":    func(w *World) { w.Crash(0, nil); w.Restart(0) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, original := range []bool{true, false} {
				w := toys(4, rough, choice.Seeded(8))
				drive(w, nil, 0, 120)
				before := afresh(w)
				changed, kept := w, w.Fork(nil)
				if !original {
					changed, kept = kept, changed
				}
				change(changed)
				if afresh(kept) != before {
					t.Errorf("original %v changed: it shows on the other side", original)
				}
				if changed.Fingerprint() == before {
					t.Errorf("original %v changed: it does not show", original)
				}
				if changed.Fingerprint() != afresh(changed) {
					t.Errorf("original %v changed: a wrong fingerprint is remembered", original)
				}
			}
		})
	}
}

func TestArmedPointWorksOnTheForkThatReachesIt(t *testing.T) {
	w := wired(calm(), Network{}, stop())
	w.nodes[0].node = &toy{peers: 2, disk: w.nodes[0].disk, held: []uint64{1}}
	w.Arm(point.PositionRecorded, 0, 1, func(w *World) { w.Crash(0, nil) })
	f := w.Fork(nil)
	if f.reach(0, point.PositionRecorded) || f.nodes[0].alive || !w.nodes[0].alive || len(w.armed) != 1 || len(f.armed) != 0 {
		t.Errorf("alive: fork %v, original %v; armed: fork %d, original %d", f.nodes[0].alive, w.nodes[0].alive, len(f.armed), len(w.armed))
	}
}

func TestForkOfAForkInParallel(t *testing.T) {
	w := toys(5, rough, choice.Seeded(4))
	drive(w, nil, 0, 200)
	want := w.Fork(nil)
	drive(want, nil, 0, 300)
	done := make(chan uint64)
	for range 4 {
		f := w.Fork(nil).Fork(nil)
		go func() {
			drive(f, nil, 0, 300)
			done <- f.Hash()
		}()
	}
	for range 4 {
		if got := <-done; got != want.Hash() {
			t.Errorf("hash %x, want %x", got, want.Hash())
		}
	}
}
