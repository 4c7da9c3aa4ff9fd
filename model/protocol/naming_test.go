package protocol_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/protocol"
)

// The older names are seed 000's, the newer ones seed 004's; a revision that is based on another has its names.
func TestNames(t *testing.T) {
	older := map[string]string{"StartMirrorTopics": "AddTopicsToMirror", "StopMirrorTopics": "RemoveTopicsFromMirror",
		"PauseMirrorTopics": "PauseMirrorTopics", "CreateMirror": "CreateMirror"}
	for name, want := range map[string]protocol.Naming{"add-remove": protocol.OlderNames, "start-stop": protocol.NewerNames,
		"aligned": protocol.NewerNames, "first": protocol.NewerNames, "hardened": protocol.NewerNames} {
		c := with(t, name, "stop-from", "any")
		n := c.Names()
		if n != want {
			t.Errorf("%s has the %s names", name, n)
		}
		for newer, old := range older {
			expect := newer
			if want == protocol.OlderNames {
				expect = old
			}
			if got := n.Request(newer); got != expect {
				t.Errorf("%s calls %s %s", name, newer, got)
			}
		}
		if n.TakesPatterns() != (want == protocol.NewerNames) {
			t.Errorf("%s takes patterns: %v", name, n.TakesPatterns())
		}
	}
	if d := cmp.Diff([]string{"older", "newer"}, []string{protocol.OlderNames.String(), protocol.NewerNames.String()}); d != "" {
		t.Error(d)
	}
}

func TestLegalMirrorName(t *testing.T) {
	long := strings.Repeat("m", 249)
	for _, row := range []struct {
		name         string
		older, newer bool
	}{
		{"m", true, true}, {"A.b_c-9", true, true}, {long, true, true}, {"...", true, true}, {"m.paused.x", true, true},
		{"", false, false}, {".", false, false}, {"..", false, false}, {long + "m", false, false},
		{"m m", false, false}, {"m/n", false, false}, {"ü", false, false}, {"m\n", false, false},
		{"m.paused", false, false}, {".paused", false, false},
		{"m.removed", false, true}, {"m.stopped", true, false},
	} {
		if older, newer := protocol.OlderNames.LegalMirrorName(row.name), protocol.NewerNames.LegalMirrorName(row.name); older != row.older ||
			newer != row.newer {
			t.Errorf("%.20q is legal: older %v, newer %v", row.name, older, newer)
		}
	}
}

func TestMirrorNameConfig(t *testing.T) {
	for _, row := range []struct {
		naming          protocol.Naming
		paused, stopped bool
		want            string
	}{
		{protocol.OlderNames, false, false, "m"}, {protocol.OlderNames, true, false, "m.paused"},
		{protocol.OlderNames, false, true, "m.removed"}, {protocol.NewerNames, false, false, "m"},
		{protocol.NewerNames, true, false, "m.paused"}, {protocol.NewerNames, false, true, "m.stopped"},
	} {
		if got := row.naming.MirrorNameConfig("m", row.paused, row.stopped); got != row.want {
			t.Errorf("%s: %s, want %s", row.naming, got, row.want)
		}
	}
}

// No two desired states of legal names have the same value: that is what the suffixes are reserved for.
func TestMirrorNameConfigTellsStatesApart(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.SampledFrom([]protocol.Naming{protocol.OlderNames, protocol.NewerNames}).Draw(r, "naming")
		names := rapid.StringMatching(`[ab](\.paused|\.removed|\.stopped){0,2}`).Filter(n.LegalMirrorName)
		states := rapid.IntRange(0, 2)
		name, other := names.Draw(r, "name"), names.Draw(r, "other name")
		state, another := states.Draw(r, "state"), states.Draw(r, "other state")
		value, second := n.MirrorNameConfig(name, state == 1, state == 2), n.MirrorNameConfig(other, another == 1, another == 2)
		if (value == second) != (name == other && state == another) {
			r.Fatalf("%s: %q in state %d is %q, %q in state %d is %q", n, name, state, value, other, another, second)
		}
	})
}
