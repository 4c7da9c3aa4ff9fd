package main

import (
	"encoding/json"
	"strings"
	"testing"

	"mirrorsim/scenarios"
)

// compare prints one comparison in three forms, and the command of a cell repeats what it says.
func TestCompareForms(t *testing.T) {
	args := []string{"compare", "--protocols", "start-stop,hardened", "--set", "marker=none", "--count", "4", "--seed-start", "8",
		"--faults", "light"}
	code, out, diag := command(append(args, "--json")...)
	var rep scenarios.DesignComparison
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatalf("%v: %s%s", err, out, diag)
	}
	if code != 1 || rep.Schema != "mirrorsim.compare/1" || rep.Verdict != "violated" || rep.Kind != "protocols" || diag != "" ||
		len(rep.Columns) != 2 {
		t.Fatalf("exit status %d, %+v%s", code, rep, diag)
	}
	_, text, _ := command(args...)
	_, page, _ := command(append(args, "--markdown")...)
	fallen := 0
	for i, c := range rep.Columns {
		if c.Name != []string{"start-stop", "hardened"}[i] || c.Protocol.Set["marker"] != "none" || c.Runs != 4 {
			t.Errorf("column %+v", c)
		}
		for _, x := range c.Properties {
			if x.Violated == 0 {
				continue
			}
			fallen++
			r := reportOf(t, x.Reproduce)
			var says []string
			for _, v := range r.Violations {
				if v.Property == x.ID {
					says = append(says, v.Sentence)
				}
			}
			if len(says) == 0 || says[0] != x.Sentence || *r.Seed != *x.Seed {
				t.Errorf("%s: %q, want %q", x.Reproduce, says, x.Sentence)
			}
			if !strings.Contains(text, "  "+x.Reproduce+"\n") || !strings.Contains(page, "`"+x.Reproduce+"`") {
				t.Errorf("the text or the page lacks %s", x.Reproduce)
			}
		}
	}
	if fallen == 0 {
		t.Error("nothing falls")
	}
}

func TestCompareOneDecision(t *testing.T) {
	code, out, diag := command("compare", "--decision", "stop-bump", "--protocol", "first", "--count", "1", "--json")
	var rep scenarios.DesignComparison
	if err := json.Unmarshal([]byte(out), &rep); err != nil || code != 0 {
		t.Fatalf("exit status %d, %v: %s%s", code, err, out, diag)
	}
	bases := ""
	for _, c := range rep.Columns {
		if c.Protocol.Revision != "first" || c.Base == (c.Protocol.Set["stop-bump"] == c.Name) {
			t.Errorf("%+v", c)
		}
		if c.Base {
			bases += c.Name
		}
	}
	if bases != "above-log" || len(rep.Columns) != 5 || rep.Kind != "decision" || rep.Count != 1 {
		t.Errorf("%s: %d columns, %s, %d seeds", bases, len(rep.Columns), rep.Kind, rep.Count)
	}
}

// What the flags leave open is that of the manual.
func TestCompareDefaults(t *testing.T) {
	sweeps(t)
	code, out, diag := command("compare", "--stop-orders", "--protocol", "start-stop", "--seed-start", "3", "--count", "1")
	const head = "compare: 120 orders of the steps of a stop, seeds 3 to 3, faults none, base --protocol start-stop\n"
	if code != 0 && code != 1 || !strings.Contains(out, head) {
		t.Errorf("exit status %d: %s%s", code, out, diag)
	}
	for _, x := range []struct{ args, want string }{{"", "200"}, {"--stop-orders", "10"}, {"--stop-orders --count=7", "7"}} {
		c := compareCommand(new(bool))
		if err := c.ParseFlags(strings.Fields(x.args)); err != nil {
			t.Fatal(err)
		}
		c.PreRun(c, nil)
		if got := c.Flags().Lookup("count").Value.String(); got != x.want {
			t.Errorf("%s: %s seeds, want %s", x.args, got, x.want)
		}
	}
}

func TestBadInputOfCompare(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
	}{
		{"--protocols newest", []string{"newest", "add-remove", "hardened"}},
		{"--protocols aligned,aligned", []string{"--protocols aligned,aligned", "stands there twice"}},
		{"--protocols aligned,", []string{"--protocols", "empty"}},
		{"--protocol aligned", []string{"--protocols"}},
		{"--decision D99", []string{"D99", "marker"}},
		{"--decision stop-order", []string{"--stop-orders"}},
		{"--decision D1 --stop-orders", []string{"another thing to compare"}},
		{"--decision D1 --protocols aligned", []string{"--protocol, the one"}},
		{"--decision D1 --protocol newest", []string{"newest", "hardened"}},
		{"--count 0", []string{"--count 0", "from 1"}},
		{"--jobs -1", []string{"--jobs -1"}},
		{"--faults heavy", []string{"heavy", "swarm"}},
		{"--markdown --json", []string{"another form"}},
		{"F1", []string{"compare"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			code, out, diag := command(append([]string{"compare"}, strings.Fields(c.args)...)...)
			if code != exitBadInput {
				t.Errorf("exit status %d", code)
			}
			for _, w := range c.want {
				if !strings.Contains(out+diag, w) {
					t.Errorf("the message lacks %q: %s%s", w, out, diag)
				}
			}
		})
	}
}
