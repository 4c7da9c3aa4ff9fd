package sim

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

// outcome is all by which two runs are compared.
type outcome struct {
	Hash                        uint64
	Fingerprint                 [2]uint64
	Deliveries, Events, Choices uint64
	Now                         id.Duration
	Deviations                  []choice.Deviation
}

// unlike is the difference of two outcomes, "" if they are equal.
func unlike(a, b outcome) string {
	list, other := a.Deviations, b.Deviations
	a.Deviations, b.Deviations = nil, nil
	if !slices.Equal(list, other) {
		return cmp.Diff(list, other)
	}
	return cmp.Diff(a, b)
}

func outcomeOf(w *World) outcome {
	o := outcome{Hash: w.Hash(), Fingerprint: w.Fingerprint(), Now: w.Now(), Deviations: w.Choices().Deviations()}
	o.Deliveries, o.Events, o.Choices = w.Count()
	return o
}

func roughRun(seed uint64, c choice.Chooser) outcome {
	w := toys(6, rough, c)
	drive(w, plan(seed, 6, 800), 0, 800)
	return outcomeOf(w)
}

func TestSameSeedSameRun(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(40) {
		want := roughRun(seed, choice.Seeded(seed))
		if diff := unlike(want, roughRun(seed, choice.Seeded(seed))); diff != "" {
			t.Fatalf("seed %d twice:\n%s", seed, diff)
		}
		if seen[want.Hash] || want.Events < 400 {
			t.Fatalf("seed %d has the hash of another one, or no history: %+v", seed, want)
		}
		seen[want.Hash] = true
	}
}

func TestReplayIsTheSameRun(t *testing.T) {
	for seed := range uint64(40) {
		want := roughRun(seed, choice.Seeded(seed))
		if len(want.Deviations) == 0 {
			t.Fatalf("seed %d: nothing to replay", seed)
		}
		var unused int
		if diff := unlike(want, roughRun(seed, choice.Replay(want.Deviations, &unused))); diff != "" {
			t.Fatalf("seed %d replayed:\n%s", seed, diff)
		}
		if unused != 0 {
			t.Fatalf("seed %d: %d deviations no longer apply", seed, unused)
		}
		if o := roughRun(seed, choice.Replay(want.Deviations[1:], nil)); o.Hash == want.Hash {
			t.Fatalf("seed %d: the first deviation makes no difference", seed)
		}
	}
}

func TestProcessorsMakeNoDifference(t *testing.T) {
	want := roughRun(3, choice.Seeded(3))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, p := range []int{1, 2} {
		runtime.GOMAXPROCS(p)
		var both [2]outcome
		var wg sync.WaitGroup
		for i := range both {
			wg.Go(func() { both[i] = roughRun(3, choice.Seeded(3)) })
		}
		wg.Wait()
		for _, got := range both {
			if diff := unlike(want, got); diff != "" {
				t.Errorf("GOMAXPROCS %d:\n%s", p, diff)
			}
		}
	}
}

func TestFreshProcessIsTheSame(t *testing.T) {
	const variable = "MIRRORSIM_FRESH_PROCESS"
	text := fmt.Sprintf("outcome %+v", roughRun(5, choice.Seeded(5)))
	if os.Getenv(variable) != "" {
		fmt.Println(text)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFreshProcessIsTheSame$")
	cmd.Env = append(os.Environ(), variable+"=1")
	got, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(got), text+"\n") {
		t.Errorf("%v: got %s, want %s", err, got, text)
	}
}

func TestHistoryHasIndexTimeAndNode(t *testing.T) {
	w := toys(4, rough, choice.Seeded(9))
	drive(w, plan(9, 4, 300), 0, 300)
	var last id.Duration
	events := w.Monitor().(*watcher).events
	for i, e := range events {
		if e.Index != uint64(i) || e.At < last || int(e.Node) >= w.Nodes() {
			t.Fatalf("event %d: %+v after time %v", i, e, last)
		}
		last = e.At
	}
	if _, n, _ := w.Count(); n != uint64(len(events)) || last != w.Now() && last == 0 {
		t.Fatalf("counted %d events, saw %d until %v", n, len(events), last)
	}
}

func TestNextUntilStopsTheClock(t *testing.T) {
	w := toys(2, Network{}, choice.Seeded(1))
	for w.NextUntil(7 * id.Millisecond) {
		if w.Now() > 7*id.Millisecond {
			t.Fatalf("something happened at %v", w.Now())
		}
	}
	if n, _, _ := w.Count(); w.Now() != 7*id.Millisecond || n != 2 {
		t.Errorf("now %v after %d deliveries, want 7ms and the first tick of each node", w.Now(), n)
	}
	if w.NextUntil(6*id.Millisecond) || w.Now() != 7*id.Millisecond {
		t.Errorf("the clock went back to %v", w.Now())
	}
}

func TestNextEndsWhenNothingIsLeft(t *testing.T) {
	w := New(Spec{Boot: nodes(func(*scripted, node.Input, *node.Effects) {}), Cluster: make([]id.Cluster, 1)})
	if w.Next() || w.Now() != 0 {
		t.Errorf("something happened at %v", w.Now())
	}
}

func TestSpecIsChecked(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a node without a cluster was taken")
		}
	}()
	New(Spec{Boot: nodes(func(*scripted, node.Input, *node.Effects) {})})
}

func TestWaitsNamesTheNode(t *testing.T) {
	w := toys(3, Network{}, choice.Seeded(1))
	w.nodes[1].node.(*toy).held = []uint64{1}
	w.nodes[2].node.(*toy).held = []uint64{1}
	var got []string
	w.Waits(func(n id.Node, what string) bool {
		got = append(got, fmt.Sprint(n, " ", what))
		return false
	})
	if diff := cmp.Diff([]string{"1 to be resumed"}, got); diff != "" {
		t.Error(diff)
	}
}
