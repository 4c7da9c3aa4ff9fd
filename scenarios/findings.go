package scenarios

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
)

//go:embed findings/*.scn
var findingFiles embed.FS

// Findings is every file of findings/, ordered by name: each holds under hardened, and its wrong lines say which revision falls in
// it, by which property, and what mends that.
func Findings() []File { return filesIn(findingFiles, "findings") }

// finding is a file of findings/ and what its lines came to.
type finding struct {
	*format.Scenario
	fallen []fallen
}

// fallen is a wrong line of a finding that was run.
type fallen struct {
	of    *finding
	line  *format.Wrong
	check Check
}

// runFindings runs the files of findings/. The error says that one cannot be run, or that a line is not so.
func runFindings() (list []*finding, err error) {
	for _, f := range Findings() {
		s, err := f.Scenario()
		if err != nil {
			return nil, err
		}
		d, err := Choose(s, "", nil)
		if err != nil {
			return nil, err
		}
		checks, err := Verify(context.Background(), f.Path, s, d, 0)
		if err != nil {
			return nil, err
		}
		x := &finding{Scenario: s}
		for i, c := range checks {
			if c.Problem != "" {
				return nil, fmt.Errorf("%s: %s", c.Command, c.Problem)
			}
			if i > 0 {
				x.fallen = append(x.fallen, fallen{x, &s.Wrong[i-1], c})
			}
		}
		list = append(list, x)
	}
	return list, nil
}

// steps are how many steps the story takes, repeats counted out.
func (x *finding) steps() int { return len(x.Unroll()) - 1 }

// sentence is what the run says of the property.
func (f *fallen) sentence() string {
	for i := range f.check.Result.Verdicts {
		if v := &f.check.Result.Verdicts[i]; v.Property == f.line.Property && v.Status == checkers.Violated {
			return v.Violations[0].Sentence
		}
	}
	return ""
}

// under is the design of the line in words: start-stop, or first with marker=epoch-and-offset.
func (f *fallen) under() string {
	text := "`" + f.line.Revision + "`"
	for i, x := range f.line.Sets {
		text += [2]string{" with", " and"}[min(i, 1)] + " `" + x.Key + "=" + x.Token + "`"
	}
	return text
}

// mend is what mends it: `marker-write=await` (D6).
func (f *fallen) mend() string { return choices(f.line.Mend) }

// choices are decisions with their ids.
func choices(sets []format.Set) string {
	var list []string
	for _, x := range sets {
		list = append(list, fmt.Sprintf("`%s=%s` (%s)", x.Key, x.Token, idOf(x.Key)))
	}
	return strings.Join(list, " and ")
}

// idOf is the id of the decision of that name.
func idOf(name string) string {
	for _, d := range protocol.Decisions() {
		if d.Name == name {
			return d.ID
		}
	}
	return name
}

// ofRevision are the lines about a revision itself, ordered by property; of each property the shortest story comes first.
func ofRevision(list []*finding, revision string) (rows []*fallen) {
	for _, x := range list {
		for i := range x.fallen {
			if f := &x.fallen[i]; f.line.Revision == revision && len(f.line.Sets) == 0 {
				rows = append(rows, f)
			}
		}
	}
	rank := map[string]int{}
	for i, p := range checkers.Properties() {
		rank[p.ID] = i
	}
	slices.SortStableFunc(rows, func(a, b *fallen) int {
		return cmp.Or(cmp.Compare(rank[a.line.Property], rank[b.line.Property]), cmp.Compare(a.of.steps(), b.of.steps()))
	})
	return rows
}

// putBack are the lines about hardened with that option of that decision, and nothing else, in it.
func putBack(list []*finding, decision, token string) (rows []*fallen) {
	for _, x := range list {
		for i := range x.fallen {
			f := &x.fallen[i]
			if f.line.Revision != Hardened || len(f.line.Sets) != 1 {
				continue
			}
			if s := f.line.Sets[0]; decisionName(s.Key) == decision && s.Token == token {
				rows = append(rows, f)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b *fallen) int { return cmp.Compare(a.of.steps(), b.of.steps()) })
	return rows
}

// Hardened is the revision under which every finding holds.
const Hardened = "hardened"

// difference is a decision that two revisions choose differently.
type difference struct{ ID, Name, Theirs, Ours string }

// differences are the decisions that hardened chooses otherwise than the other revision.
func differences(other string) (list []difference) {
	a, err := protocol.Revision(other)
	if err != nil {
		panic(err)
	}
	h, err := protocol.Revision(Hardened)
	if err != nil {
		panic(err)
	}
	for _, d := range protocol.Decisions() {
		if x := (difference{d.ID, d.Name, a.Get(d.ID), h.Get(d.ID)}); x.Theirs != x.Ours {
			list = append(list, x)
		}
	}
	return list
}
