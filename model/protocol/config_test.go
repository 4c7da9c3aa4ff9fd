package protocol_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/protocol"
)

// revision loads a revision that has to exist.
func revision(t *testing.T, name string) protocol.Config {
	t.Helper()
	c, err := protocol.Revision(name)
	if err != nil {
		t.Fatalf("Revision(%q): %v", name, err)
	}
	return c
}

// with is the revision with one choice changed.
func with(t *testing.T, name, key, token string) protocol.Config {
	t.Helper()
	c := revision(t, name)
	if err := c.Set(key, token); err != nil {
		t.Fatalf("Set(%q, %q): %v", key, token, err)
	}
	return c
}

func TestDecisionsAreNumberedAndComplete(t *testing.T) {
	decisions := protocol.Decisions()
	if len(decisions) != 54 {
		t.Fatalf("there are %d decisions, want 54", len(decisions))
	}
	names := map[string]bool{}
	for i, d := range decisions {
		if want := fmt.Sprintf("D%d", i+1); d.ID != want {
			t.Errorf("decision %d has the id %s, want %s", i, d.ID, want)
		}
		if d.Doc == "" || d.Source == "" || len(d.Options) < 2 || names[d.Name] {
			t.Errorf("%s %s: doc %q, source %q, %d options, name taken %v", d.ID, d.Name, d.Doc, d.Source, len(d.Options), names[d.Name])
		}
		names[d.Name] = true
		tokens := d.Tokens()
		slices.Sort(tokens)
		if len(slices.Compact(tokens)) != len(d.Options) {
			t.Errorf("%s has a token twice: %v", d.ID, d.Tokens())
		}
		for _, o := range d.Options {
			if o.Doc == "" {
				t.Errorf("%s=%s has no doc", d.ID, o.Token)
			}
		}
	}
}

func TestDecisionsAreTheCallersOwn(t *testing.T) {
	protocol.Decisions()[6].Options[0].Token = "changed"
	if got := protocol.Decisions()[6].Options[0].Token; got != "plus-one" {
		t.Errorf("the first option of D7 is %q after a caller changed its copy", got)
	}
}

func TestEveryOptionIsSetAndRead(t *testing.T) {
	for _, d := range protocol.Decisions() {
		tokens := d.Tokens()
		if d.All {
			tokens = orders()
		}
		for _, token := range tokens {
			t.Run(d.Name+"="+token, func(t *testing.T) {
				base := revision(t, "start-stop")
				byID, byName := base, base
				for key, c := range map[string]*protocol.Config{strings.ToLower(d.ID): &byID, d.Name: &byName} {
					if err := c.Set(key, token); err != nil {
						t.Fatalf("Set(%q, %q): %v", key, token, err)
					}
				}
				if byID != byName {
					t.Error("by id and by name it becomes two designs")
				}
				if got := byID.Get(d.ID); got != token {
					t.Errorf("Get(%q) = %q", d.ID, got)
				}
				if changed := token != base.Get(d.Name); changed == (byID == base) {
					t.Errorf("changed is %v, and equal to the base is %v", changed, byID == base)
				}
				for _, other := range protocol.Decisions() {
					if other.ID != d.ID && byID.Get(other.ID) != base.Get(other.ID) {
						t.Errorf("it changes %s as well", other.ID)
					}
				}
			})
		}
	}
}

func TestUnknownWords(t *testing.T) {
	steps := []string{"fetchers", "record", "bump", "transactions", "reset"}
	stopOrder := func(word string) *protocol.UnknownError {
		return &protocol.UnknownError{Kind: "option", Of: "stop-order", Word: word, Want: steps, All: true}
	}
	var names []string
	for _, d := range protocol.Decisions() {
		names = append(names, d.Name)
	}
	cases := []struct {
		key, token string
		want       *protocol.UnknownError
	}{
		{"D55", "x", &protocol.UnknownError{Kind: "decision", Word: "D55", Want: names}},
		{"D0", "x", &protocol.UnknownError{Kind: "decision", Word: "D0", Want: names}},
		{"D01", "none", &protocol.UnknownError{Kind: "decision", Word: "D01", Want: names}},
		{"1", "none", &protocol.UnknownError{Kind: "decision", Word: "1", Want: names}},
		{"Marker", "none", &protocol.UnknownError{Kind: "decision", Word: "Marker", Want: names}},
		{"D2", "logs", &protocol.UnknownError{Kind: "option", Of: "epoch-source", Word: "logs",
			Want: []string{"mirrored", "log", "cache", "leader"}}},
		{"epoch-floor", "", &protocol.UnknownError{Kind: "option", Of: "epoch-floor",
			Want: []string{"unconstrained", "unconstrained-refusing", "fenced", "fenced-exactly"}}},
		{"D3", "fetchers,record,bump,transactions", stopOrder("fetchers,record,bump,transactions")},
		{"D3", "fetchers,record,bump,transactions,reset,reset", stopOrder("fetchers,record,bump,transactions,reset,reset")},
		{"D3", "fetchers,record,bump,bump,reset", stopOrder("fetchers,record,bump,bump,reset")},
		{"D3", "", stopOrder("")},
	}
	for _, tc := range cases {
		t.Run(tc.key+"="+tc.token, func(t *testing.T) {
			c := revision(t, "aligned")
			err := c.Set(tc.key, tc.token)
			var got *protocol.UnknownError
			if !errors.As(err, &got) {
				t.Fatalf("Set answers %v", err)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("error (-want +got):\n%s", d)
			}
			for _, want := range tc.want.Want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not name %s", err, want)
				}
			}
			if c != revision(t, "aligned") {
				t.Error("a refused Set changed the configuration")
			}
		})
	}
}

func TestErrorTexts(t *testing.T) {
	c := revision(t, "first")
	_, noRevision := protocol.Revision("hardend")
	cases := []struct {
		err  error
		want string
	}{
		{c.Set("D5", "keep"), `"keep" is no option of marker-rerun; there are overwrite, keep-first, keep-longest`},
		{c.Set("D3", "reset"), `"reset" is no option of stop-order; it takes all of fetchers, record, bump, transactions, reset in ` +
			`any order, separated by commas`},
		{noRevision, `no revision is called "hardend"; there are add-remove, start-stop, aligned, first, hardened`},
	}
	for _, tc := range cases {
		if tc.err == nil || tc.err.Error() != tc.want {
			t.Errorf("got  %v\nwant %s", tc.err, tc.want)
		}
	}
	if got := c.Get("D55"); got != "" {
		t.Errorf("Get of no decision is %q", got)
	}
}

func TestConfigIsComparable(t *testing.T) {
	seen := map[protocol.Config]string{}
	for _, p := range protocol.Revisions() {
		c := revision(t, p.Name)
		if other, taken := seen[c]; taken && len(p.Changes) > 0 {
			t.Errorf("%s equals %s", p.Name, other)
		}
		seen[c] = p.Name
	}
	c, base := revision(t, "first"), revision(t, "start-stop")
	for _, change := range preset(t, "first").Changes {
		if c == base {
			t.Errorf("first equals start-stop before %s is put back", change.Decision)
		}
		if err := c.Set(change.Decision, base.Get(change.Decision)); err != nil {
			t.Fatal(err)
		}
	}
	if c != base {
		t.Error("first without its changes is not start-stop")
	}
}
