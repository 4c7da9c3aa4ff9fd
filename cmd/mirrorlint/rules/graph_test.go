package rules

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func mayImport(from, to string) bool {
	may, ok := row(from)
	return ok && slices.ContainsFunc(may, func(pattern string) bool { return covers(pattern, to) })
}

// TestGraphHasNoWayBack: no two different rows may reach each other.
func TestGraphHasNoWayBack(t *testing.T) {
	var dirs []string
	for dir := range maps.Keys(graph) {
		dirs = append(dirs, strings.TrimSuffix(dir, "/..."))
	}
	dirs = append(dirs, nodes...)
	slices.Sort(dirs)
	reached := map[[2]string]bool{}
	for _, from := range dirs {
		for _, to := range dirs {
			reached[[2]string{from, to}] = from != to && mayImport(from, to)
		}
	}
	for _, via := range dirs {
		for _, from := range dirs {
			for _, to := range dirs {
				if reached[[2]string{from, via}] && reached[[2]string{via, to}] {
					reached[[2]string{from, to}] = true
				}
			}
		}
	}
	for _, dir := range dirs {
		if reached[[2]string{dir, dir}] {
			t.Errorf("%s reaches itself", dir)
		}
	}
}

func TestEdges(t *testing.T) {
	tests := []struct {
		from, to string
		want     bool
	}{
		{"model/id", "model/record", false},
		{"model/record", "model/id", true},
		{"model/wire", "model/event", false},
		{"model/event", "model/wire", false},
		{"model/node", "model/wire", true},
		{"model/node", "model/plog", false},
		{"model/protocol", "model/id", false},
		{"model/plog", "model/protocol", true},
		{"model/plog", "model/metadata", false},
		{"model/broker", "model/mirror", true},
		{"model/mirror", "model/broker", false},
		{"model/broker", "model/client", false},
		{"model/client", "model/broker", false},
		{"model/replica", "sim", false},
		{"sim", "model/node", true},
		{"sim", "model/broker", false},
		{"sim", "model/protocol", false},
		{"sim/choice", "sim", false},
		{"sim/choice", "model/id", false},
		{"faults", "sim", true},
		{"sim", "faults", false},
		{"checkers", "model/event", true},
		{"checkers", "model/node", false},
		{"checkers", "sim", false},
		{"scenarios", "model/broker", true},
		{"scenarios", "cmd/mirrorsim", false},
		{"scenarios/sweep", "scenarios", true},
		{"cmd/mirrorsim", "scenarios", true},
		{"cmd/mirrorsim", "model/broker", false},
		{"cmd/mirrorlint/rules", "model/id", false},
		{"cmd/mirrorlint/rules/deep", "cmd/mirrorlint/rules", true},
		{"scenarios", "modelling", false},
		{"model/unheard", "model/id", false},
	}
	for _, test := range tests {
		t.Run(test.from+" to "+test.to, func(t *testing.T) {
			if got := mayImport(test.from, test.to); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
