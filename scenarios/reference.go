package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

const referenceHead = `# Reference of words

Every word that a scenario file may use besides the language itself, which is on the page [FORMAT.md](FORMAT.md).
Generated from the tables in the code: edit those, then run
` + "`go test ./scenarios ./cmd/mirrorsim -run Pages -update`" + `.
Revisions, with what each changes and why, are printed by ` + "`mirrorsim protocols`" + `, the states of a mirrored partition with their
edges by ` + "`mirrorsim protocols --states`" + `; [model/PROTOCOL.md](../model/PROTOCOL.md) has them too.
`

// referenceTables are the tables of the page, in its order.
var referenceTables = []struct {
	title, text string
	head        []string
	rows        func() [][]string
}{
	{"Settings", "`setting KEY=VALUE`, on top of Kafka's defaults.", []string{"setting", "default", "what it is"}, settingRows},
	{"Topic configs", "`config TOPIC on CLUSTER KEY=VALUE`. Those that take effect do so in the place of what the topic statement says;\n" +
		"the others are only kept and synchronised.", []string{"config", "takes", "takes effect"}, configRows},
	{"Faults", "`fault KIND TARGET`.", []string{"kind", "what happens"}, faultRows},
	{"Points", "`fault ... at-point POINT`: where the protocol may be cut in two.", []string{"point", "is reached when"}, pointRows},
	{"Error codes", "`expect error STEP=CODE`: what a client or an admin is told. Those marked as tried again a client sends again by itself until\n" +
		"its time is over, and an admin too, but for UNKNOWN_TOPIC_OR_PARTITION: then the result is REQUEST_TIMED_OUT.",
		[]string{"code", "tried again", "is answered when"}, codeRows},
	{"Reasons", "`until reason` and `expect reason`: why a mirrored partition is FAILED. One that is tried again goes on by itself when the\n" +
		"reason has passed.", []string{"reason", "in the answer of a describe", "tried again", "way out"}, reasonRows},
	{"Headings of the loss report", "`expect HEADING TP=N`: records, where nothing else is said.", []string{"heading", "what stands there"}, headingRows},
	{"Properties", "`expect holds PROPERTY`, and what a run's verdicts are of.", []string{"property", "is promised"}, propertyRows},
	{"Properties of the second phase", "Judged behind `live` only. Nothing is asked of a lost cluster, nor that a partition catches up with a\n" +
		"source that is lost.", []string{"property", "is asked of"}, livenessRows},
	{"Choices", "`choose LABEL SUBJECT #NTH=VALUE`: an answer that is not calm. A link is its two nodes, a timer or file its node and\n" +
		"number, in one number: the first half times 256 plus the second.", []string{"label", "asks", "subject"}, choiceRows},
}

// Reference is REFERENCE.md, the words of scenario files by table. The error is always nil.
func Reference() (string, error) {
	var b strings.Builder
	b.WriteString(referenceHead)
	for _, t := range referenceTables {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| %s |\n|%s\n", t.title, t.text, strings.Join(t.head, " | "), strings.Repeat("---|", len(t.head)))
		for _, row := range t.rows() {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		}
	}
	writeDecisions(&b)
	return b.String(), nil
}

const decisionsHead = `
## Decisions

` + "`set DECISION=OPTION`, and `--set` of a command" + `; a decision is called by its name or its number. In brackets are the revisions that
choose the option.
`

// writeDecisions has a heading for each decision, so that other pages can point to it.
func writeDecisions(b *strings.Builder) {
	b.WriteString(decisionsHead)
	for _, d := range protocol.Decisions() {
		fmt.Fprintf(b, "\n### %s %s\n\n%s. Source: %s.\n", d.ID, d.Name, upper(d.Doc), d.Source)
		if d.All {
			b.WriteString("An option lists all of these, in any order, with commas between them.\n")
		}
		b.WriteByte('\n')
		for _, o := range d.Options {
			fmt.Fprintf(b, "- %s: %s%s\n", code(o.Token), o.Doc, chosenIn(&d, o.Token))
		}
	}
}

