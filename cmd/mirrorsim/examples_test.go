package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// cheap are flags that examples get besides, a later one in place of an earlier, so that they take no time; and the statuses with
// which they may end: what is cut short may find nothing, but never refuses its own example.
var cheap = map[string]struct {
	flags []string
	ends  []int
}{
	"run":     {nil, []int{0, 1}},
	"check":   {nil, []int{0}},
	"sweep":   {[]string{"--count", "2", "--shrink-runs", "9"}, []int{0, 1, 4}},
	"compare": {[]string{"--count", "1"}, []int{0, 1, 4}},
	"plan":    {[]string{"--count", "2"}, []int{0, 1, 4}},
	"explore": {[]string{"--max-states", "3000"}, []int{0, 1, 4}},
	"shrink":  {[]string{"--runs", "60"}, []int{0, 4}},
	"doom":    {[]string{"--runs", "1"}, []int{0}},
	"guide":   {[]string{"--count", "2", "--compare", "1"}, []int{0, 1, 4}},
}

// Every example of every help text runs: in the order of the commands, as some leave a file for another.
func TestExamples(t *testing.T) {
	sweeps(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const explored = "scenarios/explore/stop-and-failback.scn"
	// The one directory that is made: the help texts are of the project's root. An example that needs another fails, as it would there.
	if err := os.MkdirAll(filepath.Dir(explored), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]string{explored: explored, "mine.scn": "scenarios/catalogue/F1.scn"} { // copies: examples write
		text, err := os.ReadFile(filepath.Join(here, "../..", of))
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// What an example takes that none leaves: a recording of a failing run.
	if code, _, diag := command("run", "F4", "--protocol", "start-stop", "--set", "marker=none", "--record", "run.rec", "--quiet"); code != 1 {
		t.Fatal(diag)
	}
	commands := leaves(rootCommand(new(bool)))
	order := []string{"run", "check", "shrink", "doom"} // check takes the history of run, doom what shrink has left
	slices.SortStableFunc(commands, func(a, b *cobra.Command) int { return rank(order, a.Name()) - rank(order, b.Name()) })
	n := 0
	for _, c := range commands {
		for line := range strings.Lines(c.Example) {
			n++
			t.Run(strings.TrimSpace(line), func(t *testing.T) { example(t, strings.TrimSpace(line)) })
		}
	}
	if n < 30 {
		t.Errorf("only %d examples were found", n)
	}
}

func rank(order []string, name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

// example runs a line as a shell would: commands behind each other, one that reads what another writes, one that writes into a file.
func example(t *testing.T, line string) {
	for part := range strings.SplitSeq(line, "&&") {
		if _, reads, ok := strings.Cut(part, "|"); ok {
			part = reads
			feed(t, "f4.jsonl")
		}
		part, file, _ := strings.Cut(part, ">")
		words := strings.Fields(part)
		if words[0] != "mirrorsim" {
			t.Fatalf("%q is no command of mirrorsim", part)
		}
		args, ends := words[1:], []int{0}
		if x, ok := cheap[args[0]]; ok {
			ends = x.ends
			for i := 0; i < len(x.flags); i += 2 {
				if !refusedBeside(args, x.flags[i]) {
					args = append(args, x.flags[i:i+2]...)
				}
			}
		}
		run := command
		if slices.Contains(args, "--stop-orders") { // 120 designs: it only begins
			run = func(args ...string) (int, string, string) { return underway(0, args...) }
		}
		code, out, diag := run(args...)
		if !slices.Contains(ends, code) || len(out) == 0 && !slices.Contains(args, "-o") {
			t.Errorf("exit status %d, printed %d bytes: %s", code, len(out), diag)
		}
		if file = strings.TrimSpace(file); file != "" {
			if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// refusedBeside tells whether a flag of cheap would be refused beside those of an example, or would make another thing of it.
func refusedBeside(args []string, flag string) bool {
	has := func(name string) bool { return slices.Contains(args, name) }
	return has("--show") || has("--example") || flag == "--compare" && !has(flag) || flag == "--shrink-runs" && has("--no-shrink")
}

// feed has standard input be a file.
func feed(t *testing.T, name string) {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdin
	os.Stdin = file
	t.Cleanup(func() {
		os.Stdin = before
		file.Close()
	})
}
