package rules

import (
	"slices"
	"strings"
)

// contract are the packages that everything about a node may import.
var contract = []string{
	"model/assert", "model/disk", "model/event", "model/id", "model/node", "model/point", "model/record",
	"model/setting", "model/wire",
}

// nodes are the concrete parts of a broker in the order of their imports: each may import those before it.
var nodes = []string{
	"model/plog", "model/metadata", "model/controller", "model/replica", "model/coordinator", "model/txn", "model/group",
	"model/mirror", "model/broker",
}

// graph says which of the project's packages each directory may import (types, "Imports, one way"). A name with "/..."
// stands for the directory and all below it. The rows of nodes are made by row.
var graph = map[string][]string{
	"model":          {},
	"model/id":       {},
	"model/assert":   {},
	"model/point":    {},
	"model/protocol": {},
	"model/setting":  {"model/id"},
	"model/record":   {"model/assert", "model/id"},
	"model/wire":     {"model/id", "model/record"},
	"model/disk":     {"model/assert", "model/id", "model/record"},
	"model/event":    {"model/id", "model/record"},
	"model/node":     {"model/disk", "model/event", "model/id", "model/point", "model/wire"},
	"model/client":   with(contract, "model/protocol"),
	"sim/choice":     {},
	"sim": {
		"model/assert", "model/disk", "model/event", "model/id", "model/node", "model/point", "model/wire", "sim/choice",
	},
	"faults":             with(contract, "sim", "sim/choice"),
	"checkers":           {"model/event", "model/id", "model/protocol", "model/record"},
	"scenarios/...":      {"checkers/...", "faults/...", "model/...", "scenarios/...", "sim/..."},
	"cmd/mirrorsim/...":  {"checkers", "cmd/mirrorsim/...", "model/id", "model/protocol", "model/setting", "scenarios/...", "sim/choice"},
	"cmd/mirrorproof":    {"checkers", "cmd/overlay", "model/protocol", "scenarios", "scenarios/format"},
	"cmd/overlay":        {},
	"cmd/mirrorlint/...": {"cmd/mirrorlint/..."},
	"cmd/mirrormutants/...": {
		"cmd/mirrormutants/rewrite", "cmd/overlay", "scenarios/...",
	},
}

func with(list []string, more ...string) []string { return slices.Concat(list, more) }

// row answers what a directory may import; ok is false for a directory that the table does not know.
func row(dir string) (may []string, ok bool) {
	if i := slices.Index(nodes, dir); i >= 0 {
		return slices.Concat(contract, []string{"model/protocol"}, nodes[:i]), true
	}
	if may, ok = graph[dir]; ok {
		return may, true
	}
	for up := dir; up != ""; up = up[:max(0, strings.LastIndexByte(up, '/'))] {
		if may, ok = graph[up+"/..."]; ok {
			return may, true
		}
	}
	return nil, false
}

func covers(pattern, dir string) bool {
	if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
		return within(dir, tree)
	}
	return pattern == dir
}