// chosenIn are the revisions that choose an option, in brackets; of a list, those that choose it as it stands.
func chosenIn(d *protocol.Decision, token string) string {
	var in []string
	for _, p := range protocol.Revisions() {
		if c, err := protocol.Revision(p.Name); err == nil && c.Get(d.Name) == token {
			in = append(in, p.Name)
		}
	}
	if len(in) == 0 {
		return ""
	}
	return " [" + strings.Join(in, ", ") + "]"
}

// decisionNumber is a decision by its number, in brackets or at the begin of a row.
var decisionNumber = regexp.MustCompile(`\((D\d+)\)|(?m:^\| (D\d+) )`)

// linked is a text of a page in the root with each decision's number leading to what REFERENCE.md says of it.
func linked(text string) string {
	return decisionNumber.ReplaceAllStringFunc(text, func(word string) string {
		number := strings.Trim(word, "(|) ")
		i := slices.IndexFunc(protocol.Decisions(), func(d protocol.Decision) bool { return d.ID == number })
		if i < 0 {
			return word
		}
		link := fmt.Sprintf("[%s](scenarios/REFERENCE.md#%s-%s)", number, strings.ToLower(number), protocol.Decisions()[i].Name)
		return strings.Replace(word, number, link, 1)
	})
}

// code is a word as the pages set words of scenario files.
func code(word string) string { return "`" + word + "`" }

func yes(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

func settingRows() (rows [][]string) {
	s := setting.Default()
	s.FailureAttempts = scenarioAttempts
	for _, x := range s.Table() {
		value := ""
		if x.Duration != nil {
			value = x.Duration.String()
		} else {
			value = fmt.Sprint(*x.Number)
		}
		doc := x.Doc
		if x.Number == &s.FailureAttempts {
			doc += fmt.Sprintf(" (%d where no scenario is run)", setting.Default().FailureAttempts)
		}
		rows = append(rows, []string{code(x.Key), value, doc})
	}
	return rows
}

func configRows() (rows [][]string) {
	for k := range record.ConfigKeys {
		key := record.ConfigKey(k)
		effect := key == record.MinInsyncReplicas || key == record.UncleanElection || key == record.RemoteStorageEnable
		rows = append(rows, []string{code(key.String()), record.ConfigForm(key), yes(effect)})
	}
	return rows
}

func faultRows() (rows [][]string) {
	for i, word := range faults.Kinds() {
		rows = append(rows, []string{code(word), faults.Kind(i).Doc()})
	}
	return rows
}

func pointRows() (rows [][]string) {
	for p := point.None + 1; int(p) < point.Points; p++ {
		rows = append(rows, []string{code(p.String()), p.Doc()})
	}
	return rows
}

func codeRows() (rows [][]string) {
	for c := wire.OK; c.String() != "?"; c++ {
		rows = append(rows, []string{code(c.String()), yes(c.Retriable()), c.Doc()})
	}
	return rows
}

func reasonRows() (rows [][]string) {
	for r := range record.Reasons {
		if reason := record.Reason(r); reason != record.NoReason {
			rows = append(rows, []string{code(reason.Token()), reason.String(), yes(reason.Retryable()), reason.WayOut()})
		}
	}
	return rows
}

func headingRows() (rows [][]string) {
	for _, h := range format.Headings() {
		rows = append(rows, []string{code(h.String()), h.Doc()})
	}
	return rows
}

func propertyRows() (rows [][]string) {
	for _, p := range checkers.Properties() {
		doc := p.Doc
		if p.Sampled {
			doc += "; judged in the runs that ask for it"
		}
		rows = append(rows, []string{code(p.ID), doc})
	}
	return rows
}

func livenessRows() (rows [][]string) {
	for _, p := range checkers.Properties() {
		if p.Liveness {
			rows = append(rows, []string{code(p.ID), p.Asked})
		}
	}
	return rows
}

func choiceRows() (rows [][]string) {
	for l := range choice.Labels {
		asks, subject := choice.Label(l).Doc()
		rows = append(rows, []string{code(choice.Label(l).String()), asks, subject})
	}
	return rows
}
