package scenarios

import (
	"fmt"
	"strings"

	"mirrorsim/model/protocol"
)

// needNot says of the choices in which hardened differs from aligned, and for which no story was found, what speaks for it that
// they need not differ, and why they do.
var needNot = map[string]string{
	"D14": "An epoch is recorded of what the log holds (D2), so an asker that has none as high has lost what it had or never had " +
		"it. Cut or kept, the fetch protocol leads both to the source's log, where the epochs of the two clusters are apart (D7); " +
		"before the first stop they are not. What is kept is not copied again.",
	"D15": "With `offset-clamp=leo` beside it, as in aligned, the story offset-epoch-above-the-leaders falls. `fenced-exactly` " +
		"uses up 1 epoch instead of 11 at a time, and raises at once, so that a group can begin before the first record.",
	"D16": "It is the stricter check: what `leader-epoch` refuses it refuses too. It also refuses a write that was stored " +
		"and whose answer was lost; the leader reads again and goes on. hardened takes the check that asks less.",
	"D24": "Both are an answer to a deletion, and no property prefers one. With `fail` the copy takes no writes until an " +
		"operator stops it; with `stop-from=mirroring-or-paused` beside it, as in aligned, that stop is refused, and there is no sure " +
		"way out: a stop is accepted only in the moment between a recovery and the next failure.",
	"D25": "A pause that is answered with success and dropped is stored nowhere, and the properties judge what is stored. " +
		"`refuse` tells the operator.",
	"D34": "A follower of the leader's newest epoch may join and lead with less than the leader had above its high " +
		"watermark; what a mirror lacks then it mirrors again. `epoch-start` is Kafka's rule for topics that are no " +
		"mirrors.",
	"D38": "A write of an illegal edge comes from a new leader, behind a late one of the leader before it. With `ignore` it acts " +
		"as if its own were stored: elected in STOPPING, it does the stop again when STOPPED is stored already. That stores the same " +
		"position and STOPPED again. With `error` it reads the state, and becomes writable.",
	"D51": "It is which topics a pattern names; a stop of each is the same. `mirroring` is what the seed says.",
}

const overFirstHead = `
## What hardened takes over first

` + "`first` is what a run takes when no revision is named. `hardened` is `first` but for these choices." + `

| decision | first | hardened | why |
|---|---|---|---|
`

// writeOverFirst is what hardened changes of the revision that it is based on.
func writeOverFirst(b *strings.Builder) {
	b.WriteString(overFirstHead)
	for _, p := range protocol.Revisions() {
		if p.Name != Hardened {
			continue
		}
		for _, d := range differences(p.Base) {
			for _, c := range p.Changes {
				if c.Decision == d.ID {
					fmt.Fprintf(b, "| %s | %s |\n", d.cells(), c.Reason)
				}
			}
		}
	}
}

// cells are the difference as the first three cells of a row.
func (d *difference) cells() string {
	return fmt.Sprintf("%s `%s` | `%s` | `%s`", d.ID, d.Name, d.Theirs, d.Ours)
}

const fallsHead = `
## What of aligned hardened cannot keep

` + "`hardened` with the one choice of `aligned` put back, all others as they are: the shortest story in which something falls" + `
then.

| decision | aligned | hardened | what falls | story | command |
|---|---|---|---|---|---|
`

const needNotHead = `
These differ as well, and no story was found in which something falls by the choice of ` + "`aligned`" + ` alone. That was looked
for in generated runs under swarm faults, seeds 0 to 299 of each, in the scenario files that are about ` + "`hardened`" + `, and of
some by hand. It is no proof: abort-failure, offset-reclamp, position-fence and absent-replica stood here before somebody
thought of a story.

| decision | aligned | hardened | what speaks for it that it need not differ, and why it does |
|---|---|---|---|
`

// writeMinimal says of each choice in which hardened differs from the latest published revision what falls when it is put back.
func writeMinimal(b *strings.Builder, list []*finding) {
	var need strings.Builder
	b.WriteString(fallsHead)
	for _, d := range differences("aligned") {
		rows := putBack(list, d.Name, d.Theirs)
		if len(rows) == 0 {
			fmt.Fprintf(&need, "| %s | %s |\n", d.cells(), needNot[d.ID])
			continue
		}
		story := rows[0].of
		var fallen []string
		for _, f := range rows {
			if f.of == story {
				fallen = append(fallen, "`"+f.line.Property+"`")
			}
		}
		fmt.Fprintf(b, "| %s | %s | [%s](#%s) | `mirrorsim run scenarios/findings/%s.scn --set %s=%s` |\n", d.cells(),
			strings.Join(fallen, ", "), story.Name, story.Name, story.Name, d.Name, d.Theirs)
	}
	b.WriteString(needNotHead + need.String())
}
