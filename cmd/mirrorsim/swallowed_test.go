package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// A flag that would do nothing is refused: it was meant to do something.
func TestNothingIsSwallowed(t *testing.T) {
	for _, c := range []struct{ line, word, want string }{
		{"run F1 --print --seed 3", "--seed", "with --json"},
		{"run F1 --print --protocol aligned", "--protocol", "with --json"},
		{"run --print --quiet --faults light --seed 3", "--quiet", "with --seed"},
		{"run --replay x.rec --seed 3", "--seed", "with --history"},
		{"run --replay x.rec --faults light", "--faults", "with --set"},
		{"run F1 --replay x.rec", "F1", "no SCENARIO"},
		{"run --seed=", "--seed", "--seed VALUE"},
		{"run F1 --set=", "--set", "--set VALUE"},
		{"sweep --no-shrink --shrink-runs 5", "--no-shrink", "--shrink-runs N"},
		{"sweep --faults-end", "--faults-end", "--doom --faults-end"},
		{"shrink F4 --faults-end", "--faults-end", "--doom --faults-end"},
		{"compare --protocols=", "--protocols", "--protocols VALUE"},
		{"compare --decision=", "--decision", "--decision VALUE"},
		{"compare --protocol first", "--protocol", "--protocols"},
		{"compare --protocols first --decision marker", "--protocols", "--protocol, the one"},
		{"plan --example --count 3", "--count", "--example"},
		{"plan x.yaml --show --count 3", "--count", "with --seed"},
		{"plan x.yaml --show --jobs 3", "--jobs", "with --protocol"},
		{"plan x.yaml --show --ask Q1", "--ask", "with --set"},
		{"plan x.yaml --show --seed-start 3", "--seed-start", "with --seed"},
		{"plan x.yaml --show --faults swarm", "--faults", "with --seed"},
		{"plan x.yaml --seed 3", "--seed", "--show --seed N"},
		{"plan x.yaml --ask=", "--ask", "--ask VALUE"},
		{"protocols --mermaid", "--mermaid", "--states --mermaid"},
		{"scenarios show F1 --protocol first", "--protocol", "with --story"},
		{"guide --out . --compare 1", "--out", "--compare N"},
	} {
		t.Run(c.line, func(t *testing.T) {
			code, out, _ := command(append(strings.Fields(c.line), "--json")...)
			var rep errorReport
			if err := json.Unmarshal([]byte(out), &rep); err != nil || code != exitBadInput || rep.Word != c.word ||
				!strings.Contains(strings.Join(rep.Want, "; "), c.want) {
				t.Errorf("exit status %d, %v, want %s and %s: %s", code, err, c.word, c.want, out)
			}
		})
	}
}
