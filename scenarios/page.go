package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mirrorsim/scenarios/format"
)

// family is a group of cases whose names begin with one of the letters.
type family struct{ letters, title string }

var families = []family{
	{"F", "Failover and failback"},
	{"T", "Transactions and producers"},
	{"S", "State machine, coordinator, controller"},
	{"EL", "Epochs, unclean elections, log start, gaps"},
	{"OC", "Groups, configs, ACLs, topics"},
	{"Q", "Runbook: what operators ask before they do it"},
}

const pageHead = `# The catalogue

Generated from the files in scenarios/catalogue: edit those, then run
` + "`go test ./scenarios ./cmd/mirrorsim -run Pages -update`" + `.
How to read and write them is in [scenarios/FORMAT.md](scenarios/FORMAT.md).

` + "`o@e`" + ` means the record at offset o, in a batch of leader epoch e; ` + "`[0-1]@0`" + ` is one batch of two records, and
` + "`3:reset@1`" + ` the control batch MIRROR_PID_RESET at offset 3. Expectations marked calm are checked on the calm
schedule only, all others and every property on each schedule. ` + "`mirrorsim scenarios verify`" + ` checks all that this
page says, and ` + "`mirrorsim scenarios show NAME --story`" + ` tells in short what happens.
`

// Page is SCENARIOS.md: every case of the catalogue with its story, the command that runs it, and what is expected. The
// error is of a file of the catalogue that cannot be parsed.
func Page() (string, error) {
	var b strings.Builder
	b.WriteString(pageHead)
	for i := range families {
		f := &families[i]
		title := "\n## " + f.title + "\n"
		for _, file := range f.files() {
			s, err := file.Scenario()
			if err != nil {
				return "", err
			}
			b.WriteString(title)
			title = ""
			writeCase(&b, s)
		}
	}
	return b.String(), nil
}

// files are those of the family, in the order of the letters and by number.
func (f *family) files() []File {
	list := slices.DeleteFunc(Catalogue(), func(x File) bool { return !strings.ContainsRune(f.letters, rune(x.Name[0])) })
	slices.SortStableFunc(list, func(a, b File) int {
		return cmp.Or(cmp.Compare(strings.IndexByte(f.letters, a.Name[0]), strings.IndexByte(f.letters, b.Name[0])),
			cmp.Compare(number(a.Name), number(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// number is the number in a case's name: 10 of F10-untouched.
func number(name string) int {
	digits, _, _ := strings.Cut(name[1:], "-")
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("scenarios: the case " + name + " has no number")
	}
	return n
}

func writeCase(b *strings.Builder, s *format.Scenario) {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n    mirrorsim run %s\n\n", s.Name, s.Story, s.Name)
	for _, x := range s.Sets {
		fmt.Fprintf(b, "- the file sets `%s=%s`\n", x.Key, x.Token)
	}
	writeExpected(b, s)
	writeWrong(b, s)
}

// writeExpected lists the expectations by the step that they are judged after, the calm ones apart.
func writeExpected(b *strings.Builder, s *format.Scenario) {
	line := ""
	for i := range s.Expect {
		e := &s.Expect[i]
		begin := "- " + whenJudged(s, e) + ": "
		if begin != line {
			if line != "" {
				b.WriteByte('\n')
			}
			b.WriteString(begin)
			line = begin
		} else {
			b.WriteString(",\n  ")
		}
		fmt.Fprintf(b, "`%s`", e.Do.AppendText(nil))
	}
	if line != "" {
		b.WriteByte('\n')
	}
}

func whenJudged(s *format.Scenario, e *format.Expect) string {
	text := "at the end"
	switch {
	case e.After == 0:
		text = "at the beginning"
	case e.After < len(s.Steps):
		act, _, _ := strings.Cut(string(s.Steps[e.After-1].Do.AppendText(nil)), "\n")
		text = fmt.Sprintf("after step %d, `%s`", e.After, shortened(act))
	}
	if e.Calm {
		text += ", calm"
	}
	return text
}

// mostWords is how long a step may be that the page prints as it is.
const mostWords = 12

// shortened is a step without the middle of a long list of names: start t01 … t50 in m.
func shortened(act string) string {
	words := strings.Fields(act)
	last := slices.Index(words, "in")
	if last < 0 {
		last = slices.Index(words, "on")
	}
	if len(words) <= mostWords || last < mostWords/2 {
		return act
	}
	first := 2 // the act and the first name
	if words[0] == "at" || words[0] == "after" {
		first += 2
	}
	return strings.Join(words[:first], " ") + " … " + strings.Join(words[last-1:], " ")
}

// writeWrong lists what must be violated under a choice or a defect that the case exposes.
func writeWrong(b *strings.Builder, s *format.Scenario) {
	line := ""
	for _, w := range s.Wrong {
		begin := "- wrong under"
		for _, x := range w.Sets {
			begin += fmt.Sprintf(" `--set %s=%s`", x.Key, x.Token)
		}
		if w.Defect != "" {
			begin += fmt.Sprintf(" defect `%s`", w.Defect)
		}
		if begin != line {
			if line != "" {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "%s, violates: `%s`", begin, w.Property)
			line = begin
		} else {
			fmt.Fprintf(b, ", `%s`", w.Property)
		}
	}
	if line != "" {
		b.WriteByte('\n')
	}
}
