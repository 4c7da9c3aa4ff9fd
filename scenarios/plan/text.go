package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mirrorsim/model/id"
	"mirrorsim/scenarios"
)

// AppendText appends the report as text for people.
func (r *PlanReport) AppendText(dst []byte) []byte {
	b := bytes.NewBuffer(dst)
	fmt.Fprintf(b, "plan %s: ", r.Plan)
	switch {
	case r.Count == 0 || r.Runs == 0:
		fmt.Fprintf(b, "no run counts")
	default:
		fmt.Fprintf(b, "%s, seeds %d to %d", runs(r.Runs), r.SeedStart, r.SeedStart+uint64(r.Count)-1)
	}
	fmt.Fprintf(b, ", faults %s, %s\n", r.Faults, r.design())
	if r.StoppedEarly {
		fmt.Fprintf(b, "It was stopped early: %s of %d were done.\n", runs(r.Runs+r.Unmade), r.Count)
	}
	if r.Unmade > 0 {
		fmt.Fprintf(b, "Not counted: %s that did not begin with the numbers of the file; %s\n", runs(r.Unmade), r.UnmadeWhy)
	}
	for i := range r.Answers {
		r.Answers[i].print(b)
	}
	for _, v := range r.Violations {
		text := fmt.Sprintf("VIOLATED %s, a property of the design, in %s: %s", v.Property, runs(v.Runs), v.Sentence)
		b.WriteString("\n" + scenarios.Folded("", text))
		fmt.Fprintf(b, "  seed %d:\n    %s\n", v.Seed, strings.ReplaceAll(v.Command, " && ", "\n    "))
	}
	if len(r.Violations) > 0 && r.Factor > 1 {
		b.WriteString("\n" + scenarios.Folded("", "Offsets and epochs in what is VIOLATED are those of the scenario, whose logs are shorter than the file's."))
	}
	if len(r.Notes) > 0 {
		b.WriteString("\nThis rests on:\n")
	}
	for _, n := range r.Notes {
		b.WriteString(scenarios.Folded("  * ", n))
	}
	fmt.Fprintf(b, "\nexit status %d: %s\n", r.Exit, exitWords[r.Exit])
	return b.Bytes()
}

var exitWords = map[int]string{0: "all questions are answered, and there was nothing to tell",
	1: "something is lost, discarded, skipped, read again, written to the old side or unfinished, or a property fell",
	4: "a question is not answered"}

func (r *PlanReport) design() string {
	text := "--protocol " + r.Revision
	var sets []string
	for k, v := range r.Set {
		sets = append(sets, " --set "+k+"="+v)
	}
	slices.Sort(sets)
	return text + strings.Join(sets, "")
}

var answerWords = map[string]string{Certain: "CERTAIN", Possible: "POSSIBLE", Never: "NEVER", NotAnswered: "NOT ANSWERED"}

// finishedWords are the words of Q5, of which an item is what is not finished.
var finishedWords = map[string]string{Certain: "NO", Possible: "NOT ALWAYS", Never: "YES", NotAnswered: "NOT ANSWERED"}

// print prints the question, the answer, a table of the items, and what is not answered.
func (a *Answer) print(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n%s  %s\n", a.Question, a.Text)
	word := answerWords[a.Answer]
	if a.Question == Finished.String() {
		word = finishedWords[a.Answer]
	}
	if a.Answer == NotAnswered {
		fmt.Fprintf(b, "    %s\n", word)
	} else {
		b.WriteString(scenarios.Folded("    ", word+". "+a.Sentence))
	}
	if table := a.table(); len(table) > 1 {
		b.WriteString("\n")
		columns(b, gathered(table))
	}
	a.reasons(b)
	if w := a.worst(); w != nil {
		fmt.Fprintf(b, "\n    %s:\n      %s\n", a.worstWords(w), strings.ReplaceAll(w.Worst.Command, " && ", "\n      "))
	}
	if len(a.Unanswered) > 0 {
		b.WriteString("\n")
	}
	for i, u := range a.Unanswered {
		var subjects []string
		for k, o := range a.Unanswered {
			if o.Why == u.Why && k < i {
				subjects = nil
				break
			}
			if o.Why == u.Why {
				subjects = append(subjects, o.Subject)
			}
		}
		switch {
		case len(subjects) == 0:
		case u.Subject == "":
			b.WriteString(scenarios.Folded("    ", "not answered: "+u.Why))
		default:
			b.WriteString(scenarios.Folded("    ", "not answered for "+list(few(subjects))+": "+u.Why))
		}
	}
}

// worst is the item with the most records, the first of them.
func (a *Answer) worst() (w *Item) {
	for i := range a.Items {
		if x := &a.Items[i]; x.Worst != nil && (w == nil || x.Most > w.Most) {
			w = x
		}
	}
	return w
}

func (a *Answer) worstWords(w *Item) string {
	if w.What == "unfinished" {
		return fmt.Sprintf("One of these runs, seed %d", w.Worst.Seed)
	}
	text := fmt.Sprintf("The worst of %s, seed %d: %s", w.Subject, w.Worst.Seed, records(w.Worst.Records))
	if w.What == "lost" || w.What == "discarded" {
		text += fmt.Sprintf(", %s of them acknowledged", count(w.Worst.Acknowledged))
	}
	return text
}

