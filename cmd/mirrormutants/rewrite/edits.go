package rewrite

import (
	"cmp"
	"go/token"
	"slices"
	"strings"
)

// The order of edits at one place: what closes an expression comes before what opens the next.
const (
	closing = iota
	replacing
	opening
)

// edit puts text in place of the bytes from at to end of a file.
type edit struct {
	at, end int
	order   int
	text    string
}

// edits are what is to change in a file. Expressions nest: the outer one is opened first and closed last.
type edits struct {
	file  *token.File
	list  []edit
	after []edit // that close expressions whose inside is not walked yet: the outermost first
}

func (e *edits) offset(p token.Pos) int { return e.file.Offset(p) }

// open puts text before what stands at p.
func (e *edits) open(p token.Pos, text string) {
	e.list = append(e.list, edit{e.offset(p), e.offset(p), opening, text})
}

// close puts text behind what ends at p.
func (e *edits) close(p token.Pos, text string) {
	e.after = append(e.after, edit{e.offset(p), e.offset(p), closing, text})
}

// openOver puts text in place of the length bytes at p, with which an expression begins.
func (e *edits) openOver(p token.Pos, length int, text string) {
	e.list = append(e.list, edit{e.offset(p), e.offset(p) + length, opening, text})
}

// replace puts text in place of the length bytes at p.
func (e *edits) replace(p token.Pos, length int, text string) {
	e.list = append(e.list, edit{e.offset(p), e.offset(p) + length, replacing, text})
}

// apply is source with all edits made.
func (e *edits) apply(source string) string {
	slices.Reverse(e.after)
	list := append(e.list, e.after...)
	slices.SortStableFunc(list, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	})
	var b strings.Builder
	at := 0
	for _, x := range list {
		b.WriteString(source[at:x.at] + x.text)
		at = x.end
	}
	return b.String() + source[at:]
}
