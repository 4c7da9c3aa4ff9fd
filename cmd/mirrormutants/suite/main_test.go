package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"mirrorsim/scenarios"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func allCases(t *testing.T) []testCase {
	t.Helper()
	all, err := cases("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every file of the three directories is a case, and so is every seed.
func TestCases(t *testing.T) {
	counts := map[string]int{}
	for _, c := range allCases(t) {
		stage, _, _ := strings.Cut(c.name, "/")
		counts[stage]++
	}
	for _, dir := range []string{"catalogue", "corpus", "findings"} {
		files, err := filepath.Glob("../../../scenarios/" + dir + "/*.scn")
		if err != nil || len(files) == 0 || counts[dir] != len(files) {
			t.Errorf("%v: %d cases of the %d files of %s", err, counts[dir], len(files), dir)
		}
	}
	if counts["seed"] != seeds {
		t.Errorf("%d of %d seeds", counts["seed"], seeds)
	}
}

func TestChoose(t *testing.T) {
	all := allCases(t)
	list, err := choose(all, []string{"seed/3", "catalogue/F1=2.5"})
	if err != nil || len(list) != 2 || list[0].limit != 0 || list[1].name != "catalogue/F1" || list[1].limit.Seconds() != 2.5 {
		t.Errorf("%v %v", err, list)
	}
	for _, c := range []struct{ arg, want string }{
		{"seed/40", `"seed/40": accepted: a name that -list prints`},
		{"seed/3=fast", `seed/3=fast: "fast": accepted: a number of seconds above 0`},
		{"seed/3=0", `seed/3=0: "0": accepted: a number of seconds above 0`},
	} {
		if _, err := choose(all, []string{c.arg}); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// What a case falls by is told apart.
func TestJudge(t *testing.T) {
	of := func(c scenarios.Check, err error) func() ([]scenarios.Check, error) {
		return func() ([]scenarios.Check, error) { return []scenarios.Check{{Result: &scenarios.Result{}}, c}, err }
	}
	asserted := &scenarios.Result{Assertion: "the log has no hole"}
	for _, c := range []struct {
		how, problem string
		run          func() ([]scenarios.Check, error)
	}{
		{"", "", of(scenarios.Check{Result: &scenarios.Result{}}, nil)},
		{"property", "durability: lost", of(scenarios.Check{Result: &scenarios.Result{}, Problem: "durability: lost"}, nil)},
		{"expectation", "line 3: x: y", of(scenarios.Check{Result: &scenarios.Result{}, Problem: "line 3: x: y"}, nil)},
		{"expectation", "under its line wrong w: no-loop holds",
			of(scenarios.Check{Result: &scenarios.Result{}, Problem: "no-loop holds", Wrong: "wrong w"}, nil)},
		{"assertion", "the log has no hole", of(scenarios.Check{Result: asserted, Problem: "assertion: #"}, nil)},
		{"error", "no such word", of(scenarios.Check{}, errors.New("no such word"))},
		{"panic", "oh", func() ([]scenarios.Check, error) { panic("oh") }},
	} {
		if how, problem, _ := (testCase{"x", c.run}).judge(); how != c.how || problem != c.problem {
			t.Errorf("%s %q, want %s %q", how, problem, c.how, c.problem)
		}
	}
}

// The program as the mutants run it: it stops at a case that takes too long, and tells so.
func TestTimeOut(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "suite")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(binary, "catalogue/F1=60", "catalogue/T1=0.01", "catalogue/F2")
	c.Dir, c.Env = "../../..", append(os.Environ(), "GOMAXPROCS=1")
	out, err := c.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != timedOut {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var a answer
	if err := json.Unmarshal(lines[len(lines)-1], &a); err != nil || len(lines) != 2 || a.Case != "catalogue/T1" || a.How != "time" {
		t.Errorf("%v: %s", err, out)
	}
}
