package format

import (
	"slices"

	"mirrorsim/checkers"
)

// Properties are the ids that a file may name: those that a checker judges.
func Properties() []string {
	var ids []string
	for _, p := range checkers.Properties() {
		ids = append(ids, p.ID)
	}
	return ids
}

// property reads the id of a property.
func (l *line) property() string {
	w := l.word("the id of a property")
	if l.err == nil && !slices.Contains(Properties(), w) {
		l.fail(w, "unknown property", Properties()...)
	}
	return w
}
