package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mirrorsim/scenarios/plan"
)

// wrongValues are for each flag that takes a value words that are not accepted, and what the error names in their place. A row of a
// command comes before one of all commands.
var wrongValues = []struct{ command, flag, value, want string }{
	{"", "protocol", "hardend", "perhaps hardened is meant"},
	{"", "set", "marker", "NAME=TOKEN"},
	{"", "set", "markr=none", "perhaps marker is meant"},
	{"", "set", "marker=epok", "epoch-and-offset"},
	{"", "faults", "ligt", "perhaps light is meant"},
	{"", "seed", "-1", "a whole number from 0 to 9007199254740991"},
	{"", "seed", "9007199254740992", "a whole number from 0 to 9007199254740991"},
	{"", "seed-start", "x", "a whole number from 0 to 9007199254740991"},
	{"", "count", "0", "a whole number from 1 to 9007199254740992"},
	{"", "count", "many", "a whole number"},
	{"", "jobs", "-1", "a whole number from 0"},
	{"", "property", "durabilty", "perhaps durability is meant"},
	{"", "group", "nope", "4 hex digits"},
	{"", "runs", "0", "a whole number from 1"},
	{"shrink", "out", "no/such/x.scn", "a directory that exists"},
	{"shrink", "out", ".", "a file"},
	{"explore", "out", "no/such/x.scn", "a directory that exists"},
	{"guide", "out", "no-such", "a directory that exists"},
	{"guide", "compare", "-1", "a whole number from 0"},
	{"run", "record", "no/such/x.rec", "a directory that exists"},
	{"run", "replay", "no/such/x.rec", "a recording"},
	{"run", "history", "no/such/x.jsonl", "a directory that exists"},
	{"run", "pictures", "no-such", "a directory that exists"},
	{"scenarios verify", "seeds", "-1", "a whole number from 0"},
	{"sweep", "resume", "no/such/x.jsonl", "a directory that exists"},
	{"sweep", "shrink-runs", "-1", "a whole number from 0"},
	{"compare", "protocols", "first,hardend", "perhaps hardened is meant"},
	{"compare", "decision", "markr", "perhaps marker is meant"},
	{"doom", "noise", "swrm", "perhaps swarm is meant"},
	{"explore", "departures", "-1", "a whole number from 0 to 14"},
	{"explore", "crashes", "256", "a whole number from 0 to 255"},
	{"explore", "max-states", "-1", "a whole number from 0"},
	{"explore", "from", "99", "a whole number from 1 to 13"},
	{"explore", "to", "-1", "a whole number from 1 to 13"},
	{"explore", "quantum", "0s", "such as 500ms"},
	{"plan", "ask", "Q6", "Q1, Q2, Q3, Q4, Q5"},
	{"protocols", "explain", "markr", "perhaps marker is meant"},
}

// besides is what a command or a flag needs besides, for a line that is right but for one value.
func besides(t *testing.T, command, flag string) []string {
	t.Helper()
	switch {
	case flag == "replay":
		return nil // the recording has the scenario
	case command == "compare" && flag == "protocol":
		return []string{"--stop-orders"}
	case command == "plan":
		file := filepath.Join(t.TempDir(), "mine.yaml")
		if err := os.WriteFile(file, []byte(plan.Example), 0o644); err != nil {
			t.Fatal(err)
		}
		return map[bool][]string{true: {file, "--show"}, false: {file}}[flag == "seed"]
	case command == "scenarios show":
		return []string{"F1", "--story"}
	}
	return map[string][]string{"run": {"F1"}, "scenarios run": {"F1"}, "scenarios verify": {"F1"}, "explore": {"F1"}, "doom": {"F1"},
		"shrink": {"F1"}, "check": {"-"}, "scenarios fmt": {"x.scn"}}[command]
}

// leaves are all commands that do something, by their names.
func leaves(c *cobra.Command) (list []*cobra.Command) {
	for _, sub := range c.Commands() {
		switch {
		case sub.Name() == "help" || sub.Name() == "completion":
		case sub.HasSubCommands():
			list = append(list, leaves(sub)...)
		default:
			list = append(list, sub)
		}
	}
	return list
}

// Every flag of every command refuses what it does not take: exit status 2, nothing printed but the error, which has the word and
// what would be accepted, in text and as JSON.
func TestWrongValues(t *testing.T) {
	used := make([]bool, len(wrongValues))
	for _, c := range leaves(rootCommand(new(bool))) {
		name := strings.TrimPrefix(c.CommandPath(), "mirrorsim ")
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" {
				return
			}
			if f.Value.Type() == "bool" {
				refuses(t, "true, false", "perhaps", append([]string{f.Name + "=perhaps"}, strings.Fields(name)...)...)
				return
			}
			tried := false
			for i, x := range wrongValues {
				if x.flag == f.Name && (x.command == "" || x.command == name) {
					used[i], tried = true, true
					word := x.value[strings.LastIndex(x.value, ",")+1:] // of a list its last
					args := append(append([]string{f.Name + "=" + x.value}, strings.Fields(name)...), besides(t, name, f.Name)...)
					refuses(t, x.want, strings.TrimSuffix(strings.TrimPrefix(word, "marker="), "=none"), args...)
				}
			}
			if !tried {
				t.Errorf("%s --%s: no value is known that it refuses", name, f.Name)
			}
		})
	}
	if i := slices.Index(used, false); i >= 0 {
		t.Errorf("there is no flag of %+v", wrongValues[i])
	}
}

// refuses runs a command line, its flag without the dashes first, and wants an error that names the word and what is accepted.
func refuses(t *testing.T, want, word string, args ...string) {
	t.Helper()
	line := append(args[1:], "--"+args[0])
	t.Run(strings.Join(line, " "), func(t *testing.T) {
		code, out, diag := command(line...)
		if code != exitBadInput || out != "" || !strings.Contains(diag, word) || !strings.Contains(diag, want) {
			t.Errorf("exit status %d, printed %q, want %q and %q in %s", code, out, word, want, diag)
		}
		_, out, _ = command(append(line, "--json")...)
		var rep errorReport
		err := json.Unmarshal([]byte(out), &rep)
		if err != nil || rep.Word != word || len(rep.Want) == 0 || !strings.Contains(strings.TrimSpace(diag), rep.Message) {
			t.Errorf("%v, want the word %q: %s", err, word, out)
		}
	})
}
