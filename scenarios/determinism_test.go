package scenarios

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hashes runs every file of the catalogue on the calm schedule and under two seeds, and has one line a run: the hash of
// its history, and how many choices were asked.
func hashes(t *testing.T) string {
	var b strings.Builder
	for _, f := range Catalogue() {
		s, err := f.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		d, err := Choose(s, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, seed := range []int64{-1, 1, 1<<53 - 1} {
			o := Options{Protocol: d.Config}
			schedule := "calm"
			if seed >= 0 {
				o, schedule = o.WithSeed(uint64(seed)), fmt.Sprint("seed ", seed)
			}
			r, err := Run(s, o)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%-13s %-21s %016x %d choices, %d deviations\n", f.Name, schedule, r.Hash, r.Choices, len(r.Deviations))
		}
	}
	return b.String()
}

const goldenHashes = "testdata/hashes.golden"

// A run is a function of its input: the same hash twice in a process, with one processor and with two. The golden is
// compared by every build, so it holds with the race detector and on other machines as well. A change of behaviour
// changes it; go test ./scenarios -run SameInput -update rewrites it.
func TestSameInputSameHash(t *testing.T) {
	alone(t)
	first := hashes(t)
	if *update {
		if err := os.WriteFile(goldenHashes, []byte(first), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(goldenHashes)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(golden), first); d != "" {
		t.Errorf("not the hashes of %s (rewrite it with -update if behaviour was meant to change):\n%s", goldenHashes, d)
	}
	for _, n := range []int{1, 2} {
		before := runtime.GOMAXPROCS(n)
		if d := cmp.Diff(first, hashes(t)); d != "" {
			t.Errorf("other hashes with GOMAXPROCS=%d:\n%s", n, d)
		}
		runtime.GOMAXPROCS(before)
	}
}

// A fresh process comes to the same hashes.
func TestFreshProcessSameHash(t *testing.T) {
	alone(t)
	if os.Getenv("MIRRORSIM_PRINT_HASHES") != "" {
		fmt.Print("\n" + hashes(t))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFreshProcessSameHash$", "-test.v")
	cmd.Env = append(os.Environ(), "MIRRORSIM_PRINT_HASHES=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "\n"+hashes(t)) {
		t.Errorf("a fresh process has other hashes:\n%s", out)
	}
}