// table is the items as rows of columns, the first the heads; only those that there is something to say of beyond the sentence.
func (a *Answer) table() [][]string {
	switch a.Question {
	case Lost.String():
		return a.lostTable()
	case Discarded.String():
		return a.discardedTable()
	case Groups.String():
		return a.groupTable()
	case Writing.String():
		t := [][]string{{"producer", "partition", "on", "written after the stop", "in"}}
		for i := range a.Items {
			if x := &a.Items[i]; x.Runs > 0 {
				t = append(t, []string{x.Producer, x.partition(), x.Cluster, x.amount(), x.in()})
			}
		}
		return t
	}
	t := [][]string{{"partition", "on", "ends as", "", "in"}}
	for i := range a.Items {
		x := &a.Items[i]
		for _, e := range x.Ends {
			word := "finished"
			if !e.Finished {
				word = "not finished"
			}
			if x.Step == 0 {
				t = append(t, []string{x.partition(), x.Cluster, e.State, word, fmt.Sprintf("%d of %s", e.Runs, runs(x.Of))})
			}
		}
	}
	return t
}

func (a *Answer) lostTable() [][]string {
	t := [][]string{{"partition", "source", "ends at", "mirrored to", "beyond", "as of", "lost", "in"}}
	for i := range a.Items {
		x := &a.Items[i]
		row := []string{x.partition(), x.Cluster, "-", "-", "-", "-", x.amount(), x.in()}
		if x.SourceEnd != nil {
			copy(row[2:], []string{count(*x.SourceEnd), count(*x.MirroredEnd), count(*x.Beyond), ago(*x.AgeUs)})
		}
		t = append(t, row)
	}
	return t
}

// ago is how old a knowledge is.
func ago(us int64) string {
	if us == 0 {
		return "now"
	}
	return id.Duration(us).String() + " ago"
}

func (a *Answer) discardedTable() [][]string {
	t := [][]string{{"partition", "on", "cut at", "discarded", "in", "which, at worst"}}
	for i := range a.Items {
		x := &a.Items[i]
		at := "nowhere"
		if x.Cut != nil {
			at = spread(x.Cut.Least, x.Cut.Most, x.Cut.About)
		}
		t = append(t, []string{x.partition(), x.Cluster, at, x.amount(), x.in(), x.which()})
	}
	return t
}

// which are the offsets of the worst run, and how many records beside them were written during the steps.
func (i *Item) which() string {
	if i.Worst == nil {
		return "-"
	}
	var parts []string
	known := int64(0)
	for _, r := range i.Worst.Offsets {
		known += r.Last - r.First + 1
		parts = append(parts, count(r.First)+" to "+count(r.Last))
	}
	if rest := i.Worst.Records - known; rest > 0 {
		parts = append(parts, count(rest)+" written since")
	}
	return list(few(parts))
}

// groupTable has what a group skips and what it reads again in one row.
func (a *Answer) groupTable() [][]string {
	t := [][]string{{"group", "partition", "moved to", "its offset", "goes on at", "skips", "in", "reads again", "in"}}
	for i := range a.Items {
		x := &a.Items[i]
		if x.Group == "" || x.What != "skipped" {
			continue
		}
		var again *Item // nil: not answered
		for k := range a.Items {
			if y := &a.Items[k]; y.What == "read-again" && y.Subject == x.Subject && y.Cluster == x.Cluster {
				again = y
			}
		}
		of := x
		row := []string{x.Group, x.partition(), x.Cluster, "-", "-", x.amount(), x.in(), "?", "?"}
		if again != nil {
			row[7], row[8] = again.amount(), again.in()
			if x.Runs == 0 {
				of = again
			}
		}
		if of.Before != nil {
			row[3], row[4] = count(*of.Before), count(*of.Resume)
		}
		if of.BeforePast {
			row[3] += "+"
		}
		t = append(t, row)
	}
	return t
}

// reasons say why a group skips or reads again, and what is waited for: each reason once, with all that have it.
func (a *Answer) reasons(b *bytes.Buffer) {
	var why []string
	subjects := map[string][]string{}
	for i := range a.Items {
		if x := &a.Items[i]; x.Runs > 0 && x.Why != "" {
			if len(subjects[x.Why]) == 0 {
				why = append(why, x.Why)
			}
			subjects[x.Why] = append(subjects[x.Why], x.Subject)
		}
	}
	if len(why) > 0 {
		b.WriteString("\n")
	}
	for _, w := range why {
		b.WriteString(scenarios.Folded("    ", list(few(subjects[w]))+": "+w))
	}
}

func (i *Item) partition() string {
	if i.Partition == nil {
		return i.Subject
	}
	return fmt.Sprintf("%s-%d", i.Topic, *i.Partition)
}

func (i *Item) amount() string {
	if i.Runs == 0 {
		return "0"
	}
	return spread(i.Least, i.Most, i.About)
}

func (i *Item) in() string {
	if i.Runs == 0 {
		return fmt.Sprintf("0 of %d", i.Of)
	}
	return fmt.Sprintf("%d of %d", i.Runs, i.Of)
}

// longTable is how many rows a table has at least whose like rows are gathered.
const longTable = 12

// gathered puts rows that follow each other and differ in their partitions only into one, where there are many.
func gathered(rows [][]string) (short [][]string) {
	col := slices.Index(rows[0], "partition")
	if len(rows) < longTable {
		return rows
	}
	more := 0
	for i, row := range rows {
		if last := len(short) - 1; i > 1 && alike(row, short[last], col) {
			more++
			first, _, _ := strings.Cut(short[last][col], " and ")
			short[last][col] = fmt.Sprintf("%s and %d more", first, more)
			continue
		}
		short, more = append(short, slices.Clone(row)), 0
	}
	return short
}

// alike tells whether two rows differ in one column only.
func alike(a, b []string, but int) bool {
	for k := range a {
		if k != but && a[k] != b[k] {
			return false
		}
	}
	return true
}

// columns prints rows with their columns one below the other.
func columns(b *bytes.Buffer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, cell := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		line.WriteString("    ")
		for k, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
