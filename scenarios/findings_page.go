package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/protocol"
)

// findingsHead is the beginning of FINDINGS.md.
const findingsHead = `# Findings

What falls in the published revisions of the design, and in ` + "`first`" + `, which is ` + "`start-stop`" + ` with what first failovers
ask for: for each revision every property that a story shows to fall, the shortest such story, the decision that mends it, and
what the mend costs. Each was found by sweeps of generated runs and shrunk, or by a reader, and is a file of
[scenarios/findings](scenarios/findings).

Every line of this page was run: under the revision the property is violated; with what mends it in that revision it is not, nor
is any that was not violated without it; under ` + "`hardened`" + ` nothing is violated, and every step completes but for two, whose stories say
so: one is refused, and one has no answer in time.
Edit the files, then run ` + "`go test ./scenarios ./cmd/mirrorsim -run Pages -update`" + `. Each story is run by

    mirrorsim run scenarios/findings/NAME.scn --protocol REVISION --set DECISION=OPTION

How often a property falls in generated runs under each revision is printed by

    mirrorsim compare --protocols add-remove,start-stop,aligned,hardened --count 300 --faults swarm
`

// published are the revisions that the page is about, and the one that hardened is based on.
var published = []string{"add-remove", "start-stop", "aligned", "first"}

// FindingsPage is FINDINGS.md. The error says that a file of findings/ cannot be run, or that one of its lines is not so.
func FindingsPage() (string, error) {
	list, err := runFindings()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(findingsHead)
	writeSummary(&b, list)
	b.WriteString(tablesHead)
	for _, revision := range published {
		writeRevision(&b, list, revision)
	}
	b.WriteString("\n## The stories\n")
	for _, x := range list {
		writeFinding(&b, x)
	}
	if err := writeCosts(&b, list); err != nil {
		return "", err
	}
	writeOverFirst(&b)
	writeMinimal(&b, list)
	return linked(b.String()), nil
}

// writeSummary is a table of all properties that fall somewhere: by how many stories in which revision.
func writeSummary(b *strings.Builder, list []*finding) {
	b.WriteString("\n## What falls\n\nHow many of the stories below show it. A dash: none does.\n\n| property |")
	var properties []string
	count := map[[2]string]int{}
	for _, r := range published {
		fmt.Fprintf(b, " %s |", r)
		for _, f := range ofRevision(list, r) {
			count[[2]string{r, f.line.Property}]++
		}
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(published)) + "|\n")
	for _, id := range propertyIDs() {
		row, any := "", false
		for _, r := range published {
			n := count[[2]string{r, id}]
			any = any || n > 0
			row += fmt.Sprintf(" %s |", orDash(n))
		}
		if any {
			properties = append(properties, id)
			fmt.Fprintf(b, "| `%s` |%s\n", id, row)
		}
	}
	fmt.Fprintf(b, "\n%s fall in %s.\n", checkers.Several(len(properties), "property", "properties"), checkers.Several(len(list), "story", "stories"))
}

func orDash(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

// tablesHead says once how the tables of the revisions are read.
const tablesHead = `
## How to read the tables

There is one for each revision. The last three columns are what the mend costs in the story itself: 375 → 411 is 375 without it and 411
with it, a number alone is the same in both, and a dash says that no stop, or no failback, came to its end. A delivery is a message
or timer that a node handled. Stops and failbacks are in seconds of virtual time, one number each in the order of the story;
[below](#what-the-mends-cost) is from when to when, and what each mend costs where nothing falls.
`

// revisionHead is what stands above the table of a revision.
const revisionHead = `| property | shortest story first | steps | mended by | deliveries | stop | failback |
|---|---|---|---|---|---|---|
`

// writeRevision is the table of one revision.
func writeRevision(b *strings.Builder, list []*finding, revision string) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n", revision, upper(docOf(revision)))
	b.WriteString(revisionHead)
	last := ""
	for _, f := range ofRevision(list, revision) {
		property := ""
		if f.line.Property != last {
			property, last = "`"+f.line.Property+"`", f.line.Property
		}
		was, is := &f.check.Result.Cost, &f.check.Mended.Cost
		fmt.Fprintf(b, "| %s | [%s](#%s) | %d | %s | %s | %s | %s |\n", property, f.of.Name, f.of.Name, f.of.steps(), f.mend(),
			change(fmt.Sprint(f.check.Result.Deliveries), fmt.Sprint(f.check.Mended.Deliveries)),
			change(was.Stops.String(), is.Stops.String()), change(was.Failbacks.String(), is.Failbacks.String()))
	}
}

// change is a number without and with a mend, or the one number if they are equal.
func change(was, is string) string {
	if was == is {
		return was
	}
	return was + " → " + is
}

func docOf(revision string) string {
	for _, p := range protocol.Revisions() {
		if p.Name == revision {
			return p.Doc
		}
	}
	return ""
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// writeFinding is one story: what happens, its steps, and what falls in which revision.
func writeFinding(b *strings.Builder, x *finding) {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n```\n%s```\n\n", x.Name, x.Story, x.body())
	for i := range x.fallen {
		under := x.alike(i)
		if under == nil {
			continue
		}
		f := &x.fallen[i]
		fmt.Fprintf(b, "- %s %s `%s`: %s", joined(under), checkers.Noun(len(under), "violates", "violate"), f.line.Property, f.sentence())
		if len(f.line.Mend) > 0 {
			fmt.Fprintf(b, ". Mended by %s", f.mend())
		}
		b.WriteByte('\n')
	}
}

// alike are the revisions under which the same falls as in a line, in the same words, and is mended by the same; nil if they have been
// told with an earlier line. One with an option in it stands alone.
func (x *finding) alike(line int) (under []string) {
	f := &x.fallen[line]
	for i := range x.fallen {
		g := &x.fallen[i]
		same := i == line || len(f.line.Sets)+len(g.line.Sets) == 0 && g.line.Property == f.line.Property && g.mend() == f.mend() &&
			g.sentence() == f.sentence()
		if same && i < line {
			return nil
		}
		if same {
			under = append(under, g.under())
		}
	}
	return under
}

// joined are words as a sentence has them: a, b and c.
func joined(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// body is the file's topology and steps.
func (x *finding) body() string {
	s := *x.Scenario
	s.Story, s.Wrong, s.Revision, s.EndNote = "", nil, "", ""
	lines := strings.SplitAfter(string(s.AppendText(nil)), "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "scenario ") })
	return strings.TrimLeft(strings.Join(lines[i+1:], ""), "\n")
}

func propertyIDs() (ids []string) {
	for _, p := range checkers.Properties() {
		ids = append(ids, p.ID)
	}
	return ids
}
